"""All games as games of OpenSpiel, registered when this module is imported.

>>> import pyspiel
>>> import theriac.adapters.openspiel
>>> game = pyspiel.load_game("theriac_poison(players=4)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())     # nature deals card by card
(True, 16)

The options of a game are its parameters. Where a value is a list, plus signs stand in it; `deck` is
a row of cards with spaces between them, or the name of a deck file that ends in ``.toml``.

>>> str(pyspiel.load_game("theriac_dungeon(players=2,level=1,spells=ice+silence)"))
'theriac_dungeon(level=1,players=2,spells=ice+silence)'

`after` begins the game later: a row of numbers, the cards and actions that came before (as
`state.history()` gives them). What is hidden by then is the same in all that follows, so begin
where nothing is, before a deal: the last round of a game is small enough to be solved.

**What a seat knows.** An observation is made from the seat's VIEW, an information state from all
VIEWs that it has been shown since the start and from its own moves: players of OpenSpiel never
forget. Nobody is shown anything while nature deals. The tensors of both are what `encode` makes
of the VIEW: what a careful player remembers is in it, but not the order of all that happened.
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
from theriac.deck import read_deck
from theriac.engine.contract import NATURE, NOBODY, REFEREE
from theriac.faults import BadDeck, Fault
from theriac.game import Game, all_games

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise missing(error, "openspiel") from error

#: OpenSpiel wants to know how many moves and how many cards a game can take. Not every game has
#: such a limit; this is more than games take.
MOST_MOVES = 100_000
MOST_DEALT = 1_000_000

_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_PLAYERS = {NATURE: _CHANCE, NOBODY: _TERMINAL}

#: Random streams have a key and a number of 32 bits each.
_WORDS = 1 << 32


def type_of(game: Game) -> Any:
    """What OpenSpiel knows of a game before it is loaded."""
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
        parameter_specification=parameters_of(game),
    )


def parameters_of(game: Game) -> dict[str, Any]:
    """The parameters of a game, and what holds when they are not given.

    >>> from theriac.game import find
    >>> parameters_of(find("poison"))
    {'players': 3, 'first': 0, 'deck': '', 'after': '', 'open_piles': False}
    """
    options = {option.name: option.default for option in game.options}
    lists = {name: "+".join(value) for name, value in options.items() if isinstance(value, list)}
    return {"players": game.players[0], "first": 0, "deck": "", "after": "", **options, **lists}


def read_parameters(game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are meant; raises `Fault`."""
    read = {option.name: option.read for option in game.options}
    options = {
        name: read[name](value) if name in read and isinstance(value, str) else value
        for name, value in parameters.items()
    }
    deck, _ = options.pop("deck"), options.pop("after")
    return options | (read_cards(game, deck) if deck else {})


def read_cards(game: Game, deck: str) -> dict[str, Any]:
    """The deck that is meant, as an option."""
    if not deck.endswith(".toml"):
        return {"deck": deck.split()}
    name, cards = read_deck(Path(deck))
    if name != game.name:
        raise BadDeck(f"{deck}: it is a deck of {name}, not of {game.name}")
    return {"deck": cards.option(game.shipped)}


def load_game(text: str) -> Any:
    """What `pyspiel.load_game` gives, in a process where nobody has imported this module yet."""
    return pyspiel.load_game(text)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options; `ours` is which, in a class of its own for each."""

    ours: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game, usual = self.ours, parameters_of(self.ours)
        given = {name: v for name, v in (parameters or {}).items() if v != usual.get(name)}
        self._options = read_parameters(game, {**usual, **given})
        self._desks = threading.local()
        self.start, self.first_player = self._begin(str(given.get("after", "")))
        together = game.together
        info = pyspiel.GameInfo(
            num_distinct_actions=self.episode.actions,
            max_chance_outcomes=game.shape.cards,
            num_players=self.episode.players,
            min_utility=0.0,
            max_utility=1.0 / self.episode.players if together else 1.0,
            utility_sum=None if together else 1.0,
            max_game_length=MOST_MOVES,
        )
        super().__init__(type_of(game), info, given)

    def _begin(self, after: str) -> tuple[bytes, int]:
        """The STATE to begin with, and who is to act in it."""
        episode = self.episode
        for ply in after.split():
            number = int(ply) if ply.isascii() and ply.isdigit() else ply
            if episode.to_act == NATURE:
                episode.deal(number)
            else:
                episode.act(number)
        if episode.over:
            raise Fault("after: the game is over by then, and there is nothing left to play")
        return episode.memory, _PLAYERS.get(episode.to_act, episode.to_act)

    @property
    def episode(self) -> Episode:
        """Where states are laid out to be played on: each thread has its own."""
        if not hasattr(self._desks, "episode"):
            self._desks.episode = Episode(self.ours, self._options)
        episode: Episode = self._desks.episode
        return episode

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    def max_chance_nodes_in_history(self) -> int:
        """More than there are."""
        return MOST_DEALT

    def new_initial_state(self) -> SpielState:
        """Before nature's first card."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """What looks at states for a player: of OpenSpiel's kinds, those of one player."""
        return Observer(self, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: the STATE, that which was last shown, and what each seat has seen.

    OpenSpiel copies a state by copying its attributes: here they are few and never change.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._memory = self._shown = game.start
        self._player = game.first_player
        #: For each seat a digest of all that it has seen and done.
        self._pages = (b"",) * game.num_players()

    def _episode(self, memory: bytes) -> Episode:
        episode: Episode = self.get_game().episode
        episode.memory = memory
        return episode

    def _take(self, episode: Episode) -> None:
        """Go on as in the match. Nobody is shown anything while nature deals."""
        self._memory = episode.memory
        self._player = _PLAYERS.get(episode.to_act, episode.to_act)
        if self._player != _CHANCE:
            self._shown = self._memory
            self._pages = tuple(
                turn(page, episode.see(seat)) for seat, page in enumerate(self._pages)
            )

    # Playing

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for nature or nobody."""
        return self._player

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self._player == _TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self._episode(self._memory).legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Nature's next card: each that there can be, and how likely it is."""
        outcomes = self._episode(self._memory).outcomes()
        total = sum(n for _, n in outcomes)
        return [(card, n / total) for card, n in outcomes]

    def _apply_action(self, action: int) -> None:
        episode = self._episode(self._memory)
        if self._player == _CHANCE:
            episode.deal(action)
        else:
            episode.act(action)
            pages = list(self._pages)
            pages[self._player] = turn(pages[self._player], b"%d" % action)
            self._pages = tuple(pages)
        self._take(episode)

    def _action_to_string(self, player: int, action: int) -> str:
        episode = self._episode(self._memory)
        return f"deal {episode.text.cards[action]}" if player == _CHANCE else episode.write(action)

    def returns(self) -> list[float]:
        """Each seat's share of the win; zeros until the game is over."""
        return self._episode(self._memory).results()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that looks the same to this player, all hidden deals being equally likely.

        What the others have seen before is hidden, too: in the new state they remember no more than
        their VIEWs hold.
        """
        if self._player == _CHANCE:
            raise Fault("nature is to deal: a state can be resampled when a player is to act")
        episode = self._episode(self._memory)
        episode.imagine(player, int(sampler() * _WORDS), int(sampler() * _WORDS))
        twin: SpielState = self.get_game().new_initial_state()
        twin.imagined(episode, player, self._pages[player])
        return twin

    def imagined(self, episode: Episode, player: int, page: bytes) -> None:
        """Become a state that this player has imagined, who has seen so much."""
        self._take(episode)
        self._pages = (*self._pages[:player], page, *self._pages[player + 1 :])

    # Looking

    def observation(self, player: int) -> npt.NDArray[np.float32]:
        """What a seat knows, as numbers."""
        return self._episode(self._shown).observe(player)

    def told(self, player: int) -> str:
        """What a seat is told, as `theriac replay --json` prints it."""
        return json.dumps(self._episode(self._shown).tell(player), separators=(",", ":"))

    def remembered(self, player: int) -> str:
        """The same, and a digest of all that the seat has seen and done before."""
        return f"{self.told(player)} {self._pages[player].hex()}"

    def __str__(self) -> str:
        episode = self._episode(self._memory)
        hands = [episode.tell(seat)["hand"] for seat in range(episode.players)]
        return json.dumps({**episode.tell(REFEREE), "hands": hands}, separators=(",", ":"))


def turn(page: bytes, seen: bytes) -> bytes:
    """The next page of what a seat remembers."""
    return hashlib.blake2b(page + seen, digest_size=16).digest()


class Observer:
    """Looks at states for a player, as OpenSpiel wants it."""

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise Fault(f"observers take no parameters, but {params} were given")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise Fault(
                "what is observed is what one player knows: all that is public, and its own"
            )
        self._recall = kind.perfect_recall
        self.tensor = np.zeros(game.episode.game.shape.features, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor."""
        self.tensor[:] = state.observation(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, or remembers, as text."""
        return state.remembered(player) if self._recall else state.told(player)


def register(game: Game) -> None:
    """Make a game known to OpenSpiel, which wants a class that lives as long as the process."""
    made = type(f"{game.name.title()}Game", (SpielGame,), {"ours": game})
    pyspiel.register_game(type_of(game), made)


for _game in all_games().values():
    register(_game)
