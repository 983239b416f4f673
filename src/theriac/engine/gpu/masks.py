"""Device code for lists of legal moves and for masks over all actions."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import cuda

from theriac.engine.chance import scale
from theriac.engine.contract import action_of, list_legal
from theriac.engine.gpu.layout import WARP_SIZE
from theriac.engine.gpu.memory import Row, Words, memory
from theriac.engine.records import Moves, State
from theriac.engine.rule import rule, slot

#: Moves of a list that fit its buffer in local memory.
WINDOW: Final = 256


@rule
def pick_in_windows(g: State, moves: Moves, word: int) -> int:
    """The `pick_legal` of a game that has none of its own. Where the move picked lies beyond the
    buffer, the moves are listed again and another part of them is kept.
    """
    first = 0
    while True:
        window = memory.move_window(moves, first)
        n = scale(word, list_legal(g, window))
        if n < first + WINDOW:
            return window[n]
        first = n


@slot
def mark_legal_moves(g: State, move_table: Words, marks: Row, offset: int, moves: Moves) -> None:
    """Set the bits of all legal moves: `mark_while_listing` or `mark_from_list`."""


@rule
def mark_while_listing(g: State, move_table: Words, marks: Row, offset: int, moves: Moves) -> None:
    """Set the bit of each legal move when it is listed. No list is kept."""
    if g.to_act >= 0:
        list_legal(g, memory.move_marker(mark_move, g, move_table, marks, offset))


@rule
def mark_from_list(g: State, move_table: Words, marks: Row, offset: int, moves: Moves) -> None:
    """List the legal moves first, then set their bits.

    For games whose lists are long and whose moves are looked up by hash. Lanes find moves at
    different times: with a list between, a warp does all its look-ups together.
    """
    first = 0
    total = 1
    while first < total and g.to_act >= 0:
        window = memory.move_window(moves, first)
        total = list_legal(g, window)
        for i in range(first, min(first + WINDOW, total)):
            mark_move(g, move_table, marks, offset, window[i])
        first += WINDOW


@rule
def mark_move(g: State, move_table: Words, marks: Row, offset: int, move: int) -> None:
    """Set the bit of a legal move. `offset` is the bit of action 0; bits beyond `marks` belong to
    another pass.
    """
    bit = offset + int(action_of(g, move_table, move))
    if 0 <= bit < 32 * len(marks):
        cuda.atomic.or_(marks, bit >> 5, np.uint32(1 << (bit & 31)))


@rule
def bits_to_bytes(bits: int) -> int:
    """Eight bits as eight bytes of 0 or 1, the lowest first.

    The product adds seven copies, each shifted by seven more bits: bit i of copy i is the lowest
    of byte i.
    """
    return (((bits & 127) * 0x0002040810204081) & 0x0101010101010101) | ((bits >> 7) << 56)


@slot
def state_for_listing(stored: State, buffer: Words) -> State:
    """The state that moves are listed from: `copy_for_listing` or `list_from_global`."""
    return stored


@rule
def copy_for_listing(stored: State, buffer: Words) -> State:
    """A copy in shared memory of the fields that listing reads: they are loaded together."""
    g = memory.listing_state(buffer, WARP_SIZE, cuda.threadIdx.x)
    memory.copy_record(stored, g)
    return g


@rule
def list_from_global(stored: State, buffer: Words) -> State:
    """The state where it lies, in global memory."""
    return stored
