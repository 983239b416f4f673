"""`theriac replay`: what it prints, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import call, new_table, process
from theriac.game import all_games, find
from theriac.record import replay_each


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def record_of(name: str, moves: int = 10, **options: object) -> dict[str, Any]:
    record: dict[str, Any] = new_table(find(name), moves, **options).record()
    return record


def test_the_end_of_a_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in all_games():
        match = new_table(find(name), 8)
        said = call(capsys, "replay", write(tmp_path / "game.json", match.record()), "--json")
        assert said.status == 0
        assert json.loads(said.out) == match.view()
        assert said.out.startswith('{"game":"' + name + '","over":false,"to_act":')
        shown = json.loads(said.out)
        assert list(shown) == [
            "game", "over", "to_act", "round", "scores", "winners", "legal", "table",
        ]  # fmt: skip


def test_a_finished_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in all_games():
        file = write(tmp_path / "game.json", record_of(name, 10_000))
        shown = json.loads(call(capsys, "replay", file, "--json").out)
        assert shown["over"] is True
        assert shown["to_act"] is None
        assert shown["legal"] == []
        assert shown["winners"] or find(name).together


def test_what_a_seat_may_know(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = new_table(find("poison"), 10)
    file = write(tmp_path / "game.json", match.record())
    for seat in range(3):
        shown = json.loads(call(capsys, "replay", file, "--json", "--seat", seat).out)
        assert shown == match.view(seat)
        assert len(shown["hand"]) == shown["table"]["hands"][seat]
        assert bool(shown["legal"]) == (seat == shown["to_act"])


def test_each_move(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = record_of("shokoba", 12)
    file = write(tmp_path / "game.json", record)
    for seat in (None, 1):
        arguments = () if seat is None else ("--seat", seat)
        lines = call(capsys, "replay", file, "--json", "--each", *arguments).out.splitlines()
        shown = [json.loads(line) for line in lines]
        assert [view.pop("n") for view in shown] == list(range(13))
        assert shown == [match.view(seat) for match in replay_each(record, "plain")]


@pytest.mark.parametrize("form", ["lines", "pretty", "one line", "no line feed", "empty lines"])
def test_records_are_read_from_every_file_format(
    form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, two = record_of("poison", 3), record_of("shokoba", 3)
    text, n = {
        "lines": (json.dumps(one) + "\n" + json.dumps(two) + "\n", 2),
        "pretty": (json.dumps(one, indent=2), 1),
        "one line": (json.dumps(one) + "\n", 1),
        "no line feed": (json.dumps(one) + "\n" + json.dumps(two), 2),
        "empty lines": ("\n\n" + json.dumps(one) + "\n\n  \n" + json.dumps(two) + "\n\n", 2),
    }[form]
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    said = call(capsys, "replay", file, "--json")
    assert said.status == 0
    assert [json.loads(line)["game"] for line in said.out.splitlines()] == ["poison", "shokoba"][:n]


def test_records_with_leading_commas_are_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = json.dumps(record_of("poison", 3)).replace(', "', '\n, "')
    assert text.splitlines()[0] == '{"theriac": 1'
    (tmp_path / "game.json").write_text(text)
    assert call(capsys, "replay", tmp_path / "game.json", "--json").status == 0


def test_records_are_read_from_standard_input(tmp_path: Path) -> None:
    lines = json.dumps(record_of("poison", 2)) + "\n" + json.dumps(record_of("poison", 4)) + "\n"
    said = process(tmp_path, "replay", "-", "--json", typed=lines)
    assert (said.status, said.err) == (0, "")
    assert len(said.out.splitlines()) == 2


BAD: list[tuple[dict[str, Any], str]] = [
    ({"moves": ["R3@1"]}, "record 2, move 1: R3@1: no card R3 is in the deck (POI-01)"),
    ({"moves": ["r1@1"]}, "record 2, move 1: r1@1: no card r1 is in the deck (POI-01)"),
    ({"moves": ["X@1 "]}, "record 2, move 1: 'X@1 ': a move is a card and a cauldron"),
    ({"moves": ["\ud800"]}, "record 2, move 1: '\\ud800': a move is"),
    ({"moves": "R1@1"}, 'record 2: "moves" must be a list of texts'),
    ({"moves": [1]}, 'record 2: "moves" must be a list of texts'),
    ({"deals": [["X"]], "moves": []}, "record 2: deal 1: R1 is missing (3 times)"),
    ({"deals": [["Z"]], "moves": []}, "record 2: deal 1: Z is not a card of this deck (POI-21)"),
    ({"options": {"players": "3"}}, "record 2: option players: 3 is not 3, 4, 5 or 6 (POI-03)"),
    ({"options": {"players": 3.0}}, "record 2: option players: 3.0 is not"),
    ({"options": {"players": True}}, "record 2: option players: True is not"),
    ({"options": {}}, "record 2: option players is missing"),
    (
        {"options": {"players": 3, "wind": 1}},
        "record 2: option wind: poison has no option",
    ),
    ({"seed": "00"}, 'record 2: "seed" must be 64 hex digits'),
    ({"seed": "0" * 62 + " \n"}, 'record 2: "seed" must be 64 hex digits'),
    ({"seed": None}, 'record 2: "seed" must be 64 hex digits'),
    ({"game": "chess"}, "record 2: no game is called chess"),
    ({"theriac": 2}, 'record 2: "theriac" must be 1'),
    ({"wind": 1}, "record 2: unknown key wind"),
]


@pytest.mark.parametrize("each", [(), ("--each",)])
@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_a_bad_record_is_refused_in_one_sentence(
    change: dict[str, Any],
    sentence: str,
    each: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    good = record_of("poison", 3)
    file = write(tmp_path / "games.jsonl", good, good | change, good)
    said = call(capsys, "replay", file, "--json", *each)
    assert said.status == 2
    assert said.err.startswith(sentence)
    assert len(said.err.splitlines()) == 1
    assert len(said.out.splitlines()) == (4 if each else 1)


def test_a_late_bad_move_prints_nothing_of_its_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = record_of("poison", 20)
    record["moves"].append("R9@1")
    said = call(capsys, "replay", write(tmp_path / "game.json", record), "--json", "--each")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("record 1, move 21: R9@1: no card R9 is in the deck (POI-01)")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "record 1: the file is empty"),
        (b"\n \n", "record 1: the file is empty"),
        (b"{", "record 1: not JSON"),
        (b"nonsense", "record 1: not JSON"),
        (b"[1, 2]", "record 1: a record is a JSON object"),
        (b"7", "record 1: a record is a JSON object"),
        (b'{"theriac": NaN}', "record 1: not JSON: NaN is not a JSON number"),
        (b'{"theriac": 1, "theriac": 1}', "record 1: the key theriac is given twice"),
        (b"\xff\xfe\xfd", "record 1: not JSON"),
        (b'{"game": "\xff"}', "record 1: not JSON"),
        (b'{"\\ud800": 1}', "record 1: unknown key '\\ud800'"),
        (b"[" * 100_000, "record 1: not"),
        (b'{"theriac": ' + b"9" * 5000 + b"}", "record 1: not JSON"),
    ],
)
def test_input_that_is_not_a_record_is_refused(
    text: bytes, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_bytes(text)
    said = call(capsys, "replay", tmp_path / "bad.json", "--json")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(sentence)
    assert len(said.err.splitlines()) == 1


def test_bytes_that_are_not_utf8_on_standard_input(tmp_path: Path) -> None:
    said = process(tmp_path, "replay", "-", "--json", typed=b"\xff\xfe\n")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("record 1: not JSON")


def test_an_unknown_seat_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path / "game.json", record_of("poison", 3))
    for seat in (3, -1):
        for form in ((), ("--json",), ("--each",), ("--json", "--each")):
            said = call(capsys, "replay", file, "--seat", seat, *form)
            assert (said.status, said.out) == (2, "")
            assert said.err == f"record 1: seat {seat}: there are seats 0 to 2\n"


def test_for_a_person(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, game in all_games().items():
        file = write(tmp_path / "game.json", record_of(name, 8))
        said = call(capsys, "replay", file).out
        assert f"{game.title}: 8 moves, round 1" in said
        assert "Your hand" not in said
        assert "Your hand" in call(capsys, "replay", file, "--seat", 0).out
        story = call(capsys, "replay", file, "--each").out
        assert len([line for line in story.splitlines() if line.startswith("seat ")]) == 8


def test_a_whole_game_for_a_person(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = record_of("poison", 10_000)
    match = new_table(find("poison"), 10_000)
    said = call(capsys, "replay", write(tmp_path / "game.json", record), "--each").out
    assert [f"Round {n} is over" in said for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert f"{len(match.moves)} moves, round 3, over" in said
    assert "★" in said


def test_a_thousand_records_in_one_call(tmp_path: Path) -> None:
    record = record_of("poison", 10_000, players=4)
    assert len(record["moves"]) == 200
    file = write(tmp_path / "games.jsonl", *[record] * 1000)
    cached = {"THERIAC_JIT": "1"}
    process(tmp_path, "replay", "-", "--json", typed=json.dumps(record), **cached)
    said = process(tmp_path, "replay", str(file), "--json", **cached)
    assert said.status == 0
    assert len(said.out.splitlines()) == 1000
