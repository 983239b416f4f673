"""`DeviceArray`: a result in GPU memory, shared with other libraries without a copy."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt


class DeviceArray:
    """An array in GPU memory.

    PyTorch and JAX share it without a copy (``torch.from_dlpack(array)``,
    ``jax.dlpack.from_dlpack(array)``), and so do CuPy and Numba; `numpy()` copies it to the CPU.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """As of a NumPy array."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """As of a NumPy array."""
        return np.dtype(self.array.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the CPU."""
        return np.asarray(self.array.copy_to_host())

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("copy=False: NumPy can only read a copy of an array in GPU memory")
        return np.asarray(self.numpy(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        described: dict[str, Any] = self.array.__cuda_array_interface__
        return described

    @functools.cached_property
    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView(self.array, stream_ptr=-1)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._view.__dlpack_device__()
        return device

    def __dlpack__(self, *, stream: int | None = None, **options: Any) -> Any:
        """A DLPack capsule. Work that is queued here precedes that of the consumer: on the default
        stream (1 in DLPack) by its order, on any other stream because this call waits for it.
        """
        if stream not in (None, 1):
            from numba import cuda

            cuda.synchronize()
        return self._view.__dlpack__(**options)
