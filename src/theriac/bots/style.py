"""How a bot plays, as far as quick playouts can imitate it (`theriac.engine.styled_playouts`)."""

from __future__ import annotations

from dataclasses import dataclass

from theriac.bots.network import Network
from theriac.engine.styled_playouts import AT_RANDOM, HEURISTIC


@dataclass(frozen=True)
class Style:
    """A stand-in for a bot: the heuristics of the game, chance, or a network."""

    kind: int = HEURISTIC
    network: Network | None = None
    #: Of the policy of the network; 0: the most probable move.
    temperature: float = 0.0


HEURISTIC_STYLE = Style()
RANDOM_STYLE = Style(AT_RANDOM)
