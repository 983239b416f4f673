"""Knock, Knock! Dungeon!: the deck as the rules read it, and the options checked with it."""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck
from theriac.faults import BadDeck
from theriac.games.dungeon import rules
from theriac.games.dungeon.state import MOST_CARDS
from theriac.games.dungeon.text import DungeonText


def fill_options(options: Any, text: DungeonText) -> None:
    """KKD-01, KKD-02: the cards, what is on them, and how many are in the game at this level."""
    options.knight = text.knight
    for kind, face in enumerate(text.faces):
        options.corners[kind] = face.corners
        options.creature[kind] = face.tokens
        options.silent[kind] = face.silent
        options.chests[kind] = face.chests
        n = count_at(text, kind, int(options.level))
        if n > MOST_CARDS:
            card = text.kinds[kind]
            raise BadDeck(f"{n} cards {card}: a fort has room for {MOST_CARDS}", card)
        options.deck[kind] = n


def count_at(text: DungeonText, kind: int, level: int) -> int:
    """KKD-03, KKD-25: how many such cards are shuffled at a level; not the Black Knight."""
    face = text.faces[kind]
    in_game = face.level in (0, level) and not face.knight
    return text.deck.counts[text.kinds[kind]] if in_game else 0


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """Enough cards to deal, no more than a fort has room for, no spells outside the adventure.

    KKD-02, KKD-08, KKD-25.
    """
    cards = int(options.deck.sum())
    needed = int(options.players) * rules.hand_size(options) + 1
    if cards < needed:
        return f"option deck: {cards} cards beside the Black Knight, {needed} are dealt", 2
    if cards + 1 > MOST_CARDS:
        return f"option deck: {cards + 1} cards, but a fort has room for {MOST_CARDS}", 2
    if options.spells and options.level == 0:
        return "option spells: there are none outside the adventure (level 1 to 4)", 25
    return None
