"""Learning by self-play: a network that plays all seats of many games at once, and gets better.

Needs PyTorch, which a plain installation does not have: see `need_torch`. What it learns is written
to a file that every installation can play with (`theriac.bots.network`). `docs/training.md` tells
the whole story.
"""

from __future__ import annotations

import importlib.util

from theriac.faults import Fault


def need_torch(device: str = "cpu") -> None:
    """Say what is missing, if anything is, to train on a device."""
    if importlib.util.find_spec("torch") is None:
        raise Fault("training needs PyTorch, which is not installed: pip install 'theriac[train]'")
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise Fault("device cuda: PyTorch finds no GPU that it can use; take the device cpu")
