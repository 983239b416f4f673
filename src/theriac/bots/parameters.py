"""The parameters of a bot, as written after its name: ms=200,threads=2.

>>> slip = Parameter("slip", 0.0, "how often", least=0, most=1)
>>> read_parameters("greedy", "slip=0.5", [slip])
{'slip': 0.5}
>>> read_parameters("greedy", "slip=2", [slip])
Traceback (most recent call last):
theriac.faults.Fault: bot greedy: slip=2 is not a number from 0 to 1
>>> read_parameters("neural", "heat=1", [Parameter("temperature", 0.0, "", old_name="heat")])
Traceback (most recent call last):
theriac.faults.Fault: bot neural: the parameter heat was renamed: write temperature=1
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from theriac.faults import Fault, listed, quote

Value = bool | int | float | str

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a bot. The type of its default is the type of its values; None allows any.

    `old_name` is what it was called before. Typing it raises an error that names the new one; a
    stored text that has it is translated (`rename_parameters`).
    """

    name: str
    default: Value | None
    help: str
    least: float | None = None
    most: float | None = None
    old_name: str | None = None

    @property
    def expected(self) -> str:
        """The values it takes, in words."""
        kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        kind = kinds.get(type(self.default), "a value")
        if self.least is not None and self.most is not None:
            return f"{kind} from {_plain(self.least)} to {_plain(self.most)}"
        if self.least is not None:
            return f"{kind}, {_plain(self.least)} or more"
        return kind if self.most is None else f"{kind}, {_plain(self.most)} or less"

    def read(self, text: str) -> Value | None:
        """Parse a value; None if this parameter does not take it."""
        value = text if isinstance(self.default, str) else parse_value(text)
        if isinstance(self.default, float) and type(value) is int:
            value = float(value)
        if self.default is not None and type(value) is not type(self.default):
            return None
        return value if self._in_range(value) else None

    def _in_range(self, value: Value) -> bool:
        if self.least is None and self.most is None:
            return True
        if isinstance(value, (bool, str)):
            return False
        low = -math.inf if self.least is None else self.least
        return low <= value <= (math.inf if self.most is None else self.most)


def _plain(number: float) -> str:
    """A limit as people write it: 3600000, not 3.6e+06."""
    return str(int(number)) if number == int(number) else str(number)


def parse_value(text: str) -> Value:
    """A boolean or a number if the text reads like one, else the text itself.

    >>> parse_value("200"), parse_value("0.5"), parse_value("true"), parse_value("nan")
    (200, 0.5, True, 'nan')
    """
    if text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 19:
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def parameters_of(factory: Callable[..., Any]) -> Sequence[Parameter] | None:
    """The parameters that a bot factory takes; None if it takes any.

    They are declared in its attribute `PARAMETERS`; without one they are read from its signature.
    """
    declared: Sequence[Parameter] | None = getattr(factory, "PARAMETERS", None)
    if declared is not None:
        return declared
    found = inspect.signature(factory).parameters.values()
    if any(each.kind is each.VAR_KEYWORD for each in found):
        return None
    named = [each for each in found if each.name not in ("name", "seed")]
    return [Parameter(each.name, _default(each.default), "") for each in named]


def _default(value: Any) -> Value | None:
    return value if isinstance(value, (bool, int, float, str)) else None


def read_parameters(
    bot: str, text: str, known: Sequence[Parameter] | None
) -> dict[str, Value | None]:
    """Parse a text such as ms=200,threads=2; raises `Fault`."""
    values: dict[str, Value | None] = {}
    for part in text.split(",") if text else []:
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise Fault(f"bot {bot}: {quote(part)} is not a parameter: write NAME=VALUE")
        if name in values:
            raise Fault(f"bot {bot}: {quote(name)} is given twice: give it once")
        values[name] = parse_value(value) if known is None else _read(bot, name, value, known)
    return values


def _read(bot: str, name: str, text: str, known: Sequence[Parameter]) -> Value:
    for parameter in known:
        if parameter.name == name:
            value = parameter.read(text)
            if value is None:
                raise Fault(f"bot {bot}: {quote(name + '=' + text)} is not {parameter.expected}")
            return value
        if parameter.old_name == name:
            renamed = quote(f"{parameter.name}={text}")
            raise Fault(f"bot {bot}: the parameter {name} was renamed: write {renamed}")
    names = listed([parameter.name for parameter in known])
    takes = f"it takes {names}" if names else "it takes none"
    raise Fault(f"bot {bot}: it has no parameter {quote(name)}: {takes}")


def rename_parameters(text: str, known: Sequence[Parameter]) -> str:
    """A stored text with renamed parameters under their current names.

    >>> rename_parameters("file=a,heat=1", [Parameter("temperature", 0.0, "", old_name="heat")])
    'file=a,temperature=1'
    """
    renamed = {each.old_name: each.name for each in known if each.old_name}
    parts = [part.partition("=") for part in text.split(",")]
    return ",".join(renamed.get(name.strip(), name) + sep + value for name, sep, value in parts)
