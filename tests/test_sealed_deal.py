"""The sealed deal of version 2: the recipe of docs/shuffle.md, and every forgery that it finds."""

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
from tests.sealed_games import NONCES, SECRET, sealed_game
from theriac import seal
from theriac.faults import Fault
from theriac.game import Game
from theriac.sealed_deal import SealedDeal, SealedSeat, bound_seed, seat_commitment, short_code
from theriac.testing.setups import GAMES
from theriac.verification import Kept, promise, read_receipt, verify

Change = Callable[[dict[str, Any]], Any]


# The recipe, written from docs/shuffle.md without sharing code


def test_the_published_vectors_by_hand() -> None:
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
        '[{"bot":null,"name":"Ada"},{"bot":"hard","name":""},{"bot":null,"name":"Cý"}],'
        '"table":"T4ble"}'
    )
    rest = "\n".join([deal, *nonces])
    seed = hmac.new(SECRET, f"theriac seed 2\n{rest}".encode(), hashlib.sha256).hexdigest()
    assert seed == "853c5d974d746252fc7aef84b469cf593cba62b5beffc42a75ff8300555f3d63"
    digest = hashlib.sha256(f"theriac code 2\n{rest}".encode()).digest()
    bits = "".join(f"{byte:08b}" for byte in digest)[:40]
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    code = "".join(digits[int(bits[i : i + 5], 2)] for i in range(0, 40, 5))
    assert f"{code[:4]}-{code[4:]}" == "4ZYQ-MSV9"
    seats = [SealedSeat("Ada", None), SealedSeat("", "hard"), SealedSeat("Cý", None)]
    options = {"players": 3, "open_piles": True}
    ours = SealedDeal("T4ble", "poison", 2, 1, options, seats, shown, commitments)
    assert bound_seed(SECRET, ours, nonces).hex() == seed
    assert short_code(ours, nonces) == "4ZYQ-MSV9"


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_game_can_be_verified(game: Game) -> None:
    nonces = [f"nonce {seat}" for seat in range(game.players[0])]
    record, receipt = sealed_game(game.name, nonces=nonces, moves=3, deals=1)
    steps = verify(record, "plain", Kept(receipt))
    assert steps[0].startswith("the deal is the one in the receipt")
    assert f"the code is {receipt.code}" in steps
    assert steps[-1] == "all 3 moves are legal"


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
    ("name", rename_seat, "the seed does not come from"),
    ("seats", swap_seats, "the seed does not come from"),
    ("options", lambda r: r["options"].update(open_piles=True), "the seed does not come from"),
    ("first", lambda r: r["options"].update(first=2), "the seed does not come from"),
    ("seed", lambda r: r.update(seed="00" * 32), "the seed does not come from"),
    ("secret", lambda r: r["seal"].update(secret="00" * 32), "does not match the commitment"),
    ("nonce", lambda r: r["seal"]["nonces"].__setitem__(1, "x"), "the nonce of seat 1 does not"),
    ("commitments", lambda r: r["seal"]["commitments"].reverse(), "the nonce of seat 0 does not"),
    ("code", lambda r: r["seal"].update(code="0000-0000"), "the code should be"),
    ("deal", lambda r: r["deals"][0].reverse(), "deal 1 is not what the seed gives"),
    ("move", lambda r: r["moves"].append("x"), "move 21: x"),
    ("seats missing", lambda r: r["seal"]["seats"].pop(), "one entry in seats per seat"),
    ("a key too few", lambda r: r["seal"].pop("code"), "must have called_off, code,"),
    ("a key too many", lambda r: r["seal"].update(more=1), "and nothing else"),
    ("version", lambda r: r["seal"].update(version=3), '"version" of the seal must be 2'),
    ("no number", lambda r: r["seal"].update(number="1"), '"seal": Expected `int`'),
    ("no text", lambda r: r["seal"].update(code=7), '"code" must be a text'),
]


@pytest.mark.parametrize(
    ("change", "said"), [each[1:] for each in TAMPERED], ids=[each[0] for each in TAMPERED]
)
def test_what_is_swapped_in_a_record_is_found(change: Change, said: str) -> None:
    record = copy.deepcopy(sealed_game(deals=1).record)
    verify(record, "plain")
    change(record)
    with pytest.raises(Fault, match=said):
        verify(record, "plain")


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


def test_a_record_of_version_1_does_not_pass_for_one_of_version_2() -> None:
    record, receipt = sealed_game(moves=0)
    old = dict(record["seal"])
    for key in ("version", "table", "number", "called_off", "seats", "commitments", "code"):
        del old[key]
    downgraded = {**record, "seal": old, "seed": seal.sealed_seed(SECRET, NONCES).hex()}
    assert verify(downgraded, "plain")
    assert "version 1" in promise(downgraded) and "version 2" in promise(record)
    with pytest.raises(Fault, match="seal of version 1, the receipt is of version 2: forged"):
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
    receipt = sealed_game().receipt
    assert read_receipt(msgspec.json.encode(receipt)) == receipt
    for change, said in (
        ({"code": "0000-0000"}, "its code is that of another deal"),
        ({"nonce": "x"}, "its nonce is that of another deal"),
        ({"nonces": ["x", *receipt.nonces[1:]]}, "the nonce of seat 0 does not match"),
        ({"seat": 9}, "its nonce is that of another deal"),
        ({"theriac_receipt": 1}, "not a receipt"),
        ({"more": 1}, "not a receipt"),
    ):
        with pytest.raises(Fault, match=said):
            read_receipt(json.dumps({**msgspec.to_builtins(receipt), **change}))
    for text in ("", "[]", "{}", "[" * 100_000):
        with pytest.raises(Fault, match="not a receipt"):
            read_receipt(text)


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
    assert lines[0].startswith("seal version 2: every seat committed")
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
