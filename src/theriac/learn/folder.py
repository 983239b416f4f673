"""Where a training is kept: how it is done, what it needs to go on, its network, its log.

Every file is replaced at once or added to at its end: a training that is killed goes on from what
was kept last.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import zipfile
from pathlib import Path
from typing import IO, Any

import msgspec
import torch

from theriac.bots.network import Network
from theriac.faults import Fault, quote
from theriac.learn.recipe import Recipe
from theriac.run_folder import lock, naming

RECIPE = "training.json"
KEPT = "checkpoint.pt"
NETWORK = "network.npz"
LOG = "log.jsonl"
TENSORBOARD = "tensorboard"


class Folder:
    """The folder of one training. Use it in a `with` statement: one training at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log: IO[bytes] | None = None
        self._board: Any = None

    def __enter__(self) -> Folder:
        with naming(self.path, "a training"):
            self.path.mkdir(parents=True, exist_ok=True)
            strangers = [p.name for p in self.path.iterdir() if p.name not in _OURS]
            if strangers and not (self.path / RECIPE).exists():
                raise Fault(
                    f"{quote(str(self.path), 300)}: the folder is not empty, and no {RECIPE} is in "
                    "it: give a new one"
                )
            self._log = (self.path / LOG).open("a+b")
        try:
            lock(self._log, self.path, "another training is going on")
        except Fault:
            self._log.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._log:
            self._log.close()
        if self._board:
            self._board.close()

    def recipe(self) -> Recipe | None:
        """How the training that was begun here is done; raises `Fault`."""
        path = self.path / RECIPE
        if not path.exists():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=Recipe)
        except msgspec.MsgspecError as error:
            raise Fault(
                f"{quote(str(path), 300)}: it is no recipe of a training ({error})"
            ) from None

    def begin(self, recipe: Recipe) -> None:
        """Write down how it is done."""
        told = msgspec.json.format(msgspec.json.encode(recipe), indent=1) + b"\n"
        self._replace(RECIPE, lambda file: file.write(told))

    def kept(self, device: str) -> dict[str, Any] | None:
        """What was kept last; raises `Fault`."""
        path = self.path / KEPT
        if not path.exists():
            return None
        try:
            if not zipfile.is_zipfile(path):  # PyTorch would take it for a file of its first days
                raise ValueError("it is not whole")
            kept: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        except (KeyError, OSError, RuntimeError, ValueError, pickle.UnpicklingError) as error:
            why = quote(str(error).partition("\n")[0], 100)
            raise Fault(f"{quote(str(path), 300)}: it cannot be read ({why})") from None
        return kept

    def keep(self, kept: dict[str, Any], network: Network) -> None:
        """Keep what it needs to go on, and the network."""
        self._replace(KEPT, lambda file: torch.save(kept, file))
        with naming(self.path, "a training"):
            network.write(self.path / NETWORK)

    def open_log(self, steps: int) -> None:
        """Go on with the log from there: what was written after it is forgotten."""
        assert self._log is not None
        self._log.seek(0)
        lines = [line for line in self._log if _steps(line) <= steps]
        self._log.truncate(0)
        self._log.writelines(lines)
        if importlib.util.find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(self.path / TENSORBOARD, purge_step=steps + 1)

    def tell(self, steps: int, told: dict[str, float]) -> None:
        """Add to the log, and to TensorBoard's if it is there."""
        assert self._log is not None
        self._log.write(msgspec.json.encode({"steps": steps, **told}) + b"\n")
        self._log.flush()
        if self._board:
            for name, value in told.items():
                self._board.add_scalar(name, value, steps)

    def _replace(self, name: str, write: Any) -> None:
        beside = self.path / f".{name}.new"
        with naming(self.path, "a training"):
            with beside.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path / name)  # noqa: PTH105


_OURS = {RECIPE, KEPT, NETWORK, LOG, TENSORBOARD, *(f".{n}.new" for n in (RECIPE, KEPT, NETWORK))}


def _steps(line: bytes) -> float:
    """The steps of a line of the log; endless if it was cut off."""
    try:
        return float(msgspec.json.decode(line)["steps"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return float("inf")
