"""WebSockets: one connection per client and table."""
