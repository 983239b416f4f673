"""The contract of a game: the rule functions it must have, and what they promise.

The functions below are slots: they are never called, a game's own take their places (see
`rule.Linker`). Each is a `@rule` over `g`, a record of the game's STATE; `docs/contract.md`
explains all of it.

A STATE has at least these fields:

- ``to_act``: the seat to act, `NATURE` when a card is to be dealt, `NOBODY` when the game is over;
- ``shuffles``: for each of the game's piles, the number of its latest shuffle (from 1; 0: none);
- ``pile``: the pile the next card comes from, while nature is to act.

A VIEW has at least ``to_act``, ``rounds`` (the number of the round, from 1) and ``scores``, a
number a seat. No field may have the name of a method of NumPy's records, such as ``round`` or
``take``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.engine.rule import is_slot, slot, value_slot

NATURE: Final = -1
NOBODY: Final = -2

#: Instead of a seat in `see`: one who sees what is public, and one who keeps the score as well.
SPECTATOR: Final = -1
REFEREE: Final = -2

#: In a VIEW, instead of a number that its seat may not know.
UNKNOWN: Final = -1

#: How many different cards there are, and the range of them that each pile can hold.
CARDS: int = value_slot("CARDS")
FIRST_CARD: npt.NDArray[np.int64] = value_slot("FIRST_CARD")
LAST_CARD: npt.NDArray[np.int64] = value_slot("LAST_CARD")


@slot
def setup(g: Any, options: Any) -> None:
    """Make a fresh game of these OPTIONS, up to nature's first card."""


@slot
def refuse(g: Any, move: int) -> int:
    """0 if the move is legal now, else the number of the clause that forbids it.

    Any number may be asked about. A text that names no move has a number too, below zero, so that
    this one function decides which clause comes first.
    """
    return 0


@slot
def play(g: Any, move: int) -> None:
    """Carry out a legal move, unchecked, up to the next decision or nature's next card."""


@slot
def odds(g: Any, pile: int, card: int) -> int:
    """How many such cards are left in the pile: nature's odds."""
    return 0


@slot
def lay_out(g: Any, pile: int, pack: Any) -> int:
    """Write every card that is left in the pile to `pack`, in ascending order; return how many.

    A game has this only if it knows its cards faster than by asking for the odds of each.
    """
    return 0


@slot
def deal(g: Any, card: int) -> None:
    """Nature's move: the card comes from the pile ``g.pile``."""


@slot
def score(g: Any, seat: int) -> int:
    """The points shown for a seat."""
    return 0


@slot
def result(g: Any, seat: int) -> float:
    """The payoff of a seat when the game is over: the winners share 1."""
    return 0.0


@slot
def see(g: Any, seat: int, v: Any) -> None:
    """Fill the VIEW record: all that this seat (or SPECTATOR, REFEREE) may know, nothing else."""


@slot
def imagine(v: Any, random: Any, g: Any) -> None:
    """A whole state drawn at random from the deals that this view allows, all equally likely."""


@slot
def encode(v: Any, out: Any) -> None:
    """The view as numbers for a network, written to `out` (float32, all of it)."""


@slot
def advise(v: Any, move: int) -> float:
    """A rule of thumb: how good a legal move looks from this view. More is better."""
    return 0.0


@slot
def sight(g: Any, w: Any) -> Any:
    """What `advise` is asked of in a search, where whole states are imagined: `w`, a VIEW that is
    filled for the seat to act.

    A game has this only if its `advise` asks for nothing but what lies open, under the same names
    in STATE and VIEW: then it is `g`, and no view need be filled.
    """
    return w


@slot
def prospect(g: Any, seat: int) -> float:
    """A rule of thumb: the share of the win that a seat may expect, in a whole state between two
    rounds; at the end of the game its `result`.
    """
    return 0.0


@slot
def list_legal(g: Any, moves: Any) -> int:
    """Write the legal moves to `moves`, each once; return how many. Nothing is read from it, and
    no place is written twice.
    """
    return 0


@slot
def action_of(g: Any, catalogue: Any, move: int) -> int:
    """The number of a legal move in a mask.

    A game has this and `move_of` only if its moves are too many for a mask; else an action is the
    place of a move in the catalogue.
    """
    return 0


@slot
def move_of(g: Any, catalogue: Any, action: int) -> int:
    """The move that an action stands for now; a number below zero if there is none."""
    return 0


@slot
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """The legal move at the fraction word / 2**32 of what `list_legal` writes.

    A game has this only if it can pick faster than by listing; `moves` is room for a list.
    """
    return 0


@slot
def pick_at_once(g: Any, moves: Any, word: int) -> int:
    """The same as `pick_legal`, for a GPU alone: a game has it if it is slower on a CPU."""
    return 0


# The rules below are asked by the caller that runs a game, never inside a loop, so they always run
# interpreted (`Game.rule`). A game has one of them only if it differs from the default given here.

#: Instead of a move: there is none.
NO_MOVE: Final = -1


@slot
def out_of_turn(g: Any, move: int) -> bool:
    """May a seat make this move, if it is legal, while another seat is to act?"""
    return False


@slot
def silence(v: Any) -> int:
    """0 if the players may talk in this view, else the number of the clause that forbids it."""
    return 0


@slot
def time_limit(options: Any) -> int:
    """The seconds that the game's own clock gives a game of these OPTIONS; 0 without a clock."""
    return 0


@slot
def clock_move() -> int:
    """The move that the game's own clock makes when the time is up; NO_MOVE without a clock.

    `refuse` accepts it, and no list of legal moves has it: it is no player's.
    """
    return NO_MOVE


@slot
def end_clause(v: Any) -> int:
    """The number of the clause that ended the game; 0 before, and where there is only one way."""
    return 0


#: Every slot by name.
SLOTS: Final = {name: value for name, value in list(globals().items()) if is_slot(value)}
