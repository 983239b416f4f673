"""`theriac new-game`."""
