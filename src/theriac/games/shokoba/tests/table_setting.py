"""Positions at a table of Shokoba, from the few cards that a test is about.

Hands are given by seat, ``{1: "S4 E7 R10"}``, and cards as they are written in moves. What a test
does not name is filled up with the rest of the deck, so that every deal holds all 40 cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import theriac
from theriac.faults import Refused
from theriac.games.shokoba.state import GEMS, NONE, SEATS
from theriac.games.shokoba.text import LETTERS
from theriac.match import Match

#: SHO-01, written down once more.
DECK = [
    *(3 * ["S1", "S2", "S3", "S4", "S5", "S6", "S8", "S9", "S10"]),
    *("R1", "R2", "R3", "R4", "R5", "R6", "R8", "R9", "R10"),
    *("E7", "E7", "E7", "D7"),
]
#: Where a test names no deal, the cards come from here.
SEED = bytes(32)

Hands = Mapping[int, str]


def a_deal(
    *hands: Hands,
    face_up: str = "",
    dealer: int = 0,
    seats: Iterable[int] = (0, 1),
    each: int = 3,
) -> list[str]:
    """All 40 cards in the order they are dealt, so that the seats get these hands, one after
    another, and these cards lie face up.
    """
    seats = sorted(seats)
    order = [seat for seat in seats if seat > dealer] + [seat for seat in seats if seat <= dealer]
    named = [{seat: hand.get(seat, "").split() for seat in order} for hand in hands or ({},)]
    lying = face_up.split()
    rest = Counter(DECK)
    rest.subtract([card for hand in named for row in hand.values() for card in row] + lying)
    assert min(rest.values()) >= 0, f"named too often: {-rest}"
    spare = list(rest.elements())
    first, *later = [[filled(row, each, spare) for row in hand.values()] for hand in named]
    return [
        *one_by_one(first),
        *filled(lying, 4, spare),
        *(card for hand in later for card in one_by_one(hand)),
        *spare,
    ]


def one_by_one(hands: Sequence[Sequence[str]]) -> list[str]:
    """The cards of these hands in the order dealt: one to each hand in turn."""
    return [card for cards in zip(*hands, strict=True) for card in cards]


def filled(cards: Sequence[str], size: int, spare: list[str]) -> list[str]:
    """These cards, and spare ones up to this size."""
    assert len(cards) <= size, f"more than {size} cards: {cards}"
    return [*cards, *(spare.pop() for _ in range(size - len(cards)))]


def sit(
    *hands: Hands, face_up: str = "", players: int = 2, first: int = 0, **options: Any
) -> Match:
    """A game whose first deal gives these hands, one after another, and these cards face up."""
    deal = a_deal(
        *hands,
        face_up=face_up,
        dealer=first,
        seats=range(players),
        each=9 if options.get("nine_cards") else 3,
    )
    deals = [deal, *options.pop("next_deals", [])]
    return theriac.new("shokoba", players=players, first=first, deals=deals, seed=SEED, **options)


def play(match: Match, moves: str) -> None:
    """Play some moves, one after another."""
    for move in moves.split():
        match.play(move)


def play_any(match: Match, moves: int) -> None:
    """Play this many moves, any legal ones."""
    for _ in range(moves):
        match.play(match.legal()[0])


def lay_any(match: Match, cards: int) -> None:
    """Play several hand cards without capturing, with `oversights`; nobody claims anything."""
    for _ in range(cards):
        match.play(next(move for move in match.legal() if "=" not in move))
        if "pass" in match.legal():
            match.play("pass")


def last_cards(
    hands: Hands,
    face_up: str = "",
    *,
    piles: Sequence[str],
    gems: Sequence[int] = (),
    last_capture: int = 0,
    players: int = 2,
    first: int = 0,
    **options: Any,
) -> Match:
    """The end of a first round, with only these cards left to play.

    Piles are what has been captured, such as "12S 4R 1E 1D", and gems what has been won: for each
    seat, in teams for each team. All that lies about makes up the 40 cards.
    """
    match = sit(players=players, first=first, **options)
    put_last_cards(match, hands, face_up, piles=piles, gems=gems, last_capture=last_capture)
    return match


def put_last_cards(
    match: Match,
    hands: Hands,
    face_up: str = "",
    *,
    piles: Sequence[str],
    gems: Sequence[int] = (),
    last_capture: int = 0,
) -> None:
    """Leave only these cards of the round in progress, see `last_cards`."""
    numbers = match.text.numbers()
    held = {seat: [numbers[card] for card in cards.split()] for seat, cards in hands.items()}
    in_hands = [card for row in held.values() for card in row]
    lying = [numbers[card] for card in face_up.split()]
    g = match._g
    g.pack[:] = 0
    g.left = 0
    g.got[:] = 0
    for side, pile in enumerate(piles):
        g.got[side] = [count(pile, gem) for gem in LETTERS]
    g.captured[:] = g.got.sum(axis=1)
    for seat in range(SEATS):
        row = sorted(held.get(seat, []))
        g.hands[seat, : len(row)] = row
        g.sizes[seat] = len(row)
    g.table[: len(lying)] = lying
    g.row[: len(lying)] = sorted(lying)
    g.on_table = g.row_size = len(lying)
    g.seen[:] = g.deck
    np.subtract.at(g.seen, in_hands, 1)
    g.laid = NONE
    g.last_capture = last_capture
    g.gems[: len(gems)] = gems
    g.to_act = next_to_play(match, held)
    cards = Counter(card % GEMS for card in in_hands + lying)
    everything = [int(g.got[:, gem].sum()) + cards[gem] for gem in range(GEMS)]
    assert everything == [27, 9, 3, 1], f"not the 40 cards: {everything}"


def ended_round(piles: Sequence[str], *, players: int = 2, first: int = 0, **options: Any) -> Match:
    """A game whose first round has just ended with these piles.

    The last card is an S1 that the dealer lays; it goes to the first pile, whose side has captured
    last.
    """
    before = [f"{count(piles[0], gem) - (gem == 'S')}{gem}" for gem in LETTERS]
    match = last_cards(
        {first: "S1"}, piles=[" ".join(before), *piles[1:]], players=players, first=first, **options
    )
    play(match, "S1")
    return match


def count(pile: str, gem: str) -> int:
    """How many cards of a gem are in a pile such as "12S 4R 1E 1D"."""
    return sum(int(part[:-1]) for part in pile.split() if part[-1] == gem)


def next_to_play(match: Match, held: Mapping[int, list[int]]) -> int:
    """Of the seats with the most cards, the first to the dealer's left."""
    dealer = int(match._g.dealer)
    most = max(map(len, held.values()))
    seats = [(dealer + 1 + i) % match.players for i in range(match.players)]
    return next(seat for seat in seats if len(held.get(seat, [])) == most)


def shown(match: Match, key: str) -> Any:
    """One of the things that all can see on the table, such as "open" or "captured"."""
    return match.view()["table"][key]


def scores(match: Match) -> list[int]:
    """The gems that each seat shows."""
    shown: list[int] = match.view()["scores"]
    return shown


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
