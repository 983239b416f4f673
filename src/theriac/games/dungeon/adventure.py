"""The adventure (KKD-25, KKD-26, KKD-32): four forts in order, each a game of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from theriac.faults import BadOption

if TYPE_CHECKING:
    from collections.abc import Mapping

FORTS: Final = 4


def first_part(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the first fort; raises `BadOption`."""
    for name in ("level", "spells"):
        if name in given:
            raise BadOption(f"option {name}: leave it out, the adventure says it (KKD-25)")
    return {**given, "level": 1}


def is_part(given: Mapping[str, Any]) -> bool:
    """Are these the options of one of the forts?"""
    return given.get("level", 0) > 0


def next_part(given: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any] | None:
    """The options of the next fort, from those of the last and its table after the win.

    None after the fourth.
    """
    if given["level"] == FORTS:
        return None
    return {**given, "level": given["level"] + 1, "spells": table["spells"]}


def name_part(given: Mapping[str, Any]) -> str:
    """What a fort is called."""
    return f"fort {given['level']}"


def describe_part(given: Mapping[str, Any]) -> str:
    """The next fort and what is taken along, in a sentence."""
    spells = ", ".join(given.get("spells", ())) or "none"
    return f"Next is fort {given['level']} of {FORTS}. Spells held: {spells}."
