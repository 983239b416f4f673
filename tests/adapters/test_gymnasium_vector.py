"""The native vector environment: the games of a batch, as Gymnasium's own vector environments."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import theriac
from tests.adapters.tables import each_end, each_game, pick
from theriac.adapters.gymnasium import SeatEnv
from theriac.adapters.gymnasium_vector import SeatVectorEnv
from theriac.faults import BadOption, Fault
from theriac.game import Game, find

MODES = list(AutoresetMode)
GAMES = 3


def pick_all(masks: Any, random: Random) -> Any:
    """A legal action of each game, 0 where there is none."""
    return np.array([pick(mask, random) if mask.any() else 0 for mask in masks])


def plain(value: Any) -> Any:
    """Values that can be compared, with their types."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        items = [plain(item) for item in value] if value.dtype == object else value.tolist()
        return value.dtype, value.shape, items
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@each_game
def test_it_is_made_by_its_registered_name(game: Game) -> None:
    made = gymnasium.make_vec(
        f"theriac/{game.name}-v0", num_envs=GAMES, vectorization_mode="vector_entry_point"
    )
    assert type(made) is SeatVectorEnv
    assert type(gymnasium.make_vec(f"theriac/{game.name}-v0")) is SeatVectorEnv
    assert made.spec is not None and made.spec.id == f"theriac/{game.name}-v0"
    assert made.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    single = SeatEnv(game.name)
    assert made.single_observation_space == single.observation_space
    assert made.single_action_space == single.action_space
    seen, infos = made.reset(seed=1)
    assert seen in made.observation_space
    assert made.action_space.sample(mask=tuple(infos["action_mask"])) in made.action_space


class Twins:
    """The native environment, and Gymnasium's own of the same games for one player.

    Such a game has no bots, so every byte must be the same.
    """

    def __init__(self, mode: AutoresetMode) -> None:
        self.ours = SeatVectorEnv("dungeon", GAMES, players=1, autoreset_mode=mode)
        singles = [lambda: SeatEnv("dungeon", players=1)] * GAMES
        self.theirs = SyncVectorEnv(singles, autoreset_mode=mode)
        self.theirs.reset(seed=4)
        self.set_numbers(range(GAMES))

    def set_numbers(self, numbers: Any) -> None:
        """Their next game at each index has the number of ours."""
        for env, number in zip(self.theirs.envs, numbers, strict=True):
            env._seed, env._number = 4, number  # type: ignore[attr-defined]

    def reset(self, *, seed: int | None = None, options: Any = None) -> list[Any]:
        """Reset both; returns what ours gave."""
        given = self.ours.reset(seed=seed, options=copy.deepcopy(options))
        return self.compare(given, self.theirs.reset(options=options))

    def step(self, actions: Any) -> list[Any]:
        """Play in both; returns what ours gave."""
        self.set_numbers(self.ours._batch.numbers + GAMES)
        return self.compare(self.ours.step(actions), self.theirs.step(actions))

    def compare(self, given: Any, expected: Any) -> list[Any]:
        for part, other in zip(given, expected, strict=True):
            assert plain(part) == plain(other)
        return list(given)


@pytest.mark.parametrize("mode", MODES)
def test_it_does_what_gymnasium_s_own_vector_environment_does(mode: AutoresetMode) -> None:
    twins, random, ends = Twins(mode), Random(1), 0
    *_, infos = twins.reset(seed=4)
    for number in range(80):
        masks = infos["action_mask"]
        actions = pick_all(masks, random)
        if number % 9 == 8:  # an illegal action
            actions[number % GAMES] = int(masks[number % GAMES].argmin())
        *_, over, _, infos = twins.step(actions)
        ends += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(Fault, match=r"games \[.*\] are over"):
                twins.ours.step(actions)
            twins.set_numbers(twins.ours._batch.numbers + GAMES)
            twins.reset(options={"reset_mask": over})
            infos = {"action_mask": twins.ours._batch.masks()}
    assert ends > GAMES


@each_end
def test_games_are_those_of_a_batch_with_bots_on_the_other_seats(game: Game, players: int) -> None:
    """The agent's moves and the bots', played again by hand, give the same cards and rewards."""
    seat, random = players // 2, Random(1)
    made = SeatVectorEnv(game.name, GAMES, players=players, seat=seat, bots="random")
    for seed in range(5, 50):
        seen, infos = made.reset(seed=seed)
        if made._batch.numbers.tolist() == list(range(GAMES)):  # no game was over too early
            break
    batch = theriac.batch(game.name, GAMES, seed=seed, players=players)
    streams = np.zeros((GAMES, 3), np.int64)
    key = Random(f"{seed} bots").getrandbits(63)
    for i, stream in enumerate(streams):
        batch.engine.seed_stream(stream, key, i)  # type: ignore[attr-defined]
    others = np.array([other != seat for other in range(batch.shape.players)], np.uint8)
    over = np.zeros(GAMES, np.bool_)
    while not over.any():
        batch.play_bots(others, streams)  # type: ignore[attr-defined]
        assert set(batch.to_act.tolist()) == {seat}
        assert (seen == batch.observations()).all()
        assert (infos["action_mask"] == batch.masks()).all()
        assert (made.action_masks() == batch.masks().astype(bool)).all()
        actions = pick_all(infos["action_mask"], random)
        seen, rewards, over, truncated, infos = made.step(actions)
        batch.step(actions)
        assert not truncated.any()
    batch.play_bots(others, streams)  # type: ignore[attr-defined]
    assert (over == batch.over).all()
    assert (rewards[over] == batch.results()[over, seat]).all()


@each_end
def test_the_compiled_bots_choose_like_those_of_the_same_name(game: Game, players: int) -> None:
    """A greedy bot plays a move that is rated best, a random bot any legal move."""
    batch: Any = theriac.batch(game.name, 1, seed=3, players=players)
    random, widest, checked = Random(2), 0, 0
    for number in range(40):
        if batch.over[0]:
            break
        after, best = successors(game, batch)
        if after is not None:
            plays = {kind: states_after_bot(batch, kind, number) for kind in (1, 2)}
            assert plays[2] <= {after[move] for move in best}
            assert plays[1] <= set(after.values())
            widest, checked = max(widest, len(plays[1])), checked + 1
        batch.step([pick(batch.masks()[0], random)])
    assert widest > 1 or players == 1
    assert checked or players == 1


def successors(game: Game, batch: Any) -> tuple[dict[int, bytes] | None, set[int]]:
    """The STATE after each legal move, and the moves rated best.

    None instead of the first if a seat acts twice in succession: then its bot plays on.
    """
    engine, g = game.engine(), batch.states[0]
    actor, moves, view = int(g.to_act), engine.moves(), engine.view()
    legal = moves[: engine.list_legal(g, moves)].copy()
    engine.see(g, actor, view)
    ratings = np.zeros(len(legal))
    engine.advise_moves(view, legal, ratings)
    best = set(legal[ratings == ratings.max()].tolist())
    after = {}
    for move in legal.tolist():
        twin = batch.clone()
        twin.step([engine.action_of(g, batch.catalogue, move)])
        if twin.to_act[0] == actor:
            return None, best
        after[move] = twin.states.tobytes()
    return after, best


def states_after_bot(batch: Any, kind: int, key: int) -> set[bytes]:
    """The STATEs after a move of a compiled bot, with several random streams."""
    bots, found = np.zeros(batch.shape.players, np.uint8), set()
    bots[batch.to_act[0]] = kind
    for number in range(10):
        twin, stream = batch.clone(), np.zeros((1, 3), np.int64)
        batch.engine.seed_stream(stream[0], key, number)
        twin.play_bots(bots, stream)
        found.add(twin.states.tobytes())
    return found


@each_game
def test_without_a_seat_the_agent_plays_all_of_them(game: Game) -> None:
    made = SeatVectorEnv(game.name, GAMES, seat=None)
    seen, infos = made.reset(seed=6)
    batch, random = theriac.batch(game.name, GAMES, seed=6), Random(4)
    over = np.zeros(GAMES, np.bool_)
    while not over.any():
        assert (seen == batch.observations()).all()
        assert (infos["to_act"] == batch.to_act).all()
        assert (infos["action_mask"] == batch.masks()).all()
        assert "rewards" not in infos
        actors = infos["to_act"]
        actions = pick_all(infos["action_mask"], random)
        seen, rewards, over, _, infos = made.step(actions)
        batch.step(actions)
    assert (infos["_rewards"] == over).all()
    assert (infos["rewards"] == batch.results()).all()
    assert (rewards == batch.results()[np.arange(GAMES), actors]).all()
    assert (rewards[~over] == 0).all()


def test_without_a_seat_the_reward_is_that_of_the_seat_that_acted() -> None:
    made, random, differs = SeatVectorEnv("shokoba", 8, seat=None, players=2), Random(5), False
    _, infos = made.reset(seed=1)
    while not differs:
        actors = infos["to_act"]
        _, rewards, over, _, infos = made.step(pick_all(infos["action_mask"], random))
        for i in np.flatnonzero(over).tolist():
            assert rewards[i] == infos["rewards"][i][actors[i]]
            differs |= rewards[i] != infos["rewards"][i][0]


@each_game
def test_an_illegal_action_ends_the_episode_and_says_why(game: Game) -> None:
    for seat in (0, None):
        made = SeatVectorEnv(game.name, GAMES, seat=seat, illegal_reward=-3.0)
        _, infos = made.reset(seed=6)
        actions = infos["action_mask"].argmax(axis=1)
        actions[1] = infos["action_mask"][1].argmin()
        _, rewards, over, _, infos = made.step(actions)
        assert rewards.tolist() == [0, -3, 0]
        assert infos["_refused"].tolist() == [False, True, False]
        assert over[1]
        assert game.letters in infos["refused"][1]


def test_a_seed_gives_the_same_games_and_bots_and_a_copy_goes_on_alike() -> None:
    played: list[list[Any]] = []
    for seed in (3, 3, 4):
        made = SeatVectorEnv("shock", GAMES, bots=["random", "greedy"], players=3)
        _, infos = made.reset(seed=seed)
        rows: list[Any] = []
        for _ in range(30):
            *given, infos = made.step(infos["action_mask"].argmax(axis=1))
            rows.append(plain(given))
        played.append(rows)
    assert played[0] == played[1] != played[2]
    actions = infos["action_mask"].argmax(axis=1)
    twins = [copy.deepcopy(made), pickle.loads(pickle.dumps(made))]
    expected = plain(made.step(actions))
    for twin in twins:
        assert plain(twin.step(actions)) == expected
    fresh = [SeatVectorEnv("poison", GAMES) for _ in range(2)]
    assert plain(fresh[0].reset()[0]) != plain(fresh[1].reset()[0])


def test_a_reset_without_a_seed_starts_the_next_games() -> None:
    made = SeatVectorEnv("poison", GAMES, players=3)
    first, _ = made.reset(seed=1)
    second, _ = made.reset()
    assert made._batch.numbers.tolist() == [3, 4, 5]
    assert (first != second).any()
    assert (made.reset(seed=1)[0] == first).all()


def test_a_game_that_ends_before_the_first_turn_is_skipped() -> None:
    """In the dungeon a first card can lose the game."""
    made = SeatVectorEnv("dungeon", 40, players=6, seat=5, bots="random")
    made.reset(seed=1)
    assert made.action_masks().any(axis=1).all()
    assert made._batch.numbers.tolist() != list(range(40))


def test_gymnasium_s_wrappers_take_it() -> None:
    made: Any = RecordEpisodeStatistics(SeatVectorEnv("shokoba", GAMES, players=2))
    _, infos = made.reset(seed=1)
    for _ in range(300):
        _, rewards, over, _, infos = made.step(infos["action_mask"].argmax(axis=1))
        if over.any():
            break
    assert (infos["episode"]["r"][over] == rewards[over]).all()
    assert (infos["episode"]["l"][over] > 10).all()
    listed: Any = DictInfoToList(SeatVectorEnv("shokoba", GAMES))
    _, infos = listed.reset(seed=1)
    assert len(infos) == GAMES
    assert infos[1]["action_mask"].any()


def test_bad_input_changes_nothing() -> None:
    with pytest.raises(Fault, match="no game is called chess"):
        SeatVectorEnv("chess", 2)
    with pytest.raises(Fault, match="is not a seat from 0 to 2"):
        SeatVectorEnv("poison", 2, seat=3, players=3)
    with pytest.raises(Fault, match=r"search is not random or greedy, the compiled bots.*sync"):
        SeatVectorEnv("poison", 2, bots="search")
    with pytest.raises(Fault, match="bots: 1 names for 2 other seats"):
        SeatVectorEnv("poison", 2, bots=["greedy"], players=3)
    with pytest.raises(BadOption, match="POI-03"):
        SeatVectorEnv("poison", 2, players=9)
    made = SeatVectorEnv("poison", 2, players=3)
    with pytest.raises(Fault, match="call reset"):
        made.step(np.zeros(2, np.int64))
    with pytest.raises(Fault, match="reset_mask takes no seed"):
        made.reset(options={"reset_mask": np.ones(2, np.bool_)})
    made.reset(seed=1)
    saved = made._batch.save()
    wrong: list[Any] = [[0], [0, -1], [0, 48], [0.0, 1.0], None, "R1@1", [[0, 1]]]
    for actions in wrong:
        with pytest.raises(Fault, match="give 2 integers from 0 to 47"):
            made.step(actions)
    masks: list[Any] = [None, [True], np.ones(2), [0, 1]]
    for mask in masks:
        with pytest.raises(Fault, match="is not an array of 2 booleans"):
            made.reset(options={"reset_mask": mask})
    with pytest.raises(Fault, match="no option but reset_mask"):
        made.reset(options={"players": 4})
    with pytest.raises(Fault, match="is not an integer"):
        made.reset(seed=[1, 2])  # type: ignore[arg-type]
    assert made._batch.save() == saved


def test_other_hidden_cards_change_nothing_that_the_agent_gets() -> None:
    game = find("shock")
    made = SeatVectorEnv(game.name, 1, players=4, seat=2)
    seen, infos = made.reset(seed=2)
    engine, view, stream = game.engine(), game.engine().view(), np.zeros(3, np.int64)
    true = made._batch.states.tobytes()
    engine.see(made._batch.states[0], 2, view)
    engine.seed_stream(stream, 1, 1)
    engine.imagine(view, stream, made._batch.states[0])
    assert made._batch.states.tobytes() != true
    assert (made._observations() == seen).all()
    assert plain(made._infos(np.ones(1, np.bool_))) == plain(infos)
