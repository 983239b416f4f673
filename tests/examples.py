"""How many examples Hypothesis tries."""

from __future__ import annotations

from hypothesis import settings


def examples(times: int) -> settings:
    """So many times the examples that the profile asks for."""
    return settings(max_examples=times * settings().max_examples)
