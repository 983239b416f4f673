"""The package: what is in it, how it is built and called, and that it plays once installed."""
