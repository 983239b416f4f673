"""`theriac verify`, and fixed test vectors for other implementations."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from theriac import seal
from theriac.game import find
from theriac.match import Match

SECRET = bytes(range(32))
NONCES = ["ann", "ben", "日本"]
VECTORS: dict[str, Any] = {
    "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    "seed": "6e1054ab7f8d2f3e0365bc9e3949f7254637d3e4e293d9c1135a4d9fafc59d0e",
    "first of 3": 0,
    "first of 6": 0,
    "shuffle 1 of 10": [6, 3, 2, 1, 7, 9, 4, 8, 5, 0],
    "shuffle 2 of 10": [2, 4, 9, 1, 8, 7, 5, 3, 0, 6],
    "first cards": ["R7", "R1", "B1", "R1", "P2", "P5", "X", "B1", "R4", "P4", "B5", "R2"],
}


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def sealed_record(moves: int = 20, deals: int = 0) -> dict[str, Any]:
    match = Match(find("poison"), {"players": 3}, seed=seal.sealed_seed(SECRET, NONCES))
    while len(match.moves) < moves and not match.over:
        match.play(match.legal()[0])
    own = {"commitment": seal.commitment(SECRET), "secret": SECRET.hex(), "nonces": NONCES}
    record = match.record() | {"seal": own}
    return record | ({"deals": match.dealt[:deals]} if deals else {})


def verify(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: dict[str, Any]
) -> tuple[int, list[str], str]:
    (tmp_path / "game.json").write_text(json.dumps(record))
    said = call(capsys, "verify", tmp_path / "game.json")
    steps = [line for line in said.out.splitlines() if line.startswith("✓")]
    return said.status, steps, said.err


def test_vectors() -> None:
    assert seal.commitment(SECRET) == VECTORS["commitment"]
    seed = seal.sealed_seed(SECRET, NONCES)
    assert seed.hex() == VECTORS["seed"]
    assert seal.first_seat(seed, 3) == VECTORS["first of 3"]
    assert seal.first_seat(seed, 6) == VECTORS["first of 6"]
    assert seal.shuffle(seed, 1, 10) == VECTORS["shuffle 1 of 10"]
    assert seal.shuffle(seed, 2, 10) == VECTORS["shuffle 2 of 10"]
    assert sealed_record(0, 1)["deals"][0][:12] == VECTORS["first cards"]


def test_the_vectors_by_hand() -> None:
    """The same, written from the description without sharing code."""
    message = b"theriac seed 1\nann\nben\n" + "日本".encode()
    seed = hmac.new(SECRET, message, hashlib.sha256).digest()
    assert hashlib.sha256(SECRET).hexdigest() == VECTORS["commitment"]
    assert seed.hex() == VECTORS["seed"]
    words = []
    for block in range(2):
        digest = hmac.new(seed, f"shuffle 1 {block}".encode(), hashlib.sha256).digest()
        words += [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
    order = list(range(10))
    for i in range(9, 0, -1):
        word = words.pop(0)
        assert word < 2**32 - 2**32 % (i + 1)  # no word is skipped in this vector
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert order == VECTORS["shuffle 1 of 10"]


def test_a_sealed_game_is_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, steps, err = verify(capsys, tmp_path, sealed_record())
    assert (status, err) == (0, "")
    assert steps == [
        "✓ the secret matches the commitment",
        "✓ the seed comes from the secret and 3 nonces",
        "✓ all 50 cards of 1 shuffle come from the seed",
        "✓ all 20 moves are legal",
    ]


def test_a_record_of_version_1_is_verified_as_what_it_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "game.json").write_text(json.dumps(sealed_record()))
    said = call(capsys, "verify", tmp_path / "game.json")
    promise, *_, unfinished, warning = said.out.splitlines()
    assert promise.startswith("seal version 1: ") and "It is bound to no table" in promise
    assert unfinished == "! the game is not over in this record: more moves may have been made"
    assert warning.startswith("! compared with nothing that a player kept")
    kept = ("--commitment", VECTORS["commitment"], "--nonce", "1=ben")
    said = call(capsys, "verify", tmp_path / "game.json", *kept)
    assert said.status == 0
    assert said.out.splitlines()[1:3] == [
        "✓ the commitment is the one you were shown",
        "✓ the nonce of seat 1 is yours",
    ]
    assert said.out.splitlines()[-1].startswith("! compared with a commitment alone")
    said = call(capsys, "verify", tmp_path / "game.json", "--commitment", "0" * 64)
    assert said.status == 2 and "than the one you were shown: forged" in said.err


def test_a_whole_game_with_its_deals_written_down(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, steps, _ = verify(capsys, tmp_path, sealed_record(1000, 3))
    assert status == 0
    assert steps[2] == "✓ all 150 cards of 3 shuffles come from the seed"
    assert steps[-1] == "✓ the game is over"


def _swap(record: dict[str, Any]) -> dict[str, Any]:
    deal = record["deals"][0]
    other = next(i for i, card in enumerate(deal) if card != deal[0])
    deal[0], deal[other] = deal[other], deal[0]
    return record


TAMPERED = [
    (lambda r: r | {"seal": r["seal"] | {"secret": "00" * 32}}, 0, "not the one promised"),
    (lambda r: r | {"seal": r["seal"] | {"commitment": "00" * 32}}, 0, "not the one promised"),
    (lambda r: r | {"seal": r["seal"] | {"nonces": ["a", "b", "c"]}}, 1, "the seed does not come"),
    (lambda r: r | {"seed": "00" * 32}, 1, "the seed does not come from the secret"),
    (_swap, 2, "deal 1 is not what the seed gives: card 1 should be"),
    (lambda r: r | {"moves": ["R9@1"]}, 2, "R9@1: no card R9 is in the deck (POI-01)"),
    (lambda r: r | {"seal": {}}, 0, '"seal" must have a commitment, a secret and nonces'),
    (lambda r: r | {"seal": r["seal"] | {"nonces": ["a"]}}, 0, '"nonces" must be a list of texts'),
    (lambda r: r | {"seal": r["seal"] | {"secret": 7}}, 0, '"secret" must be 64 hex digits'),
    (lambda r: {k: v for k, v in r.items() if k != "seal"}, 0, 'the record has no "seal"'),
]


@pytest.mark.parametrize(("tamper", "held", "sentence"), TAMPERED)
def test_tampering_is_detected(
    tamper: Any, held: int, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, steps, err = verify(capsys, tmp_path, tamper(sealed_record(deals=1)))
    assert status == 2
    assert len(steps) == held
    assert sentence in err
    assert len(err.splitlines()) == 1
