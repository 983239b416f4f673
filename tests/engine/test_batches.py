"""A batch in words, its copies, and single games of it. `theriac.testing` plays batches."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import theriac
from theriac.adapters.episode import Episode
from theriac.engine.batch import Batch
from theriac.faults import Fault
from theriac.game import Game
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def arrays(batch: Batch) -> list[Any]:
    """All that a batch shows."""
    shown = (
        *(batch.to_act, batch.numbers, batch.ended, batch.rewards),
        *(batch.masks(), batch.observations(), batch.scores(), batch.results()),
    )
    return [array.tolist() for array in shown]


def states(batch: Batch) -> list[bytes]:
    """The STATE of each game."""
    return [batch.states[i].tobytes() for i in range(len(batch))]


def play(batch: Batch, steps: int) -> list[Any]:
    """Random moves; all that was shown after each."""
    found = []
    for _ in range(steps):
        batch.step(batch.random_actions())
        found.append(arrays(batch))
    return found


def restored(batch: Batch) -> Batch:
    """Another batch of the kind, with the games of this one."""
    other = theriac.batch(**MADE, seed=99)
    other.restore(batch.save())
    return other


MADE: dict[str, Any] = {"game": "shokoba", "n": 5, "auto_reset": True, "players": 2}
COPIES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda batch: batch.clone(),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


@each_game
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_plays_on_like_the_original_and_independently(game: Game, how: str) -> None:
    batch = theriac.batch(game.name, 3, seed=2**40 + 3, auto_reset=True)
    play(batch, 4)
    twin = COPIES[how](batch)
    assert (twin.seed, len(twin)) == (batch.seed, 3)
    before = arrays(batch)
    assert arrays(twin) == before
    played = play(batch, 6)
    assert played[-1] != before
    assert arrays(twin) == before
    assert play(twin, 6) == played


def test_a_restored_batch_goes_on_through_ends_and_restarts() -> None:
    """The seed, the random numbers and the numbers of the games are restored as well."""
    batch = theriac.batch(**MADE, seed=4)
    batch.play_out()
    batch.step(np.zeros(5, np.int64))  # restarts all
    assert batch.ended.all()
    other = restored(batch)
    assert other.seed == 4
    assert play(other, 60) == play(batch, 60)
    assert other.play_out().tolist() == batch.play_out().tolist()


def changed(saved: bytes, **header: Any) -> bytes:
    """Saved bytes with another header."""
    with np.load(io.BytesIO(saved)) as file:
        content = dict(file)
    new_header = {**json.loads(content["header"].tobytes()), **header}
    content["header"] = np.frombuffer(json.dumps(new_header).encode(), np.uint8)
    out = io.BytesIO()
    np.savez(out, **content)
    return out.getvalue()


def test_a_batch_of_another_kind_is_not_restored() -> None:
    batch = theriac.batch(**MADE, seed=4)
    saved, before = batch.save(), arrays(batch)
    others: list[tuple[Any, str]] = [
        (theriac.batch("poison", 5).save(), "the game is poison, but shokoba here"),
        (theriac.batch(**{**MADE, "n": 4}).save(), "the number of games is 4, but 5 here"),
        (theriac.batch(**MADE, target=21).save(), r"other options \(target\)"),
        (changed(saved, format=2), "format 2: this is format 1"),
        (changed(saved, sources="x"), "another version of Theriac or of the game"),
        (changed(saved, options=None), "other options"),
        (saved[:-30], "not the bytes of a saved batch"),
        (b"", "not the bytes of a saved batch"),
        (None, "not the bytes of a saved batch"),
        (pickle.dumps([1]), "not the bytes of a saved batch"),
    ]
    play(batch, 2)
    now = arrays(batch)
    for bad, why in others:
        with pytest.raises(Fault, match=why):
            batch.restore(bad)
        assert arrays(batch) == now
    batch.restore(saved)
    assert arrays(batch) == before


# Single games


@each_game
def test_single_games_start_again(game: Game) -> None:
    batch = theriac.batch(game.name, 4, seed=5)
    for _ in range(3):
        batch.step(batch.random_actions())
    before = states(batch)
    batch.reset_games([2, 0])
    fresh = theriac.batch(game.name, 8, seed=5)
    assert batch.numbers.tolist() == [4, 1, 6, 3]
    after = states(batch)
    assert [after[1], after[3]] == [before[1], before[3]]
    masks, seen = batch.masks().tolist(), batch.observations().tolist()
    for i, number in ((0, 4), (2, 6)):
        assert masks[i] == fresh.masks()[number].tolist()
        assert seen[i] == fresh.observations()[number].tolist()
    batch.reset_games(np.array([3]), [7])
    assert batch.observations()[3].tolist() == fresh.observations()[7].tolist()
    batch.reset_games([])
    assert batch.numbers.tolist() == [4, 1, 6, 7]


def test_games_that_are_not_there_are_not_started() -> None:
    batch = theriac.batch("poison", 4, seed=5)
    before = batch.save()
    bad: list[tuple[Any, Any, str]] = [
        ([4], None, "game 4: there are games 0 to 3"),
        ([-1], None, "game -1: there are games 0 to 3"),
        ([1, 1], None, "give a list of different indices"),
        ([0.5], None, "give a list of different indices"),
        ([[0]], None, "give a list of different indices"),
        ([True, False, False, False], None, "give a list of different indices"),
        ([0, 1], [3], "1 numbers for 2 games: give one for each"),
        ([0], [-1], "game -1: the number of a game is from 0 to"),
        ([0], [0.5], "game 0.5: the number of a game is from 0 to"),
    ]
    for games, numbers, why in bad:
        with pytest.raises(Fault, match=why):
            batch.reset_games(games, numbers)
    assert batch.save() == before


def test_a_game_without_an_action_waits() -> None:
    batch = theriac.batch("poison", 3, seed=5)
    actions = batch.masks().argmax(axis=1)
    before = states(batch)
    actions[1] = -1
    assert batch.step(actions).tolist() == [0, -1, 0]
    after = states(batch)
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, False]


# In words


@each_game
def test_views_texts_and_observations_are_those_of_an_episode(game: Game) -> None:
    """Of every seat, no matter which is to act."""
    batch = theriac.batch(game.name, 2, seed=6)
    episode = Episode(game, {})
    episode.start(6, 1)
    for step in range(6):
        for seat in range(batch.players):
            assert batch.view(1, seat) == episode.view(seat)
            assert batch.observations(seat=seat)[1].tolist() == episode.observation(seat).tolist()
        assert batch.view(1) == episode.view()
        if episode.over:
            break
        legal = {action: episode.action_text(action) for action in episode.legal_actions()}
        assert batch.legal_texts(1) == legal
        assert sorted(legal.values()) == episode.legal()
        action = list(legal)[step % len(legal)]
        assert batch.action_text(1, action) == legal[action]
        assert batch.step([-1, action])[1] == 0
        episode.play_action(action)
        episode.deal_cards()


def test_the_text_of_an_action_is_the_move_that_is_played() -> None:
    """In the dungeon an action is not an index of the catalogue, but means a move of the moment."""
    batch = theriac.batch("dungeon", 1, seed=1, players=3)
    text = theriac.all_games()["dungeon"].usual_settings({"players": 3}).text
    found = batch.legal_texts(0)
    wrong = {text.write(int(move)) for move in batch.catalogue[list(found)]}
    assert set(found.values()) == set(batch.view(0, int(batch.to_act[0]))["legal"])
    assert set(found.values()).isdisjoint(wrong)


def test_bad_questions_about_a_game() -> None:
    batch = theriac.batch("poison", 2, players=3)
    for i in (2, -1, None, 0.5):
        with pytest.raises(Fault, match="there are games 0 to 1"):
            batch.view(i)  # type: ignore[arg-type]
    for seat in (3, -1):
        with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to 2"):
            batch.view(0, seat)
        with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to 2"):
            batch.observations(seat=seat)
    with pytest.raises(Fault, match="48 is not an action: use an integer from 0 to 47"):
        batch.action_text(0, 48)


# Seeds


@each_game
def test_every_bit_of_a_seed_counts(game: Game) -> None:
    """And of the number of a game."""
    batch = theriac.batch(game.name, 4)
    starts = set()
    for seed in (1, 1 + 2**32, 1 + 2**33, 1 + 2**63, 2**64 - 1, 0):
        batch.reset(seed)
        assert batch.seed == seed
        starts.add(batch.observations().tobytes())
    batch.reset(1, first=2**32)
    starts.add(batch.observations().tobytes())
    assert len(starts) == 7


def test_bad_seeds() -> None:
    batch = theriac.batch("poison", 2, seed=3)
    before = batch.save()
    bad: list[Any] = [-1, 2**64, -(2**70)]
    for seed in bad:
        with pytest.raises(Fault, match=r"a seed is a whole number from 0 to 2\*\*64 - 1"):
            batch.reset(seed)
    for seed in (None, 0.5, "1", b"1"):
        with pytest.raises(Fault, match="is not an integer"):
            batch.reset(seed)  # type: ignore[arg-type]
    for first in (-1, 2**63 - 1, 0.5):
        with pytest.raises(Fault, match=r"the number of a game is from 0 to 2\*\*63 - 1"):
            batch.reset(3, first)  # type: ignore[arg-type]
    assert batch.save() == before
