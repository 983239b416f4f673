"""The records and functions of a game: are they all there, and as the contract asks?"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from theriac.checks.report import Report
from theriac.engine import contract
from theriac.engine.fields import field_violations, taken_names
from theriac.engine.names import name_violations, uses_of
from theriac.engine.rule import is_rule
from theriac.engine.search import SearchConfig
from theriac.engine.shape import Shape
from theriac.engine.usual import why_no_imagine
from theriac.faults import listed
from theriac.game import Game

#: The fields that the engine reads, and what they are for.
REQUIRED: Final = {
    "STATE": {
        "to_act": "the seat to act",
        "rounds": "the number of the round",
        "pile": "the pile that the next card comes from",
        "shuffles": "for each pile the number of its latest shuffle",
    },
    "VIEW": {
        "to_act": "the seat to act",
        "rounds": "the number of the round",
        "scores": "the points of each seat",
    },
    "OPTIONS": {"players": "the number of players", "first": "the seat that begins"},
}


#: How much two names have in common if one may be a misspelling of the other.
_NEAR: Final = 0.75
#: The functions of the contract that have no default.
FUNCTIONS: Final = tuple(
    name
    for name, slot in contract.SLOTS.items()
    if isinstance(slot, FunctionType) and not (slot.__doc__ or "").startswith("Optional")
)


def layouts(shape: Shape) -> dict[str, np.dtype[Any]]:
    """The records of a game, as games name them."""
    return {"STATE": shape.state, "VIEW": shape.view, "OPTIONS": shape.options}


def check_records(game: Game, report: Report) -> None:
    """Check that the records have the fields that the engine reads, wide enough."""
    for kind, layout in layouts(game.shape).items():
        for field, meaning in REQUIRED[kind].items():
            if field not in (layout.names or ()):
                report.error(f"state.py: {kind} has no field {field} ({meaning})")
        for field in taken_names(layout):
            report.error(
                f"state.py: {kind}.{field} has the name of a method of NumPy's records: rename it"
            )
        for field in layout.names or ():
            for why in _too_narrow(layout[field], game.shape.cards):
                report.error(f"state.py: {kind}.{field} {why}")
    _check_sizes(game, report)


def _too_narrow(field: np.dtype[Any], cards: int) -> Iterator[str]:
    """A number has 16 bits or more; only rows may be narrower."""
    base, shape = field.base, field.shape
    if base.kind == "f":
        if base.itemsize < 8:
            yield "is less exact than Python's numbers: use np.float64"
    elif base.kind not in "iu":
        yield f"is {base}, not a number: use np.int16 or wider"
    elif base.itemsize < 2 and not shape:
        yield f"is narrow ({base}) and overflows when it is summed: use np.int16 or wider"
    elif np.iinfo(base).max < cards - 1:
        yield f"is too narrow ({base}) for the numbers of {cards} cards: use np.int16"


def _check_sizes(game: Game, report: Report) -> None:
    """Check the fields that have one element per pile or per seat."""
    shape, piles = game.shape, len(game.shape.piles)
    if "shuffles" in (shape.state.names or ()) and shape.state["shuffles"].shape != (piles,):
        report.error(f"state.py: STATE.shuffles must have one element per pile: there are {piles}")
    if shape.players != max(game.players):
        report.error(
            f"__init__.py: the shape has {shape.players} players, the game up to "
            f"{max(game.players)}: make them equal"
        )
    if "scores" in (shape.view.names or ()):
        seats = (*shape.view["scores"].shape, 0)[0]
        if seats < max(game.players):
            report.error(
                f"state.py: VIEW.scores has {seats} elements for {max(game.players)} seats"
            )


# Functions


def check_functions(game: Game, report: Report) -> None:
    """Check that the functions of the contract are there, are rules, and take what they get."""
    own = {name for name in game.rules if name not in game.derived}
    missing = {name for name in FUNCTIONS if name not in game.rules}
    for name, function, why in _meant(game, own):
        report.error(f"{_place(function, game)}: {why}")
        missing.discard(name)
    for name in FUNCTIONS:
        if name in missing:
            report.error(f"the function {name} is missing: {_purpose(name)}{_remedy(name, game)}")
    for name in sorted(own):
        _check_function(name, game.rules[name], game, report)
    if ("action_of" in own) != ("move_of" in own):
        report.error("of action_of and move_of only one is there: a game gives both or neither")
    if game.derived:
        report.note(f"derived: {', '.join(game.derived)} (docs/contract.md says how)")


def _meant(game: Game, own: set[str]) -> Iterator[tuple[str, Any, str]]:
    """Functions that were meant for the contract, and are not used: which one, and why not."""
    for function in _unused(game):
        near = difflib.get_close_matches(function.__name__, contract.SLOTS, n=1, cutoff=_NEAR)
        if near and near[0] not in own:
            said = f"there is a rule {function.__name__}, which nothing uses"
            yield near[0], function, f"{said}: did you mean {near[0]}?"
    for module in own_modules(game):
        for name, value in vars(module).items():
            unmarked = isinstance(value, FunctionType) and not is_rule(value)
            ours = getattr(value, "__module__", None) == module.__name__
            if unmarked and ours and name in contract.SLOTS and name not in own:
                yield name, value, f"{name} is not marked with @rule"


def _remedy(name: str, game: Game) -> str:
    """What would make a function that is missing unnecessary."""
    if name == "see":
        fields = ", ".join(game.shape.fields.unfilled)
        return f"; it is not derived, since STATE does not have what VIEW calls {fields}"
    if name == "imagine":
        return f"; it is not derived, since {why_no_imagine(game.shape)}"
    if name in ("result", "prospect") and not game.together:
        return '; or write wins="highest" or wins="lowest" into Game(...)'
    return ""


def _check_function(name: str, function: Any, game: Game, report: Report) -> None:
    """Check one of the rules that a game lists."""
    if name not in contract.SLOTS:
        near = difflib.get_close_matches(name, contract.SLOTS, n=1)
        hint = f"did you mean {near[0]}?" if near else "see docs/contract.md"
        report.error(f"rules: the contract has no function {name}: {hint}")
    elif not is_rule(function):
        report.error(f"{_place(function, game)}: {name} is not marked with @rule")
    else:
        _check_signature(name, function, game, report)


def _purpose(name: str) -> str:
    """What a function of the contract does: the first line of its docstring."""
    first = (inspect.getdoc(contract.SLOTS[name]) or "").split("\n")[0]
    return first[:1].lower() + first[1:].rstrip(".")


def _place(function: Any, game: Game) -> str:
    """Where a function is: rules.py:14."""
    code = function.__code__
    path = Path(code.co_filename)
    name = path.relative_to(game.folder) if path.is_relative_to(game.folder) else path
    return f"{name}:{code.co_firstlineno}"


def _check_signature(name: str, function: Any, game: Game, report: Report) -> None:
    asked = [*inspect.signature(contract.SLOTS[name]).parameters]
    taken = inspect.signature(function).parameters
    needed = [parameter for parameter in taken.values() if parameter.default is parameter.empty]
    if len(asked) > len(taken) or len(asked) < len(needed):
        report.error(
            f"{_place(function, game)}: {name} takes ({', '.join(taken)}): "
            f"it is given ({', '.join(asked)})"
        )


def _unused(game: Game) -> Iterator[FunctionType]:
    """The rules of a game that nothing uses."""
    rules = list(own_rules(game))
    used = {use.name for rule in rules for use in uses_of(rule.__code__).names}
    listed_rules = {*game.rules.values(), game.gpu.pick_legal}
    for function in rules:
        if function.__name__ not in used and function not in listed_rules:
            yield function


def own_rules(game: Game) -> Iterator[FunctionType]:
    """Every rule that the modules of a game define."""
    for module in own_modules(game):
        for value in vars(module).values():
            ours = getattr(value, "__module__", None) == module.__name__
            if ours and isinstance(value, FunctionType) and is_rule(value):
                yield value


def own_modules(game: Game) -> Iterator[ModuleType]:
    """The modules of a game's package, without its tests."""
    package = importlib.import_module(game.module)
    yield package
    for entry in pkgutil.iter_modules(package.__path__):
        if entry.name != "tests":
            yield importlib.import_module(f"{game.module}.{entry.name}")


# The dialect


def check_dialect(game: Game, report: Report) -> None:
    """Check the names and fields that the rules of a game use."""
    for rule in own_rules(game):
        for bad in name_violations(rule):
            report.error(str(bad))
    known = {
        name: rule
        for name, rule in game.rules.items()
        if name in contract.SLOTS and name not in game.derived
    }
    for bad in field_violations(known, game.shape):
        report.error(str(bad))


def check_descriptor(game: Game, report: Report) -> None:
    """Check the texts of a game's `Game` object."""
    for name in ("title", "summary", "first_help", "letters"):
        if not getattr(game, name).strip():
            report.error(f"__init__.py: {name} is empty")
    for name in game.search:
        if name not in SearchConfig._fields:
            known = listed(list(SearchConfig._fields))
            report.error(f"__init__.py: search has no parameter {name}: use {known}")
    for option in game.options:
        if not option.help.strip():
            report.error(f"__init__.py: the option {option.name} has no help")
        kinds = sorted({type(value).__name__ for value in option.values})
        if len(kinds) > 1:
            report.error(f"__init__.py: the option {option.name} has values of {listed(kinds)}")
