"""Skill and luck apart: the review of a finished game. `docs/review.md` explains the method."""

from theriac.review.results import Account, Decision, Mistake, Review, SeatAccount, to_json
from theriac.review.reviewing import DEFAULT_BUDGET, LEAST_BUDGET, review, review_steps

__all__ = [
    "DEFAULT_BUDGET",
    "LEAST_BUDGET",
    "Account",
    "Decision",
    "Mistake",
    "Review",
    "SeatAccount",
    "review",
    "review_steps",
    "to_json",
]
