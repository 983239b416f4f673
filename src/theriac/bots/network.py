"""A trained network in a file: NumPy alone reads it and thinks with it.

The file is an `.npz` of plain arrays. Its label says what it was made for: a network is used only
where a seat sees the same numbers, in the same order, and actions have the same numbers.
"""

from __future__ import annotations

import functools
import hashlib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import Speed
from theriac.faults import Fault, listed, quote
from theriac.game import Game, Settings, Text, find

FORMAT = 1
#: No network of ours comes near this; what is larger is not read.
MOST_BYTES = 256 << 20

Floats = npt.NDArray[np.float32]
Layer = tuple[Floats, Floats]


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """What a network was made for, and how it came to be.

    `moves` stands for the list of all moves of its deck ("" in a game that numbers actions of its
    own), `layout` for what `encode` writes where.
    """

    theriac_network: int = FORMAT
    game: str
    players: tuple[int, ...]
    features: int
    actions: int
    moves: str
    layout: str
    options: dict[str, Any] = {}
    steps: int = 0
    theriac: str = ""


@dataclass(frozen=True)
class Network:
    """Linear layers, with what is negative cut off between them; the last two are the heads."""

    label: Label
    layers: tuple[Layer, ...]

    def think(self, seen: npt.ArrayLike) -> tuple[Floats, Floats]:
        """How much each action is liked, and what the seat expects: 0 is the fair share, -1 none.

        For one view or for many, legal or not.
        """
        x = np.asarray(seen, np.float32)
        for weight, bias in self.layers[:-2]:
            x = np.maximum(x @ weight + bias, 0)
        (liking, liking_bias), (value, value_bias) = self.layers[-2:]
        return x @ liking + liking_bias, (x @ value + value_bias)[..., 0]

    def write(self, path: Path, *, half: bool = False) -> None:
        """Write it to a file, whole or not at all; `half` keeps numbers of 16 bits."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "label": np.frombuffer(msgspec.json.encode(self.label), np.uint8)
        }
        for i, (weight, bias) in enumerate(self.layers):
            kept = np.float16 if half else np.float32
            arrays |= {f"weight_{i}": weight.astype(kept), f"bias_{i}": bias.astype(kept)}
        beside = path.with_name(f".{path.name}.new")
        with beside.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        os.replace(beside, path)  # noqa: PTH105

    def check(self, game: Game, settings: Settings) -> None:
        """Can it play this game? Raises `Fault`."""
        label = self.label
        if label.game != game.name:
            raise Fault(f"the network plays {quote(label.game)}, not {game.name}")
        if settings.players not in label.players:
            told = listed([str(players) for players in label.players])
            raise Fault(f"the network plays with {told} players, not {settings.players}")
        if label.moves != moves_of(settings) or label.actions != settings.text.actions:
            raise Fault("the network was made for another deck: its moves are not those here")
        if label.layout != layout_of(game.name, label.players[0]):
            raise Fault(
                f"the network was made by theriac {quote(label.theriac)}, where a seat of "
                f"{game.name} saw other numbers: train it anew"
            )


def label_of(game: Game, settings: Settings, players: Sequence[int], **more: Any) -> Label:
    """The label of a network for these settings and numbers of players."""
    return Label(
        game=game.name,
        players=tuple(players),
        features=game.shape.features,
        actions=settings.text.actions,
        moves=moves_of(settings),
        layout=layout_of(game.name, players[0]),
        **more,
    )


def moves_of(settings: Settings) -> str:
    """What stands for the moves that actions number; "" where they are not places in a list."""
    moves = catalogue_of(settings.text)
    if len(moves) != settings.text.actions:
        return ""
    return hashlib.blake2b(moves.astype("<i8").tobytes(), digest_size=8).hexdigest()


@functools.lru_cache(maxsize=16)
def catalogue_of(text: Text) -> npt.NDArray[np.int64]:
    """All moves of a deck, listed once."""
    return text.catalogue()


@functools.cache
def layout_of(name: str, players: int, speed: Speed = "plain") -> str:
    """What stands for the numbers that seats see and those of actions, in the game's own deck.

    Two games are walked through, without chance, and what is seen and legal on the way is summed
    up. So it changes when a number changes its meaning or place, and is the same at every speed:
    interpreted it takes a tenth of a second, and nothing has to be compiled.
    """
    game = find(name)
    settings = game.settings({"players": players, "first": 0})
    engine, catalogue = game.engine(speed), settings.text.catalogue()
    g, v, room = engine.state(), engine.view(), engine.moves()
    seen = np.zeros(game.shape.features, np.float32)
    mask = np.zeros(settings.text.actions, np.uint8)
    digest = hashlib.blake2b(digest_size=8)
    for stride in (1, 7):
        engine.setup(g, settings.options)
        for move in range(0, 24 * stride, stride):
            _deal(engine, g, move)
            if g.to_act == NOBODY:
                break
            engine.observe(g, v, seen)
            engine.mark_legal(g, catalogue, room, mask)
            digest.update(seen.astype("<f4").tobytes() + mask.tobytes())
            engine.play(g, int(room[move % engine.list_legal(g, room)]))
    return digest.hexdigest()


def _deal(engine: Any, g: Any, move: int) -> None:
    """Deal what nature has to deal: one kind of card after the other, not at random."""
    counts, n = np.zeros(engine.shape.cards, np.int16), move
    while g.to_act == NATURE:
        engine.list_pile(g, int(g.pile), counts)
        there = np.flatnonzero(counts)
        engine.deal(g, int(there[n % len(there)]))
        n += 1


def read_network(path: Path) -> Network:
    """The network in a file, read once as long as the file stays the same; raises `Fault`."""
    try:
        now = path.stat()
    except OSError as error:
        raise Fault(f"network {quote(str(path), 300)}: {error.strerror}") from None
    return _read(path, now.st_mtime_ns, now.st_size)


@functools.lru_cache(maxsize=32)
def _read(path: Path, changed: int, size: int) -> Network:
    try:
        with zipfile.ZipFile(path) as whole:
            if sum(each.file_size for each in whole.infolist()) > MOST_BYTES:
                raise ValueError("it is too large")
        with np.load(path, allow_pickle=False) as arrays:
            return _build(arrays)
    except msgspec.MsgspecError as error:
        why = f"its label is wrong: {error}"
    except KeyError as error:
        why = f"it lacks {error.args[0]}"
    except zipfile.BadZipFile:
        why = "it is no .npz file"
    except (ValueError, OSError, EOFError) as error:
        why = str(error)
    raise Fault(
        f"network {quote(str(path), 300)}: {quote(why, 200)}; `theriac train` writes networks"
    )


def _build(arrays: Any) -> Network:
    label = msgspec.json.decode(arrays["label"].tobytes(), type=Label)
    if label.theriac_network != FORMAT:
        raise ValueError(f"its format is {label.theriac_network}, not {FORMAT}")
    count = sum(name.startswith("weight_") for name in arrays.files)
    layers = tuple(
        (arrays[f"weight_{i}"].astype(np.float32), arrays[f"bias_{i}"].astype(np.float32))
        for i in range(count)
    )
    _check_layers(label, layers)
    return Network(label, layers)


def _check_layers(label: Label, layers: tuple[Layer, ...]) -> None:
    """Do the layers fit each other and the label? Raises `ValueError`."""
    if len(layers) < 2 or not label.players:
        raise ValueError("it has no layers or no players")
    *hidden, policy, value = layers
    width = label.features
    for weight, bias in hidden:
        if weight.ndim != 2 or weight.shape != (width, bias.size):
            raise ValueError("its layers do not fit each other")
        width = bias.size
    heads = (policy[0].shape, policy[1].shape, value[0].shape, value[1].shape)
    if heads != ((width, label.actions), (label.actions,), (width, 1), (1,)):
        raise ValueError("its layers do not fit its label")
    if not all(np.isfinite(part).all() for layer in layers for part in layer):
        raise ValueError("some of its numbers are none")
