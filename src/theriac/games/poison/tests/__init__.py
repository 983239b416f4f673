"""Poison: tests of its clauses, and its cases for the tests of every game."""
