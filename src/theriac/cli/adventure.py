"""An adventure: several games in a row, where a game has one. Its parts are in `adventure.py`
of the game.

It is kept in one file: the record of the part that is played, with `x_adventure`, the seed from
which every part gets its own, and how many parts have been begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from theriac import seal
from theriac.cli.clock import KEY as SECONDS_LEFT
from theriac.cli.console import out
from theriac.cli.terminal_game import AS_IT_IS, TerminalGame, play_speed, read_line
from theriac.faults import BadRecord, Fault
from theriac.match import Match
from theriac.record import read_hex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from theriac.game import Game

#: Where a saved game says that it is part of an adventure.
KEY = "x_adventure"
PROMPT = "Go on? (Enter, or quit; it is saved): "


def parts_of(game: Game) -> Any:
    """The module that says what the parts of a game's adventure are; raises `Fault`."""
    if game.adventure is None:
        raise Fault(f"{game.name} has no adventure")
    return game.adventure


def begin(
    game: Game, options: Mapping[str, Any], seed: bytes, seat: int, bots: str, place: Path
) -> TerminalGame:
    """The first part."""
    kept = {KEY: {"seed": seed.hex(), "begun": 0}}
    return _new_part(game, parts_of(game).first_part(options), seat, bots, place, kept)


def take_up(session: TerminalGame) -> TerminalGame:
    """Go on with a part that was saved; one that was lost begins again."""
    _check(session)
    if not session.match.over or session.match.winners():
        return session
    name = parts_of(session.match.game).name_part(session.match.settings.given)
    out.print(f"{name.capitalize()} was lost: the adventure goes on from where it began.\n")
    return _follow(session, session.match.settings.given)


def play(session: TerminalGame) -> None:
    """Play part after part, until one is lost or the player leaves."""
    parts = parts_of(session.match.game)
    while session.run():
        given = session.match.settings.given
        if not session.match.winners():
            out.print(f"\nThe adventure ends in {parts.name_part(given)}.")
            out.print(f"Try it again with: theriac play --resume {session.place}", **AS_IT_IS)
            return
        following = parts.next_part(given, session.match.view()["table"])
        if following is None:
            out.print("\n[bold]★ The whole adventure is won![/]")
            return
        session = _follow(session, following)
        session.save()
        out.print(f"\n{parts.tell_part(following)}")
        if not _goes_on():
            session.say_resume()
            return


def _goes_on() -> bool:
    """Does the player want to go on?"""
    while True:
        typed = read_line(PROMPT, [])
        if typed is None or typed.lower() in ("q", "quit", "n", "no"):
            return False
        if typed.lower() in ("", "y", "yes", "go"):
            return True


def _follow(session: TerminalGame, given: Mapping[str, Any]) -> TerminalGame:
    """The part after this one, for the same player."""
    own = {key: value for key, value in session.kept.items() if key.startswith("x_")}
    own.pop(SECONDS_LEFT, None)
    return _new_part(session.match.game, given, session.seat, session.bots, session.place, own)


def _new_part(
    game: Game, given: Mapping[str, Any], seat: int, bots: str, place: Path, kept: dict[str, Any]
) -> TerminalGame:
    """A new game with a seed of its own, that of the adventure and its number make it."""
    seed = read_hex("seed", kept[KEY]["seed"])
    number = kept[KEY]["begun"] + 1
    words = seal.words(seed, f"part {number}")
    own = b"".join(next(words).to_bytes(4, "big") for _ in range(8))
    match = Match(game, given, seed=own, speed=play_speed())
    kept = {**kept, KEY: {"seed": seed.hex(), "begun": number}}
    return TerminalGame(match, seat, bots, place, kept)


def _check(session: TerminalGame) -> None:
    """Is what was kept of an adventure whole? Raises `BadRecord`."""
    kept = session.kept[KEY]
    if not isinstance(kept, dict) or set(kept) != {"seed", "begun"}:
        raise BadRecord(f'"{KEY}" must have a seed and the number of parts begun')
    read_hex("seed", kept["seed"])
    if type(kept["begun"]) is not int or kept["begun"] < 1:
        raise BadRecord(f'"{KEY}" must say how many parts have been begun')
    if not parts_of(session.match.game).is_part(session.match.settings.given):
        raise BadRecord(f'"{KEY}": this game is no part of an adventure')
