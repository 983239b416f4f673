"""Tests of the smallest game."""
