"""Skill and luck apart: the review of a finished game. `docs/review.md` explains the method.

``theriac.review(record)`` is a function of the library, and this package has the same name: so it
can be called, once it is imported.
"""

import sys
from types import ModuleType
from typing import Any

from theriac.review.results import Account, Decision, Mistake, Review, SeatAccount, to_json
from theriac.review.reviewing import DEFAULT_BUDGET, LEAST_BUDGET, METHOD, review, review_steps

__all__ = [
    "DEFAULT_BUDGET",
    "LEAST_BUDGET",
    "METHOD",
    "Account",
    "Decision",
    "Mistake",
    "Review",
    "SeatAccount",
    "review",
    "review_steps",
    "to_json",
]


class _CallableModule(ModuleType):
    """A module that does what its function `review` does."""

    def __call__(self, record: dict[str, Any], **settings: Any) -> Review:
        return review(record, **settings)


sys.modules[__name__].__class__ = _CallableModule
