"""The start of a game: the deal is sealed, the nonces are revealed, the game begins.

`theriac.sealed_deal` says what is bound to what, and `docs/shuffle.md` what that promises. Each
function only reads the table.
"""

from __future__ import annotations

from theriac import seal
from theriac.sealed_deal import BOT_NONCE, bound_seed, name_hash, new_salt, seat_commitment
from theriac.server.store import events
from theriac.server.tables.table import Seat, Table

#: How long a deal waits for nonces before a player may call it off, in seconds.
REVEAL_WAIT_S = 30


def follow_up(table: Table) -> list[events.AnyEvent]:
    """The events that the state of a table leads to while no game is in play."""
    if may_begin(table):
        return [start(table)]
    if (left := seat_that_left(table)) is not None:
        return [call_off(table, left)]
    if table.stage == "sealing" and not table.missing:
        return [begin(table)]
    return []


def may_begin(table: Table) -> bool:
    """Has every seat agreed to the next game? After a game, bots alone begin no other."""
    if table.stage not in ("gathering", "over") or any(seat.waiting for seat in table.seats):
        return False
    return table.stage == "gathering" or any(seat.ready for seat in table.seats)


def start(table: Table) -> events.Sealed | events.Begun:
    """Seal a new deal; a deal that was known before begins at once, without a seal."""
    known = table.opened.known_deal
    if known is not None and not table.finished:
        return events.Begun([], known.seed)
    return seal_deal(table)


def seal_deal(table: Table) -> events.Sealed:
    """Fix the deal: the commitments of all seats, and the hashes of their names."""
    return events.Sealed(
        [_commitment(table, n, seat) for n, seat in enumerate(table.seats)],
        [_sealed_name(seat) for seat in table.seats],
    )


def _sealed_name(seat: Seat) -> events.SealedName:
    salt = new_salt()
    return events.SealedName(name_hash(salt, seat.name), salt)


def _commitment(table: Table, number: int, seat: Seat) -> str:
    if seat.level is not None:
        return seat_commitment(table.commitment, number, BOT_NONCE)
    if seat.commitment is not None:
        return seat.commitment
    # A log of before has the nonce itself.
    assert seat.nonce is not None
    return seat_commitment(table.commitment, number, seat.nonce)


def seat_that_left(table: Table) -> int | None:
    """A seat of a sealed deal whose person is gone, removed by the opener or an operator."""
    if table.sealed is None or table.stage != "sealing":
        return None
    seats = enumerate(zip(table.sealed.seats, table.seats, strict=True))
    return next((n for n, (was, seat) in seats if was.bot is None and seat.player is None), None)


def begin(table: Table) -> events.Begun:
    """Begin the game of a sealed deal whose nonces are all known."""
    assert table.sealed is not None
    nonces = [
        BOT_NONCE if sealed.bot is not None else seat.nonce or ""
        for sealed, seat in zip(table.sealed.seats, table.seats, strict=True)
    ]
    return events.Begun(nonces, bound_seed(table.secret, table.sealed, nonces).hex())


def call_off(table: Table, seat: int) -> events.CalledOff:
    """Call the sealed deal off. The next deal gets a new secret: nonces of this one are known."""
    return events.CalledOff(seat, table.missing, seal.new_seed().hex())
