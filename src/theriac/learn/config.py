"""The configuration of a training run: everything that determines it, except its length and device.

>>> config = TrainingConfig(game="poison", players=(4,), **device_defaults("cpu", 133, 48))
>>> config.num_envs, config.width
(256, 128)
"""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec

from theriac import __version__
from theriac.faults import BadOption
from theriac.game import Game


def _stored_as(key: str, default: Any = msgspec.NODEFAULT) -> Any:
    """A field under another key in `training.json`.

    Run folders written before the fields had these names must load, so the keys stay as they were.
    """
    return msgspec.field(default=default, name=key)


class TrainingConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The hyperparameters of a run.

    `num_envs` games run in parallel, divided among the player counts in `players`. Each update
    collects `num_steps` moves per game, then makes `epochs` passes over them in minibatches of
    `minibatch_size` moves. In the fraction `past_fraction` of the games the learner has
    one seat, and a past snapshot of the policy plays the others.

    With `against`, a spec of the bot `neural`, the learner has one seat in every game, and that bot
    plays all others: the run searches for a best response to it. `initial` names the network whose
    weights the policy starts with.
    """

    game: str
    players: tuple[int, ...]
    options: dict[str, Any] = {}
    seed: int = 0
    num_envs: int = _stored_as("games")
    num_steps: int = _stored_as("moves")
    width: int
    layers: int
    minibatch_size: int = _stored_as("rows")
    learning_rate: float = _stored_as("rate")
    epochs: int = 3
    clip_range: float = _stored_as("trust", 0.2)
    gae_lambda: float = _stored_as("trace", 0.95)
    entropy_coef: float = _stored_as("spread", 0.01)
    past_fraction: float = _stored_as("past", 0.25)
    #: Whether the network also predicts every seat's share of the win. Older runs do not.
    shares: bool = False
    against: str = ""
    initial: str = ""
    theriac: str = __version__

    @property
    def opponent_fraction(self) -> float:
        """The fraction of games in which the learner has one seat."""
        return 1.0 if self.against else self.past_fraction

    def share_seats(self, game: Game) -> int:
        """The number of seats whose share of the win the network predicts."""
        return game.shape.players if self.shares else 0


class DeviceDefaults(TypedDict):
    """The hyperparameters whose default depends on the device."""

    num_envs: int
    num_steps: int
    width: int
    layers: int
    minibatch_size: int
    learning_rate: float


#: Small enough for two CPU cores; large enough to keep a GPU busy.
_DEFAULTS: dict[str, DeviceDefaults] = {
    "cpu": {
        "num_envs": 256,
        "num_steps": 64,
        "width": 128,
        "layers": 2,
        "minibatch_size": 1024,
        "learning_rate": 0.001,
    },
    "cuda": {
        "num_envs": 65536,
        "num_steps": 32,
        "width": 512,
        "layers": 3,
        "minibatch_size": 65536,
        "learning_rate": 0.001,
    },
}
#: The most memory for the observations and masks of a rollout by default, in bytes.
_ROLLOUT_MEMORY = 4 << 30


def device_defaults(device: str, features: int, actions: int) -> DeviceDefaults:
    """The default sizes for a device and a game's observations; raises `BadOption`.

    Where observations and masks are large, there are fewer games.
    """
    if device not in _DEFAULTS:
        raise BadOption(f"option device: {device} is not cpu or cuda")
    sizes = _DEFAULTS[device].copy()
    bytes_per_move = 2 * features + actions
    while sizes["num_envs"] * sizes["num_steps"] * bytes_per_move > _ROLLOUT_MEMORY:
        sizes["num_envs"] //= 2
    sizes["minibatch_size"] = min(sizes["minibatch_size"], 2 * sizes["num_envs"])
    return sizes
