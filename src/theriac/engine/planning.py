"""Playouts with a plan: the first moves after a decision are searched for.

The reference policy is simple. After a good move it may continue badly, and then the move looks
like a mistake. So before a move is called one, a tree of the moves that follow it is grown by
search (`engine.search`), every seat looking for its own advantage. In new imagined states the tree
is then followed as far as it reaches, without exploring, and the reference policy plays from there.

Values with a plan are means over independent states, like those without (`engine.valuation`): the
states in which the tree was grown are not among them.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from theriac.engine.chance import seed_stream
from theriac.engine.contract import imagine, list_legal, play
from theriac.engine.loops import forget_packs
from theriac.engine.records import Moves, State, View
from theriac.engine.rule import rule
from theriac.engine.search import (
    SearchBuffers,
    SearchConfig,
    SearchTree,
    advance_to_decision,
    backpropagate,
    find_child,
    limit_after,
    playout_to_limit,
    select,
)
from theriac.engine.valuation import EndTable, ValuationBuffers, follow_to_end, seed_playout

#: A move of the tree is rated by its mean less this many standard deviations (of at most 1/2).
_CAUTION: Final = 1.0
#: Moves with fewer visits are not followed: the policy plays better than a guess.
_FEWEST_VISITS: Final = 32


@rule
def grow_plan(
    view: View,
    move: int,
    tree: SearchTree,
    buffers: SearchBuffers,
    config: SearchConfig,
    simulations: int,
) -> None:
    """Grow an empty tree of what follows a legal move; its root is the state after the move."""
    tree.counts.nodes = 1
    tree.counts.simulations = 0
    tree.slots[:] = 0
    round_limit = limit_after(view.rounds, config.rounds)
    for _ in range(simulations):
        g = buffers.states[1]
        imagine(view, buffers.chance.random, g)
        forget_packs(buffers.chance)
        play(g, move)
        depth = select(g, tree, buffers, config, round_limit)
        moves = 1 + depth + playout_to_limit(g, buffers, config.playout_width, round_limit)
        tree.counts.moves += moves
        tree.counts.simulations += 1
        backpropagate(g, tree.nodes, buffers.path, depth, buffers.payoffs)


@rule
def imagine_and_follow_plan(
    view: View,
    move: int,
    age: int,
    key: int,
    first: int,
    rounds: int,
    tree: SearchTree,
    table: EndTable,
    buffers: ValuationBuffers,
    ends: npt.NDArray[np.int32],
) -> int:
    """Imagine a state for each of `ends`, make the move, follow the plan, and then the policy.

    Writes which end was reached. The states and random numbers are the same for every move that is
    tried with this key. Returns the number of ends written: fewer than all if the table is full.
    """
    g = buffers.states[0]
    for i in range(len(ends)):
        seed_stream(buffers.chance.random, key, 3 * (first + i) + 2)
        imagine(view, buffers.chance.random, g)
        limit = limit_after(g.rounds, rounds)
        seed_playout(buffers, key, 3 * (first + i))
        play(g, move)
        planned = follow_plan(g, tree, buffers, limit)
        table.counts.moves += 1 + planned
        ends[i] = follow_to_end(g, age + 1 + planned, limit, table, buffers)
        if ends[i] < 0:
            return i
    return len(ends)


@rule
def follow_plan(g: State, tree: SearchTree, buffers: ValuationBuffers, round_limit: int) -> int:
    """Play the best moves of the tree as far as it reaches; returns the number of moves played."""
    node = 0
    played = 0
    while advance_to_decision(g, buffers.chance, round_limit):
        node = best_child(node, list_legal(g, buffers.moves), buffers.moves, tree)
        if node < 0:
            break
        play(g, tree.nodes[node].move)
        played += 1
    return played


@rule
def best_child(node: int, n: int, moves: Moves, tree: SearchTree) -> int:
    """The child of a node that is best for the seat to act, by one of these moves; -1 if none."""
    best = -1
    most = -math.inf
    for i in range(n):
        child = find_child(node, moves[i], tree.nodes, tree.slots)
        if child >= 0 and tree.nodes[child].visits >= _FEWEST_VISITS:
            visits = tree.nodes[child].visits
            worth = tree.nodes[child].value / visits - 0.5 * _CAUTION / math.sqrt(visits)
            if worth > most:
                most = worth
                best = child
    return best
