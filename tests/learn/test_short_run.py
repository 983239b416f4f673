"""It learns: after seconds on a CPU it beats random play in a careful measurement."""

from __future__ import annotations

from pathlib import Path

import torch

from theriac.arena.crew import Crew
from theriac.arena.plan import Plan, Setting, line_ups
from theriac.arena.results import find_results
from theriac.bots import bot
from theriac.learn.config import TrainingConfig
from theriac.learn.trainer import Trainer

#: A small network and a high learning rate: about five seconds on one core.
CONFIG = TrainingConfig(
    game="poison",
    players=(4,),
    num_envs=256,
    num_steps=64,
    width=64,
    layers=2,
    minibatch_size=1024,
    learning_rate=0.002,
)
UPDATES = 16


def test_a_short_run_beats_random_play(tmp_path: Path) -> None:
    """On the same deals from every seat, the whole interval is above the fair share."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other are slow on a busy machine
    try:
        trainer = Trainer(CONFIG)
        for _ in range(UPDATES):
            trainer.update()
    finally:
        torch.set_num_threads(threads)
    trainer.network().write(tmp_path / "network.npz")
    names = (f"neural:file={tmp_path / 'network.npz'}", "random")
    match = Setting("four", {"players": 4}, line_ups(names, 4))
    plan = Plan("arena", "poison", names, [match], deals=15, seed=1, limit=60.0)
    lines = find_results(plan, list(Crew(2, bot, plan.limit).play(plan.seatings()))).lines
    learned, random = lines
    assert learned.fair == 0.25
    assert learned.forfeits == 0
    assert learned.share.low > 0.25, learned.share
    assert random.share.high < 0.25, random.share
