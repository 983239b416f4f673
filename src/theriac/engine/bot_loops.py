"""Compiled bots: they play the seats of a batch that nobody else plays.

They are `random` and `greedy` of `theriac.bots`. Their random numbers come from streams of their
own, so the cards of a game do not depend on them.
"""

from __future__ import annotations

import math
from typing import Final

from theriac.engine.array_loops import Chances, States
from theriac.engine.chance import ChanceState, Stream, below, next_word
from theriac.engine.contract import advise, advise_source, list_legal, pick_legal, play
from theriac.engine.loops import advance
from theriac.engine.records import Ints, Mask, Moves, State, View
from theriac.engine.rule import rule

#: What plays a seat.
NO_BOT: Final = 0
RANDOM_BOT: Final = 1
GREEDY_BOT: Final = 2

#: The compiled bots by name.
COMPILED_BOTS: Final = {"random": RANDOM_BOT, "greedy": GREEDY_BOT}


@rule
def best_advised(g: State, view: View, random: Stream, moves: Moves) -> int:
    """The legal move with the highest `advise` value; ties are broken at random."""
    n = list_legal(g, moves)
    best = moves[0]
    if n > 1:
        source = advise_source(g, view)
        most = -math.inf
        ties = 0
        for i in range(n):
            value = advise(source, moves[i])
            if value > most:
                most = value
                best = moves[i]
                ties = 1
            elif value == most:
                ties += 1
                if below(random, ties) == 0:
                    best = moves[i]
    return best


@rule
def play_bots(
    g: State, chance: ChanceState, random: Stream, bots: Mask, view: View, moves: Moves
) -> None:
    """Let bots play until a seat without one is to act or the game is over."""
    while g.to_act >= 0 and bots[g.to_act] != NO_BOT:
        if bots[g.to_act] == GREEDY_BOT:
            move = best_advised(g, view, random, moves)
        else:
            move = pick_legal(g, moves, next_word(random))
        play(g, move)
        advance(g, chance)


@rule
def play_bots_all(
    states: States,
    chances: Chances,
    streams: Ints,
    bots: Mask,
    view: View,
    moves: Moves,
    begin: int,
    end: int,
) -> None:
    """In each game, let bots play until a seat without one is to act or the game is over."""
    for i in range(begin, end):
        play_bots(states[i], chances[i], streams[i], bots, view, moves)
