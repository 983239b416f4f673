"""PettingZoo: its own tests pass for every game; cards, observations and rewards are right."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import theriac
from tests.adapters.tables import each_end, each_game, each_size, pick, resampled
from theriac.adapters.pettingzoo import env, raw_env
from theriac.faults import BadOption, Fault, Refused
from theriac.game import Game

#: PettingZoo accepts an action mask in the observation, but its test knows only its own games by
#: name and warns about all others. It also warns that no action is legal after the end.
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


def test_rendering_without_a_render_mode_warns() -> None:
    environment = env("poison")
    environment.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with a render_mode"):
        assert environment.render() is None
    with pytest.raises(Fault, match="render_mode rgb_array is not human or ansi"):
        env("poison", render_mode="rgb_array")


@each_end
def test_games_are_those_of_a_batch(game: Game, players: int) -> None:
    """A reset without a seed starts the next game of the same seed."""
    environment = env(game.name, players=players)
    batch = theriac.batch(game.name, 1, seed=9, players=players)
    random = Random(4)
    for number in range(2):
        environment.reset(seed=9 if number == 0 else None)
        batch.reset(9, first=number)
        while not batch.over[0]:
            seen, reward, terminated, truncated, info = environment.last()
            assert environment.agent_selection == f"seat_{batch.to_act[0]}"
            assert seen["observation"].tolist() == batch.observations()[0].tolist()
            assert seen["action_mask"].tolist() == batch.masks()[0].tolist()
            assert (reward, terminated, truncated, info) == (0, False, False, {})
            action = pick(seen["action_mask"], random)
            environment.step(action)
            batch.step([action])
        assert list(environment.rewards.values()) == batch.results()[0].tolist()
        assert environment.terminations == dict.fromkeys(environment.agents, True)
        shares = batch.results()[0]
        for agent in environment.agent_iter():
            assert environment.last()[1] == shares[environment.possible_agents.index(agent)]
            environment.step(None)
        assert environment.agents == []


@each_end
def test_a_mask_is_for_the_seat_to_act_only(game: Game, players: int) -> None:
    environment = env(game.name, players=players)
    environment.reset(seed=1)
    for agent in environment.agents:
        mask = environment.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert bool(mask.any()) == (agent == environment.agent_selection)


@each_end
def test_hidden_information_does_not_affect_what_a_seat_is_shown(game: Game, players: int) -> None:
    environment = env(game.name, players=players, render_mode="ansi")
    episode, random = environment.unwrapped._episode, Random(5)
    environment.reset(seed=3)
    others = set()
    for _ in range(12):
        if episode.over:
            break
        for seat, agent in enumerate(environment.possible_agents):
            before, true = environment.observe(agent), episode.state
            drawn = environment.render() if seat == episode.to_act else None
            for state in resampled(episode, seat):
                others.add(state != true)
                after = environment.observe(agent)
                assert {k: v.tobytes() for k, v in after.items()} == {
                    k: v.tobytes() for k, v in before.items()
                }
                if seat == episode.to_act:
                    assert environment.render() == drawn
        environment.step(pick(episode.action_mask(), random))
    assert True in others or players == 1


@each_game
def test_an_illegal_action_ends_the_game_or_is_refused(game: Game) -> None:
    wrapped, bare = env(game.name), raw_env(game.name)
    for environment in (wrapped, bare):
        environment.reset(seed=1)
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
    environment: Any = raw_env("poison")
    environment.reset(seed=1)
    with pytest.raises(Fault, match="seed x is not an integer"):
        environment.reset(seed="x")
    assert environment._seed == 1
    for action in (None, -1, 48, 0.5, "R1@1"):
        with pytest.raises(Fault, match="not an action: use an integer from 0 to 47"):
            environment.step(action)


def test_options_and_seeds() -> None:
    environments = [raw_env("shokoba", players=4, teams=True, target=16) for _ in range(3)]
    for environment, seed in zip(environments, (6, 6, 7), strict=True):
        environment.reset(seed=seed)
    seen = [environment.observe("seat_0")["observation"].tolist() for environment in environments]
    assert seen[0] == seen[1] != seen[2]
    for environment in environments[:2]:
        environment.reset()
    again = [
        environment.observe("seat_0")["observation"].tolist() for environment in environments[:2]
    ]
    assert again[0] == again[1] != seen[0]
    fresh = [raw_env("poison") for _ in range(2)]
    for environment in fresh:
        environment.reset()
    assert fresh[0]._seed != fresh[1]._seed


def test_an_environment_can_be_pickled() -> None:
    environment = pickle.loads(pickle.dumps(raw_env("poison", players=5)))
    environment.reset(seed=1)
    assert environment.max_num_agents == 5
