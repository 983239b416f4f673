"""What can be wrong with what a person or a program gives us.

Every fault is one clear sentence: what was wrong, and what would be right. Nothing is ever
changed by what is refused.
"""

from __future__ import annotations


class Fault(ValueError):
    """Bad input. `str()` of it is a sentence for people."""


class Refused(Fault):
    """A move that is not legal: which, why, and the clause of the rules that forbids it."""

    def __init__(self, move: str, why: str, clause: str) -> None:
        super().__init__(f"{quote(move)}: {why} ({clause})")
        self.move = move
        self.why = why
        self.clause = clause


class BadOption(Fault):
    """An option that a game does not have, or a value it does not take."""


class BadDeal(Fault):
    """A written shuffle that does not hold exactly the cards of that shuffle, or is not there."""


class BadDeck(Fault):
    """A deck that cannot be played with; `card` is the one that is wrong, where it is one."""

    def __init__(self, why: str, card: str | None = None) -> None:
        super().__init__(why)
        self.card = card


class BadRecord(Fault):
    """A game record that cannot be read."""


class BadBot(Fault):
    """A bot that gave no legal move: which, and why."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the bot {quote(name)} {why}")
        self.name = name
        self.why = why


def quote(text: object, most: int = 60) -> str:
    """A text as given, made safe to print: what does not print is escaped, what is long is cut."""
    shown = text if isinstance(text, str) else repr(text)
    if not shown.isprintable() or shown != shown.strip() or not shown:
        shown = repr(shown)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def listed(words: list[str]) -> str:
    """Words as a person lists them: "a", "a or b", "a, b or c"."""
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
