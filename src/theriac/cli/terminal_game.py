"""A game in the terminal: one person, with bots in the other seats."""

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
from theriac.cli.move_input import Unclear, as_notation, in_natural_order, match_typed
from theriac.cli.saves import save
from theriac.cli.screen import draw_result, find_guide, find_screen, number_moves
from theriac.cli.transcript import describe_last_move
from theriac.faults import BadBot, Fault, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from theriac.bots import Bot
    from theriac.engine.rule import Speed
    from theriac.match import Match

PROMPT = "Your move (? for help): "


def play_speed() -> Speed:
    """Interpreted, unless THERIAC_JIT=1: one game needs no compiled rules, and interpreted rules
    start at once.
    """
    return "cpu" if os.environ.get("THERIAC_JIT") == "1" else "plain"


class PlayerLeft(Exception):
    """The player left; the game is saved."""


class TerminalGame:
    """One person's game: the match, their seat, the bots in the other seats, and the save file."""

    def __init__(
        self, match: Match, seat: int, bots: str, path: Path, saved: dict[str, Any] | None = None
    ) -> None:
        self.match = match
        self.seat = seat
        self.bots = bots
        self.path = path
        self.saved = saved or {}
        self.screen = find_screen(match.game)
        self._guide = find_guide(match.game)
        self._clock = clock_of(match, self.saved)
        self._bots: dict[int, Bot] = {}
        self.names = ["you" if other == seat else f"seat {other}" for other in range(match.players)]

    def play(self) -> None:
        """Play to the end, or until the player leaves; then print where the game is saved."""
        if self.run():
            out.print(f"The whole game is saved in {self.path}", **VERBATIM)

    def run(self) -> bool:
        """Play to the end, or until the player leaves. Return whether the game is over."""
        self.save()
        self._print_greeting()
        if self._clock and not self.match.over:
            self._clock.start()
        try:
            while not self.match.over:
                self._take_turn()
        except (PlayerLeft, KeyboardInterrupt) as leaving:
            self._autosave()
            self.print_resume_hint()
            if isinstance(leaving, KeyboardInterrupt):
                raise
            return False
        finally:
            self._close_bots()
        view = self.match.view(self.seat)
        out.print("\n[bold]The game is over[/]")
        out.print(draw_result(self.match.game, self.names, view["scores"], view["winners"]))
        return True

    def save(self) -> None:
        """Write the save file: the record, the seats, and the time left on the clock."""
        mine: dict[str, Any] = {"x_seat": self.seat, "x_bots": self.bots}
        if self._clock:
            mine[SECONDS_LEFT] = round(self._clock.left, 1)
        save(self.path, self.saved | self.match.record() | mine)

    def print_resume_hint(self) -> None:
        """Print the command that resumes the game."""
        out.print(f"\nSaved. Continue with: theriac play --resume {self.path}", **VERBATIM)

    def _autosave(self) -> None:
        """Save; a failure to save (a full disk) does not end the game."""
        try:
            self.save()
        except Fault as fault:
            out.print(Text(f"{fault}.", "yellow"))

    def _print_greeting(self) -> None:
        game, n = self.match.game, self.match.players - 1
        kind, which = (" ", f" ({self.bots})") if ":" in self.bots else (f" {self.bots} ", "")
        others = f"{n}{kind}bot{'s' if n > 1 else ''}{which}"
        company = f", {'with' if game.together else 'against'} {others}" if n else ", alone"
        out.print(Text.assemble((game.title, "bold"), f": you have seat {self.seat}{company}."))
        if self._clock:
            out.print(f"The clock starts now: {self._clock.display} left.")
        out.print(f"Saved as you play in {self.path}\n", **VERBATIM)

    # Turns

    def _take_turn(self) -> None:
        """Play one move, of the player, a bot or the clock, and print what it did."""
        mine = self.match.to_act == self.seat
        before = (self.match.to_act, self.match.look(self.seat).copy())
        try:
            self._check_clock()
            if mine:
                self._play_own_turn()
            else:
                self._play_bot_turn()
        except TimeUp:
            self._play_timeout()
        if mine or self.match.over:
            self._autosave()
        for line in describe_last_move(self.match, before, self.seat, self.names):
            out.print(line)

    def _check_clock(self) -> None:
        if self._clock and not self._clock.left:
            raise TimeUp

    def _play_timeout(self) -> None:
        """Play the clock's move."""
        clock = self.match.clock_move
        assert clock is not None
        out.print()
        self.match.play(clock)

    def _play_bot_turn(self) -> None:
        """Play the bot's move; if the bot fails, a random bot takes its seat for good."""
        seat = self.match.to_act
        assert seat is not None
        if seat not in self._bots:
            self._bots[seat] = self._new_bot(seat, self.bots)
        try:
            self._bots[seat].play(self.match)
        except BadBot as fault:
            out.print(Text(f"Seat {seat}: {fault}. A random bot takes the seat.", "yellow"))
            self._bots[seat].close()
            self._bots[seat] = self._new_bot(seat, "random")
            self._bots[seat].play(self.match)

    def _new_bot(self, seat: int, spec: str) -> Bot:
        """A bot seeded from the game's seed, so that the same game gets the same moves."""
        return bot(spec, next(seal.words(self.match.seed or bytes(32), f"bot {seat}")))

    def _close_bots(self) -> None:
        """Send the bots the result, if the game is over, and close them."""
        for seat, seated in self._bots.items():
            if self.match.over:
                seated.end(self.match.view(seat))
            seated.close()
        self._bots = {}

    def _play_own_turn(self) -> None:
        """Show the position and read input until a legal move is played."""
        self._show_table()
        while True:
            typed = self._read_input()
            if typed is None:
                self._leave()
                return
            command, _, rest = typed.lower().partition(" ")
            if self._preview(typed):
                continue
            if command in self._commands and not self._is_move(typed):
                self._commands[command](rest)
            elif typed and self._play(typed):
                return

    def _read_input(self) -> str | None:
        """Read what the player types; raises `TimeUp`."""
        if not self._clock:
            return read_line(PROMPT, self.match.legal())
        with self._clock.limit():
            return read_line(f"[{self._clock.display}] {PROMPT}", self.match.legal())

    def _preview(self, typed: str) -> bool:
        """Show a preview, if the game has previews and that is what was typed."""
        if not self._guide:
            return False
        try:
            shown = self._guide.preview(typed, *self._seen())
        except Fault:
            return False
        if shown is not None:
            out.print(shown)
        return shown is not None

    def _seen(self) -> tuple[Any, Any]:
        """The player's VIEW and the notation of this game."""
        return self.match.look(self.seat), self.match.settings.text

    def _is_move(self, typed: str) -> bool:
        if self._guide:
            return False
        with contextlib.suppress(Unclear):
            return match_typed(typed, in_natural_order(self.match.legal())) is not None
        return False

    def _play(self, typed: str) -> bool:
        """Play what was typed, or print why it is refused."""
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
        """The move that was typed; raises `Fault` if it is ambiguous or is the clock's move."""
        if typed.lower() == self.match.clock_move:
            raise Fault(f"{typed.lower()} is the clock's move")
        if self._guide:
            return self._guide.read_move(typed, *self._seen())
        return match_typed(typed, in_natural_order(self.match.legal())) or as_notation(
            typed, self.match.settings.text
        )

    def _show_table(self) -> None:
        v, text = self._seen()
        out.print()
        out.print(self.screen.draw(v, text, self.names))
        if self._guide:
            out.print(self._guide.prompt(v, text))
        else:
            out.print(number_moves(self.screen, self.match.legal()))

    # Commands besides moves

    @property
    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "?": lambda _: self._help(),
            "help": lambda _: self._help(),
            "rules": self._rules,
            "table": lambda _: self._show_table(),
            **({"look": self._preview_command} if self._guide else {}),
            "save": lambda _: self._print_saved(),
            "quit": lambda _: self._leave(),
            "q": lambda _: self._leave(),
        }

    def _preview_command(self, what: str) -> None:
        if not self._preview(what):
            out.print(Text("look needs a card of your hand, or the letter of a place.", "yellow"))

    def _help(self) -> None:
        out.print(self.screen.INPUT_HELP)
        if not self._guide:
            out.print("Or type the number of a move in the list.", end=" ")
            out.print("Small letters and spaces are fine.")
        out.print("table        show the table again")
        out.print("rules        read the rules; with a clause, such as rules ", end="")
        out.print(f"{self.match.game.clause(1)}, only that one")
        out.print("save         show where the game is saved (after every move)")
        out.print("quit         leave; the game can be resumed")

    def _rules(self, clause: str) -> None:
        game = self.match.game
        try:
            page = rulebook.read_page(game)
            print_markdown(rulebook.find_clause(game, page, clause) if clause else page)
        except Fault as fault:
            out.print(Text(str(fault), "yellow"))

    def _print_saved(self) -> None:
        self.save()
        out.print(f"Saved in {self.path}", **VERBATIM)

    def _leave(self) -> None:
        self.save()
        raise PlayerLeft


VERBATIM: Any = {"markup": False, "soft_wrap": True}


def read_line(prompt: str, legal: list[str]) -> str | None:
    """A line of input, stripped; None at the end of input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _complete_moves(legal)
        try:
            return input(prompt).strip()
        except EOFError:
            return None
    out.print(prompt, end="", markup=False)
    line = sys.stdin.readline()
    out.print(line.strip(), markup=False)  # so that a transcript can be read
    return line.strip() if line else None


def _complete_moves(legal: list[str]) -> None:
    """Complete moves with the Tab key, where the terminal supports it."""
    with contextlib.suppress(ImportError):
        import readline

        def complete(begun: str, state: int) -> str | None:
            found = [move for move in legal if move.lower().startswith(begun.lower())]
            return found[state] if state < len(found) else None

        readline.set_completer_delims(" ")
        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
