"""A game as a Gymnasium environment: one seat, and bots on the others.

>>> import gymnasium
>>> import theriac.adapters.gymnasium            # registers theriac/poison-v0 and all others
>>> seat = gymnasium.make("theriac/poison-v0", players=4, seat=2, bots="greedy")
>>> seen, info = seat.reset(seed=1)
>>> seen.shape, info["action_mask"].shape
((133,), (48,))
>>> action = seat.action_space.sample(info["action_mask"])
>>> seen, reward, terminated, truncated, info = seat.step(action)
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
from theriac.bots import Bot, bot
from theriac.faults import BadBot, Fault, Refused, quote
from theriac.game import all_games, find

try:
    import gymnasium
    from gymnasium.spaces import Discrete

    from theriac.adapters import sight
except ModuleNotFoundError as error:
    raise missing(error, "gymnasium") from error

Seen = npt.NDArray[np.float32]


class SeatEnv(gymnasium.Env[Seen, np.int64]):
    """One seat of a table. `bots` names the bot on all other seats, or a list of them from the
    next seat clockwise; `options` are those of the game, as in `theriac.new`.

    An observation is what the seat knows, as numbers; `info["action_mask"]` and `action_masks()`
    say which actions are legal. The reward is the seat's share of the win, when the game is over.
    An illegal action ends the episode: the reward is `illegal_reward`, and `info["refused"]` says
    why, with the clause.

    `reset(seed=S)` begins game 0 of that seed, with the cards of `theriac.batch`; a reset without a
    seed begins the next. A game that ends before the seat has had a turn is passed over.
    """

    metadata = sight.METADATA

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
        sight.check_mode(render_mode)
        self._episode = Episode(find(game), options)
        self._seat = self._check_seat(seat)
        self._specs = self._check_bots(bots)
        self._bots: dict[int, Bot] = {}
        self._illegal_reward = illegal_reward
        self._over = True
        self._seed: int | None = None
        self._number = 0
        self.render_mode = render_mode
        self.observation_space = sight.features(self._episode.game)
        self.action_space = Discrete(self._episode.actions)

    def _check_seat(self, seat: Any) -> int:
        last = self._episode.players - 1
        if type(seat) is not int or not 0 <= seat <= last:
            raise Fault(f"seat {quote(seat)} is not a seat from 0 to {last}")
        return seat

    def _check_bots(self, bots: Any) -> dict[int, str]:
        """The bot of each other seat."""
        players = self._episode.players
        specs = [bots] * (players - 1) if isinstance(bots, str) else bots
        if not isinstance(specs, Sequence) or not all(isinstance(spec, str) for spec in specs):
            raise Fault(f"bots: {quote(bots)} is not the name of a bot, nor a list of names")
        if len(specs) != players - 1:
            raise Fault(f"bots: {len(specs)} are named for {players - 1} other seats")
        for spec in specs:
            bot(spec).close()
        return {(self._seat + 1 + i) % players: spec for i, spec in enumerate(specs)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a game, up to the seat's first turn."""
        if options:
            raise Fault("reset takes no options: give them when the environment is made")
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seat_bots(int(self.np_random.integers(1 << 32)) if seed is None else seed)
        self._over = True
        self._begin()
        while self._episode.over:
            self._begin()
        self._over = False
        return self._episode.observe(self._seat), self._info()

    def _seat_bots(self, seed: int) -> None:
        """Bots answer alike wherever the seed is the same."""
        self.close()
        self._seed, self._number = seed, 0
        self._bots = {
            seat: bot(spec, Random(f"{seed} {seat}").getrandbits(63))
            for seat, spec in self._specs.items()
        }

    def _begin(self) -> None:
        self._episode.begin(self._seed, self._number)
        self._number += 1
        self._go_round()

    def _go_round(self) -> None:
        """Let the bots play until it is the seat's turn or the game is over."""
        while not self._episode.over and self._episode.to_act != self._seat:
            seated = self._bots[self._episode.to_act]
            question = self._episode.question()
            move = int(seated.answer(question))
            if move not in question.legal:
                raise BadBot(seated.name, f"answered {move}, which is not a legal move")
            self._episode.play(move)
            self._episode.feed()
        if self._episode.over:
            for seat, seated in self._bots.items():
                seated.end(self._episode.tell(seat))

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, and the bots' moves after it."""
        if self._over:
            raise Fault("the game is over or has not begun: call reset")
        reward, info = 0.0, {}
        try:
            self._episode.act(action)
        except Refused as refused:
            self._over, reward, info = True, self._illegal_reward, {"refused": str(refused)}
        else:
            self._over = True  # stays so if a bot gives no answer
            self._episode.feed()
            self._go_round()
            self._over = self._episode.over
            if self._over:
                reward = self._episode.results()[self._seat]
        return self._episode.observe(self._seat), reward, self._over, False, self._info() | info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._episode.mask()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as MaskablePPO of sb3-contrib asks for it."""
        return self._episode.mask().astype(bool)

    def render(self) -> str | None:
        """What the seat sees at its turn, as in the terminal: printed, or as text."""
        return sight.show(self._episode, self.render_mode)

    def close(self) -> None:
        """Close the bots."""
        for seated in self._bots.values():
            seated.close()
        self._bots = {}


for _name in all_games():
    gymnasium.register(
        id=f"theriac/{_name}-v0", entry_point=f"{__name__}:SeatEnv", kwargs={"game": _name}
    )
