"""A trained policy network in an `.npz` file; NumPy alone is enough to load and run it.

The file holds plain arrays and metadata about what the network was trained for. A network is only
used where observations have the same encoding and actions have the same numbers.
"""

from __future__ import annotations

import functools
import hashlib
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from theriac.engine.build import Engine
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import Speed
from theriac.faults import Fault, listed, quote
from theriac.game import Game, Settings, Text, find

#: The first format, and the one of networks with a share head.
FORMATS = (1, 2)
#: Larger files are refused; real networks are far smaller.
MAX_BYTES = 256 << 20

Floats = npt.NDArray[np.float32]
#: The weights, one row per input, and the biases.
Layer = tuple[Floats, Floats]


class NetworkMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """What a network was trained for, and how.

    `catalogue_digest` identifies the list of all moves that actions number; it is "" in a game
    whose actions have another numbering. `observation_digest` identifies the observation encoding.
    `share_seats` is the number of outputs of the share head; 0: there is none.
    The names in `msgspec.field` are the keys in the file, which older networks use as well.
    """

    format: int = msgspec.field(default=FORMATS[0], name="theriac_network")
    game: str
    players: tuple[int, ...]
    features: int
    actions: int
    catalogue_digest: str = msgspec.field(name="moves")
    observation_digest: str = msgspec.field(name="layout")
    options: dict[str, Any] = {}
    share_seats: int = msgspec.field(default=0, name="shares")
    steps: int = 0
    version: str = msgspec.field(default="", name="theriac")


@dataclass(frozen=True)
class Network:
    """A multilayer perceptron with ReLU.

    After the hidden layers come the policy head, the value head and, where there is one, the share
    head.
    """

    metadata: NetworkMetadata
    layers: tuple[Layer, ...]

    @property
    def hidden(self) -> tuple[Layer, ...]:
        """The layers before the heads."""
        return self.layers[: -3 if self.metadata.share_seats else -2]

    @property
    def heads(self) -> tuple[Layer, ...]:
        """The policy head, the value head and, where there is one, the share head."""
        return self.layers[len(self.hidden) :]

    def forward(self, observations: npt.ArrayLike) -> tuple[Floats, Floats]:
        """The logit of every action, legal or not, and the value, for one observation or a batch.

        A value of 0 means the fair share of the win, -1 a certain loss.
        """
        x = self._last_activations(observations)
        (policy_weight, policy_bias), (value_weight, value_bias) = self.heads[:2]
        return x @ policy_weight + policy_bias, (x @ value_weight + value_bias)[..., 0]

    def win_shares(self, observations: npt.ArrayLike) -> Floats:
        """The expected share of the win of each seat, beginning with the seat to act.

        Only for networks with a share head.
        """
        weight, bias = self.heads[2]
        logits = self._last_activations(observations) @ weight + bias
        odds = np.exp(logits - logits.max(-1, keepdims=True))
        shares: Floats = odds / odds.sum(-1, keepdims=True)
        return shares

    def _last_activations(self, observations: npt.ArrayLike) -> Floats:
        x = np.asarray(observations, np.float32)
        for weight, bias in self.hidden:
            x = np.maximum(x @ weight + bias, 0)
        return x

    def write(self, path: Path, *, half: bool = False) -> None:
        """Write the file atomically; `half` stores 16-bit floats."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "label": np.frombuffer(msgspec.json.encode(self.metadata), np.uint8)
        }
        dtype = np.float16 if half else np.float32
        for i, (weight, bias) in enumerate(self.layers):
            arrays |= {f"weight_{i}": weight.astype(dtype), f"bias_{i}": bias.astype(dtype)}
        temporary = path.with_name(f".{path.name}.new")
        with temporary.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        os.replace(temporary, path)  # noqa: PTH105

    def check(self, game: Game, settings: Settings) -> None:
        """Raise `Fault` if the network does not fit this game with these settings."""
        metadata = self.metadata
        if metadata.game != game.name:
            raise Fault(f"the network plays {quote(metadata.game)}, not {game.name}")
        if settings.players not in metadata.players:
            counts = listed([str(players) for players in metadata.players])
            raise Fault(f"the network plays with {counts} players, not {settings.players}")
        digest, actions = metadata.catalogue_digest, metadata.actions
        if digest != catalogue_digest(settings) or actions != settings.text.actions:
            raise Fault("the network was trained for another deck, which has other moves")
        if metadata.observation_digest != observation_digest(game.name, metadata.players[0]):
            raise Fault(
                f"the network was trained by theriac {quote(metadata.version)}, where {game.name} "
                "had another observation encoding: train it again"
            )


def metadata_of(
    game: Game,
    settings: Settings,
    players: Sequence[int],
    *,
    options: Mapping[str, Any] | None = None,
    share_seats: int = 0,
    version: str,
) -> NetworkMetadata:
    """The metadata of a new network for these settings and player counts."""
    return NetworkMetadata(
        format=FORMATS[1] if share_seats else FORMATS[0],
        game=game.name,
        players=tuple(players),
        features=game.shape.features,
        actions=settings.text.actions,
        catalogue_digest=catalogue_digest(settings),
        observation_digest=observation_digest(game.name, players[0]),
        options=dict(options or {}),
        share_seats=share_seats,
        version=version,
    )


def catalogue_digest(settings: Settings) -> str:
    """A digest of the moves that actions number; "" if actions are not indices of moves."""
    moves = catalogue_of(settings.text)
    if len(moves) != settings.text.actions:
        return ""
    return hashlib.blake2b(moves.astype("<i8").tobytes(), digest_size=8).hexdigest()


@functools.lru_cache(maxsize=16)
def catalogue_of(text: Text) -> npt.NDArray[np.int64]:
    """All moves of a deck; computed once."""
    return text.catalogue()


@functools.cache
def observation_digest(name: str, players: int, speed: Speed = "plain") -> str:
    """A digest of what observations and actions mean, with the game's own deck.

    It hashes the observations and action masks along two fixed games. So it changes when a feature
    or an action changes its meaning or its place, and it is the same at every speed. The
    interpreted rules take a tenth of a second and need no compilation.
    """
    game = find(name)
    settings = game.settings({"players": players, "first": 0})
    engine, catalogue = game.engine(speed), settings.text.catalogue()
    g, v, moves = engine.state(), engine.view(), engine.moves()
    observation = np.zeros(game.shape.features, np.float32)
    mask = np.zeros(settings.text.actions, np.uint8)
    digest = hashlib.blake2b(digest_size=8)
    for stride in (1, 7):
        engine.setup(g, settings.options)
        for n in range(0, 24 * stride, stride):
            _deal(engine, g, n)
            if g.to_act == NOBODY:
                break
            engine.observe(g, v, observation)
            engine.mark_legal(g, catalogue, moves, mask)
            digest.update(observation.astype("<f4").tobytes() + mask.tobytes())
            engine.play(g, int(moves[n % engine.list_legal(g, moves)]))
    return digest.hexdigest()


def _deal(engine: Engine, g: Any, n: int) -> None:
    """Deal the cards that are due, cycling through the kinds left instead of at random."""
    counts = np.zeros(engine.shape.cards, np.int16)
    while g.to_act == NATURE:
        engine.list_pile(g, int(g.pile), counts)
        cards = np.flatnonzero(counts)
        engine.deal(g, int(cards[n % len(cards)]))
        n += 1


def read_network(path: Path) -> Network:
    """The network in a file, cached until the file changes; raises `Fault`."""
    try:
        status = path.stat()
    except OSError as error:
        raise Fault(f"network {quote(str(path), 300)}: {error.strerror}") from None
    return _read(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=32)
def _read(path: Path, modified: int, size: int) -> Network:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(each.file_size for each in archive.infolist()) > MAX_BYTES:
                raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
        with np.load(path, allow_pickle=False) as arrays:
            return _from_arrays(arrays)
    except msgspec.MsgspecError as error:
        reason = f"its metadata is invalid: {error}"
    except KeyError as error:
        reason = f"it lacks {error.args[0]}"
    except zipfile.BadZipFile:
        reason = "it is not an .npz file"
    except (ValueError, OSError, EOFError) as error:
        reason = str(error)
    raise Fault(
        f"network {quote(str(path), 300)}: {quote(reason, 200)}; `theriac train` writes networks"
    )


def _from_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> Network:
    metadata = msgspec.json.decode(arrays["label"].tobytes(), type=NetworkMetadata)
    if metadata.format not in FORMATS:
        formats = listed([str(each) for each in FORMATS])
        raise ValueError(f"its format is {metadata.format}, not {formats}")
    count = sum(name.startswith("weight_") for name in arrays)
    layers = tuple(
        (arrays[f"weight_{i}"].astype(np.float32), arrays[f"bias_{i}"].astype(np.float32))
        for i in range(count)
    )
    network = Network(metadata, layers)
    _check_layers(network)
    return network


def _check_layers(network: Network) -> None:
    """Raise `ValueError` if the layers do not fit each other or the metadata."""
    metadata = network.metadata
    if len(network.heads) < (3 if metadata.share_seats else 2) or not metadata.players:
        raise ValueError("it has no layers or no players")
    width = metadata.features
    for weight, bias in network.hidden:
        if weight.ndim != 2 or weight.shape != (width, bias.size):
            raise ValueError("its layers do not fit each other")
        width = bias.size
    sizes = (metadata.actions, 1, metadata.share_seats)
    for (weight, bias), size in zip(network.heads, sizes, strict=False):
        if weight.shape != (width, size) or bias.shape != (size,):
            raise ValueError("its layers do not fit its metadata")
    if not all(np.isfinite(part).all() for layer in network.layers for part in layer):
        raise ValueError("some of its weights are not finite")
