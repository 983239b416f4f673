"""Searching: information-set Monte Carlo tree search, made from a game's rule functions.

Again and again a whole state is imagined that fits the view, and played to its end or as far as is
asked for: first down the tree of what was tried before, then by a quick policy. The tree belongs to
the seat that searches: its nodes are rows of moves, whatever cards lie behind them, and a move is
weighed against others only by the times when it was on offer (Cowling, Powley and Whitehouse 2012).

The tree belongs to the caller, one a thread. It is two arrays: a NODE each, and `buckets` to find
the child of a node by its move. Node 0 is the root. `asked` says how to search, in the order of
HOW.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from theriac.engine.chance import below, next_word, scale
from theriac.engine.contract import (
    NATURE,
    NOBODY,
    advise,
    deal,
    imagine,
    list_legal,
    pick_legal,
    play,
    prospect,
    sight,
)
from theriac.engine.loops import close_packs, draw
from theriac.engine.rule import rule

NODE: Final = np.dtype(
    [
        ("parent", np.int32),
        ("visits", np.int32),
        ("offered", np.int32),  # how often its move was legal
        ("move", np.int64),  # that leads to it
        ("worth", np.float64),  # of all visits, for the player who moved
    ],
    align=True,
)

# How to search.
#: How much is tried that looks worse: the constant of UCB1.
CURIOSITY: Final = 0
#: Of how many moves drawn at random a playout takes the one advised most; 1 is a random playout.
FEW: Final = 1
#: Only so many moves are looked at in a node, those advised most; 0 is all.
WIDTH: Final = 2
#: After how many rounds from the one searched in a playout stops and is judged; 0 is at the end.
ROUNDS: Final = 3
#: How many simulations begin with the same imagined state.
AGAIN: Final = 4
HOW: Final = 5

# What a search counts.
NODES: Final = 0
SIMULATIONS: Final = 1
MOVES: Final = 2
COUNTS: Final = 3

#: A round that no game comes to.
_NEVER: Final = 1 << 40
#: Logarithms of small numbers, which are asked for most.
_LOGS: Final = np.array([0.0, *map(math.log, range(1, 512))])
#: So that what is left out because of rounding is never the best.
_ROUNDED_UP: Final = 1.0001


@rule
def search_more(
    v: Any, w: Any, states: Any, chance: Any, moves: Any, worths: Any, kids: Any, fresh: Any,
    nodes: Any, buckets: Any, path: Any, ends: Any, asked: Any, counts: Any, times: int,
) -> None:  # fmt: skip
    """Simulate so many times from view `v`, growing the tree; `w` and two `states` are paper."""
    if counts[NODES] == 0:
        counts[NODES] = 1  # the root
    last_round = v.rounds + int(asked[ROUNDS]) if asked[ROUNDS] > 0 else _NEVER
    for _ in range(times):
        if counts[SIMULATIONS] % int(asked[AGAIN]) == 0:
            imagine(v, chance.random, states[0])
        states[1] = states[0]
        g = states[1]
        close_packs(chance)
        depth = descend(
            g,
            w,
            chance,
            moves,
            worths,
            kids,
            fresh,
            nodes,
            buckets,
            path,
            asked,
            counts,
            last_round,
        )
        counts[MOVES] += depth + play_on(g, w, chance, moves, asked, last_round)
        counts[SIMULATIONS] += 1
        learn(g, nodes, path, depth, ends)


@rule
def goes_on(g: Any, chance: Any, last_round: int) -> bool:
    """Let nature deal; is a player to act, in a round that is still searched?"""
    while g.to_act == NATURE and g.rounds < last_round:
        deal(g, draw(g, chance))
    return g.to_act != NOBODY and g.rounds < last_round


@rule
def descend(
    g: Any, w: Any, chance: Any, moves: Any, worths: Any, kids: Any, fresh: Any, nodes: Any,
    buckets: Any, path: Any, asked: Any, counts: Any, last_round: int,
) -> int:  # fmt: skip
    """Play down the tree to a new node; writes the nodes and who moved, returns how many."""
    node = 0
    depth = 0
    # No node was offered more often than there were simulations.
    spread = asked[CURIOSITY] ** 2 * math.log(counts[SIMULATIONS] + 1)
    while depth < len(path) and goes_on(g, chance, last_round):
        n = list_legal(g, moves)
        if 0 < asked[WIDTH] < n:
            n = keep_advised(g, w, moves, worths, n, int(asked[WIDTH]))
        chosen = find_children(node, n, chance.random, moves, kids, fresh, nodes, buckets)
        is_new = chosen >= 0
        if not is_new:
            chosen = most_promising(n, kids, nodes, asked[CURIOSITY], spread)
        child = kids[chosen]
        move = moves[chosen]
        path[depth, 1] = g.to_act
        if is_new:
            if counts[NODES] == len(nodes):
                break
            child = add_node(node, move, -1 - child, nodes, buckets, counts)
        path[depth, 0] = child
        depth += 1
        play(g, move)
        node = child
        if is_new:
            break
    return depth


@rule
def keep_advised(g: Any, w: Any, moves: Any, worths: Any, n: int, width: int) -> int:
    """Leave the moves advised most at the head of the list."""
    seen = sight(g, w)
    for i in range(n):
        worths[i] = advise(seen, moves[i])
    for i in range(width):
        best = i
        for j in range(i + 1, n):
            if worths[j] > worths[best]:
                best = j
        worth = worths[i]
        worths[i] = worths[best]
        worths[best] = worth
        move = moves[i]
        moves[i] = moves[best]
        moves[best] = move
    return width


@rule
def find_children(
    node: int, n: int, random: Any, moves: Any, kids: Any, fresh: Any, nodes: Any, buckets: Any
) -> int:
    """Note for each move on offer the child it leads to, or -1 - the bucket where it would go.

    Returns the place in the list of a move never tried here, any of them; -1 if there is none.
    """
    untried = 0
    for i in range(n):
        child = find_child(node, moves[i], nodes, buckets)
        kids[i] = child
        if child < 0:
            fresh[untried] = i
            untried += 1
        else:
            nodes[child].offered += 1
    return fresh[below(random, untried)] if untried > 0 else -1


@rule
def most_promising(n: int, kids: Any, nodes: Any, curiosity: float, spread: float) -> int:
    """The place in the list of the move that UCB1 likes best, all having been tried.

    `spread` is the most that the square of its second summand can be, times the visits: a move so
    far behind that even this would not do is passed over without a logarithm and a root.
    """
    chosen = 0
    best = -math.inf
    for i in range(n):
        node = nodes[kids[i]]
        mean = node.worth / node.visits
        behind = best - mean
        if behind > 0 and behind * behind * node.visits > _ROUNDED_UP * spread:
            continue
        bound = mean + curiosity * math.sqrt(log_of(node.offered) / node.visits)
        if bound > best:
            best = bound
            chosen = i
    return chosen


@rule
def log_of(n: int) -> float:
    """The logarithm of a number from 1 on."""
    return _LOGS[n] if n < len(_LOGS) else math.log(n)


@rule
def find_child(node: int, move: int, nodes: Any, buckets: Any) -> int:
    """The child of a node by a move; else -1 - the bucket where it would go.

    Moves with neighbouring numbers have neighbouring buckets: they are asked for together.
    """
    last = len(buckets) - 1
    begin = (int(node) * 0x9E3779B1 + (int(move) >> 6) * 0x85EBCA77) >> 7
    bucket = (begin + (int(move) & 63)) & last
    while buckets[bucket] != 0:
        child = buckets[bucket]
        if nodes[child].parent == node and nodes[child].move == move:
            return child
        bucket = (bucket + 1) & last
    return -1 - bucket


@rule
def add_node(node: int, move: int, bucket: int, nodes: Any, buckets: Any, counts: Any) -> int:
    """A new child of a node."""
    child = counts[NODES]
    counts[NODES] += 1
    buckets[bucket] = child
    new = nodes[child]
    new.parent = node
    new.visits = 0
    new.offered = 1
    new.move = move
    new.worth = 0
    return child


@rule
def play_on(g: Any, w: Any, chance: Any, moves: Any, asked: Any, last_round: int) -> int:
    """Play quickly to the end, or as far as is searched; returns how many moves were made."""
    made = 0
    few = int(asked[FEW])
    while goes_on(g, chance, last_round):
        if few == 1:
            move = pick_legal(g, moves, next_word(chance.random))
        else:
            move = best_of_few(g, w, chance.random, moves, few)
        play(g, move)
        made += 1
    return made


@rule
def best_of_few(g: Any, w: Any, random: Any, moves: Any, few: int) -> int:
    """Of some legal moves, drawn at random, the one advised most."""
    n = list_legal(g, moves)
    best = moves[0]
    if n > 1:
        seen = sight(g, w)
        most = -math.inf
        for i in range(min(few, n)):
            j = i + scale(next_word(random), n - i)
            move = moves[j]
            moves[j] = moves[i]
            worth = advise(seen, move)
            if worth > most:
                most = worth
                best = move
    return best


@rule
def learn(g: Any, nodes: Any, path: Any, depth: int, ends: Any) -> None:
    """Tell every node on the way what came of it for the player who moved there."""
    known = 0  # the seats whose prospect is worked out, as bits
    for i in range(depth):
        seat = int(path[i, 1])
        if (known >> seat) & 1 == 0:
            known |= 1 << seat
            ends[seat] = prospect(g, seat)
        node = nodes[path[i, 0]]
        node.visits += 1
        node.worth += ends[seat]
