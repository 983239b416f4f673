"""Playouts by the reference policy, for the values of positions.

The *reference policy* (`engine.reference_policy`) plays the move that `advise` rates best, or a
slip. The value of a position is the payoff to expect when all seats play by it.

A playout stops at the end of its round or of the game, in an *end*. Different playouts reach the
same ends, so ends are kept in a table, and the value of an end that is not the end of the game is
estimated once for all of them, by playing on from it. Where playouts share no ends, the caller lets
them run to the end of the game (`rounds` = 0): then an end is a final result.

Random numbers: playout number i of a position has its own streams, one for nature and one for the
policy. Positions and moves that are compared have the same streams, and the policy's random numbers
depend on how many moves have been made, so that equal games stay equal (common random numbers).

The caller owns all memory.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from theriac.engine.chance import COUNTER, ChanceState, Stream, mix, seed_stream
from theriac.engine.contract import NOBODY, imagine, play, prospect, result, score
from theriac.engine.loops import forget_packs
from theriac.engine.records import (
    Floats,
    Ints,
    Moves,
    Records,
    State,
    View,
    record,
    records_over,
)
from theriac.engine.reference_policy import WORDS, choose_by_policy
from theriac.engine.rows import copy_row
from theriac.engine.rule import rule
from theriac.engine.search import NO_LIMIT, advance_to_decision, limit_after
from theriac.engine.shape import Shape

#: Random numbers of the policy that are set aside for one move.
WORDS_PER_MOVE: Final = 256
#: Streams that are set aside for the playouts from one end.
_STREAMS_PER_END: Final = 1 << 32
#: Payoffs are distinguished to this precision.
_PAYOFF_UNIT: Final = 1 << 32

#: The columns of `EndTable.sums`.
PAYOFF: Final = 0
PAYOFF_SQUARED: Final = 1
POINTS: Final = 2
POINTS_SQUARED: Final = 3
SUMS: Final = 4

COUNTS: Final = np.dtype([("ends", np.int64), ("moves", np.int64)], align=True)


class Counts(Protocol):
    """A record of COUNTS: ends in the table, and moves played so far."""

    ends: int
    moves: int


class EndTable(NamedTuple):
    """The ends that playouts have reached, each once, and what was found out about them.

    `slots` is a hash table with open addressing, from an end to its index + 1: 0 is empty.
    """

    #: Each end: its STATE as words, or the final result with a 1 in the last word.
    rows: Ints
    slots: npt.NDArray[np.int32]
    #: How often each end was played to the end of the game; 1 for a final result.
    visits: Ints
    #: For each end and seat the sums over these visits.
    sums: Floats
    #: For each end its round, and for each seat its `prospect` and its points at this end.
    rounds: Ints
    prospects: Floats
    points: Floats
    counts: Counts

    @classmethod
    def of(cls, shape: Shape, players: int, capacity: int) -> EndTable:
        """An empty table for `capacity` ends (a power of two) of games with `players` players."""
        return cls(
            rows=np.zeros((capacity, words_of(shape)), np.int64),
            slots=np.zeros(2 * capacity, np.int32),
            visits=np.zeros(capacity, np.int64),
            sums=np.zeros((capacity, players, SUMS)),
            rounds=np.zeros(capacity, np.int64),
            prospects=np.zeros((capacity, players)),
            points=np.zeros((capacity, players)),
            counts=record(COUNTS),
        )


class ValuationBuffers(NamedTuple):
    """Scratch buffers, overwritten by every playout."""

    #: The state that is played, and the same memory as words.
    states: Records[State]
    words: Ints
    #: An imagined state, before the moves that are compared.
    imagined: Ints
    #: The end to look up, and the same memory as bytes.
    end: Ints
    end_bytes: npt.NDArray[np.uint8]
    #: Where a STATE may hold values that do not count: see `leftovers_of`.
    leftovers: Ints
    chance: ChanceState
    policy: Stream
    advise_view: View
    moves: Moves
    advice: Floats
    #: How often the policy slips: see `engine.reference_policy`.
    slip_words: int

    @classmethod
    def of(cls, shape: Shape, slip: float = 0.0) -> ValuationBuffers:
        """Buffers of the sizes of a game, and how often the policy slips."""
        words = np.zeros(words_of(shape), np.int64)
        end = np.zeros_like(words)
        return cls(
            states=records_over(words, shape.state),
            words=words,
            imagined=np.zeros_like(words),
            end=end,
            end_bytes=end.view(np.uint8),
            leftovers=leftovers_of(shape),
            chance=record(shape.chance),
            policy=np.zeros(3, np.int64),
            advise_view=record(shape.view),
            moves=np.zeros(shape.moves, np.int64),
            advice=np.zeros(shape.moves),
            slip_words=round(slip * WORDS),
        )


def words_of(shape: Shape) -> int:
    """The length of a row that holds a STATE or a final result, with one word that says which."""
    return max(-(-shape.state.itemsize // 8), 2 * shape.players) + 1


def leftovers_of(shape: Shape) -> Ints:
    """The places in a STATE where elements may not count (`Shape.sized`), one row per sized array.

    A row has the first byte of the array, the size of an element, the number of elements, and the
    byte that says how many of them count.
    """
    found: list[tuple[int, int, int, int]] = []
    for name, size in shape.sized.items():
        (field, start), (counter, at) = (_place(shape.state, each) for each in (name, size))
        length, item = field.shape[-1], field.base.itemsize
        found += [
            (start + i * length * item, item, length, at + i * counter.base.itemsize)
            for i in range(int(np.prod(field.shape[:-1])))
        ]
    return np.array(found, np.int64).reshape(-1, 4)


def _place(dtype: np.dtype[Any], field: str) -> tuple[np.dtype[Any], int]:
    """The type of a field, and its first byte."""
    fields = dtype.fields
    assert fields is not None
    kind, offset = fields[field][:2]
    return kind, offset


# Entry points


@rule
def follow_all(
    starts: Ints,
    ages: Ints,
    limits: Ints,
    key: int,
    first: int,
    table: EndTable,
    buffers: ValuationBuffers,
    ends: npt.NDArray[np.int32],
) -> int:
    """Play from every start, once per row of `ends`, and write which end was reached.

    `ages` says how many moves were made before each start, and `limits` in which round its playouts
    stop: at once, if it is the round of the start. Row i has the random numbers of playout
    first + i. Returns the number of complete rows: fewer than all if the table is full.
    """
    g = buffers.states[0]
    for i in range(len(ends)):
        for k in range(len(starts)):
            copy_row(starts[k], buffers.words)
            seed_playout(buffers, key, 2 * (first + i))
            ends[i, k] = follow_to_end(g, ages[k], limits[k], table, buffers)
            if ends[i, k] < 0:
                return i
    return len(ends)


@rule
def imagine_and_follow_all(
    view: View,
    tried: Moves,
    in_turn: Moves,
    age: int,
    key: int,
    first: int,
    rounds: int,
    table: EndTable,
    buffers: ValuationBuffers,
    ends: npt.NDArray[np.int32],
) -> int:
    """Imagine a state for every row of `ends`, try each move in it, and play on.

    Writes which end each move reached. If `ends` has one more column, that is for one of the moves
    `in_turn`. Returns the number of complete rows: fewer than all if the table is full.
    """
    g = buffers.states[0]
    for i in range(len(ends)):
        seed_stream(buffers.chance.random, key, 3 * (first + i) + 2)
        imagine(view, buffers.chance.random, g)
        limit = limit_after(g.rounds, rounds)
        copy_row(buffers.words, buffers.imagined)
        for k in range(ends.shape[1]):
            copy_row(buffers.imagined, buffers.words)
            seed_playout(buffers, key, 3 * (first + i))
            move = tried[k] if k < len(tried) else in_turn[(first + i) % len(in_turn)]
            play(g, move)
            table.counts.moves += 1
            ends[i, k] = follow_to_end(g, age + 1, limit, table, buffers)
            if ends[i, k] < 0:
                return i
    return len(ends)


@rule
def finish_all(
    which: Ints, times: Ints, key: int, table: EndTable, buffers: ValuationBuffers
) -> None:
    """Play on from ends to the end of the game, each `times` times, and add up the results."""
    g = buffers.states[0]
    for i in range(len(which)):
        end = which[i]
        for _ in range(times[i]):
            copy_row(table.rows[end], buffers.words)
            seed_playout(buffers, key, 2 * (end * _STREAMS_PER_END + table.visits[end]))
            table.counts.moves += follow_policy(g, buffers, 0, NO_LIMIT)
            add_result(g, table, end)


@rule
def rehash_all(table: EndTable) -> None:
    """Enter all ends into empty slots, after the table has grown."""
    for end in range(table.counts.ends):
        slot = find_slot(table.rows[end], table)
        table.slots[slot] = end + 1


# One playout


@rule
def seed_playout(buffers: ValuationBuffers, key: int, stream: int) -> None:
    """Start the streams of nature and of the policy, numbers `stream` and `stream` + 1."""
    seed_stream(buffers.chance.random, key, stream)
    seed_stream(buffers.policy, key, stream + 1)
    forget_packs(buffers.chance)


@rule
def follow_policy(g: State, buffers: ValuationBuffers, age: int, round_limit: int) -> int:
    """Play by the reference policy up to the limit; returns the number of moves played."""
    played = 0
    while advance_to_decision(g, buffers.chance, round_limit):
        buffers.policy[COUNTER] = (age + played) * WORDS_PER_MOVE
        play(g, choose_in_playout(g, buffers))
        played += 1
    return played


@rule
def choose_in_playout(g: State, buffers: ValuationBuffers) -> int:
    """The move of the policy."""
    return choose_by_policy(
        g, buffers.slip_words, buffers.advise_view, buffers.policy, buffers.moves, buffers.advice
    )


@rule
def follow_to_end(
    g: State, age: int, round_limit: int, table: EndTable, buffers: ValuationBuffers
) -> int:
    """Play by the reference policy to an end; returns what `enter_end` does."""
    table.counts.moves += follow_policy(g, buffers, age, round_limit)
    return enter_end(g, table, buffers)


# Ends


@rule
def enter_end(g: State, table: EndTable, buffers: ValuationBuffers) -> int:
    """The index of the end that a playout has reached; -1 if it is new and the table is full."""
    over = g.to_act == NOBODY
    if over:
        write_result(g, table.sums.shape[1], buffers.end)
    else:
        copy_row(buffers.words, buffers.end)
        clear_leftovers(buffers.leftovers, buffers.end_bytes)
    slot = find_slot(buffers.end, table)
    if table.slots[slot] != 0:
        return table.slots[slot] - 1
    end = table.counts.ends
    if end == len(table.rows):
        return -1
    table.counts.ends = end + 1
    table.slots[slot] = end + 1
    copy_row(buffers.end, table.rows[end])
    table.rounds[end] = g.rounds
    for seat in range(table.sums.shape[1]):
        table.prospects[end, seat] = prospect(g, seat)
        table.points[end, seat] = score(g, seat)
    if over:
        add_result(g, table, end)
    return end


@rule
def write_result(g: State, players: int, end: Ints) -> None:
    """Of a finished game only the points and payoffs count."""
    last = len(end) - 1
    for i in range(last):
        end[i] = 0
    end[last] = 1
    for seat in range(players):
        end[2 * seat] = score(g, seat)
        end[2 * seat + 1] = int(result(g, seat) * _PAYOFF_UNIT)


@rule
def clear_leftovers(leftovers: Ints, memory: npt.NDArray[np.uint8]) -> None:
    """Clear the elements of sized arrays that do not count."""
    for i in range(len(leftovers)):
        start, item = leftovers[i, 0], leftovers[i, 1]
        length, size_at = leftovers[i, 2], leftovers[i, 3]
        for byte in range(start + int(memory[size_at]) * item, start + length * item):
            memory[byte] = 0


@rule
def find_slot(end: Ints, table: EndTable) -> int:
    """The slot of an end, or the empty one where it would be entered."""
    last = len(table.slots) - 1
    slot = hash_words(end) & last
    while table.slots[slot] != 0 and not same_words(end, table.rows[table.slots[slot] - 1]):
        slot = (slot + 1) & last
    return slot


@rule
def hash_words(words: Ints) -> int:
    """A 32-bit hash of a row of words."""
    found = 0
    for i in range(len(words)):
        found = mix(mix(words[i] ^ found, 0x85EBCA6B) ^ (words[i] >> 32), 0xC2B2AE35)
    return found


@rule
def same_words(one: Ints, other: Ints) -> bool:
    """Are two rows of words equal?"""
    for i in range(len(one)):
        if one[i] != other[i]:
            return False
    return True


@rule
def add_result(g: State, table: EndTable, end: int) -> None:
    """Add the payoffs and points of a finished game to the sums of an end."""
    table.visits[end] += 1
    for seat in range(table.sums.shape[1]):
        payoff = result(g, seat)
        points = float(score(g, seat))
        table.sums[end, seat, PAYOFF] += payoff
        table.sums[end, seat, PAYOFF_SQUARED] += payoff * payoff
        table.sums[end, seat, POINTS] += points
        table.sums[end, seat, POINTS_SQUARED] += points * points
