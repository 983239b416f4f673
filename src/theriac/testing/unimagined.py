"""What a seat cannot rule out, and `imagine` never gives.

Another game that looks the same to a seat (`history`) ends in another state behind the same view.
Every hidden fact in which the two states differ must hold in some imagined states, and not hold in
others: that a card is in a hand, as well as that a bid which lies face down is 4. So neither a
second implementation of the rules nor a list of what is hidden is needed.

Only the fields on which the game depends are compared (`dependence`).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

from theriac.engine.records import records
from theriac.engine.rule import Speed
from theriac.game import Game, Settings, Text
from theriac.testing.dependence import Dependence
from theriac.testing.facts import Fact, HiddenFacts, Place
from theriac.testing.history import Alternative, History, Stepper

#: Up to this many facts of a seat are few.
_FEW: Final = 6
_BATCH: Final = 20
#: A number is missed only if there were this many states for each number at its place, and two
#: facts only if chance alone would have put them together in this many.
_PER_NUMBER: Final = 20
_TOGETHER: Final = 30
_FOR_PAIRS: Final = 1000
#: One of this many positions is examined.
_ONE_IN: Final = 4


class Question(NamedTuple):
    """Is there an imagined state with this fact (or without it), and with another one besides?"""

    fact: Fact
    without: bool
    besides: tuple[Fact, ...]

    def is_answered_by(self, held: frozenset[Fact]) -> bool:
        """Is this what we look for, if these are its facts?"""
        return (self.fact in held) != self.without and held.issuperset(self.besides)

    def had_its_chance(self, seen: Counter[Fact], drawn: int) -> bool:
        """Were there enough states? `seen` says in how many of those drawn each fact was."""
        numbers = len(numbers_at(self.fact.place, seen))
        together = [seen[self.fact] * seen[fact] / drawn for fact in self.besides]
        return drawn >= _PER_NUMBER * (numbers + 1) and all(n >= _TOGETHER for n in together)

    def sentence(self, viewer: int, text: Text, imagined: Collection[int]) -> str:
        """What is wrong if no state answers it; `imagined` are the numbers found in that place."""
        if self.fact.kind != "value":
            how = "always" if self.without else "never"
            said = f"imagine {how} puts {_what(self.fact, text)} into {_where(self.fact)}"
        elif len(imagined) == 1:
            said = f"imagine always makes {_where(self.fact)} {min(imagined)}"
        else:
            said = f"imagine never makes {_where(self.fact)} {self.fact.number}"
        for fact in self.besides:
            has = "is" if fact.kind == "value" else "has"
            said += f" when {_where(fact)} {has} {_what(fact, text)}"
        return f"{said}, but seat {viewer} cannot know that: draw from all states that fit the view"


def numbers_at(place: Place, seen: Counter[Fact]) -> set[int]:
    """The numbers that were imagined at a place."""
    return {fact.number for fact in seen if fact.place == place}


def _where(fact: Fact) -> str:
    name, index = fact.place
    return name + "".join(f"[{i}]" for i in index)


def _what(fact: Fact, text: Text) -> str:
    is_card = fact.kind == "card" and fact.number < len(text.cards)
    return text.cards[fact.number] if is_card else f"{fact.number}"


class Imagination:
    """What the seats of a game imagine, compared with what they cannot rule out."""

    def __init__(self, game: Game, speed: Speed, samples: int) -> None:
        """What none of `samples` imagined states has counts as never imagined."""
        self._game, self._speed, self._samples = game, speed, samples
        self._stepper = Stepper(game.engine(speed))
        self._facts = HiddenFacts(game.shape)
        self._dependence = Dependence(game)
        self._stream = self._stepper.engine.chance().random
        self._stepper.engine.seed_stream(self._stream, 5, 0)

    def find_fault(
        self, settings: Settings, seed: int, positions: int, every_seat: bool = True
    ) -> str:
        """Play random games, and look at some positions from every seat, or from the one to act: a
        sentence about what is never imagined; "" if nothing is missing.
        """
        for history in itertools.islice(self._positions(settings, seed), positions):
            seats = range(history.players) if every_seat else [int(history.g.to_act)]
            for fault in self._faults(history, seats):
                return fault
        return ""

    def _positions(self, settings: Settings, seed: int) -> Iterator[History]:
        """Positions of random games: every few moves, and after some of the secret ones."""
        for number in itertools.count(seed):
            history = History(self._game, settings, self._speed, number)
            while not history.over:
                if history.random.randrange(2 if history.is_last_secret else _ONE_IN) == 0:
                    yield history
                history.play()

    def _faults(self, history: History, seats: Iterable[int]) -> Iterator[str]:
        """What these seats should imagine now and do not."""
        others = list(history.alternatives())
        for viewer in seats:
            view = self._stepper.see(history.g, viewer)
            questions: set[Question] = set()
            for other in others:
                if self._stepper.see(other.state, viewer).tobytes() == view.tobytes():
                    questions |= self._questions(history, other)
            yield from self._unanswered(viewer, view, questions, history.text)

    def _questions(self, history: History, other: Alternative) -> set[Question]:
        """Both states can be, so each fact on which the game depends can be as in either."""
        true, false = self._facts.of(history.g), self._facts.of(other.state)
        fields = {fact.place[0] for fact in true ^ false}
        essential = {
            name for name in fields if self._dependence.depends_on(name, history.g, other.state)
        }
        differing = {fact for fact in true ^ false if fact.place[0] in essential}
        found = {Question(fact, without, ()) for fact in differing for without in (True, False)}
        # What somebody chose must go together with whatever else this player may have. Of many
        # cards two are seldom in one hand, so this is asked for small hands only.
        own = {
            fact
            for fact in true & false
            if fact.place[1][:1] == (other.actor,) and fact.place[0] in self._dependence.essential
        }
        if len(own) <= _FEW:
            found |= {Question(choice, False, (fact,)) for choice in differing for fact in own}
        return found

    def _unanswered(
        self, viewer: int, view: Any, questions: set[Question], text: Text
    ) -> Iterator[str]:
        """Sentences about questions to which no imagined state is the answer."""
        fields = {fact.place[0] for one in questions for fact in (one.fact, *one.besides)}
        seen: Counter[Fact] = Counter()
        drawn = 0
        while questions and drawn < self._most_states(questions):
            states = records(self._game.shape.state, _BATCH)
            self._stepper.engine.imagine_many(view, self._stream, states)
            drawn += _BATCH
            for held in (self._facts.of(g, fields) for g in states):
                questions = {one for one in questions if not one.is_answered_by(held)}
                seen.update(held)
        for one in sorted(questions):
            if one.had_its_chance(seen, drawn):
                yield one.sentence(viewer, text, numbers_at(one.fact.place, seen))

    def _most_states(self, questions: set[Question]) -> int:
        """How many states are imagined: less where only pairs of facts are missing."""
        only_pairs = all(one.besides for one in questions)
        return min(_FOR_PAIRS, self._samples) if only_pairs else self._samples
