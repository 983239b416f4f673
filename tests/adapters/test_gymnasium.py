"""Gymnasium: its own checks pass for every game; cards, bots and rewards are right."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import theriac
from tests.adapters.tables import each_end, each_game, each_size, pick, resampled
from theriac.adapters.gymnasium import SeatEnv
from theriac.bots import Bot, Question, bot
from theriac.faults import BadBot, BadOption, Fault
from theriac.game import Game, all_games, find

PROGRAM = f"process:{sys.executable} {Path(__file__).parent / 'first_move.py'}"


@each_size
def test_its_own_checks_pass(game: Game, players: int) -> None:
    """Made by its registered name; the agent has the last seat, so that bots play first."""
    made = gymnasium.make(f"theriac/{game.name}-v0", players=players, seat=players - 1)
    check_env(made.unwrapped)
    made.close()


def test_every_game_is_registered() -> None:
    named = {spec.name for spec in gymnasium.registry.values() if spec.namespace == "theriac"}
    assert named == set(all_games())


def question_of(batch: Any, game: Game) -> Question:
    """The question to a bot in the only game of a batch."""
    engine = game.engine()
    moves = engine.moves()
    view = engine.view()
    engine.see(batch.states[0], int(batch.to_act[0]), view)
    legal = np.sort(moves[: engine.list_legal(batch.states[0], moves)])
    return Question(game, game.settings({"players": batch.players, "first": 0}), view, legal)


@each_end
def test_games_are_those_of_a_batch_with_bots_on_the_other_seats(game: Game, players: int) -> None:
    seat = players // 2
    made = SeatEnv(game.name, players=players, seat=seat, bots="random")
    random = Random(1)
    for number in range(2):
        seen, info = made.reset(seed=5 if number == 0 else None)
        batch = theriac.batch(game.name, 1, seed=5, players=players)
        batch.reset(5, first=made._number - 1)
        assert made._number - 1 >= number
        others = {
            other: bot("random", Random(f"5 {other}").getrandbits(63)) for other in range(players)
        }
        reward, over = 0.0, False
        while not batch.over[0]:
            if int(batch.to_act[0]) != seat:
                question = question_of(batch, game)
                move = others[question.seat].answer(question)
                action = int(game.engine().action_of(batch.states[0], batch.catalogue, move))
            else:
                assert not over
                assert seen.tolist() == batch.observations()[0].tolist()
                mask = info["action_mask"]
                assert mask.tolist() == batch.masks()[0].tolist()
                assert made.action_masks().tolist() == mask.astype(bool).tolist()
                action = pick(mask, random)
                seen, reward, over, truncated, info = made.step(action)
                assert not truncated
                assert over or reward == 0
            assert batch.step([action]) == 0
        assert over
        assert reward == batch.results()[0, seat]
        assert not info["action_mask"].any()
    made.close()


@each_end
def test_hidden_information_does_not_affect_what_the_seat_is_shown(
    game: Game, players: int
) -> None:
    made = SeatEnv(game.name, players=players, seat=players - 1, render_mode="ansi")
    made.reset(seed=2)
    episode, random = made._episode, Random(6)
    others = set()
    for _ in range(8):
        seen, drawn, true = episode.observation(players - 1).tobytes(), made.render(), episode.state
        for state in resampled(episode, players - 1):
            others.add(state != true)
            assert episode.observation(players - 1).tobytes() == seen
            assert made.render() == drawn
        if made.step(pick(made.action_masks(), random))[2]:
            break
    assert True in others or players == 1


@each_game
def test_an_illegal_action_ends_the_episode_and_says_why(game: Game) -> None:
    made = SeatEnv(game.name, illegal_reward=-2.5)
    seen, info = made.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, info = made.step(illegal)
    assert (reward, terminated, truncated) == (-2.5, True, False)
    assert game.letters in info["refused"]
    assert after.tolist() == seen.tolist()
    with pytest.raises(Fault, match="call reset"):
        made.step(0)
    made.reset()
    made.step(int(made.action_masks().argmax()))


def test_a_seed_gives_the_same_games_and_bots() -> None:
    played = []
    for seed in (3, 3, 4):
        made = SeatEnv("shock", players=4, bots=["greedy:slip=0.5", "random", "medium"])
        random, rows = Random(1), []
        for number in range(2):
            seen, info = made.reset(seed=seed if number == 0 else None)
            over = False
            while not over:
                seen, reward, over, _, info = made.step(pick(info["action_mask"], random))
                rows.append((seen.tolist(), reward))
        played.append(rows)
        made.close()
    assert played[0] == played[1] != played[2]
    fresh = [SeatEnv("poison") for _ in range(2)]
    assert fresh[0].reset()[0].tolist() != fresh[1].reset()[0].tolist()


def test_bad_input() -> None:
    with pytest.raises(Fault, match="no game is called chess"):
        SeatEnv("chess")
    seats: list[Any] = [-1, 3, None, 1.0, True]
    for seat in seats:
        with pytest.raises(Fault, match="is not a seat from 0 to 2"):
            SeatEnv("poison", seat=seat, players=3)
    with pytest.raises(Fault, match="no bot is called gready"):
        SeatEnv("poison", bots="gready")
    named: list[Any] = [None, 7, [None, "greedy"]]
    for bots in named:
        with pytest.raises(Fault, match="is not the name of a bot or a list of names"):
            SeatEnv("poison", bots=bots)
    with pytest.raises(Fault, match="bots: 1 names for 2 other seats"):
        SeatEnv("poison", bots=["greedy"], players=3)
    with pytest.raises(BadOption, match="POI-03"):
        SeatEnv("poison", players=9)
    with pytest.raises(Fault, match="render_mode rgb_array is not human or ansi"):
        SeatEnv("poison", render_mode="rgb_array")
    made = SeatEnv("poison")
    with pytest.raises(Fault, match="call reset"):
        made.step(0)
    with pytest.raises(Fault, match="reset takes no options"):
        made.reset(options={"players": 4})
    _, info = made.reset(seed=1)
    for action in (None, -1, 48, 0.5, "R1@1"):
        with pytest.raises(Fault, match="not an action: use an integer from 0 to 47"):
            made.step(action)
    made.step(int(info["action_mask"].argmax()))


def test_a_bot_that_fails_ends_the_game() -> None:
    made = SeatEnv("poison", bots=["greedy", PROGRAM], first=2, players=3)
    _, info = made.reset(seed=1)
    with pytest.raises(BadBot, match="no"):
        made.step(int(info["action_mask"].argmax()))
    with pytest.raises(Fault, match="call reset"):
        made.step(0)
    made.close()


class Cheat(Bot):
    """Answers with an illegal move."""

    def answer(self, question: Question) -> int:
        return -1


def test_an_illegal_move_of_a_bot_is_reported() -> None:
    made = SeatEnv("poison", first=2, players=3)
    _, info = made.reset(seed=1)
    made._bots[1] = Cheat("cheat")
    with pytest.raises(BadBot, match="cheat answered -1, which is not a legal move"):
        made.step(int(info["action_mask"].argmax()))


def test_bots_are_notified_of_the_end(tmp_path: Path) -> None:
    ended = tmp_path / "ended.json"
    made = SeatEnv("shokoba", bots=["random", f"{PROGRAM} {ended}"], players=3)
    _, info = made.reset(seed=1)
    over, random = False, Random(2)
    while not over:
        assert not ended.exists()
        _, reward, over, _, info = made.step(pick(info["action_mask"], random))
    made.close()
    view = json.loads(ended.read_text())
    assert view["over"]
    assert (0 in view["winners"]) == (reward > 0)


def test_a_game_that_ends_before_the_first_turn_is_skipped() -> None:
    """In the dungeon a first card can lose the game."""
    game = find("dungeon")
    made = SeatEnv(game.name, players=6, seat=5, bots="random")
    made.reset(seed=1)
    numbers = []
    for _ in range(20):
        made.reset()
        assert made.action_masks().any()
        numbers.append(made._number)
    assert numbers != list(range(numbers[0], numbers[0] + 20))
