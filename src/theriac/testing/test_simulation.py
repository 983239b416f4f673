"""Simulated games: the same at both speeds, on any number of threads."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

import theriac
from theriac.engine.batch import Batch
from theriac.engine.contract import NOBODY
from theriac.game import Game
from theriac.testing.setups import Setup, only
from theriac.testing.walk import Choices, Walk

KEY = 12345


def played(setup: Setup, speed: Any, first: int, last: int) -> tuple[Walk, int]:
    """The last of several complete games, and the number of moves of all of them."""
    walk = Walk(setup, speed)
    options = setup.settings.options
    moves = walk.engine.play_games(walk.g, options, walk.chance, walk.moves, KEY, first, last)
    assert walk.g.to_act == NOBODY
    return walk, int(moves)


def visible(walk: Walk) -> list[Any]:
    """Everything that can be seen of a game; unused memory may differ."""
    return [walk.scores(), *(walk.see(seat) for seat in range(walk.players))]


def test_random_games_are_the_same_at_both_speeds(setup: Setup) -> None:
    slow, slow_moves = played(setup, "plain", 0, 2)
    fast, fast_moves = played(setup, "cpu", 0, 2)
    assert (slow_moves, slow.g.tobytes()) == (fast_moves, fast.g.tobytes())
    assert slow.chance.tobytes() == fast.chance.tobytes()


def test_a_game_is_the_same_whatever_was_played_before_it(setup: Setup) -> None:
    alone = [played(setup, "cpu", number, number + 1) for number in range(6)]
    for edges in ([0, 6], [0, 1, 6], [0, 2, 3, 6]):
        for first, last in pairwise(edges):
            walk, moves = played(setup, "cpu", first, last)
            assert visible(walk) == visible(alone[last - 1][0])
            assert moves == sum(made for _, made in alone[first:last])


def test_the_winners_share_one(setup: Setup) -> None:
    for number in range(20):
        walk, _ = played(setup, "cpu", number, number + 1)
        scores, results = walk.scores()
        if setup.game.together and not any(results):
            continue
        assert sum(results) == pytest.approx(1)
        assert len({share for share in results if share > 0}) == 1
        table_winners = {seat for seat, share in enumerate(results) if share > 0}
        assert len({scores[seat] for seat in table_winners}) == 1


@only(lambda setup: "lay_out" in setup.game.rules)
def test_what_is_laid_out_is_what_is_left(setup: Setup) -> None:
    """`lay_out` gives the cards whose odds are not 0, at any time, in ascending order."""
    choices = Choices([], 6)
    walk = Walk(setup.with_deck(choices.random), "cpu")
    while not walk.over:
        for pile in range(len(setup.game.shape.piles)):
            pack = np.zeros(setup.game.shape.pack, np.int16)
            n = setup.game.rules["lay_out"](walk.g, pile, pack)
            assert pack[:n].tolist() == walk.left_in(pile)
        options = walk.options()
        walk.take(options[choices.below(len(options))])


# Batches


def seen(batch: Batch) -> list[Any]:
    """The arrays of a batch."""
    arrays = (batch.to_act, batch.masks(), batch.observations(), batch.scores(), batch.results())
    return [array.tolist() for array in arrays]


def some_steps(batch: Batch, n: int) -> list[Any]:
    """Step through all games with a deterministic choice of legal actions."""
    found = [seen(batch)]
    for step in range(n):
        masks = batch.masks()
        actions = [choose(mask, 31 * step + i) for i, mask in enumerate(masks)]
        clauses = batch.step(actions)
        assert ((clauses == 0) == masks.any(axis=1)).all()
        found.append(seen(batch))
    return found


def choose(mask: Any, number: int) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[number % len(legal)]) if len(legal) else 0


def test_threads_change_nothing(game: Game) -> None:
    players = game.players[-1]
    made = []
    for threads in (1, 2, 5):
        batch = theriac.batch(game.name, 7, seed=3, threads=threads, players=players)
        steps = some_steps(batch, 20)
        made.append([steps, batch.play_out().tolist(), seen(batch)])
    assert made[0] == made[1] == made[2]


def test_a_batch_is_its_games_one_by_one(game: Game) -> None:
    """Stepping with random moves, playing out, and one game alone give the same results."""
    players = game.players[0]
    whole = theriac.batch(game.name, 6, seed=KEY, players=players)
    parts = [theriac.batch(game.name, 3, seed=KEY, players=players) for _ in range(2)]
    parts[1].reset(KEY, first=3)
    moves = whole.play_out().tolist()
    assert moves == [n for part in parts for n in part.play_out().tolist()]
    assert whole.scores().tolist() == [row for part in parts for row in part.scores().tolist()]
    setup = Setup(game, {"players": players, "first": 0})
    for number in range(6):
        walk, made = played(setup, "cpu", number, number + 1)
        assert (walk.scores()[0], made) == (whole.scores()[number].tolist(), moves[number])


def test_an_illegal_action_changes_nothing_in_its_game(game: Game) -> None:
    batch = theriac.batch(game.name, 4, seed=1, players=game.players[0])
    random = Random(1)
    for step in range(8):
        masks = batch.masks()
        actions = [choose(mask, step) for mask in masks]
        illegal = np.flatnonzero(masks[2] == 0).tolist()
        if not illegal:
            continue
        actions[2] = random.choice(illegal)
        over = batch.over.tolist()
        before = batch.states[2].tobytes()
        assert (batch.step(actions) > 0).tolist() == [over[0], over[1], True, over[3]]
        assert batch.states[2].tobytes() == before


@pytest.mark.parametrize(
    "actions", [[0, 0], [0, 0, -2], [0, 0, 10**6], [0.0, 0.0, 0.0], [[0, 0, 0]]]
)
def test_a_value_that_is_no_action_is_refused(game: Game, actions: Any) -> None:
    batch = theriac.batch(game.name, 3, players=game.players[0])
    with pytest.raises(ValueError, match="action"):
        batch.step(actions)
