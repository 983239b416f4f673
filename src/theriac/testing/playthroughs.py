"""Golden playthroughs: one game for every set of options, with digests of its views.

`python -m theriac.testing.playthroughs NAME` plays those of one game again, after an intended
change of its rules. Each is a game record whose reserved key `expect` has a digest of all views at
the start and after every move (`each`) and the referee's view at the end (`end`).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from theriac.engine.rule import Speed
from theriac.faults import Fault, listed
from theriac.game import Game, all_games, as_typed, find
from theriac.match import Match
from theriac.record import replay_each
from theriac.testing.playing import some_move
from theriac.testing.setups import Setup, setups_of


def home(game: Game) -> Path:
    """The folder of a game's playthroughs."""
    return game.folder / "tests" / "playthroughs"


def path_of(setup: Setup) -> Path:
    """The file for a set of options."""
    players = f"{setup.given['players']}-players"
    others = [
        f"{name}-{as_typed(value)}" for name, value in setup.given.items() if name != "players"
    ]
    return home(setup.game) / f"{'-'.join([setup.game.name, players, *others])}.json"


def digest(match: Match) -> str:
    """Eight hex digits of a hash over the views of all seats and the referee."""
    seen = [match.view(), *(match.view(seat) for seat in range(match.players))]
    content = json.dumps([len(match.moves), *seen], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:8]


def digests(record: dict[str, Any], speed: Any) -> Iterator[str]:
    """One digest at the start, and one after every move."""
    return (digest(match) for match in replay_each(record, speed))


def play(setup: Setup, speed: Speed | None = None) -> dict[str, Any]:
    """The same game every time: seed and moves depend on the options only."""
    name = path_of(setup).stem
    random = Random(name)
    seed = hashlib.sha256(name.encode()).digest()
    match = Match(setup.game, setup.given, seed=seed, speed=speed)
    each = [digest(match)]
    while not match.over:
        match.play(some_move(match, random))
        each.append(digest(match))
    return {**match.record(), "expect": {"each": each, "end": match.view()}}


def write(record: dict[str, Any], path: Path) -> None:
    """Write a record with one key per line."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def missing_playthroughs(game: Game) -> list[Path]:
    """The files that a game should have and has not."""
    return [path_of(setup) for setup in setups_of(game) if not path_of(setup).exists()]


def stale_playthroughs(game: Game) -> list[Path]:
    """The files of sets of options that the game no longer has. Others, written by hand, stay."""
    written = re.compile(rf"{game.name}-\d+-players(-.*)?\.json")
    belong = {path_of(setup) for setup in setups_of(game)}
    found = [path for path in sorted(home(game).glob("*.json")) if written.fullmatch(path.name)]
    return [path for path in found if path not in belong]


def write_all(game: Game, speed: Speed | None = None) -> None:
    """Play and write the playthroughs of one game, and remove the stale ones."""
    for path in stale_playthroughs(game):
        path.unlink()
    for setup in setups_of(game):
        write(play(setup, speed), path_of(setup))


def main(names: list[str]) -> int:
    """Write the playthroughs of these games; returns 1 if there is no such game."""
    if not names:
        print(f"Name a game: {listed(list(all_games()))}", file=sys.stderr)
        return 1
    try:
        games = [find(name) for name in names]
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    for game in games:
        write_all(game)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
