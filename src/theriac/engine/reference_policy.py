"""The reference policy: the player of all seats in the playouts of a review.

It is the bot `greedy` with slips (`theriac.bots.simple`): it plays the move that `advise` rates
best, and from time to time one rated a little worse. A policy without slips would play the cards of
a position almost in the same way every time, and be too sure of what comes out.
"""

from __future__ import annotations

import math
from typing import Final

from theriac.engine.bot_loops import best_advised
from theriac.engine.chance import Stream, below, next_word
from theriac.engine.contract import advise, advise_source, list_legal
from theriac.engine.records import Floats, Moves, State, View
from theriac.engine.rule import rule

#: A slip has the second best rating. If there are at least this many different ratings, it may also
#: have the third best.
_RATINGS_FOR_THIRD: Final = 5
#: The number of words that a stream can draw: a slip has the probability slip_words / WORDS.
WORDS: Final = 1 << 32


@rule
def choose_by_policy(
    g: State, slip_words: int, view: View, random: Stream, moves: Moves, advice: Floats
) -> int:
    """The best advised move, or a slip."""
    if slip_words > 0 and next_word(random) < slip_words:
        return draw_slip(g, view, random, moves, advice)
    return best_advised(g, view, random, moves)


@rule
def draw_slip(g: State, view: View, random: Stream, moves: Moves, advice: Floats) -> int:
    """A legal move with one of the next ratings after the best; a best one, if all are equal."""
    n = list_legal(g, moves)
    if n == 1:
        return moves[0]
    source = advise_source(g, view)
    for i in range(n):
        advice[i] = advise(source, moves[i])
    best = highest_below(advice, n, math.inf)
    highest = highest_below(advice, n, best)
    if highest == -math.inf:
        highest = best
    lowest = lowest_of_slips(advice, n, highest)
    found = 0
    chosen = moves[0]
    for i in range(n):
        if lowest <= advice[i] <= highest:
            found += 1
            if below(random, found) == 0:
                chosen = moves[i]
    return chosen


@rule
def lowest_of_slips(advice: Floats, n: int, second: float) -> float:
    """The lowest rating of a slip, given the second best one."""
    third = highest_below(advice, n, second)
    rating = third
    for _ in range(_RATINGS_FOR_THIRD - 3):
        rating = highest_below(advice, n, rating)
    return third if rating > -math.inf else second


@rule
def highest_below(advice: Floats, n: int, limit: float) -> float:
    """The highest of n ratings below a limit; minus infinity if there is none."""
    found = -math.inf
    for i in range(n):
        if found < advice[i] < limit:
            found = advice[i]
    return found
