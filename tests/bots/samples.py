"""The bots that these tests use, and positions to ask them about."""

from __future__ import annotations

import atexit
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from theriac.bots.registry import BUILT_IN
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.testing.playing import some_move

ROOT = Path(__file__).parent.parent.parent
PYTHON = shlex.quote(sys.executable)
LINE_BOT = f"process:{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'line_bot.py'))}"
GAMES = list(all_games().values())

#: A network for every game, as long as the tests run: `conftest.py` writes them.
_FOLDER = TemporaryDirectory()
atexit.register(_FOLDER.cleanup)
NETWORKS = Path(_FOLDER.name)
NEURAL_BOT = f"neural:file={NETWORKS},temperature=1"
GUIDED_BOT = f"guided:file={NETWORKS},simulations=20,exploration=3"

#: Not IS-MCTS, which plays to the ends of games: in plain Python that takes minutes.
OPENSPIEL_BOT = "openspiel:make=tests.adapters.test_openspiel_bots.make_uniform"

#: The spec of each built-in bot in these tests, chosen so that its answers are reproducible.
PARAMETERS = {
    "search": "search:simulations=40",
    "neural": NEURAL_BOT,
    "guided": GUIDED_BOT,
    "process": LINE_BOT,
    "openspiel": OPENSPIEL_BOT,
}
SPECS = [PARAMETERS.get(name, name) for name in BUILT_IN] + ["greedy:slip=0.7", "easy", "medium"]


def spec_names() -> list[str]:
    """The ids of parametrised tests: names without paths."""
    paths = {
        LINE_BOT: "process",
        NEURAL_BOT: "neural",
        GUIDED_BOT: "guided",
        OPENSPIEL_BOT: "openspiel",
    }
    return [paths.get(spec, spec) for spec in SPECS]


def tables(game: Game, seed: int = 1, count: int = 4) -> Iterator[Match]:
    """A match at several moments with more than one legal move."""
    random = Random(f"{game.name} {seed}")
    players = game.players[-1]
    match = Match(game, {"players": players}, seed=seed.to_bytes(32, "big"), speed="plain")
    found = 0
    while found < count and not match.over:
        if len(match.legal_numbers()) > 2 and random.random() < 0.3:
            found += 1
            yield match
        match.play(some_move(match, random))
    assert found, "a game without choices"
