"""The entry points of an engine: the rules and loops that are called from outside.

This is the only list of them. Each entry point has the type of its source function and carries an
example call, which is type-checked against it. Warming the cache makes the example calls; the tests
that compile for CUDA take the types of their arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from theriac.engine import (
    array_loops,
    bot_loops,
    contract,
    count,
    guided_search,
    loops,
    network_playouts,
    search,
    styled_playouts,
    valuation,
)
from theriac.engine.chance import ChanceState, seed_stream
from theriac.engine.inference import NetworkArrays
from theriac.engine.records import (
    Features,
    Floats,
    Ints,
    Mask,
    Moves,
    Options,
    Records,
    State,
    View,
    record,
    records,
)
from theriac.engine.shape import Shape

P = ParamSpec("P")
R = TypeVar("R")


class EntryPoint(Generic[P, R]):
    """An attribute of an engine: a function, built for the engine's speed on first use."""

    def __init__(
        self, source: Callable[P, R], example: Callable[[Callable[P, R], Example], object]
    ) -> None:
        self.source = source
        self.example = example
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, engine: None, owner: type) -> Self: ...

    @overload
    def __get__(self, engine: EntryPoints, owner: type) -> Callable[P, R]: ...

    def __get__(self, engine: EntryPoints | None, owner: type) -> Self | Callable[P, R]:
        if engine is None:
            return self
        built: Callable[P, R] = engine.build(self.name)
        vars(engine)[self.name] = built  # shadows this descriptor from now on
        return built

    def arguments(self, example: Example) -> tuple[Any, ...]:
        """The arguments of the example call, without the call."""
        calls: list[tuple[Any, ...]] = []
        keep: Any = lambda *arguments: calls.append(arguments)  # noqa: E731
        self.example(keep, example)
        return calls[0]


class EntryPoints(ABC):
    """The typed surface of an engine: every rule and loop that can be called."""

    shape: Shape

    @abstractmethod
    def build(self, name: str) -> Any:
        """The function of this name, at the engine's speed."""

    # Rules of the game

    setup = EntryPoint(contract.setup, lambda f, x: f(x.g, x.options))
    refuse = EntryPoint(contract.refuse, lambda f, x: f(x.g, x.move))
    play = EntryPoint(contract.play, lambda f, x: f(x.g, x.move))
    deal = EntryPoint(contract.deal, lambda f, x: f(x.undealt, x.card))
    see = EntryPoint(contract.see, lambda f, x: f(x.g, 0, x.v))
    imagine = EntryPoint(contract.imagine, lambda f, x: f(x.v, x.chance.random, x.g))
    encode = EntryPoint(contract.encode, lambda f, x: f(x.v, x.out[0]))
    advise = EntryPoint(contract.advise, lambda f, x: f(x.v, x.move))
    list_legal = EntryPoint(contract.list_legal, lambda f, x: f(x.g, x.moves))
    action_of = EntryPoint(contract.action_of, lambda f, x: f(x.g, x.catalogue, x.move))
    move_of = EntryPoint(contract.move_of, lambda f, x: f(x.g, x.catalogue, 0))

    # Loops over one game

    seed_stream = EntryPoint(seed_stream, lambda f, x: f(x.chance.random, 1, 0))
    step = EntryPoint(loops.step, lambda f, x: f(x.g, x.move))
    list_by_refusing = EntryPoint(
        loops.list_by_refusing, lambda f, x: f(x.g, x.catalogue[:1], x.moves)
    )
    mark_legal = EntryPoint(loops.mark_legal, lambda f, x: f(x.g, x.catalogue, x.moves, x.masks[0]))
    list_pile = EntryPoint(
        loops.list_pile, lambda f, x: f(x.g, 0, np.zeros(x.shape.cards, np.int16))
    )
    forget_packs = EntryPoint(loops.forget_packs, lambda f, x: f(x.chance))
    advance = EntryPoint(loops.advance, lambda f, x: f(x.g, x.chance))
    start_game = EntryPoint(loops.start_game, lambda f, x: f(x.g, x.options, x.chance, 1, 0))
    random_move = EntryPoint(loops.random_move, lambda f, x: f(x.g, x.chance, x.moves))
    playout = EntryPoint(loops.playout, lambda f, x: f(x.g, x.chance, x.moves))
    play_games = EntryPoint(
        loops.play_games, lambda f, x: f(x.g, x.options, x.chance, x.moves, 1, 0, 1)
    )
    write_scores = EntryPoint(loops.write_scores, lambda f, x: f(x.g, 1, x.scores[0], x.results[0]))
    observe = EntryPoint(loops.observe, lambda f, x: f(x.g, x.v, x.out[0]))
    advise_moves = EntryPoint(loops.advise_moves, lambda f, x: f(x.v, x.moves[:0], x.results[0]))
    imagine_many = EntryPoint(loops.imagine_many, lambda f, x: f(x.v, x.chance.random, x.states))
    search_more = EntryPoint(
        search.search_more,
        lambda f, x: f(
            x.v, search.SearchTree.of(2), search.SearchBuffers.of(x.shape), search.SearchConfig(), 1
        ),
    )
    search_guided = EntryPoint(
        guided_search.search_guided,
        lambda f, x: f(
            x.v,
            x.guide,
            search.SearchTree.of(2),
            x.guided,
            guided_search.GuidedConfig(),
            1,
        ),
    )
    count_positions = EntryPoint(
        count.count_positions,
        lambda f, x: f(
            count.CountBuffers.of(x.shape, depth=0, shuffles=1),
            np.full((1, x.shape.pack), count.IN_ORDER, np.int16),
            np.zeros(1, np.int64),
        ),
    )

    # Loops over games in an array

    step_at = EntryPoint(array_loops.step_at, lambda f, x: f(x.states, 0, x.move))
    refuse_at = EntryPoint(array_loops.refuse_at, lambda f, x: f(x.states, 0, x.move))
    see_at = EntryPoint(array_loops.see_at, lambda f, x: f(x.states, 0, 0, x.views))
    list_at = EntryPoint(array_loops.list_at, lambda f, x: f(x.states, 0, x.moves))
    deal_at = EntryPoint(array_loops.deal_at, lambda f, x: f(x.states, 0, np.zeros(0, np.int16), 0))
    start_all = EntryPoint(
        array_loops.start_all,
        lambda f, x: f(x.states, x.options, x.chances, 1, x.numbers, x.masks[0], 0, 0),
    )
    step_all = EntryPoint(
        array_loops.step_all,
        lambda f, x: f(x.states, x.chances, x.catalogue, x.numbers, x.numbers.copy(), 0, 0),
    )
    playout_all = EntryPoint(
        array_loops.playout_all, lambda f, x: f(x.states, x.chances, x.moves, x.numbers, 0, 0)
    )
    mark_legal_all = EntryPoint(
        array_loops.mark_legal_all,
        lambda f, x: f(x.states, x.catalogue, x.moves, x.masks, 0, 0),
    )
    observe_all = EntryPoint(
        array_loops.observe_all, lambda f, x: f(x.states, loops.ACTOR, x.v, x.out, 0, 0)
    )
    write_scores_all = EntryPoint(
        array_loops.write_scores_all, lambda f, x: f(x.states, 1, x.scores, x.results, 0, 0)
    )
    reset_finished_all = EntryPoint(
        array_loops.reset_finished_all,
        lambda f, x: f(x.states, x.options, x.chances, 1, x.numbers, x.out, x.masks[0], 0, 0),
    )
    random_action_all = EntryPoint(
        array_loops.random_action_all,
        lambda f, x: f(x.states, x.chances, x.catalogue, x.moves, x.numbers, 0, 0),
    )
    play_bots_all = EntryPoint(
        bot_loops.play_bots_all,
        lambda f, x: f(x.states, x.chances, x.streams, x.bots, x.v, x.moves, 0, 0),
    )
    play_games_all = EntryPoint(
        array_loops.play_games_all,
        lambda f, x: f(x.g, x.options, x.chance, x.moves, 1, 0, 0, x.numbers, x.results, 0, 0),
    )

    # Values of positions

    follow_all = EntryPoint(
        valuation.follow_all,
        lambda f, x: f(x.words, x.numbers, x.numbers, 1, 0, x.ends, x.valuation, x.reached),
    )
    imagine_and_follow_all = EntryPoint(
        valuation.imagine_and_follow_all,
        lambda f, x: f(
            x.v, x.moves[:0], x.moves[:0], 0, 1, 0, 1, x.ends, x.valuation, x.reached[:0]
        ),
    )
    finish_all = EntryPoint(
        valuation.finish_all, lambda f, x: f(x.numbers, x.numbers, 1, x.ends, x.valuation)
    )
    rehash_all = EntryPoint(valuation.rehash_all, lambda f, x: f(x.ends))
    imagine_and_follow_network = EntryPoint(
        network_playouts.imagine_and_follow_network,
        lambda f, x: f(
            x.v,
            x.moves[:0],
            0,
            1,
            0,
            1,
            x.guide,
            -1,
            0.0,
            x.ends,
            x.valuation,
            x.guided,
            x.reached,
        ),
    )
    imagine_and_rate = EntryPoint(
        network_playouts.imagine_and_rate,
        lambda f, x: f(
            x.v,
            x.moves[:0],
            1,
            0,
            x.guide,
            x.valuation,
            x.guided,
            x.results,
        ),
    )
    follow_styles = EntryPoint(
        styled_playouts.follow_styles,
        lambda f, x: f(
            x.words,
            x.numbers,
            x.numbers,
            1,
            x.styles,
            x.guide,
            x.valuation,
            x.guided,
            np.zeros((1, 1, x.shape.players)),
        ),
    )


#: All entry points by name, in the order of the class.
ENTRY_POINTS: dict[str, EntryPoint[..., Any]] = {
    name: value for name, value in vars(EntryPoints).items() if isinstance(value, EntryPoint)
}


class Example:
    """Arguments for the example calls: a game that has just begun, and buffers of its sizes."""

    shape: Shape
    options: Options
    catalogue: Moves
    #: A game after its first cards, the view of its seat to act, and a legal move.
    g: State
    v: View
    chance: ChanceState
    move: int
    #: A game before its first card, and a card that nature can deal.
    undealt: State
    card: int
    #: Arrays of length 1; the first elements are those above.
    states: Records[State]
    views: Records[View]
    chances: Records[ChanceState]
    numbers: Ints
    #: Buffers; those of two dimensions have one row.
    moves: Moves
    masks: Mask
    out: Features
    scores: Ints
    results: Floats
    streams: Ints
    #: The bot of each seat.
    bots: Mask
    #: What the values of positions need: one start, a table of ends, and where the ends go.
    words: Ints
    ends: valuation.EndTable
    valuation: valuation.ValuationBuffers
    reached: npt.NDArray[np.int32]
    #: A network with one hidden layer, and what it needs to play.
    guide: guided_search.Guide
    guided: guided_search.GuidedBuffers
    #: All seats play by the heuristics.
    styles: styled_playouts.Styles

    def __init__(
        self, engine: EntryPoints, options: Options, catalogue: Moves, actions: int
    ) -> None:
        self.shape = shape = engine.shape
        self.options = options
        self.catalogue = catalogue
        self.states = records(shape.state, 1)
        self.views = records(shape.view, 1)
        self.chances = records(shape.chance, 1)
        self.g, self.v, self.chance = self.states[0], self.views[0], self.chances[0]
        self.moves = np.zeros(shape.moves, np.int64)
        self.masks = np.zeros((1, actions), np.uint8)
        self.out = np.zeros((1, shape.features), np.float32)
        self.scores = np.zeros((1, shape.players), np.int64)
        self.results = np.zeros((1, shape.players), np.float64)
        self.numbers = np.zeros(1, np.int64)
        self.streams = np.zeros((1, 3), np.int64)
        self.bots = np.zeros(shape.players, np.uint8)
        self.words = np.zeros((1, valuation.words_of(shape)), np.int64)
        self.ends = valuation.EndTable.of(shape, shape.players, 2)
        self.valuation = valuation.ValuationBuffers.of(shape)
        self.reached = np.zeros((1, 1), np.int32)
        network = NetworkArrays.blank(shape.features, actions)
        self.guide = guided_search.Guide(network, catalogue, int(options.players), together=False)
        self.guided = guided_search.GuidedBuffers.of(search.SearchBuffers.of(shape), network)
        seats = shape.players
        self.styles = styled_playouts.Styles(np.zeros(seats, np.int64), np.zeros(seats))
        engine.start_game(self.g, options, self.chance, 1, 0)
        engine.see(self.g, int(self.g.to_act), self.v)
        self.move = int(engine.random_move(self.g, self.chance, self.moves))
        self.undealt = record(shape.state)
        engine.setup(self.undealt, options)
        cards = np.zeros(shape.cards, np.int16)
        engine.list_pile(self.undealt, int(self.undealt.pile), cards)
        self.card = int(cards.argmax())
        self.words[0].view(np.uint8)[: shape.state.itemsize] = np.frombuffer(
            self.g.tobytes(), np.uint8
        )
