"""The tutorial of each game: a few cards, and what to do with them, as data.

It lies in the game's folder, in `tutorial/NAME.toml`. A learner sits at seat 0; everything else is
worked out at a `Match`. What a step says stands beside it in `tutorial/words/`, in each language.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib import resources
from typing import Any

import msgspec

from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.game import Game
from theriac.match import Match

#: The seat of whoever learns.
LEARNER = 0
#: For the shuffles after those that are written down.
_SEED = bytes(32)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"attempt": "try"}):
    """What is said, what the learner then does, and what is played after that.

    The learner makes the move `play`; or attempts one (`try`) that is refused with `clause`, to
    see a refusal; or only reads. `then` are the moves that follow, of whoever is to act.
    """

    say: str
    play: str | None = None
    attempt: str | None = None
    clause: str | None = None
    then: tuple[str, ...] = ()

    @property
    def asks(self) -> str | None:
        """The move that the learner is asked for, to be made or only attempted."""
        return self.play or self.attempt

    @property
    def moves(self) -> tuple[str, ...]:
        """All that is played in this step."""
        return (*([self.play] if self.play else []), *self.then)


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options and deals as in a game record, and the steps.

    It is played with few cards: those that are dealt, and those `apart`, which no deal has.
    """

    options: dict[str, Any]
    deals: list[list[str]]
    steps: list[Step]
    apart: list[str] = []

    def cards(self) -> list[str]:
        """The deck, in an order that tells nothing of the deals."""
        return sorted([card for deal in self.deals for card in deal] + self.apart)


def read_tutorial(game: Game) -> Tutorial:
    """The tutorial of a game; raises `Fault` if it has none."""
    return _read(game.module, game.name)


@functools.cache
def _read(module: str, name: str) -> Tutorial:
    file = resources.files(module) / "tutorial" / f"{name}.toml"
    if not file.is_file():
        raise Fault(f"{name} has no tutorial")
    return msgspec.toml.decode(file.read_bytes(), type=Tutorial)


def open_table(game: Game, step: int = 0, speed: Speed | None = None) -> Match:
    """The table as it is at the beginning of a step (from 0); raises `Fault`."""
    tutorial = read_tutorial(game)
    if not 0 <= step < len(tutorial.steps):
        raise Fault(f"step {step}: the tutorial has steps 0 to {len(tutorial.steps) - 1}")
    options = {**tutorial.options, "deck": tutorial.cards()}
    match = Match(game, options, seed=_SEED, deals=tutorial.deals, speed=speed)
    for before in tutorial.steps[:step]:
        for move in before.moves:
            match.play(move)
    return match


def play_step(match: Match, step: Step) -> Iterator[tuple[int | None, str]]:
    """Play a step at a table: after each move who made it, and the move."""
    for move in step.moves:
        seat = match.to_act
        match.play(move)
        yield seat, move
