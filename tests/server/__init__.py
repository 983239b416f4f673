"""Tests of `theriac serve`: real processes and sockets, or one table where that is enough."""
