"""The tests of Game Title."""
