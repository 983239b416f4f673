"""Decks: what the cards of a game show, as data.

A deck file is TOML::

    game = "poison"
    [provenance]
    counts = "rulebook"
    [cards]
    R1 = 3
    X = 8

`[cards]` has the number of copies of each card. For a deck of different cards, a line with braces
names many: ``"{C,D,S,H}{2..10,J,Q,K,A}" = 1`` is 52 cards, one of each suit and rank (see
`expand`). `[marks]`, in a game whose cards show more than their text, has for each mark the cards
that bear it. `[provenance]` has the source of each kind of fact: ``rulebook``, ``deduced`` from it,
``ruled`` where it contradicts itself, ``reconstructed``, or ``own`` for facts read off one's own
box.

`parse_deck` reads such a text, `write_deck` writes one.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theriac.faults import BadDeck, listed, quote

PROVENANCES = ("rulebook", "deduced", "ruled", "reconstructed", "own")
_KEYS = ("game", "provenance", "marks", "cards")
#: The longest line of a deck file, in characters.
_MAX_LINE = 1000
_MOST_CARDS = 1000
#: Cards that are named one by one where a deck differs from another.
_MOST_NAMED = 5
#: A part of a line of `[cards]`: a list in braces, or text without any.
_PART = re.compile(r"\{([^{}]*)\}|([^{}]+)")
_RANGE = re.compile(r"([0-9]{1,4})\.\.([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True)
class Deck:
    """The number of copies of each card text, in a fixed order, and the cards with each mark."""

    counts: Mapping[str, int]
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, cards: Iterable[str], marks: Mapping[str, Sequence[str]] | None = None) -> Deck:
        """The deck of a list of card texts."""
        counts: dict[str, int] = {}
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
        return cls(counts, marks or {})

    @classmethod
    def read(cls, option: Any, usual: Deck) -> Deck:
        """The deck in a record's option, with the marks of `usual` if it has none of its own.

        Raises `BadDeck`.
        """
        if not isinstance(option, dict):
            return cls.of(_texts(option), usual.marks)
        if set(option) != {"cards", "marks"}:
            raise BadDeck("a deck is a list of card texts, or an object with cards and marks")
        _check_marks(option["marks"])
        return cls.of(_texts(option["cards"]), option["marks"])

    def option(self, usual: Deck) -> Any:
        """The deck as a record's option: without marks if they are those of `usual`."""
        if self._has_marks_of(usual):
            return self.cards()
        return {"cards": self.cards(), "marks": dict(self.marks)}

    def differences(self, other: Deck) -> list[str]:
        """How another deck differs from this one: a few sentences."""
        cards = [
            card
            for card in {**self.counts, **other.counts}
            if self.counts.get(card, 0) != other.counts.get(card, 0)
        ]
        found = [
            f"{other.counts.get(card, 0)} {card} instead of {self.counts.get(card, 0)}"
            for card in cards[:_MOST_NAMED]
        ]
        if len(cards) > _MOST_NAMED:
            found.append(f"and so for {len(cards) - _MOST_NAMED} more cards")
        return found if self._has_marks_of(other) else [*found, "other marks"]

    def _has_marks_of(self, other: Deck) -> bool:
        mine, theirs = (
            {mark: sorted(cards) for mark, cards in deck.marks.items()} for deck in (self, other)
        )
        return mine == theirs

    def cards(self) -> list[str]:
        """Every card, copies next to each other."""
        return [card for card, n in self.counts.items() for _ in range(n)]

    def __len__(self) -> int:
        return sum(self.counts.values())


def read_deck(path: Path) -> tuple[str, Deck]:
    """The game and the deck in a file; raises `BadDeck`."""
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise BadDeck(f"{path}: cannot be read ({_reason(error)})") from None
    try:
        return parse_deck(source)
    except BadDeck as error:
        raise BadDeck(f"{path}: {error}") from None


def parse_deck(source: str) -> tuple[str, Deck]:
    """The game and the deck in a TOML text; raises `BadDeck`."""
    # The time that a key of many parts (a.a.a…) takes grows with the square of their number.
    if any(len(line) > _MAX_LINE for line in source.splitlines()):
        raise BadDeck(f"a line has more than {_MAX_LINE} characters: write a list in several lines")
    try:
        content = tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadDeck(
            f"not TOML: {quote(str(error), 120)}; theriac deck show prints a deck to copy"
        ) from None
    return load_deck(content)


def load_deck(content: Mapping[str, Any]) -> tuple[str, Deck]:
    """The game and the deck in the content of a deck file; raises `BadDeck`."""
    for key in content:
        if key not in _KEYS:
            raise BadDeck(f"unknown key {quote(key)}: use {listed(list(_KEYS))}")
    if "game" not in content:
        raise BadDeck('the game is missing: begin with a line such as game = "poison"')
    game = content["game"]
    if not isinstance(game, str):
        raise BadDeck(f'game: {_shown(game)} is not a text: write one, such as game = "poison"')
    _check_provenance(content.get("provenance", {}))
    _check_marks(content.get("marks", {}))
    return game, Deck(_counts(content.get("cards")), content.get("marks", {}))


def write_deck(game: str, deck: Deck) -> str:
    """A deck of one's own as a TOML text that `parse_deck` reads.

    >>> print(write_deck("poison", Deck({"R1": 3, "X": 8})))
    # The cards of one's own box.
    game = "poison"
    <BLANKLINE>
    [provenance]
    cards = "own"
    <BLANKLINE>
    [cards]
    "R1" = 3
    "X" = 8
    <BLANKLINE>
    """
    lines = ["# The cards of one's own box.", f"game = {_toml(game)}", ""]
    lines += ["[provenance]", 'cards = "own"', ""]
    if deck.marks:
        lines.append("[marks]")
        for mark, cards in deck.marks.items():
            lines.append(f"{_toml(mark)} = [{', '.join(map(_toml, cards))}]")
        lines.append("")
    lines += ["[cards]", *(f"{_toml(card)} = {n}" for card, n in deck.counts.items()), ""]
    return "\n".join(lines)


def _toml(text: str) -> str:
    """A TOML string: a JSON string, except that TOML also escapes one more control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "not UTF-8 text"


def _shown(value: Any) -> str:
    """A value as it is written in a deck file: a text in quotes."""
    if isinstance(value, dict):
        return "a table"
    return quote(_toml(value) if isinstance(value, str) else json.dumps(value, default=str))


def _check_provenance(provenance: Any) -> None:
    if not isinstance(provenance, dict):
        raise BadDeck("provenance must be a table: [provenance]")
    for fact, source in provenance.items():
        if source not in PROVENANCES:
            raise BadDeck(
                f"provenance of {quote(fact)}: {_shown(source)} is not one of "
                f"{listed(list(PROVENANCES))}"
            )


def _texts(cards: Any) -> list[str]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise BadDeck("a deck is a list of card texts")
    return cards


def _check_marks(marks: Any) -> None:
    if not isinstance(marks, dict):
        raise BadDeck("marks must be a table: [marks]")
    for mark, cards in marks.items():
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise BadDeck(f"mark {quote(mark)}: give a list of card texts")


def _counts(cards: Any) -> dict[str, int]:
    if cards is None or cards == {}:
        raise BadDeck("the cards are missing: a table [cards] with a line such as R1 = 3 for each")
    if not isinstance(cards, dict):
        raise BadDeck(
            f"cards: {_shown(cards)} is not a table: write [cards], with a line such as R1 = 3 for "
            f"each card"
        )
    counts: dict[str, int] = {}
    for pattern, n in cards.items():
        if type(n) is not int or not 0 <= n <= _MOST_CARDS:
            raise BadDeck(
                f"card {quote(pattern)}: {_shown(n)} is not a number of cards (0 to {_MOST_CARDS})",
                pattern,
            )
        for card in expand(pattern):
            if card in counts:
                raise BadDeck(f"card {quote(card)}: two lines of [cards] name it", card)
            counts[card] = n
    return {card: n for card, n in counts.items() if n > 0}


def expand(pattern: str) -> list[str]:
    """The cards that a line of `[cards]` names: braces list what can be in their place.

    The first braces change slowest. Raises `BadDeck`.

    >>> expand("{R,B}{1..3,X}")
    ['R1', 'R2', 'R3', 'RX', 'B1', 'B2', 'B3', 'BX']
    >>> expand("R1")
    ['R1']
    """
    if not {"{", "}"} & set(pattern):
        return [pattern]
    parts = list(_PART.finditer(pattern))
    if "".join(part[0] for part in parts) != pattern:
        raise BadDeck(
            f"cards {quote(pattern)}: the braces do not match; write them as in {{R,B}}{{1..7}}",
            pattern,
        )
    choices = [[part[0]] if part[1] is None else _choices(pattern, part[1]) for part in parts]
    different = math.prod(map(len, choices))
    if different > _MOST_CARDS:
        raise BadDeck(
            f"cards {quote(pattern)}: {different} different cards: at most {_MOST_CARDS}", pattern
        )
    return ["".join(choice) for choice in itertools.product(*choices)]


def _choices(pattern: str, listed_in: str) -> list[str]:
    """What a pair of braces lists: texts separated by commas, and ranges of numbers."""
    found: list[str] = []
    for item in listed_in.split(","):
        found += _items(pattern, item)
    for item, n in Counter(found).items():
        if n > 1:
            raise BadDeck(f"cards {quote(pattern)}: braces list {quote(item)} twice", pattern)
    return found


def _items(pattern: str, item: str) -> list[str]:
    """A text in braces, or the numbers of a range."""
    where = f"cards {quote(pattern)}: "
    if not item:
        raise BadDeck(f"{where}nothing is between two commas or braces: write a text", pattern)
    if item != item.strip():
        raise BadDeck(f"{where}leave out the spaces in braces", pattern)
    if ".." not in item:
        return [item]
    numbers = _RANGE.fullmatch(item)
    if not numbers:
        raise BadDeck(f"{where}{quote(item)} is not a range such as 2..10", pattern)
    first, last = int(numbers[1]), int(numbers[2])
    if first > last:
        raise BadDeck(f"{where}write {quote(item)} upwards: {last}..{first}", pattern)
    return [str(number) for number in range(first, last + 1)]
