"""`theriac review`: what it prints, and how it fails."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from tests.review.samples import played, small_poison
from theriac.review import review, to_json
from theriac.review.calibration import calibrate
from theriac.review.many import review_each
from theriac.testing.setups import GAMES


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "game.json", small_poison().record())


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "review", file, "--json", "--budget", 2000, "--seed", 3)
    assert said.status == 0
    shown = json.loads(said.out)
    assert shown == to_json(review(small_poison().record(), budget=2000, seed=3))
    parts = ("fair", "cards", "hidden", "skill", "others")
    for account in shown["seats"]:
        assert {"seat", "result", "errors", *parts} <= account.keys()
        assert set(account["errors"]) == set(parts)
        assert abs(sum(account[part] for part in parts) - account["result"]) < 1e-9
    for mistake in shown["mistakes"]:
        assert {"n", "seat", "move", "best", "loss", "error"} <= mistake.keys()
    assert shown["mistakes"], "this game was played half at random"


def test_only_one_seat(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(call(capsys, "review", file, "--json", "--budget", 2000, "--seat", 1).out)
    for key in ("seats", "decisions", "mistakes"):
        assert {item["seat"] for item in shown[key]} == {1}
    said = call(capsys, "review", file, "--seat", 3)
    assert (said.status, said.err) == (2, "--seat 3: there are seats 0 to 2\n")


@pytest.mark.parametrize("name", [game.name for game in GAMES])
def test_for_people(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(name).record()
    said = call(capsys, "review", write(tmp_path / "game.json", record), "--budget", 2000)
    assert said.status == 0
    for words in ("Seat 0: ", "fair share", "luck of the cards", "what others did", "result"):
        assert words in said.out
    found = review(record, budget=2000)
    if found.mistakes:
        worst = found.mistakes[0]
        assert f"{worst.move} was a" in said.out
        assert f"{worst.best} would have won" in said.out
    else:
        assert "No mistake that is more than chance" in said.out


class Tags(HTMLParser):
    """The elements of a page that are open, and the attributes that load something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "onclick")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "review.html"
    assert call(capsys, "review", file, "--budget", 2000, "--html", target).status == 0
    page = target.read_text("utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.open == [] and tags.loads == []
    assert "<script" not in page and "http" not in page
    assert len(re.findall('class="curve"', page)) == 3
    assert "was a blunder" in page and 'class="move best"' in page


def test_many_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [small_poison(seed).record() for seed in (1, 2, 3)]
    file = write(tmp_path / "games.jsonl", *records)
    lines = call(capsys, "review", file, "--json", "--budget", 1000, "--jobs", 1).out.splitlines()
    assert [json.loads(line) for line in lines] == [
        to_json(review(record, budget=1000)) for record in records
    ]
    said = call(capsys, "review", file, "--budget", 1000, "--jobs", 1)
    assert [line.partition(":")[0] for line in said.out.splitlines()] == ["1", "2", "3"]


def test_several_processes_give_the_same_reviews() -> None:
    records = [small_poison(seed).record() for seed in (1, 2, 3)]
    one, two = (list(review_each(records, budget=1000, seed=0, jobs=jobs)) for jobs in (1, 2))
    assert one == two


def test_bad_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = small_poison().record()
    unfinished = {**good, "moves": good["moves"][:5]}
    file = write(tmp_path / "games.jsonl", good, unfinished)
    said = call(capsys, "review", file, "--budget", 1000, "--jobs", 1)
    assert said.status == 2
    assert said.err.startswith("record 2: the game is not over: seat ")
    wrong = {**good, "moves": ["R9@1"]}
    said = call(capsys, "review", write(tmp_path / "wrong.json", wrong))
    assert said.status == 2
    assert said.err.startswith("record 1, move 1: R9@1: ")
    said = call(capsys, "review", tmp_path / "none.json")
    assert said.status == 2


def test_bad_options(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "review", file, "--budget", 5)
    assert (said.status, said.out) == (2, "")
    assert "budget 5: use a number of playouts from 1000 to" in said.err
    said = call(capsys, "review", file, "--html", tmp_path / "none" / "page.html")
    assert said.status == 2 and "there is no folder" in said.err
    many = write(tmp_path / "many.jsonl", *[small_poison().record()] * 2)
    said = call(capsys, "review", many, "--html", tmp_path / "page.html")
    assert said.status == 2 and "has 2 records; give one" in said.err


# Calibration


def test_calibration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [small_poison(seed).record() for seed in range(6)]
    file = write(tmp_path / "games.jsonl", *records)
    arguments = ("review", file, "--calibrate", "--budget", 5000, "--jobs", 1)
    shown = json.loads(call(capsys, *arguments, "--json").out)
    reviews = list(review_each(records, budget=5000, seed=0, jobs=1, curve_only=True))
    assert shown["games"] == 6
    assert shown["positions"] == sum(3 * (len(each.curve) - 1) for each in reviews)
    assert 0 < shown["brier"] < shown["climate"], "chances say more than nothing"
    assert sum(each["positions"] for each in shown["bins"]) == shown["positions"]
    for each in shown["bins"]:
        assert each["low"] <= each["forecast"] <= each["high"]
    assert "Brier score" in call(capsys, *arguments).out


def test_some_positions_are_enough_for_calibration() -> None:
    record = small_poison(2).record()
    (whole,) = review_each([record], budget=100_000, seed=0, jobs=1, curve_only=True)
    (some,) = review_each([record], budget=8000, seed=0, jobs=1, positions=5)
    moments = [(point.n, point.kind) for point in whole.curve]
    assert len(some.curve) == 6 and some.curve[-1].values == whole.curve[-1].values
    assert some.playouts < 10_000
    for point in some.curve:
        right = whole.curve[moments.index((point.n, point.kind))]
        for value, error, exact in zip(point.values, point.errors, right.values, strict=True):
            assert abs(value - exact) < 5 * error + 0.03
    (other,) = review_each([record], budget=8000, seed=1, jobs=1, positions=5)
    assert [point.n for point in other.curve] != [point.n for point in some.curve]


def test_calibration_notices_chances_that_are_wrong() -> None:
    """Curves of one game, results of another."""
    import msgspec

    reviews = list(
        review_each([small_poison(seed).record() for seed in range(8)], budget=3000, seed=0, jobs=1)
    )
    ends = [each.curve[-1] for each in reviews]
    mixed = [
        msgspec.structs.replace(each, curve=[*each.curve[:-1], end])
        for each, end in zip(reviews, ends[1:] + ends[:1], strict=True)
    ]
    assert calibrate(mixed).brier > calibrate(reviews).brier + 0.05
