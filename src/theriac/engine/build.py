"""A game's functions, built for one speed and ready to call.

>>> from theriac.game import find
>>> engine = find("poison").engine("plain")
>>> engine.speed
'plain'
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine import array_loops, contract, count, loops, search
from theriac.engine.cache import cache_folder
from theriac.engine.chance import seed_stream
from theriac.engine.rule import Linker, Speed

#: The contract's functions that are called from outside rules and loops.
RULES = (
    "setup", "refuse", "play", "deal", "see", "imagine", "encode", "advise", "list_legal",
    "action_of", "move_of",
)  # fmt: skip
#: The loops that are called from outside.
LOOPS = {
    function.__name__: function
    for function in (
        seed_stream,
        loops.step,
        array_loops.step_at,
        array_loops.refuse_at,
        array_loops.see_at,
        array_loops.list_at,
        array_loops.deal_at,
        loops.list_pile,
        loops.list_by_refusing,
        loops.mark_legal,
        loops.start_game,
        loops.random_move,
        loops.advance,
        loops.playout,
        loops.play_games,
        loops.tell_scores,
        loops.observe,
        loops.weigh,
        loops.imagine_many,
        search.search_more,
        count.count_positions,
        array_loops.start_all,
        array_loops.step_all,
        array_loops.play_all,
        array_loops.mark_all,
        array_loops.observe_all,
        array_loops.tell_all,
        array_loops.renew_all,
        array_loops.choose_all,
        array_loops.play_fresh,
    )
}


@dataclass(frozen=True)
class Shape:
    """The sizes of a game: what the engine must know to make room for it.

    `cards`: different cards; `piles`: for each pile the first and last card number that it can
    hold; `pack`: most cards in a pile; `players`: most seats;
    `moves`: most moves that can be legal at once; `features`: numbers that `encode` writes;
    `seldom`: rows of the state that few moves touch (while a GPU steps games, they stay where they
    are);
    `alike`: rows that a view has from the state, so that `encode` may as well read them there (as a
    GPU does, instead of copying them).
    """

    state: np.dtype[Any]
    view: np.dtype[Any]
    options: np.dtype[Any]
    cards: int
    piles: tuple[tuple[int, int], ...]
    pack: int
    players: int
    moves: int
    features: int
    seldom: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    def chance(self) -> np.dtype[Any]:
        """The record of what nature draws from."""
        card = np.int8 if self.cards <= 128 else np.int16  # small: GPUs hold it in fast memory
        return np.dtype(
            [
                ("random", np.int64, (3,)),
                ("pack", card, (len(self.piles), self.pack)),
                ("left", np.int16, (len(self.piles),)),
                ("opened", np.int16, (len(self.piles),)),
            ],
            align=True,
        )


def records(dtype: np.dtype[Any], n: int) -> Any:
    """An array of n records, all zero, whose fields are attributes at every speed."""
    return np.zeros(n, dtype).view(np.recarray)


def record(dtype: np.dtype[Any]) -> Any:
    """One record, all zero."""
    return records(dtype, 1)[0]


#: Rules of fewer bytes of bytecode than this are always inlined: a tenth more moves a second. With
#: all of them inlined, a game of many rules compiles for a minute, and is slower.
_SMALL = 400


class Engine:
    """A game's rules and loops at one speed: each is an attribute, under its own name."""

    def __init__(
        self, name: str, rules: Mapping[str, Callable[..., Any]], shape: Shape, speed: Speed
    ) -> None:
        self.speed: Speed = speed
        self.shape = shape
        filled = fill_slots(rules, shape)
        self._sources = LOOPS | {rule: filled[contract.SLOTS[rule]] for rule in RULES}
        doors = {function.__name__ for function in self._sources.values()}
        self._linker = Linker(filled, _finisher(name, speed, doors))

    def __getattr__(self, name: str) -> Any:
        try:
            source = self._sources[name]
        except KeyError:
            raise AttributeError(f"no rule or loop is called {name!r}") from None
        built = self._linker.build(source)
        setattr(self, name, built)
        return built

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """All that can be called."""
        return tuple(self._sources)

    def state(self) -> Any:
        """A blank STATE."""
        return record(self.shape.state)

    def view(self) -> Any:
        """A blank VIEW."""
        return record(self.shape.view)

    def chance(self) -> Any:
        """What nature draws from, with nothing in it yet."""
        chance = record(self.shape.chance())
        chance.opened[:] = -1
        return chance

    def moves(self) -> npt.NDArray[np.int64]:
        """Room for a list of legal moves."""
        return np.zeros(self.shape.moves, np.int64)

    def count(self, g: Any, depth: int, deals: npt.NDArray[np.int16]) -> list[int]:
        """How many positions there are at each depth from 0 below a state."""
        levels = records(self.shape.state, depth + 1)
        levels[0] = g
        counts = np.zeros(depth + 1, np.int64)
        self.count_positions(
            levels,
            np.zeros((depth + 1, max(self.shape.moves, self.shape.cards)), np.int64),
            np.zeros(depth + 1, np.int64),
            np.zeros(depth + 1, np.int64),
            deals,
            np.zeros((depth + 1, len(deals)), np.int64),
            counts,
        )
        return [int(n) for n in counts]

    def warm(self, options: Any, catalogue: npt.NDArray[np.int64], actions: int) -> Iterator[str]:
        """Call everything once, so that it is compiled and on disk; yields each name when done."""
        g, v, chance, moves = self.state(), self.view(), self.chance(), self.moves()
        shape = self.shape
        out = np.zeros(shape.features, np.float32)
        mask = np.zeros(actions, np.uint8)
        scores, results = np.zeros(shape.players, np.int64), np.zeros(shape.players, np.float64)
        written = np.full((1, shape.pack), -1, np.int16)
        states, chances, made = (
            records(shape.state, 1),
            records(shape.chance(), 1),
            moves[:1].copy(),
        )
        calls: dict[str, Callable[[], Any]] = {
            "seed_stream": lambda: self.seed_stream(chance.random, 1, 0),
            "start_game": lambda: self.start_game(g, options, chance, 1, 0),
            "advance": lambda: self.advance(g, chance),
            "random_move": lambda: self.random_move(g, chance, moves),
            "playout": lambda: self.playout(g, chance, moves),
            "play_games": lambda: self.play_games(g, options, chance, moves, 1, 0, 1),
            "list_legal": lambda: self.list_legal(g, moves),
            "list_by_refusing": lambda: self.list_by_refusing(g, catalogue[:1], moves),
            "mark_legal": lambda: self.mark_legal(g, catalogue, moves, mask),
            "list_pile": lambda: self.list_pile(g, 0, np.zeros(shape.cards, np.int16)),
            "tell_scores": lambda: self.tell_scores(g, 1, scores, results),
            "count_positions": lambda: self.count(g, 1, written),
            "setup": lambda: self.setup(g, options),
            "refuse": lambda: self.refuse(g, self.random_move(g, chance, moves)),
            "step": lambda: self.step(g, self.random_move(g, chance, moves)),
            "play": lambda: self.play(g, self.random_move(g, chance, moves)),
            "deal": lambda: self._warm_deal(g, options),
            "deal_at": lambda: self.deal_at(states, 0, np.zeros(0, np.int16), 0),
            "step_at": lambda: self.step_at(states, 0, -1),
            "refuse_at": lambda: self.refuse_at(states, 0, -1),
            "see_at": lambda: self.see_at(states, 0, 0, records(shape.view, 1)),
            "list_at": lambda: self.list_at(states, 0, moves),
            "see": lambda: self.see(g, 0, v),
            "action_of": lambda: self.action_of(g, catalogue, self.random_move(g, chance, moves)),
            "move_of": lambda: self.move_of(g, catalogue, 0),
            "advise": lambda: self.advise(v, self.random_move(g, chance, moves)),
            "encode": lambda: self.encode(v, out),
            "observe": lambda: self.observe(g, v, out),
            "imagine": lambda: self.imagine(v, chance.random, self.state()),
            "start_all": lambda: self.start_all(states, options, chances, 1, 0, 0, 1),
            "step_all": lambda: self.step_all(states, chances, catalogue, made, made.copy(), 0, 0),
            "play_all": lambda: self.play_all(states, chances, moves, made, 0, 0),
            "mark_all": lambda: self.mark_all(states, catalogue, moves, mask[None], 0, 0),
            "observe_all": lambda: self.observe_all(states, v, out[None], 0, 0),
            "tell_all": lambda: self.tell_all(states, 1, scores[None], results[None], 0, 0),
            "renew_all": lambda: self.renew_all(
                states, options, chances, 1, made, out[None], mask[:1], 0, 0
            ),
            "choose_all": lambda: self.choose_all(states, chances, catalogue, moves, made, 0, 0),
            "play_fresh": lambda: self.play_fresh(
                g, options, chance, moves, 1, 0, 0, made, results[None], 0, 0
            ),
            "weigh": lambda: self.weigh(v, moves[:1], results),
            "imagine_many": lambda: self.imagine_many(v, chance.random, records(shape.state, 2)),
        }
        calls["search_more"] = lambda: self.search_more(
            v,
            self.view(),
            records(shape.state, 2),
            chance,
            moves,
            np.zeros(shape.moves),
            np.zeros(shape.moves, np.int32),
            np.zeros(shape.moves, np.int32),
            records(search.NODE, 2),
            np.zeros(4, np.int32),
            np.zeros((1, 2), np.int32),
            np.zeros(shape.players),
            np.array([1.0, 2.0, 0.0, 1.0, 1.0]),
            np.zeros(search.COUNTS, np.int64),
            1,
        )
        for name in self.names:
            self.start_game(g, options, chance, 1, 0)
            self.see(g, int(g.to_act), v)
            states[0] = g
            calls[name]()
            yield name

    def _warm_deal(self, g: Any, options: Any) -> None:
        self.setup(g, options)
        counts = np.zeros(self.shape.cards, np.int16)
        self.list_pile(g, int(g.pile), counts)
        self.deal(g, int(counts.argmax()))


def fill_slots(rules: Mapping[str, Callable[..., Any]], shape: Shape) -> dict[Any, Any]:
    """The contract's slots, each with what fills it: the game's own rules, or the usual ones."""
    unknown = rules.keys() - contract.SLOTS.keys()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ValueError(f"rules {names}: engine/contract.py declares no slot of that name")
    first, last = zip(*shape.piles, strict=True)
    return {
        contract.CARDS: shape.cards,
        contract.FIRST_CARD: np.array(first, np.int64),
        contract.LAST_CARD: np.array(last, np.int64),
        contract.pick_legal: loops.pick_by_listing,
        contract.lay_out: loops.lay_by_odds,
        contract.action_of: loops.find_in_catalogue,
        contract.move_of: loops.take_from_catalogue,
        contract.sight: loops.sight_by_seeing,
    } | {contract.SLOTS[name]: rule for name, rule in rules.items()}


def _finisher(name: str, speed: Speed, doors: set[str]) -> Callable[[FunctionType], Any]:
    """What turns a rebuilt Python function into one of the given speed.

    `doors` are the functions that are called from outside.
    """
    if speed == "plain":
        return lambda function: function
    if speed == "cuda":
        from numba import cuda

        return lambda function: cuda.jit(function, device=True)
    return functools.partial(_compile, name, doors)


def _compile(name: str, doors: set[str], function: FunctionType) -> Any:
    """Compile for the CPU; what is called from outside is kept in the cache on disk."""
    import numba

    entry = function.__name__ in doors
    # Numba's own key for a cached function is its own file: it would serve stale code when a rule
    # in another file changes. So each state of the sources has its own folder.
    numba.config.CACHE_DIR = str(cache_folder(name))
    small = len(function.__code__.co_code) < _SMALL
    # Rules allocate nothing; told so, Numba counts no references (and refuses one that does).
    return numba.njit(
        function, nogil=True, error_model="numpy", cache=entry, forceinline=small, _nrt=False
    )
