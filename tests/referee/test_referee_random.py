"""Tests of the referee itself: random play under every option, and the enumerations."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from . import poison
from .base import Game
from .enumerate import count_tree, count_tree_with_chance
from .helpers import in_given_order, seeded
from .poison import Poison
from .shokoba import Shokoba

# --- random play --------------------------------------------------------------------------------


def check_common(game: Game, rng: random.Random) -> None:
    state = game.state()
    legal = state["legal"]
    assert legal == sorted(set(legal))
    assert bool(legal) is not state["over"]
    for text in legal:
        assert game.refusal(text) is None
    cards = game.deck
    tries = [rng.choice(cards), rng.choice(cards) + "!", "pass"]
    tries += [f"{rng.choice(cards)}@{rng.choice('123')}"]
    tries += [f"{rng.choice([*cards, 'claim'])}={rng.choice(cards)}"]
    tries += [f"{rng.choice([*cards, 'claim'])}={rng.choice(cards)}+{rng.choice(cards)}"]
    for text in tries:
        assert (game.refusal(text) is None) == (text in legal), text
    for seat in range(game.players):
        view = game.seat_state(seat)
        assert view["legal"] == (legal if seat == state["to_act"] else [])
        assert len(view["hand"]) == state["table"]["hands"][seat]
        assert {key: view[key] for key in state if key != "legal"} == {
            key: state[key] for key in state if key != "legal"
        }


def play_on(game: Game, rng: random.Random) -> None:
    game.play(rng.choice(game.legal()))


@pytest.mark.parametrize("open_piles", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_poison(players: int, open_piles: bool) -> None:
    """Cards are conserved, sums stay at most 13, the game has players rounds (POI-20)."""
    for seed in range(30):
        rng = random.Random(seed)
        options = {"players": players, "first": seed % players, "open_piles": open_piles}
        game = Poison(options, [], seeded(seed))
        moves = 0
        while True:
            check_common(game, rng)
            table = game.table()
            lying = sum(len(cauldron) for cauldron in table["cauldrons"])
            out = 12 if players == 3 else 0
            assert lying + sum(table["taken"]) + sum(table["hands"]) + out == 50
            assert max(table["sums"]) <= 13
            assert ("piles" in table) is open_piles
            colours = [c for c in map(poison.colour_of, table["cauldrons"]) if c is not None]
            assert len(colours) == len(set(colours))  # POI-08
            for cauldron in table["cauldrons"]:
                assert len({card[0] for card in cauldron} - {"X"}) <= 1
            if game.over:
                break
            play_on(game, rng)
            moves += 1
        assert moves == players * (38 if players == 3 else 50)
        assert game.winners == [s for s in range(players) if game.totals[s] == min(game.totals)]


SHOKOBA_OPTIONS = [
    {
        "players": players,
        "teams": teams,
        "nine_cards": nine,
        "target": target,
        "exact_first": exact,
        "finish": finish,
        "oversights": oversights,
    }
    for (players, teams, nine), target, exact, finish, oversights in itertools.product(
        [
            (2, False, False),
            (3, False, False),
            (4, False, False),
            (4, True, False),
            (4, True, True),
        ],
        (11, 16, 21),
        (False, True),
        ("at_once", "after_round"),
        (False, True),
    )
]


def check_shokoba(game: Shokoba) -> None:
    table = game.table()
    everything = [*game.pile, *game.open]
    for seat in range(game.players):
        everything += [*game.hands[seat], *game.captured[seat]]
    assert Counter(everything) == Counter(game.deck)
    assert (table["last_capture"] is None) == (sum(table["captured"]) == 0)
    for seat in range(game.players):
        if seat not in game.playing:
            assert table["hands"][seat] == table["captured"][seat] == table["shokobas"][seat] == 0
    if game.options["teams"]:
        for shown in (table["captured"], game.scores()):
            assert shown[0] == shown[2] and shown[1] == shown[3]
    if not game.over:
        assert game.to_act in game.playing
        assert game.missed is not None or any(game.hands)
        if game.options["finish"] == "at_once" and not game.tie_break:
            assert max(game.gems) < game.options["target"]
    else:
        best = max(game.scores())
        assert best >= game.options["target"]
        assert game.winners == [s for s in range(game.players) if game.scores()[s] == best]
        assert len(game.winners) == (2 if game.options["teams"] else 1)


@pytest.mark.parametrize("options", SHOKOBA_OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_random_shokoba(options: dict[str, Any]) -> None:
    """Cards are conserved, the target ends the game, ties are broken (SHO-21, SHO-22, SHO-23)."""
    for seed in range(2):
        rng = random.Random(seed)
        full = {**options, "first": seed % options["players"]}
        game = Shokoba(full, [], seeded(seed))
        while True:
            check_common(game, rng)
            check_shokoba(game)
            if game.over:
                break
            play_on(game, rng)


# --- enumeration --------------------------------------------------------------------------------


def tiny_poison(cards: list[str]) -> Callable[[list[list[str]]], Game]:
    def make(deals: list[list[str]]) -> Game:
        return Poison({"players": 3, "first": 0}, deals, in_given_order, deck=cards)

    return make


def test_count_poison() -> None:
    """Three players, four cards: one each, and one taken out (POI-06)."""
    four = ["X"] * 4
    assert count_tree(lambda: tiny_poison(four)([four]), 3) == [1, 3, 9, 27]
    assert count_tree_with_chance(tiny_poison(four), four, 8) == [1, 1, 1, 1, 1, 3, 9, 27, 27]
    one = ["R1", "X", "X", "X"]
    assert count_tree_with_chance(tiny_poison(one), one, 7) == [1, 2, 3, 4, 4, 12, 36, 108]
    # The whole game is three rounds of four draws and three moves, and then it is over.
    whole = count_tree_with_chance(tiny_poison(["X"]), ["X"], 7)
    assert whole == [1, 1, 3, 3, 9, 9, 27, 0]


def test_chance_agrees_with_all_deals() -> None:
    """Below a round's deal the tree is the sum of the fixed-deal trees of all distinct deals."""
    cards = ["R1", "R7", "B7", "X", "X"]
    deals = sorted(set(itertools.permutations(cards)))
    tree = count_tree_with_chance(tiny_poison(cards), cards, 8)
    sums = [0] * 4
    for deal in deals:
        counts = count_tree(partial(tiny_poison(cards), [list(deal)]), 3)
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
    assert tree[5:] == sums
    assert tree[5] == len(deals) == 60


def test_count_shokoba() -> None:
    """Cards alike leave one move; two deals of hands: draws lie between the moves (SHO-06)."""
    cards = ["S10"] * 16

    def make(deals: list[list[str]]) -> Game:
        return Shokoba({"players": 2, "first": 0}, deals, in_given_order, deck=cards)

    assert count_tree(lambda: make([cards]), 12) == [1] * 13
    assert count_tree_with_chance(make, cards, 30) == [1] * 31

    mixed = ["S1", "S2"] + ["S10"] * 9  # eleven: the last is dealt alone, after the first hands

    def make_mixed(deals: list[list[str]]) -> Game:
        return Shokoba({"players": 2, "first": 0}, deals, in_given_order, deck=mixed)

    # Depth 10: ten drawn of eleven, S1 and S2 each at one of ten places or not yet drawn.
    tree = count_tree_with_chance(make_mixed, mixed, 10)
    assert tree[:4] == [1, 3, 7, 13]
    assert tree[10] == 10 * 9 + 10 + 10
