"""Shock!: imagined states are drawn uniformly from all that a view allows.

Decks are so small that all deals which fit what a seat has seen can be gone through one by one
(see `spectator`). Games are played into the second and third rounds, until other seats have cards
kept from the last round, may have shown such a card, could not follow a suit in this round and in
the last, and have played face down. How often each deal is imagined is compared with the even
share by a chi-square test; the random numbers are the same each time.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

import theriac
from theriac.engine.records import records
from theriac.game import find
from theriac.games.shock import imagine
from theriac.games.shock.tests.spectator import Deal, Knowledge, Spectator
from theriac.games.shock.tests.table_setting import KINDS, all_withdraw, own_deck, play
from theriac.match import Match

NUMBERS = {
    3: "H2 H3 H4 H5 S2 S3 S4 S5 D2 D3 D4 C2 C3",
    4: "H1 H2 H3 H4 S1 S2 S3 S4 D1 D2 D3 C1 C2",
    5: "H1 H2 H3 H4 S1 S2 S3 S4 D1 D2 D3 D4 C1 C2 C3 C4",
}
CHEST = "jellyfish jellyfish J1/0 J1/0 J1/0"
#: A p-value below this is not due to chance.
UNLIKELY = 1e-4


class Position(NamedTuple):
    """A game up to a decision: how many play, the seed, how many deals fit, and the moves."""

    players: int
    seed: int
    deals: int
    moves: str


#: In all of these, everything that can be known about another seat is known at once.
POSITIONS = [
    Position(3, 61, 376, "D3 w~H5 D2 stop C3 ~D4 H2 stop S2 ~C2 H4 open open S2 w~S4 D4 stop"),
    Position(3, 146, 232, "H2 H5 H3 open D3 S4 ~S3 S2 H3 S5 stop S4 D3 w~C3 stop H4 w~H2 ~C2 H4 D4 "
             "w~H2"),
    Position(3, 67, 192, "S4 w~S5 S2 stop C3 ~H4 D3 H5 D2 H3 open stop S2 w~S5 S3 open w~D3 H4 C3 "
             "stop"),
    Position(3, 103, 120, "w~S5 w~D2 C3 stop D3 H2 w~C3 stop S3 S4 ~H3 open open w~S5 ~D4 S2 H5 "
             "w~H4 C2"),
    Position(4, 9, 306, "H3 D1 w~D3 H2 w~D2 ~S3 C1 ~H4 open stop D2 H2 w~D1 D3 open stop H3 S3"),
    Position(4, 5, 384, "H3 H4 w~H1 C1 open D3 D2 ~D1 ~H2 C1 C2 S3 D3 open open H2 w~H1"),
    Position(4, 16, 288, "D3 H1 D1 w~S4 stop C2 S3 w~H3 ~D2 open open C2 D3 C1 H3 open S1 S3 D1 "
             "~H1 D2 S3 w~H1 C2 open open D1 w~S1 ~D3 S4"),
    Position(5, 2, 162, "w~C1 D3 w~S3 w~D4 C3 open open w~S2 ~H3 H1 ~S1 ~D2 open w~D1 w~C2 S1 S2 "
             "C3 stop H2 ~H1 ~H3 S4 H4 stop D4 D3"),
    Position(5, 0, 2136, "w~C4 S4 S2 w~H4 C2 open stop C3 S1 ~H2 D2 ~D3 stop D1 H3 ~S3 D4 ~C1 C2 "
             "w~H4 C1 w~H1 C4 open open H3 w~D2 ~H2 S2 ~S1 S2 C4 H1 S1 C1 open stop D2 w~S4 D3"),
]  # fmt: skip

#: In these, few cards can have been kept, so that most proposals are rejected.
TIGHT = [
    Position(3, 5, 2, "S2 S5 D4 open open C3 H2 S3 stop H3 C2"),
    Position(3, 55, 3, "C3 H2 H3 stop S5 w~H4 S4 S5 S3 S2 open open S4 C3 H2"),
    Position(3, 95, 2, "D2 w~D4 D3 open stop C3 C2 ~S3 S4 S5 S2 open H5 H3 H4 stop H2 C2 D2 open "
             "open D4"),
    Position(4, 21, 1, "S3 S4 S2 w~H2 open open C2 C1 ~H1 D3 open H3 H2 D2 S2 open open S3 S1 C1 "
             "H1"),
    Position(5, 15, 6, "w~H2 D4 C3 D3 w~D1 open open D3 C2 D1 D4 H1 stop H4 S3 S2"),
]  # fmt: skip


def watch(position: Position) -> Spectator:
    """Play a game up to a position, and remember what was seen."""
    deck = own_deck(NUMBERS[position.players], CHEST, jellyfish="H3")
    match = theriac.new(
        "shock",
        players=position.players,
        first=0,
        deck=deck,
        seed=bytes([position.seed, 0] * 16),
        speed="cpu",
    )
    spectator = Spectator(match)
    for move in position.moves.split():
        spectator.play(move)
    return spectator


def imagined(match: Match, viewer: int, n: int, stream: int = 0) -> Any:
    """States imagined by a seat."""
    engine = find("shock").engine("cpu")
    states = records(match.game.shape.state, n)
    chance = np.zeros(3, np.int64)
    engine.seed_stream(chance, 1, stream)
    engine.imagine_many(match.look(viewer), chance, states)
    return states


def count_deals(match: Match, viewer: int, states: Any) -> Counter[Deal]:
    """How often each deal of the other seats' cards is among these states."""
    names = match.settings.text.cards

    def cards(bits: int) -> frozenset[str]:
        return frozenset(names[i] for i in range(bits.bit_length()) if bits >> i & 1)

    seats = [seat for seat in range(match.players) if seat != viewer]
    columns = [states.hands[:, seats], states.buried[:, seats], states.kept_cards[:, seats]]
    rows, counts = np.unique(np.stack(columns, axis=2), axis=0, return_counts=True)
    found = Counter[Deal]()
    for row, n in zip(rows.tolist(), counts.tolist(), strict=True):
        found[tuple((cards(h), cards(b), cards(k)) for h, b, k in row)] = n
    return found


def p_value(found: Counter[Deal], deals: list[Deal]) -> float:
    """The probability that uniform draws differ this much from equal shares."""
    if len(deals) == 1:
        return 1.0
    return float(stats.chisquare([found[deal] for deal in deals]).pvalue)


def check_evenness(position: Position) -> Knowledge:
    """Imagine many states of a position, and compare them with all deals that fit."""
    spectator = watch(position)
    viewer = spectator.match.to_act
    assert viewer is not None
    knowledge = spectator.knowledge(viewer)
    deals = knowledge.deals()
    assert len(deals) == position.deals
    assert spectator.true_deal(viewer) in deals
    states = imagined(spectator.match, viewer, max(20_000, 30 * len(deals)))
    found = count_deals(spectator.match, viewer, states)
    assert set(found) <= set(deals), "a deal that cannot be"
    assert p_value(found, deals) > UNLIKELY
    return knowledge


@pytest.mark.parametrize("position", POSITIONS)
def test_all_deals_that_a_view_allows_are_imagined_equally_often(position: Position) -> None:
    others = check_evenness(position).others
    # What is known does exclude deals.
    assert any(other.without for other in others)
    assert any(other.without_before and other.kept for other in others)
    assert any(other.shown and other.kept for other in others)
    assert any(other.down for other in others)


@pytest.mark.parametrize("position", POSITIONS)
def test_dealing_card_by_card_would_not_be_even(position: Position) -> None:
    """The test above would notice it."""
    spectator = watch(position)
    assert spectator.match.to_act is not None
    knowledge = spectator.knowledge(spectator.match.to_act)
    rng = random.Random(1)
    found = Counter(knowledge.deal_card_by_card(rng) for _ in range(10_000))
    assert p_value(found, knowledge.deals()) < UNLIKELY**2


@pytest.mark.parametrize("position", TIGHT)
def test_a_try_that_comes_to_nothing_is_not_taken(position: Position) -> None:
    check_evenness(position)


def test_no_imagined_player_has_kept_a_card_that_the_viewer_played_face_down() -> None:
    spectator = watch(POSITIONS[4])
    viewer = spectator.match.to_act
    assert viewer is not None
    knowledge = spectator.knowledge(viewer)
    mine = spectator.last.buried[viewer] & set(knowledge.unseen)
    assert mine
    found = count_deals(spectator.match, viewer, imagined(spectator.match, viewer, 1000))
    held = {card for deal in found for hand, _, _ in deal for card in hand}
    kept = {card for deal in found for _, _, cards in deal for card in cards}
    assert mine & held
    assert not mine & kept


@pytest.mark.parametrize("position", [*POSITIONS, *TIGHT])
def test_an_imagined_state_looks_like_the_real_one(position: Position) -> None:
    match = watch(position).match
    seat = match.to_act
    assert seat is not None
    engine = find("shock").engine("cpu")
    view = match.look(seat).copy()
    for state in imagined(match, seat, 50):
        again = engine.view()
        engine.see(state, seat, again)
        for field in view.dtype.names:
            assert np.array_equal(view[field], again[field]), field
        assert state.shuffles.tolist() == match._g.shuffles.tolist()
        assert state.bags.tolist() == match._g.bags.tolist()
        held = [*state.hands.tolist(), *state.buried.tolist()]
        places = [int(state.seen), int(state.undealt), *held]
        assert sum(places) == state.numbers  # every number card is in one place
        assert [hand.bit_count() for hand in state.hands.tolist()] == state.sizes.tolist()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_proposal_is_more_likely_than_rejection_can_correct(players: int) -> None:
    """With all cards: a proposal is accepted with its probability over the maximum."""
    rng = random.Random(players)
    seed = bytes([players] * 32)
    match = theriac.new("shock", players=players, first=0, seed=seed, speed="cpu")
    chance = np.array([players, 2, 0], np.int64)
    tries = 0
    while not match.over:
        if rng.random() < 0.1:
            v, g = match.look(match.to_act), find("shock").engine("cpu").state()
            imagine.count_hidden(v, g)
            unseen = imagine.unseen_cards(v)
            most = imagine.most_chance(v, g, unseen)
            ratio = imagine.usual_ratio(v, g, unseen)
            for _ in range(5):
                assert 0 <= imagine.chance_of(v, chance, g, unseen, ratio) <= most * (1 + 1e-9)
                tries += 1
        face_up = [move for move in match.legal() if "~" not in move]
        match.play(rng.choice(face_up if face_up and rng.random() < 0.9 else match.legal()))
    assert tries > 20


# The lost door

DOORS = "jellyfish jellyfish spider spider bee J1"


def likely_lost(revealed: list[list[str]]) -> list[float]:
    """How likely each poison is the lost door, after the doors revealed in each round since: of
    all orders in which the doors left may have lain, those that begin so.
    """
    fitting = []
    for kind in KINDS:
        left = DOORS.split()
        left.remove(kind)
        ways = 1
        for seen in revealed:
            ways *= sum(list(order[: len(seen)]) == seen for order in permutations(left))
        fitting.append(ways)
    return [ways / sum(fitting) for ways in fitting]


@pytest.mark.clause("SHK-44")
def test_the_lost_door_is_imagined_as_likely_as_the_doors_seen_make_it() -> None:
    shown: set[tuple[float, ...]] = set()
    deck = own_deck("H2 H3 H4 S2 S3 S4 D2", DOORS)
    for seed in range(6):
        match = theriac.new(
            "anaphylaxis", players=3, first=0, deck=deck, seed=bytes([seed] * 32), speed="cpu"
        )
        revealed: dict[int, list[str]] = {number: [] for number in range(1, 6)}
        while not match.over:
            number, left = match.view()["round"], match.view()["table"]["chest_left"]
            if number > 2:
                check_lost_door(match, [revealed[i] for i in range(3, number + 1)], shown)
            doors = match.dealt[-1]
            play(match, next((m for m in match.legal() if "~" not in m), match.legal()[0]))
            now = match.view()
            if now["over"] or now["round"] > number or now["table"]["chest_left"] < left:
                revealed[number].append(doors[len(doors) - left])
    assert (1 / 3, 1 / 3, 1 / 3) in shown
    assert any(0 in odds for odds in shown)
    assert len(shown) > 5


def check_lost_door(match: Match, revealed: list[list[str]], shown: set[tuple[float, ...]]) -> None:
    """Compare what is imagined with how likely it is."""
    odds = likely_lost(revealed)
    if tuple(odds) in shown:
        return
    shown.add(tuple(odds))
    assert match.to_act is not None
    states = imagined(match, match.to_act, 20_000, len(shown))
    counts = [int((states.lost_door == kind).sum()) for kind in range(3)]
    assert sum(counts) == len(states)
    possible = [kind for kind in range(3) if odds[kind] > 0]
    assert all(counts[kind] == 0 for kind in range(3) if kind not in possible)
    expected = [odds[kind] * len(states) for kind in possible]
    if len(possible) > 1:
        assert stats.chisquare([counts[kind] for kind in possible], expected).pvalue > UNLIKELY
    # What is left to be revealed: all doors but the seen and the lost.
    left = Counter(DOORS.split())
    left.subtract(revealed[-1])
    for kind, name in enumerate(KINDS):
        lost = states.lost_door == kind
        assert (states.chest[:, kind] == left[name] - lost).all()


@pytest.mark.clause("SHK-44")
@pytest.mark.parametrize(("game", "rounds"), [("anaphylaxis", 2), ("shock", 5)])
def test_before_round_three_and_in_shock_no_door_is_imagined_lost(game: str, rounds: int) -> None:
    match = theriac.new(game, players=3, first=0, seed=bytes(32), speed="cpu")
    for number in range(1, rounds + 1):
        assert match.view()["round"] == number
        states = imagined(match, 0, 100)
        assert (states.lost_door == -1).all()
        assert (states.chest == match.look(0).chest_deck).all()
        all_withdraw(match)
