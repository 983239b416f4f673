"""A run that stops when it is decided: after whole deals, in their order."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path

from tests.arena.samples import schedule_of
from tests.arena.test_statistics import played
from theriac.arena.arena_game import GameResult
from theriac.arena.results_log import ResultsLog
from theriac.arena.run import play_missing, stop_when_decided
from theriac.arena.schedule import GameSpec

OPTIONS = {"players": 3}


class Unordered:
    """Plays the second half of every four deals first; the first bot always wins."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, specs: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
        for spec in sorted(specs, key=lambda spec: (spec.key[1] // 4, -spec.key[1])):
            self.played += 1
            won = [float(name == "greedy") for name in spec.bots]
            shares = [share / sum(won) for share in won]
            _, deal, line_up = spec.key
            result = played(deal, line_up, "abc", shares, [1, 2, 2])
            result.bots = list(spec.bots)
            yield result


def test_a_run_stops_when_it_is_decided_and_resumes_with_nothing(tmp_path: Path) -> None:
    schedule = schedule_of("greedy", "random", deals=100, options=OPTIONS)
    runner = Unordered()
    with ResultsLog(tmp_path / "out", schedule) as log:
        stop = stop_when_decided(schedule)
        results = play_missing(log, runner, lambda _: None, stop)
    deals = [deal for _, deal, _ in (result.key for result in results)]
    # Deals come in fours. Four that are all won prove too little, eight are enough.
    assert sorted(set(deals)) == list(range(8))
    assert len(results) == runner.played == 8 * 6
    again = Unordered()
    with ResultsLog(tmp_path / "out", schedule) as log:
        assert play_missing(log, again, lambda _: None, stop) == results
    assert again.played == 0


def test_deals_after_one_that_is_not_whole_do_not_count(tmp_path: Path) -> None:
    """Else quick games would decide."""
    schedule = schedule_of("greedy", "random", deals=8, options=OPTIONS)

    class Slow(Unordered):
        def play(self, specs: Iterable[GameSpec]) -> Generator[GameResult, None, None]:
            yield from super().play(spec for spec in specs if spec.key != (0, 2, 5))

    with ResultsLog(tmp_path / "out", schedule) as log:
        results = play_missing(log, Slow(), lambda _: None, stop_when_decided(schedule))
    assert {result.key[1] for result in results} == {0, 1}
