"""A game in the terminal: one person, and bots on the other seats."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from rich.text import Text

from theriac import seal
from theriac.bots import bot
from theriac.cli import rules
from theriac.cli.console import out, print_markdown
from theriac.cli.saves import save
from theriac.cli.screen import draw_scores, find_screen, number_moves
from theriac.cli.story import tell_move
from theriac.cli.typed import Unclear, as_written, understand
from theriac.faults import Fault, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from theriac.table import Table

PROMPT = "Your move (? for help): "


class Left(Exception):
    """The player has left; the game is saved."""


class Match:
    """One person's game: the table, where they sit, who the others are, where it is kept."""

    def __init__(
        self, table: Table, seat: int, bots: str, place: Path, kept: dict[str, Any] | None = None
    ) -> None:
        self.table = table
        self.seat = seat
        self.bots = bots
        self.place = place
        self.screen = find_screen(table.game)
        self.names = ["you" if other == seat else f"seat {other}" for other in range(table.players)]
        self._kept = kept or {}

    def run(self) -> None:
        """Play to the end, or until the player leaves."""
        self.save()
        self._greet()
        try:
            while not self.table.over:
                self._take_turn()
        except (Left, KeyboardInterrupt) as leaving:
            out.print(f"\nSaved. Go on with: theriac play --resume {self.place}", **_AS_IT_IS)
            if isinstance(leaving, KeyboardInterrupt):
                raise
            return
        view = self.table.view(self.seat)
        out.print("\n[bold]The game is over[/]")
        out.print(draw_scores(self.names, view["scores"], view["winners"]))
        out.print(f"The whole game is kept in {self.place}", **_AS_IT_IS)

    def save(self) -> None:
        """Write the game down: a record, and who sat where."""
        mine = {"x_seat": self.seat, "x_bots": self.bots}
        save(self.place, self._kept | self.table.record() | mine)

    def _keep(self) -> None:
        """Save; a full disk does not end the game."""
        try:
            self.save()
        except Fault as fault:
            out.print(Text(f"{fault}.", "yellow"))

    def _greet(self) -> None:
        table = self.table
        n = table.players - 1
        others = f"{n} {self.bots} bot{'s' if n > 1 else ''}"
        out.print(f"[bold]{table.game.title}[/]: you have seat {self.seat}, against {others}.")
        out.print(f"Kept as you play in {self.place}\n", **_AS_IT_IS)

    # Turns

    def _take_turn(self) -> None:
        """One move, of the player or of a bot, and what it did."""
        mine = self.table.to_act == self.seat
        before = (self.table.to_act, self.table.look(self.seat).copy())
        if mine:
            self._ask()
            self._keep()
        else:
            self._next_bot().play(self.table)
        for line in tell_move(self.table, before, self.seat, self.names):
            out.print(line)
        if self.table.over and not mine:
            self._keep()

    def _next_bot(self) -> Any:
        """A bot that chooses alike whenever the same game comes to the same move."""
        purpose = f"bot {self.table.to_act} {len(self.table.moves)}"
        return bot(self.bots, next(seal.words(self.table.seed or bytes(32), purpose)))

    def _ask(self) -> None:
        """Show the table and ask until a legal move is played."""
        self._show_table()
        while True:
            typed = read_line(self.table.legal())
            if typed is None:
                self._leave()
                return
            command, _, rest = typed.lower().partition(" ")
            if command in self._commands and not self._is_move(typed):
                self._commands[command](rest)
            elif typed and self._play(typed):
                return

    def _is_move(self, typed: str) -> bool:
        with contextlib.suppress(Unclear):
            return understand(typed, self.table.legal()) is not None
        return False

    def _play(self, typed: str) -> bool:
        """Play what was typed, or say why not."""
        table = self.table
        try:
            move = understand(typed, table.legal()) or as_written(typed, table.settings.text)
            table.play(move)
        except Refused as fault:
            out.print(Text(f"Not played: {fault}.", "yellow"))
            out.print(Text(f"Read that rule: rules {fault.clause}", "dim"))
            return False
        except Unclear as fault:
            out.print(Text(f"Not played: {fault}.", "yellow"))
            return False
        return True

    def _show_table(self) -> None:
        table = self.table
        out.print()
        out.print(self.screen.draw(table.look(self.seat), table.settings.text, self.names))
        out.print(number_moves(self.screen, table.legal()))

    # What can be typed besides a move

    @property
    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "?": lambda _: self._help(),
            "help": lambda _: self._help(),
            "rules": self._rules,
            "table": lambda _: self._show_table(),
            "save": lambda _: self._say_saved(),
            "quit": lambda _: self._leave(),
            "q": lambda _: self._leave(),
        }

    def _help(self) -> None:
        out.print(self.screen.TYPING)
        out.print("Or type the number of a move in the list. Small letters and spaces are fine.")
        out.print("table        show the table again")
        out.print("rules        read the rules; with a clause, such as rules ", end="")
        out.print(f"{self.table.game.clause(1)}, only that one")
        out.print("save         say where the game is kept (it is saved after every move)")
        out.print("quit         leave; the game can be resumed")

    def _rules(self, clause: str) -> None:
        game = self.table.game
        page = rules.read_page(game)
        try:
            print_markdown(rules.find_clause(game, page, clause) if clause else page)
        except Fault as fault:
            out.print(Text(str(fault), "yellow"))

    def _say_saved(self) -> None:
        self.save()
        out.print(f"Saved in {self.place}", **_AS_IT_IS)

    def _leave(self) -> None:
        self.save()
        raise Left


_AS_IT_IS: Any = {"markup": False, "soft_wrap": True}


def read_line(legal: list[str]) -> str | None:
    """What the player types, without spaces around it; None at the end of input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _offer(legal)
        try:
            return input(PROMPT).strip()
        except EOFError:
            return None
    out.print(PROMPT, end="")
    line = sys.stdin.readline()
    out.print(line.strip(), markup=False)  # so that a written-down game can be read
    return line.strip() if line else None


def _offer(legal: list[str]) -> None:
    """Let the tabulator key complete moves, where the terminal can."""
    with contextlib.suppress(ImportError):
        import readline

        def complete(begun: str, state: int) -> str | None:
            found = [move for move in legal if move.lower().startswith(begun.lower())]
            return found[state] if state < len(found) else None

        readline.set_completer_delims(" ")
        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
