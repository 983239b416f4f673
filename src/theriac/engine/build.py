"""A game's functions, built for one speed and ready to call.

>>> from theriac.game import find
>>> engine = find("poison").engine("plain")
>>> engine.speed
'plain'
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from theriac.engine import contract, loops
from theriac.engine.bounds import bounds_are_checked, locating
from theriac.engine.cache import cache_folder, is_compiled
from theriac.engine.chance import ChanceState
from theriac.engine.compiling import compile_rule
from theriac.engine.count import CountBuffers
from theriac.engine.entry_points import ENTRY_POINTS, EntryPoints, Example
from theriac.engine.fields import check_fields
from theriac.engine.records import Cards, Moves, Options, State, View, record
from theriac.engine.rule import Linker, Speed
from theriac.engine.shape import Shape
from theriac.engine.usual import fill_usual


class Engine(EntryPoints):
    """A game's rules and loops at one speed; `module` is the game's package."""

    def __init__(
        self, module: str, rules: Mapping[str, Callable[..., Any]], shape: Shape, speed: Speed
    ) -> None:
        self.speed: Speed = speed
        self.shape = shape
        #: The function that made the engine, and its arguments: how a copy is made.
        self.origin: tuple[Callable[..., Engine], tuple[Any, ...]] | None = None
        filled = fill_slots(rules, shape)
        if speed != "cpu" or not is_compiled(module):  # what is in the cache was checked before
            check_fields(rules, shape)
        self._sources = {
            key: filled.get(entry_point.source, entry_point.source)
            for key, entry_point in ENTRY_POINTS.items()
        }
        entry_points = {function.__name__ for function in self._sources.values()}
        self._linker = Linker(filled, _finisher(module, speed, entry_points))
        checked = speed == "cpu" and bounds_are_checked()
        self._interpreted = Linker(filled) if checked else None

    def __reduce__(self) -> tuple[Any, ...]:
        """By origin, never by content: compiled functions belong to one process."""
        if self.origin is None:
            raise TypeError("an engine can be copied only if it comes from Game.engine()")
        return self.origin

    def build(self, name: str) -> Any:
        """The rule or loop of this name, at the engine's speed."""
        source = self._sources[name]
        built = self._linker.build(source)
        return locating(built, self._interpreted.build(source)) if self._interpreted else built

    def state(self) -> State:
        """A blank STATE."""
        return record(self.shape.state)

    def view(self) -> View:
        """A blank VIEW."""
        return record(self.shape.view)

    def chance(self) -> ChanceState:
        """A chance state with empty packs."""
        chance = record(self.shape.chance)
        chance.shuffle[:] = -1
        return chance

    def moves(self) -> Moves:
        """A buffer for a list of legal moves."""
        return np.zeros(self.shape.moves, np.int64)

    def count(self, g: State, depth: int, deals: Cards) -> list[int]:
        """The number of positions at each depth below a state, from depth 0."""
        buffers = CountBuffers.of(self.shape, depth, shuffles=len(deals))
        buffers.states[0] = g
        counts = np.zeros(depth + 1, np.int64)
        self.count_positions(buffers, deals, counts)
        return [int(n) for n in counts]

    def warm(self, options: Options, catalogue: Moves, actions: int) -> Iterator[str]:
        """Call every entry point once, to compile it into the cache; yields each name when done."""
        for name, entry_point in ENTRY_POINTS.items():
            example = Example(self, options, catalogue, actions)
            entry_point.example(getattr(self, name), example)
            yield name


def fill_slots(rules: Mapping[str, Callable[..., Any]], shape: Shape) -> dict[Any, Any]:
    """Map each slot of the contract to what fills it: the game's own rule, or the default."""
    unknown = rules.keys() - contract.SLOTS.keys()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ValueError(f"rules {names}: engine/contract.py declares no slot of that name")
    first, last = zip(*shape.piles, strict=True)
    return {
        contract.CARDS: shape.cards,
        contract.FIRST_CARD: np.array(first, np.int64),
        contract.LAST_CARD: np.array(last, np.int64),
        contract.pick_legal: loops.default_pick_legal,
        contract.lay_out: loops.default_lay_out,
        contract.action_of: loops.default_action_of,
        contract.move_of: loops.default_move_of,
        contract.advise_source: loops.default_advise_source,
        **fill_usual(rules, shape),
    } | {contract.SLOTS[name]: rule for name, rule in rules.items()}


def _finisher(module: str, speed: Speed, entry_points: set[str]) -> Callable[[FunctionType], Any]:
    """The last step of building: compile a linked function for the given speed."""
    if speed == "plain":
        return lambda function: function
    if speed == "cuda":
        from numba import cuda

        return lambda function: cuda.jit(function, device=True)
    return functools.partial(_compile, module, entry_points)


def _compile(module: str, entry_points: set[str], function: FunctionType) -> Any:
    """Compile for the CPU; entry points are cached on disk."""
    from theriac.engine.cache_locator import cache_in

    # Symbols have the name of a function and numbers that are counted in each process. Rules of two
    # games that two processes compiled could have the same, and one would call those of the other.
    function.__qualname__ += f".{module}"
    # Numba looks only for changes in a function's own file: it would serve stale code when a rule
    # in another file changes. So each version of the sources has its own folder.
    with cache_in(cache_folder(module)):
        return compile_rule(function, cached=function.__name__ in entry_points)
