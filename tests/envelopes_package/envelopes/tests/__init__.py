"""Tests of Envelopes."""
