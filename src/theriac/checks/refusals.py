"""What `refuse` says of many moves: clauses that exist and can be explained, and the moves that
`list_legal` lists.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from random import Random
from typing import Any, Final

from theriac.checks.report import Report
from theriac.engine.build import Engine
from theriac.engine.contract import NOBODY
from theriac.game import Game, Text

#: Moves of the catalogue that are tried in a position: all, unless there are more.
_TRIED: Final = 300


class Refusals:
    """Tries moves, most of them not legal, in the positions of a game."""

    def __init__(self, game: Game, text: Text, engine: Engine, noted: set[str]) -> None:
        """`noted` gets the clauses that refused a move."""
        self._game, self._text, self._engine, self._noted = game, text, engine, noted
        self._catalogue: list[int] = text.catalogue().tolist()
        self.known = set(self._catalogue)
        self._clauses = _clauses(game)
        self._explained: set[int] = set()
        self._random = Random(5)

    def check(self, g: Any, legal: Collection[int], doing: str, report: Report) -> None:
        """Try moves of the catalogue, and numbers that are no moves."""
        tried = self._random.sample(self._catalogue, min(_TRIED, len(self._catalogue)))
        allowed = set(legal)
        for move in (-1, max(self._catalogue) + 1, *tried):
            refused = self.check_move(g, move, doing, report)
            if not refused and move in self.known and move not in allowed:
                written = self._text.write(move)
                report.error(f"{doing}: refuse allows {written}, which list_legal does not list")
                return  # one example is enough

    def check_move(self, g: Any, move: int, doing: str, report: Report) -> bool:
        """Check what `refuse` returns for a move; is it refused?"""
        not_a_move = f"the number {move}, which is not a move: check the range first"
        try:
            clause = int(self._engine.refuse(g, move))
        except IndexError:
            if move in self.known:
                raise
            report.error(f"{doing}: refuse raises IndexError for {not_a_move}")
            return True
        if not clause and move not in self.known:
            report.error(f"{doing}: refuse allows {not_a_move}")
        if clause:
            self._check_clause(g, move, clause, report)
        return clause != 0

    def _check_clause(self, g: Any, move: int, clause: int, report: Report) -> None:
        name = self._game.clause(clause)
        if move in self.known and g.to_act != NOBODY:
            self._noted.add(name)
        if self._clauses and name not in self._clauses:
            report.error(f"refuse returns {clause}, but clauses.toml has no {name}")
        elif clause not in self._explained:
            self._explained.add(clause)
            self._check_explained(g, move, clause, report)

    def _check_explained(self, g: Any, move: int, clause: int, report: Report) -> None:
        """Check that a player who is refused a move gets a reason."""
        view = self._engine.view()
        self._engine.see(g, max(0, int(g.to_act)), view)
        written = self._text.write(move) if move in self.known else "?"
        name = self._game.clause(clause)
        try:
            said = self._text.explain(view, written, clause)
        except LookupError:
            said = ""
        if not (said or "").strip():
            report.error(f"text.py: explain has no sentence for {name}")


def _clauses(game: Game) -> set[str]:
    """The ids of the clauses; none without the file, about which another check complains."""
    file = game.folder / "clauses.toml"
    return set(tomllib.loads(file.read_text(encoding="utf-8"))) if file.exists() else set()
