"""Positions at a table of Shock! or its original edition, from the cards that a test is about.

Hands are given seat by seat, as many as there are players: ``"H10 S4 | SD"`` begins with those two
cards and is filled up with spades and diamonds, without the part after the bar with any suit. The
cards that fill hands are poisons and potions only if nothing else is left. Chest or door cards that
a test does not name are calm: the first two bring the winner of a trick two jewels each, and nobody
else anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import theriac
from theriac.faults import Refused
from theriac.match import Match

SUITS = "HSDC"
EDITIONS = ("shock", "anaphylaxis")
KINDS = ("jellyfish", "spider", "bee")

# SHK-01, SHK-02, SHK-04 and SHK-05, written again for the tests.
NUMBERS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 12)]
POISONS = {"H7": "jellyfish", "S7": "spider", "D7": "bee"}
POTIONS = ["C5", "C7"]
CHEST = [
    *(3 * ["J2/0"] + 3 * ["J3/0"] + 3 * ["J1/1"] + 4 * ["J2/1"] + 3 * ["J3/1"] + 2 * ["J4/1"]),
    *(2 * KINDS),
]
DOORS = ["J2", "J2", "J3", "J3", "J1", "J1", *(2 * KINDS)]
#: Where a test names no deal, the cards come from here.
SEED = bytes(32)


def chest_of(game: str) -> list[str]:
    """The chest or door cards of an edition, calm ones first."""
    return CHEST if game == "shock" else DOORS


def numbers_for(players: int) -> list[str]:
    """SHK-07, written again for the tests."""
    out = {3: ("1", "11"), 4: ("11",), 5: ()}[players]
    return [card for card in NUMBERS if card[1:] not in out]


def size_for(players: int) -> int:
    """SHK-08, written again for the tests."""
    return {3: 9, 4: 9, 5: 8}[players]


# Deals


def rest_of(cards: Iterable[str], used: Iterable[str]) -> list[str]:
    """The cards without the used ones, in their order."""
    left = Counter(cards)
    left.subtract(used)
    assert min(left.values(), default=0) >= 0, f"not there: {-left}"
    return list(left.elements())


def fill_hands(hands: Sequence[str], rest: list[str], sizes: Sequence[int]) -> list[list[str]]:
    """Full hands, filled from the rest of the cards; the hand with fewer suits is filled first."""
    full = [hand.partition("|")[0].split() for hand in hands]
    suits = [hand.partition("|")[2].strip() or SUITS for hand in hands]
    rest.sort(key=lambda card: (card in [*POISONS, *POTIONS], card[1:] == "9"))
    for seat in sorted(range(len(hands)), key=lambda seat: len(suits[seat])):
        assert len(full[seat]) <= sizes[seat], f"too many cards: {full[seat]}"
        while len(full[seat]) < sizes[seat]:
            card = next(card for card in rest if card[0] in suits[seat])
            rest.remove(card)
            full[seat].append(card)
    return full


def one_by_one(hands: Sequence[Sequence[str]], first: int) -> list[str]:
    """The cards of these hands in the order dealt: one to each in turn, except to full ones."""
    seats = [(first + i) % len(hands) for i in range(len(hands))]
    most = max(map(len, hands))
    return [hands[seat][i] for i in range(most) for seat in seats if i < len(hands[seat])]


def number_deal(
    hands: Sequence[str], trump: str, first: int, kept: Sequence[Sequence[str]] = ()
) -> list[str]:
    """The number cards of a round as dealt, beside the cards kept from the last round."""
    players = len(hands)
    kept = kept or [[]] * players
    named = [card for hand in hands for card in hand.partition("|")[0].split()]
    held = [card for hand in kept for card in hand]
    rest = rest_of(numbers_for(players), [*named, *held, trump])
    sizes = [size_for(players) - len(cards) for cards in kept]
    full = fill_hands(hands, rest, sizes)
    return [*one_by_one(full, first), trump, *rest]


def chest_deal(game: str, chest: str, lost: str = "") -> list[str]:
    """The chest or door cards as shuffled: these first; one that is lost is not there."""
    first = chest.split()
    return [*first, *rest_of(chest_of(game), [*first, *lost.split()])]


# Tables


def sit(
    game: str,
    hands: Sequence[str],
    trump: str = "D2",
    chest: str = "",
    *,
    first: int = 0,
    **options: Any,
) -> Match:
    """A game whose first round gives these hands, this trump and these chest or door cards."""
    deals = [number_deal(hands, trump, first), chest_deal(game, chest)]
    return theriac.new(game, players=len(hands), first=first, deals=deals, seed=SEED, **options)


def sit_anyhow(game: str, players: int = 3, first: int = 0, **options: Any) -> Match:
    """A game in which the cards do not matter."""
    return theriac.new(game, players=players, first=first, seed=SEED, **options)


def into_next_round(
    match: Match,
    last: str,
    hands: Sequence[str],
    trump: str,
    chest: str = "",
    *,
    leader: int,
    lost: str = "",
) -> Match:
    """The same game after the move that ends a round, with these cards in the next.

    `leader` is who leads the next round, and `lost` the door that leaves the game before it, or
    has left it.
    """
    kept = hands_held(match)
    assert match.to_act is not None
    if "~" in last:
        kept[match.to_act].remove(last.lstrip("w~"))
    if match.settings.given.get("simplified"):
        kept = [[] for _ in kept]
    deals = list(match.dealt)
    game = match.game.name
    if game == "anaphylaxis" and match.view()["round"] == 2:
        deals.append([lost, *rest_of(KINDS, [lost])])
    deals += [number_deal(hands, trump, leader, kept), chest_deal(game, chest, lost)]
    again = theriac.new(game, deals=deals, seed=SEED, **match.settings.given)
    play(again, " ".join([*match.moves, last]))
    assert again.view()["table"]["leader"] == leader
    return again


# Playing


def play(match: Match, moves: str) -> None:
    """Play some moves, one after another."""
    for move in moves.split():
        match.play(move)


def play_tricks(match: Match, *tricks: str) -> None:
    """Play some tricks, opening no more of the chest than must be."""
    for trick in tricks:
        play(match, trick)
        if "stop" in match.legal():
            match.play("stop")


def all_withdraw(match: Match) -> None:
    """Everybody still in withdraws, which ends the round."""
    before = match.view()["round"]
    while not match.over and match.view()["round"] == before:
        match.play(next(move for move in match.legal() if "~" in move))


def last_round(
    game: str,
    hands: Sequence[str] = ("", "", ""),
    trump: str = "D2",
    chest: str = "",
    *,
    lost: str = "bee",
    **options: Any,
) -> Match:
    """The beginning of round 5, with these hands; nobody has won anything yet.

    In each round before it everybody withdraws at once, and gets back the card that it played.
    """
    deal = number_deal(hands, trump, 0)
    away, same = deal[: len(hands)], deal[size_for(len(hands)) * len(hands) :]
    again = deal if options.get("simplified") else [*away, *same]
    deals: list[list[str]] = []
    for number in range(1, 6):
        gone = lost if game == "anaphylaxis" and number > 2 else ""
        if gone and number == 3:
            deals.append([lost, *rest_of(KINDS, [lost])])
        deals += [deal if number == 1 else again, chest_deal(game, chest, gone)]
    match = theriac.new(game, players=len(hands), first=0, deals=deals, **options)
    play(match, 4 * " ".join(["", *(f"w~{card}" for card in away)]))
    assert (match.view()["round"], scores(match)) == (5, [0] * len(hands))
    return match


# Reading the position


def shown(match: Match, key: str) -> Any:
    """A public part of the position, such as "front" or "on_bag"."""
    return match.view()["table"][key]


def scores(match: Match) -> list[int]:
    """The contents of the bags."""
    shown: list[int] = match.view()["scores"]
    return shown


def hands_held(match: Match) -> list[list[str]]:
    """All hands."""
    return [match.view(seat)["hand"] for seat in range(match.players)]


def refusal(match: Match, move: str) -> str:
    """The refusal of an illegal move, which must change nothing."""
    before = match.view()
    with pytest.raises(Refused) as refused:
        match.play(move)
    assert match.view() == before
    return str(refused.value)


def refusing_clause(match: Match, move: str) -> str:
    """The clause that refuses a move."""
    with pytest.raises(Refused) as refused:
        match.play(move)
    return refused.value.clause


def own_deck(numbers: str, chest: str, **marks: str) -> dict[str, Any]:
    """A deck of these number and chest cards, with marks such as jewel="H2 H4"."""
    bearers = {mark: cards.split() for mark, cards in marks.items()}
    return {"cards": [*numbers.split(), *chest.split()], "marks": bearers}
