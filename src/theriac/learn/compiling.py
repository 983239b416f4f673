"""Fast code on a GPU: functions that TorchInductor compiles, and work replayed as a CUDA graph.

Compiled, several operations become one kernel, which reads and writes each tensor once. Replayed, a
hundred kernels cost the CPU one launch: it is slower at launching them than the GPU at running
them. On a CPU compiling would take longer than a short run, and nothing is launched.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import torch
from torch import nn

P = ParamSpec("P")
Policy = TypeVar("Policy", bound=nn.Module)
Result = TypeVar("Result")


def compiled_on_gpu(
    function: Callable[Concatenate[Policy, P], Result],
) -> Callable[Concatenate[Policy, P], Result]:
    """Compile a function at its first call with a policy on a GPU, once per shape of its tensors.

    It runs as it is on a CPU, and where Triton, which PyTorch compiles with, is not installed.
    """

    @functools.cache
    def compiled() -> Callable[..., Any]:
        if importlib.util.find_spec("triton") is None:
            return function
        fast: Callable[..., Any] = torch.compile(function, dynamic=False)
        return fast

    def choose(policy: Policy, /, *arguments: P.args, **named: P.kwargs) -> Result:
        on_gpu = next(policy.parameters()).is_cuda
        result: Result = (compiled() if on_gpu else function)(policy, *arguments, **named)
        return result

    return functools.wraps(function)(choose)


class Replayed(Generic[Result]):
    """Work that always reads and writes the same tensors, and makes the same ones.

    On a GPU the first calls run it, so that everything is compiled and allocated; the next one
    captures it; from then on it is replayed, and fills the tensors that it made when captured.
    """

    WARM_UP_CALLS = 3

    def __init__(self, work: Callable[[], Result], device: str) -> None:
        self._work = work
        self._on_gpu = device == "cuda"
        self._calls = 0
        self._graph: Any = None
        self._result: Result | None = None

    def __call__(self) -> Result:
        """Do the work."""
        if not self._on_gpu:
            return self._work()
        self._calls += 1
        if self._calls <= self.WARM_UP_CALLS:
            return self._run_aside()
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._result = self._work()
        self._graph.replay()
        result: Result = self._result  # type: ignore[assignment]
        return result

    def _run_aside(self) -> Result:
        """Work is captured on a stream of its own, and must have been run on one before."""
        current, aside = torch.cuda.current_stream(), torch.cuda.Stream()
        aside.wait_stream(current)
        with torch.cuda.stream(aside):
            result = self._work()
        current.wait_stream(aside)
        return result
