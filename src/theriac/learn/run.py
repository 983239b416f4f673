"""Train for so many moves or minutes, and keep what was learnt now and then."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from theriac.engine.batch import Device
from theriac.learn.folder import Folder
from theriac.learn.recipe import Recipe
from theriac.learn.training import Training

#: Seconds between two times when all is kept and a trial is made.
KEEP_EVERY = 30.0
#: From the middle of a training on it learns ever more slowly, down to so much of the first rate.
_LAST = 0.05


@dataclass(frozen=True)
class Limits:
    """How long a training goes on in all, over every time it is taken up again."""

    steps: float = math.inf
    seconds: float = math.inf

    def done(self, training: Training) -> float:
        """How much of it is done: 1 is all."""
        return max(training.steps / self.steps, training.seconds / self.seconds)


#: Is told of the training after each lesson; the shares of the win where there was a trial.
Watch = Callable[[Training, dict[int, float] | None], None]


def train(recipe: Recipe, folder: Folder, device: Device, limits: Limits, watch: Watch) -> Training:
    """Begin, or go on with what is kept in the folder, up to the limits."""
    training = Training(recipe, device, folder.kept(device))
    folder.open_log(training.steps)
    kept = start = time.monotonic()
    before = training.seconds
    try:
        while limits.done(training) < 1:
            told = training.lesson(pace(limits.done(training)))
            folder.tell(training.steps, told)
            training.seconds = before + time.monotonic() - start
            shares = None
            if time.monotonic() - kept > KEEP_EVERY and limits.done(training) < 1:
                shares = keep(training, folder)
                kept = time.monotonic()
            watch(training, shares)
    except KeyboardInterrupt:
        folder.keep(training.keep(), training.network())
        raise
    watch(training, keep(training, folder))
    return training


def pace(done: float) -> float:
    """How fast to learn when so much is done.

    >>> pace(0.25), pace(0.75), pace(1.0)
    (1.0, 0.5, 0.05)
    """
    return max(_LAST, min(1.0, 2 - 2 * done))


def keep(training: Training, folder: Folder) -> dict[int, float]:
    """Keep all there is, and make a trial."""
    folder.keep(training.keep(), training.network())
    shares = training.trial()
    told = {f"against_random/{players}": share for players, share in shares.items()}
    folder.tell(training.steps, told)
    return shares
