"""The sealed deal, version 3: what is fixed before any nonce is known, and the seed bound to it.

1. The server publishes its commitment, the SHA-256 of its secret.
2. Each seat's client draws a nonce and publishes `seat_commitment`, which includes the commitment
   that the server showed it.
3. When all seats have done so, the `SealedDeal` is fixed: table, game, options, seats, the number
   of the game, and all commitments.
4. Only then do the clients reveal their nonces. `bound_seed` is the seed, and `short_code` is a
   text that players can compare by voice: a player who was shown another deal, or another nonce,
   gets another code.

The deal is bound to a salted hash of each name. When a person has their name deleted, the salt is
deleted with it: the hash stays and tells nothing, and the record still verifies. Version 2, for
records of before, is bound to the names themselves.

`docs/shuffle.md` has the proof, what is not promised, and test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from theriac import seal
from theriac.faults import Fault

#: The nonce of a seat that a bot plays when the deal is sealed: it has no client to draw one.
BOT_NONCE = "bot"
#: What a record has instead of the name of a person who was deleted.
DELETED_NAME = "deleted"
#: The salt of a name. Its fixed length keeps it apart from the name after it.
_SALT = re.compile("[0-9a-f]{32}")
#: Crockford's base 32: no letter that sounds or looks like another.
_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_BYTES = 5


class SealedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat when the deal was sealed: the name of its person, the level of the bot that plays.

    `name_hash` is the salted hash of the name, which version 2 lacks. `salt` is missing where the
    name was deleted.
    """

    name: str
    bot: str | None
    name_hash: str | None = None
    salt: str | None = None


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

    @property
    def version(self) -> Literal[2, 3]:
        """The version of the seal: 2 is bound to names, 3 to hashes of names."""
        return 3 if any(seat.name_hash is not None for seat in self.seats) else 2


def new_salt() -> str:
    """The salt of a name in one deal: 128 random bits."""
    return secrets.token_hex(16)


def name_hash(salt: str, name: str) -> str:
    """The salted hash of a name.

    >>> name_hash("00" * 16, "Ada")[:16]
    '5ccfed0a9c8d8027'
    """
    return hashlib.sha256(_encode(f"theriac name 3\n{salt}\n{name}")).hexdigest()


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


def bound_part(deal: SealedDeal) -> dict[str, Any]:
    """The part of a deal that seed and code are bound to: in version 3 all but names and salts."""
    bound: dict[str, Any] = msgspec.to_builtins(deal)
    if deal.version == 3:
        bound["seats"] = [{"bot": seat.bot, "name_hash": seat.name_hash} for seat in deal.seats]
    return bound


def _bound_text(purpose: str, deal: SealedDeal, nonces: Sequence[str]) -> bytes:
    seal.check_nonces(nonces)
    lines = [f"theriac {purpose} {deal.version}", canonical(bound_part(deal)), *nonces]
    return _encode("\n".join(lines))


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Fault("the deal has a text that is not valid Unicode") from None


def bound_seed(secret: bytes, deal: SealedDeal, nonces: Sequence[str]) -> bytes:
    """The seed, from the server's secret, the sealed deal and the seats' nonces."""
    return hmac.digest(secret, _bound_text("seed", deal, nonces), "sha256")


def short_code(deal: SealedDeal, nonces: Sequence[str]) -> str:
    """Eight characters for players to compare: 40 bits of a hash of all that is public."""
    digest = hashlib.sha256(_bound_text("code", deal, nonces)).digest()
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


def check_names(deal: SealedDeal) -> list[int]:
    """Raise `Fault` unless each name is the one that was hashed; the seats whose name was deleted.

    In version 2 there is nothing to check: seed and code are bound to the names themselves.
    """
    if deal.version == 2:
        return []
    for number, seat in enumerate(deal.seats):
        if seat.salt is None:
            if seat.name != DELETED_NAME or seat.name_hash is None:
                raise Fault(f"seat {number} of the deal has a name without a salt or a hash")
        elif not _SALT.fullmatch(seat.salt) or name_hash(seat.salt, seat.name) != seat.name_hash:
            raise Fault(f"the name of seat {number} does not match its hash")
    return [number for number, seat in enumerate(deal.seats) if seat.salt is None]
