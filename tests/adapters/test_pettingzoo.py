"""PettingZoo: its own tests pass for every game; what is shown, dealt and rewarded is ours."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import theriac
from tests.adapters.tables import each_end, each_game, each_size, imagined, pick
from theriac.adapters.pettingzoo import env, raw_env
from theriac.faults import BadOption, Fault, Refused
from theriac.game import Game

#: PettingZoo accepts a mask beside the observation, but its test knows its own games by name and
#: warns about all others; and that nothing is legal for one whose game is over.
its_own_games_only = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def with_marks(test: Any) -> Any:
    for mark in its_own_games_only:
        test = mark(test)
    return test


@with_marks
@each_size
def test_its_own_tests_pass(game: Game, players: int) -> None:
    api_test(env(game.name, players=players), num_cycles=300)
    seed_test(lambda: env(game.name, players=players), num_cycles=100)


@each_game
def test_rendering(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    shown = {"ansi": lambda text: "seat 0" in text and "\x1b" not in text}
    render_test(lambda render_mode: env(game.name, render_mode=render_mode), shown)
    assert "seat 0" in capsys.readouterr().out


def test_a_game_that_is_not_to_be_rendered_says_so() -> None:
    match = env("poison")
    match.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with a render_mode"):
        assert match.render() is None
    with pytest.raises(Fault, match="render_mode rgb_array is not human or ansi"):
        env("poison", render_mode="rgb_array")


@each_end
def test_games_are_those_of_a_batch(game: Game, players: int) -> None:
    """A reset without a seed begins the next game of the same seed."""
    match = env(game.name, players=players)
    batch = theriac.batch(game.name, 1, seed=9, players=players)
    random = Random(4)
    for number in range(2):
        match.reset(seed=9 if number == 0 else None)
        batch.reset(9, first=number)
        while not batch.over[0]:
            seen, reward, terminated, truncated, info = match.last()
            assert match.agent_selection == f"seat_{batch.to_act[0]}"
            assert seen["observation"].tolist() == batch.observations()[0].tolist()
            assert seen["action_mask"].tolist() == batch.masks()[0].tolist()
            assert (reward, terminated, truncated, info) == (0, False, False, {})
            action = pick(seen["action_mask"], random)
            match.step(action)
            batch.step([action])
        assert list(match.rewards.values()) == batch.results()[0].tolist()
        assert match.terminations == dict.fromkeys(match.agents, True)
        shares = batch.results()[0]
        for agent in match.agent_iter():
            assert match.last()[1] == shares[match.possible_agents.index(agent)]
            match.step(None)
        assert match.agents == []


@each_end
def test_a_mask_is_for_the_seat_to_act_only(game: Game, players: int) -> None:
    match = env(game.name, players=players)
    match.reset(seed=1)
    for agent in match.agents:
        mask = match.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert bool(mask.any()) == (agent == match.agent_selection)


@each_end
def test_what_a_seat_cannot_know_changes_nothing_it_is_shown(game: Game, players: int) -> None:
    match = env(game.name, players=players, render_mode="ansi")
    episode, random = match.unwrapped._episode, Random(5)
    match.reset(seed=3)
    others = set()
    for _ in range(12):
        if episode.over:
            break
        for seat, agent in enumerate(match.possible_agents):
            before, drawn, true = match.observe(agent), match.render(), episode.memory
            for memory in imagined(episode, seat):
                others.add(memory != true)
                after = match.observe(agent)
                assert {k: v.tobytes() for k, v in after.items()} == {
                    k: v.tobytes() for k, v in before.items()
                }
                if seat == episode.to_act:
                    assert match.render() == drawn
        match.step(pick(episode.mask(), random))
    assert True in others or players == 1


@each_game
def test_an_illegal_action_ends_the_game_or_is_refused(game: Game) -> None:
    wrapped, bare = env(game.name), raw_env(game.name)
    for match in (wrapped, bare):
        match.reset(seed=1)
    agent = bare.agent_selection
    illegal = int(np.flatnonzero(bare.observe(agent)["action_mask"] == 0)[0])
    before = bare.observe(agent)["observation"].tolist()
    with pytest.raises(Refused, match=rf"\({game.letters}-\d\d\)$"):
        bare.step(illegal)
    assert bare.agent_selection == agent
    assert bare.observe(agent)["observation"].tolist() == before
    wrapped.step(illegal)
    assert all(wrapped.terminations.values())
    assert wrapped.rewards[agent] == -1
    assert sum(wrapped.rewards.values()) == -1


def test_bad_input() -> None:
    with pytest.raises(Fault, match="no game is called chess"):
        env("chess")
    with pytest.raises(BadOption, match=r"players: 9 is not 3, 4, 5 or 6 \(POI-03\)"):
        env("poison", players=9)
    with pytest.raises(BadOption, match="poison has no option of that name"):
        env("poison", treasure=True)
    match: Any = raw_env("poison")
    match.reset(seed=1)
    with pytest.raises(Fault, match="seed x is not a whole number"):
        match.reset(seed="x")
    assert match._seed == 1
    for action in (None, -1, 48, 0.5, "R1@1"):
        with pytest.raises(Fault, match="not an action, a whole number from 0 to 47"):
            match.step(action)


def test_options_and_seeds() -> None:
    tables = [raw_env("shokoba", players=4, teams=True, target=16) for _ in range(3)]
    for match, seed in zip(tables, (6, 6, 7), strict=True):
        match.reset(seed=seed)
    seen = [match.observe("seat_0")["observation"].tolist() for match in tables]
    assert seen[0] == seen[1] != seen[2]
    for match in tables[:2]:
        match.reset()
    again = [match.observe("seat_0")["observation"].tolist() for match in tables[:2]]
    assert again[0] == again[1] != seen[0]
    fresh = [raw_env("poison") for _ in range(2)]
    for match in fresh:
        match.reset()
    assert fresh[0]._seed != fresh[1]._seed


def test_a_table_can_be_sent_to_another_process() -> None:
    match = pickle.loads(pickle.dumps(raw_env("poison", players=5)))
    match.reset(seed=1)
    assert match.max_num_agents == 5
