"""A game in the terminal: one person, and bots on the other seats."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

from rich.text import Text

from theriac import rulebook, seal
from theriac.bots import bot
from theriac.cli.clock import KEY as SECONDS_LEFT
from theriac.cli.clock import TimeUp, clock_of
from theriac.cli.console import out, print_markdown
from theriac.cli.saves import save
from theriac.cli.screen import draw_result, find_guide, find_screen, number_moves
from theriac.cli.story import tell_move
from theriac.cli.typed import Unclear, as_written, understand
from theriac.faults import BadBot, Fault, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from theriac.bots import Bot
    from theriac.engine.rule import Speed
    from theriac.match import Match

PROMPT = "Your move (? for help): "


def play_speed() -> Speed:
    """Interpreted, unless THERIAC_JIT says otherwise: one game needs no compiled rules, and these
    are there at once.
    """
    return "cpu" if os.environ.get("THERIAC_JIT") == "1" else "plain"


class Left(Exception):
    """The player has left; the game is saved."""


class TerminalGame:
    """One person's game: the table, where they sit, who the others are, where it is kept."""

    def __init__(
        self, match: Match, seat: int, bots: str, place: Path, kept: dict[str, Any] | None = None
    ) -> None:
        self.match = match
        self.seat = seat
        self.bots = bots
        self.place = place
        self.kept = kept or {}
        self.screen = find_screen(match.game)
        self._guide = find_guide(match.game)
        self._clock = clock_of(match, self.kept)
        self._seated: dict[int, Bot] = {}
        self.names = ["you" if other == seat else f"seat {other}" for other in range(match.players)]

    def play(self) -> None:
        """Play to the end, or until the player leaves, and say where the game is kept."""
        if self.run():
            out.print(f"The whole game is kept in {self.place}", **AS_IT_IS)

    def run(self) -> bool:
        """Play to the end, or until the player leaves: is it over?"""
        self.save()
        self._greet()
        if self._clock and not self.match.over:
            self._clock.start()
        try:
            while not self.match.over:
                self._take_turn()
        except (Left, KeyboardInterrupt) as leaving:
            self._keep()
            self.say_resume()
            if isinstance(leaving, KeyboardInterrupt):
                raise
            return False
        finally:
            self._dismiss()
        view = self.match.view(self.seat)
        out.print("\n[bold]The game is over[/]")
        out.print(draw_result(self.match.game, self.names, view["scores"], view["winners"]))
        return True

    def save(self) -> None:
        """Write the game down: a record, who sat where, and what the clock shows."""
        mine: dict[str, Any] = {"x_seat": self.seat, "x_bots": self.bots}
        if self._clock:
            mine[SECONDS_LEFT] = round(self._clock.left, 1)
        save(self.place, self.kept | self.match.record() | mine)

    def say_resume(self) -> None:
        """Tell how to go on another time."""
        out.print(f"\nSaved. Go on with: theriac play --resume {self.place}", **AS_IT_IS)

    def _keep(self) -> None:
        """Save; a full disk does not end the game."""
        try:
            self.save()
        except Fault as fault:
            out.print(Text(f"{fault}.", "yellow"))

    def _greet(self) -> None:
        game, n = self.match.game, self.match.players - 1
        kind, which = (" ", f" ({self.bots})") if ":" in self.bots else (f" {self.bots} ", "")
        others = f"{n}{kind}bot{'s' if n > 1 else ''}{which}"
        company = f", {'with' if game.together else 'against'} {others}" if n else ", alone"
        out.print(Text.assemble((game.title, "bold"), f": you have seat {self.seat}{company}."))
        if self._clock:
            out.print(f"The clock gives {self._clock.told} from now on.")
        out.print(f"Kept as you play in {self.place}\n", **AS_IT_IS)

    # Turns

    def _take_turn(self) -> None:
        """One move, of the player, of a bot or of the clock, and what it did."""
        mine = self.match.to_act == self.seat
        before = (self.match.to_act, self.match.look(self.seat).copy())
        try:
            self._check_clock()
            if mine:
                self._ask()
            else:
                self._let_play()
        except TimeUp:
            self._time_out()
        if mine or self.match.over:
            self._keep()
        for line in tell_move(self.match, before, self.seat, self.names):
            out.print(line)

    def _check_clock(self) -> None:
        if self._clock and not self._clock.left:
            raise TimeUp

    def _time_out(self) -> None:
        """Play the clock's move."""
        clock = self.match.clock_move
        assert clock is not None
        out.print()
        self.match.play(clock)

    def _let_play(self) -> None:
        """Let the bot to act play; if it fails, another takes its seat for the rest of the game."""
        seat = self.match.to_act
        assert seat is not None
        if seat not in self._seated:
            self._seated[seat] = self._new_bot(seat, self.bots)
        try:
            self._seated[seat].play(self.match)
        except BadBot as fault:
            out.print(Text(f"Seat {seat}: {fault}. A random bot takes the seat.", "yellow"))
            self._seated[seat].close()
            self._seated[seat] = self._new_bot(seat, "random")
            self._seated[seat].play(self.match)

    def _new_bot(self, seat: int, spec: str) -> Bot:
        """A bot that chooses alike whenever the same game comes to the same move."""
        return bot(spec, next(seal.words(self.match.seed or bytes(32), f"bot {seat}")))

    def _dismiss(self) -> None:
        """Tell the bots how it ended, if it did, and let them go."""
        for seat, seated in self._seated.items():
            if self.match.over:
                seated.end(self.match.view(seat))
            seated.close()
        self._seated = {}

    def _ask(self) -> None:
        """Show the table and ask until a legal move is played."""
        self._show_table()
        while True:
            typed = self._read()
            if typed is None:
                self._leave()
                return
            command, _, rest = typed.lower().partition(" ")
            if self._look(typed):
                continue
            if command in self._commands and not self._is_move(typed):
                self._commands[command](rest)
            elif typed and self._play(typed):
                return

    def _read(self) -> str | None:
        """What the player types; raises `TimeUp`."""
        if not self._clock:
            return read_line(PROMPT, self.match.legal())
        with self._clock.limit():
            return read_line(f"[{self._clock.told}] {PROMPT}", self.match.legal())

    def _look(self, typed: str) -> bool:
        """Show what was asked for, where a game can be asked."""
        if not self._guide:
            return False
        try:
            shown = self._guide.look(typed, *self._seen())
        except Fault:
            return False
        if shown is not None:
            out.print(shown)
        return shown is not None

    def _seen(self) -> tuple[Any, Any]:
        """What the player sees, and the texts of this game."""
        return self.match.look(self.seat), self.match.settings.text

    def _is_move(self, typed: str) -> bool:
        if self._guide:
            return False
        with contextlib.suppress(Unclear):
            return understand(typed, self.match.legal()) is not None
        return False

    def _play(self, typed: str) -> bool:
        """Play what was typed, or say why not."""
        try:
            self.match.play(self._find_move(typed))
        except Refused as fault:
            out.print(Text(f"Not played: {fault}.", "yellow"))
            out.print(Text(f"Read that rule: rules {fault.clause}", "dim"))
            return False
        except Fault as fault:
            out.print(Text(f"Not played: {fault}.", "yellow"))
            return False
        return True

    def _find_move(self, typed: str) -> str:
        """The move that was typed; raises `Fault` where it could be several, or is nobody's."""
        if typed.lower() == self.match.clock_move:
            raise Fault(f"{typed.lower()} is the clock's move")
        if self._guide:
            return self._guide.read_move(typed, *self._seen())
        return understand(typed, self.match.legal()) or as_written(typed, self.match.settings.text)

    def _show_table(self) -> None:
        v, text = self._seen()
        out.print()
        out.print(self.screen.draw(v, text, self.names))
        if self._guide:
            out.print(self._guide.ask(v, text))
        else:
            out.print(number_moves(self.screen, self.match.legal()))

    # What can be typed besides a move

    @property
    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "?": lambda _: self._help(),
            "help": lambda _: self._help(),
            "rules": self._rules,
            "table": lambda _: self._show_table(),
            **({"look": self._look_again} if self._guide else {}),
            "save": lambda _: self._say_saved(),
            "quit": lambda _: self._leave(),
            "q": lambda _: self._leave(),
        }

    def _look_again(self, what: str) -> None:
        if not self._look(what):
            out.print(Text("look needs a card of your hand, or the letter of a place.", "yellow"))

    def _help(self) -> None:
        out.print(self.screen.TYPING)
        if not self._guide:
            out.print("Or type the number of a move in the list.", end=" ")
            out.print("Small letters and spaces are fine.")
        out.print("table        show the table again")
        out.print("rules        read the rules; with a clause, such as rules ", end="")
        out.print(f"{self.match.game.clause(1)}, only that one")
        out.print("save         say where the game is kept (it is saved after every move)")
        out.print("quit         leave; the game can be resumed")

    def _rules(self, clause: str) -> None:
        game = self.match.game
        page = rulebook.read_page(game)
        try:
            print_markdown(rulebook.find_clause(game, page, clause) if clause else page)
        except Fault as fault:
            out.print(Text(str(fault), "yellow"))

    def _say_saved(self) -> None:
        self.save()
        out.print(f"Saved in {self.place}", **AS_IT_IS)

    def _leave(self) -> None:
        self.save()
        raise Left


AS_IT_IS: Any = {"markup": False, "soft_wrap": True}


def read_line(prompt: str, legal: list[str]) -> str | None:
    """What the player types, without spaces around it; None at the end of input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _offer(legal)
        try:
            return input(prompt).strip()
        except EOFError:
            return None
    out.print(prompt, end="", markup=False)
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
