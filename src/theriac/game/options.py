"""The options of a game: the values each takes, as people type them and as the rules read them.

>>> teams = Option("teams", (False, True), "SHO-02", "two teams of two")
>>> teams.read("yes"), teams.number(True)
(True, 1)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from theriac.faults import BadOption, listed, quote

Value = bool | int | str | list[str]

_SYNONYMS = {True: ("yes", "on"), False: ("no", "off")}


@dataclass(frozen=True)
class Option:
    """An option with a fixed list of values, the first of which is the default.

    `clause` is the id of the clause that grants the option.
    """

    name: str
    values: tuple[Value, ...]
    clause: str
    help: str

    @property
    def default(self) -> Value:
        """The value that holds when the option is not given."""
        return self.values[0]

    @property
    def values_text(self) -> str:
        """The accepted values, for a person."""
        return ", ".join(as_typed(value) for value in self.values)

    def values_json(self) -> dict[str, Any]:
        """The accepted values, for a program."""
        return {"values": list(self.values)}

    def read(self, text: str) -> Any:
        """The value that a person means by this text; the text itself if it matches none."""
        for value in self.values:
            synonyms = _SYNONYMS.get(value, ()) if isinstance(value, bool) else ()
            if text.lower() in (as_typed(value), *synonyms):
                return value
        return int(text) if _is_number(text) else text

    def number(self, value: Any) -> int:
        """The value as the number that the rules read; raises `BadOption`."""
        for i, known in enumerate(self.values):
            if type(value) is type(known) and value == known:
                return int(known) if isinstance(known, int) else i
        raise self._refused(value, listed([as_json(v) for v in self.values]))

    def _refused(self, value: Any, accepted: str) -> BadOption:
        clause = f" ({self.clause})" if self.clause else ""
        return BadOption(f"option {self.name}: {quote(value)} is not {accepted}{clause}")


class IntOption(Option):
    """An option that takes any whole number from 0 to `most`."""

    def __init__(self, name: str, default: int, most: int, clause: str, help: str) -> None:  # noqa: A002
        super().__init__(name, (default, 0, most), clause, help)

    @property
    def most(self) -> int:
        """The largest number it takes."""
        most = self.values[2]
        assert isinstance(most, int)
        return most

    @property
    def values_text(self) -> str:
        """The default and the range."""
        return f"{self.default} (from 0 to {self.most})"

    def values_json(self) -> dict[str, Any]:
        """The range."""
        return {"least": 0, "most": self.most}

    def number(self, value: Any) -> int:
        """The number itself; raises `BadOption`."""
        if type(value) is not int or not 0 <= value <= self.most:
            raise self._refused(value, f"a whole number from 0 to {self.most}")
        return value


class SetOption(Option):
    """An option that takes a list of names, each at most once; by default an empty one.

    The rules read it as a bit mask, with one bit per name.
    """

    def __init__(self, name: str, names: tuple[str, ...], clause: str, help: str) -> None:  # noqa: A002
        super().__init__(name, ([], *([one] for one in names), [*names]), clause, help)

    @property
    def names(self) -> list[str]:
        """Every name that the list may contain."""
        names = self.values[-1]
        assert isinstance(names, list)
        return names

    @property
    def values_text(self) -> str:
        """The names that the list may contain."""
        return f"none, or some of {', '.join(self.names)}"

    def values_json(self) -> dict[str, Any]:
        """The names that the list may contain."""
        return {"some_of": self.names}

    def read(self, text: str) -> Any:
        """A list of names, separated by commas or plus signs."""
        words = text.lower().replace("+", ",").split(",")
        return [] if text.lower() in ("", "none") else [word.strip() for word in words]

    def number(self, value: Any) -> int:
        """The bit mask; raises `BadOption`."""
        known = isinstance(value, list) and all(name in self.names for name in value)
        if not known or len(set(value)) < len(value):
            raise self._refused(value, f"a list of {listed(self.names)}, each at most once")
        return sum(1 << self.names.index(name) for name in value)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def as_json(value: Value) -> str:
    """A value as a record has it."""
    return json.dumps(value)


def as_typed(value: Value) -> str:
    """A value as a person types it."""
    if isinstance(value, list):
        return ",".join(value) or "none"
    return as_json(value).strip('"')
