"""A batch as bytes: a `.npz` file with a header that says what it was saved from.

The games continue exactly as they would have, on either device. Only a batch of the same kind reads
them: the same game, options and number of games, and the same version of Theriac and of the game,
because another version may have other rules.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from theriac.engine.cache import sources_key
from theriac.engine.chance import ChanceState
from theriac.engine.records import Features, Ints, Mask, Options, Records, State, records
from theriac.engine.shape import Shape
from theriac.faults import Fault, quote

FORMAT: Final = 1


class BatchContent(NamedTuple):
    """All that changes while the games of a batch are played."""

    states: Records[State]
    chances: Records[ChanceState]
    numbers: Ints
    ended: Mask
    rewards: Features


class SavedFrom(Protocol):
    """What a saved batch must agree on with the one that reads it."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def module(self) -> str:
        """The package of the game."""

    @property
    def shape(self) -> Shape:
        """The sizes of its records."""

    @property
    def options(self) -> Options:
        """The OPTIONS of all games."""

    @property
    def n(self) -> int:
        """The number of games."""


def write_batch(source: SavedFrom, seed: int, content: BatchContent) -> bytes:
    """The games of a batch as bytes."""
    header = json.dumps({**_kind(source), "seed": seed}).encode()
    file = io.BytesIO()
    np.savez(
        file,
        header=np.frombuffer(header, np.uint8),
        **{name: _as_bytes(array) for name, array in content._asdict().items()},
    )
    return file.getvalue()


def read_batch(source: SavedFrom, players: int, saved: Any) -> tuple[int, BatchContent]:
    """The seed and the games of a saved batch; raises `Fault` if it was of another kind."""
    header, arrays = _read(saved)
    if header.get("format") != FORMAT:
        raise Fault(
            f"a saved batch of format {quote(header.get('format'))}: this is format {FORMAT}"
        )
    for name, ours in _kind(source).items():
        if header.get(name) != ours:
            raise Fault(_difference(name, header.get(name), ours))
    content = BatchContent(
        records(source.shape.state, source.n),
        records(source.shape.chance, source.n),
        np.zeros(source.n, np.int64),
        np.zeros(source.n, np.uint8),
        np.zeros((source.n, players), np.float32),
    )
    for name, array in content._asdict().items():
        _as_bytes(array)[:] = arrays[name]
    return int(header["seed"]), content


def _read(saved: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays; raises `Fault`."""
    try:
        with np.load(io.BytesIO(saved), allow_pickle=False) as file:
            arrays = dict(file)
        return json.loads(arrays.pop("header").tobytes()), arrays
    except (TypeError, ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile):
        raise Fault("these are not the bytes of a saved batch: give what save() returned") from None


def _kind(source: SavedFrom) -> dict[str, Any]:
    """What must be the same in both batches."""
    options: Any = source.options
    return {
        "format": FORMAT,
        "game": source.game,
        "games": source.n,
        "options": {name: options[name].tolist() for name in options.dtype.names},
        "sources": sources_key(source.module),
    }


def _difference(name: str, theirs: Any, ours: Any) -> str:
    if name == "options":
        other = [option for option in ours if (theirs or {}).get(option) != ours[option]]
        return (
            f"the saved batch has other options ({', '.join(other)}): make this one with the same"
        )
    if name == "sources":
        return "the saved batch is of another version of Theriac or of the game: use the same"
    words = {"game": "the game", "games": "the number of games"}
    return f"the saved batch: {words[name]} is {quote(theirs)}, but {quote(ours)} here"


def _as_bytes(array: Any) -> Any:
    """The memory of a contiguous array as bytes, without a copy."""
    return np.asarray(array).reshape(-1).view(np.uint8)
