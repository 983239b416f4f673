"""Golden playthroughs: one game for every set of options, with digests of its views.

`python -m tests.playthroughs` plays them again, after an intended change of the rules. Each is a
game record whose reserved key `expect` has a digest of all views at the start and after every move
(`each`) and the referee's view at the end (`end`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.contract.setups import SETUPS, Setup
from tests.playing import some_move
from theriac.game import Game, as_typed
from theriac.match import Match
from theriac.record import replay_each


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


def play(setup: Setup) -> dict[str, Any]:
    """The same game every time: seed and moves depend on the options only."""
    name = path_of(setup).stem
    random = Random(name)
    seed = hashlib.sha256(name.encode()).digest()
    match = Match(setup.game, setup.given, seed=seed)
    each = [digest(match)]
    while not match.over:
        match.play(some_move(match, random))
        each.append(digest(match))
    return {**match.record(), "expect": {"each": each, "end": match.view()}}


def write(record: dict[str, Any], path: Path) -> None:
    """Write a record with one key per line."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()]
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    for setup in SETUPS:
        write(play(setup), path_of(setup))
