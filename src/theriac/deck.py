"""Decks: what the cards of a game show, as data.

A deck file is TOML::

    game = "poison"
    [provenance]
    counts = "rulebook"
    [cards]
    R1 = 3
    X = 8

`[cards]` says how many there are of each card; `[provenance]` says where each kind of fact comes
from: ``rulebook``, ``deduced`` from it, ``reconstructed``, or ``own`` for facts read off one's own
box. A deck that passes through `Game.deck` can be played with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theriac.faults import BadDeck, listed, quote

PROVENANCES = ("rulebook", "deduced", "reconstructed", "own")
_KEYS = ("game", "provenance", "cards")
_MOST_CARDS = 1000


@dataclass(frozen=True)
class Deck:
    """How many there are of each card text, in a fixed order."""

    counts: Mapping[str, int]

    @classmethod
    def of(cls, cards: Iterable[str]) -> Deck:
        """The deck of a list of card texts."""
        counts: dict[str, int] = {}
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
        return cls(counts)

    def cards(self) -> list[str]:
        """Every card, alike ones one after another."""
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
    try:
        content = tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadDeck(f"not TOML: {quote(str(error), 120)}") from None
    for key in content:
        if key not in _KEYS:
            raise BadDeck(f"no key {quote(key)} is known here: use {listed(list(_KEYS))}")
    game = content.get("game")
    if not isinstance(game, str):
        raise BadDeck('the game is missing: begin with a line such as game = "poison"')
    _check_provenance(content.get("provenance", {}))
    return game, Deck(_counts(content.get("cards")))


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "not UTF-8 text"


def _check_provenance(provenance: Any) -> None:
    if not isinstance(provenance, dict):
        raise BadDeck("provenance must be a table: [provenance]")
    for fact, source in provenance.items():
        if source not in PROVENANCES:
            raise BadDeck(
                f"provenance of {quote(fact)}: {quote(source)} is not one of "
                f"{listed(list(PROVENANCES))}"
            )


def _counts(cards: Any) -> dict[str, int]:
    if not isinstance(cards, dict) or not cards:
        raise BadDeck("the cards are missing: a table [cards] with a line such as R1 = 3 for each")
    for card, n in cards.items():
        if type(n) is not int or not 0 <= n <= _MOST_CARDS:
            raise BadDeck(
                f"card {quote(card)}: {quote(n)} is not a number of cards (0 to {_MOST_CARDS})"
            )
    return {card: n for card, n in cards.items() if n > 0}
