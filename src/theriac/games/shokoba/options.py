"""Shokoba: the deck as the rules read it, and the options checked together with it."""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck
from theriac.faults import BadDeck
from theriac.games.shokoba.state import (
    CARDS,
    DIAMOND,
    FACE_UP,
    GEMS,
    HAND,
    HIGHEST,
    MOST_MOVES,
    NINE,
)
from theriac.games.shokoba.text import ShokobaText


def fill_options(options: Any, text: ShokobaText) -> None:
    """SHO-01: how many there are of each card."""
    if text.count_gem(DIAMOND) > 1:
        raise BadDeck(f"{text.count_gem(DIAMOND)} diamonds: at most 1")
    if len(text.deck) > CARDS:
        raise BadDeck(f"{len(text.deck)} cards: at most {CARDS}")
    if most_legal(text) > MOST_MOVES:
        raise BadDeck("too many different captures are possible; use fewer different cards")
    for card in range(CARDS):
        options.deck[card] = text.counts[card]


def most_legal(text: ShokobaText) -> int:
    """No more moves than this can be legal at once."""
    ways = [0] * (HIGHEST + 1)
    for captured in text.captures:
        ways[sum(card // GEMS + 1 for card in captured)] += 1
    most = sorted(ways[card // GEMS + 1] + 1 for card in range(CARDS) if text.counts[card])
    return sum(most[-NINE:])


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """SHO-02, SHO-06, SHO-08: what goes together."""
    players = int(options.players)
    if options.teams and players != 4:
        return f"option teams: needs 4 players, not {players}", 2
    if options.nine_cards and not options.teams:
        return "option nine_cards: is for teams only", 8
    if options.nine_cards and len(deck) != CARDS:
        return f"option deck: nine cards each need {CARDS} cards, not {len(deck)}", 8
    for hands in range(players if options.teams else 2, players + 1):  # fewer in a tie-break
        dealt = len(deck) - FACE_UP
        if dealt <= 0 or dealt % (HAND * hands):
            shares = f"{FACE_UP} for the table and {HAND} at a time for {hands} players"
            return f"option deck: {len(deck)} cards do not come out even: {shares}", 6
    return None
