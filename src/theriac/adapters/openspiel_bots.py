"""Our bots in OpenSpiel, and OpenSpiel's bots and policies in our matches and in the arena.

>>> import pyspiel
>>> game = pyspiel.load_game("theriac_shokoba(players=2)")
>>> bots = [make_bot(game, seat, spec) for seat, spec in enumerate(["greedy", "random"])]
>>> sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1))
1.0

The other way round, a function makes OpenSpiel's bot or policy:

>>> import theriac
>>> from open_spiel.python.policy import UniformRandomPolicy
>>> uniform = OpenSpielBot("uniform", make=lambda game, seat, seed: UniformRandomPolicy(game))
>>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
>>> uniform.play(match) in match.moves
True

**No bot gets more than its seat may know.** Ours get the VIEW in either direction. OpenSpiel's get
a state, as always there, but not the true one: its hidden cards are drawn at random from those that
the VIEW allows, for each move again. Its history is empty, and its information state is that of a
player who has seen nothing but the current VIEW. So a policy that looks states up in a table by
their information state, as CFR makes them, can play in OpenSpiel against ours, but not here.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np

from theriac.adapters import missing
from theriac.bots import Bot, Parameter, Question, bot
from theriac.faults import BadBot, Fault, quote
from theriac.game import Settings

try:
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts
except ModuleNotFoundError as error:
    raise missing(error, "openspiel") from error

from theriac.adapters.openspiel import SpielGame, SpielState

#: Makes an OpenSpiel bot or policy; called with (game, seat, seed).
Maker = Callable[[Any, int, int], Any]


# Ours in OpenSpiel


def make_bot(game: SpielGame, seat: int, spec: str, seed: int = 0) -> SeatBot:
    """Our bot of a spec as a `pyspiel.Bot` for one seat of a game; raises `Fault`."""
    if not isinstance(game, SpielGame):
        raise Fault(f"game {quote(game)} is not one of theriac.adapters.openspiel")
    if not 0 <= seat < game.num_players():
        raise Fault(f"seat {quote(seat)} is not a seat from 0 to {game.num_players() - 1}")
    player = bot(spec, seed)
    player.check(game.theriac_game, game.episode.settings)
    return SeatBot(seat, player)


class SeatBot(pyspiel.Bot):  # type: ignore[misc]
    """Our bot on one seat. It keeps no memory: what happened before is in its VIEW."""

    def __init__(self, seat: int, player: Bot) -> None:
        super().__init__()
        self._seat = seat
        self._bot = player

    def player_id(self) -> int:
        """The seat."""
        return self._seat

    def restart_at(self, state: SpielState) -> None:
        """Nothing to do."""

    def step(self, state: SpielState) -> int:
        """The bot's action; raises `BadBot` if it has no legal one."""
        if state.current_player() != self._seat:
            raise Fault(f"seat {self._seat} is not to act, but player {state.current_player()}")
        question = state.question()
        move = int(self._bot.answer(question))
        if move not in question.legal:
            raise BadBot(self._bot.name, f"answered {move}, which is not a legal move")
        return state.action_of(move)

    def close(self) -> None:
        """Close the bot."""
        self._bot.close()


# OpenSpiel's in our matches


class OpenSpielBot(Bot):
    """Plays as a bot or policy of OpenSpiel, by default its IS-MCTS."""

    PARAMETERS: ClassVar = (
        Parameter("make", "", "the function that makes the bot or policy: mymodule.make"),
        Parameter("simulations", 100, "without make: the simulations of IS-MCTS per move", least=1),
    )

    def __init__(
        self, name: str, seed: int = 0, *, make: str | Maker = "", simulations: int = 100
    ) -> None:
        super().__init__(name, seed)
        self._simulations = simulations
        self._make: Maker = self._make_ismcts
        if make:
            self._make = _import(make) if isinstance(make, str) else make
        self._games: dict[str, SpielGame] = {}

    def answer(self, question: Question) -> int:
        """Its move in a state that the view allows.

        It is made for each move, with a seed that depends on the view: equal views get equal
        answers.
        """
        random = self.rng(question)
        game = self._game(question)
        state = game.sample_state(question.view, random.getrandbits(32), random.getrandbits(32))
        made = self._make(game, question.seat, random.getrandbits(32))
        if hasattr(made, "action_probabilities"):
            return state.move_of(self._draw(made, state, random))
        if _has_restart_at(made):
            made.restart_at(state)
        return state.move_of(int(made.step(state)))

    def _draw(self, policy: Any, state: SpielState, random: Random) -> int:
        """An action of a policy."""
        try:
            chances = policy.action_probabilities(state)
        except KeyError:
            raise BadBot(
                self.name,
                "has a table of information states, which needs the whole history: play it in "
                "OpenSpiel, against theriac.adapters.openspiel_bots.make_bot",
            ) from None
        return int(random.choices(list(chances), list(chances.values()))[0])

    def _game(self, question: Question) -> SpielGame:
        """The game with the options of the question."""
        parameters = _parameters(question.settings)
        key = json.dumps([question.game.name, parameters])
        if key not in self._games:
            self._games[key] = pyspiel.load_game(f"theriac_{question.game.name}", parameters)
        return self._games[key]

    def _make_ismcts(self, game: SpielGame, seat: int, seed: int) -> ismcts.ISMCTSBot:
        random = np.random.RandomState(seed)
        made = ismcts.ISMCTSBot(
            game,
            evaluator=mcts.RandomRolloutEvaluator(1, random),
            uct_c=1.0,
            max_simulations=self._simulations,
            random_state=random,
        )
        # By itself it draws hidden cards with random numbers that have no seed.
        made.set_resampler(
            lambda state, player: state.resample_from_infostate(player, random.uniform)
        )
        return made


def _has_restart_at(made: Any) -> bool:
    """Whether a bot implements `restart_at`.

    A bot written in Python that does not define it inherits one that raises, as OpenSpiel's IS-MCTS
    does. The classes of `pyspiel` itself are written in C++ and override it there.

    >>> _has_restart_at(pyspiel.make_uniform_random_bot(0, 1))
    True
    """
    kind = type(made)
    return kind.__module__ == pyspiel.__name__ or kind.restart_at is not pyspiel.Bot.restart_at


def _import(name: str) -> Maker:
    """The function of a dotted name; raises `Fault`."""
    module, _, function = name.rpartition(".")
    try:
        made: Maker = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise Fault(f"bot openspiel: make={quote(name)} cannot be imported: {error}") from None
    return made


def _parameters(settings: Settings) -> dict[str, Any]:
    """The options of a match as parameters of the OpenSpiel game.

    >>> from theriac.game import find
    >>> given = {"players": 3, "deck": ["R7", "R7", "R7", "X"]}
    >>> _parameters(find("poison").settings(given, first=2))
    {'players': 3, 'deck': 'R7 R7 R7 X', 'first': 2}
    """
    given: Mapping[str, Any] = {**settings.given, "first": int(settings.options.first)}
    return {
        name: (" " if name == "deck" else "+").join(value) if isinstance(value, list) else value
        for name, value in given.items()
    }
