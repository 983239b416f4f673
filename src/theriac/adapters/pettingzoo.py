"""PettingZoo environments: all seats of a game are agents that act in turn (AEC).

>>> from theriac.adapters.pettingzoo import env
>>> environment = env("poison", players=4)
>>> environment.reset(seed=1)
>>> environment.agent_selection
'seat_1'
>>> observation, reward, terminated, truncated, info = environment.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((133,), 27)
>>> action = environment.action_space("seat_1").sample(observation["action_mask"])
>>> environment.step(action)
>>> environment.agent_selection
'seat_2'

There is no parallel environment: in a turn-based game it would ignore all actions but one in each
step.
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
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from theriac.adapters import rendering
except ModuleNotFoundError as error:
    raise missing(error, "pettingzoo") from error

#: The reward of an agent whose illegal action ends the game.
ILLEGAL_REWARD = -1.0

Observation = dict[str, npt.NDArray[Any]]


def env(
    game: str, *, render_mode: str | None = None, **options: Any
) -> AECEnv[str, Observation, int]:
    """All seats of a game, in PettingZoo's usual wrappers: an illegal action ends the game with a
    reward of -1 for its agent. `options` are those of the game, as in `theriac.new`.
    """
    wrapped: AECEnv[str, Observation, int] = raw_env(game, render_mode=render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def raw_env(game: str, *, render_mode: str | None = None, **options: Any) -> TableEnv:
    """The same without wrappers: an illegal action raises `Refused` and changes nothing."""
    return TableEnv(game, render_mode=render_mode, **options)


class TableEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """All seats of a game.

    An observation holds the encoding of what the seat may know, and the mask of its legal actions,
    which is all zeros unless it is the seat to act. The rewards at the end are the shares of the
    win.

    `reset(seed=S)` starts game 0 of that seed, with the same cards as `theriac.batch`; a reset
    without a seed starts the next game. The options of `reset` are ignored.
    """

    def __init__(self, game: str, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        rendering.check_render_mode(render_mode)
        self._episode = Episode(find(game), options)
        self.metadata = {**rendering.METADATA, "name": f"{game}_v0", "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._episode.players)]
        self.agents: list[str] = []
        space: Any = rendering.observation_space(self._episode.game)
        mask: Any = Box(0, 1, (self._episode.actions,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": space, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: Discrete(self._episode.actions) for agent in self.possible_agents
        }
        self._seed = secrets.randbits(32)
        self._number = -1

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of all actions, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        game = (self._seed, self._number + 1) if seed is None else (seed, 0)
        self._episode.start(*game)
        self._seed, self._number = game
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.to_act]

    def observe(self, agent: str) -> Observation:
        """What a seat knows, and which of its actions are legal."""
        seat = self.possible_agents.index(agent)
        if seat == self._episode.to_act:
            mask = self._episode.action_mask()
        else:
            mask = np.zeros(self._episode.actions, np.int8)
        return {"observation": self._episode.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action for the seat to act, or raise `Fault`, changing nothing."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._episode.play_action(action)
        self._episode.deal_cards()
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
        """The view of the seat to act as the terminal shows it: printed, or returned as text."""
        return rendering.render(self._episode, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
