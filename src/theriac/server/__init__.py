"""Tables over a network: `theriac serve`. `docs/server.md` tells how the parts fit together."""
