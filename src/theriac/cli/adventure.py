"""An adventure: several games in a row. A game that has one lists its parts in `adventure.py`.

An adventure is saved in one file: the record of the current part, plus `x_adventure` with the seed
from which every part derives its own, and the number of parts begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from theriac import seal
from theriac.cli.clock import KEY as SECONDS_LEFT
from theriac.cli.console import out
from theriac.cli.terminal_game import VERBATIM, TerminalGame, play_speed, read_line
from theriac.faults import BadRecord, Fault
from theriac.match import Match
from theriac.record import read_hex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from theriac.game import Game

#: The key of a save file that marks a part of an adventure.
KEY = "x_adventure"
PROMPT = "Continue? (Enter, or quit; it is saved): "


def parts_of(game: Game) -> Any:
    """The module that lists the parts of a game's adventure; raises `Fault` if there is none."""
    if game.adventure is None:
        raise Fault(f"{game.name} has no adventure")
    return game.adventure


def begin(
    game: Game, options: Mapping[str, Any], seed: bytes, seat: int, bots: str, path: Path
) -> TerminalGame:
    """The first part."""
    saved = {KEY: {"seed": seed.hex(), "begun": 0}}
    return _new_part(game, parts_of(game).first_part(options), seat, bots, path, saved)


def resume(session: TerminalGame) -> TerminalGame:
    """Continue a saved part; a part that was lost starts again."""
    _check_saved(session)
    if not session.match.over or session.match.winners():
        return session
    name = parts_of(session.match.game).name_part(session.match.settings.given)
    out.print(f"{name.capitalize()} was lost: the adventure continues with that part again.\n")
    return _start_next_part(session, session.match.settings.given)


def play(session: TerminalGame) -> None:
    """Play one part after another, until one is lost or the player leaves."""
    parts = parts_of(session.match.game)
    while session.run():
        given = session.match.settings.given
        if not session.match.winners():
            out.print(f"\nThe adventure ends in {parts.name_part(given)}.")
            out.print(f"Try it again with: theriac play --resume {session.path}", **VERBATIM)
            return
        following = parts.next_part(given, session.match.view()["table"])
        if following is None:
            out.print("\n[bold]★ The whole adventure is won![/]")
            return
        session = _start_next_part(session, following)
        session.save()
        out.print(f"\n{parts.describe_part(following)}")
        if not _ask_to_continue():
            session.print_resume_hint()
            return


def _ask_to_continue() -> bool:
    """Ask whether the player wants to continue."""
    while True:
        typed = read_line(PROMPT, [])
        if typed is None or typed.lower() in ("q", "quit", "n", "no"):
            return False
        if typed.lower() in ("", "y", "yes", "go"):
            return True


def _start_next_part(session: TerminalGame, given: Mapping[str, Any]) -> TerminalGame:
    """The part after this one, for the same player."""
    own = {key: value for key, value in session.saved.items() if key.startswith("x_")}
    own.pop(SECONDS_LEFT, None)
    return _new_part(session.match.game, given, session.seat, session.bots, session.path, own)


def _new_part(
    game: Game, given: Mapping[str, Any], seat: int, bots: str, path: Path, saved: dict[str, Any]
) -> TerminalGame:
    """A new game; its seed is derived from the adventure's seed and the number of the part."""
    seed = read_hex("seed", saved[KEY]["seed"])
    number = saved[KEY]["begun"] + 1
    words = seal.words(seed, f"part {number}")
    own = b"".join(next(words).to_bytes(4, "big") for _ in range(8))
    match = Match(game, given, seed=own, speed=play_speed())
    saved = {**saved, KEY: {"seed": seed.hex(), "begun": number}}
    return TerminalGame(match, seat, bots, path, saved)


def _check_saved(session: TerminalGame) -> None:
    """Check the adventure in a save file; raises `BadRecord`."""
    saved = session.saved[KEY]
    if not isinstance(saved, dict) or set(saved) != {"seed", "begun"}:
        raise BadRecord(f'"{KEY}" must have a seed and the number of parts begun')
    read_hex("seed", saved["seed"])
    if type(saved["begun"]) is not int or saved["begun"] < 1:
        raise BadRecord(f'"{KEY}" must say how many parts have been begun')
    if not parts_of(session.match.game).is_part(session.match.settings.given):
        raise BadRecord(f'"{KEY}": this game is not part of an adventure')
