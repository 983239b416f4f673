"""What happened in a finished game, event by event, with the full state after each.

The states stay in this package: what leaves it are values and texts of moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from theriac.bots.simple import is_slip
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.records import Ints, Moves, View, record, records_over
from theriac.engine.valuation import words_of
from theriac.faults import BadRecord
from theriac.game import Game
from theriac.match import Match
from theriac.record import replay_each_as

Kind = Literal["start", "deal", "move"]


@dataclass(frozen=True)
class Moment:
    """A position of the game, and the event that led to it."""

    kind: Kind
    #: The number of moves made so far, and the round.
    moves_made: int
    round: int
    #: Who made the move, and which; for nature nobody, and no move.
    seat: int | None = None
    move: str | None = None


@dataclass(frozen=True)
class Choice:
    """A move of a seat that had a choice, with what it could know.

    `moment` is the index of the position after the move.
    """

    moment: int
    #: The number of the move, from 1.
    n: int
    seat: int
    view: View
    #: The legal moves, and the one made: also where it was made by the clock of the game.
    tried: Moves
    made: int
    #: The moves that the reference policy makes, each equally likely, and those that it makes by a
    #: slip, likewise; none, if it rates all moves equal. Indices into `tried`.
    policy: npt.NDArray[np.intp]
    slips: npt.NDArray[np.intp]
    #: All moves, those that the game's heuristics rate best first.
    by_rating: npt.NDArray[np.intp]

    @cached_property
    def made_index(self) -> int:
        """The index of the move made."""
        return int(np.flatnonzero(self.tried == self.made)[0])


@dataclass
class History:
    """A finished game: its positions from the first on, and its choices."""

    game: Game
    settings: Any
    moments: list[Moment] = field(default_factory=list)
    #: The state of each position as a row of words.
    states: list[Ints] = field(default_factory=list)
    #: The round in which playouts from each position stop: the next one. A position between two
    #: rounds is in its limit already.
    limits: list[int] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.settings.players)

    def add(self, moment: Moment, state: Ints, limit: int) -> None:
        """Add a position."""
        self.moments.append(moment)
        self.states.append(state)
        self.limits.append(limit)

    def thinned(self, count: int, random: Random) -> History:
        """Only `count` positions, drawn at random, and the last one; no choices."""
        last = len(self.moments) - 1
        kept = sorted(random.sample(range(1, last), min(count, last - 1)))
        found = History(self.game, self.settings)
        for k in (*kept, last):
            found.add(self.moments[k], self.states[k], self.limits[k])
        return found

    def text(self, move: int) -> str:
        """A move as it is written."""
        written: str = self.settings.text.write(move)
        return written


class OpenMatch(Match):
    """A match whose states can be copied: for finished games only."""

    @classmethod
    def at(cls, record: Mapping[str, Any], moves: int) -> OpenMatch:
        """The match of a record after this number of moves."""
        return next(itertools.islice(replay_each_as(cls, record), moves, None))

    def state_words(self) -> Ints:
        """The state as a row of words."""
        words = np.zeros(words_of(self.game.shape), np.int64)
        words.view(np.uint8)[: len(self._memory)] = self._memory
        return words

    def before_deal(self) -> Ints:
        """The state before the first card."""
        words = np.zeros(words_of(self.game.shape), np.int64)
        g = records_over(words, self.game.shape.state)[0]
        self._engine.setup(g, self.settings.options)
        return words

    def after(self, move: int) -> Ints:
        """The state after a legal move and before nature's next card."""
        words = self.state_words()
        self._engine.play(records_over(words, self.game.shape.state)[0], move)
        return words

    def round_of(self, words: Ints) -> int:
        """The round of a state."""
        return int(records_over(words, self.game.shape.state)[0].rounds)

    def to_act_of(self, words: Ints) -> int:
        """Who acts in a state."""
        return int(records_over(words, self.game.shape.state)[0].to_act)

    def choice(self, moment: int, move: int) -> Choice:
        """What the seat to act knows, and what it and the policy can play."""
        legal = self.legal_numbers()
        view = record(self.game.shape.view)
        self._engine.see(self._g, self.actor, view)
        ratings = np.zeros(len(legal))
        self._engine.advise_moves(view, np.array(legal, np.int64), ratings)
        tried = legal if move in legal else [*legal, move]
        by_rating = np.argsort(-ratings, kind="stable")
        return Choice(
            moment,
            len(self.moves) + 1,
            self.actor,
            view,
            np.array(tried, np.int64),
            move,
            np.flatnonzero(ratings == ratings.max()),
            np.flatnonzero(is_slip(ratings) & (ratings < ratings.max())),
            by_rating if move in legal else np.append(by_rating, len(legal)),
        )

    @property
    def round(self) -> int:
        """The number of the round."""
        return int(self._now.rounds)


def read_history(record: Mapping[str, Any]) -> History:
    """The events of a record; raises `Fault`, also if the game is not over."""
    matches = replay_each_as(OpenMatch, record)
    match = next(matches)
    found = History(match.game, match.settings)
    start = match.before_deal()
    found.add(Moment("start", 0, match.round), start, match.round_of(start))
    found.add(Moment("deal", 0, match.round), match.state_words(), match.round + 1)
    for n, text in enumerate(record["moves"], 1):
        if match.over or match.refusal(text) is not None:
            next(matches)  # says what is wrong
        move, seat = match.text.read(text), match.actor
        choice = match.choice(len(found.moments), move)
        if len(choice.tried) > 1:
            found.choices.append(choice)
        words, limit = match.after(move), match.round + 1
        found.add(Moment("move", n, match.round, seat, match.text.write(move)), words, limit)
        next(matches)
        if match.to_act_of(words) == NATURE:
            found.add(Moment("deal", n, match.round), match.state_words(), match.round + 1)
    if match.actor != NOBODY:
        raise BadRecord(
            f"the game is not over: seat {match.actor} is to move after {len(match.moves)} moves; "
            f"only a finished game can be reviewed"
        )
    return found
