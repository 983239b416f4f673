"""The tests of Hearts."""
