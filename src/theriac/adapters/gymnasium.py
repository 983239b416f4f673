"""Gymnasium environments: the agent has one seat, and bots play the others.

`make_vec` makes the vector environment of `theriac.adapters.gymnasium_vector`.

>>> import gymnasium
>>> import theriac.adapters.gymnasium            # registers theriac/poison-v0 and the others
>>> env = gymnasium.make("theriac/poison-v0", players=4, seat=2, bots="greedy")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].shape
((133,), (48,))
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> reward, terminated, truncated
(0.0, False, False)
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.adapters import missing
from theriac.adapters.episode import Episode
from theriac.adapters.seats import bots_by_seat, check_seat
from theriac.bots import Bot, bot
from theriac.engine.seeds import key_of_seed
from theriac.faults import BadBot, Fault, Refused
from theriac.game import all_games, find

try:
    import gymnasium
    from gymnasium.spaces import Discrete

    from theriac.adapters import rendering
except ModuleNotFoundError as error:
    raise missing(error, "gymnasium") from error

Observation = npt.NDArray[np.float32]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game. `bots` is the bot on all other seats, or a list of bots that starts with
    the next seat clockwise; `options` are those of the game, as in `theriac.new`.

    Observations encode what the seat may know; `info["action_mask"]` and `action_masks()` say which
    actions are legal. The reward at the end is the seat's share of the win. An illegal action ends
    the episode with the reward `illegal_reward`; `info["refused"]` gives the reason and the clause.

    `reset(seed=S)` starts game 0 of that seed, with the same cards as `theriac.batch`; a reset
    without a seed starts the next game. Games that end before the seat's first turn are skipped.
    """

    metadata = rendering.METADATA

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "greedy",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rendering.check_render_mode(render_mode)
        self._episode = Episode(find(game), options)
        self._seat = check_seat(seat, self._episode.players)
        self._specs = self._check_bots(bots)
        self._bots: dict[int, Bot] = {}
        self._illegal_reward = illegal_reward
        self._over = True
        self._seed: int | None = None
        self._number = 0
        self.render_mode = render_mode
        self.observation_space = rendering.observation_space(self._episode.game)
        self.action_space = Discrete(self._episode.actions)

    def _check_bots(self, bots: Any) -> dict[int, str]:
        """The bot of each other seat; raises `Fault`."""
        specs = bots_by_seat(bots, self._seat, self._episode.players)
        for spec in specs.values():
            bot(spec).close()
        return specs

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play the bots' moves up to the seat's first turn."""
        if options:
            raise Fault("reset takes no options: pass them to the constructor")
        if seed is not None:
            key_of_seed(seed)  # raises `Fault` before anything has changed
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(1 << 32)) if seed is None else seed
            self._number = 0
            self._make_bots()
        self._over = True
        self._start_game()
        while self._episode.over:
            self._start_game()
        self._over = False
        return self._episode.observation(self._seat), self._info()

    def _make_bots(self) -> None:
        """New bots; equal seeds make equal bots."""
        self.close()
        self._bots = {
            seat: bot(spec, Random(f"{self._seed} {seat}").getrandbits(63))
            for seat, spec in self._specs.items()
        }

    def __getstate__(self) -> dict[str, Any]:
        """A copy makes bots of its own: they keep no memory between questions."""
        return {**vars(self), "_bots": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        if self._seed is not None:
            self._make_bots()

    def _start_game(self) -> None:
        self._episode.start(self._seed, self._number)
        self._number += 1
        self._play_bots()

    def _play_bots(self) -> None:
        """Let the bots play until it is the seat's turn or the game is over."""
        while not self._episode.over and self._episode.to_act != self._seat:
            player = self._bots[self._episode.to_act]
            question = self._episode.question()
            move = int(player.answer(question))
            if move not in question.legal:
                raise BadBot(player.name, f"answered {move}, which is not a legal move")
            self._episode.play_move(move)
            self._episode.deal_cards()
        if self._episode.over:
            for seat, player in self._bots.items():
                player.end(self._episode.view_from(seat))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and the bots' moves that follow."""
        if self._over:
            raise Fault("the game is over or has not started: call reset")
        reward, info = 0.0, {}
        try:
            self._episode.play_action(action)
        except Refused as refused:
            self._over, reward, info = True, self._illegal_reward, {"refused": str(refused)}
        else:
            self._over = True  # remains so if a bot fails to answer
            self._episode.deal_cards()
            self._play_bots()
            self._over = self._episode.over
            if self._over:
                reward = self._episode.results()[self._seat]
        return self._episode.observation(self._seat), reward, self._over, False, self._info() | info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._episode.action_mask()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, in the form that MaskablePPO of sb3-contrib expects."""
        return self._episode.action_mask().astype(bool)

    def render(self) -> str | None:
        """The view of the seat as the terminal shows it: printed, or returned as text."""
        return rendering.render(self._episode, self.render_mode)

    def close(self) -> None:
        """Close the bots."""
        for player in self._bots.values():
            player.close()
        self._bots = {}


for _name in all_games():
    gymnasium.register(
        id=f"theriac/{_name}-v0",
        entry_point=f"{__name__}:SeatEnv",
        vector_entry_point=f"{__name__}_vector:SeatVectorEnv",
        kwargs={"game": _name},
    )
