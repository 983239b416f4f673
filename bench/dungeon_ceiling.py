"""How many forts of the dungeon can be won at all, and which share of them the bots win.

    python -m bench.dungeon_ceiling --deals 100 --bots greedy search:ms=200

An all-knowing team plays each deal again and again until it wins: it knows how every attempt ended,
so it makes use of all hands and of the order of the pile, which no bot sees. An attempt follows the
heuristics with some noise, from the start or from one of the last moves of the attempt before. The
share of deals that it wins is a lower bound of the ceiling. The bots play the same deals, each deal
once. Intervals are 95 % confidence intervals. Results of other settings and bots are kept.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from bench import report
from theriac.arena.statistics import estimate_share
from theriac.bots import Question, bot
from theriac.bots.base import Bot, copy_view
from theriac.engine.build import fill_slots
from theriac.engine.chance import Stream, next_word
from theriac.engine.compiling import compile_rule
from theriac.engine.contract import NOBODY, advise, advise_source, list_legal, play
from theriac.engine.loops import advance
from theriac.engine.records import Moves, records
from theriac.engine.rule import Linker, rule
from theriac.game import Settings, find
from theriac.games.dungeon.state import WON
from theriac.games.dungeon.weights import LOST

NAME: Final = "dungeon_ceiling"
KEY: Final = 20261118
#: The noise that is added to the ratings of moves: up to this many times a Gumbel variable.
NOISE: Final = 3.0
#: Moves taken back after an attempt that failed, in turn; then the next attempt is a new one.
TAKEN_BACK: Final = (3, 3, 3, 6, 6, 6, 12, 12, 12, 24, 24)
#: States of one attempt: a card or a spell each.
STATES: Final = 80


@rule
def play_noisily(
    states: Any, chances: Any, begin: int, view: Any, random: Stream, moves: Moves, noise: float
) -> int:
    """Play from state `begin` to the end, one state per move; returns the number of the last."""
    n = begin
    while states[n].to_act != NOBODY:
        states[n + 1] = states[n]
        chances[n + 1] = chances[n]
        n += 1
        play(states[n], noisy_move(states[n], view, random, moves, noise))
        advance(states[n], chances[n])
    return n


@rule
def noisy_move(g: Any, view: Any, random: Stream, moves: Moves, noise: float) -> int:
    """A move with a high rating: the more noise, the less high."""
    source = advise_source(g, view)
    best = moves[0]
    most = -math.inf
    for i in range(list_legal(g, moves)):
        value = advise(source, moves[i])
        if value > LOST:
            value -= noise * math.log(-math.log((next_word(random) + 0.5) / 2.0**32))
        if value > most:
            most = value
            best = moves[i]
    return int(best)


class Team:
    """Plays deals of one setting: all-knowing, or as a bot in every seat."""

    def __init__(self, players: int, level: int) -> None:
        self._game = find("dungeon")
        given = {"players": players, "first": 0, "minutes": 0, "level": level}
        self._settings: Settings = self._game.settings(given)
        self._engine = self._game.engine("cpu")
        shape = self._game.shape
        self._states = records(shape.state, STATES)
        self._chances = records(shape.chance, STATES)
        self._view = self._engine.view()
        self._moves = self._engine.moves()
        self._random = np.zeros(3, np.int64)

    def deal(self, number: int) -> None:
        """Deal the cards: the first state."""
        g, chance = self._states[0], self._chances[0]
        self._engine.start_game(g, self._settings.options, chance, KEY, number)

    def can_win(self, number: int, attempts: int) -> bool:
        """Whether one of several attempts at a deal wins."""
        self.deal(number)
        self._engine.seed_stream(self._random, KEY + 1, number)
        last = 0
        for attempt in range(attempts):
            begin = self._begin(attempt, last)
            noise = NOISE * next_word(self._random) / 2.0**32
            last = PLAY_NOISILY(
                *(self._states, self._chances, begin, self._view),
                *(self._random, self._moves, noise),
            )
            if self._states[last].outcome == WON:
                return True
        return False

    def _begin(self, attempt: int, last: int) -> int:
        """The state that an attempt starts from."""
        way = attempt % (len(TAKEN_BACK) + 1)
        return 0 if way == 0 else max(last - TAKEN_BACK[way - 1], 0)

    def wins(self, player: Bot, number: int) -> bool:
        """Whether a team of bots wins a deal. Each sees the view of its seat."""
        self.deal(number)
        g, chance, engine = self._states[0], self._chances[0], self._engine
        while g.to_act != NOBODY:
            engine.see(g, int(g.to_act), self._view)
            legal = np.sort(self._moves[: int(engine.list_legal(g, self._moves))])
            question = Question(self._game, self._settings, copy_view(self._view), legal)
            engine.play(g, player.answer(question))
            engine.advance(g, chance)
        return bool(g.outcome == WON)


def _compiled() -> Any:
    game = find("dungeon")
    filled = fill_slots(game.rules, game.shape)
    return Linker(filled, lambda f: compile_rule(f, cached=False)).build(play_noisily)


PLAY_NOISILY: Final = _compiled()


def measure(given: Any, players: int, level: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The ceiling and what each bot wins, for one setting."""
    team = Team(players, level)
    if given.attempts:
        yield "ceiling", share([team.can_win(n, given.attempts) for n in range(given.deals)])
    for spec in given.bots:
        player = bot(spec, seed=1)
        yield spec, share([team.wins(player, n) for n in range(given.deals)])


def share(won: list[bool]) -> dict[str, Any]:
    """The share of deals won, with its interval."""
    estimate = estimate_share(enumerate(map(float, won)))
    numbers = {"share": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {"deals": len(won), "won": sum(won)} | {k: round(x, 4) for k, x in numbers.items()}


def main() -> None:
    """Measure the settings asked for, print and store the results."""
    numbers = {"type": lambda text: [int(part) for part in text.split(",")]}
    given = report.arguments(
        "Measure how many forts can be won.",
        NAME,
        deals={"type": int, "default": 100},
        attempts={"type": int, "default": 2000, "help": "per deal; 0: only the bots"},
        players={**numbers, "default": [1, 2, 3, 4, 5, 6]},
        levels={**numbers, "default": [0, 1, 2, 3, 4]},
        bots={"nargs": "*", "default": ["greedy"]},
    )
    machine = report.show_machine()
    path = report.RESULTS / f"{given.name}.json"
    rows = json.loads(path.read_text("utf-8"))["forts"] if path.exists() else []
    for level in given.levels:
        for players in given.players:
            for player, found in measure(given, players, level):
                setting = {"level": level, "players": players, "team": player}
                rows = [row for row in rows if row | setting != row] + [setting | found]
                rows.sort(key=lambda row: (row["level"], row["players"]))
                report.console.print(setting | found)
                report.write(given.name, machine, {"forts": rows})


if __name__ == "__main__":
    main()
