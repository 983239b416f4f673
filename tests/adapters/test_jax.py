"""JAX: the games of a batch as pure functions, under `jit`, `vmap` and `scan`."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import theriac
from tests.adapters.tables import each_game, pick
from theriac.adapters.jax import JaxEnv, JaxState
from theriac.faults import BadOption, Fault
from theriac.game import Game

N = 4


def keys(n: int = N, seed: int = 1) -> Any:
    return jax.random.split(jax.random.key(seed), n)


def functions(env: JaxEnv) -> tuple[Any, Any]:
    """`init` and `step` for many games."""
    return jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))


def equal(one: Any, other: Any) -> bool:
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(bool((a == b).all()) for a, b in pairs)


def batch_of(game: str, given: Any, **options: Any) -> Any:
    """The same games in a batch: the number of a game is made of 63 bits of its key."""
    bits = np.asarray(jax.vmap(lambda key: jax.random.bits(key, (2,), jnp.uint32))(given))
    numbers = [(int(high) >> 1) * 2**32 + int(low) for high, low in bits]
    batch = theriac.batch(game, len(numbers), **options)
    batch.reset_games(range(len(numbers)), numbers)
    return batch


@each_game
def test_games_are_those_of_a_batch(game: Game) -> None:
    env, random = JaxEnv(game.name), Random(1)
    init, step = functions(env)
    state, batch = init(keys()), batch_of(game.name, keys())
    assert (env.num_players, env.num_actions) == (game.usual_players, batch.actions)
    rewards = np.zeros((N, batch.players))
    for _ in range(3000):
        over = batch.over
        assert (state.terminated == over).all()
        assert not state.truncated.any()
        assert (state.observation == batch.observations()).all()
        assert (state.legal_action_mask == batch.masks()).all()
        assert (state.current_player == np.maximum(batch.to_act, 0)).all()
        assert (state.rewards == rewards).all()
        if over.all():
            break
        actions = [pick(mask, random) if mask.any() else 0 for mask in batch.masks()]
        state = step(state, jnp.array(actions))
        batch.step(np.where(over, -1, actions))
        rewards = np.where(over[:, None], 0, batch.results()).astype(np.float32)
    else:
        pytest.fail("some game has not ended")


def test_a_function_of_one_game_of_many_and_of_many_times_many_give_the_same() -> None:
    env = JaxEnv("shock", players=3)
    init, step = functions(env)
    many = step(init(keys()), init(keys()).legal_action_mask.argmax(axis=1))
    for i in range(N):
        state = env.init(keys()[i])
        one = env.step(state, state.legal_action_mask.argmax())
        assert equal(one, jax.tree.map(lambda x, i=i: x[i], many))
    nested = jax.vmap(jax.vmap(env.init))(keys().reshape(2, 2))
    assert nested.observation.shape == (2, 2, *env.observation_shape)
    assert equal(jax.tree.map(lambda x: x.reshape(N, *x.shape[2:]), nested), init(keys()))


def test_a_state_can_be_played_on_more_than_once() -> None:
    """A step changes no state: a search tries several actions of the same one."""
    env = JaxEnv("shokoba", players=2)
    init, step = functions(env)
    state = init(keys())
    before = jax.tree.map(jnp.copy, state)
    first = step(state, state.legal_action_mask.argmax(axis=1))
    last = step(state, env.num_actions - 1 - state.legal_action_mask[:, ::-1].argmax(axis=1))
    assert equal(state, before)
    assert equal(step(state, state.legal_action_mask.argmax(axis=1)), first)
    assert not equal(first, last)


def test_whole_games_in_one_compiled_loop() -> None:
    env = JaxEnv("poison", players=3)

    def play(key: Any) -> Any:
        def move(state: JaxState, key: Any) -> tuple[JaxState, Any]:
            luck = jax.random.uniform(key, state.legal_action_mask.shape)
            state = jax.vmap(env.step)(state, (state.legal_action_mask * luck).argmax(axis=1))
            return state, state.rewards

        return jax.lax.scan(move, jax.vmap(env.init)(keys()), jax.random.split(key, 160))

    state, rewards = jax.jit(play)(jax.random.key(3))
    assert state.terminated.all()
    assert np.asarray(rewards.sum(axis=(0, 2))) == pytest.approx(np.ones(N))


def test_what_any_seat_sees() -> None:
    env = JaxEnv("shock", players=3)
    init, _ = functions(env)
    state, batch = init(keys()), batch_of("shock", keys(), players=3)
    for seat in range(3):
        seen = jax.jit(jax.vmap(env.observe, in_axes=(0, None)))(state, seat)
        assert (seen == batch.observations(seat)).all()
    seats = jnp.array([0, 1, 2, 0])
    mixed = jax.vmap(env.observe)(state, seats)
    assert all((mixed[i] == batch.observations(int(s))[i]).all() for i, s in enumerate(seats))


@pytest.mark.parametrize("action", [-1, 48, 10**6, None])
def test_an_illegal_action_ends_the_game(action: int | None) -> None:
    env = JaxEnv("poison", players=4, illegal_reward=-2)
    init, step = functions(env)
    state = init(keys())
    actions = state.legal_action_mask.argmax(axis=1)
    wrong = int(state.legal_action_mask[1].argmin()) if action is None else action
    after = step(state, actions.at[1].set(wrong))
    expected = np.zeros((N, 4))
    expected[1, state.current_player[1]] = -2
    assert (after.rewards == expected).all()
    assert after.terminated.tolist() == [False, True, False, False]
    assert not after.legal_action_mask[1].any()
    again = step(after, after.legal_action_mask.argmax(axis=1))
    assert again.terminated[1] and not again.rewards[1].any()
    assert (again.game_bytes[1] == after.game_bytes[1]).all()


def test_keys_decide_the_cards() -> None:
    env = JaxEnv("poison")
    init, _ = functions(env)
    assert equal(init(keys(seed=5)), init(keys(seed=5)))
    assert not equal(init(keys(seed=5)), init(keys(seed=6)))
    assert len(np.unique(np.asarray(init(keys(64)).game_bytes), axis=0)) == 64


def test_the_fields_are_those_of_pgx() -> None:
    names = [field.name for field in dataclasses.fields(JaxState)]
    assert names[:6] == [
        *("current_player", "observation", "rewards"),
        *("terminated", "truncated", "legal_action_mask"),
    ]
    state = JaxEnv("poison").init(jax.random.key(1))
    assert state.replace(truncated=jnp.array(True)).truncated
    assert not state.truncated


def test_bad_input() -> None:
    with pytest.raises(Fault, match="no game is called chess"):
        JaxEnv("chess")
    with pytest.raises(BadOption, match="POI-03"):
        JaxEnv("poison", players=9)
