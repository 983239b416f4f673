"""It learns: seconds on a CPU, and it beats random play where that is measured with care."""

from __future__ import annotations

from pathlib import Path

import torch

from theriac.arena.crew import Crew
from theriac.arena.plan import Plan, Setting, line_ups
from theriac.arena.results import find_results
from theriac.bots import bot
from theriac.learn.recipe import Recipe
from theriac.learn.training import Training

#: A small network and a fast rate: about five seconds of one core.
RECIPE = Recipe(
    game="poison", players=(4,), games=256, moves=64, width=64, layers=2, rows=1024, rate=0.002
)
LESSONS = 16


def test_a_short_run_beats_random_play(tmp_path: Path) -> None:
    """On the same deals from every seat the whole interval is above the fair share."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other are slow on a busy machine
    try:
        training = Training(RECIPE)
        for _ in range(LESSONS):
            training.lesson()
    finally:
        torch.set_num_threads(threads)
    training.network().write(tmp_path / "network.npz")
    names = (f"neural:file={tmp_path / 'network.npz'}", "random")
    match = Setting("four", {"players": 4}, line_ups(names, 4))
    plan = Plan("arena", "poison", names, [match], deals=15, seed=1, limit=60.0)
    lines = find_results(plan, list(Crew(2, bot, plan.limit).play(plan.seatings()))).lines
    learnt, random = lines
    assert learnt.fair == 0.25
    assert learnt.forfeits == 0
    assert learnt.share.low > 0.25, learnt.share
    assert random.share.high < 0.25, random.share
