"""OpenSpiel games, registered when this module is imported.

>>> import pyspiel
>>> import theriac.adapters.openspiel
>>> game = pyspiel.load_game("theriac_poison(players=4)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())     # cards are dealt one by one
(True, 16)

The options of a game are its parameters. A list is written with plus signs; `deck` is a list of
cards separated by spaces, or the name of a deck file that ends in ``.toml``.

>>> str(pyspiel.load_game("theriac_dungeon(players=2,level=1,spells=ice+silence)"))
'theriac_dungeon(level=1,players=2,spells=ice+silence)'

The parameter `after` starts the game at a later point: it is the history up to there (cards and
actions, as in `state.history()`). Whatever is hidden at that point is the same in the whole game
tree, so choose a point where nothing is hidden, before a deal. The last round of a game is small
enough to be solved.

**Observations and information states.** An observation is the seat's VIEW. An information state has
perfect recall: it is determined by all VIEWs that the seat has seen and by its own actions. VIEWs
do not change while cards are dealt. Both tensors are the encoding of the current VIEW, which
includes what a careful player remembers of the cards, but not the order of all events.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from theriac.adapters import missing
from theriac.adapters.episode import Episode
from theriac.bots import Question
from theriac.deck import read_deck
from theriac.engine.contract import NATURE, NOBODY, REFEREE
from theriac.engine.records import View
from theriac.faults import BadDeck, Fault
from theriac.game import Game, all_games

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise missing(error, "openspiel") from error

#: OpenSpiel requires bounds on moves and chance nodes. Not every game has such bounds; these are
#: larger than any game in practice.
MAX_GAME_LENGTH = 100_000
MAX_CHANCE_NODES = 1_000_000

_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_PLAYER_IDS = {NATURE: _CHANCE, NOBODY: _TERMINAL}

#: The key and the number of a random stream have 32 bits each.
_STREAM_RANGE = 1 << 32


def game_type(game: Game) -> pyspiel.GameType:
    """The static properties of a game."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"theriac_{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.IDENTICAL if game.together else utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=default_parameters(game),
    )


def default_parameters(game: Game) -> dict[str, Any]:
    """The parameters of a game and their defaults.

    >>> from theriac.game import find
    >>> default_parameters(find("poison"))
    {'players': 4, 'first': 0, 'deck': '', 'after': '', 'open_piles': False}
    """
    options = {option.name: option.default for option in game.options}
    lists = {name: "+".join(value) for name, value in options.items() if isinstance(value, list)}
    return {"players": game.usual_players, "first": 0, "deck": "", "after": "", **options, **lists}


def options_from_parameters(game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The game options in a set of parameters; raises `Fault`."""
    read = {option.name: option.read for option in game.options}
    options = {
        name: read[name](value) if name in read and isinstance(value, str) else value
        for name, value in parameters.items()
    }
    deck, _ = options.pop("deck"), options.pop("after")
    return options | (_deck_option(game, deck) if deck else {})


def _deck_option(game: Game, deck: str) -> dict[str, Any]:
    """The option `deck`, from a list of cards or the name of a deck file."""
    if not deck.endswith(".toml"):
        return {"deck": deck.split()}
    name, cards = read_deck(Path(deck))
    if name != game.name:
        raise BadDeck(f"{deck}: it is a deck of {name}, not of {game.name}")
    return {"deck": cards.option(game.shipped)}


def load_game(text: str) -> SpielGame:
    """`pyspiel.load_game` for unpickling: importing this module registers the games first."""
    game: SpielGame = pyspiel.load_game(text)
    return game


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters. There is one subclass per game, which sets `theriac_game`."""

    theriac_game: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game, defaults = self.theriac_game, default_parameters(self.theriac_game)
        given = {name: v for name, v in (parameters or {}).items() if v != defaults.get(name)}
        self._options = options_from_parameters(game, {**defaults, **given})
        self._scratch = threading.local()
        self.initial_state, self.first_player = self._initial_state(str(given.get("after", "")))
        cooperative = game.together
        info = pyspiel.GameInfo(
            num_distinct_actions=self.episode.actions,
            max_chance_outcomes=game.shape.cards,
            num_players=self.episode.players,
            min_utility=0.0,
            max_utility=1.0 / self.episode.players if cooperative else 1.0,
            utility_sum=None if cooperative else 1.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(game_type(game), info, given)

    def _initial_state(self, after: str) -> tuple[bytes, int]:
        """The STATE after a history, and the player to act in it; raises `Fault`."""
        episode = self.episode
        for word in after.split():
            number = int(word) if word.isascii() and word.isdigit() else word
            if episode.to_act == NATURE:
                episode.deal(number)
            else:
                episode.play_action(number)
        if episode.over:
            raise Fault("after: the game is over at that point: give a shorter history")
        return episode.state, _player_id(episode)

    @property
    def episode(self) -> Episode:
        """A scratch episode of the calling thread: states are loaded into it to be computed on."""
        if not hasattr(self._scratch, "episode"):
            self._scratch.episode = Episode(self.theriac_game, self._options)
        episode: Episode = self._scratch.episode
        return episode

    def __reduce__(self) -> tuple[Callable[[str], SpielGame], tuple[str]]:
        return load_game, (str(self),)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound; see `MAX_CHANCE_NODES`."""
        return MAX_CHANCE_NODES

    def new_initial_state(self) -> SpielState:
        """The state before the first card, or after the history in `after`."""
        return SpielState(self)

    def sample_state(self, view: View, key: int, stream: int) -> SpielState:
        """A state that a seat's VIEW allows; all hidden deals are equally likely.

        Nobody remembers more than their VIEWs contain.
        """
        episode = self.episode
        episode.imagine(view, key, stream)
        state = self.new_initial_state()
        state.load(episode)
        return state

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """An observer for what one player knows; raises `Fault` for any other kind."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self, kind, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state: the STATE as bytes, the one that players last saw, and each seat's history digest.

    OpenSpiel clones a state by copying its attributes; these are few and immutable.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._state = self._observed_state = game.initial_state
        self._player = game.first_player
        #: For each seat a digest of all its VIEWs and actions, the history of its information state
        self._digests = (b"",) * game.num_players()

    def _load(self, state: bytes) -> Episode:
        """The scratch episode with this STATE in it."""
        episode: Episode = self.get_game().episode
        episode.state = state
        return episode

    def load(self, episode: Episode) -> None:
        """Take over the STATE of the episode. Players see nothing new while cards are dealt."""
        self._state = episode.state
        self._player = _player_id(episode)
        if self._player != _CHANCE:
            self._observed_state = self._state
            self._digests = tuple(
                extend_digest(digest, episode.view_bytes(seat))
                for seat, digest in enumerate(self._digests)
            )

    # Playing

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's id of the chance or terminal player."""
        return self._player

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self._player == _TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self._load(self._state).legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that can come next, with their probabilities."""
        outcomes = self._load(self._state).chance_outcomes()
        total = sum(n for _, n in outcomes)
        return [(card, n / total) for card, n in outcomes]

    def _apply_action(self, action: int) -> None:
        episode = self._load(self._state)
        if self._player == _CHANCE:
            episode.deal(action)
        else:
            episode.play_action(action)
            digest = extend_digest(self._digests[self._player], b"%d" % action)
            self._set_digest(self._player, digest)
        self.load(episode)

    def _set_digest(self, seat: int, digest: bytes) -> None:
        self._digests = (*self._digests[:seat], digest, *self._digests[seat + 1 :])

    def _action_to_string(self, player: int, action: int) -> str:
        episode = self._load(self._state)
        if player == _CHANCE:
            return f"deal {episode.text.cards[action]}"
        return episode.action_text(action)

    def returns(self) -> list[float]:
        """Each seat's share of the win; zeros until the game is over."""
        return self._load(self._state).results()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state in the same information state of a player; all hidden deals are equally likely.

        What the other players have seen is hidden as well: in the new state they remember only what
        their VIEWs contain.
        """
        if self._player == _CHANCE:
            raise Fault(
                "a state cannot be resampled at a chance node, only when a player is to act"
            )
        episode = self._load(self._state)
        key, stream = (int(sampler() * _STREAM_RANGE) for _ in range(2))
        episode.resample(player, key, stream)
        resampled: SpielState = self.get_game().new_initial_state()
        resampled.load(episode)
        resampled._set_digest(player, self._digests[player])
        return resampled

    # For bots

    def question(self) -> Question:
        """The question to one of our bots on the seat to act: its VIEW and the legal moves."""
        return self._load(self._state).question()

    def action_of(self, move: int) -> int:
        """The action number of a legal move."""
        return self._load(self._state).action_of(move)

    def move_of(self, action: int) -> int:
        """The move that an action is; raises `Fault`."""
        return self._load(self._state).move_of(action)

    # Observing

    def observation(self, player: int) -> npt.NDArray[np.float32]:
        """The encoding of what a seat knows."""
        return self._load(self._observed_state).observation(player)

    def observation_text(self, player: int) -> str:
        """The view of a seat, as `theriac replay --json` prints it."""
        view = self._load(self._observed_state).view_from(player)
        return json.dumps(view, separators=(",", ":"))

    def information_state_text(self, player: int) -> str:
        """The view of a seat, and the digest of all its earlier views and actions."""
        return f"{self.observation_text(player)} {self._digests[player].hex()}"

    def __str__(self) -> str:
        episode = self._load(self._state)
        hands = [episode.view_from(seat)["hand"] for seat in range(episode.players)]
        return json.dumps({**episode.view_from(REFEREE), "hands": hands}, separators=(",", ":"))


def _player_id(episode: Episode) -> int:
    return _PLAYER_IDS.get(episode.to_act, episode.to_act)


def extend_digest(digest: bytes, data: bytes) -> bytes:
    """The digest of a seat's history with one more view or action."""
    return hashlib.blake2b(digest + data, digest_size=16).digest()


class Observer:
    """OpenSpiel's observer interface, for what one player knows."""

    def __init__(
        self, game: SpielGame, kind: pyspiel.IIGObservationType, params: Mapping[str, Any] | None
    ) -> None:
        if params:
            raise Fault(f"observers take no parameters, but got {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise Fault(
                "an observer shows what one player knows: use public_info=True and "
                "private_info=SINGLE_PLAYER"
            )
        self._perfect_recall = kind.perfect_recall
        self.tensor = np.zeros(game.episode.game.shape.features, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor."""
        self.tensor[:] = state.observation(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The observation, or with perfect recall the information state, as text."""
        if self._perfect_recall:
            return state.information_state_text(player)
        return state.observation_text(player)


def register(game: Game) -> None:
    """Register a game with OpenSpiel, in a class of its own."""
    subclass = type(f"{game.name.title()}Game", (SpielGame,), {"theriac_game": game})
    pyspiel.register_game(game_type(game), subclass)


for _game in all_games().values():
    register(_game)
