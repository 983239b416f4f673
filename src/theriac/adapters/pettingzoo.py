"""A game as a PettingZoo environment: all seats of a table, one acting at a time (AEC).

>>> from theriac.adapters.pettingzoo import env
>>> match = env("poison", players=4)
>>> match.reset(seed=1)
>>> match.agent_selection
'seat_1'
>>> seen, reward, terminated, truncated, info = match.last()
>>> seen["observation"].shape, int(seen["action_mask"].sum())
((133,), 27)
>>> match.step(match.action_space("seat_1").sample(seen["action_mask"]))
>>> match.agent_selection
'seat_2'

There is no parallel environment: in a game of turns, all but one of the actions that it would be
given at a time would mean nothing.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.adapters import missing
from theriac.adapters.episode import Episode
from theriac.game import find

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from theriac.adapters import sight
except ModuleNotFoundError as error:
    raise missing(error, "pettingzoo") from error

#: What one who plays an illegal action gets, where the game is ended for it.
ILLEGAL = -1.0

Seen = dict[str, npt.NDArray[Any]]


def env(game: str, *, render_mode: str | None = None, **options: Any) -> AECEnv[str, Seen, int]:
    """All seats of a table, in PettingZoo's usual wrappers: who plays an illegal action ends the
    game with a reward of -1. `options` are those of the game, as in `theriac.new`.
    """
    match: AECEnv[str, Seen, int] = raw_env(game, render_mode=render_mode, **options)
    match = wrappers.TerminateIllegalWrapper(match, illegal_reward=ILLEGAL)
    match = wrappers.AssertOutOfBoundsWrapper(match)
    return wrappers.OrderEnforcingWrapper(match)


def raw_env(game: str, *, render_mode: str | None = None, **options: Any) -> TableEnv:
    """The same without wrappers: an illegal action raises `Refused` and changes nothing."""
    return TableEnv(game, render_mode=render_mode, **options)


class TableEnv(AECEnv[str, Seen, int], EzPickle):  # type: ignore[misc]
    """All seats of a table.

    An observation is what the seat knows, as numbers, and the mask of its legal actions: all zeros
    unless it is the seat to act. Rewards come when the game is over: each seat's share of the win.

    `reset(seed=S)` begins game 0 of that seed, the same as in `theriac.batch`; a reset without a
    seed begins the next. It knows no options.
    """

    def __init__(self, game: str, *, render_mode: str | None = None, **options: Any) -> None:
        EzPickle.__init__(self, game, render_mode=render_mode, **options)
        super().__init__()
        sight.check_mode(render_mode)
        self._episode = Episode(find(game), options)
        self.metadata = {**sight.METADATA, "name": f"{game}_v0", "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._episode.players)]
        self.agents: list[str] = []
        mask: Any = Box(0, 1, (self._episode.actions,), np.int8)
        seen = {"observation": sight.features(self._episode.game), "action_mask": mask}
        self.observation_spaces = {agent: Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {
            agent: Discrete(self._episode.actions) for agent in self.possible_agents
        }
        self._seed = secrets.randbits(32)
        self._number = -1

    def observation_space(self, agent: str) -> Dict:
        """What a seat can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        begun = (self._seed, self._number + 1) if seed is None else (seed, 0)
        self._episode.begin(*begun)
        self._seed, self._number = begun
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.to_act]

    def observe(self, agent: str) -> Seen:
        """What a seat knows, and which of its actions are legal."""
        seat = self.possible_agents.index(agent)
        here = seat == self._episode.to_act
        mask = self._episode.mask() if here else np.zeros(self._episode.actions, np.int8)
        return {"observation": self._episode.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action for the seat to act, or raise `Fault`, changing nothing."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._episode.act(action)
        self._episode.feed()
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._episode.over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self._episode.to_act]
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        self.rewards = dict(zip(self.agents, self._episode.results(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """What the seat to act sees, as in the terminal: printed, or as text."""
        return sight.show(self._episode, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
