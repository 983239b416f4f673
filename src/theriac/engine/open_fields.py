"""What a seat sees of a STATE, derived from the records: which fields are open, private or hidden.

- *Open*: the field is in STATE and in VIEW, under the same name and with the same type.
- *Private*: STATE has one per seat, VIEW the viewer's own: ``hands`` and ``hand``.
- *Hidden*: every other field of STATE.

From this follow `copy_open`, which copies the open fields from one record to the other, in either
direction; `fill_view`, the usual `see`; and `encode_fields`, the usual `encode`. Each is a small
rule made from the lists of fields: the source is what one would write by hand.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from theriac.engine import contract
from theriac.engine.bits import count_bits
from theriac.engine.generating import make_rule
from theriac.engine.rows import copy_row, only
from theriac.engine.rule import rule
from theriac.faults import Fault

#: A set of more cards than this does not fit the bits of an int64.
_MOST_IN_SET: Final = 64
_INDICES: Final = "ijkl"


class FieldRoles(NamedTuple):
    """The records of a game, and who sees each of their fields. Hashable: rules are made once."""

    state: np.dtype[Any]
    view: np.dtype[Any]
    #: Private fields of VIEW, each with its field of STATE: where that is not the name with an s.
    private: tuple[tuple[str, str], ...] = ()
    #: Array fields, each with the field that says how many of its elements count.
    sized: tuple[tuple[str, str], ...] = ()
    cards: int = 0

    @property
    def open(self) -> tuple[str, ...]:
        """The fields that everybody sees, in the order of VIEW."""
        return tuple(name for name in self.view.names or () if name in (self.state.names or ()))

    @property
    def own(self) -> dict[str, str]:
        """The private fields of VIEW, each with that of STATE that has one per seat."""
        found = {
            name: f"{name}s"
            for name in self.view.names or ()
            if name not in self.open and self._is_row_of(f"{name}s", name)
        }
        return found | dict(self.private)

    @property
    def unfilled(self) -> list[str]:
        """The fields of VIEW that `fill_view` leaves alone."""
        known = {*self.open, *self.own, "seat", "scores", *(["sizes"] if self.counts_hands else [])}
        return [name for name in self.view.names or () if name not in known]

    @property
    def counts_hands(self) -> bool:
        """Are the sizes of hands counted for the view, since STATE has none?"""
        names = self.view.names or ()
        return "sizes" in names and "sizes" not in self.open and self.own.get("hand") == "hands"

    def _is_row_of(self, field: str, element: str) -> bool:
        """Does STATE have a field with one element per seat, like an element of VIEW?"""
        if field not in (self.state.names or ()):
            return False
        whole, one = self.state[field], self.view[element]
        return whole.base == one.base and whole.shape[1:] == one.shape and len(whole.shape) > 0

    def is_set(self, name: str) -> bool:
        """Is this field of VIEW a set of cards, or a row of them?"""
        base = self.view[name].base
        return base.kind in "iu" and base.itemsize == 8 and self.cards <= _MOST_IN_SET

    def per_number(self, name: str) -> int:
        """How many features the usual `encode` writes for one number of a field."""
        return self.cards if self.is_set(name) else 1

    def check(self) -> None:
        """Raise `Fault` where the records do not fit together."""
        for name in self.open:
            if self.state[name] != self.view[name]:
                raise Fault(
                    f"state.py: {name} is {self.state[name]} in STATE and {self.view[name]} in "
                    f"VIEW: make them equal, or give one of them another name"
                )
        for element, field in self.private:
            if element not in (self.view.names or ()) or not self._is_row_of(field, element):
                raise Fault(
                    f"state.py: private has {element}: {field}, but STATE.{field} is not one "
                    f"VIEW.{element} per seat"
                )
        for field, size in self.sized:
            self._check_size(field, size)

    def _check_size(self, field: str, size: str) -> None:
        for name in (field, size):
            if name not in (self.state.names or ()):
                raise Fault(f"state.py: sized names {name}, which STATE does not have")
        if self.state[field].shape[:-1] != self.state[size].shape:
            raise Fault(
                f"state.py: sized has {field}: {size}, but STATE.{size} does not have one number "
                f"for each row of STATE.{field}"
            )


# Copying


@functools.cache
def copy_open(fields: FieldRoles) -> Any:
    """The rule that copies the open fields from STATE to VIEW, or back."""
    fields.check()
    lines = [
        "def copy_open(source, target):",
        '    """Copy all that lies or lay open, between STATE and VIEW."""',
        *_indented(itertools.chain(_whole_copies(fields), _sized_copies(fields))),
    ]
    return _make("copy_open", lines, {"copy_row": copy_row, "only": only})


def _whole_copies(fields: FieldRoles) -> Iterator[str]:
    """Copy the fields of which every element counts: first numbers, then rows."""
    sized = dict(fields.sized)
    whole = [name for name in fields.open if name not in sized]
    for name in sorted(whole, key=lambda name: len(fields.view[name].shape)):
        shape = fields.view[name].shape
        if not shape:
            yield f"target.{name} = source.{name}"
        elif len(shape) == 1:
            yield f"copy_row(source.{name}, target.{name})"
        elif len(shape) == 2:
            yield f"for i in range({shape[0]}):"
            yield f"    copy_row(source.{name}[i], target.{name}[i])"
        else:
            at = _at(shape)
            yield from _loops(shape, [f"target.{name}{at} = source.{name}{at}"])


def _sized_copies(fields: FieldRoles) -> Iterator[str]:
    """Copy the elements that count; the others are left over from before, and mean nothing."""
    groups: dict[tuple[tuple[int, ...], str], list[str]] = {}
    for name, size in fields.sized:
        if name in fields.open:
            groups.setdefault((fields.view[name].shape, size), []).append(name)
    for (shape, size), names in groups.items():
        at = _at(shape)
        there = f"{_INDICES[len(shape) - 1]} < source.{size}{_at(shape[:-1])}"
        lines = [f"target.{name}{at} = only(source.{name}{at}, {there})" for name in names]
        yield from _loops(shape, lines)


# Seeing


@functools.cache
def fill_view(fields: FieldRoles) -> Any:
    """The rule that fills a VIEW: all that is open, and what the seat itself has."""
    names = {
        "copy_open": copy_open(fields),
        "count_bits": count_bits,
        "score": contract.score,
    }
    lines = [
        "def fill_view(g, seat, v):",
        '    """All that lies or lay open, and one\'s own cards; a spectator has none."""',
        "    copy_open(g, v)",
        *_indented(itertools.chain(_own_fields(fields), _scores(fields), _sizes(fields))),
    ]
    return _make("fill_view", lines, names)


def _own_fields(fields: FieldRoles) -> Iterator[str]:
    if "seat" in (fields.view.names or ()):
        yield "v.seat = seat"
    sized = dict(fields.sized)
    for name, field in fields.own.items():
        shape = fields.view[name].shape
        at = _at(shape)
        from_seat = f"[{', '.join(['seat', *_INDICES[: len(shape)]])}]"
        there = "seat >= 0"
        if field in sized:
            last = _INDICES[len(shape) - 1]
            before = ", ".join(["seat", *_INDICES[: len(shape) - 1]])
            there += f" and {last} < g.{sized[field]}[{before}]"
        yield from _loops(shape, [f"v.{name}{at} = g.{field}{from_seat} if {there} else 0"])


def _scores(fields: FieldRoles) -> Iterator[str]:
    """The points of each seat, if STATE does not have them under this name."""
    if "scores" in (fields.view.names or ()) and "scores" not in fields.open:
        yield f"for other in range({fields.view['scores'].shape[0]}):"
        if "players" in (fields.state.names or ()):
            yield "    v.scores[other] = score(g, other) if other < g.players else 0"
        else:
            yield "    v.scores[other] = score(g, other)"


def _sizes(fields: FieldRoles) -> Iterator[str]:
    """The number of cards in each hand: a set of bits, or a count of each card."""
    if fields.counts_hands:
        hands = fields.state["hands"].shape
        yield f"for other in range({hands[0]}):"
        if len(hands) == 1:
            yield "    v.sizes[other] = count_bits(g.hands[other])"
        else:
            yield "    v.sizes[other] = 0"
            yield f"    for i in range({hands[1]}):"
            yield "        v.sizes[other] += g.hands[other, i]"


# As numbers


@functools.cache
def encode_fields(fields: FieldRoles) -> Any:
    """The rule that writes every field of VIEW as features, in the order of the fields."""
    lines = ["def encode_fields(v, out):", '    """Each field of the view, one after another."""']
    n = 0
    for name in fields.view.names or ():
        shape = fields.view[name].shape
        place = _place(n, shape, fields.per_number(name))
        if fields.is_set(name):
            body = f"out[{place} + card] = (int(v.{name}{_at(shape)}) >> card) & 1"
            line = [f"for card in range({fields.cards}):", f"    {body}"]
        else:
            line = [f"out[{place}] = squash(v.{name}{_at(shape)})"]
        lines += _indented(_loops(shape, line))
        n += features_of(fields, name)
    return _make("encode_fields", lines, {"squash": squash})


@rule
def squash(value: float) -> float:
    """A number of any size between -1 and 1: 0 is 0, 1 is a half, 3 is three quarters."""
    x = float(value)
    return x / (1.0 + abs(x))


def features_of(fields: FieldRoles, name: str) -> int:
    """How many features the usual `encode` writes for a field."""
    return math.prod(fields.view[name].shape) * fields.per_number(name)


def usual_features(fields: FieldRoles) -> int:
    """How many features the usual `encode` writes."""
    return sum(features_of(fields, name) for name in fields.view.names or ())


# Writing source


def _at(shape: tuple[int, ...]) -> str:
    """The index of an element, as it is written: [i, j]."""
    return f"[{', '.join(_INDICES[: len(shape)])}]" if shape else ""


def _place(first: int, shape: tuple[int, ...], per_number: int) -> str:
    """The place of an element among the features, as it is written."""
    terms = [str(first)]
    step = per_number
    for index, length in reversed(list(zip(_INDICES, shape, strict=False))):
        terms.append(f"{step} * {index}" if step > 1 else index)
        step *= length
    return " + ".join(terms)


def _loops(shape: tuple[int, ...], lines: list[str]) -> Iterator[str]:
    """These lines for every element of an array."""
    for depth, length in enumerate(shape):
        yield f"{'    ' * depth}for {_INDICES[depth]} in range({length}):"
    for line in lines:
        yield f"{'    ' * len(shape)}{line}"


def _indented(lines: Iterator[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _make(name: str, lines: list[str], names: Mapping[str, Any]) -> Any:
    return make_rule(name, "\n".join(lines) + "\n", names, __name__)
