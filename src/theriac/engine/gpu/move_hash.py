"""A catalogue that a GPU finds moves in at once.

On the CPU the number of a move is searched for in the ascending catalogue, half by half. Threads of
a GPU would wait for eleven reads, one after the other; here two are enough, most of the time. Where
every number is a move, as with the usual decks of some games, nothing is looked up: the index is
empty.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.engine.rule import rule

#: In an empty slot, instead of a move.
_NO_MOVE: Final = -1
_WORD: Final = 0xFFFFFFFF


def index_moves(catalogue: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of slots less one; the slots, each a move and its number; then all moves.

    A move stands in the slot of its hash, or the next that was free. Three of four are empty.
    """
    if np.array_equal(catalogue, np.arange(len(catalogue))):
        return np.zeros(0, np.int64)
    mask = (1 << (4 * len(catalogue) - 1).bit_length()) - 1
    slots = np.full((mask + 1, 2), _NO_MOVE, np.int64)
    for action, move in enumerate(catalogue.tolist()):
        at = hash_of(move) & mask
        while slots[at, 0] != _NO_MOVE:
            at = (at + 1) & mask
        slots[at] = move, action
    return np.concatenate([[mask], slots.ravel(), catalogue])


@rule
def hash_of(move: int) -> int:
    """Twenty bits in which neighbouring moves have nothing in common."""
    return ((((move ^ (move >> 32)) & _WORD) * 0x9E3779B1) & _WORD) >> 12


@rule
def look_up(g: Any, index: Any, move: int) -> int:
    """The `action_of` of a game that has none of its own, of a move that there is."""
    if len(index) == 0:
        return move
    mask = index[0]
    at = hash_of(move) & mask
    while index[1 + 2 * at] != move:
        at = (at + 1) & mask
    return index[2 + 2 * at]


@rule
def take_entry(g: Any, index: Any, action: int) -> int:
    """The `move_of` of a game that has none of its own."""
    if len(index) == 0:
        return action
    return index[1 + 2 * (index[0] + 1) + action]
