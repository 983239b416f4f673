"""One game between bots, always played to its end.

A bot that raises, answers with an illegal move, or exceeds the time limit forfeits the game: from
then on `random` plays all its seats.
"""

from __future__ import annotations

import contextlib
import operator
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec

from theriac.arena.luck import GameLuck, LuckMeter
from theriac.arena.schedule import GameKey, GameSpec
from theriac.arena.standings import final_standings
from theriac.arena.study import GameStudy, study_game
from theriac.bots import Bot, Question, ask, bot
from theriac.bots.style import HEURISTIC_STYLE, Style
from theriac.faults import quote
from theriac.game import find
from theriac.review.history import OpenMatch

#: Makes a bot from its spec and a seed.
BotFactory = Callable[[str, int], Bot]
#: The name of a bot, its seed, its seat.
BotKey = tuple[str, int, int]
BotCache = dict[BotKey, Bot]

#: Instead of the number of a move: a bot is asked for the first time, or the game is over.
WARM_UP = -1
AFTER_GAME = -2


class MoveTimer(Protocol):
    """Knows which bot is asked for a move, so that another process can see which takes too long."""

    def start(self, bot: int, move: int, seconds: float) -> None:
        """Bot number `bot` is asked for this move and should answer within `seconds`."""

    def stop(self) -> None:
        """It has answered."""


class GameResult(msgspec.Struct):
    """The result of a game: a line of `games.jsonl`. Lists have one item per seat."""

    key: GameKey
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
    study: GameStudy | None = None
    luck: GameLuck | None = None


class IllegalAnswer(Exception):
    """A bot answered something that is not a legal move."""


class ArenaGame:
    """One game: its match, its bots, and their times and forfeits.

    `cache` holds the bots of this and earlier games, so that a bot is not made twice for a deal.
    Each seat has its own bot.
    """

    def __init__(
        self,
        spec: GameSpec,
        make_bot: BotFactory,
        timer: MoveTimer,
        limit: float,
        cache: BotCache,
    ) -> None:
        self.spec = spec
        self.match = OpenMatch(find(spec.game), spec.options, seed=spec.seed)
        self.forfeits: dict[str, str] = {}
        self._make_bot = make_bot
        self._timer = timer
        self._limit = limit
        self._cache = cache
        self._names = list(spec.seeds)
        self._substitute = bot("random", next(iter(spec.seeds.values())))
        self._times: list[list[float]] = [[] for _ in spec.bots]
        self._luck: LuckMeter | None = None

    def warm_up(self, warmed_up: set[str], seconds: float) -> None:
        """Ask each new bot once, without counting it: it may have to compile."""
        question = self._question()
        for name in self._names:
            if name not in warmed_up and name not in self.spec.excluded:
                warmed_up.add(name)
                with self._timed(name, WARM_UP, seconds):
                    _attempt(self._answer, name, question)

    def close_unused_bots(self) -> None:
        """Close the bots in the cache that this game does not need."""
        needed = {self._bot_key(name, seat) for seat, name in enumerate(self.spec.bots)}
        for key in set(self._cache) - needed:
            self._close(key)

    def play(self) -> GameResult:
        """Play the whole game."""
        match = self.match
        if self.spec.luck:
            self._luck = LuckMeter(match, self.spec.luck, self._styles())
            self._luck.add_deal(match.before_deal())
        while not match.over:
            question = self._question()
            move = self._choose(question)
            if self._luck and not self.forfeits:
                self._play_measured(self._luck, question, move)
            else:
                match.play(match.text.write(move))
        for name, exclusion in self.spec.excluded.items():
            self.forfeits.setdefault(name, exclusion.reason)
        return self._result()

    def _play_measured(self, meter: LuckMeter, question: Question, move: int) -> None:
        """Play a move, and measure the luck of it and of what nature deals then."""
        chances = self._bot(self.spec.bots[question.seat], question.seat).policy(question)
        if chances is not None:
            meter.add_move(question.legal, chances, move)
        before = self.match.after(move)
        self.match.play(self.match.text.write(move))
        meter.add_deal(before)

    def _styles(self) -> list[Style]:
        """How each bot plays in playouts; one that cannot be made will forfeit when it is asked."""
        game, settings = self.match.game, self.match.settings
        found = []
        for seat, name in enumerate(self.spec.bots):
            made, failure = _attempt(self._bot, name, seat)
            found.append(HEURISTIC_STYLE if failure else made.style(game, settings))
        return found

    def announce_end(self) -> None:
        """Send each bot the final view of its seat, and close those that have forfeited."""
        for seat, name in enumerate(self.spec.bots):
            key = self._bot_key(name, seat)
            if key not in self._cache:
                continue
            if name in self.forfeits:
                self._close(key)
            else:
                with self._timed(name, AFTER_GAME, self._limit):
                    _attempt(self._cache[key].end, self.match.view(seat))

    def _question(self) -> Question:
        return ask(self.match, round(1000 * self._limit))

    def _choose(self, question: Question) -> int:
        """The bot's move, or that of `random` once the bot has forfeited."""
        name = self.spec.bots[question.seat]
        exclusion = self.spec.excluded.get(name)
        if exclusion and len(self.match.moves) >= exclusion.move:
            self.forfeits.setdefault(name, exclusion.reason)
        if name not in self.forfeits:
            move, failure = self._ask(name, question)
            if failure is None:
                return int(move)
            self.forfeits[name] = failure
        return self._substitute.answer(self._question())

    def _ask(self, name: str, question: Question) -> tuple[Any, str | None]:
        """The bot's answer, and why it forfeits if it does."""
        start = time.perf_counter()
        with self._timed(name, len(self.match.moves), self._limit):
            move, failure = _attempt(self._answer, name, question)
        seconds = time.perf_counter() - start
        self._times[question.seat].append(seconds)
        if failure is None and seconds > self._limit:
            failure = too_long(self._limit)
        return move, failure

    def _answer(self, name: str, question: Question) -> int:
        legal = question.legal.tolist()
        return _check_answer(self._bot(name, question.seat).answer(question), legal)

    def _bot(self, name: str, seat: int) -> Bot:
        key = self._bot_key(name, seat)
        if key not in self._cache:
            self._cache[key] = self._make_bot(name, self.spec.seeds[name])
        return self._cache[key]

    def _bot_key(self, name: str, seat: int) -> BotKey:
        return name, self.spec.seeds[name], seat

    def _close(self, key: BotKey) -> None:
        with self._timed(self._names[0], AFTER_GAME, self._limit):
            _attempt(self._cache.pop(key).close)

    @contextlib.contextmanager
    def _timed(self, name: str, move: int, seconds: float) -> Iterator[None]:
        self._timer.start(self._names.index(name), move, seconds)
        try:
            yield
        finally:
            self._timer.stop()

    def _result(self) -> GameResult:
        match, names = self.match, self.spec.bots
        view = match.view()
        forfeited = [seat for seat, name in enumerate(names) if name in self.forfeits]
        scores = match.look(None).scores[: match.players].tolist()
        shares, ranks = final_standings(
            scores, match.results(), forfeited, together=match.game.together
        )
        return GameResult(
            key=self.spec.key,
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
            study=study_game(match, self.spec.study) if self.spec.study else None,
            luck=self._luck.luck() if self._luck else None,
        )


def too_long(limit: float) -> str:
    """Why a slow bot forfeits."""
    return f"took longer than {limit:g} s for a move"


def _check_answer(answer: Any, legal: list[int]) -> int:
    """The answer as a number; raises `IllegalAnswer`."""
    try:
        move = operator.index(answer)
    except TypeError:
        raise IllegalAnswer(f"answered {quote(answer)}, which is not a move") from None
    if isinstance(answer, bool) or move not in legal:
        raise IllegalAnswer(f"answered {quote(answer)}, which is not legal")
    return move


def _attempt(call: Callable[..., Any], *arguments: Any) -> tuple[Any, str | None]:
    """Call a bot; returns its result, and what went wrong as text."""
    try:
        return call(*arguments), None
    except IllegalAnswer as error:
        return None, str(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a bot may raise anything
        return None, quote(f"raised {type(error).__name__}: {error}".rstrip(": "), 200)
