"""The CUDA kernels of a batch: one thread per game.

Kernels call the game's rules through the slots of `contract`, and get at its records through
`memory`. They are ordinary Python functions: `launch` links and compiles them for one game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import cuda, uint32

from theriac.engine.array_loops import NO_ACTION, random_action, write_rewards
from theriac.engine.chance import ChanceState
from theriac.engine.contract import NATURE, NOBODY, deal, play, result
from theriac.engine.gpu.layout import WARP_SIZE
from theriac.engine.gpu.masks import bits_to_bytes, mark_legal_moves, state_for_listing
from theriac.engine.gpu.memory import Words, memory
from theriac.engine.loops import (
    act,
    advance,
    draw,
    observe_from,
    open_game,
    random_move,
    start_game,
    viewer,
    write_scores,
)
from theriac.engine.records import Features, Floats, Ints, Moves, Options, Records, State
from theriac.engine.rule import rule, slot

#: In whole games, turns between two deals of a warp: see `play_to_end`.
DEAL_EVERY: Final = 3


def start_batch(
    states: Words,
    chances: Words,
    options: Records[Options],
    key: int,
    numbers: Words,
    chosen: npt.NDArray[np.uint8],
) -> None:
    """Start game number numbers[i] at each index i that is chosen."""
    i = cuda.grid(1)
    n = len(numbers)
    if i < n and chosen[i] != 0:
        g = memory.load_state(states, i)
        chance = memory.load_chance(chances, i)
        start_game(g, options[i % len(options)], chance, key, numbers[i])
        memory.write_back(g)
        memory.write_back(chance)


# Steps


class Buffers(NamedTuple):
    """The records of a batch in global memory, or of a block in shared memory."""

    states: Words
    chances: Words


class Actions(NamedTuple):
    """What is to be played: `chosen` has one action per game, a number below `limit`."""

    limit: int
    chosen: Words


class Restart(NamedTuple):
    """How a finished game is followed by the next of its index, if `enabled`."""

    options: Records[Options]
    key: int
    enabled: int


class Episodes(NamedTuple):
    """Per game: its number, the payoffs of a game that has just ended, and whether one has."""

    numbers: Words
    rewards: npt.NDArray[np.float32]
    ended: npt.NDArray[np.uint8]


class StepArguments(NamedTuple):
    """The arguments of `step_batch`; `move_table` is that of `move_hash`."""

    move_table: Words
    actions: Actions
    clauses: Words
    restart: Restart
    episodes: Episodes


@rule
def deal_and_restart(
    g: State, chance: ChanceState, options: Options, restart: Restart, i: int, episodes: Episodes
) -> None:
    """Deal the cards that game i waits for. Where it is over, before or after that, and restarts
    are enabled: record its payoffs and start the next game of its index.

    One loop does both, so that lanes that restart converge with lanes that are dealt a new round.
    """
    while g.to_act == NATURE or (restart.enabled and g.to_act == NOBODY):
        if g.to_act == NOBODY:
            episodes.ended[i] = write_rewards(g, episodes.rewards[i])
            episodes.numbers[i] += len(episodes.numbers)
            open_game(g, options, chance, restart.key, episodes.numbers[i])
        if g.to_act == NATURE:
            deal(g, draw(g, chance))


@rule
def take_step(g: State, chance: ChanceState, i: int, step: StepArguments) -> int:
    """Play the action chosen in game i, if it is legal, and deal; else return the clause that
    forbids it.
    """
    actions, restart, episodes = step.actions, step.restart, step.episodes
    clause = NO_ACTION
    if 0 <= actions.chosen[i] < actions.limit:
        clause = act(g, step.move_table, actions.chosen[i])
    if restart.enabled:
        episodes.ended[i] = 0
        for seat in range(episodes.rewards.shape[1]):
            episodes.rewards[i, seat] = 0.0
    options = restart.options[i % len(restart.options)]
    deal_and_restart(g, chance, options, restart, i, episodes)
    return clause


@slot
def step_block(i: int, batch: Buffers, shared: Buffers, step: StepArguments) -> None:
    """Take one step in the games of a block: `step_in_shared` or `step_in_global`."""


@rule
def step_in_shared(i: int, batch: Buffers, shared: Buffers, step: StepArguments) -> None:
    """Stage the warp tile in shared memory with coalesced loads, step there, and copy it back.
    Cold fields stay in global memory.
    """
    memory.stage_states(batch.states, shared.states, i)
    memory.stage_chances(batch.chances, shared.chances, i)
    cuda.syncthreads()
    if i < len(step.clauses):
        stored = memory.load_state(batch.states, i)
        stored_chance = memory.load_chance(batch.chances, i)
        lanes = memory.step_lanes
        g = memory.step_state(shared.states, lanes, i % lanes, batch.states, i)
        chance = memory.chance_in(shared.chances, lanes, i % lanes)
        memory.copy_scalars(stored, g)
        memory.copy_scalars(stored_chance, chance)
        step.clauses[i] = take_step(g, chance, i, step)
        memory.copy_scalars(g, stored)
        memory.copy_scalars(chance, stored_chance)
        memory.write_back(stored)
        memory.write_back(stored_chance)
    cuda.syncthreads()
    memory.unstage_states(batch.states, shared.states, i)
    memory.unstage_chances(batch.chances, shared.chances, i)


@rule
def step_in_global(i: int, batch: Buffers, shared: Buffers, step: StepArguments) -> None:
    """Step in global memory: for games of which a warp tile does not fit shared memory."""
    if i < len(step.clauses):
        g = memory.load_state(batch.states, i)
        chance = memory.load_chance(batch.chances, i)
        step.clauses[i] = take_step(g, chance, i, step)
        memory.write_back(chance)
        memory.write_back(g)


def step_batch(
    first: int,
    states: Words,
    chances: Words,
    move_table: Words,
    count: int,
    chosen: Words,
    clauses: Words,
    options: Records[Options],
    key: int,
    auto_reset: int,
    numbers: Words,
    rewards: npt.NDArray[np.float32],
    ended: npt.NDArray[np.uint8],
) -> None:
    """Play an action in each game from index `first`, if it is legal, and deal; else record the
    clause that forbids it. With `auto_reset` a finished game is followed by the next of its index.
    """
    i = first + cuda.grid(1)
    shared_states = cuda.shared.array(memory.step_state_words, np.int64, memory.alignment)
    shared_chances = cuda.shared.array(memory.step_chance_words, np.int64, memory.alignment)
    step = StepArguments(
        move_table,
        Actions(count, chosen),
        clauses,
        Restart(options, key, auto_reset),
        Episodes(numbers, rewards, ended),
    )
    step_block(i, Buffers(states, chances), Buffers(shared_states, shared_chances), step)


# Legal moves


def choose_batch(
    first: int, states: Words, chances: Words, move_table: Words, actions: Words
) -> None:
    """Draw a legal action of each game, uniformly; 0 where the game is over."""
    i = first + cuda.grid(1)
    n = len(actions)
    buffer = cuda.shared.array(memory.listing_words, np.int64)
    if i < n:
        g = state_for_listing(memory.load_state(states, i), buffer)
        chance = memory.load_chance(chances, i)
        moves = memory.local_moves()
        actions[i] = random_action(g, chance, move_table, moves)
        memory.write_back(chance)


def mark_batch(
    first: int, states: Words, n: int, move_table: Words, count: int, words: Words
) -> None:
    """The legal moves of each game as a mask over all actions, one byte per action; `words` are
    the masks of all games, one after the other.

    A block sets bits in dynamic shared memory first: for all its games, or in several passes where
    they do not fit. Then its threads write the bytes, coalesced and eight at a time.
    """
    lane = cuda.threadIdx.x
    i = first + cuda.grid(1)
    marks = cuda.shared.array(0, uint32)
    buffer = cuda.shared.array(memory.listing_words, np.int64)
    moves = memory.local_mask_moves()
    bits = memory.unchecked(marks)
    masks = memory.unchecked(words)
    bits_per_pass = 32 * len(marks)
    for begin in range(0, WARP_SIZE * count, bits_per_pass):
        for k in range(lane, len(marks), WARP_SIZE):
            bits[k] = 0
        cuda.syncthreads()
        if i < n:
            g = state_for_listing(memory.load_state(states, i), buffer)
            mark_legal_moves(g, move_table, marks, lane * count - begin, moves)
        cuda.syncthreads()
        words_in_pass = min(bits_per_pass, WARP_SIZE * count - begin) // 8
        words_before = ((i - lane) * count + begin) // 8
        shift = 8 * (lane & 3)  # a thread always expands the same byte of a word of marks
        for k in range(lane, min(words_in_pass, len(words) - words_before), WARP_SIZE):
            masks[words_before + k] = bits_to_bytes((int(bits[k >> 2]) >> shift) & 255)
        cuda.syncthreads()


# Observations and results


def observe_batch(first: int, states: Words, seat: int, out: Features) -> None:
    """What a seat, or ACTOR, sees in each game, as numbers; `out` is column-major."""
    i = first + cuda.grid(1)
    n = len(out)
    buffer = memory.local_view()
    if memory.view_lanes > 1:
        buffer = cuda.shared.array(memory.view_words, np.int64)
    if i < n:
        lanes = memory.view_lanes
        v = memory.view_in(buffer, lanes, cuda.threadIdx.x % lanes, states, i)
        g = memory.load_state(states, i)
        observe_from(g, viewer(g, seat), v, memory.feature_row(out, n, i))


def score_batch(
    states: Words,
    players: int,
    scores: Ints,
    results: Floats,
) -> None:
    """The points and payoffs of each game."""
    i = cuda.grid(1)
    n = len(scores)
    if i < n:
        write_scores(memory.load_state(states, i), players, scores[i], results[i])


def to_act_batch(states: Words, seats: npt.NDArray[np.int16]) -> None:
    """The seat to act in each game."""
    i = cuda.grid(1)
    n = len(seats)
    if i < n:
        seats[i] = memory.load_state(states, i).to_act


# Whole games


@rule
def play_to_end(g: State, chance: ChanceState, moves: Moves) -> int:
    """The same as `loops.playout`, arranged so that the lanes of a warp converge: all games that
    wait for cards are dealt to, then all games play a move. Dealing takes long, so games wait for
    cards up to DEAL_EVERY turns, until more of their warp do.
    """
    made = 0
    turn = 0
    while g.to_act != NOBODY:
        if turn % DEAL_EVERY == 0:
            advance(g, chance)
        if g.to_act >= 0:
            play(g, random_move(g, chance, moves))
            made += 1
        turn += 1
    return made


def play_out_batch(states: Words, chances: Words, made: Words) -> None:
    """Play each game at random to its end; record how many moves that took.

    The barrier before the copy back works around ptxas 13.0: a lane that still played found in a
    warp-uniform register what is loaded there only after the last move.
    """
    i = cuda.grid(1)
    n = len(made)
    lanes = memory.playout_lanes
    lane = cuda.threadIdx.x % lanes
    state_buffer = memory.local_state()
    chance_buffer = memory.local_chance()
    if memory.playout_lanes > 1:
        state_buffer = cuda.shared.array(memory.playout_state_words, np.int64, memory.alignment)
        chance_buffer = cuda.shared.array(memory.playout_chance_words, np.int64, memory.alignment)
    moves = memory.local_moves()
    g = memory.playout_state(state_buffer, lanes, lane)
    chance = memory.chance_in(chance_buffer, lanes, lane)
    if i < n:
        memory.copy_record(memory.load_state(states, i), g)
        memory.copy_record(memory.load_chance(chances, i), chance)
        made[i] = play_to_end(g, chance, moves)
    cuda.syncthreads()
    if i < n:
        stored = memory.load_state(states, i)
        stored_chance = memory.load_chance(chances, i)
        memory.copy_record(g, stored)
        memory.copy_record(chance, stored_chance)
        memory.write_back(stored)
        memory.write_back(stored_chance)


def play_games_batch(
    options: Records[Options], key: int, first: int, games: int, made: Words, results: Floats
) -> None:
    """Play `games` whole games at each index, and sum their moves and payoffs."""
    i = cuda.grid(1)
    n = len(made)
    lanes = memory.playout_lanes
    lane = cuda.threadIdx.x % lanes
    state_buffer = memory.local_state()
    chance_buffer = memory.local_chance()
    if memory.playout_lanes > 1:
        state_buffer = cuda.shared.array(memory.playout_state_words, np.int64, memory.alignment)
        chance_buffer = cuda.shared.array(memory.playout_chance_words, np.int64, memory.alignment)
    moves = memory.local_moves()
    if i < n:
        g = memory.playout_state(state_buffer, lanes, lane)
        chance = memory.chance_in(chance_buffer, lanes, lane)
        total = 0
        number = first + i
        while number < first + games * n:  # lanes start together and so stay close to each other
            open_game(g, options[i % len(options)], chance, key, number)
            total += play_to_end(g, chance, moves)
            for seat in range(results.shape[1]):
                results[i, seat] += result(g, seat)
            number += n
        made[i] = total


# Arrays


def clear_words(words: Words) -> None:
    """Fill with zeros."""
    i = cuda.grid(1)
    if i < len(words):
        words[i] = 0


def convert_all(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy numbers of one type to an array of another."""
    i = cuda.grid(1)
    if i < len(target):
        target[i] = source[i]
