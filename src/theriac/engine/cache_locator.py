"""Where Numba keeps a compiled rule: with the sources it was made from, wherever those lie.

Numba's own locators name a folder after the path of the sources, so that a second checkout, or a
new virtual environment, would compile everything again. The cache folder is already named after
the contents of all sources.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Self

from numba import config
from numba.core.caching import _CacheLocator

#: Numba's settings are those of the whole process: two games may be built in two threads.
_settings = threading.RLock()


class SourcesLocator(_CacheLocator):
    """Finds the files of one rule in the folder that `cache_in` names."""

    def __init__(self, function: FunctionType, file: str) -> None:
        self._py_file = file  # Numba names it in a warning
        self._line = function.__code__.co_firstlineno
        self._path = Path(config.CACHE_DIR) / function.__module__

    def get_cache_path(self) -> str:
        """The folder of the rule's module."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Nothing: other sources have another folder."""
        return ""

    def get_disambiguator(self) -> str:
        """The line that tells rules of one name apart."""
        return str(self._line)

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> Self | None:
        """The locator of a rule; None if its folder cannot be written."""
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


@contextlib.contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """A context in which Numba caches functions in this folder, if it can be written."""
    ours = f"{__name__}.{SourcesLocator.__name__}"
    with _settings:
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), f"{ours},UserWideCacheLocator"
        try:
            yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
