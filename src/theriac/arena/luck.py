"""Luck in a game between bots: what chance gave each seat, as terms that are zero on average.

At an event, chance picked one of several possible next states, with known probabilities: nature
dealt, or a bot drew a move from a policy that is known. Each of these states is valued, and the
luck of the event is the value of the state that came, less the mean of all. Its expectation is
exactly 0, however good or bad the values are, so results without luck have the same mean, and less
noise: AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, 2018).

The value of a state is the share of the win that playouts bring, to the end of the round and by
`prospect` from there on. In them each seat plays in the style of its bot (`Bot.style`): a state is
worth more to a bot that makes more of it. Playouts have random numbers of their own. Where nature
deals, the other possible states are dealt again from the state before; the one that came is one of
several deals of which none is special.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence

import msgspec
import numpy as np

from theriac.arena.schedule import LuckConfig
from theriac.bots.guided import guide_of
from theriac.bots.network import catalogue_of
from theriac.bots.style import Style
from theriac.engine.contract import NATURE
from theriac.engine.guided_search import Guide, GuidedBuffers
from theriac.engine.inference import NetworkArrays
from theriac.engine.records import Floats, Ints, records_over
from theriac.engine.search import SearchBuffers
from theriac.engine.styled_playouts import Styles
from theriac.engine.valuation import ValuationBuffers
from theriac.game import Game
from theriac.review.history import OpenMatch

#: States that nature might have dealt, with the one that it did.
_DEALS_COMPARED = 8
#: At most this many moves of a policy are compared.
_MAX_MOVES = 16


class GameLuck(msgspec.Struct):
    """The luck of each seat, as shares of the win: by nature, and by the policies of bots."""

    nature: list[float]
    policies: list[float]
    #: What it took to compute, in seconds.
    seconds: float


class LuckMeter:
    """Adds up the luck in one game. `styles` are those of the bots, by seat."""

    def __init__(self, match: OpenMatch, config: LuckConfig, styles: Sequence[Style]) -> None:
        assert match.seed is not None
        self._match = match
        self._game: Game = match.game
        self._engine = match.game.engine()
        self._players = match.players
        self._playouts = config.playouts
        self._seed = match.seed
        self._chance = self._engine.chance()
        self._buffers = ValuationBuffers.of(self._game.shape)
        self._styles = Styles(
            np.array([style.kind for style in styles], np.int64),
            np.array([style.temperature for style in styles]),
        )
        self._guide = _guide(match, styles)
        search = SearchBuffers.of(self._game.shape)
        self._guided = GuidedBuffers.of(search, self._guide.network)
        self._events = 0
        self._seconds = 0.0
        self._nature = np.zeros(self._players)
        self._policies = np.zeros(self._players)

    def luck(self) -> GameLuck:
        """The luck so far."""
        return GameLuck(
            [round(value, 9) for value in self._nature.tolist()],
            [round(value, 9) for value in self._policies.tolist()],
            round(self._seconds, 6),
        )

    def add_deal(self, before: Ints) -> None:
        """Nature has dealt from this state to the one of the match."""
        if self._match.to_act_of(before) != NATURE:
            return
        start = time.perf_counter()
        states, key = [self._match.state_words()], self._key("deal")
        for number in range(1, _DEALS_COMPARED):
            states.append(before.copy())
            g = records_over(states[-1], self._game.shape.state)[0]
            self._engine.forget_packs(self._chance)
            self._engine.seed_stream(self._chance.random, key, number)
            self._engine.advance(g, self._chance)
        limit = 1 + max(self._match.round_of(state) for state in states)
        chances = np.full(len(states), 1 / len(states))
        # Many deals with few playouts each tell the mean better than the reverse.
        few = max(2, self._playouts // 2)
        self._nature += self._luck_of_event(states, limit, chances, 0, few)
        self._seconds += time.perf_counter() - start

    def add_move(self, legal: Ints, chances: Floats, made: int) -> None:
        """A bot that plays each legal move with these chances is about to make this one."""
        start = time.perf_counter()
        possible = np.flatnonzero(chances > 0)
        others = possible[legal[possible] != made]
        if not len(others) or len(others) == len(possible):
            return
        if len(others) >= _MAX_MOVES:
            random = np.random.default_rng(abs(self._key("moves")))
            others = random.choice(others, _MAX_MOVES - 1, replace=False)
        compared = np.append(others, np.flatnonzero(legal == made))
        states = [self._match.after(int(move)) for move in legal[compared]]
        weights = chances[compared] / chances[compared].sum()
        limit = 1 + self._match.round
        came = len(compared) - 1
        self._policies += self._luck_of_event(states, limit, weights, came, self._playouts)
        self._seconds += time.perf_counter() - start

    def _luck_of_event(
        self, states: Sequence[Ints], limit: int, chances: Floats, came: int, playouts: int
    ) -> Floats:
        """The value of the state that came less the mean of all, for each seat.

        What differs only by the noise of playouts is scaled down. The scale depends on all states
        alike, not on which came: so the expectation stays 0.
        """
        values = self._values(np.array(states), limit, playouts)
        above = values - np.einsum("m,kmp->kp", chances, values)[:, None]
        means = above.mean(axis=0)
        signal = float(np.einsum("m,mp->", chances, means**2))
        noise = float(np.einsum("m,mp->", chances, above.var(axis=0, ddof=1))) / len(above)
        scale = max(0.0, 1 - noise / signal) if signal > 0 else 0.0
        luck: Floats = scale * means[came]
        return luck

    def _values(self, states: Ints, limit: int, playouts: int) -> Floats:
        """For each playout, state and seat the share of the win; all states have equal cards."""
        count, moves = len(states), len(self._match.moves)
        values = np.zeros((playouts, count, self._players))
        self._engine.follow_styles(
            states,
            np.full(count, moves + 1),
            np.full(count, limit),
            self._key("value"),
            self._styles,
            self._guide,
            self._buffers,
            self._guided,
            values,
        )
        return values

    def _key(self, purpose: str) -> int:
        """A key of random numbers, different for each event and purpose."""
        self._events += 1
        text = f"theriac arena luck 1 {self._seed.hex()} {self._events} {purpose}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


def _guide(match: OpenMatch, styles: Sequence[Style]) -> Guide:
    """The network of the playouts: that of the first seat that has one; else one of zeros."""
    game, settings = match.game, match.settings
    network = next((style.network for style in styles if style.network), None)
    if network:
        return guide_of(game, settings, network)
    blank = NetworkArrays.blank(game.shape.features, 1)
    return Guide(blank, catalogue_of(settings.text), match.players, game.together)
