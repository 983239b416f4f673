"""Bots at the tables: they think in other processes."""
