"""What each number of a game's observation means, and each action.

A game describes both in `encoding.toml`, in the order of its `encode` and of its catalogue. Tests
compare the descriptions with the code: which fields of the VIEW each number depends on, and which
moves each action represents. A game without that file whose `encode` is derived needs none for its
observation: it is the fields of its VIEW.

>>> from theriac.game import find
>>> hand = observation(find("poison"))[0]
>>> hand.name, hand.indices.tolist()[0][:4], hand.says
('hand', [0, 1, 2, 3], 'how many copies you hold, divided by 3')
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.open_fields import features_of
from theriac.faults import Fault
from theriac.game import Game


@dataclass(frozen=True)
class Feature:
    """A run of numbers in an observation, written once or once for each item of a group.

    `each` names what one number of the run is about, such as a card; `group` what the run repeats
    for, such as a seat (empty if it does not repeat); `reads` are the fields of the VIEW that the
    numbers depend on.
    """

    name: str
    says: str
    first: int
    count: int
    each: str
    group: str
    repeats: int
    stride: int
    reads: frozenset[str]

    @property
    def indices(self) -> npt.NDArray[np.int64]:
        """The places of these numbers in the observation: one row per repetition."""
        starts = self.first + self.stride * np.arange(self.repeats)
        return starts[:, None] + np.arange(self.count)


@dataclass(frozen=True)
class Action:
    """A kind of move: `count` actions whose moves all match the regular expression `notation`.

    `first` is the number of the first of them if they follow one another, else None.
    """

    name: str
    says: str
    first: int | None
    count: int
    notation: str


def observation(game: Game) -> tuple[Feature, ...]:
    """The features of a game's observation, in order."""
    if "encode" in game.derived and not (game.folder / "encoding.toml").exists():
        return tuple(usual_observation(game))
    features: list[Feature] = []
    start = 0
    for row in _described(game)["observation"]:
        parts = row.get("parts", [row])
        stride = sum(part["count"] for part in parts)
        first = start
        for part in parts:
            features.append(
                Feature(
                    name=part["name"],
                    says=part["says"],
                    first=first,
                    count=part["count"],
                    each=part.get("each", ""),
                    group=row["name"] if "parts" in row else "",
                    repeats=row.get("repeats", 1),
                    stride=stride,
                    reads=frozenset(row["reads"]) | frozenset(part["reads"]),
                )
            )
            first += part["count"]
        start += row.get("repeats", 1) * stride
    return tuple(features)


def usual_observation(game: Game) -> Iterator[Feature]:
    """What the usual `encode` writes: the fields of the VIEW, one after another."""
    fields, first = game.shape.fields, 0
    for name in game.shape.view.names or ():
        count = features_of(fields, name)
        is_set = fields.is_set(name)
        yield Feature(
            name=name,
            says="1 for a card of the set, else 0" if is_set else "the number x as x / (1 + |x|)",
            first=first,
            count=count,
            each="card" if is_set else "element",
            group="",
            repeats=1,
            stride=count,
            reads=frozenset([name]),
        )
        first += count


def actions(game: Game) -> tuple[Action, ...]:
    """The kinds of actions of a game with the deck from its box.

    A game without `encoding.toml` has one kind: any move.
    """
    if not (game.folder / "encoding.toml").exists():
        says = "the moves in the order of the catalogue, or as the game numbers its actions"
        return (Action("move", says, 0, game.shipped_text.actions, ".+"),)
    return tuple(
        Action(row["name"], row["says"], row.get("first"), row["count"], row["notation"])
        for row in _described(game)["action"]
    )


def _described(game: Game) -> dict[str, Any]:
    file = game.folder / "encoding.toml"
    if not file.exists():
        raise Fault(f"{game.name} does not describe its observation: it has no encoding.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
