"""A training: lessons one after the other, what is kept of them, and how to go on.

>>> from theriac.learn.recipe import Recipe
>>> recipe = Recipe(
...     game="poison", players=(3,), games=8, moves=8, width=8, layers=1, rows=32, rate=0.001
... )
>>> training = Training(recipe)
>>> sorted(training.lesson())[:2]
['changed', 'explained']
>>> training.lessons, training.steps
(1, 64)
"""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import torch

from theriac import __version__
from theriac.bots.network import Label, Network, label_of
from theriac.engine.batch import Device
from theriac.faults import Fault, quote
from theriac.game import find
from theriac.learn.network import Net
from theriac.learn.ppo import lesson
from theriac.learn.recipe import Recipe
from theriac.learn.selfplay import Club, join
from theriac.learn.trial import share_against_random

#: An earlier self is kept after so many lessons, and so many of them are.
_EVERY = 10
_MOST_PAST = 8
#: Games of a trial, on each device.
_TRIAL = {"cpu": 256, "cuda": 4096}


class Training:
    """A network that learns, and all that it needs to go on: `kept` is what `keep` gave."""

    def __init__(
        self, recipe: Recipe, device: Device = "cpu", kept: dict[str, Any] | None = None
    ) -> None:
        self.recipe = recipe
        self.device: Device = device
        self.game = find(recipe.game)
        self.settings = [
            self.game.settings({"first": 0, **recipe.options, "players": players})
            for players in recipe.players
        ]
        self.label = label_of(
            self.game, self.settings[0], recipe.players, options=recipe.options, theriac=__version__
        )
        self.steps = self.lessons = 0
        self.seconds = 0.0
        if device == "cuda":
            torch.set_float32_matmul_precision("high")
        self.net = _new_net(self.label, recipe).to(device)
        self._past_net = _new_net(self.label, recipe).to(device)
        self._past = [_copy(self.net)]
        self.optimiser = torch.optim.Adam(self.net.parameters(), recipe.rate, eps=1e-5)
        first = self._take_up(kept) if kept else 0
        self._generator = torch.Generator(device)
        self._generator.manual_seed(recipe.seed + (self.lessons << 32))
        share = max(1, recipe.games // len(recipe.players))
        self._clubs = [
            Club(self.game, recipe, players, share, device, first) for players in recipe.players
        ]

    def lesson(self, pace: float = 1.0) -> dict[str, float]:
        """Play on and learn from it; returns what to tell about it.

        A slower pace makes its steps smaller, and leaves it freer to settle on a move.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate * pace
        self._meet_past()
        played = join(
            [club.play(self.net, self._past_net, self._generator) for club in self._clubs]
        )
        recipe = msgspec.structs.replace(self.recipe, spread=self.recipe.spread * pace)
        told = lesson(self.net, self.optimiser, played, recipe, self._generator)
        self.lessons += 1
        self.steps += sum(len(club.batch) * club.moves for club in self._clubs)
        if self.lessons % _EVERY == 0:
            self._remember()
        return told | {"pace": pace}

    def trial(self) -> dict[int, float]:
        """For each number of players, the share of the win against random play."""
        games, seed = _TRIAL[self.device], self.recipe.seed + 1
        return {
            settings.players: share_against_random(
                self.net, self.game, settings, games, self.device, seed
            )
            for settings in self.settings
        }

    def network(self) -> Network:
        """What it has learnt, for every installation."""
        label = msgspec.structs.replace(self.label, steps=self.steps)
        return Network(label, tuple(self.net.layers()))

    def keep(self) -> dict[str, Any]:
        """All that it needs to go on."""
        return {
            "layout": self.label.layout,
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "past": self._past,
            "steps": self.steps,
            "lessons": self.lessons,
            "seconds": self.seconds,
            "begun": max(club.begun for club in self._clubs),
        }

    def _take_up(self, kept: dict[str, Any]) -> int:
        """Go on from there; returns the number of the next game. Raises `Fault`."""
        try:
            if kept["layout"] != self.label.layout:
                raise ValueError("a seat saw other numbers then")
            self.net.load_state_dict(kept["net"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self._past = kept["past"]
            self.steps, self.lessons = int(kept["steps"]), int(kept["lessons"])
            self.seconds = float(kept["seconds"])
            return int(kept["begun"])
        except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
            why = quote(str(error).partition("\n")[0], 100)
            raise Fault(
                f"what was kept of this training does not fit it ({why}): begin anew, in another "
                "folder"
            ) from None

    def _meet_past(self) -> None:
        """Any of the earlier selves plays along."""
        self._past_net.load_state_dict(self._past[self._any(len(self._past))])

    def _remember(self) -> None:
        """Keep this self; if there are too many, forget any other."""
        if len(self._past) == _MOST_PAST:
            del self._past[self._any(_MOST_PAST)]
        self._past.append(_copy(self.net))

    def _any(self, n: int) -> int:
        return int(torch.randint(n, (), generator=self._generator, device=self.device))


def _new_net(label: Label, recipe: Recipe) -> Net:
    """A network that knows nothing; the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        return Net(label.features, label.actions, recipe.width, recipe.layers)


def _copy(net: Net) -> dict[str, Any]:
    state: dict[str, Any] = copy.deepcopy(net.state_dict())
    return state
