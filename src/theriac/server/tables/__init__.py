"""Tables: their state, what may happen at one, who is sent what, the service that runs them."""
