"""Opening a table: is what is wished for possible?"""

from __future__ import annotations

from typing import Any

from theriac import seal
from theriac.bots import LEVELS
from theriac.faults import BadOption, Fault, listed, quote
from theriac.game import find
from theriac.server.http.bodies import NewTable
from theriac.server.store.events import Clock, Opened

#: The shortest and the longest time a clock gives, in seconds.
SHORTEST, LONGEST = 5, 30 * 24 * 3600


def open_event(wish: NewTable, opener: str) -> Opened:
    """The first event of a new table; raises `Fault`."""
    game = find(wish.game)
    options: dict[str, Any] = {"players": len(wish.seats), **wish.options}
    if options["players"] != len(wish.seats):
        given = quote(options["players"])
        raise BadOption(f"option players: {given} is not the number of seats, {len(wish.seats)}")
    if wish.adventure:
        if game.adventure is None:
            raise Fault(f"{game.name} has no adventure")
        options = game.adventure.first_part(options)
    game.settings(options, 0)
    for level in wish.seats:
        if level is not None and level not in LEVELS:
            raise Fault(f"level {quote(level)}: use {listed(list(LEVELS))}, or null for a person")
    check_clock(wish.clock)
    return Opened(
        by=opener,
        game=game.name,
        options=options,
        seats=list(wish.seats),
        secret=seal.new_seed().hex(),
        clock=wish.clock,
        listed=wish.listed,
        delay=wish.delay,
        adventure=wish.adventure,
        hints=wish.hints,
    )


def check_clock(clock: Clock | None) -> None:
    """Is it a time that one can play with? Raises `Fault`."""
    if clock is not None and not SHORTEST <= clock.seconds <= LONGEST:
        raise Fault(f"clock: {clock.seconds} seconds is not from {SHORTEST} to {LONGEST}")
