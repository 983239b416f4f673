"""Where a batch comes from: a game with its settings, a number of games, and a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theriac.engine.batch import Batch, Device
from theriac.engine.records import Moves, Options
from theriac.engine.shape import Shape
from theriac.game.descriptor import Game, Settings
from theriac.game.position import NumberedPosition


@dataclass(frozen=True)
class GameBatchSource:
    """An `engine.batch.BatchSource`. It can be pickled: the game by its name."""

    of: Game
    settings: Settings
    n: int
    device: Device
    auto_reset: bool
    threads: int | None

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.of.name

    @property
    def module(self) -> str:
        """The package of the game."""
        return self.of.module

    @property
    def shape(self) -> Shape:
        """The sizes of the game's records."""
        return self.of.shape

    @property
    def options(self) -> Options:
        """The OPTIONS of all games."""
        options: Options = self.settings.options
        return options

    @property
    def catalogue(self) -> Moves:
        """All moves, ascending."""
        return self.settings.text.catalogue()

    @property
    def actions(self) -> int:
        """The number of actions."""
        return self.settings.text.actions

    def make(self) -> Batch:
        """A batch whose games have not started."""
        if self.device == "cuda":
            from theriac.engine.gpu.batch import CudaBatch, need_gpu

            need_gpu()
            return CudaBatch(self, self.of.kernels())
        from theriac.engine.cpu_batch import CpuBatch

        return CpuBatch(self, self.of.engine(), self.threads)

    def position(self) -> Any:
        """A position, which can hold the STATE of any game of the batch."""
        return NumberedPosition(self.of, self.settings)
