"""Many games at once, played by the network itself.

On a GPU everything stays there: what the batch shows is taken over by DLPack, what is chosen goes
back as it lies, and nothing waits for the host before the lesson begins.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import torch

from theriac.engine.batch import Batch, Device
from theriac.game import Game
from theriac.learn.credit import credit
from theriac.learn.network import Net, draw
from theriac.learn.recipe import Recipe


@dataclass(frozen=True)
class Played:
    """Moves to learn from, a row each: what was seen and legal, what was done, how likely that was,
    how much better it went than expected, and what to expect instead.
    """

    seen: Any
    legal: Any
    actions: Any
    likely: Any
    advantages: Any
    targets: Any

    def __len__(self) -> int:
        return len(self.actions)

    def rows(self, which: Any) -> Played:
        """Some of them."""
        return Played(*(getattr(self, field.name)[which] for field in fields(self)))


def join(played: list[Played]) -> Played:
    """All in one."""
    if len(played) == 1:
        return played[0]
    names = [field.name for field in fields(Played)]
    return Played(*(torch.cat([getattr(one, name) for one in played]) for name in names))


def payoff(shares: Any, players: int) -> Any:
    """The reward for a share of the win: 0 for the fair share, -1 for nothing.

    >>> payoff(0.25, 4), payoff(1, 4), payoff(0, 4)
    (0.0, 3, -1)
    """
    return shares * players - 1


class Club:
    """So many games of one number of players, which go on from lesson to lesson.

    In the first `guests` places one seat is the learner's and the others are played by an earlier
    self: what these do is seen by nobody who learns.
    """

    def __init__(
        self, game: Game, recipe: Recipe, players: int, games: int, device: Device, first: int
    ) -> None:
        settings = game.settings({"first": 0, **recipe.options, "players": players})
        self.batch = game.batch(settings, games, device=device, seed=recipe.seed, auto_reset=True)
        self.batch.reset(recipe.seed, first)
        self.moves = recipe.moves
        self.trace = recipe.trace
        self.guests = round(recipe.past * games) if players > 1 else 0
        self._paper = _paper(self.batch, recipe.moves, device)
        places = torch.arange(games, device=device)
        self._own = places % players
        self._shared = places >= self.guests
        stagger(self.batch)

    @property
    def begun(self) -> int:
        """The number of the next game that nobody has played."""
        return int(take(self.batch.numbers).max()) + 1

    def play(self, net: Net, past: Net, generator: Any) -> Played:
        """Go on by so many moves in each game; what the learner's seats did."""
        paper, wrong = self._paper, torch.zeros((), dtype=torch.int64, device=self._own.device)
        with torch.no_grad():
            for t in range(self.moves):
                wrong += self._step(paper, t, net, past, generator)
        if int(wrong):
            raise AssertionError(f"{int(wrong)} actions were refused: the mask is wrong")
        advantages, told = credit(paper.seats, paper.values, paper.ended, paper.rewards, self.trace)
        mine = told & (self._shared | (paper.seats == self._own))
        targets = advantages + paper.values
        row = (paper.seen, paper.legal, paper.actions, paper.likely, advantages, targets)
        return Played(*(each[mine] for each in row))

    def _step(self, paper: Paper, t: int, net: Net, past: Net, generator: Any) -> Any:
        """One move in each game; how many were refused."""
        batch = self.batch
        paper.seen[t] = take(batch.observations())
        paper.legal[t] = take(batch.masks()).bool()
        paper.seats[t] = take(batch.to_act)
        likely, paper.values[t] = net(paper.seen[t], paper.legal[t])
        if self.guests:
            k = self.guests
            theirs, _ = past(paper.seen[t, :k], paper.legal[t, :k])
            own = (paper.seats[t, :k] == self._own[:k]).unsqueeze(-1)
            likely[:k] = torch.where(own, likely[:k], theirs)
        chosen = draw(likely, generator)
        paper.actions[t] = chosen
        paper.likely[t] = likely.gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
        clauses = take(batch.step(batch_actions(chosen)))
        paper.ended[t] = take(batch.ended).bool()
        paper.rewards[t] = payoff(take(batch.rewards), batch.players)
        return (clauses != 0).sum()


@dataclass(frozen=True)
class Paper:
    """Room for what is played between two lessons: for each step and game."""

    seen: Any
    legal: Any
    seats: Any
    actions: Any
    likely: Any
    values: Any
    ended: Any
    rewards: Any


def _paper(batch: Batch, moves: int, device: Device) -> Paper:
    def room(dtype: Any, *more: int) -> Any:
        return torch.zeros((moves, len(batch), *more), dtype=dtype, device=device)

    return Paper(
        seen=room(torch.float32, batch.shape.features),
        legal=room(torch.bool, batch.actions),
        seats=room(torch.int64),
        actions=room(torch.int64),
        likely=room(torch.float32),
        values=room(torch.float32),
        ended=room(torch.bool),
        rewards=room(torch.float32, batch.players),
    )


def take(array: Any) -> Any:
    """An array of a batch as a tensor on the same device, not copied."""
    return torch.from_dlpack(array)


def batch_actions(chosen: Any) -> Any:
    """Actions as a batch takes them, not copied."""
    return chosen if chosen.is_cuda else chosen.numpy()


def stagger(batch: Batch) -> None:
    """Bring the games to different moments by random moves, so that every lesson has all of them.

    Games of one length that begin together would end together, lesson after lesson. A game waits
    by an action that is refused.
    """
    seed, first = batch.seed, int(take(batch.numbers).min())
    longest = int(take(batch.play_out()).max())
    batch.reset(seed, first)
    n = len(batch)
    for t in range(longest):
        actions = take(batch.random_actions())
        waiting = torch.arange(n, device=actions.device) * longest < t * n
        illegal = take(batch.masks()).argmin(-1)
        batch.step(batch_actions(torch.where(waiting, illegal, actions)))
