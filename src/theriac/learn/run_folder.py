"""The folder of a training run: its configuration, checkpoint, network and log.

Files are replaced atomically or appended to, so a run that is killed resumes from its last
checkpoint.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec
import torch

from theriac.bots.network import Network
from theriac.faults import Fault, quote
from theriac.learn.checkpoint import Checkpoint
from theriac.learn.config import TrainingConfig
from theriac.run_folder import lock, naming

CONFIG = "training.json"
CHECKPOINT = "checkpoint.pt"
NETWORK = "network.npz"
LOG = "log.jsonl"
TENSORBOARD = "tensorboard"

_OUR_FILES = {
    *(CONFIG, CHECKPOINT, NETWORK, LOG, TENSORBOARD),
    *(f".{name}.new" for name in (CONFIG, CHECKPOINT, NETWORK)),
}

#: The key of a metric in the log and its tag in TensorBoard, where that is not its name. A run that
#: was started before the metrics had these names must continue the same curves.
_LOG_KEYS = {
    "policy_objective": "gain",
    "value_loss": "value_error",
    "entropy": "spread",
    "mean_ratio_change": "changed",
    "explained_variance": "explained",
    "lr_scale": "pace",
}


class RunFolder:
    """The folder of one run. Use it in a `with` statement, which locks it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log: IO[bytes] | None = None
        self._tensorboard: Any = None

    def __enter__(self) -> RunFolder:
        with naming(self.path, "a training run"):
            self.path.mkdir(parents=True, exist_ok=True)
            others = [p.name for p in self.path.iterdir() if p.name not in _OUR_FILES]
            if others and not (self.path / CONFIG).exists():
                raise Fault(
                    f"{quote(str(self.path), 300)}: the folder is not empty and has no {CONFIG}: "
                    "choose a new folder, or that of a run to resume"
                )
            self._log = (self.path / LOG).open("a+b")
        try:
            lock(self._log, self.path, "another training run is active")
        except Fault:
            self._log.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._log:
            self._log.close()
        if self._tensorboard:
            self._tensorboard.close()

    def load_config(self) -> TrainingConfig | None:
        """The configuration of the run; None in a new folder. Raises `Fault`."""
        path = self.path / CONFIG
        if not path.exists():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=TrainingConfig)
        except msgspec.MsgspecError as error:
            raise Fault(
                f"{quote(str(path), 300)}: it is not a training configuration ({error})"
            ) from None

    def save_config(self, config: TrainingConfig) -> None:
        """Store the configuration of a new run."""
        text = msgspec.json.format(msgspec.json.encode(config), indent=1) + b"\n"
        self._replace(CONFIG, lambda file: file.write(text))

    def load_checkpoint(self, device: str) -> Checkpoint | None:
        """The last checkpoint; None if there is none. Raises `Fault`."""
        path = self.path / CHECKPOINT
        if not path.exists():
            return None
        try:
            if not zipfile.is_zipfile(path):  # PyTorch would read it as its legacy format
                raise ValueError("the file is damaged or incomplete")
            stored = torch.load(path, map_location=device, weights_only=True)
            return Checkpoint.from_stored(stored)
        except (KeyError, OSError, RuntimeError, ValueError, pickle.UnpicklingError) as error:
            reason = quote(str(error).partition("\n")[0], 100)
            raise Fault(
                f"{quote(str(path), 300)}: the checkpoint cannot be loaded ({reason}): start again "
                "in another folder"
            ) from None

    def save(self, checkpoint: Checkpoint, network: Network) -> None:
        """Store a checkpoint and the network."""
        self._replace(CHECKPOINT, lambda file: torch.save(checkpoint.to_stored(), file))
        with naming(self.path, "a training run"):
            network.write(self.path / NETWORK)

    def open_log(self, steps: int) -> None:
        """Open the log for a run that resumes after `steps` steps; drops what was logged later."""
        assert self._log is not None
        self._log.seek(0)
        lines = [line for line in self._log if _steps_of(line) <= steps]
        self._log.truncate(0)
        self._log.writelines(lines)
        if importlib.util.find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter

            self._tensorboard = SummaryWriter(self.path / TENSORBOARD, purge_step=steps + 1)

    def log(self, steps: int, metrics: Mapping[str, float]) -> None:
        """Append metrics to the log, and to TensorBoard's if it is installed."""
        assert self._log is not None
        stored = {_LOG_KEYS.get(name, name): value for name, value in metrics.items()}
        self._log.write(msgspec.json.encode({"steps": steps, **stored}) + b"\n")
        self._log.flush()
        if self._tensorboard:
            for tag, value in stored.items():
                self._tensorboard.add_scalar(tag, value, steps)

    def _replace(self, name: str, write: Callable[[IO[bytes]], object]) -> None:
        temporary = self.path / f".{name}.new"
        with naming(self.path, "a training run"):
            with temporary.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path / name)  # noqa: PTH105


def _steps_of(line: bytes) -> float:
    """The step count of a line of the log; infinite if the line is incomplete."""
    try:
        return float(msgspec.json.decode(line)["steps"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return float("inf")
