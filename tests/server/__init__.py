"""Tests of `theriac serve`: real processes, real sockets; rooms alone where that is enough."""
