"""Information-set Monte Carlo tree search over a game's rule functions.

A simulation draws a determinization (a full state that the searching seat's view allows), selects
a path down the tree by UCB1, expands one node, plays out by a rollout policy and backpropagates
the payoff. The tree belongs to the searching seat: a node is a sequence of moves, whatever the
hidden cards are, and the UCB1 term of a move counts only the visits of its parent at which the move
was legal (ISMCTS; Cowling, Powley and Whitehouse, 2012).

The caller owns all memory, one `SearchTree` and one `SearchBuffers` per thread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from theriac.engine.chance import ChanceState, Stream, below, next_word, scale
from theriac.engine.contract import (
    NATURE,
    NOBODY,
    advise,
    advise_source,
    deal,
    imagine,
    list_legal,
    pick_legal,
    play,
    prospect,
)
from theriac.engine.loops import draw, forget_packs
from theriac.engine.records import Floats, Moves, Records, State, View, record, records
from theriac.engine.rule import rule
from theriac.engine.shape import Shape

NODE: Final = np.dtype(
    [
        ("parent", np.int32),
        ("visits", np.int32),
        ("availability", np.int32),  # visits of the parent at which the move was legal
        ("move", np.int64),  # from the parent to this node
        ("value", np.float64),  # the sum over all visits, for the player who made the move
    ],
    align=True,
)
STEP: Final = np.dtype([("node", np.int32), ("seat", np.int32)], align=True)
COUNTS: Final = np.dtype(
    [("nodes", np.int64), ("simulations", np.int64), ("moves", np.int64)], align=True
)

#: Longest path of a simulation inside the tree.
_MAX_DEPTH: Final = 64
#: A round limit that no game reaches.
NO_LIMIT: Final = 1 << 40
#: Logarithms of small numbers, the ones needed most.
_LOGS: Final = np.array([0.0, *map(math.log, range(1, 512))])
#: A margin, so that a rounding error never prunes the best move.
_ROUNDING_MARGIN: Final = 1.0001


class Node(Protocol):
    """A record of NODE."""

    parent: int
    visits: int
    availability: int
    move: int
    value: float


class Step(Protocol):
    """A record of STEP: a node on the path of a simulation, and the seat that moved to it."""

    node: int
    seat: int


class Counts(Protocol):
    """A record of COUNTS: nodes in the tree, simulations run and moves played so far."""

    nodes: int
    simulations: int
    moves: int


class SearchConfig(NamedTuple):
    """The parameters of a search."""

    #: The exploration constant of UCB1.
    exploration: float = 0.7
    #: A playout plays the move with the highest `advise` value of this many random legal moves;
    #: 1: a random move.
    playout_width: int = 1
    #: Expand only this many moves of a node, those with the highest `advise` values; 0: all.
    width: int = 0
    #: Stop a playout after this many rounds and value the state by `prospect`; 0: play to the end.
    rounds: int = 1
    #: Simulations per determinization.
    reuse: int = 1

    @classmethod
    def of(cls, settings: Mapping[str, float]) -> SearchConfig:
        """A config from some of its fields. Compiled code needs each in its declared type."""
        defaults = cls()._asdict()
        return cls(**{name: type(defaults[name])(value) for name, value in settings.items()})


class SearchTree(NamedTuple):
    """A tree of at most ``len(nodes)`` nodes; node 0 is the root.

    `slots` is a hash table with open addressing, from a node and a move to the child: 0 is empty.
    """

    nodes: Records[Node]
    slots: npt.NDArray[np.int32]
    counts: Counts

    @classmethod
    def of(cls, max_nodes: int) -> SearchTree:
        """An empty tree. `max_nodes` is a power of two."""
        return cls(records(NODE, max_nodes), np.zeros(2 * max_nodes, np.int32), record(COUNTS))


class SearchBuffers(NamedTuple):
    """The scratch buffers of a search, overwritten by every simulation.

    `chance` is more than scratch: its stream is the search's only source of randomness.
    """

    chance: ChanceState
    #: The determinization, and the copy of it that is played.
    states: Records[State]
    #: Filled for the seat to act, where a view is needed.
    actor_view: View
    moves: Moves
    advice: Floats
    #: For each legal move its node, or -1 - slot where that node would be entered.
    children: npt.NDArray[np.int32]
    #: Indices of the legal moves that have no node yet.
    untried: npt.NDArray[np.int32]
    path: Records[Step]
    #: The payoff of each seat.
    payoffs: Floats

    @classmethod
    def of(cls, shape: Shape) -> SearchBuffers:
        """Buffers of the sizes of a game."""
        return cls(
            chance=record(shape.chance),
            states=records(shape.state, 2),
            actor_view=record(shape.view),
            moves=np.zeros(shape.moves, np.int64),
            advice=np.zeros(shape.moves),
            children=np.zeros(shape.moves, np.int32),
            untried=np.zeros(shape.moves, np.int32),
            path=records(STEP, _MAX_DEPTH),
            payoffs=np.zeros(shape.players),
        )


@rule
def search_more(
    view: View, tree: SearchTree, buffers: SearchBuffers, config: SearchConfig, simulations: int
) -> None:
    """Run more simulations from a view, growing the tree."""
    counts = tree.counts
    if counts.nodes == 0:
        counts.nodes = 1  # the root
    round_limit = limit_after(view.rounds, config.rounds)
    for _ in range(simulations):
        if counts.simulations % config.reuse == 0:
            imagine(view, buffers.chance.random, buffers.states[0])
        buffers.states[1] = buffers.states[0]
        g = buffers.states[1]
        forget_packs(buffers.chance)
        depth = select(g, tree, buffers, config, round_limit)
        counts.moves += depth + playout_to_limit(g, buffers, config.playout_width, round_limit)
        counts.simulations += 1
        backpropagate(g, tree.nodes, buffers.path, depth, buffers.payoffs)


@rule
def limit_after(current_round: int, rounds: int) -> int:
    """The round in which a playout stops that lasts `rounds` rounds; 0: to the end of the game."""
    return current_round + rounds if rounds > 0 else NO_LIMIT


@rule
def advance_to_decision(g: State, chance: ChanceState, round_limit: int) -> bool:
    """Let nature deal. Is a player to act then, in a round before the limit?"""
    while g.to_act == NATURE and g.rounds < round_limit:
        deal(g, draw(g, chance))
    return g.to_act != NOBODY and g.rounds < round_limit


@rule
def select(
    g: State, tree: SearchTree, buffers: SearchBuffers, config: SearchConfig, round_limit: int
) -> int:
    """Play down the tree to a new node, and add it unless the tree is full.

    Returns the length of the path.
    """
    nodes, counts, path, moves = tree.nodes, tree.counts, buffers.path, buffers.moves
    node = 0
    depth = 0
    # The availability of a node is at most the number of simulations.
    bonus_bound = config.exploration**2 * math.log(counts.simulations + 1)
    while depth < len(path) and advance_to_decision(g, buffers.chance, round_limit):
        n = list_legal(g, moves)
        if 0 < config.width < n:
            n = keep_best_advised(g, buffers.actor_view, moves, buffers.advice, n, config.width)
        chosen = find_children(node, n, tree, buffers)
        is_new = chosen >= 0
        if not is_new:
            chosen = best_by_ucb(n, buffers.children, nodes, config.exploration, bonus_bound)
        child = buffers.children[chosen]
        move = moves[chosen]
        path[depth].seat = g.to_act
        if is_new:
            if counts.nodes == len(nodes):
                break
            child = add_node(node, move, -1 - child, tree)
        path[depth].node = child
        depth += 1
        play(g, move)
        node = child
        if is_new:
            break
    return depth


@rule
def keep_best_advised(
    g: State, view: View, moves: Moves, advice: Floats, n: int, width: int
) -> int:
    """Move the `width` moves with the highest `advise` values to the front; returns `width`."""
    source = advise_source(g, view)
    for i in range(n):
        advice[i] = advise(source, moves[i])
    for i in range(width):
        best = i
        for j in range(i + 1, n):
            if advice[j] > advice[best]:
                best = j
        value = advice[i]
        advice[i] = advice[best]
        advice[best] = value
        move = moves[i]
        moves[i] = moves[best]
        moves[best] = move
    return width


@rule
def find_children(node: int, n: int, tree: SearchTree, buffers: SearchBuffers) -> int:
    """Write the child of each of the first n moves to `children`, and count its availability.

    Returns the index of a random move that has no node yet; -1 if every move has one.
    """
    children, untried = buffers.children, buffers.untried
    missing = 0
    for i in range(n):
        child = find_child(node, buffers.moves[i], tree.nodes, tree.slots)
        children[i] = child
        if child < 0:
            untried[missing] = i
            missing += 1
        else:
            tree.nodes[child].availability += 1
    return untried[below(buffers.chance.random, missing)] if missing > 0 else -1


@rule
def best_by_ucb(
    n: int,
    children: npt.NDArray[np.int32],
    nodes: Records[Node],
    exploration: float,
    bonus_bound: float,
) -> int:
    """The index of the move with the highest UCB1 value; each of the n moves has a node.

    The squared exploration bonus of a node is at most `bonus_bound` / visits. A move that this
    bound cannot lift to the best so far is skipped without a logarithm and a square root.
    """
    chosen = 0
    best = -math.inf
    for i in range(n):
        node = nodes[children[i]]
        mean = node.value / node.visits
        behind = best - mean
        if behind > 0 and behind * behind * node.visits > _ROUNDING_MARGIN * bonus_bound:
            continue
        ucb = mean + exploration * math.sqrt(log_of(node.availability) / node.visits)
        if ucb > best:
            best = ucb
            chosen = i
    return chosen


@rule
def log_of(n: int) -> float:
    """The logarithm of n, which is 1 or more."""
    return _LOGS[n] if n < len(_LOGS) else math.log(n)


@rule
def find_child(node: int, move: int, nodes: Records[Node], slots: npt.NDArray[np.int32]) -> int:
    """The child of a node by a move; -1 - slot where it would be entered if there is none.

    Moves with neighbouring numbers hash to neighbouring slots: they are looked up together.
    """
    last = len(slots) - 1
    start = (int(node) * 0x9E3779B1 + (int(move) >> 6) * 0x85EBCA77) >> 7
    slot = (start + (int(move) & 63)) & last
    while slots[slot] != 0:
        child = slots[slot]
        if nodes[child].parent == node and nodes[child].move == move:
            return child
        slot = (slot + 1) & last
    return -1 - slot


@rule
def add_node(parent: int, move: int, slot: int, tree: SearchTree) -> int:
    """Add a child to a node; returns its index."""
    child = tree.counts.nodes
    tree.counts.nodes += 1
    tree.slots[slot] = child
    node = tree.nodes[child]
    node.parent = parent
    node.visits = 0
    node.availability = 1
    node.move = move
    node.value = 0
    return child


@rule
def playout_to_limit(g: State, buffers: SearchBuffers, playout_width: int, round_limit: int) -> int:
    """Play by the rollout policy up to the round limit; returns the number of moves played."""
    chance, moves = buffers.chance, buffers.moves
    moves_played = 0
    while advance_to_decision(g, chance, round_limit):
        if playout_width == 1:
            move = pick_legal(g, moves, next_word(chance.random))
        else:
            move = best_of_random(g, buffers.actor_view, chance.random, moves, playout_width)
        play(g, move)
        moves_played += 1
    return moves_played


@rule
def best_of_random(g: State, view: View, random: Stream, moves: Moves, playout_width: int) -> int:
    """The rollout policy: of some random legal moves, the one with the highest `advise` value."""
    n = list_legal(g, moves)
    best = moves[0]
    if n > 1:
        source = advise_source(g, view)
        most = -math.inf
        for i in range(min(playout_width, n)):
            j = i + scale(next_word(random), n - i)
            move = moves[j]
            moves[j] = moves[i]
            value = advise(source, move)
            if value > most:
                most = value
                best = move
    return best


@rule
def backpropagate(
    g: State, nodes: Records[Node], path: Records[Step], depth: int, payoffs: Floats
) -> None:
    """Add the payoff of the final state to every node on the path, for the seat that moved."""
    known = 0  # the seats whose payoff has been computed, as bits
    for i in range(depth):
        seat = int(path[i].seat)
        if (known >> seat) & 1 == 0:
            known |= 1 << seat
            payoffs[seat] = prospect(g, seat)
        node = nodes[path[i].node]
        node.visits += 1
        node.value += payoffs[seat]
