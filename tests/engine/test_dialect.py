"""A rule outside of the dialect gets one sentence: file, line, what to write instead."""

from __future__ import annotations

import functools
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from theriac.engine import dialect
from theriac.engine.build import Engine
from theriac.engine.compiling import compile_rule
from theriac.engine.dialect import BadRule, violations
from theriac.engine.fields import check_fields
from theriac.engine.records import record
from theriac.engine.rule import Linker, rule
from theriac.engine.shape import Shape
from theriac.game import Game
from theriac.testing.setups import GAMES

HEADER = """
import functools
import math
import random
import numpy as np
from theriac.engine import rows
from theriac.engine.rule import rule

NAMES = ["red", "blue"]
COSTS = {1: 2}
TITLE = "poison"

def helper(x):
    return x + 1

@rule
def two(g, x):
    return g.scores[x]

@rule
def nothing(g):
    g.to_act = 1
"""

#: What is wrong when a rule is marked: the rule, with the line that is wrong ending in `#!`, and
#: what is said of it.
MARKED: dict[str, tuple[str, str]] = {
    "list": ("a = [1, 2]  #!\nreturn a[0]", "a list does not compile: use a field of the record"),
    "dict": ("return {1: x}[1]  #!", "a dict does not compile: use a NumPy array"),
    "set": ("a = {1, x}  #!\nreturn 0", "a set does not compile: use the bits of an int"),
    "comprehension": (
        "return len([i for i in range(x)])  #!",
        "a comprehension does not compile: write a plain loop",
    ),
    "generator": (
        "y = 0\nreturn any(i > y for i in range(x))  #!",
        "a generator does not compile: write a plain loop",
    ),
    "yield": ("yield x  #!", "yield does not compile: write the values to a buffer"),
    "raise": ("if x > 2:\n    raise ValueError(x)  #!\nreturn 0", "raise does not compile: return"),
    "try": (
        "try:  #!\n    return g.scores[x]\nexcept IndexError:\n    return 0",
        "try does not compile: check first, and return a code",
    ),
    "assert": ("assert x > 0  #!\nreturn x", "assert does not compile: write a test"),
    "with": ("with g:  #!\n    return x", "with does not compile: rules open nothing"),
    "string": ('return x == "red"  #!', "a string does not compile: rules work on numbers"),
    "string of strings": ('return x in ("red", "blue")  #!', "a string does not compile"),
    "f-string": ('y = f"{x}"  #!\nreturn 0', "a string does not compile: rules work on numbers"),
    "field by its name": ('return g["scores"][0]  #!', "a string does not compile"),
    "lambda": ("f = lambda y: y + x  #!\nreturn f(1)", "a lambda does not compile: write a rule"),
    "function": (
        "def inner(y):  #!\n    return y + x\nreturn inner(2)",
        "a function in a function does not compile: write a rule of its own",
    ),
    "global": ("global NAMES  #!\nNAMES = x", "global does not compile: keep what changes in a"),
    "import": ("import math as m  #!\nreturn m.sqrt(x)", "an import does not compile: write it at"),
    "starred": ("return two(*g)  #!", "a starred expression does not compile: write the arguments"),
    "starred keywords": ("return two(**g)  #!", "a starred expression does not compile"),
    "is": ("return x is g  #!", "is does not compile: compare numbers with =="),
    "is not None": ("if x is not None:  #!\n    return 1\nreturn 0", "is not does not compile"),
    "del": ("y = x\ndel y  #!\nreturn 0", "del does not compile: leave it out"),
}


def probe(body: str, parameters: str = "g, x") -> str:
    """The source of a module with one rule, `probe`."""
    lines = [f"    {line}" for line in body.splitlines()]
    mark = "@rule" if "#!" in body else "@rule  #!"  # wrong as a whole
    return "\n".join([HEADER, mark, f"def probe({parameters}):", *lines, ""])


def load(folder: Path, source: str) -> ModuleType:
    """The module with this source."""
    file = folder / "mistakes.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("mistakes", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expect(folder: Path, source: str, said: str, mistake: Callable[[ModuleType], Any]) -> None:
    """The mistake gives one sentence that begins with the file and the marked line."""
    with pytest.raises(BadRule) as caught:
        mistake(load(folder, source))
    line = source[: source.index("#!")].count("\n") + 1
    text = str(caught.value)
    assert text.startswith(f"{folder}/mistakes.py:{line}: in the rule probe, ")
    assert said in text
    assert len(text.splitlines()) == 1
    assert len(text) < 400


@pytest.mark.parametrize("name", MARKED)
def test_noticed_when_it_is_marked(name: str, tmp_path: Path) -> None:
    body, said = MARKED[name]
    expect(tmp_path, probe(body), said, lambda _: None)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("g, *x", "a variable number of parameters does not compile: write them one by one"),
        ("g, **x", "a variable number of parameters does not compile: write them one by one"),
        ("g, *, x", "a keyword-only parameter does not compile: leave out the *"),
    ],
)
def test_parameters_are_noticed_when_it_is_marked(
    parameters: str, said: str, tmp_path: Path
) -> None:
    source = probe("return 0  # no #!", parameters).replace(
        f"({parameters}):", f"({parameters}):  #!"
    )
    expect(tmp_path, source, said, lambda _: None)


#: What is wrong when rules are linked: their names have values then.
LINKED: dict[str, tuple[str, str]] = {
    "no rule": ("y = 1\nreturn helper(y)  #!", "helper is called, which is not a rule: mark it"),
    "not defined": ("return foo + x  #!", "the name foo is not defined: define it, or import it"),
    "near miss": ("return nothin(g)  #!", "the name nothin is not defined: did you mean nothing?"),
    "sum": ("return sum(g.scores)  #!", "sum does not compile: write a plain loop"),
    "sorted": ("return sorted(g.scores)  #!", "sorted does not compile: sort in a plain loop"),
    "isinstance": ("return isinstance(x, int)  #!", "isinstance does not compile: a parameter has"),
    "open": ("return open(x)  #!", "open does not compile: a rule may call abs, bool, divmod"),
    "a list": ("return NAMES[x]  #!", "NAMES is a list, which does not compile: make it a NumPy"),
    "a dict": ("return COSTS[x]  #!", "COSTS is a dict, which does not compile: make it a NumPy"),
    "a string": ("return x == TITLE  #!", "TITLE is a string: rules work on numbers"),
    "zeros": ("return np.zeros(3)[x]  #!", "np.zeros does not compile: write a plain loop over a"),
    "np.random": ("return np.random.rand(x)  #!", "np.random.rand does not compile: draw from the"),
    "random": (
        "return random.randrange(x)  #!",
        "random.randrange does not compile: draw",
    ),
    "math.comb": ("return math.comb(x, 2)  #!", "math.comb does not compile: use a table"),
    "a method": (
        "return g.scores.sum()  #!",
        "the method sum does not compile: write a",
    ),
    "a rule of a module": (
        "return rows.holds(g.scores, 3, x)  #!",
        "rows.holds is called through its module: import holds by its own name",
    ),
    "a module": ("return x + math  #!", "the module math is not a value: name what you need of it"),
    "itself": ("if x == 0:\n    return 1\nreturn probe(g, x - 1)", "recursion does not compile"),
    "None": ("best = None  #!\nreturn x", "None does not compile: use a number that means"),
    "nothing": (
        "for i in range(x):  #!\n    if g.scores[i]:\n        return i",
        "nothing is returned, but a value in line 28: return a value everywhere",
    ),
}


@pytest.mark.parametrize("name", LINKED)
def test_noticed_when_it_is_linked(name: str, tmp_path: Path) -> None:
    """At every speed: also interpreted."""
    body, said = LINKED[name]
    source = (
        probe(body) if "#!" in body else probe(body).replace("@rule\ndef p", "@rule  #!\ndef p")
    )
    expect(tmp_path, source, said, lambda module: Linker({}).build(module.probe))


#: What only Numba notices.
COMPILED: dict[str, tuple[str, str]] = {
    "float index": ("return g.scores[x / 2]  #!", "an index is a float64: use // or int(...)"),
    "float index to write to": ("g.scores[x / 2] = 1  #!", "an index is a float64: use // or int"),
    "row index": ("return g.hands[x, 1, 2]  #!", "a row of rows of int16 does not take the index"),
    "number with an index": ("return x[2]  #!", "int64 is indexed, which is not a row"),
    "tuple with an index": ("return (1, 2.5, g.scores)[x]  #!", "a tuple is indexed by a variable"),
    "row or number": (
        "if x > 2:\n    return g.scores  #!\nreturn 0",
        "it returns int or a row of int16: return the same type everywhere",
    ),
    "row as a number": ("g.to_act = g.scores  #!", "a row is stored in the field to_act, which"),
    "number as a row": (
        "g.scores = x  #!",
        "int64 is stored where a row of int16 is needed",
    ),
    "row as a condition": ("if g.scores:  #!\n    x = 1\nreturn x", "a row of int16 is used as a"),
    "shifted float": ("return (x / 2) >> 1  #!", "the operator >> does not take float64 and int"),
    "nothing as a number": (
        "return x + nothing(g)  #!",
        "the operator + does not take int64 and None",
    ),
    "too few arguments": (
        "return two(g)  #!",
        "two takes (g, x): missing a required",
    ),
    "too many arguments": ("return two(g, x, x)  #!", "two takes (g, x): too many positional"),
    "a number as a rule": ("return x(3)  #!", "int64 is called, which is not a rule"),
    "a large number": ("return x + (1 << 70)  #!", "is too large: 64 bits at the most"),
    "a whole row": ("g.hands[0] = g.hands[1]  #!", "memory would have to be allocated"),
    "a field": ("y = 1\nreturn g.scors[y]", "a record has no field scors: add it to its dtype"),
    "a keyword": ("return min(x, 3, key=abs)  #!", "min does not take (int64, int, key="),
    "len of a record": ("return len(g)  #!", "len does not take (a record)"),
}
STATE = np.dtype(
    [("to_act", np.int16), ("hands", np.int16, (4, 8)), ("scores", np.int16, (4,))], align=True
)


@pytest.mark.parametrize("name", COMPILED)
def test_noticed_when_it_is_compiled(name: str, tmp_path: Path) -> None:
    body, said = COMPILED[name]
    source = (
        probe(body) if "#!" in body else probe(body).replace("@rule\ndef p", "@rule  #!\ndef p")
    )
    expect(tmp_path, source, said, lambda module: compiled(module.probe)(record(STATE), 1))


def compiled(function: Any) -> Any:
    return Linker({}, compile_rule).build(function)


def test_the_innermost_rule_is_named(tmp_path: Path) -> None:
    """Not the one that was called from outside."""
    source = probe("return g.scores[x / 2]  #!") + (
        "\n@rule\ndef caller(g, x):\n    return probe(g, x) + 1\n"
    )
    said = "an index is a float64"
    expect(tmp_path, source, said, lambda module: compiled(module.caller)(record(STATE), 1))


def test_all_that_numba_says_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(tmp_path, probe("return g.scores[x / 2]"))
    with pytest.raises(BadRule) as caught:
        compiled(module.probe)(record(STATE), 1)
    assert "No implementation of function" in str(caught.value.compiler)
    assert caught.value.__cause__ is None
    monkeypatch.setenv("THERIAC_NUMBA", "1")
    with pytest.raises(BadRule) as caught:
        compiled(module.probe)(record(STATE), 1)
    assert caught.value.__cause__ is caught.value.compiler


# Fields


def shape(**more: Any) -> Shape:
    view = np.dtype([("to_act", np.int16), ("hand", np.int16, (8,))], align=True)
    sizes: dict[str, Any] = {"cards": 8, "piles": ((0, 7),), "pack": 8, "players": 4, "moves": 8}
    return Shape(state=STATE, view=view, options=view, features=1, **sizes, **more)


@pytest.mark.parametrize(
    ("slot", "body", "said"),
    [
        ("refuse", "return g.scors[x]  #!", "STATE has no field scors: did you mean scores?"),
        ("play", "g.scors[x] = 1  #!", "STATE has no field scors: did you mean scores?"),
        ("advise", "return g.hands[x]  #!", "VIEW has no field hands (there is one in STATE): did"),
        ("advise", "return g.zzz  #!", "VIEW has no field zzz: it has to_act, hand"),
    ],
)
def test_a_field_that_the_record_lacks_is_noticed(
    slot: str, body: str, said: str, tmp_path: Path
) -> None:
    expect(tmp_path, probe(body), said, lambda module: check_fields({slot: module.probe}, shape()))


def test_a_field_is_noticed_in_a_rule_that_gets_the_record_from_another(tmp_path: Path) -> None:
    source = probe("return g.hands[x]  #!") + "\n@rule\ndef caller(v, x):\n    return probe(v, x)\n"
    said = "VIEW has no field hands"
    expect(tmp_path, source, said, lambda module: check_fields({"advise": module.caller}, shape()))


def test_a_name_with_another_value_is_not_taken_for_the_record(tmp_path: Path) -> None:
    module = load(tmp_path, probe("g = g.hands\nreturn g.zzz"))
    check_fields({"refuse": module.probe}, shape())


def test_an_engine_checks_fields_before_anything_runs(tmp_path: Path) -> None:
    game = GAMES[0]
    module = load(tmp_path, probe("return g.scors[x]"))
    for speed in ("plain", "cuda"):
        with pytest.raises(BadRule, match="STATE has no field scors"):
            Engine(game.folder.name, {**game.rules, "refuse": module.probe}, game.shape, speed)


# What is right


def test_what_the_dialect_has_is_accepted(tmp_path: Path) -> None:
    body = '''"""A docstring: the only string."""
best: int = -1
for i in range(len(g.scores)):
    if i in (1, 2) and not g.scores[i] > 2:
        continue
    best, last = max(best, int(g.scores[i])), i
while best > 100:
    best -= 1
else:
    best = two(g, x=1) if best < 0 else best
g.hands[:] = 0
print(math.sqrt(best) + np.int16(3) // 2, -math.inf)
return abs(best) ** 2 + (1 << int(x))'''
    module = load(tmp_path, probe(body))
    assert Linker({}).build(module.probe)(record(STATE), 1) == 2
    assert compiled(module.probe)(record(STATE), 1) == 2


def test_a_rule_without_source_is_not_checked() -> None:
    names: dict[str, Any] = {"rule": rule}
    exec("@rule\ndef probe(g, x):\n    return [x]", names)
    assert names["probe"](0, 3) == [3]


def test_another_decorator_is_refused() -> None:
    with pytest.raises(TypeError, match="@rule marks a plain function, not _lru_cache_wrapper"):
        rule(functools.cache(lambda g: g))


COUNT_PARSED = """
from theriac.engine import dialect
parsed = []
dialect.find_source = lambda function: parsed.append(function.__qualname__)
from theriac.game import all_games
all_games()
print(parsed)
"""


def test_importing_games_parses_no_rule() -> None:
    """A look at the bytecode is enough: parsing would take longer than the import."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT_PARSED], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_no_rule_of_a_game_has_a_violation(game: Game) -> None:
    """The quick look and the slow one agree."""
    for function in game.rules.values():
        source = dialect.find_source(function)
        assert source is None or list(violations(source)) == []
