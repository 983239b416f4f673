"""Shock! and its original edition: tests of their clauses."""
