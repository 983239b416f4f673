"""Self-play training with PPO: one policy plays every seat of many parallel games.

Training needs PyTorch, which is an optional dependency: see `require_torch`. The trained network is
exported to a file that every installation can play with (`theriac.bots.network`). The manual is
`docs/training.md`.
"""

from __future__ import annotations

import importlib.util
import os

from theriac.faults import Fault


def choose_gpu() -> None:
    """Give each process that `torchrun` started on this machine one GPU, before CUDA is used."""
    local_rank = os.environ.get("LOCAL_RANK")
    if local_rank is not None:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        chosen = visible.split(",")[int(local_rank)] if visible else local_rank
        os.environ["CUDA_VISIBLE_DEVICES"] = chosen


def require_torch(device: str = "cpu") -> None:
    """Raise `Fault` if PyTorch or the device is not available."""
    if importlib.util.find_spec("torch") is None:
        raise Fault(
            "training needs PyTorch, which is not installed: pip install 'theriac-games[train]'"
        )
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise Fault("device cuda: PyTorch finds no GPU that it can use; use --device cpu")
