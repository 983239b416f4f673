"""The lab: what is measured, on games small enough to know the answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.arena.samples import OPTIONS, play_here, schedule_of
from tests.command import call
from theriac.arena.metrics import summarize_variants
from theriac.arena.schedule import StudyConfig
from theriac.arena.study import PlayoutMatch, count_lead_changes, study_game, swing
from theriac.bots import bot
from theriac.cli.lab import make_schedule
from theriac.game import find
from theriac.match import Match


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def finished(seed: int) -> Match:
    match = Match(find("poison"), OPTIONS, seed=bytes([seed] * 32))
    while not match.over:
        bot("random", seed).play(match)
    return match


@pytest.mark.parametrize(
    ("scores", "sign", "changes"),
    [
        ([[0, 0], [0, 0]], 1, 0),
        ([[0, 0], [1, 0], [1, 2], [3, 2]], 1, 2),
        ([[0, 0], [1, 0], [1, 1], [2, 1]], 1, 0),
        ([[0, 0], [1, 0], [1, 2], [3, 2]], -1, 2),
        ([[0, 0, 0], [1, 1, 0], [1, 1, 2]], 1, 0),
        ([[5, 5], [5, 5]], 0, 0),
    ],
)
def test_lead_changes(scores: list[list[int]], sign: int, changes: int) -> None:
    assert count_lead_changes(scores, sign) == changes


def test_the_swing_of_a_decision() -> None:
    # The first two playouts say that the second move is best; in the others it brings 0.75, and
    # a random one a third of 0 + 0.75 + 0.9.
    shares = np.array([[0, 1, 0], [0, 1, 0.5], [0, 1, 1], [0, 0.5, 0.8]])
    assert swing(shares) == pytest.approx(0.75 - 0.55)


def test_what_is_counted_in_a_game() -> None:
    match = finished(1)
    found = study_game(match, StudyConfig(2, 2))
    again = Match(find("poison"), OPTIONS, seed=match.seed)
    legal = []
    for move in match.moves:
        legal.append(len(again.legal()))
        again.play(move)
    assert (found.moves, found.legal) == (16, sum(legal))
    assert found.choices == sum(n > 1 for n in legal)
    assert len(found.swings) == 2
    assert study_game(match, StudyConfig(2, 2)) == found


def test_the_last_decision_is_tried_out_exactly() -> None:
    """Before the last move nothing is left to chance: playouts of a move end as playing it does."""
    for seed in range(3):
        match = finished(seed)
        replay = PlayoutMatch(match.game, match.settings.given, seed=match.seed)
        for move in match.moves[:-1]:
            replay.play(move)
        moves, seat = replay.legal_numbers(), replay.to_act
        shares = replay.playout_shares(moves, 3, 7)
        assert seat is not None
        for column, number in enumerate(moves):
            after = Match(match.game, match.settings.given, seed=match.seed)
            for move in [*match.moves[:-1], replay.settings.text.write(number)]:
                after.play(move)
            assert shares[:, column].tolist() == [after.results()[seat]] * 3
        assert replay.moves == match.moves[:-1]


def test_the_numbers_of_a_variant() -> None:
    schedule = schedule_of("random", deals=4, study=StudyConfig(0, 2))
    games = [play_here(one) for one in schedule.games()]
    (variant,) = summarize_variants(schedule, games)
    output = variant.to_json()
    assert output["moves"] == {"mean": 16, "low": 16, "high": 16}
    assert output["rounds"]["mean"] == 4
    assert output["swing"]["mean"] is None
    assert sum(seat["mean"] for seat in output["seats"]) == pytest.approx(1, abs=1e-5)
    assert output["score"]["mean"] == pytest.approx(
        sum(sum(game.scores) for game in games) / 4 / len(games)
    )
    first = [game.shares[game.first] for game in games]
    assert output["seats"][0]["mean"] == pytest.approx(sum(first) / 4)


def test_every_combination_is_a_variant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text('game = "poison"\n[cards]\nR1 = 3\nX = 3\n')
    line = (
        "lab", "poison", "--vary", "players=4,5", "--vary", "open_piles=false,true", "--deck", deck,
        "--games", 1, "--playouts", 2, "--decisions", 1, "--bot", "random", "--format", "csv",
        "--out", tmp_path / "out", "--json",
    )  # fmt: skip
    output = json.loads(call(capsys, *line).out)
    labels = [variant["label"] for variant in output["variants"]]
    assert len(set(labels)) == len(labels) == 8
    assert labels[0] == "players=4, open_piles=false, the usual deck"
    by_label = dict(zip(labels, output["variants"], strict=True))
    few = by_label[f"players=5, open_piles=true, {deck}"]
    assert (few["players"], few["moves"]["mean"], few["rounds"]["mean"]) == (5, 30, 5)
    assert by_label["players=4, open_piles=true, the usual deck"]["branching"]["mean"] > 1
    assert (tmp_path / "out" / "games.csv").exists()
    assert (tmp_path / "out" / "report.html").exists()


def test_variants_play_the_same_seeds() -> None:
    schedule = make_schedule(
        find("poison"), "random", [("a", OPTIONS), ("b", OPTIONS | {"open_piles": True})],
        3, 0, 10.0, StudyConfig(0, 2),
    )  # fmt: skip
    seeds = [[one.seed for one in schedule.games() if one.key[0] == match] for match in (0, 1)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_a_lab_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ("lab", "dungeon", "--players", 1, "--vary", "treasure=false,true", "--games", 2)
    said = call(capsys, *line, "--decisions", 0, "--bot", "random", "--out", tmp_path / "out")
    assert said.status == 0
    for words in ("treasure=false", "treasure=true", "moves per game", "won"):
        assert words in said.out
