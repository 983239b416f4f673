"""Verify the sealed shuffles of a record, alone or against what a player kept.

A record that fits itself may still be forged by the server that wrote it. What a player kept (a
`Receipt`, or the code) binds the server to what it showed before. The commitment shown and the
player's own nonce do not: the seed depends on more, such as the nonces of others and the salts of
names, of which a server can try many after it has seen the nonce.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from theriac import seal
from theriac.engine.rule import Speed
from theriac.faults import BadRecord, Fault, quote
from theriac.match import Match
from theriac.record import check, is_list_of_texts, read_hex, replay
from theriac.sealed_deal import (
    SealedDeal,
    bound_part,
    bound_seed,
    check_names,
    check_revealed,
    seat_commitment,
    short_code,
)

#: The keys of a seal of version 1, and of the later ones.
_KEYS_1 = {"commitment", "secret", "nonces"}
_KEYS = {
    *_KEYS_1,
    *("version", "table", "number", "called_off", "seats", "commitments", "code"),
}
_PROMISES = {
    1: "seal version 1: the seed comes from a committed secret and the nonces of the seats. It is "
    "bound to no table, and the server with the last player to sit could have chosen it",
    2: "seal version 2: every seat committed to its nonce before any nonce was revealed, and the "
    "seed is bound to the table, the number of the game, the options and the seats",
    3: "seal version 3: every seat committed to its nonce before any nonce was revealed, and the "
    "seed is bound to the table, the number of the game, the options, the seats and the hashes of "
    "their names",
}
#: The last check.
GAME_OVER = "the game is over"


class Unfinished(Fault):
    """A record that stops before the end of its game."""


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player's client kept of a deal. A spectator's has no seat and no nonce.

    `moves` are those of the whole game as the client was sent them; None if it did not see all.
    """

    theriac_receipt: Literal[2, 3]
    deal: SealedDeal
    nonces: list[str]
    code: str
    seat: int | None = None
    nonce: str | None = None
    moves: list[str] | None = None


class Kept(NamedTuple):
    """What a player kept: a receipt, or the commitment shown, nonces by seat, and the code."""

    receipt: Receipt | None = None
    commitment: str | None = None
    nonces: Mapping[int, str] = {}
    code: str | None = None

    @property
    def binds(self) -> bool:
        """Does it fix everything that the seed depends on?"""
        return bool(self.receipt or self.code)


class Seal(NamedTuple):
    """The seal of a record; `deal` is None in version 1."""

    commitment: str
    secret: bytes
    nonces: list[str]
    deal: SealedDeal | None = None
    code: str | None = None

    @property
    def seed(self) -> bytes:
        """The seed that follows from the seal."""
        if self.deal is None:
            return seal.sealed_seed(self.secret, self.nonces)
        return bound_seed(self.secret, self.deal, self.nonces)


def read_receipt(text: str | bytes) -> Receipt:
    """The receipt in a JSON text; raises `Fault`."""
    try:
        receipt = msgspec.json.decode(text, type=Receipt)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Fault(f"not a receipt: {quote(str(error), 120)}") from None
    if receipt.theriac_receipt != receipt.deal.version:
        raise Fault(f"not a receipt: its deal is of version {receipt.deal.version}")
    check_revealed(receipt.deal, receipt.nonces)
    check_names(receipt.deal)
    if receipt.code != short_code(receipt.deal, receipt.nonces):
        raise Fault("the receipt does not fit itself: its code is that of another deal")
    if receipt.seat is not None and receipt.nonce is not None:
        own = seat_commitment(receipt.deal.commitment, receipt.seat, receipt.nonce)
        if receipt.deal.commitments[receipt.seat : receipt.seat + 1] != [own]:
            raise Fault("the receipt does not fit itself: its nonce is that of another deal")
    return receipt


def read_seal(record: Mapping[str, Any]) -> Seal:
    """The seal of a record; raises `BadRecord`."""
    check(record)
    sealed = record.get("seal")
    if not isinstance(sealed, dict):
        raise BadRecord(f'the record has no "seal": {_why_unsealed(record)}')
    version = sealed.get("version", 1)
    if type(version) is not int or version not in _PROMISES:
        raise BadRecord(
            f'"version" of the seal must be 2 or 3, or be left out, not {quote(version)}'
        )
    if version == 1 and set(sealed) != _KEYS_1:
        raise BadRecord('"seal" must have a commitment, a secret and nonces, and nothing else')
    if version != 1 and set(sealed) != _KEYS:
        keys = ", ".join(sorted(_KEYS))
        raise BadRecord(f'"seal" of version {version} must have {keys}, and nothing else')
    nonces = sealed["nonces"]
    if not is_list_of_texts(nonces) or len(nonces) != record["options"].get("players"):
        raise BadRecord('"nonces" must be a list of texts, one per seat')
    secret = read_hex("secret", sealed["secret"])
    if version == 1:
        return Seal(sealed["commitment"], secret, nonces)
    if not isinstance(sealed["code"], str):
        raise BadRecord(f'"code" must be a text, not {quote(sealed["code"])}')
    deal = _read_deal(record, sealed)
    if deal.version != version:
        raise BadRecord(f'"seats" are those of a seal of version {deal.version}, not {version}')
    return Seal(deal.commitment, secret, nonces, deal, sealed["code"])


def _why_unsealed(record: Mapping[str, Any]) -> str:
    known = record.get("x_deal_of")
    if not isinstance(known, dict):
        return (
            "its shuffles cannot be verified. Only games at a table of a server have one: in the "
            "terminal there is nobody to prove the shuffle to"
        )
    game = f"game {quote(known.get('number'))} of table {quote(known.get('table'))}"
    after = known.get("after")
    continued = f", and it goes on after move {quote(after)} of that game" if after else ""
    return f"its cards are those of {game}, which were known before{continued}"


def _read_deal(record: Mapping[str, Any], sealed: Mapping[str, Any]) -> SealedDeal:
    """The sealed deal: game and options are those of the record itself."""
    keys = ("table", "number", "called_off", "seats", "commitment", "commitments")
    own = {"game": record["game"], "options": record["options"]}
    try:
        return msgspec.convert({**own, **{key: sealed[key] for key in keys}}, SealedDeal)
    except msgspec.ValidationError as error:
        raise BadRecord(f'"seal": {quote(str(error), 120)}') from None


def promise(record: Mapping[str, Any]) -> str:
    """Which version of the seal a record has, and what it promises, as a sentence."""
    deal = read_seal(record).deal
    return _PROMISES[1 if deal is None else deal.version]


def verify(
    record: Mapping[str, Any], speed: Speed | None = None, kept: Kept | None = None
) -> list[str]:
    """Check the sealed shuffles of a record, and return each check that passed, as a sentence.

    Raises `Fault` at the first check that fails.
    """
    return list(verify_steps(record, speed, kept))


def verify_steps(
    record: Mapping[str, Any], speed: Speed | None = None, kept: Kept | None = None
) -> Iterator[str]:
    """The checks of `verify`, each as soon as it has passed.

    First comes what the player kept. Then: the secret matches the commitment, the nonces match the
    commitments of their seats and the names their hashes, the seed comes from all of it, every card
    dealt comes from the seed, every move is legal and one that the player saw, and the game is
    over. A server hands out the secret only then, so moves are missing if it is not: raises
    `Unfinished`. A record of version 1 may stop earlier, and then lacks the step `GAME_OVER`.
    """
    sealed = read_seal(record)
    if kept is not None:
        yield from _compare(sealed, kept)
    if seal.commitment(sealed.secret) != sealed.commitment:
        raise Fault("the secret does not match the commitment: it is not the one promised")
    yield "the secret matches the commitment"
    yield from _verify_seed(record, sealed)
    dealt = replay({**record, "deals": []}, speed).dealt
    for number, (deal, true) in enumerate(zip(record.get("deals", []), dealt, strict=False), 1):
        if deal != true:
            raise Fault(
                f"deal {number} is not what the seed gives: {_first_difference(deal, true)}"
            )
    cards = sum(len(deal) for deal in dealt)
    shuffles = "1 shuffle" if len(dealt) == 1 else f"{len(dealt)} shuffles"
    yield f"all {cards} cards of {shuffles} come from the seed"
    match = replay(record, speed)
    yield f"all {len(match.moves)} moves are legal"
    if kept is not None and kept.receipt is not None and kept.receipt.moves is not None:
        _compare_moves(match, kept.receipt.moves)
        yield f"all {len(match.moves)} moves are those in the receipt"
    if match.over:
        yield GAME_OVER
    elif sealed.deal is not None:
        raise Unfinished(
            f"the game is not over after move {len(match.moves)}: moves are missing, for a server "
            "hands out a record when its game is over"
        )


def _verify_seed(record: Mapping[str, Any], sealed: Seal) -> Iterator[str]:
    deal, seats = sealed.deal, len(sealed.nonces)
    if deal is not None:
        check_revealed(deal, sealed.nonces)
        yield f"the nonces of all {seats} seats match what the seats committed to"
        yield from _verify_names(deal)
    if read_hex("seed", record.get("seed")) != sealed.seed:
        raise Fault(
            "the seed does not come from the secret and the nonces"
            if deal is None
            else "the seed does not come from the secret, the nonces and this table, number, game, "
            "options and seats"
        )
    if deal is None:
        yield f"the seed comes from the secret and {seats} nonces"
        return
    where = f"game {deal.number} of table {quote(deal.table)}"
    yield f"the seed comes from the secret and {seats} nonces, for {where} with these seats"
    if sealed.code != short_code(deal, sealed.nonces):
        raise Fault(
            f"the code should be {short_code(deal, sealed.nonces)}, not {quote(sealed.code)}"
        )
    yield f"the code is {sealed.code}"


def _verify_names(deal: SealedDeal) -> Iterator[str]:
    deleted = check_names(deal)
    if deal.version == 2:
        return
    which = f"{len(deal.seats) - len(deleted)} of" if deleted else "all"
    yield f"the names of {which} {len(deal.seats)} seats match their hashes"
    for seat in deleted:
        yield f"the name of seat {seat} was deleted: its hash is still part of the seed"


def _compare(sealed: Seal, kept: Kept) -> Iterator[str]:
    """Compare a seal with what a player kept."""
    if kept.receipt is not None:
        yield from _compare_receipt(sealed, kept.receipt)
    if kept.commitment is not None:
        if kept.commitment.lower() != sealed.commitment:
            raise Fault("the record has another commitment than the one you were shown: forged")
        yield "the commitment is the one you were shown"
    for seat, nonce in kept.nonces.items():
        if not 0 <= seat < len(sealed.nonces) or sealed.nonces[seat] != nonce:
            raise Fault(f"the record does not have your nonce at seat {seat}: forged")
        yield f"the nonce of seat {seat} is yours"
    if kept.code is not None:
        if kept.code.upper() != sealed.code:
            raise Fault(
                f"the record has the code {quote(sealed.code)}, not {quote(kept.code)}: forged"
            )
        yield "the code is the one you were shown"


def _compare_receipt(sealed: Seal, receipt: Receipt) -> Iterator[str]:
    deal = sealed.deal
    version, kept = (1 if deal is None else deal.version), receipt.deal.version
    if deal is None or version != kept:
        raise Fault(
            f"the record has a seal of version {version}, the receipt is of version {kept}: forged"
        )
    # A name may have been deleted since, but not its hash.
    written, shown = bound_part(deal), bound_part(receipt.deal)
    for key, value in written.items():
        if value != shown[key]:
            raise Fault(f'the record differs from the receipt in "{key}": forged')
    if sealed.nonces != receipt.nonces:
        raise Fault("the record has other nonces than the receipt: forged")
    yield "the deal is the one in the receipt: its commitments, options, seats and nonces"
    if receipt.seat is not None and receipt.nonce is not None:
        yield f"the nonce of seat {receipt.seat} is yours"


def _compare_moves(match: Match, seen: Sequence[str]) -> None:
    """Raise `Fault` unless these are the moves of a match, as one of its viewpoints was sent them.

    A move of another seat may have been sent without what lies face down.
    """
    text = match.text
    for number, (written, shown) in enumerate(zip(match.moves, seen, strict=False), 1):
        if shown not in (written, text.write_public(text.read(written))):
            raise Fault(
                f"move {number} is {quote(written)} in the record and {quote(shown)} in the "
                "receipt: forged"
            )
    if len(match.moves) != len(seen):
        raise Fault(
            f"the record has {len(match.moves)} moves, the receipt {len(seen)}: one of them is "
            "forged"
        )


def _first_difference(written: list[str], true: list[str]) -> str:
    for i, (a, b) in enumerate(zip(written, true, strict=False), 1):
        if a != b:
            return f"card {i} should be {b}, not {quote(a)}"
    return f"it has {len(written)} cards instead of {len(true)}"
