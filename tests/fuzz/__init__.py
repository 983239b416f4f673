"""Anything may come in; a clean `Fault` or success comes out."""
