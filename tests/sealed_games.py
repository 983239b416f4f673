"""Finished games with a seal of version 2 or 3, by an honest server and by a forger."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from theriac import seal
from theriac.game import find
from theriac.match import Match
from theriac.sealed_deal import (
    DELETED_NAME,
    SealedDeal,
    SealedSeat,
    bound_seed,
    name_hash,
    seat_commitment,
    short_code,
)
from theriac.verification import Receipt

SECRET = bytes(range(32))
NONCES = ("ada's nonce", "bot", "日本")


class SealedGame(NamedTuple):
    """A record, and the receipt that seat 0 kept when the game began."""

    record: dict[str, Any]
    receipt: Receipt


def sealed_seat(number: int, version: int) -> SealedSeat:
    """A person's seat."""
    name, salt = f"Player {number}", f"{number:032x}"
    if version == 2:
        return SealedSeat(name, None)
    return SealedSeat(name, None, name_hash(salt, name), salt)


def delete_name(record: dict[str, Any], seat: int) -> None:
    """Delete the name of a seat from a record, as a server does."""
    sealed = record["seal"]["seats"][seat]
    sealed["name"] = DELETED_NAME
    del sealed["salt"]


def sealed_game(
    game: str = "poison",
    *,
    version: int = 3,
    secret: bytes = SECRET,
    nonces: Sequence[str] = NONCES,
    moves: int | None = None,
    deals: int = 0,
    **changes: Any,
) -> SealedGame:
    """A game sealed with this secret and these nonces, up to its end or with only some moves;
    `changes` are to the deal.
    """
    shown = seal.commitment(secret)
    fields: dict[str, Any] = {
        "table": "a-table",
        "game": game,
        "number": 3,
        "called_off": 1,
        "options": {"players": len(nonces)},
        "seats": [sealed_seat(n, version) for n in range(len(nonces))],
        "commitment": shown,
        "commitments": [seat_commitment(shown, n, nonce) for n, nonce in enumerate(nonces)],
        **changes,
    }
    deal = SealedDeal(**fields)
    match = Match(find(game), deal.options, seed=bound_seed(secret, deal, nonces), speed="plain")
    random = Random(1)
    while not match.over and (moves is None or len(match.moves) < moves):
        match.play(random.choice(match.legal()))
    sealed = msgspec.to_builtins(deal)
    del sealed["game"], sealed["options"]
    code = short_code(deal, nonces)
    opened = {"version": version, "secret": secret.hex(), "nonces": list(nonces), "code": code}
    record = {**match.record(), "seal": {**sealed, **opened}}
    if deals:
        record["deals"] = match.dealt[:deals]
    return SealedGame(record, Receipt(deal.version, deal, list(nonces), code, 0, nonces[0]))
