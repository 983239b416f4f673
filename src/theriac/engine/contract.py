"""The contract of a game: every name that a game can give to the engine, and what it promises.

Each function here is a *slot*, which a `@rule` of the game fills. The engine's loops call slots;
building an engine puts the game's own functions in their place (see `engine.rule.Linker`).
Functions marked *optional* have a default. `docs/contract.md` explains the contract as a whole;
`engine.records` lists the fields that STATE, VIEW and OPTIONS must have.

No field may have the name of a method of NumPy's records, such as ``round`` or ``take``:
interpreted, ``g.round`` would be the method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from theriac.engine.chance import Stream
from theriac.engine.records import Cards, Features, Moves, Options, State, View
from theriac.engine.rule import is_slot, slot, value_slot

#: In ``to_act``, instead of a seat: nature deals a card next, or the game is over.
NATURE: Final = -1
NOBODY: Final = -2

#: In `see`, instead of a seat: a viewer of what is public, and one who also knows the scores.
SPECTATOR: Final = -1
REFEREE: Final = -2

#: In a VIEW, instead of a number that the viewer may not know: no score that a game could have.
UNKNOWN: Final = -32768

#: Sizes of the game (from its `Shape`): the number of different cards, and the range of card
#: numbers that each pile can hold.
CARDS: int = value_slot("CARDS")
FIRST_CARD: npt.NDArray[np.int64] = value_slot("FIRST_CARD")
LAST_CARD: npt.NDArray[np.int64] = value_slot("LAST_CARD")


# The rules of the game


@slot
def setup(g: State, options: Options) -> None:
    """Set up a new game, up to nature's first card."""


@slot
def refuse(g: State, move: int) -> int:
    """0 if the move is legal now, else the number of the clause that forbids it.

    Any number is allowed. A text that names no move has a number below zero, so that this function
    alone decides which clause is reported first.
    """
    return 0


@slot
def play(g: State, move: int) -> None:
    """Carry out a legal move, unchecked, up to the next decision or nature's next card."""


@slot
def odds(g: State, pile: int, card: int) -> int:
    """The number of cards of this kind left in the pile: nature's odds."""
    return 0


@slot
def deal(g: State, card: int) -> None:
    """Nature's move: deal this card from the pile ``g.pile``."""


@slot
def score(g: State, seat: int) -> int:
    """The points shown for a seat."""
    return 0


@slot
def result(g: State, seat: int) -> float:
    """The payoff of a seat when the game is over: the winners share 1."""
    return 0.0


@slot
def list_legal(g: State, moves: Moves) -> int:
    """Write the legal moves to `moves`, each once; return their number.

    It never reads `moves` and writes no element twice: a GPU keeps no list.
    """
    return 0


# What a seat knows


@slot
def see(g: State, seat: int, v: View) -> None:
    """Fill a VIEW with all that this seat (or SPECTATOR, REFEREE) may know, and nothing else."""


@slot
def imagine(v: View, random: Stream, g: State) -> None:
    """Draw a determinization: a full state that the view allows, all deals equally likely."""


@slot
def encode(v: View, out: Features) -> None:
    """Write the view as features for a network: all of `out`."""


# Heuristics for bots


@slot
def advise(v: View, move: int) -> float:
    """A heuristic value of a legal move, judged from a view. Higher is better."""
    return 0.0


@slot
def advise_source(g: State, view: View) -> View:
    """Optional: the record that `advise` reads during a search, where the full state is known.

    By default `view`, filled for the seat to act. A game whose `advise` reads only public fields,
    with the same names in STATE and VIEW, returns `g`: then no view has to be filled.
    """
    return view


@slot
def prospect(g: State, seat: int) -> float:
    """A heuristic: the share of the win that a seat can expect in a state between two rounds.

    When the game is over it is the `result`.
    """
    return 0.0


# Faster or smaller forms of the above


@slot
def lay_out(g: State, pile: int, pack: Cards) -> int:
    """Optional: write every card left in the pile to `pack`, ascending; return their number.

    By default it is derived from `odds`.
    """
    return 0


@slot
def pick_legal(g: State, moves: Moves, word: int) -> int:
    """Optional: the legal move at the fraction word / 2**32 of what `list_legal` writes.

    By default the moves are listed, to the buffer `moves`.
    """
    return 0


@slot
def action_of(g: State, catalogue: Moves, move: int) -> int:
    """Optional: the action number of a legal move, its index in a mask.

    By default an action is the index of a move in the catalogue. A game with too many moves for
    a mask gives this and `move_of`.
    """
    return 0


@slot
def move_of(g: State, catalogue: Moves, action: int) -> int:
    """Optional: the move that an action represents now; below zero if there is none."""
    return 0


# Rules that no loop calls, only the program that runs a game: they always run interpreted
# (`Game.rule`). All are optional, with the default given here.

#: Instead of a move, where there is none.
NO_MOVE: Final = -1


@slot
def out_of_turn(g: State, move: int) -> bool:
    """Optional: may a seat make this legal move while another seat is to act?"""
    return False


@slot
def silence(v: View) -> int:
    """Optional: 0 if the players may talk now, else the number of the clause that forbids it."""
    return 0


@slot
def time_limit(options: Options) -> int:
    """Optional: the seconds on the game's own clock; 0 if it has none."""
    return 0


@slot
def round_count(options: Options) -> int:
    """Optional: the number of rounds of a whole game; 0 where only the play decides it."""
    return 0


@slot
def clock_move() -> int:
    """Optional: the move that the game's own clock makes when the time is up; else NO_MOVE.

    `refuse` accepts it, and no list of legal moves contains it: no player makes it.
    """
    return NO_MOVE


@slot
def end_clause(v: View) -> int:
    """Optional: the clause that ended the game, where several clauses can end it; else 0."""
    return 0


# Hints for the GPU


@dataclass(frozen=True)
class GpuHints:
    """What a game can declare to run faster on a GPU (`docs/gpu-internals.md`).

    Hints change no result, and a game need not give any.
    """

    cold_fields: tuple[str, ...] = ()
    """Array fields of the STATE that few moves touch. While games are stepped, they stay in global
    memory; all others are staged in shared memory."""
    aliased_fields: tuple[str, ...] = ()
    """Array fields that `see` copies from the STATE to the VIEW unchanged, for every seat. They are
    not copied: `encode` reads those of the STATE."""
    pick_legal: Callable[[State, Moves, int], int] | None = None
    """A `pick_legal` for the GPU only: one that needs no list of moves, where picking from the list
    is faster on a CPU."""


#: Every slot by name.
SLOTS: Final = {name: value for name, value in list(globals().items()) if is_slot(value)}
