"""Forts for tests of `theriac play dungeon`, and helpers that play them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random
from typing import Any, cast

from rich.console import Console, RenderableType

from tests.command import SEED, Outcome, process
from tests.test_cli_play import saved
from theriac.cli.screen import Guide, find_guide
from theriac.game import find
from theriac.match import Match
from theriac.testing.playing import some_move

DUNGEON = find("dungeon")
GUIDE = cast(Guide, find_guide(DUNGEON))
HEX = SEED.hex()

# A fort that one player wins, or loses, in a few moves.
EASY = ["0000"] * 8 + ["2211t3K"]
WIN = "0000@1,1\n0000@2,2\n2211t3K@3,3\n0000@4,2\n"
LOSE = "0000@1,1\n0000@2,2\n2211t3K@3,3\n0000@-1,-1\n0000@-2,-2\n0000@-3,-3\n"


def shown(drawing: RenderableType, columns: int = 80) -> str:
    console = Console(file=io.StringIO(), width=columns, color_system=None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def draw(match: Match, columns: int = 80) -> str:
    names = [f"seat {seat}" for seat in range(match.players)]
    return shown(GUIDE.draw(match.look(match.to_act), match.settings.text, names), columns)


def played(moves: int, number: int = 0, **options: Any) -> Match:
    """A match after up to `moves` sensible moves."""
    random = Random(number)
    match = Match(DUNGEON, {"players": 3, **options}, seed=bytes([number]) * 32, speed="plain")
    while len(match.moves) < moves and not match.over:
        match.play(some_move(match, random))
    return match


def alone(*cards: str, **options: Any) -> Match:
    """One player with six cards 0000 and this card in the fort; more cards come from the pile."""
    deck = ["0000"] * 6 + [*cards, "4444t3K"]
    given = {"players": 1, "first": 0, "level": 1, "deck": deck, **options}
    return Match(DUNGEON, given, deals=[deck[:-1], ["fireball"]], speed="plain")


def play(home: Path, typed: str, *arguments: str) -> tuple[Outcome, dict[str, Any]]:
    """Run `theriac play` with typed input; the output, and the saved game."""
    file = home / "game.json"
    more = [] if "--resume" in arguments else ["--save", str(file)]
    said = process(home, "play", *arguments, *more, typed=typed)
    assert (said.status, said.err) == (0, "")
    return said, saved(file)


def easy(home: Path, *more: str) -> list[str]:
    """The arguments for a game of one player with a small deck."""
    counts = {card: EASY.count(card) for card in EASY}
    rows = "".join(f'"{card}" = {n}\n' for card, n in counts.items())
    (home / "easy.toml").write_text(f'game = "dungeon"\n[cards]\n{rows}')
    return ["dungeon", "-p", "1", "--deck", str(home / "easy.toml"), "--seed", HEX, *more]


class Drawing:
    """A drawing, parsed: the text at a place and at its corners."""

    def __init__(self, drawn: str) -> None:
        self.lines = [line.ljust(200) for line in drawn.splitlines()]
        heads = re.finditer(r"-?\d+", self.lines[0])
        middles = [((head.start() + head.end()) / 2, int(head[0])) for head in heads]
        self.first = middles[0][1]
        self.pitch = round((middles[-1][0] - middles[0][0]) / (len(middles) - 1))
        self.down = {7: 3, 4: 2}[self.pitch]
        self.rows: dict[int, int] = {}
        for row, line in enumerate(self.lines):
            label = re.match(r" *(-?\d+)(?=[ │║])", line)
            if row and label:
                self.rows.setdefault(int(label[1]), row)
        self.ruler = max(len(str(y)) for y in self.rows)

    def corner(self, x: int, y: int, corner: int) -> str:
        """The text at a corner of a place."""
        row = self.rows[y] - 1 + self.down * (corner // 2)
        return self.lines[row][self._column(x) + self.pitch * (corner % 2)]

    def inside(self, x: int, y: int) -> str:
        """The text in a place, and on the lower edge of a small one."""
        left = self._column(x) + 1
        rows = range(self.rows[y], self.rows[y] + 2)
        return " ".join(self.lines[row][left : left + self.pitch - 1] for row in rows)

    def edge(self, x: int, y: int) -> str:
        """The left side of a card."""
        return self.lines[self.rows[y]][self._column(x)]

    def _column(self, x: int) -> int:
        return self.ruler + (x - self.first) * self.pitch
