"""What a trainer needs to resume, and the keys under which `checkpoint.pt` stores it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

StateDict = dict[str, Any]

#: The key of each field in the file. Checkpoints written before the fields had these names must
#: load, so the keys stay as they were.
_KEYS = {
    "observation_digest": "layout",
    "policy": "net",
    "optimizer": "optimiser",
    "past_policies": "past",
    "steps": "steps",
    "updates": "lessons",
    "seconds": "seconds",
    "next_game": "begun",
}


@dataclass(frozen=True)
class Checkpoint:
    """The state of a trainer, except for its games: a resumed run starts new ones.

    `observation_digest` identifies the observation encoding (see `NetworkMetadata`). `next_game` is
    the lowest game number that has not been started.
    """

    observation_digest: str
    policy: StateDict
    optimizer: StateDict
    past_policies: list[StateDict]
    steps: int
    updates: int
    seconds: float
    next_game: int

    def to_stored(self) -> dict[str, Any]:
        """The dictionary that is saved."""
        return {key: getattr(self, field) for field, key in _KEYS.items()}

    @classmethod
    def from_stored(cls, stored: Any) -> Checkpoint:
        """The checkpoint in a dictionary that was loaded; raises `ValueError`."""
        if not isinstance(stored, dict):
            raise ValueError(f"it holds a {type(stored).__name__}, not a dictionary")
        missing = [key for key in _KEYS.values() if key not in stored]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}")
        return cls(**{field: stored[key] for field, key in _KEYS.items()})
