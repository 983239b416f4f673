"""Copies of matches and environments: they play on like the original, and independently."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest

import theriac
from tests.adapters.spiel import load, ply
from tests.adapters.tables import each_game, pick
from theriac.adapters.episode import Episode
from theriac.adapters.gymnasium import SeatEnv
from theriac.adapters.pettingzoo import env, raw_env
from theriac.bots import ask, bot
from theriac.game import Game
from theriac.match import Match

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}
each_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def match_moves(match: Match, random: Random, n: int) -> list[Any]:
    """Play some moves; all that can be seen after each."""
    found = []
    for _ in range(n):
        if match.over:
            break
        match.play(random.choice(match.legal()))
        views = [match.view(), *(match.view(seat) for seat in range(match.players))]
        found.append((views, match.sheet, match.record(), match.drawn, match.dealt))
    return found


@each_game
@each_copy
def test_a_match(game: Game, copied: Any) -> None:
    match = theriac.new(game.name, players=game.usual_players, seed=bytes(32))
    match_moves(match, Random(1), 12)
    twin, before = copied(match), match.view()
    assert twin.view() == before
    played = match_moves(match, Random(2), 40)
    assert twin.view() == before
    assert match_moves(twin, Random(2), 40) == copy.deepcopy(played)
    if not twin.over:
        assert bot("greedy").answer(ask(twin)) == bot("greedy").answer(ask(match))


@each_game
@each_copy
def test_an_episode(game: Game, copied: Any) -> None:
    episode = Episode(game, {})
    episode.start(3)

    def play(one: Episode, random: Random) -> list[Any]:
        found: list[Any] = []
        while not one.over and len(found) < 20:
            one.play_action(pick(one.action_mask(), random))
            one.deal_cards()
            found.append((one.state, one.view(), one.observation(0).tolist()))
        return found

    play(episode, Random(1))
    twin, before = copied(episode), episode.state
    played = play(episode, Random(2))
    assert twin.state == before
    assert play(twin, Random(2)) == played


@each_copy
@pytest.mark.parametrize("make", [env, raw_env])
def test_a_pettingzoo_environment(copied: Any, make: Any) -> None:
    environment = make("shokoba", players=3)
    fresh = copied(environment)  # before it is reset, too
    environment.reset(seed=5)
    fresh.reset(seed=5)

    def play(one: Any, random: Random, n: int) -> list[Any]:
        found = []
        for _ in range(n):
            observation, *rest = one.last()
            found.append((one.agent_selection, observation["observation"].tolist(), rest))
            one.step(None if rest[1] else pick(observation["action_mask"], random))
            if not one.agents:
                break
        return found

    assert play(environment, Random(1), 10) == play(fresh, Random(1), 10)
    twin = copied(environment)
    played = play(environment, Random(2), 400)
    assert not environment.agents
    assert play(twin, Random(2), 400) == played
    environment.reset()
    twin.reset()  # the next game of the same seed
    assert play(environment, Random(3), 5) == play(twin, Random(3), 5)


@each_copy
@pytest.mark.parametrize("name", [None, "theriac/shock-v0"])
def test_a_gymnasium_environment(copied: Any, name: str | None) -> None:
    """Also in the wrappers of `gymnasium.make`, and with bots that hold buffers of their own."""
    bots = ["greedy:slip=0.5", "search:simulations=20"]
    made: Any = (
        gymnasium.make(name, players=3, bots=bots)
        if name
        else SeatEnv("shock", players=3, bots=bots)
    )
    _, info = made.reset(seed=5)
    random = Random(1)
    for _ in range(3):
        _, _, _, _, info = made.step(pick(info["action_mask"], random))
    twin = copied(made)

    def play(one: Any, mask: Any) -> list[Any]:
        dice, found = Random(2), []
        for _ in range(30):
            seen, reward, over, _, info = one.step(pick(mask, dice))
            found.append((seen.tolist(), reward, over))
            mask = info["action_mask"]
            if over:
                seen, info = one.reset()
                found.append(seen.tolist())
                mask = info["action_mask"]
        return found

    rows = play(made, info["action_mask"])
    assert play(twin, info["action_mask"]) == rows
    made.close()
    twin.close()


@each_copy
def test_an_openspiel_state(copied: Any) -> None:
    """Also one that was resampled, which has no history."""
    game = load(theriac.all_games()["poison"], {"players": 3})
    state, random = game.new_initial_state(), Random(1)
    for _ in range(70):
        state.apply_action(ply(state, random))
    while state.is_chance_node():
        state.apply_action(ply(state, random))
    other = state.resample_from_infostate(state.current_player(), random.random)
    for one in (state, other):
        twin = copied(one)
        seats = range(game.num_players())
        known = [one.information_state_string(seat) for seat in seats]
        assert [twin.information_state_string(seat) for seat in seats] == known
        before = str(one)
        assert str(twin) == before
        one.apply_action(one.legal_actions()[0])
        assert str(twin) == before
        twin.apply_action(twin.legal_actions()[0])
        assert str(twin) == str(one)


def test_an_engine_is_pickled_by_name() -> None:
    engine = theriac.all_games()["poison"].engine("plain")
    pickled = pickle.dumps(engine)
    assert len(pickled) < 200
    assert pickle.loads(pickled) is engine
    assert copy.deepcopy(engine) is engine
    game = theriac.all_games()["anaphylaxis"]
    assert pickle.loads(pickle.dumps(game)) is game
    settings = game.usual_settings({})
    again = pickle.loads(pickle.dumps(settings))
    assert again.options == settings.options
    assert np.asarray(again.options).dtype == np.asarray(settings.options).dtype
