"""The sealed deal, version 2: what is fixed before any nonce is known, and the seed bound to it.

1. The server publishes its commitment, the SHA-256 of its secret.
2. Each seat's client draws a nonce and publishes `seat_commitment`, which includes the commitment
   that the server showed it.
3. When all seats have done so, the `SealedDeal` is fixed: table, game, options, seats, the number
   of the game, and all commitments.
4. Only then do the clients reveal their nonces. `bound_seed` is the seed, and `short_code` is a
   text that players can compare by voice: a player who was shown another deal, or another nonce,
   gets another code.

`docs/shuffle.md` has the proof, what is not promised, and test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from theriac import seal
from theriac.faults import Fault

#: The nonce of a seat that a bot plays when the deal is sealed: it has no client to draw one.
BOT_NONCE = "bot"
#: Crockford's base 32: no letter that sounds or looks like another.
_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_BYTES = 5


class SealedSeat(msgspec.Struct, frozen=True):
    """A seat when the deal was sealed: the name of its person, the level of the bot that plays."""

    name: str
    bot: str | None


class SealedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was fixed before any nonce was revealed.

    `number` counts the games of the table from 1, and `called_off` the deals of the table that were
    called off before this one. `commitment` is the server's, `commitments` those of the seats.
    """

    table: str
    game: str
    number: int
    called_off: int
    options: dict[str, Any]
    seats: list[SealedSeat]
    commitment: str
    commitments: list[str]


def seat_commitment(commitment: str, seat: int, nonce: str) -> str:
    """A seat's commitment to its nonce, in reply to the server's commitment.

    >>> seat_commitment("00" * 32, 0, "ada")[:16]
    '97d49068ee86641b'
    """
    text = f"theriac nonce 2\n{commitment}\n{seat}\n{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: Any) -> str:
    """A value as JSON in its one canonical form (RFC 8785): sorted keys, no spaces.

    >>> canonical({"b": [1, True, None], "a": "é"})
    '{"a":"é","b":[1,true,null]}'
    """
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":"))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return {key: _sorted(value[key]) for key in keys}
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def _bound_text(label: str, deal: SealedDeal, nonces: Sequence[str]) -> bytes:
    seal.check_nonces(nonces)
    lines = [label, canonical(msgspec.to_builtins(deal)), *nonces]
    try:
        return "\n".join(lines).encode()
    except UnicodeEncodeError:
        raise Fault("the deal has a text that is not valid Unicode") from None


def bound_seed(secret: bytes, deal: SealedDeal, nonces: Sequence[str]) -> bytes:
    """The seed of version 2, from the server's secret, the sealed deal and the seats' nonces."""
    return hmac.digest(secret, _bound_text("theriac seed 2", deal, nonces), "sha256")


def short_code(deal: SealedDeal, nonces: Sequence[str]) -> str:
    """Eight characters for players to compare: 40 bits of a hash of all that is public."""
    digest = hashlib.sha256(_bound_text("theriac code 2", deal, nonces)).digest()
    number = int.from_bytes(digest[:_CODE_BYTES], "big")
    text = "".join(_CODE_ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{text[:4]}-{text[4:]}"


def check_revealed(deal: SealedDeal, nonces: Sequence[str]) -> None:
    """Raise `Fault` unless each nonce is the one that its seat committed to."""
    if not len(nonces) == len(deal.commitments) == len(deal.seats):
        raise Fault("the deal needs one nonce, one commitment and one entry in seats per seat")
    seal.check_nonces(nonces)
    for seat, (nonce, committed) in enumerate(zip(nonces, deal.commitments, strict=True)):
        if seat_commitment(deal.commitment, seat, nonce) != committed:
            raise Fault(f"the nonce of seat {seat} does not match what that seat committed to")
