"""Knock, Knock! Dungeon!: the heuristics of its bots."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from theriac.engine.bot_loops import GREEDY_BOT
from theriac.engine.records import records
from theriac.game import find
from theriac.games.dungeon.bots import advise
from theriac.games.dungeon.rules import play
from theriac.games.dungeon.state import LOST, UNDECIDED, WON
from theriac.games.dungeon.weights import LOST as WORTH_OF_LOSING
from theriac.games.dungeon.weights import WON as WORTH_OF_WINNING

GAME = find("dungeon")
ENGINE = GAME.engine()
#: Clauses by which a card loses the game at once.
AT_ONCE = (12, 15, 17)


def options(players: int, **more: Any) -> Any:
    return GAME.settings({"players": players, "first": 0, "minutes": 0, **more}).options


def greedy_wins(players: int, games: int, **more: Any) -> int:
    """The games that a team of greedy bots wins."""
    states, chances = records(GAME.shape.state, 1), records(GAME.shape.chance, 1)
    streams = np.zeros((1, 3), np.int64)
    bots = np.full(GAME.shape.players, GREEDY_BOT, np.uint8)
    won = 0
    for number in range(games):
        ENGINE.start_game(states[0], options(players, **more), chances[0], 1, number)
        ENGINE.seed_stream(streams[0], 2, number)
        ENGINE.play_bots_all(states, chances, streams, bots, ENGINE.view(), ENGINE.moves(), 0, 1)
        won += int(states[0].outcome == WON)
    return won


@pytest.mark.parametrize(
    ("players", "least"), [(1, 60), (2, 90), (3, 90), (4, 90), (5, 90), (6, 90)]
)
def test_a_greedy_team_wins_most_forts(players: int, least: int) -> None:
    assert greedy_wins(players, 100) >= least


def test_a_greedy_team_makes_use_of_spells() -> None:
    with_spells = greedy_wins(2, 100, level=4, spells=["fireball", "poison"])
    assert with_spells > greedy_wins(2, 100, level=4) + 5


@pytest.mark.parametrize("players", [1, 2, 4])
def test_moves_that_lose_or_win_at_once_are_rated_so(players: int) -> None:
    """And no others are. The moves that are played are the best rated of a few."""
    random = Random(players)
    states, v = records(GAME.shape.state, 2), ENGINE.view()
    g, after = states[0], states[1]
    seen = set()
    for number in range(8):
        chance = ENGINE.chance()
        ENGINE.start_game(g, options(players), chance, 3, number)
        while g.outcome == UNDECIDED:
            ENGINE.see(g, int(g.to_act), v)
            moves = ENGINE.moves()
            legal = moves[: ENGINE.list_legal(g, moves)].tolist()
            few = {move: advise(v, move) for move in random.sample(legal, min(12, len(legal)))}
            for move, worth in few.items():
                states[1] = states[0]
                play(after, move)
                loses = after.outcome == LOST and after.why in AT_ONCE
                assert (worth <= WORTH_OF_LOSING) == loses
                assert (worth >= WORTH_OF_WINNING) == (after.outcome == WON)
                seen.add(int(after.why))
            ENGINE.play(g, max(few, key=lambda move: few[move]))
            ENGINE.advance(g, chance)
    assert {15, 17} <= seen
