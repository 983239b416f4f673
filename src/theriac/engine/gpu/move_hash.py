"""A hash table from moves to action numbers.

On the CPU an action number is found in the sorted catalogue by binary search. On a GPU that would
be eleven dependent loads; an open-addressing hash table takes two, most of the time. Where every
number from 0 is a move, as with the usual decks of some games, the table is empty and an action is
its move.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from theriac.engine.gpu.memory import Words
from theriac.engine.records import Moves, State
from theriac.engine.rule import rule

#: In an empty slot of the table, instead of a move.
_EMPTY: Final = -1
_MASK_32: Final = 0xFFFFFFFF


def hash_moves(catalogue: Moves) -> Words:
    """The table as one array: its number of slots minus one; the slots, each a move and its
    action; then the catalogue, to look up the move of an action.

    Collisions go to the next free slot. Three quarters of the slots are empty.
    """
    if np.array_equal(catalogue, np.arange(len(catalogue))):
        return np.zeros(0, np.int64)
    mask = (1 << (4 * len(catalogue) - 1).bit_length()) - 1
    slots = np.full((mask + 1, 2), _EMPTY, np.int64)
    for action, move in enumerate(catalogue.tolist()):
        at = hash_of(move) & mask
        while slots[at, 0] != _EMPTY:
            at = (at + 1) & mask
        slots[at] = move, action
    return np.concatenate([[mask], slots.ravel(), catalogue])


@rule
def hash_of(move: int) -> int:
    """A multiplicative hash of 20 bits."""
    return ((((move ^ (move >> 32)) & _MASK_32) * 0x9E3779B1) & _MASK_32) >> 12


@rule
def look_up(g: State, move_table: Words, move: int) -> int:
    """The `action_of` of a game that has none of its own. The move must be in the catalogue."""
    if len(move_table) == 0:
        return move
    mask = move_table[0]
    at = hash_of(move) & mask
    while move_table[1 + 2 * at] != move:
        at = (at + 1) & mask
    return move_table[2 + 2 * at]


@rule
def take_entry(g: State, move_table: Words, action: int) -> int:
    """The `move_of` of a game that has none of its own."""
    if len(move_table) == 0:
        return action
    return move_table[1 + 2 * (move_table[0] + 1) + action]
