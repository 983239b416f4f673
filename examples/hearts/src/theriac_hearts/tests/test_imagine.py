"""Hearts: `imagine` gives every deal that a view allows, all equally likely, passed cards included.

What a view allows is found by enumeration, without the code of any view: the unseen cards are dealt
to the other seats in every way, and the referee plays the round again. A deal is possible if every
card was legal in it, the 2 of clubs was where it led, and the cards that the seat passed on were
with their receiver. (Which cards the others passed on rules nothing out: for each deal there are as
many ways to have passed.)
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from theriac.engine.records import records
from theriac.match import Match
from theriac_hearts.tests.referee import STEPS, Hearts
from theriac_hearts.tests.table_setting import GAME, deal_out

DECK = "C2 C5 C9 D3 D8 S2 SJ SQ SK H2 H5 H7 HJ HQ HK HA".split()
SAMPLES = 2000
#: SAMPLES are too few to compare more deals than this.
MOST_DEALS = 200
POSITIONS = 5

Hands = tuple[frozenset[str], ...]


def some_match(passing: str, random: Random) -> Match:
    """A game of four tricks, some moves after the passing."""
    options = {"players": 4, "first": 3, "target": 0, "passing": passing, "deck": DECK}
    match = Match(GAME, options, seed=random.randbytes(32))
    for _ in range((0 if passing == "none" else 12) + random.randrange(5, 11)):
        match.play(random.choice(match.legal()))
    return match


def possible(match: Match, seat: int, passing: str) -> list[Hands]:
    """The hands of all seats, in every deal that the seat cannot rule out."""
    moves = [move for move in match.moves if not move.startswith("~")]
    played = played_by(match, moves)
    hand = match.view(seat)["hand"]
    seen = {*hand, *moves}
    sizes = [0 if other == seat else match.view()["table"]["hands"][other] for other in range(4)]
    given = set(match.recall(seat)["passed"])
    receiver = (seat + STEPS[passing]) % 4 if given else None
    found = []
    for dealt in divide([card for card in DECK if card not in seen], sizes):
        hands = [set(hand) if other == seat else set(dealt[other]) for other in range(4)]
        before = [hands[other] | set(played[other]) for other in range(4)]
        if (receiver is None or given <= before[receiver]) and was_legal(before, moves):
            found.append(tuple(frozenset(cards) for cards in hands))
    return found


def played_by(match: Match, moves: list[str]) -> list[list[str]]:
    """The cards that each seat has played: the referee knows who was to act."""
    played: list[list[str]] = [[], [], [], []]
    again = Match(GAME, match.settings.given, seed=match.seed)
    for move in match.moves:
        if move in moves:
            assert again.to_act is not None
            played[again.to_act].append(move)
        again.play(move)
    return played


def divide(cards: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to deal the cards to seats that get these numbers of them."""
    if not sizes:
        yield []
        return
    for mine in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in mine]
        for others in divide(rest, sizes[1:]):
            yield [mine, *others]


def was_legal(hands: list[set[str]], moves: list[str]) -> bool:
    """Could the round have been played like this from these hands?"""
    options = {"players": 4, "first": 3, "passing": "none", "target": 0}
    order = deal_out([" ".join(sorted(hand)) for hand in hands], 3)
    referee = Hearts(options, [order], deck=DECK)
    for move in moves:
        if move not in referee.legal():
            return False
        referee.play(move)
    return True


def imagined(match: Match, seat: int) -> Any:
    """Many states imagined from the view of a seat."""
    engine = GAME.engine()
    states = records(GAME.shape.state, SAMPLES)
    chance = engine.chance()
    engine.seed_stream(chance.random, 7, seat)
    engine.imagine_many(match.look(seat), chance.random, states)
    return states


def names(cards: Any) -> frozenset[str]:
    text: Any = GAME.shipped_text
    return frozenset(text.names(cards))


def surprise(counts: list[int]) -> float:
    """The p-value of counts that should be equal."""
    return float(chisquare(counts).pvalue) if len(counts) > 1 else 1.0


@pytest.mark.clause("HEA-09")
@pytest.mark.parametrize("passing", ["none", "left", "across", "right"])
def test_all_deals_that_the_view_allows_are_equally_likely(passing: str) -> None:
    random = Random(passing)
    tested = 0
    while tested < POSITIONS:
        match = some_match(passing, random)
        seat = random.randrange(4)
        deals = possible(match, seat, passing)
        assert deals, "not even the true deal is possible"
        if len(deals) > MOST_DEALS:
            continue
        tested += 1
        found = Counter(tuple(map(names, g.hands)) for g in imagined(match, seat))
        assert set(found) <= set(deals), "this deal is ruled out"
        assert surprise([found[deal] for deal in deals]) > 1e-4, match.moves


@pytest.mark.clause("HEA-09")
@pytest.mark.parametrize("passing", ["left", "across", "right"])
def test_what_others_passed_on_is_any_three_cards_of_the_receiver(passing: str) -> None:
    match = some_match(passing, Random(f"passed {passing}"))
    step = STEPS[passing]
    seat = 1
    mine, received = (set(match.recall(seat)[key]) for key in ("passed", "received"))
    kept: Counter[tuple[int, int]] = Counter()
    for g in imagined(match, seat):
        for giver in range(4):
            receiver = (giver + step) % 4
            had = names(g.hands[receiver] | g.shown[receiver])
            passed = names(g.passed[giver])
            assert len(passed) == 3
            assert passed <= had
            if giver == seat:
                assert passed == mine
            elif receiver == seat:
                assert passed == received
            else:
                [other] = had - passed
                kept[giver, sorted(had).index(other)] += 1
    for giver in {giver for giver, _ in kept}:
        assert surprise([kept[giver, place] for place in range(4)]) > 1e-4


@pytest.mark.clause("HEA-09")
def test_cards_put_aside_are_imagined_too() -> None:
    """Seat 2 looks while seats 0 and 1 have chosen three cards of four: each unseen card is equally
    likely in every place.
    """
    options = {"players": 4, "first": 3, "target": 0, "passing": "left", "deck": DECK}
    match = Match(GAME, options, seed=bytes(32))
    for _ in range(7):
        match.play(match.legal()[0])
    mine = {*match.view(2)["hand"], *match.recall(2)["passed"]}
    unseen = sorted(set(DECK) - mine)
    places: Counter[tuple[str, str]] = Counter()
    for g in imagined(match, 2):
        piles = {f"hand {seat}": names(g.hands[seat]) for seat in (0, 1, 3)}
        piles |= {f"aside {seat}": names(g.passed[seat]) for seat in (0, 1, 3)}
        sizes = {place: len(cards) for place, cards in piles.items() if cards}
        assert sizes == {"hand 0": 1, "hand 1": 1, "hand 3": 4, "aside 0": 3, "aside 1": 3}
        places.update((place, card) for place, cards in piles.items() for card in cards)
    for place in sizes:
        assert surprise([places[place, card] for card in unseen]) > 1e-4


def test_who_shows_only_costly_cards_has_no_others() -> None:
    """HEA-13, HEA-14: a heart in the first trick, or led before hearts are broken, says it all."""
    hands = ["C2 C3 C4 D2", "H2 H3 H4 SQ", "C5 C6 D3 S2", "CA C7 S3 S4"]
    deck = sorted(" ".join(hands).split())
    options = {"players": 4, "first": 3, "target": 0, "passing": "none", "deck": deck}
    match = Match(GAME, options, deals=[deal_out(hands, 3)])
    match.play("C2")
    match.play("H2")
    for g in imagined(match, 2):
        assert names(g.hands[1]) <= {"H3", "H4", "SQ"}
    hands = ["C2 D2 H3", "CA H2 H4", "C3 D3 H5", "C4 D4 H6"]
    options["deck"] = sorted(" ".join(hands).split())
    match = Match(GAME, options, deals=[deal_out(hands, 3)])
    for move in ("C2", "CA", "C3", "C4", "H2"):
        match.play(move)
    for g in imagined(match, 2):
        assert all(card.startswith("H") for card in names(g.hands[1]))
