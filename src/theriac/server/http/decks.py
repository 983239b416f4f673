"""Checking decks: the cards of a game, and whether other cards can be played with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theriac.deck import Deck, load_deck, parse_deck, write_deck
from theriac.faults import BadDeck, quote
from theriac.game import Game
from theriac.server.http.bodies import DeckCheck, DeckContents, DeckFault


def deck_contents(game: Game) -> DeckContents:
    """The deck that comes with a game, with every mark that its cards can have."""
    marks = {mark: list(game.shipped.marks.get(mark, ())) for mark in game.text.marks}
    return DeckContents(dict(game.shipped.counts), marks)


def check_text(game: Game, source: str) -> DeckCheck:
    """Check a deck file."""
    try:
        return _check(game, *parse_deck(source))
    except BadDeck as fault:
        return _unreadable(fault)


def check_cards(game: Game, cards: Mapping[str, Any], marks: Mapping[str, Any]) -> DeckCheck:
    """Check a deck given as numbers of cards, and the cards that have each mark."""
    used_marks = {mark: cards for mark, cards in marks.items() if cards != []}
    try:
        return _check(game, *load_deck({"game": game.name, "cards": cards, "marks": used_marks}))
    except BadDeck as fault:
        return _unreadable(fault)


def _unreadable(fault: BadDeck) -> DeckCheck:
    """The check of a deck that cannot be read: it has no cards to show."""
    return DeckCheck([DeckFault(str(fault), fault.card)])


def _check(game: Game, name: str, deck: Deck) -> DeckCheck:
    if name != game.name:
        raise BadDeck(f"it is a deck of {quote(name)}, not of {game.name}")
    faults, remarks = game.check_deck(deck)
    own = deck != game.shipped
    return DeckCheck(
        [DeckFault(str(fault), fault.card) for fault in faults],
        remarks,
        [] if faults else game.playable_by(deck),
        deck.option(game.shipped) if own and not faults else None,
        dict(deck.counts),
        {mark: list(cards) for mark, cards in deck.marks.items()},
        None if faults else _text(game, deck, own),
    )


def _text(game: Game, deck: Deck, own: bool) -> str:
    """The deck file. The one that comes with the game has comments too."""
    if own:
        return write_deck(game.name, deck)
    return (game.folder / game.deck_file).read_text(encoding="utf-8")
