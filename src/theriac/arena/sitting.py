"""One game between bots, played to its end whatever they do.

A bot that raises, answers what is no legal move, or takes longer than the limit forfeits the game:
from there on `random` plays for it, on all its seats.
"""

from __future__ import annotations

import contextlib
import operator
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec

from theriac.arena.plan import Key, Seating
from theriac.arena.standing import settle
from theriac.arena.study import Studied, study
from theriac.bots import Bot, Question, ask, bot
from theriac.faults import quote
from theriac.game import find
from theriac.match import Match

Make = Callable[[str, int], Bot]
#: The name of a bot, its seed, its seat.
Place = tuple[str, int, int]
Shelf = dict[Place, Bot]

#: Instead of the number of a move: a bot is asked once to get going; the game is over for it.
WARMING = -1
AFTERWARDS = -2


class Clock(Protocol):
    """Is told whose move it is, so that somebody else can see who takes too long."""

    def start(self, who: int, move: int, seconds: float) -> None:
        """Bot number `who` is asked for this move and should answer in so many seconds."""

    def stop(self) -> None:
        """It has answered."""


class Played(msgspec.Struct):
    """What is kept of a game; lists have an entry a seat."""

    key: Key
    players: int
    first: int
    bots: list[str]
    scores: list[int]
    shares: list[float]
    ranks: list[int]
    moves: list[int]
    seconds: list[float]
    median: list[float]
    longest: list[float]
    forfeits: dict[str, str]
    rounds: int
    why: str | None = None
    study: Studied | None = None


class Nonsense(Exception):
    """An answer that is no legal move."""


class Sitting:
    """One game: its table, its bots, and what they have done.

    `shelf` holds the bots of this and earlier games: those that a game needs again are not made
    anew. Each seat has a bot of its own.
    """

    def __init__(
        self, seating: Seating, make: Make, clock: Clock, limit: float, shelf: Shelf
    ) -> None:
        self.seating = seating
        self.match = Match(find(seating.game), seating.options, seed=seating.seed)
        self.forfeits: dict[str, str] = {}
        self._make = make
        self._clock = clock
        self._limit = limit
        self._shelf = shelf
        self._names = list(seating.seeds)
        self._stand_in = bot("random", next(iter(seating.seeds.values())))
        self._times: list[list[float]] = [[] for _ in seating.bots]

    def warm(self, known: set[str], seconds: float) -> None:
        """Ask each bot that is not known once, uncounted: it may have to compile."""
        question = self._question()
        for name in self._names:
            if name not in known and name not in self.seating.barred:
                known.add(name)
                with self._timed(name, WARMING, seconds):
                    _attempt(self._answer, name, question)

    def clear_shelf(self) -> None:
        """Let go of the bots that this game does not need."""
        needed = {self._place(name, seat) for seat, name in enumerate(self.seating.bots)}
        for place in set(self._shelf) - needed:
            self._close(place)

    def play(self) -> Played:
        """The whole game."""
        match = self.match
        while not match.over:
            match.play(match.settings.text.write(self._choose(self._question())))
        for name, bar in self.seating.barred.items():
            self.forfeits.setdefault(name, bar.why)
        return self._result()

    def tell_end(self) -> None:
        """Tell each bot what its seat sees at the end, and let go of those that have forfeited."""
        for seat, name in enumerate(self.seating.bots):
            place = self._place(name, seat)
            if place not in self._shelf:
                continue
            if name in self.forfeits:
                self._close(place)
            else:
                with self._timed(name, AFTERWARDS, self._limit):
                    _attempt(self._shelf[place].end, self.match.view(seat))

    def _question(self) -> Question:
        return ask(self.match, round(1000 * self._limit))

    def _choose(self, question: Question) -> int:
        """A legal move: the bot's, or that of `random` once it has forfeited."""
        name = self.seating.bots[question.seat]
        bar = self.seating.barred.get(name)
        if bar and len(self.match.moves) >= bar.move:
            self.forfeits.setdefault(name, bar.why)
        if name not in self.forfeits:
            move, why = self._ask(name, question)
            if why is None:
                return int(move)
            self.forfeits[name] = why
        return self._stand_in.answer(self._question())

    def _ask(self, name: str, question: Question) -> tuple[Any, str | None]:
        """What the bot answers, and why it forfeits if it does."""
        start = time.perf_counter()
        with self._timed(name, len(self.match.moves), self._limit):
            move, why = _attempt(self._answer, name, question)
        took = time.perf_counter() - start
        self._times[question.seat].append(took)
        return move, too_long(self._limit) if why is None and took > self._limit else why

    def _answer(self, name: str, question: Question) -> int:
        legal = question.legal.tolist()
        return _read(self._find(name, question.seat).answer(question), legal)

    def _find(self, name: str, seat: int) -> Bot:
        place = self._place(name, seat)
        if place not in self._shelf:
            self._shelf[place] = self._make(name, self.seating.seeds[name])
        return self._shelf[place]

    def _place(self, name: str, seat: int) -> Place:
        return name, self.seating.seeds[name], seat

    def _close(self, place: Place) -> None:
        with self._timed(self._names[0], AFTERWARDS, self._limit):
            _attempt(self._shelf.pop(place).close)

    @contextlib.contextmanager
    def _timed(self, name: str, move: int, seconds: float) -> Iterator[None]:
        self._clock.start(self._names.index(name), move, seconds)
        try:
            yield
        finally:
            self._clock.stop()

    def _result(self) -> Played:
        match, names = self.match, self.seating.bots
        view = match.view()
        out = [seat for seat, name in enumerate(names) if name in self.forfeits]
        scores = match.look(None).scores[: match.players].tolist()
        shares, ranks = settle(scores, match.results(), out, together=match.game.together)
        return Played(
            key=self.seating.key,
            players=match.players,
            first=int(match.settings.options.first),
            bots=list(names),
            scores=scores,
            shares=shares,
            ranks=ranks,
            moves=[len(times) for times in self._times],
            seconds=[round(sum(times), 6) for times in self._times],
            median=[round(statistics.median(times or [0.0]), 6) for times in self._times],
            longest=[round(max(times, default=0.0), 6) for times in self._times],
            forfeits=self.forfeits,
            rounds=view["round"],
            why=match.end_clause,
            study=study(match, self.seating.study) if self.seating.study else None,
        )


def too_long(limit: float) -> str:
    """Why a slow bot forfeits."""
    return f"took longer than {limit:g} s for a move"


def _read(answer: Any, legal: list[int]) -> int:
    """The move that was answered; raises `Nonsense`."""
    try:
        move = operator.index(answer)
    except TypeError:
        raise Nonsense(f"answered {quote(answer)}, which is no move") from None
    if isinstance(answer, bool) or move not in legal:
        raise Nonsense(f"answered {quote(answer)}, which is not legal")
    return move


def _attempt(work: Callable[..., Any], *arguments: Any) -> tuple[Any, str | None]:
    """What a bot does, and what was wrong with it, in words."""
    try:
        return work(*arguments), None
    except Nonsense as error:
        return None, str(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return None, quote(f"raised {type(error).__name__}: {error}".rstrip(": "), 200)
