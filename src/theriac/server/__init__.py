"""Tables over a network: `theriac serve`. `docs/server.md` shows how the parts fit together."""
