"""Numbers and mistakes of a review in words, no finer than they are known."""

from __future__ import annotations

import math
from typing import Final

from theriac.review.results import Mistake

#: What each part of an account is called.
TITLES: Final = {
    "fair": "fair share",
    "cards": "luck of the cards",
    "hidden": "luck of what was hidden",
    "skill": "skill",
    "others": "what others did",
    "result": "result",
}


def decimals(error: float) -> int:
    """How many decimals a number with this standard error deserves.

    >>> decimals(2.3), decimals(0.4), decimals(0.04), decimals(0.0)
    (0, 1, 2, 0)
    """
    if error <= 0 or not math.isfinite(error):
        return 0
    return max(0, min(4, math.ceil(-math.log10(error) - 1e-9)))


def percent(value: float, error: float = 0.0, *, signed: bool = False) -> str:
    """A share in per cent with its error.

    >>> percent(0.312, 0.013), percent(-0.09, 0.004, signed=True), percent(0.25)
    ('31 ± 1 %', '-9.0 ± 0.4 %', '25 %')
    """
    return with_error(100 * value, 100 * error, signed=signed) + " %"


def with_error(value: float, error: float, *, signed: bool = False) -> str:
    """A number with its error; none if it is exact.

    >>> with_error(12.3, 0.2, signed=True), with_error(3.0, 0.0)
    ('+12.3 ± 0.2', '3')
    """
    digits = decimals(error)
    sign = "+" if signed else ""
    text = f"{value:{sign}.{digits}f}"
    if not error:
        text = f"{value:{sign}.3g}"
    return text if not error else f"{text} ± {error:.{digits}f}"


def rounded(value: float, error: float, *, signed: bool = False) -> str:
    """A share in per cent, no finer than its error, which is not shown.

    >>> rounded(0.2613, 0.02), rounded(-0.0913, 0.002, signed=True)
    ('26 %', '-9.1 %')
    """
    return f"{100 * value:{'+' if signed else ''}.{decimals(100 * error)}f} %"


def describe(mistake: Mistake) -> str:
    """A mistake as a sentence."""
    article = "an" if mistake.word[0] in "aeiou" else "a"
    return (
        f"Move {mistake.n}, round {mistake.round}, seat {mistake.seat}: {mistake.move} was "
        f"{article} {mistake.word}. {mistake.best} would have won "
        f"{percent(mistake.loss, mistake.error)} more."
    )
