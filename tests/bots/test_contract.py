"""The contract of every bot: a legal answer that depends only on its seed and its seat's view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.bots.samples import GAMES, SPECS, spec_names, tables
from theriac.bots import Bot, Question, ask, bot
from theriac.bots.registry import BUILT_IN
from theriac.engine.records import records
from theriac.faults import BadBot
from theriac.game import Game

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_bot = pytest.mark.parametrize("spec", SPECS, ids=spec_names())


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that need no compiled rules do not wait for them."""
    monkeypatch.setenv("THERIAC_JIT", "0")


def sit(spec: str, seed: int = 7) -> Iterator[Bot]:
    """A bot that is closed afterwards."""
    seated = bot(spec, seed)
    try:
        yield seated
    finally:
        seated.close()


@pytest.fixture
def seated(spec: str) -> Iterator[Bot]:
    yield from sit(spec)


@pytest.fixture
def twin(spec: str) -> Iterator[Bot]:
    yield from sit(spec)


def copy(question: Question) -> Question:
    """A copy of a question, in other memory with other bytes in the padding of the record."""
    view = records(question.game.shape.view, 1)
    np.asarray(view).view(np.uint8)[:] = 0xA5
    for name in question.view.dtype.names:
        view[0][name] = question.view[name]
    return replace(question, view=view[0], legal=question.legal.copy())


def memory_of(question: Question) -> list[bytes]:
    """All bytes of a question."""
    return [each.tobytes() for each in (question.view, question.legal, question.settings.options)]


def test_every_built_in_bot_is_here() -> None:
    assert {spec.partition(":")[0] for spec in SPECS} >= set(BUILT_IN)


@each_game
@each_bot
def test_answers_are_legal_and_equal_for_equal_views(
    game: Game, spec: str, seated: Bot, twin: Bot
) -> None:
    questions = [ask(match) for match in tables(game)]
    answers = [seated.answer(question) for question in questions]
    for question, answer in zip(questions, answers, strict=True):
        assert answer in question.legal
    # Again, by another bot with that seed and by the same one, in another order.
    assert [twin.answer(copy(question)) for question in reversed(questions)] == answers[::-1]
    assert [seated.answer(copy(question)) for question in questions] == answers


@each_game
@each_bot
def test_what_a_seat_cannot_know_changes_no_answer(game: Game, spec: str, seated: Bot) -> None:
    changed = 0
    for match in tables(game, seed=2, count=3):
        answer = seated.answer(ask(match))
        before = bytes(match._memory)
        engine = game.engine("plain")
        stream = engine.chance().random
        for number in range(2):
            engine.seed_stream(stream, 5, number)
            engine.imagine(match.look(match.to_act).copy(), stream, match._g)
            changed += bytes(match._memory) != before
            assert seated.answer(ask(match)) == answer
            match._memory[:] = np.frombuffer(before, np.uint8).reshape(match._memory.shape)
    assert changed, "nothing was hidden: this test would hold of anything"


@each_game
@each_bot
def test_a_question_is_not_changed(game: Game, spec: str, seated: Bot) -> None:
    for match in tables(game, seed=3, count=2):
        question = ask(match)
        kept = memory_of(question)
        seated.answer(question)
        assert memory_of(question) == kept


@each_bot
def test_other_seeds_can_answer_otherwise(spec: str) -> None:
    """In some position: a bot that uses no random numbers needs no seed."""
    questions = [ask(match) for game in GAMES[:2] for match in tables(game, seed=4)]
    answers = set()
    for seed in range(6):
        for seated in sit(spec, seed):
            answers.add(tuple(seated.answer(question) for question in questions))
    assert len(answers) > 1


@each_game
def test_a_question_has_the_view_of_the_match(game: Game) -> None:
    for match in tables(game, seed=5):
        assert ask(match).view_dict() == match.view(match.to_act)
        assert list(ask(match).view_dict()) == list(match.view(match.to_act))


@each_game
def test_a_question_holds_nothing_beside_the_fields_of_the_view(game: Game) -> None:
    """No bytes of other memory, which can be hidden cards, are in the padding of the record."""
    for match in tables(game, seed=5):
        view = ask(match).view
        zeroed = records(game.shape.view, 1)
        for name in view.dtype.names:
            zeroed[0][name] = view[name]
        assert view.tobytes() == zeroed.tobytes()


def test_an_illegal_answer_raises_and_changes_nothing() -> None:
    class Nonsense(Bot):
        def answer(self, question: Question) -> int:
            return -5

    match = next(tables(GAMES[0]))
    moves = list(match.moves)
    with pytest.raises(BadBot, match="the bot silly answered -5, which is not a legal move"):
        Nonsense("silly").play(match)
    assert match.moves == moves
