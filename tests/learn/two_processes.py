"""What `test_distributed` runs in each of several processes: two updates, then what it has."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from torch.nn.utils import parameters_to_vector

from tests.learn.small_runs import small_config
from theriac.learn import distributed
from theriac.learn.trainer import Trainer


def main(folder: Path) -> None:
    with distributed.process_group("cpu"):
        trainer = Trainer(small_config())
        numbers = trainer.pools[0].batch.numbers.copy()
        for _ in range(2):
            trainer.update()
        folder.mkdir(exist_ok=True)
        np.savez(
            folder / f"{distributed.rank()}.npz",
            weights=parameters_to_vector(trainer.policy.parameters()).detach().numpy(),
            numbers=numbers,
            steps=trainer.steps,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
