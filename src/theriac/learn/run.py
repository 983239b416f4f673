"""The training loop: updates until the budget is spent, with checkpoints and evaluations."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from theriac.engine.batch import Device
from theriac.learn import distributed
from theriac.learn.checkpoint import Checkpoint
from theriac.learn.config import TrainingConfig
from theriac.learn.evaluation import WinShare
from theriac.learn.run_folder import RunFolder
from theriac.learn.trainer import Trainer

#: Seconds between two checkpoints; an evaluation is made with each.
CHECKPOINT_INTERVAL = 30.0
#: The last value of the learning-rate schedule.
FINAL_LR_SCALE = 0.05


@dataclass(frozen=True)
class Budget:
    """How long to train in total, including the time before a run was resumed."""

    steps: float = math.inf
    seconds: float = math.inf

    def progress(self, trainer: Trainer) -> float:
        """The fraction that is spent, from 0 to 1 or a little more."""
        return max(trainer.steps / self.steps, trainer.seconds / self.seconds)


#: Called after each update; with the win share per player count if there was an evaluation.
Callback = Callable[[Trainer, dict[int, WinShare] | None], None]


def train(
    config: TrainingConfig, folder: RunFolder, device: Device, budget: Budget, callback: Callback
) -> Trainer:
    """Start or resume the run in a folder, and train until the budget is spent.

    With several processes, this is the first; `follow` is what the others do.
    """
    checkpoint = folder.load_checkpoint(device)
    distributed.share((config, checkpoint))
    trainer = Trainer(config, device, checkpoint)
    folder.open_log(trainer.steps)
    last_checkpoint = start = time.monotonic()
    seconds_before = trainer.seconds
    try:
        while (progress := distributed.share(budget.progress(trainer))) < 1:
            lr_scale = lr_schedule(progress)
            metrics = trainer.update(lr_scale)
            folder.log(trainer.steps, {**metrics._asdict(), "lr_scale": lr_scale})
            trainer.seconds = seconds_before + time.monotonic() - start
            win_shares = None
            due = time.monotonic() - last_checkpoint > CHECKPOINT_INTERVAL
            if due and budget.progress(trainer) < 1:
                win_shares = save_and_evaluate(trainer, folder)
                last_checkpoint = time.monotonic()
            callback(trainer, win_shares)
    except KeyboardInterrupt:
        folder.save(trainer.checkpoint(), trainer.network())
        raise
    callback(trainer, save_and_evaluate(trainer, folder))
    return trainer


def follow(device: Device) -> None:
    """Make the same updates as the first process, from other games, until it stops."""
    start: tuple[TrainingConfig, Checkpoint | None] = distributed.share(None)
    trainer = Trainer(start[0], device, start[1])
    progress: float = distributed.share(None)
    while progress < 1:
        trainer.update(lr_schedule(progress))
        progress = distributed.share(None)


def lr_schedule(progress: float) -> float:
    """The learning-rate scale: constant for the first half of the run, then linear decay.

    >>> lr_schedule(0.25), lr_schedule(0.75), lr_schedule(1.0)
    (1.0, 0.5, 0.05)
    """
    return max(FINAL_LR_SCALE, min(1.0, 2 - 2 * progress))


def save_and_evaluate(trainer: Trainer, folder: RunFolder) -> dict[int, WinShare]:
    """Save a checkpoint, then evaluate; returns the win share per player count."""
    folder.save(trainer.checkpoint(), trainer.network())
    win_shares = trainer.evaluate()
    metrics: dict[str, float] = {}
    for players, share in win_shares.items():
        if trainer.frozen:
            metrics |= {
                f"against_frozen/{players}": share.mean,
                f"against_frozen_low/{players}": share.low,
                f"against_frozen_high/{players}": share.high,
            }
        else:
            metrics[f"against_random/{players}"] = share.mean
    folder.log(trainer.steps, metrics)
    return win_shares
