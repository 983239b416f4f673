"""The arena and reviews on Ray: one real local cluster of two workers, which are killed once."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.samples import make_bot, play_here, schedule_of, without_times
from tests.command import call
from tests.forked import can_fork
from tests.review.samples import small_poison
from theriac.arena.arena_game import GameResult
from theriac.review.many import review_each

pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of Ray are not ours


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Ray leaves variables behind. With one of them, PYTHONBREAKPOINT, no later test of this
    process could fork a server or a command.
    """
    before = dict(os.environ)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THERIAC_JIT", "0")
        import ray

        from theriac.arena.cluster import RayCluster

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        yield RayCluster(2, make_bot, 1.0)
        ray.shutdown()
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    assert can_fork(os.environ)


def in_order(games: list[GameResult]) -> list[GameResult]:
    return sorted(games, key=lambda game: game.key)


def test_a_cluster_plays_the_same_games_as_one_process(cluster: Any) -> None:
    schedule = schedule_of("greedy", "random", deals=2)
    games = list(cluster.play(schedule.games()))
    assert without_times(in_order(games)) == without_times(
        [play_here(one) for one in schedule.games()]
    )


def test_the_games_of_a_killed_worker_are_played_again(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = schedule_of("greedy", "random", deals=6)
    lost = []
    result = cluster._results

    def watch(reference: Any) -> Any:
        games = result(reference)
        if games is None:
            lost.append(reference)
        return games

    monkeypatch.setattr(cluster, "_results", watch)
    games: list[GameResult] = []
    for played in cluster.play(schedule.games()):
        games.append(played)
        if len(games) == 1:
            processes = cluster.pids()
        if len(games) == 17:  # a process that played none of these is playing now
            for process in processes:
                os.kill(process, signal.SIGKILL)
    assert lost
    assert set(Counter(game.key for game in games).values()) == {1}
    expected = sorted(schedule.games(), key=lambda one: one.key)
    assert without_times(in_order(games)) == without_times([play_here(one) for one in expected])


def test_the_command(
    cluster: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cluster
    monkeypatch.setenv("THERIAC_JIT", "0")
    line = ("arena", "dungeon", "random", "--players", 1, "--games", 4, "--jobs", 2, "--json")
    here = json.loads(call(capsys, *line, "--out", tmp_path / "here").out)
    there = json.loads(call(capsys, *line, "--out", tmp_path / "there", "--on", "ray").out)
    assert there["games"] == 4
    for name in ("games", "wins", "mean_score", "low", "high"):
        assert there["bots"][0][name] == here["bots"][0][name]


def test_reviews_are_the_same(cluster: Any) -> None:
    assert cluster
    records = [small_poison(seed).record() for seed in (1, 2)]
    here, there = (
        list(review_each(records, budget=1000, seed=0, jobs=1, on=on)) for on in ("here", "ray")
    )
    assert here == there


def test_a_hanging_bot_forfeits_on_ray(cluster: Any) -> None:
    schedule = schedule_of(
        "hang", "random", "greedy", deals=1, options={"players": 3, "deck": ["R1"] * 4}
    )
    (played,) = cluster.play(list(schedule.games())[:1])
    assert list(played.forfeits) == ["hang"]
