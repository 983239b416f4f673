"""The tutorial of each game, as data: a small deck, its deals, and the steps to take.

It is the file `tutorial/NAME.toml` in the game's folder. The learner has seat 0; a `Match` computes
everything else. The words of each step are in `tutorial/words/`, one file per language.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.game import Game
from theriac.match import Match

#: The learner's seat.
LEARNER = 0
#: For the shuffles after the written deals.
_SEED = bytes(32)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"attempt": "try"}):
    """What the step says, what the learner then does, and the moves after that.

    The learner makes the move `play`; or attempts a move (`try`) that is refused with `clause`, to
    see a refusal; or only reads. `then` are the moves that follow, each by the seat to act. `light`
    names what the page shall highlight meanwhile: places that the board names, `card X` of the
    hand, `seat N`, `hand`, `action`, `status`.
    """

    say: str
    play: str | None = None
    attempt: str | None = None
    clause: str | None = None
    then: tuple[str, ...] = ()
    light: tuple[str, ...] = ()

    @property
    def asks(self) -> str | None:
        """The move that the learner is asked to make or to attempt."""
        return self.play or self.attempt

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves of this step."""
        return (*([self.play] if self.play else []), *self.then)


class FirstGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that the learner plays next, with bots: its options, and their level."""

    options: dict[str, Any]
    level: str


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options and deals as in a game record, and the steps.

    The deck is small: the cards of the deals, and those `apart`, which no deal has.
    """

    options: dict[str, Any]
    deals: list[list[str]]
    steps: list[Step]
    apart: list[str] = []
    first_game: FirstGame | None = None

    def cards(self) -> list[str]:
        """The deck, sorted, so that it does not reveal the deals."""
        return sorted([card for deal in self.deals for card in deal] + self.apart)


def has_tutorial(game: Game) -> bool:
    """Does the game have a tutorial?"""
    return _file(game).is_file()


def read_tutorial(game: Game) -> Tutorial:
    """The tutorial of a game; raises `Fault` if it has none."""
    if not has_tutorial(game):
        raise Fault(f"{game.name} has no tutorial")
    return _read(_file(game))


def _file(game: Game) -> Path:
    return game.folder / "tutorial" / f"{game.name}.toml"


@functools.cache
def _read(file: Path) -> Tutorial:
    return msgspec.toml.decode(file.read_bytes(), type=Tutorial)


def match_at(game: Game, step: int = 0, speed: Speed | None = None) -> Match:
    """A match at the beginning of a step (from 0); raises `Fault`."""
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
    """Play a step: after each move the seat that made it, and the move."""
    for move in step.moves:
        seat = match.to_act
        match.play(move)
        yield seat, move
