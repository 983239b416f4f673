"""Tree search guided by a network: its policy is the prior of moves, its value that of leaves.

As in `engine.search`, a simulation starts from a determinization, the tree belongs to the searching
seat, and a node is a sequence of moves, whatever the hidden cards are. But moves are selected by
PUCT (Silver et al., 2017), and the network values the first position that is not in the tree. It
sees every position as the seat to act does. A playout from there can count, too (Silver et al.,
2016).

The caller owns all memory: a `SearchTree` and `GuidedBuffers` per thread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from theriac.engine.chance import Stream, next_word
from theriac.engine.contract import (
    action_of,
    encode,
    imagine,
    list_legal,
    play,
    prospect,
    see,
)
from theriac.engine.inference import (
    Activations,
    NetworkArrays,
    logit_of,
    run_hidden_layers,
    share_logit_of,
    value_of,
)
from theriac.engine.loops import forget_packs
from theriac.engine.records import Floats, Moves, Records, State, View
from theriac.engine.rows import copy_row
from theriac.engine.rule import rule
from theriac.engine.search import (
    Node,
    SearchBuffers,
    SearchTree,
    Step,
    add_node,
    advance_to_decision,
    find_child,
    limit_after,
    playout_to_limit,
)

_WORDS: Final = 1 << 32


class GuidedConfig(NamedTuple):
    """The parameters of a guided search."""

    #: The exploration constant of PUCT.
    exploration: float = 0.4
    #: The temperature of the policy: above 1 it is flatter.
    temperature: float = 1.0
    #: Consider only this many moves of a position, the most probable; 0: all.
    width: int = 0
    #: Simulations per determinization.
    reuse: int = 1
    #: 1: the other seats play by the policy; 0: they search as well, each for its own share.
    sampled: int = 1
    #: How much a playout counts in the value of a new position, beside the network: 0 to 1.
    playout: float = 0.0
    #: As in `engine.search.SearchConfig`, for these playouts.
    playout_width: int = 1
    #: Search only this many rounds, and value the state after them by `prospect`; 0: no limit.
    rounds: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, float]) -> GuidedConfig:
        """A config from some of its fields. Compiled code needs each in its declared type."""
        defaults = cls()._asdict()
        return cls(**{name: type(defaults[name])(value) for name, value in settings.items()})


class Guide(NamedTuple):
    """What does not change during a search: the network, and how it is read."""

    network: NetworkArrays
    #: The moves that actions number.
    catalogue: Moves
    players: int
    #: Whether all players win or lose together.
    together: bool


class GuidedBuffers(NamedTuple):
    """The scratch buffers of a guided search, overwritten by every simulation."""

    search: SearchBuffers
    activations: Activations
    #: The probability of each legal move, and of those at the root.
    priors: Floats
    root_priors: Floats

    @classmethod
    def of(cls, search: SearchBuffers, network: NetworkArrays) -> GuidedBuffers:
        """Buffers of the sizes of a game and a network."""
        moves = len(search.moves)
        return cls(search, Activations.of(network), np.zeros(moves), np.zeros(moves))


@rule
def search_guided(
    view: View,
    guide: Guide,
    tree: SearchTree,
    buffers: GuidedBuffers,
    config: GuidedConfig,
    simulations: int,
) -> None:
    """Run more simulations from a view, growing the tree."""
    counts, states, chance = tree.counts, buffers.search.states, buffers.search.chance
    round_limit = limit_after(view.rounds, config.rounds)
    for _ in range(simulations):
        if counts.simulations % config.reuse == 0:
            imagine(view, chance.random, states[0])
        states[1] = states[0]
        forget_packs(chance)
        depth = simulate(states[1], view.to_act, guide, tree, buffers, config, round_limit)
        counts.moves += depth
        counts.simulations += 1
        add_shares(tree.nodes, buffers.search.path, depth, buffers.search.payoffs)


@rule
def simulate(
    g: State,
    searcher: int,
    guide: Guide,
    tree: SearchTree,
    buffers: GuidedBuffers,
    config: GuidedConfig,
    round_limit: int,
) -> int:
    """Play down the tree to a new node or the end, and write the share of each seat.

    Returns the length of the path.
    """
    path, moves = buffers.search.path, buffers.search.moves
    node = 0
    depth = 0
    while advance_to_decision(g, buffers.search.chance, round_limit):
        is_sampled = config.sampled == 1 and g.to_act != searcher
        is_new = node > 0 and tree.nodes[node].visits == 0
        if depth == len(path) or (is_new and not is_sampled):
            value_leaf(g, guide, buffers, config, round_limit)
            return depth
        n = list_with_priors(g, guide, tree, buffers, config, node)
        if is_sampled:
            chosen = sample(buffers.search.chance.random, buffers.priors, n)
        else:
            chosen = best_by_puct(node, n, tree, buffers, config.exploration)
        node = enter_child(node, moves[chosen], tree)
        if node < 0:  # the tree is full
            value_leaf(g, guide, buffers, config, round_limit)
            return depth
        path[depth].seat = g.to_act
        path[depth].node = node
        depth += 1
        play(g, moves[chosen])
    write_prospects(g, guide.players, buffers.search.payoffs, 1.0)
    return depth


@rule
def value_leaf(
    g: State, guide: Guide, buffers: GuidedBuffers, config: GuidedConfig, round_limit: int
) -> None:
    """Write the share that each seat can expect: by the network, a playout, or both."""
    if config.playout < 1.0:
        write_shares(g, guide, buffers)
    if config.playout > 0.0:
        playout_to_limit(g, buffers.search, config.playout_width, round_limit)
        write_prospects(g, guide.players, buffers.search.payoffs, config.playout)


@rule
def write_prospects(g: State, players: int, shares: Floats, weight: float) -> None:
    """Mix what each seat can expect, where a game or a playout has ended, into its share."""
    for seat in range(players):
        shares[seat] += weight * (prospect(g, seat) - shares[seat])


@rule
def list_with_priors(
    g: State,
    guide: Guide,
    tree: SearchTree,
    buffers: GuidedBuffers,
    config: GuidedConfig,
    node: int,
) -> int:
    """Write the moves to choose from and their priors; return their number.

    The seat at the root sees the same in every simulation: its priors are computed once.
    """
    moves, priors = buffers.search.moves, buffers.priors
    n = list_legal(g, moves)
    if node > 0 or tree.counts.nodes == 0:
        write_priors(g, guide, buffers, n, config.temperature)
    if tree.counts.nodes == 0:
        tree.counts.nodes = 1  # the root
        copy_row(priors, buffers.root_priors)
    elif node == 0:
        copy_row(buffers.root_priors, priors)
    if 0 < config.width < n:
        keep_most_probable(moves, priors, n, config.width)
        n = config.width
    return n


# The network


@rule
def run_network(g: State, network: NetworkArrays, buffers: GuidedBuffers) -> None:
    """Run the network up to its heads, on what the seat to act sees."""
    see(g, g.to_act, buffers.search.actor_view)
    encode(buffers.search.actor_view, buffers.activations.observation)
    run_hidden_layers(network, buffers.activations)


@rule
def write_priors(
    g: State, guide: Guide, buffers: GuidedBuffers, n: int, temperature: float
) -> None:
    """Write the probability of each of the n legal moves, by the policy of the network."""
    run_network(g, guide.network, buffers)
    priors = buffers.priors
    for i in range(n):
        action = action_of(g, guide.catalogue, buffers.search.moves[i])
        priors[i] = logit_of(guide.network, buffers.activations, action) / temperature
    take_softmax(priors, n)


@rule
def take_softmax(logits: Floats, n: int) -> None:
    """Turn the first n logits into probabilities."""
    most = -math.inf
    for i in range(n):
        most = max(most, float(logits[i]))
    total = 0.0
    for i in range(n):
        logits[i] = math.exp(logits[i] - most)
        total += logits[i]
    for i in range(n):
        logits[i] /= total


@rule
def write_shares(g: State, guide: Guide, buffers: GuidedBuffers) -> None:
    """Write the share that each seat can expect, as the seat to act sees it."""
    run_network(g, guide.network, buffers)
    network, activations = guide.network, buffers.activations
    players, shares = guide.players, buffers.search.payoffs
    if len(network.shares) > 0 and not guide.together:
        for seat in range(players):
            shares[seat] = share_logit_of(network, activations, (seat - g.to_act) % players)
        take_softmax(shares, players)
        return
    # A value of 0 is the fair share, and -1 a loss.
    own = min(max((float(value_of(network, activations)) + 1.0) / players, 0.0), 1.0)
    for seat in range(players):
        is_equal = guide.together or seat == g.to_act
        shares[seat] = own if is_equal else (1.0 - own) / (players - 1)


@rule
def sample(random: Stream, priors: Floats, n: int) -> int:
    """The index of one of the first n moves, drawn by their probabilities."""
    total = 0.0
    for i in range(n):
        total += priors[i]
    left = total * next_word(random) / _WORDS
    for i in range(n - 1):
        left -= priors[i]
        if left < 0:
            return i
    return n - 1


# The tree


@rule
def keep_most_probable(moves: Moves, priors: Floats, n: int, width: int) -> None:
    """Move the `width` most probable moves to the front."""
    for i in range(width):
        best = i
        for j in range(i + 1, n):
            if priors[j] > priors[best]:
                best = j
        prior = priors[i]
        priors[i] = priors[best]
        priors[best] = prior
        move = moves[i]
        moves[i] = moves[best]
        moves[best] = move


@rule
def best_by_puct(
    node: int, n: int, tree: SearchTree, buffers: GuidedBuffers, exploration: float
) -> int:
    """The index of the move with the highest PUCT value, of the first n moves.

    Only visits of moves that are legal now count. A move without visits counts as much as the mean
    of the others.
    """
    nodes, children = tree.nodes, buffers.search.children
    visits = 0
    value = 0.0
    for i in range(n):
        children[i] = find_child(node, buffers.search.moves[i], nodes, tree.slots)
        if children[i] >= 0:
            visits += nodes[children[i]].visits
            value += nodes[children[i]].value
    mean = value / visits if visits > 0 else 0.0
    bonus = exploration * math.sqrt(visits + 1)
    chosen = 0
    best = -math.inf
    for i in range(n):
        own_visits = 0
        own_mean = mean
        if children[i] >= 0 and nodes[children[i]].visits > 0:
            own_visits = nodes[children[i]].visits
            own_mean = nodes[children[i]].value / own_visits
        puct = own_mean + bonus * buffers.priors[i] / (1 + own_visits)
        if puct > best:
            best = puct
            chosen = i
    return chosen


@rule
def enter_child(node: int, move: int, tree: SearchTree) -> int:
    """The child of a node by a move, added if there is none; -1 if the tree is full."""
    child = find_child(node, move, tree.nodes, tree.slots)
    if child >= 0:
        return child
    if tree.counts.nodes == len(tree.nodes):
        return -1
    return add_node(node, move, -1 - child, tree)


@rule
def add_shares(nodes: Records[Node], path: Records[Step], depth: int, shares: Floats) -> None:
    """Add the share of the seat that moved to every node on the path."""
    for i in range(depth):
        node = nodes[path[i].node]
        node.visits += 1
        node.value += shares[path[i].seat]
