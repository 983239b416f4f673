"""Poison: the deck as the rules read it, and the options checked together with it."""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck
from theriac.faults import BadDeck
from theriac.games.poison.state import MOST_CARDS
from theriac.games.poison.text import PoisonText


def fill_options(options: Any, text: PoisonText) -> None:
    """POI-01: how many there are of each card, and its value."""
    if len(text.deck) > MOST_CARDS:
        raise BadDeck(f"{len(text.deck)} cards: at most {MOST_CARDS}")
    for number, card in enumerate(text.cards):
        options.deck[number] = text.deck.counts.get(card, 0)
        options.values[number] = text.values[number]


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """POI-05: every hand dealt gets a card."""
    hands = 4 if options.players == 3 else int(options.players)
    if len(deck) < hands:
        return f"option deck: {hands} hands need at least {hands} cards, not {len(deck)}", 5
    return None
