"""The sealed deal of versions 2 and 3: the recipe of docs/shuffle.md, and every forgery that it
finds.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.command import call
from tests.sealed_games import NONCES, SECRET, delete_name, sealed_game
from theriac import seal
from theriac.faults import Fault
from theriac.game import Game, find
from theriac.match import Match
from theriac.record import replay
from theriac.sealed_deal import (
    SealedDeal,
    SealedSeat,
    bound_seed,
    name_hash,
    new_salt,
    seat_commitment,
    short_code,
)
from theriac.testing.setups import GAMES
from theriac.verification import GAME_OVER, Kept, promise, read_receipt, verify

Change = Callable[[dict[str, Any]], Any]


# The recipe, written from docs/shuffle.md without sharing code


NAMES = ("Ada", "", "Cý")
SALTS = ("00" * 16, "11" * 16, "22" * 16)
#: By version: the seats in the deal, the seed, the code.
VECTORS = {
    2: (
        '{"bot":null,"name":"Ada"},{"bot":"hard","name":""},{"bot":null,"name":"Cý"}',
        "853c5d974d746252fc7aef84b469cf593cba62b5beffc42a75ff8300555f3d63",
        "4ZYQ-MSV9",
    ),
    3: (
        ",".join(
            f'{{"bot":{bot},"name_hash":"{hashed}"}}'
            for bot, hashed in (
                ("null", "5ccfed0a9c8d8027b3d9fcc97aba5edfe66dc7f3e2f8e4589a31bfafa6a46ffe"),
                ('"hard"', "31d9f6780af73c8176aff7063df182420f73afb1b618efc13609058e83fe4f43"),
                ("null", "441b3cab5a6741e3ba1cde6b71c516a25fd730f8995b4fd65fcd561869b9a6ea"),
            )
        ),
        "14a0bb388cda2447c0c76c69d5f22b29faf4b797df91e1c428e3b34f6e063100",
        "316C-E4D5",
    ),
}


def vector_seat(seat: int, version: int) -> SealedSeat:
    name, bot = NAMES[seat], (None, "hard", None)[seat]
    if version == 2:
        return SealedSeat(name, bot)
    hashed = hashlib.sha256(f"theriac name 3\n{SALTS[seat]}\n{name}".encode()).hexdigest()
    return SealedSeat(name, bot, hashed, SALTS[seat])


@pytest.mark.parametrize("version", VECTORS)
def test_the_published_vectors_by_hand(version: int) -> None:
    written_seats, published_seed, published_code = VECTORS[version]
    shown = hashlib.sha256(SECRET).hexdigest()
    nonces = ["ada", "bot", "cy"]
    commitments = [
        hashlib.sha256(f"theriac nonce 2\n{shown}\n{seat}\n{nonce}".encode()).hexdigest()
        for seat, nonce in enumerate(nonces)
    ]
    deal = (
        f'{{"called_off":1,"commitment":"{shown}","commitments":["'
        + '","'.join(commitments)
        + '"],"game":"poison","number":2,"options":{"open_piles":true,"players":3},"seats":'
        f'[{written_seats}],"table":"T4ble"}}'
    )
    rest = "\n".join([deal, *nonces])
    text = f"theriac seed {version}\n{rest}".encode()
    assert hmac.new(SECRET, text, hashlib.sha256).hexdigest() == published_seed
    digest = hashlib.sha256(f"theriac code {version}\n{rest}".encode()).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)[:40]
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    code = "".join(digits[int(bits[i : i + 5], 2)] for i in range(0, 40, 5))
    assert f"{code[:4]}-{code[4:]}" == published_code
    seats = [vector_seat(seat, version) for seat in range(3)]
    options = {"players": 3, "open_piles": True}
    ours = SealedDeal("T4ble", "poison", 2, 1, options, seats, shown, commitments)
    assert bound_seed(SECRET, ours, nonces).hex() == published_seed
    assert short_code(ours, nonces) == published_code


@pytest.mark.parametrize("version", VECTORS)
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_game_can_be_verified(game: Game, version: int) -> None:
    nonces = [f"nonce {seat}" for seat in range(game.players[0])]
    record, receipt = sealed_game(game.name, version=version, nonces=nonces, deals=1)
    steps = verify(record, "plain", Kept(receipt))
    assert steps[0].startswith("the deal is the one in the receipt")
    assert f"the code is {receipt.code}" in steps
    checked = f"the names of all {len(nonces)} seats match their hashes" in steps
    assert checked == (version == 3)
    assert steps[-2:] == [f"all {len(record['moves'])} moves are legal", GAME_OVER]


# A record that does not fit itself


def rename_seat(record: dict[str, Any]) -> None:
    record["seal"]["seats"][0]["name"] = "Mallory"


def swap_seats(record: dict[str, Any]) -> None:
    seats = record["seal"]["seats"]
    seats[0], seats[1] = seats[1], seats[0]


TAMPERED: list[tuple[str, Change, str]] = [
    ("table", lambda r: r["seal"].update(table="another"), "the seed does not come from"),
    ("number", lambda r: r["seal"].update(number=4), "the seed does not come from"),
    ("called off", lambda r: r["seal"].update(called_off=0), "the seed does not come from"),
    ("seats", swap_seats, "the seed does not come from"),
    ("options", lambda r: r["options"].update(open_piles=True), "the seed does not come from"),
    ("first", lambda r: r["options"].update(first=2), "the seed does not come from"),
    ("seed", lambda r: r.update(seed="00" * 32), "the seed does not come from"),
    ("secret", lambda r: r["seal"].update(secret="00" * 32), "does not match the commitment"),
    ("nonce", lambda r: r["seal"]["nonces"].__setitem__(1, "x"), "the nonce of seat 1 does not"),
    ("commitments", lambda r: r["seal"]["commitments"].reverse(), "the nonce of seat 0 does not"),
    ("code", lambda r: r["seal"].update(code="0000-0000"), "the code should be"),
    ("deal", lambda r: r["deals"][0].reverse(), "deal 1 is not what the seed gives"),
    ("move", lambda r: r["moves"].__setitem__(20, "x"), "move 21: x"),
    ("a move too many", lambda r: r["moves"].append("x"), "the game is over"),
    ("the last move cut off", lambda r: r["moves"].pop(), "the game is not over after move"),
    ("no moves", lambda r: r["moves"].clear(), "the game is not over after move 0"),
    ("seats missing", lambda r: r["seal"]["seats"].pop(), "one entry in seats per seat"),
    ("a key too few", lambda r: r["seal"].pop("code"), "must have called_off, code,"),
    ("a key too many", lambda r: r["seal"].update(more=1), "and nothing else"),
    ("version", lambda r: r["seal"].update(version=4), '"version" of the seal must be 2 or 3'),
    ("no number", lambda r: r["seal"].update(number="1"), '"seal": Expected `int`'),
    ("no text", lambda r: r["seal"].update(code=7), '"code" must be a text'),
]


def seat_of(record: dict[str, Any]) -> Any:
    return record["seal"]["seats"][0]


def shift_salt(seat: dict[str, Any]) -> None:
    """With a salt of any length, the same hash would fit several names."""
    seat["salt"], seat["name"] = seat["salt"] + "\n" + seat["name"], ""
    seat["name_hash"] = name_hash(seat["salt"], seat["name"])


def forget_hash(record: dict[str, Any]) -> None:
    delete_name(record, 0)
    del seat_of(record)["name_hash"]


def forge_deleted(record: dict[str, Any]) -> None:
    """A deleted name cannot be replaced by another one that was deleted."""
    delete_name(record, 0)
    seat_of(record)["name_hash"] = name_hash("00" * 16, "Mallory")


#: What depends on the version.
TAMPERED_2: list[tuple[str, Change, str]] = [
    ("name", rename_seat, "the seed does not come from"),
    ("version", lambda r: r["seal"].update(version=3), "of a seal of version 2, not 3"),
    ("hash", lambda r: seat_of(r).update(name_hash="00" * 32), "of a seal of version 3, not 2"),
    ("salt", lambda r: seat_of(r).update(salt="00" * 16), "the seed does not come from"),
]
TAMPERED_3: list[tuple[str, Change, str]] = [
    ("name", rename_seat, "the name of seat 0 does not match its hash"),
    ("version", lambda r: r["seal"].update(version=2), "of a seal of version 3, not 2"),
    ("hash", lambda r: seat_of(r).update(name_hash="00" * 32), "seat 0 does not match its hash"),
    ("no hash", lambda r: seat_of(r).pop("name_hash"), "seat 0 does not match its hash"),
    ("salt", lambda r: seat_of(r).update(salt="00" * 15 + "01"), "seat 0 does not match its"),
    ("no salt", lambda r: seat_of(r).pop("salt"), "seat 0 of the deal has a name without a salt"),
    ("salt and name", lambda r: shift_salt(seat_of(r)), "seat 0 does not match its hash"),
    ("deleted hash", forget_hash, "seat 0 of the deal has a name without a salt"),
    ("other hash", forge_deleted, "the seed does not come from"),
    ("no Unicode", lambda r: seat_of(r).update(name="\ud800"), "not valid Unicode"),
]
CASES = [
    *((2, *each) for each in (*TAMPERED, *TAMPERED_2)),
    *((3, *each) for each in (*TAMPERED, *TAMPERED_3)),
]


@pytest.mark.parametrize(
    ("version", "change", "said"),
    [(case[0], *case[2:]) for case in CASES],
    ids=[f"{case[0]}-{case[1]}" for case in CASES],
)
def test_what_is_swapped_in_a_record_is_found(version: int, change: Change, said: str) -> None:
    record = copy.deepcopy(sealed_game(version=version, deals=1).record)
    verify(record, "plain")
    change(record)
    with pytest.raises(Fault, match=said):
        verify(record, "plain")


# A name that was deleted


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1, 2)])
def test_a_record_verifies_after_names_were_deleted(seats: tuple[int, ...]) -> None:
    record, receipt = sealed_game(deals=1)
    record = copy.deepcopy(record)
    for seat in seats:
        delete_name(record, seat)
    kept = Kept(receipt, receipt.deal.commitment, {0: NONCES[0]}, receipt.code)
    steps = verify(record, "plain", kept)
    assert f"the names of {3 - len(seats)} of 3 seats match their hashes" in steps
    for seat in seats:
        assert f"the name of seat {seat} was deleted: its hash is still part of the seed" in steps
    assert "Player 0" not in json.dumps(record) or 0 not in seats


def test_nobody_finds_a_deleted_name_from_its_hash() -> None:
    """The same name has another hash in every deal: the salt is drawn by a secure generator."""
    salts = {new_salt() for _ in range(1000)}
    assert len(salts) == 1000 and all(len(bytes.fromhex(salt)) == 16 for salt in salts)
    assert len({name_hash(salt, "Ada") for salt in salts}) == 1000


def test_a_record_of_version_2_does_not_pass_for_one_of_version_3() -> None:
    record = sealed_game(version=2).record
    with pytest.raises(Fault, match="seal of version 2, the receipt is of version 3: forged"):
        verify(record, "plain", Kept(sealed_game().receipt))
    assert "version 2" in promise(record) and "version 3" in promise(sealed_game().record)


# A record that fits itself, and is forged


def test_a_forged_record_fits_itself_and_differs_from_what_the_player_kept() -> None:
    """The server knows all nonces when the game is over, and grinds a secret for other cards."""
    receipt = sealed_game().receipt
    forged = sealed_game(secret=bytes([7] * 32)).record
    assert "the secret matches the commitment" in verify(forged, "plain")
    for kept, said in (
        (Kept(receipt), 'differs from the receipt in "commitment": forged'),
        (Kept(commitment=receipt.deal.commitment), "another commitment than the one you were"),
        (Kept(code=receipt.code), "has the code"),
    ):
        with pytest.raises(Fault, match=said):
            verify(forged, "plain", kept)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_nonce_ground_after_the_game_is_found_by_every_receipt(seat: int) -> None:
    receipt = sealed_game().receipt
    nonces = [nonce if n != seat else "ground" for n, nonce in enumerate(NONCES)]
    forged = sealed_game(nonces=nonces).record
    assert verify(forged, "plain")
    with pytest.raises(Fault, match='differs from the receipt in "commitments": forged'):
        verify(forged, "plain", Kept(receipt))
    kept = Kept(commitment=receipt.deal.commitment, nonces={0: NONCES[0]})
    if seat == 0:
        with pytest.raises(Fault, match="does not have your nonce at seat 0: forged"):
            verify(forged, "plain", kept)


@pytest.mark.parametrize(
    "change",
    [{"table": "b"}, {"number": 1}, {"called_off": 0}, {"options": {"players": 3, "first": 0}}],
)
def test_a_record_of_another_deal_is_not_that_of_the_receipt(change: dict[str, Any]) -> None:
    other = sealed_game(**change)
    assert verify(other.record, "plain", Kept(other.receipt))
    with pytest.raises(Fault, match=f'differs from the receipt in "{next(iter(change))}"'):
        verify(other.record, "plain", Kept(sealed_game().receipt))


def test_a_record_of_version_1_does_not_pass_for_one_of_version_3() -> None:
    record, receipt = sealed_game(moves=0)
    old = dict(record["seal"])
    for key in ("version", "table", "number", "called_off", "seats", "commitments", "code"):
        del old[key]
    downgraded = {**record, "seal": old, "seed": seal.sealed_seed(SECRET, NONCES).hex()}
    assert verify(downgraded, "plain")
    assert "version 1" in promise(downgraded) and "version 3" in promise(record)
    with pytest.raises(Fault, match="seal of version 1, the receipt is of version 3: forged"):
        verify(downgraded, "plain", Kept(receipt))


def test_clients_that_were_shown_different_commitments_have_different_codes() -> None:
    """The server shows Bo another commitment than Ada, and passes Ada's nonce on as another's."""
    ada, bo = sealed_game().receipt, sealed_game(secret=bytes(32)).receipt
    assert ada.nonces == bo.nonces and ada.deal.commitment != bo.deal.commitment
    assert ada.code != bo.code
    codes = {sealed_game(nonces=["a", "b", f"{n}"], moves=0).receipt.code for n in range(50)}
    assert len(codes) == 50, "another nonce is another code too"


def test_a_commitment_belongs_to_one_seat_and_one_commitment_of_the_server() -> None:
    commitments = {seat_commitment(shown, n, "x") for shown in ("00", "01") for n in (0, 1)}
    assert len(commitments) == 4


# Receipts


def test_a_receipt_that_does_not_fit_itself_is_refused() -> None:
    for version in VECTORS:
        receipt = sealed_game(version=version).receipt
        assert read_receipt(msgspec.json.encode(receipt)) == receipt
        assert receipt.theriac_receipt == version
    renamed = msgspec.to_builtins(receipt.deal)
    renamed["seats"][1]["name"] = "Mallory"
    for change, said in (
        ({"code": "0000-0000"}, "its code is that of another deal"),
        ({"nonce": "x"}, "its nonce is that of another deal"),
        ({"nonces": ["x", *receipt.nonces[1:]]}, "the nonce of seat 0 does not match"),
        ({"seat": 9}, "its nonce is that of another deal"),
        ({"theriac_receipt": 1}, "not a receipt"),
        ({"theriac_receipt": 2}, "not a receipt: its deal is of version 3"),
        ({"deal": renamed}, "the name of seat 1 does not match its hash"),
        ({"more": 1}, "not a receipt"),
    ):
        with pytest.raises(Fault, match=said):
            read_receipt(json.dumps({**msgspec.to_builtins(receipt), **change}))
    for text in ("", "[]", "{}", "[" * 100_000):
        with pytest.raises(Fault, match="not a receipt"):
            read_receipt(text)


def other_endings(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The record with each other move that was legal at the end."""
    *before, last = record["moves"]
    legal = replay({**record, "moves": before}, "plain").legal()
    return [{**record, "moves": [*before, move]} for move in legal if move != last]


def test_a_receipt_with_the_moves_finds_another_legal_last_move() -> None:
    games = (sealed_game(nonces=["a", "b", f"{n}"]) for n in range(50))
    record, receipt, forged = next(
        (*game, ending) for game in games for ending in other_endings(game.record)
    )
    moves = record["moves"]
    kept = Kept(msgspec.structs.replace(receipt, moves=moves))
    assert f"all {len(moves)} moves are those in the receipt" in verify(record, "plain", kept)
    assert verify(forged, "plain", Kept(receipt))[-1] == GAME_OVER, "nothing shows without them"
    with pytest.raises(Fault, match=f"move {len(moves)} is .* in the record and .* in the receipt"):
        verify(forged, "plain", kept)
    for seen in (moves[:-1], [*moves, "R1@1"]):
        kept = Kept(msgspec.structs.replace(receipt, moves=seen))
        with pytest.raises(Fault, match=f"has {len(moves)} moves, the receipt {len(seen)}"):
            verify(record, "plain", kept)


def test_a_receipt_has_the_moves_as_its_seat_was_sent_them() -> None:
    record, receipt = sealed_game("shock")
    text = replay(record, "plain").text
    public = [text.write_public(text.read(move)) for move in record["moves"]]
    assert public != record["moves"], "some cards of Shock! are chosen face down"
    for seen in (public, record["moves"]):
        kept = Kept(msgspec.structs.replace(receipt, moves=seen))
        assert f"all {len(seen)} moves are those in the receipt" in verify(record, "plain", kept)


# The command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THERIAC_JIT", "0")
    record, receipt = sealed_game()
    forged = sealed_game(secret=bytes([7] * 32)).record
    (tmp_path / "game.json").write_text(json.dumps(record))
    (tmp_path / "forged.json").write_text(json.dumps(forged))
    (tmp_path / "receipt.json").write_bytes(msgspec.json.encode(receipt))
    return tmp_path


def test_the_command_compares_with_the_receipt(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = call(capsys, "verify", files / "game.json", "--receipt", files / "receipt.json")
    assert said.status == 0
    lines = said.out.splitlines()
    assert lines[0].startswith("seal version 3: every seat committed")
    assert lines[1].startswith("✓ the deal is the one in the receipt")
    assert lines[2] == "✓ the nonce of seat 0 is yours"
    assert all(line.startswith("✓") for line in lines[1:]), "nothing is left to warn of"
    forged = call(capsys, "verify", files / "forged.json", "--receipt", files / "receipt.json")
    assert forged.status == 2 and "✓" not in forged.out
    assert forged.err == 'the record differs from the receipt in "commitment": forged\n'


def test_the_command_compares_with_a_commitment_a_nonce_and_a_code(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt = sealed_game().receipt
    kept = (
        "--commitment",
        receipt.deal.commitment,
        "--nonce",
        f"0={NONCES[0]}",
        "--code",
        receipt.code,
    )
    said = call(capsys, "verify", files / "game.json", *kept)
    assert said.status == 0 and "! " not in said.out
    assert "✓ the commitment is the one you were shown" in said.out
    assert "✓ the nonce of seat 0 is yours" in said.out
    assert "✓ the code is the one you were shown" in said.out
    forged = call(capsys, "verify", files / "forged.json", *kept[:2])
    assert forged.status == 2 and "than the one you were shown: forged" in forged.err
    other = call(capsys, "verify", files / "game.json", "--nonce", "1=mine")
    assert other.status == 2 and "does not have your nonce at seat 1" in other.err
    bad = call(capsys, "verify", files / "game.json", "--nonce", "mine")
    assert bad.status == 2 and "write the seat, =, and the nonce" in bad.err


def test_without_a_receipt_the_command_says_what_it_cannot_find(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ((), ("--nonce", f"0={NONCES[0]}")):
        said = call(capsys, "verify", files / "forged.json", *more)
        assert said.status == 0
        assert said.out.splitlines()[-1].startswith("! compared with nothing that a player kept")


def test_a_commitment_and_a_nonce_do_not_find_a_deal_chosen_after_the_nonce_was_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server tries other salts of a name until it likes the cards."""
    game = sealed_game()
    forged = copy.deepcopy(game.record)
    salt, sealed = "ab" * 16, forged["seal"]
    sealed["seats"][1] |= {"salt": salt, "name_hash": name_hash(salt, sealed["seats"][1]["name"])}
    deal = msgspec.structs.replace(
        game.receipt.deal, seats=msgspec.convert(sealed["seats"], list[SealedSeat])
    )
    sealed["code"] = short_code(deal, sealed["nonces"])
    seed = bound_seed(bytes.fromhex(sealed["secret"]), deal, sealed["nonces"])
    match = Match(find(forged["game"]), forged["options"], seed=seed)
    while not match.over:
        match.play(match.legal()[0])
    forged |= {"seed": seed.hex(), "moves": match.moves}
    (tmp_path / "forged.json").write_text(json.dumps(forged))
    kept = ["--commitment", game.receipt.deal.commitment, "--nonce", f"0={NONCES[0]}"]
    said = call(capsys, "verify", tmp_path / "forged.json", *kept)
    assert said.status == 0, "all that was compared fits"
    assert said.out.splitlines()[-1].startswith("! compared with a commitment alone: the server")
    found = call(capsys, "verify", tmp_path / "forged.json", *kept, "--code", game.receipt.code)
    assert found.status == 2 and "forged" in found.err
