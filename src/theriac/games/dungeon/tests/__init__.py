"""Knock, Knock! Dungeon!: tests of its clauses."""
