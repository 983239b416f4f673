"""Playouts in which a network plays all seats, for the values of moves.

The reference policy (`engine.valuation`) is simple: after a good move it may continue badly, and
then the move looks like a mistake. A network plays better, and takes some ten times as long.

The seat whose moves are compared plays its most probable move. The other seats can draw theirs at a
temperature: if it were certain what they do, a move that only this one answer punishes would look
like a mistake.

States are imagined, random numbers are chosen and ends are entered as in `engine.valuation`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theriac.engine.bot_loops import best_advised
from theriac.engine.chance import COUNTER, Stream, seed_stream
from theriac.engine.contract import imagine, list_legal, play, result
from theriac.engine.guided_search import Guide, GuidedBuffers, sample, write_priors, write_shares
from theriac.engine.records import Floats, Moves, State, View
from theriac.engine.rows import copy_row
from theriac.engine.rule import rule
from theriac.engine.search import NO_LIMIT, advance_to_decision, limit_after
from theriac.engine.valuation import (
    WORDS_PER_MOVE,
    EndTable,
    ValuationBuffers,
    enter_end,
    seed_playout,
)


@rule
def imagine_and_follow_network(
    view: View,
    tried: Moves,
    age: int,
    key: int,
    first: int,
    rounds: int,
    guide: Guide,
    simple_seat: int,
    temperature: float,
    table: EndTable,
    buffers: ValuationBuffers,
    guided: GuidedBuffers,
    ends: npt.NDArray[np.int32],
) -> int:
    """Imagine a state for every row of `ends`, try each move in it, and let the network play on.

    `simple_seat` plays by the reference policy instead, if it is a seat: -1 is none. All seats but
    the one of the view draw the moves of the network at a temperature; at 0 it is the most probable
    one.
    Writes which end each move reached. Returns the number of complete rows: fewer than all if the
    table is full.
    """
    g = buffers.states[0]
    for i in range(len(ends)):
        imagine_for_row(g, view, key, first + i, buffers)
        limit = limit_after(g.rounds, rounds)
        for k in range(len(tried)):
            copy_row(buffers.imagined, buffers.words)
            seed_playout(buffers, key, 3 * (first + i))
            play(g, tried[k])
            moves = follow_network(
                g, view.to_act, guide, simple_seat, temperature, buffers, guided, age + 1, limit
            )
            table.counts.moves += 1 + moves
            ends[i, k] = enter_end(g, table, buffers)
            if ends[i, k] < 0:
                return i
    return len(ends)


@rule
def imagine_and_rate(
    view: View,
    tried: Moves,
    key: int,
    first: int,
    guide: Guide,
    buffers: ValuationBuffers,
    guided: GuidedBuffers,
    ratings: Floats,
) -> None:
    """Imagine a state for every row of `ratings`, and rate each move by the network alone.

    A rating is the share of the win that the network expects for the seat of the view, as the next
    seat to act sees it.
    """
    g = buffers.states[0]
    for i in range(len(ratings)):
        imagine_for_row(g, view, key, first + i, buffers)
        for k in range(len(tried)):
            copy_row(buffers.imagined, buffers.words)
            seed_playout(buffers, key, 3 * (first + i))
            play(g, tried[k])
            if advance_to_decision(g, buffers.chance, NO_LIMIT):
                write_shares(g, guide, guided)
                ratings[i, k] = guided.search.payoffs[view.to_act]
            else:
                ratings[i, k] = result(g, view.to_act)


@rule
def imagine_for_row(g: State, view: View, key: int, row: int, buffers: ValuationBuffers) -> None:
    """Imagine the state of a row, and keep a copy of it."""
    seed_stream(buffers.chance.random, key, 3 * row + 2)
    imagine(view, buffers.chance.random, g)
    copy_row(buffers.words, buffers.imagined)


@rule
def follow_network(
    g: State,
    own_seat: int,
    guide: Guide,
    simple_seat: int,
    temperature: float,
    buffers: ValuationBuffers,
    guided: GuidedBuffers,
    age: int,
    round_limit: int,
) -> int:
    """Let the network play up to the limit; returns the number of moves played."""
    played = 0
    while advance_to_decision(g, buffers.chance, round_limit):
        buffers.policy[COUNTER] = (age + played) * WORDS_PER_MOVE
        if g.to_act == simple_seat:
            move = best_advised(g, buffers.advise_view, buffers.policy, buffers.moves)
        elif g.to_act == own_seat:
            move = choose_by_network(g, guide, guided)
        else:
            move = draw_by_network(g, guide, temperature, buffers.policy, guided)
        play(g, move)
        played += 1
    return played


@rule
def choose_by_network(g: State, guide: Guide, guided: GuidedBuffers) -> int:
    """The legal move that is most probable by the policy of the network."""
    moves, priors = guided.search.moves, guided.priors
    n = list_legal(g, moves)
    best = 0
    if n > 1:
        write_priors(g, guide, guided, n, 1.0)
        for i in range(1, n):
            if priors[i] > priors[best]:
                best = i
    return moves[best]


@rule
def draw_by_network(
    g: State, guide: Guide, temperature: float, random: Stream, guided: GuidedBuffers
) -> int:
    """A legal move, drawn by the policy of the network; at temperature 0 the most probable one."""
    if temperature == 0.0:
        return choose_by_network(g, guide, guided)
    n = list_legal(g, guided.search.moves)
    chosen = 0
    if n > 1:
        write_priors(g, guide, guided, n, temperature)
        chosen = sample(random, guided.priors, n)
    return guided.search.moves[chosen]
