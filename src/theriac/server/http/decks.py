"""Decks over HTTP: the cards of a game, and whether those of one's own box can be played with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theriac.deck import Deck, load_deck, parse_deck, write_deck
from theriac.faults import BadDeck, quote
from theriac.game import Game
from theriac.server.http.bodies import DeckCheck, DeckContents, DeckFault


def tell(game: Game) -> DeckContents:
    """The deck that comes with a game, with every mark that a card of it can bear."""
    marks = {mark: list(game.shipped.marks.get(mark, ())) for mark in game.text.marks}
    return DeckContents(dict(game.shipped.counts), marks)


def check_text(game: Game, source: str) -> DeckCheck:
    """Look at a deck file."""
    try:
        return _check(game, *parse_deck(source))
    except BadDeck as fault:
        return _refuse(fault)


def check_cards(game: Game, cards: Mapping[str, Any], marks: Mapping[str, Any]) -> DeckCheck:
    """Look at the same as numbers of cards, and the cards that bear each mark."""
    borne = {mark: bearers for mark, bearers in marks.items() if bearers != []}
    try:
        return _check(game, *load_deck({"game": game.name, "cards": cards, "marks": borne}))
    except BadDeck as fault:
        return _refuse(fault)


def _refuse(fault: BadDeck) -> DeckCheck:
    """What cannot be read has no cards to show."""
    return DeckCheck([DeckFault(str(fault), fault.card)])


def _check(game: Game, name: str, deck: Deck) -> DeckCheck:
    if name != game.name:
        raise BadDeck(f"it is a deck of {quote(name)}, not of {game.name}")
    faults, remarks = game.check_deck(deck)
    told = [DeckFault(str(fault), fault.card) for fault in faults]
    own = deck != game.shipped
    return DeckCheck(
        told,
        remarks,
        [] if faults else game.playable_by(deck),
        deck.option(game.shipped) if own and not faults else None,
        dict(deck.counts),
        {mark: list(cards) for mark, cards in deck.marks.items()},
        None if faults else _text(game, deck, own),
    )


def _text(game: Game, deck: Deck, own: bool) -> str:
    """The deck file: the one that comes with the game says more of the same cards."""
    if own:
        return write_deck(game.name, deck)
    return (game.folder / game.deck_file).read_text(encoding="utf-8")
