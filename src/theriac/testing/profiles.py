"""How long the tests look for a counterexample: HYPOTHESIS_PROFILE is "ci" or "long".

`make test` uses "ci"; `make test-long` uses "long".
"""

from __future__ import annotations

import os
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings

T = TypeVar("T")

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def profile() -> str:
    """The name of the profile."""
    return os.environ.get("HYPOTHESIS_PROFILE", "ci")


def often(usual: T, long: T) -> T:
    """How often a test repeats itself, or the cases of one, chosen without Hypothesis."""
    return long if profile() == "long" else usual


def load_profile() -> None:
    """Use the profile of the environment.

    "ci" tries the same few examples every time; "long" looks for new ones and makes them simpler.
    """
    settings.register_profile(
        "ci",
        max_examples=2,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=_SLOW,
    )
    settings.register_profile(
        "long", max_examples=100, deadline=None, print_blob=True, suppress_health_check=_SLOW
    )
    settings.load_profile(profile())
