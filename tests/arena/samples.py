"""Small games and badly behaved bots, for the tests of the arena."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from theriac.arena.arena_game import ArenaGame, GameResult
from theriac.arena.schedule import GameSpec, LuckConfig, Schedule, StudyConfig, TableSetup, line_ups
from theriac.bots import Bot, Question, bot
from theriac.game import find

#: Four hands of one card, four rounds: sixteen moves.
DECK = ["R1", "R4", "R7", "X"]
OPTIONS = {"players": 4, "deck": DECK}


class Bad(Bot):
    """Plays like `random` up to its second answer, then fails as its name says."""

    def __init__(self, name: str, seed: int = 0) -> None:
        super().__init__(name, seed)
        self.asked = 0

    def answer(self, question: Question) -> Any:
        self.asked += 1
        if self.asked > 1:
            bad = self.misbehave()
            if bad != "no":
                return bad
        return bot("random", self.seed).answer(question)

    def misbehave(self) -> Any:
        match self.name:
            case "crash":
                raise RuntimeError("oh <b>no</b>")
            case "leave":
                sys.exit("bye")
            case "slow":
                time.sleep(0.3)
            case "nap":
                time.sleep(0.2)
            case "hang":
                while True:
                    pass
            case "die":
                os._exit(3)
            case "chat":
                print("noise on standard output")
                os.write(1, b"more noise")
            case "text":
                return "R1@0"
            case "none":
                return None
            case "far":
                return 10**30
            case "true":
                return True
        return "no"


class Stuck(Bot):
    """Never answers."""

    def answer(self, question: Question) -> int:
        time.sleep(1000)
        return 0


class Clingy(Bot):
    """Plays, but hangs when it is closed."""

    def answer(self, question: Question) -> int:
        return int(question.legal[0])

    def close(self) -> None:
        time.sleep(1000)


BAD = ("crash", "leave", "slow", "nap", "hang", "die", "chat", "text", "none", "far", "true")


def make_bot(name: str, seed: int = 0) -> Bot:
    """A bot of these tests, or a built-in one."""
    if name in BAD:
        return Bad(name, seed)
    if name == "stuck":
        return Stuck(name, seed)
    if name == "clingy":
        return Clingy(name, seed)
    if name == "unmade":
        raise RuntimeError("cannot be made")
    return bot(name, seed)


class NoTimer:
    """Measures nothing."""

    def start(self, bot: int, move: int, seconds: float) -> None:
        pass

    def stop(self) -> None:
        pass


def schedule_of(
    *bots: str,
    deals: int = 2,
    game: str = "poison",
    options: dict[str, Any] = OPTIONS,
    limit: float = 10.0,
    study: StudyConfig | None = None,
    luck: LuckConfig | None = None,
) -> Schedule:
    """A schedule with one table setup."""
    seats = line_ups(bots, options["players"], together=find(game).together)
    setup = TableSetup("the table", options, seats)
    return Schedule("arena", game, bots, [setup], deals, 0, limit, study, luck)


def play_here(spec: GameSpec, limit: float = 10.0) -> GameResult:
    """Play a game in this process."""
    return ArenaGame(spec, make_bot, NoTimer(), limit, {}).play()


def without_times(games: list[GameResult]) -> list[dict[str, Any]]:
    """Games without what differs between runs."""
    kept = ("key", "first", "bots", "scores", "shares", "ranks", "moves", "forfeits", "why")
    return [{name: getattr(game, name) for name in kept} for game in games]


def alive(process: int) -> bool:
    """Does the process still run?"""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
