"""It learns: after seconds on a CPU it beats random play in a careful measurement."""

from __future__ import annotations

from pathlib import Path

import torch

from theriac.arena.results import summarize
from theriac.arena.schedule import Schedule, TableSetup, line_ups
from theriac.arena.worker_pool import WorkerPool
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
    table = TableSetup("four", {"players": 4}, line_ups(names, 4))
    schedule = Schedule("arena", "poison", names, [table], deals=15, seed=1, limit=60.0)
    games = list(WorkerPool(2, bot, schedule.limit).play(schedule.games()))
    learned, random = summarize(schedule, games).bots
    assert learned.fair == 0.25
    assert learned.forfeits == 0
    assert learned.share.low > 0.25, learned.share
    assert random.share.high < 0.25, random.share
