"""How many examples Hypothesis tries."""

from __future__ import annotations

from hypothesis import settings


def examples(times: int) -> settings:
    """A multiple of the number of examples that the profile sets."""
    return settings(max_examples=times * settings().max_examples)
