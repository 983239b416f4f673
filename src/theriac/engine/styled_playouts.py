"""Playouts in which each seat plays in a style of its own, for the values of states.

Playouts measure luck best if each seat plays in them as its bot does. Most bots are too slow for
that. A *style* is a quick stand-in: the heuristics, the network, or chance.

Random numbers are chosen as in `engine.valuation`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from theriac.engine.bot_loops import best_advised
from theriac.engine.chance import COUNTER, next_word
from theriac.engine.contract import pick_legal, play, prospect
from theriac.engine.guided_search import Guide, GuidedBuffers
from theriac.engine.network_playouts import draw_by_network
from theriac.engine.records import Floats, Ints, State
from theriac.engine.rows import copy_row
from theriac.engine.rule import rule
from theriac.engine.search import advance_to_decision
from theriac.engine.valuation import WORDS_PER_MOVE, ValuationBuffers, seed_playout

#: By the reference policy, at random, or by the policy of the network.
HEURISTIC: Final = 0
AT_RANDOM: Final = 1
BY_NETWORK: Final = 2


class Styles(NamedTuple):
    """The style of each seat, and the temperature of its policy where the network plays."""

    kinds: Ints
    temperatures: Floats


@rule
def follow_styles(
    starts: Ints,
    ages: Ints,
    limits: Ints,
    key: int,
    styles: Styles,
    guide: Guide,
    buffers: ValuationBuffers,
    guided: GuidedBuffers,
    values: Floats,
) -> None:
    """Play from every start, once per row of `values`, and write the prospect of each seat.

    `ages` and `limits` are those of `valuation.follow_all`.
    """
    g = buffers.states[0]
    for i in range(len(values)):
        for k in range(len(starts)):
            copy_row(starts[k], buffers.words)
            seed_playout(buffers, key, 2 * i)
            age = ages[k]
            while advance_to_decision(g, buffers.chance, limits[k]):
                buffers.policy[COUNTER] = age * WORDS_PER_MOVE
                play(g, choose_in_style(g, styles, guide, buffers, guided))
                age += 1
            for seat in range(values.shape[2]):
                values[i, k, seat] = prospect(g, seat)


@rule
def choose_in_style(
    g: State, styles: Styles, guide: Guide, buffers: ValuationBuffers, guided: GuidedBuffers
) -> int:
    """A move of the seat to act, in its style."""
    kind, temperature = styles.kinds[g.to_act], styles.temperatures[g.to_act]
    if kind == HEURISTIC:
        return best_advised(g, buffers.advise_view, buffers.policy, buffers.moves)
    if kind == AT_RANDOM:
        return pick_legal(g, buffers.moves, next_word(buffers.policy))
    return draw_by_network(g, guide, temperature, buffers.policy, guided)
