"""Positions for the tests of the Shock! referee: chosen hands as explicit deals."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import pytest

from theriac.games.shock.tests.referee import Anaphylaxis, Shock
from theriac.games.shock.tests.referee_common import Knights
from theriac.testing.enumeration import completed
from theriac.testing.referee import Game, Refused, in_given_order

K = TypeVar("K", bound=Knights)
SPECIAL = ["H7", "S7", "D7", "C5", "C7"]


def fresh(cls: type[K], players: int, **options: Any) -> K:
    return cls({"players": players, "first": 0, **options}, [], in_given_order)


def filled(hands: list[str], trump: str, cards: list[str], size: int) -> list[list[str]]:
    """Full hands. `H10 S4 | SD` begins with those cards and continues with spades and diamonds.

    The cards that fill a hand are poisons or potions only if nothing else is left, and seats with
    fewer suits to choose from choose first.
    """
    begun = [hand.partition("|")[0].split() for hand in hands]
    suits = [hand.partition("|")[2].strip() or "HSDC" for hand in hands]
    rest = [card for card in cards if card != trump and not any(card in hand for hand in begun)]
    rest.sort(key=lambda card: (card in SPECIAL, int(card[1:]) == 9))
    for seat in sorted(range(len(hands)), key=lambda seat: len(suits[seat])):
        while len(begun[seat]) < size:
            card = next(card for card in rest if card[0] in suits[seat])
            rest.remove(card)
            begun[seat].append(card)
    return begun


def deals(cls: type[Knights], hands: list[str], trump: str, chest: str, first: int = 0) -> Any:
    """The two deals of a first round with these hands, this trump and these chest cards first."""
    game = fresh(cls, len(hands))
    full = filled(hands, trump, game.numbers, game.hand_size())
    order = [
        full[(first + i) % len(hands)][turn]
        for turn in range(game.hand_size())
        for i in range(len(hands))
    ]
    return [
        completed([*order, trump], game.numbers),
        completed(chest.split(), game.chest_cards),
    ]


def table(
    cls: type[K], hands: list[str], trump: str, chest: str, first: int = 0, **options: Any
) -> K:
    """A game whose first round is dealt like that; later shuffles leave the cards in order."""
    given = {"players": len(hands), "first": first, **options}
    return cls(given, deals(cls, hands, trump, chest, first), in_given_order)


def play(game: Game, moves: str) -> None:
    for text in moves.split():
        game.play(text)


def clause(game: Game, text: str) -> str:
    before = copy.deepcopy(game.__dict__)
    with pytest.raises(Refused) as caught:
        game.play(text)
    assert game.__dict__ == before, "a refused move changed something"
    return caught.value.clause


def any_card(game: Knights, prefix: str = "") -> str:
    assert game.to_act is not None
    return prefix + game.hands[game.to_act][0]


def all_withdraw(game: Knights) -> None:
    """Everybody still in withdraws, which ends the round (SHK-36)."""
    before = game.round
    while game.round == before and not game.over:
        assert game.to_act is not None
        game.play(any_card(game, "w~" if game.in_round[game.to_act] else "~"))


EDITIONS: list[type[Knights]] = [Shock, Anaphylaxis]
