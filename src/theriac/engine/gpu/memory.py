"""`Memory`: where a game's records lie on a GPU. Kernels are compiled against one instance of it.

A kernel works on three kinds of records: states, chance states and views. In *global memory* a
batch keeps states and chance states as a struct of arrays (see `layout`). While a kernel works on a
game, it may keep a copy in a *workspace*: in shared memory, where the records of a block's threads
are interleaved, or in a thread's local memory. `plan.MemoryPlan` chooses, and builds the `Memory`.

Kernels name one global, `memory`, a slot that is filled when the kernels of a game are built (see
`rule.Linker`). Numba resolves its attributes at compile time (`numba_memory`), so they cost
nothing at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from theriac.engine.chance import ChanceState
from theriac.engine.records import Features, Moves, Record, State, View
from theriac.engine.rule import value_slot

#: A buffer of 8-byte words, in global, shared or local memory.
Words: TypeAlias = npt.NDArray[np.int64]
#: An array field of a record, or another row of numbers: indexed like an array.
Row: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class Memory:
    """How the kernels of one game get at its records.

    `lanes` is how many games share a buffer: the threads of a block in shared memory, 1 in local
    memory. `lane` is the index of a game among them. Buffer sizes are in 8-byte words.
    """

    # Records in global memory

    load_state: Callable[[Words, int], State]
    """``(states, i)``: the state of game i. Its scalar fields are loaded into registers."""
    load_chance: Callable[[Words, int], ChanceState]
    """``(chances, i)``: the chance state of game i, in the same way."""
    write_back: Callable[[Record], None]
    """``(record)``: store the scalars of a loaded record to global memory."""
    copy_record: Callable[[Record, Record], None]
    """``(source, target)``: copy all fields that both records have."""
    copy_scalars: Callable[[Record, Record], None]
    """``(source, target)``: copy the scalar fields that both records have."""

    # Whole games: workspaces in shared memory, or in local memory where `playout_lanes` is 1

    playout_state: Callable[[Words, int, int], State]
    """``(buffer, lanes, lane)``: a state with the fields that playing a game uses."""
    chance_in: Callable[[Words, int, int], ChanceState]
    """``(buffer, lanes, lane)``: a chance state."""
    playout_lanes: int
    """Games of a block that share a buffer."""
    playout_state_words: int
    """Shared memory of a block for states."""
    playout_chance_words: int
    """Shared memory of a block for chance states."""
    local_state: Callable[[], Words]
    """A thread's local buffer for a state."""
    local_chance: Callable[[], Words]
    """A thread's local buffer for a chance state."""

    # One step: the hot fields of a warp tile are staged in shared memory

    step_state: Callable[[Words, int, int, Words, int], State]
    """``(buffer, lanes, lane, states, i)``: the state of game i with its hot fields in the buffer
    and its cold fields in global memory."""
    stage_states: Callable[[Words, Words, int], None]
    """``(states, buffer, i)``: copy the hot fields of the warp tile of game i to shared memory.
    Every thread of the warp calls it."""
    unstage_states: Callable[[Words, Words, int], None]
    """``(states, buffer, i)``: copy them back."""
    stage_chances: Callable[[Words, Words, int], None]
    """``(chances, buffer, i)``: the same for chance states."""
    unstage_chances: Callable[[Words, Words, int], None]
    """``(chances, buffer, i)``: copy them back."""
    step_lanes: int
    """Games of a block that share a buffer."""
    step_state_words: int
    """Shared memory of a block for states."""
    step_chance_words: int
    """Shared memory of a block for chance states."""

    # Lists of legal moves

    listing_state: Callable[[Words, int, int], State]
    """``(buffer, lanes, lane)``: a state with the fields that listing moves uses."""
    listing_words: int
    """Shared memory of a block for such states."""
    local_moves: Callable[[], Moves]
    """A thread's local buffer for a list of moves, to pick one of them."""
    local_mask_moves: Callable[[], Moves]
    """A thread's local buffer for a list of moves, to make a mask of them."""
    move_window: Callable[[Moves, int], Moves]
    """``(buffer, first)``: a list that keeps only the moves from index `first` that fit."""
    move_marker: Callable[..., Moves]
    """``(mark, g, move_table, marks, offset)``: a list that keeps nothing. Each move written to it
    is passed to ``mark(g, move_table, marks, offset, move)``."""

    # Observations

    view_in: Callable[[Words, int, int, Words, int], View]
    """``(buffer, lanes, lane, states, i)``: a blank view of game i. Its aliased fields are read
    from the state in global memory; writing to them does nothing."""
    view_lanes: int
    """Games of a block that share a buffer."""
    view_words: int
    """Shared memory of a block for views."""
    local_view: Callable[[], Words]
    """A thread's local buffer for a view."""
    feature_row: Callable[[Features, int, int], Features]
    """``(out, n, i)``: the features of game i of n, in a column-major array."""

    # Rows

    copy_row: Callable[[Row, Row], None]
    """``(source, target)``: copy a row. All of a part is loaded before any of it is stored."""
    unchecked: Callable[[Row], Row]
    """``(array)``: a one-dimensional array whose negative indices do not wrap around."""
    alignment: int | None
    """Alignment of shared memory in bytes; None in the simulator, which has no such argument."""


#: The memory of the game whose kernels are compiled.
memory: Memory = value_slot("memory")
