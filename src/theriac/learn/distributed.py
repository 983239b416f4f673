"""Training in several processes, which `torchrun` starts: on several GPUs, or on several machines.

Every process plays games of its own and computes gradients from them. These are averaged, so
all processes have the same policy. The first process decides when to stop, and writes the run
folder. A process that is alone need not know any of this: nothing here changes anything then.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

T = TypeVar("T")

#: How long a process waits for the others: the first one evaluates and saves in between.
_TIMEOUT = timedelta(minutes=10)


@contextmanager
def process_group(device: str) -> Iterator[None]:
    """Join the other processes, if `torchrun` started this one."""
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        yield
        return
    dist.init_process_group("nccl" if device == "cuda" else "gloo", timeout=_TIMEOUT)
    try:
        yield
    finally:
        dist.destroy_process_group()


def rank() -> int:
    """The number of this process, from 0."""
    return dist.get_rank() if dist.is_initialized() else 0


def world_size() -> int:
    """The number of processes."""
    return dist.get_world_size() if dist.is_initialized() else 1


def average(tensor: Tensor) -> None:
    """Replace a tensor by its mean over all processes."""
    if dist.is_initialized():
        dist.all_reduce(tensor)
        tensor /= world_size()


def average_gradients(module: torch.nn.Module) -> None:
    """Replace the gradients of a module by their means, in one message."""
    if dist.is_initialized():
        gradients = [p.grad for p in module.parameters() if p.grad is not None]
        packed = torch.cat([gradient.flatten() for gradient in gradients])
        average(packed)
        parts = packed.split([gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))


def smallest(number: int, device: torch.device) -> int:
    """The smallest of the numbers of all processes."""
    if not dist.is_initialized():
        return number
    tensor = torch.tensor(number, device=device)
    dist.all_reduce(tensor, dist.ReduceOp.MIN)
    return int(tensor)


def share(value: T | None) -> T:
    """What the first process gave; the others give None."""
    values = [value]
    if dist.is_initialized():
        dist.broadcast_object_list(values)
    (shared,) = values
    return shared  # type: ignore[return-value]
