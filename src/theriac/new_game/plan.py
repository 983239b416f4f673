"""What a new game is called and where it goes: checked before anything is written."""

from __future__ import annotations

import importlib.util
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import theriac
from theriac.faults import Fault, listed, quote
from theriac.game import all_games

#: The templates, and what each of them is like.
KINDS: Final = {
    "tricks": "hands and tricks, as in Hearts",
    "cauldrons": "cards added to shared piles, as in Poison",
    "captures": "cards of the hand take cards of the table, as in Shokoba",
    "map": "cards laid on a grid, all players together, as in the dungeon",
}
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_LETTERS: Final = re.compile(r"[A-Z]{3}", re.ASCII)


@dataclass(frozen=True)
class Plan:
    """A new game, before it is written."""

    kind: str
    name: str
    letters: str
    #: The folder of the distribution; None for a game in the clone of Theriac itself.
    out: Path | None

    @property
    def title(self) -> str:
        """The name as a person writes it: sun_and_moon is Sun and moon."""
        return self.name.replace("_", " ").strip().capitalize()

    @property
    def module(self) -> str:
        """The package with the game."""
        return f"theriac.games.{self.name}" if self.out is None else f"theriac_{self.name}"

    @property
    def folder(self) -> Path:
        """The folder of that package."""
        if self.out is None:
            return _games() / self.name
        return self.out / "src" / self.module


def plan_game(name: str, kind: str, letters: str | None, out: Path | None) -> Plan:
    """Check what is asked for; raises `Fault`."""
    if kind not in KINDS:
        raise Fault(f"--like {quote(kind)}: there is no such template: use {listed(list(KINDS))}")
    _check_name(name)
    plan = Plan(kind, name, _letters(name, letters), out)
    _check_place(plan)
    return plan


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Fault(
            f"{quote(name)} cannot be the name of a game: use lower-case letters, digits and _, "
            f"with a letter first, and no keyword of Python, such as sun_and_moon"
        )
    if name in all_games():
        raise Fault(f"there is a game called {name} already: choose another name")


def _check_place(plan: Plan) -> None:
    """Raise `Fault` if the files of the game have no place of their own."""
    if importlib.util.find_spec(plan.module) is not None:
        raise Fault(f"there is a package {plan.module} already: choose another name")
    if plan.out is None:
        if not _is_clone():
            raise Fault(
                "this Theriac is an installed package, not a clone of the repository: name a "
                "folder for the package of the game, such as --out my-game"
            )
        if plan.folder.exists():
            raise Fault(f"{plan.folder} exists already: choose another name, or remove it")
    elif plan.out.exists() and not plan.out.is_dir():
        raise Fault(f"--out {plan.out}: it is a file: name a new folder")
    elif plan.out.exists() and any(plan.out.iterdir()):
        raise Fault(f"--out {plan.out}: the folder is not empty: name a new one")


def _games() -> Path:
    return Path(theriac.__file__).resolve().parent / "games"


def _is_clone() -> bool:
    """Is this Theriac a clone of its repository, and not an installed package?"""
    root = _games().parents[2]
    return (root / "pyproject.toml").exists() and (root / "tests").is_dir()


def _letters(name: str, given: str | None) -> str:
    """The letters of the ids of the clauses: as given, or made from the name; raises `Fault`."""
    taken = {game.letters: game.name for game in all_games().values()}
    if given is None:
        for letters in _possible_letters(name):
            if letters not in taken:
                return letters
        raise Fault(f"no three letters of {name} are free for its clauses: give --letters ABC")
    if not _LETTERS.fullmatch(given):
        raise Fault(f"--letters {quote(given)}: use three capital letters, such as ABC")
    if given in taken:
        raise Fault(f"--letters {given}: the clauses of {taken[given]} have them: use others")
    return given


def _possible_letters(name: str) -> Iterator[str]:
    """The first letter of a name with two later ones, those that come early first.

    >>> next(_possible_letters("hearts"))
    'HEA'
    """
    letters = re.sub(r"[^A-Z]", "", name.upper())
    for places in combinations(range(1, len(letters)), 2):
        yield letters[0] + "".join(letters[place] for place in places)
