"""A few games at random: do the functions of a game work together?

Only rough mistakes show here: the tests over all games compare the functions move by move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import numpy as np

from theriac.checks.dealer import Dealer
from theriac.checks.imagined import Imagining
from theriac.checks.refusals import Refusals
from theriac.checks.report import Report
from theriac.checks.secrets import Secrets
from theriac.checks.texts import misread, not_json
from theriac.engine.build import Engine
from theriac.engine.contract import NOBODY, REFEREE, SPECTATOR
from theriac.engine.open_fields import FieldRoles
from theriac.engine.rule import Speed
from theriac.faults import listed
from theriac.game import Game, Settings
from theriac.rulebook import read_notation

#: A game that lasts longer is taken for one that never ends.
_MOST_MOVES: Final = 5000
#: How many positions of a game are checked closely.
_CLOSE: Final = 40
#: Legal moves that are valued in each of these positions.
_VALUED: Final = 20
#: Moves of the catalogue whose texts are checked.
_WRITTEN: Final = 1000
#: Games of each number of players that are played compiled and interpreted, and compared.
_COMPARED: Final = 3


@dataclass
class Seen:
    """What the games of a check have shown: keys of `table`, and clauses that refused a move."""

    keys: set[str] = field(default_factory=set)
    refusals: set[str] = field(default_factory=set)


def check_play(game: Game, report: Report, speed: Speed, seen: Seen) -> None:
    """Play one game of each number of players at a speed, and note what they show."""
    found: dict[str, list[int]] = {}
    for players in game.players:
        part, doing = Report(), f"a game of {players}, {_how(speed)}"
        with part.guard(doing, game.folder):
            settings = game.settings({"players": players, "first": 0})
            walk = _Walk(game, settings, speed, seen)
            walk.play(doing, part)
            walk.check_second_game(doing, settings, part)
        for error in part.errors:
            found.setdefault(error.replace(doing, "", 1), []).append(players)
    for error, numbers in found.items():
        report.error(f"{_games_of(numbers)}, {_how(speed)}{error}" if error[0] == ":" else error)


def _games_of(players: list[int]) -> str:
    """The same mistake shows with several numbers of players."""
    numbers = listed([str(number) for number in players], "and")
    return f"a game of {numbers}" if len(players) == 1 else f"games of {numbers}"


def compare_speeds(game: Game, report: Report) -> None:
    """Check that compiled games of each number of players are the same as interpreted ones."""
    for players in game.players:
        with report.guard(f"games of {players}, compiled", game.folder):
            options = game.settings({"players": players, "first": 0}).options
            ends = {speed: _ends(game.engine(speed), options) for speed in ("plain", "cpu")}
            if ends["plain"] != ends["cpu"]:
                report.error(
                    f"games of {players} end differently when compiled: look for an index out of "
                    f"range (THERIAC_BOUNDS=1), an overflow, or a variable that is not set"
                )


def _ends(engine: Engine, options: Any) -> list[tuple[int, bytes]]:
    """How some random games end: the moves made, and the state."""
    g, chance, moves = engine.state(), engine.chance(), engine.moves()
    found = []
    for number in range(_COMPARED):
        made = engine.play_games(g, options, chance, moves, 1, number, number + 1)
        found.append((int(made), g.tobytes()))
    return found


def _how(speed: Speed) -> str:
    return "interpreted" if speed == "plain" else "compiled"


def cut_fields(fields: FieldRoles, view: Any) -> dict[str, int]:
    """The fields of a view that the usual `encode` takes for sets, with a value that is not one."""
    return {
        name: number
        for name in view.dtype.names
        if fields.is_set(name)
        for number in np.ravel(view[name]).tolist()
        if not 0 <= number < 1 << fields.cards
    }


class _Walk:
    """One game at random, some positions of it checked closely."""

    def __init__(self, game: Game, settings: Settings, speed: Speed, seen: Seen) -> None:
        self.seen = seen
        self.game, self.text, self.players = game, settings.text, settings.players
        self.engine = engine = game.engine(speed)
        self.g, self.chance, self.moves = engine.state(), engine.chance(), engine.moves()
        self.catalogue = self.text.catalogue().tolist()
        self.refusals = Refusals(game, self.text, engine, seen.refusals)
        self.has_lookalikes = False
        self.described = read_notation(game.folder).get("Table", "")
        self.imagining: Imagining | None = Imagining(game, settings, engine)
        self.random = Random(1)
        self.secrets = Secrets(engine, self.text, self.players)
        self.dealer = Dealer(game.name, engine, Random(2))
        engine.seed_stream(self.chance.random, 1, 0)
        self.dealer.start_game(self.g, settings.options)

    def play(self, doing: str, report: Report) -> None:
        """Play to the end."""
        self._check_numbers(report)
        self._check_texts(doing, report)
        for number in range(_MOST_MOVES):
            if self.g.to_act == NOBODY:
                self._check_end(doing, report)
                return
            if not 0 <= self.g.to_act < self.players:
                report.error(
                    f"{doing}: after dealing, to_act is {self.g.to_act}: it must be a seat"
                )
                return
            legal = self.moves[: self.engine.list_legal(self.g, self.moves)].tolist()
            if not legal:
                report.error(f"{doing}: after {number} moves list_legal finds no move")
                return
            if number < _CLOSE:
                self._check_moves(doing, legal, report)
                self._check_views(doing, legal, report)
            move = self.random.choice(legal)
            if number < _CLOSE:
                self._check_secret(move, legal, report)
            self.engine.play(self.g, move)
            self.dealer.advance(self.g)
        report.error(f"{doing}: it has not ended after {_MOST_MOVES} moves")

    def _check_secret(self, move: int, legal: list[int], report: Report) -> None:
        """Check that the public text of a move says no more and no less than others see."""
        fault = self.secrets.compare(self.g, move, legal)
        if fault and not self.has_lookalikes:
            report.error(fault)
            self.has_lookalikes = True  # one example is enough

    def _check_moves(self, doing: str, legal: list[int], report: Report) -> None:
        if len(set(legal)) < len(legal):
            report.error(f"{doing}: list_legal lists a move twice")
        for move in legal:
            written = self.text.write(move)
            clause = int(self.engine.refuse(self.g, move))
            if clause:
                refused = self.game.clause(clause)
                report.error(
                    f"{doing}: list_legal lists {written}, which refuse forbids ({refused})"
                )
            if move not in self.refusals.known:
                report.error(f"{doing}: the catalogue lacks the legal move {written}")
            if self.text.read(written) != move:
                report.error(f"{doing}: {written} is the text of a move, but reads as another")
        self.refusals.check(self.g, legal, doing, report)

    def _check_numbers(self, report: Report) -> None:
        """Check that the usual `list_legal` tries every move."""
        tried, last = self.game.shape.moves, max(self.catalogue)
        if "list_legal" in self.game.derived and last >= tried:
            report.error(
                f"state.py: moves of SHAPE is {tried}, so {self.text.write(last)}, which is the "
                f"move {last}, is never tried: make it {last + 1}"
            )

    def _check_texts(self, doing: str, report: Report) -> None:
        """Check texts that are nearly moves, and that no move looks like a place in a list."""
        written = [self.text.write(move) for move in self.catalogue[:_WRITTEN]]
        for text in written:
            if text.isascii() and text.isdigit():
                report.error(
                    f"text.py: the move {text} is digits only: in the terminal a number is a place "
                    f"in the list of moves: add a letter"
                )
                break
        for said in misread(self.text, written[0]):
            report.error(f"{doing}: {said}")

    def _check_table(self, view: Any, report: Report) -> None:
        """Check that the table is JSON, and described."""
        table = self.text.table(view)
        for said in not_json(table, "table"):
            report.error(f"text.py: {said}")
        self.seen.keys.update(table)
        for key in table:
            if self.described and f"`{key}`" not in self.described:
                report.error(f"notation.md does not describe `{key}`, which is in the table")

    def _check_views(self, doing: str, legal: list[int], report: Report) -> None:
        view = self.engine.view()
        for seat in (SPECTATOR, REFEREE, *range(self.players)):
            self.engine.see(self.g, seat, view)
            self._check_table(view, report)
        self.engine.see(self.g, int(self.g.to_act), view)
        self._check_numbers_of(view, doing, report)
        self._check_advice(view, legal, doing, report)
        fault = self.imagining and self.imagining.fault(self.g, self.chance.random.copy())
        if fault:
            report.error(f"{doing}: {fault}")
            self.imagining = None  # what follows would be nearly the same

    def _check_numbers_of(self, view: Any, doing: str, report: Report) -> None:
        """Check that `encode` writes every number, and cuts none."""
        if "encode" in self.game.derived:
            for name, number in cut_fields(self.game.shape.fields, view).items():
                report.error(
                    f"{doing}: VIEW.{name} has the value {number}, but the usual encode "
                    f"takes a 64-bit number for a set of {self.game.shape.cards} cards, and would "
                    f"cut it: use np.int32 for what is not a set"
                )
        out = np.full(self.game.shape.features, np.nan, np.float32)
        self.engine.encode(view, out)
        unwritten = np.flatnonzero(~np.isfinite(out)).tolist()
        if unwritten:
            report.error(
                f"{doing}: encode leaves out number {unwritten[0]} of {len(out)}, or writes there "
                f"what is not a finite number"
            )

    def _check_advice(self, view: Any, legal: list[int], doing: str, report: Report) -> None:
        """Check that `advise` values the legal moves."""
        for move in legal[:_VALUED]:
            value = float(self.engine.advise(view, move))
            if not math.isfinite(value):
                written = self.text.write(move)
                report.error(f"{doing}: advise values {written} at {value}: return a finite number")
                return

    def check_second_game(self, doing: str, settings: Settings, report: Report) -> None:
        """Check that a game begins the same in a record that held another game before."""
        fresh = self.engine.state()
        for g in (fresh, self.g):
            Dealer(self.game.name, self.engine, Random(3)).start_game(g, settings.options)
        differ = {
            name
            for seat in (SPECTATOR, *range(self.players))
            for name, one, other in self._views_of(fresh, seat)
            if np.any(one != other)
        }
        if differ:
            report.error(
                f"{doing}: after it, the next game begins with its {listed(sorted(differ))}: "
                f"setup must set every field, since a record is used again"
            )

    def _views_of(self, fresh: Any, seat: int) -> list[tuple[str, Any, Any]]:
        """The fields of a view of a new game, in a new record and in the one used before."""
        first, second = self.engine.view(), self.engine.view()
        self.engine.see(fresh, seat, first)
        self.engine.see(self.g, seat, second)
        return [(name, first[name], second[name]) for name in first.dtype.names]

    def _check_end(self, doing: str, report: Report) -> None:
        if self.secrets.fault:
            report.error(self.secrets.fault)
        scores = np.zeros(self.players, np.int64)
        results = np.zeros(self.players, np.float64)
        self.engine.write_scores(self.g, self.players, scores, results)
        self.refusals.check_move(self.g, -1, doing, report)
        if not np.isfinite(results).all():
            report.error(f"{doing}: a result is not a finite number: {results.tolist()}")
        elif not self.game.together and not math.isclose(float(results.sum()), 1):
            report.error(f"{doing}: the results add up to {results.sum():g}: the winners share 1")
        elif self.game.together and len(set(results.tolist())) > 1:
            report.error(f"{doing}: the results differ, but all players win or lose together")
