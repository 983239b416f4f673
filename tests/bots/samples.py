"""The bots that the tests here run over, and positions to ask them about."""

from __future__ import annotations

import atexit
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.networks import write_networks
from tests.playing import some_move
from theriac.bots.registry import BUILT_IN
from theriac.game import Game, all_games
from theriac.match import Match

ROOT = Path(__file__).parent.parent.parent
PYTHON = shlex.quote(sys.executable)
LINE_BOT = f"process:{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'line_bot.py'))}"
GAMES = list(all_games().values())

#: A network for every game, as long as the tests run.
_NETWORKS = TemporaryDirectory()
atexit.register(_NETWORKS.cleanup)
write_networks(Path(_NETWORKS.name))
NEURAL_BOT = f"neural:file={_NETWORKS.name},temperature=1"

#: How each bot of the house is asked for here: so that what it answers can be answered again.
PARAMETERS = {"search": "search:simulations=40", "neural": NEURAL_BOT, "process": LINE_BOT}
SPECS = [PARAMETERS.get(name, name) for name in BUILT_IN] + ["greedy:slip=0.7", "easy", "medium"]


def spec_names() -> list[str]:
    """The ids of parametrised tests: names without paths."""
    paths = {LINE_BOT: "process", NEURAL_BOT: "neural"}
    return [paths.get(spec, spec) for spec in SPECS]


def tables(game: Game, seed: int = 1, count: int = 4) -> Iterator[Match]:
    """The same table at several moments of a game with choices to make."""
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
