"""Which memory each kernel works in: chosen from the sizes of a game's records.

A block has 48 kB of static shared memory. Where the records of a warp fit, games are played out
and stepped there; else they are played out in local memory and stepped in global memory. A
workspace has only the fields that its kernels use, which are found by following the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from theriac.engine import contract, loops
from theriac.engine.contract import GpuHints
from theriac.engine.gpu import kernels, masks
from theriac.engine.gpu.layout import VECTOR_BYTES, WARP_SIZE, Layout, scalar_fields
from theriac.engine.gpu.memory import Memory, memory
from theriac.engine.gpu.move_hash import look_up
from theriac.engine.rule import Linker
from theriac.engine.shape import Shape

#: Threads of a block that has no workspace in shared memory; a block that has one is a warp.
THREADS: Final = 128
#: Bytes of shared memory that a block can have without opting in to more.
_SHARED_BYTES: Final = 48 * 1024


@dataclass(frozen=True)
class Workspace:
    """Where threads keep records while they work on them: the `lanes` of a block interleaved in
    shared memory, or, where `lanes` is 1, each in its local memory.
    """

    lanes: int

    @classmethod
    def for_bytes(cls, size: int) -> Workspace:
        """Shared memory if a warp fits with `size` bytes per game, else local memory."""
        return cls(WARP_SIZE if size * WARP_SIZE <= _SHARED_BYTES else 1)

    @property
    def is_shared(self) -> bool:
        """Whether it is in shared memory."""
        return self.lanes > 1

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.lanes if self.is_shared else THREADS

    def shared_words(self, size: int) -> int:
        """Words of shared memory per block, with `size` bytes per game; 1 where it is not used."""
        return size * self.lanes // 8 if self.is_shared else 1

    def local_words(self, size: int) -> int:
        """Words of local memory per thread; 1 where it is not used."""
        return 1 if self.is_shared else size // 8


class MemoryPlan:
    """The layouts and workspaces of one game.

    `filled` are the slots of the contract; `moves` is the length of a buffer for legal moves.
    """

    def __init__(
        self, shape: Shape, hints: GpuHints, filled: Mapping[Any, Any], moves: int
    ) -> None:
        self._shape = shape
        self._moves = moves
        self._aliased_fields = hints.aliased_fields
        self.hashes_moves = filled[contract.action_of] is look_up
        # Long lists read the same rows again and again: they are copied to shared memory first.
        self._from_list = self.hashes_moves and shape.moves > masks.WINDOW
        linker = Linker(filled)
        played = linker.names_used([loops.start_game, kernels.play_to_end, filled[contract.result]])
        seen = linker.names_used([filled[contract.encode]]) | scalar_fields(shape.view)
        listed = linker.names_used([loops.random_move, masks.mark_from_list])
        hot = played - set(hints.cold_fields)
        self.state = Layout(shape.state, first=hot)
        self.chance = Layout(shape.chance, in_registers=("random",))
        self._step_state = Layout(shape.state, hot | scalar_fields(shape.state), first=hot)
        self._playout_state = Layout(shape.state, played)
        self._listing_state = Layout(shape.state, listed)
        self._view = Layout(shape.view, seen - set(hints.aliased_fields))
        self._playout = Workspace.for_bytes(workspace_bytes(self._playout_state, self.chance))
        self._step = Workspace.for_bytes(workspace_bytes(self._step_state, self.chance))
        self._observe = Workspace.for_bytes(workspace_bytes(self._view))
        half = Workspace.for_bytes(2 * workspace_bytes(self._listing_state))  # marks get the rest
        self._listing = half if self._from_list else Workspace(1)

    def slots(self) -> dict[Any, Any]:
        """The slots of kernels, with what fills them for this game."""
        return {
            memory: self.memory(),
            kernels.step_block: (
                kernels.step_in_shared if self._step.is_shared else kernels.step_in_global
            ),
            masks.mark_legal_moves: (
                masks.mark_from_list if self._from_list else masks.mark_while_listing
            ),
            masks.state_for_listing: (
                masks.copy_for_listing if self._listing.is_shared else masks.list_from_global
            ),
        }

    def memory(self) -> Memory:
        """How kernels get at the records of this game."""
        make: Any = _record_access()
        state_bytes = workspace_bytes(self._playout_state)
        chance_bytes = workspace_bytes(self.chance)
        view_bytes = workspace_bytes(self._view)
        return Memory(
            load_state=make.tile_record(self.state),
            load_chance=make.tile_record(self.chance),
            write_back=make.write_back,
            copy_record=make.copy_record,
            copy_scalars=make.copy_scalars,
            playout_state=make.buffer_record(self._playout_state),
            chance_in=make.buffer_record(self.chance),
            playout_lanes=self._playout.lanes,
            playout_state_words=self._playout.shared_words(state_bytes),
            playout_chance_words=self._playout.shared_words(chance_bytes),
            local_state=make.local_words(self._playout.local_words(state_bytes)),
            local_chance=make.local_words(self._playout.local_words(chance_bytes)),
            step_state=make.split_record(self._step_state, self.state),
            stage_states=make.stage_tile(self.state, self._step_state),
            unstage_states=make.unstage_tile(self.state, self._step_state),
            stage_chances=make.stage_tile(self.chance, self.chance),
            unstage_chances=make.unstage_tile(self.chance, self.chance),
            step_lanes=self._step.lanes,
            step_state_words=self._step.shared_words(workspace_bytes(self._step_state)),
            step_chance_words=self._step.shared_words(chance_bytes),
            listing_state=make.buffer_record(self._listing_state),
            listing_words=self._listing.shared_words(workspace_bytes(self._listing_state)),
            local_moves=make.local_words(self._moves),
            local_mask_moves=make.local_words(masks.WINDOW if self._from_list else 1),
            move_window=make.move_window(masks.WINDOW),
            move_marker=make.move_marker,
            view_in=make.split_record(self._view, self.state, self._aliased_fields),
            view_lanes=self._observe.lanes,
            view_words=self._observe.shared_words(view_bytes),
            local_view=make.local_words(self._observe.local_words(view_bytes)),
            feature_row=make.feature_row(self._shape.features),
            copy_row=make.copy_row,
            unchecked=make.unchecked,
            alignment=None if is_simulated() else VECTOR_BYTES,
        )

    def threads(self, kernel: str) -> int:
        """Threads per block of a kernel."""
        if kernel in ("choose_batch", "mark_batch"):
            return WARP_SIZE
        workspaces = {
            "step_batch": self._step,
            "play_out_batch": self._playout,
            "play_games_batch": self._playout,
            "play_low_games_batch": self._playout,
            "observe_batch": self._observe,
        }
        return workspaces[kernel].threads if kernel in workspaces else THREADS


def mask_bytes(actions: int) -> int:
    """Dynamic shared memory of a block for masks, one bit per action: for all its games, or for
    one of several passes.
    """
    return min(WARP_SIZE // 8 * actions, _SHARED_BYTES // 2)


def workspace_bytes(*layouts: Layout) -> int:
    """Bytes per game that records take in a workspace: compiled, their scalars are in registers."""
    if is_simulated():
        return sum(layout.bytes for layout in layouts)
    return sum(layout.row_bytes for layout in layouts)


def _record_access() -> Any:
    """The module that makes the functions of `Memory`, interpreted or compiled."""
    if is_simulated():
        from theriac.engine.gpu import simulated

        return simulated
    from theriac.engine.gpu import numba_types

    return numba_types


@cache
def is_simulated() -> bool:
    """Whether kernels run in Numba's CUDA simulator (NUMBA_ENABLE_CUDASIM=1)."""
    from numba import cuda

    return bool(cuda.config.ENABLE_CUDASIM)
