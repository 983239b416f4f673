"""One game: bots that misbehave forfeit it, and it is played to its end."""

from __future__ import annotations

import msgspec
import pytest

from tests.arena.samples import BAD, play_here, schedule_of
from theriac.arena.schedule import Exclusion
from theriac.arena.standings import final_standings, score_direction

WHY = {
    "crash": "raised RuntimeError: oh <b>no</b>",
    "leave": "raised SystemExit: bye",
    "slow": "took longer than 0.1 s for a move",
    "text": "answered R1@0, which is not a move",
    "none": "answered None, which is not a move",
    "far": f"answered {10**30}, which is not legal",
    "true": "answered True, which is not legal",
    "unmade": "raised RuntimeError: cannot be made",
}


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


@pytest.mark.parametrize("name", WHY)
def test_a_bad_bot_forfeits(name: str) -> None:
    spec = next(schedule_of(name, "random").games())
    assert spec.bots[0] == name
    limit = 0.1 if name == "slow" else 10.0
    played = play_here(spec, limit)
    assert played.forfeits == {name: WHY[name]}
    assert played.shares[0] == 0
    assert played.ranks[0] == 4
    assert sum(played.shares) == pytest.approx(1)
    assert played.moves == [2 if name in BAD else 1, 4, 4, 4]


def test_all_seats_of_a_bad_bot_forfeit() -> None:
    spec = next(schedule_of("random", "crash").games())
    assert spec.bots == ("random", "crash", "crash", "crash")
    played = play_here(spec)
    assert played.shares == [1, 0, 0, 0]
    assert sum(played.moves[1:]) <= 4  # one bot per seat: the first that fails ends it for all


def test_a_team_with_a_bad_bot_has_lost() -> None:
    schedule = schedule_of("unmade", game="dungeon", options={"players": 2}, deals=1)
    played = play_here(next(schedule.games()))
    assert played.forfeits
    assert (played.shares, played.ranks) == ([0, 0], [2, 2])


def test_a_barred_bot_plays_up_to_its_bar() -> None:
    spec = next(schedule_of("greedy", "random").games())
    excluded = msgspec.structs.replace(spec, excluded={"greedy": Exclusion(5, "hung")})
    assert play_here(excluded).forfeits == {"greedy": "hung"}
    assert 0 < play_here(excluded).moves[0] < 4
    late = msgspec.structs.replace(spec, excluded={"greedy": Exclusion(1000, "hung")})
    assert (play_here(late).forfeits, play_here(late).moves[0]) == ({"greedy": "hung"}, 4)


@pytest.mark.parametrize(
    ("scores", "shares", "sign"),
    [
        ([3, 8, 5], [0, 1, 0], 1),
        ([3, 8, 5], [1, 0, 0], -1),
        ([3, 3, 5], [0.5, 0.5, 0], -1),
        ([4, 4], [0.5, 0.5], 0),
        ([4, 9], [0, 0], 0),
    ],
)
def test_points_count_for_or_against(scores: list[int], shares: list[float], sign: int) -> None:
    assert score_direction(scores, shares) == sign


@pytest.mark.parametrize(
    ("scores", "shares", "out", "settled"),
    [
        ([3, 8, 5], [0, 1, 0], [], ([0, 1, 0], [3, 1, 2])),
        ([3, 8, 5], [0, 1, 0], [1], ([0, 0, 1], [2, 3, 1])),
        ([5, 8, 5], [0, 1, 0], [1], ([0.5, 0, 0.5], [1, 3, 1])),
        ([3, 8, 5], [0, 1, 0], [0, 1], ([0, 0, 1], [2, 2, 1])),
        ([3, 8], [0, 1], [0, 1], ([0, 0], [1, 1])),
        ([6, 6, 2, 2], [0.5, 0.5, 0, 0], [3], ([0.5, 0.5, 0, 0], [1, 1, 3, 4])),
    ],
)
def test_shares_and_ranks(
    scores: list[int],
    shares: list[float],
    out: list[int],
    settled: tuple[list[float], list[int]],
) -> None:
    assert final_standings(scores, shares, out, together=False) == settled
