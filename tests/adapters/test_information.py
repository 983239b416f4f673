"""Information states in OpenSpiel: they reveal nothing hidden and have perfect recall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts

from tests.adapters.spiel import deal_all, last_round, load, ply
from tests.adapters.tables import each_end, each_game
from theriac.faults import Fault
from theriac.game import Game, find
from theriac.testing.information import Position, random_position
from theriac.testing.setups import GAMES, Setup, names, reduced

SMALL = [setup for game in GAMES for setup in reduced(game)]


def sampler(seed: int) -> Callable[[], float]:
    return Random(seed).random


def shown(state: Any, seat: int) -> list[Any]:
    """Everything that a player can see of a state."""
    return [
        state.information_state_string(seat),
        state.observation_string(seat),
        state.information_state_tensor(seat),
        state.observation_tensor(seat),
        state.legal_actions(seat),
        state.current_player(),
    ]


# Resampling


@each_end
def test_a_resampled_state_looks_the_same_to_its_player(game: Game, players: int) -> None:
    """Hidden cards differ, the game can be continued, and no history reveals the true cards."""
    state, random = load(game, {"players": players}).new_initial_state(), Random(3)
    differs = False
    for turn in range(6):
        deal_all(state, random)
        if state.is_terminal():
            break
        for seat in range(players):
            twin = state.resample_from_infostate(seat, sampler(turn))
            assert shown(twin, seat) == shown(state, seat)
            assert twin.history() == []
            differs |= str(twin) != str(state)
            assert str(state.resample_from_infostate(seat, sampler(turn))) == str(twin)
            for _ in range(5):
                if not twin.is_terminal():
                    twin.apply_action(ply(twin, random))
        state.apply_action(ply(state, random))
    assert differs or players == 1


def test_equal_observations_after_resampling_are_equal_information_states() -> None:
    """Otherwise the nodes of a search tree would not be shared."""
    state, random = load(find("poison"), {}).new_initial_state(), Random(4)
    deal_all(state, random)
    seat = state.current_player()
    twin = state.resample_from_infostate(seat, sampler(1))
    action = state.legal_actions()[0]
    for each in (state, twin):
        each.apply_action(action)
    assert twin.information_state_string(seat) == state.information_state_string(seat)
    other = (seat + 1) % 3
    again = state.resample_from_infostate(other, sampler(2))
    assert again.information_state_string(other) == state.information_state_string(other)


def test_a_chance_node_cannot_be_resampled() -> None:
    state = load(find("poison"), {}).new_initial_state()
    with pytest.raises(Fault, match="cannot be resampled at a chance node"):
        state.resample_from_infostate(0, sampler(1))


@each_game
def test_is_mcts_plays(game: Game) -> None:
    """OpenSpiel's own IS-MCTS, which checks that resampled states look the same."""
    loaded = load(game, {"players": max(game.players[0], 2)})
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=loaded,
        evaluator=mcts.RandomRolloutEvaluator(1, random),
        uct_c=1.0,
        max_simulations=10,
        random_state=random,
    )
    state = loaded.new_initial_state()
    for _ in range(3):
        deal_all(state, Random(1))
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


# Information states


def state_at(position: Position, deal: list[str], played: Sequence[str]) -> Any:
    """Moves after a shuffle."""
    state = load(position.setup.game, position.setup.given).new_initial_state()
    moves, cards = iter(played), iter(deal)
    while True:
        if state.is_chance_node():
            state.apply_action(state.string_to_action(f"deal {next(cards)}"))
        elif (move := next(moves, None)) is not None:
            state.apply_action(state.string_to_action(move))
        else:
            return state


@pytest.mark.parametrize("setup", SMALL, ids=names(SMALL))
def test_indistinguishable_deals_are_one_information_state(setup: Setup) -> None:
    """The independent referee of the tests determines which deals those are."""
    random = Random(str(setup))
    position = random_position(setup, random)
    seat = random.randrange(setup.given["players"])
    true = shown(state_at(position, position.deal, position.moves), seat)
    found = list(position.possible(seat))
    for other in random.sample(found, min(8, len(found))):
        assert shown(state_at(position, other.deal, other.moves), seat) == true


def decisions(game: Any, random: Random) -> list[list[tuple[str, int]]]:
    """The information states and actions of each player in a random game."""
    found: list[list[tuple[str, int]]] = [[] for _ in range(game.num_players())]
    state = game.new_initial_state()
    while not state.is_terminal():
        action = ply(state, random)
        if not state.is_chance_node():
            found[state.current_player()].append((state.information_state_string(), action))
        state.apply_action(action)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "theriac_poison(players=3,deck=R7 R7 R7 X)",
        "theriac_poison(players=4,deck=R1 R1 R1 R1 R1 R1 X X)",
        "theriac_dungeon(players=2,deck=0000 0000 0000 0000 0000 0000 0000 0000 0000 1111t3K)",
    ],
)
def test_perfect_recall(text: str) -> None:
    """An information state determines all earlier information states and actions of its player."""
    game, random = pyspiel.load_game(text), Random(1)
    pasts: dict[str, list[tuple[str, int]]] = {}
    met = 0
    for _ in range(60):
        for known in decisions(game, random):
            for n, (now, _) in enumerate(known):
                met += now in pasts
                assert pasts.setdefault(now, known[:n]) == known[:n]
    assert met > 100, "too few states were compared"


def test_exploitability_falls() -> None:
    """Counterfactual regret minimization on the last round of a small Shokoba."""
    game = last_round("S1 S1 S1 S1 S1 S1 S1 S1 S1 S4", [10, 10], seed=1)
    solver = cfr.CFRSolver(game)
    found = []
    for _ in range(4):
        found.append(exploitability.exploitability(game, solver.average_policy()))
        for _ in range(5):
            solver.evaluate_and_update_policy()
    assert found[0] > 0.1
    assert all(later < 0.7 * earlier for earlier, later in pairwise(found))
