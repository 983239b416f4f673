"""The exceptions for bad input, from a person or a program.

The text of each is one sentence: what was wrong, then what would be right. Whatever raises one of
them has changed nothing.
"""

from __future__ import annotations


class Fault(ValueError):
    """Bad input. Its text is a sentence for people."""


class Refused(Fault):
    """A move that is not legal: the move, why, and the clause of the rules that forbids it."""

    def __init__(self, move: str, why: str, clause: str) -> None:
        super().__init__(f"{quote(move)}: {why} ({clause})")
        self.move = move
        self.why = why
        self.clause = clause


class BadOption(Fault):
    """An option that the game does not have, or a value that the option does not take."""


class BadDeal(Fault):
    """A written shuffle that is missing, or has other cards than that shuffle."""


class NothingToDeal(Fault):
    """A game whose rules let nature act where no card is left."""

    def __init__(self, game: str, shuffled: bool = True) -> None:
        why = (
            "no card is left to deal: set to_act to a seat or NOBODY"
            if shuffled
            else "nothing was shuffled: count each shuffle, g.shuffles[g.pile] += 1"
        )
        super().__init__(f"{game}: nature is to act, but {why}")


class BadDeck(Fault):
    """A deck that cannot be played with; `card` is the card at fault, if it is one card."""

    def __init__(self, why: str, card: str | None = None) -> None:
        super().__init__(why)
        self.card = card


class BadRecord(Fault):
    """A game record that cannot be read."""


class BadBot(Fault):
    """A bot that gave no legal move: its name, and what it did."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the bot {quote(name)} {why}")
        self.name = name
        self.why = why


def quote(text: object, most: int = 60) -> str:
    """A text made safe to print: unprintable characters are escaped, and a long text is cut."""
    shown = text if isinstance(text, str) else repr(text)
    if not shown.isprintable() or shown != shown.strip() or not shown:
        shown = repr(shown)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def listed(words: list[str], last: str = "or") -> str:
    """Alternatives in a sentence: "a", "a or b", "a, b or c"; with another word for "or"."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
