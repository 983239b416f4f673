"""`theriac bot`: a bot that another program uses, over the line protocol."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bots.samples import GAMES, PYTHON, tables
from tests.command import call, process, start
from theriac.bots import ask, bot
from theriac.bots.protocol import (
    MAX_LINE_BYTES,
    end_message,
    hello_message,
    question_message,
    write_line,
)
from theriac.bots.service import serve
from theriac.faults import BadBot
from theriac.game import Game, all_games
from theriac.match import Match


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def converse(spec: str, *said: Any) -> list[dict[str, Any]]:
    """The answers of a bot to messages, or to raw lines."""
    lines = [line if isinstance(line, bytes) else write_line(line) for line in said]
    answers: list[bytes] = []
    serve(spec, io.BytesIO(b"".join(lines)), answers.append)
    return [json.loads(answer) for answer in answers]


@pytest.mark.parametrize("spec", ["greedy", "random", "greedy:slip=0.5"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_answers_as_the_bot_itself_does(game: Game, spec: str) -> None:
    """The whole VIEW arrives: otherwise random numbers would differ."""
    own = bot(spec, 1 << 63)
    for match in tables(game, seed=11):
        question = ask(match)
        hello = hello_message(question, 1 << 63, 10)
        name, answer = converse(spec, hello, question_message(question, 10))
        assert name == {"name": spec}
        assert answer == {"move": match.settings.text.write(own.answer(question))}


def test_a_whole_game_through_a_process_is_the_same_as_with_the_bot_itself() -> None:
    through, own = bot(f"process:{PYTHON} -m theriac bot greedy", 5), bot("greedy", 5)
    one, two = (
        Match(all_games()["poison"], {"players": 4}, seed=bytes(32), speed="plain") for _ in "12"
    )
    try:
        while not one.over:
            assert through.play(one) == own.play(two)
    finally:
        through.close()
    assert two.over


def test_messages_in_the_wrong_order_or_shape() -> None:
    match = next(tables(all_games()["poison"]))
    question = ask(match)
    hello, asked = hello_message(question, 1, 10), question_message(question, 10)
    other = (question.seat + 1) % match.players
    known = asked["known"]
    wrong: list[tuple[Any, str]] = [
        (asked, "a question before the greeting"),
        ({**hello, "theriac": 2}, '"theriac" is 2, not 1'),
        ({**hello, "game": "chess"}, "no game is called chess"),
        ({**hello, "game": 5}, '"game" is missing, or is not a text'),
        ({**hello, "options": {"players": 9, "first": 0}}, "option players: 9 is not 3, 4, 5 or 6"),
        ({**hello, "options": []}, '"options" is missing, or is not an object'),
        ({**hello, "seat": 6}, "seat 6: there are seats 0 to 5"),
        ({**hello, "seat": True}, '"seat" is missing, or is not a whole number'),
        ({**hello, "seed": -1}, '"seed" is not a number from 0 to 2**64 - 1'),
        ({}, 'a message without "theriac", "view" or "end"'),
        (b"hello\n", "a line that is not a JSON object: hello"),
        (b"\xff\n", "a line that is not a JSON object"),
    ]
    answers = converse("greedy", *(message for message, _ in wrong))
    for answer, (_, sentence) in zip(answers, wrong, strict=True):
        assert sentence in answer["error"]
    wrong = [
        ({**asked, "view": None}, '"legal" is missing, or is not a list'),
        ({**asked, "view": {"legal": []}}, "a question without legal moves"),
        ({**asked, "view": {"legal": ["Z9"]}}, '"legal" holds Z9, which is not a move'),
        ({**asked, "view": {"legal": [7]}}, '"legal" holds 7, which is not a move'),
        ({**asked, "known": None}, '"known" is missing, or is not an object'),
        ({**asked, "known": {}}, '"known" has no numbers to_act such as poison needs'),
        (
            {**asked, "known": {**known, "hand": [1]}},
            '"known" has hand of the shape (1,), not (16,)',
        ),
        ({**asked, "known": {**known, "hand": "x"}}, '"known" has no numbers hand'),
        ({**asked, "known": {**known, "to_act": 1 << 40}}, '"known" has no numbers to_act'),
        ({**asked, "known": {**known, "to_act": other}}, f"the question is for seat {other}"),
        ({**asked, "ms": "soon"}, '"ms" is soon, not a whole number or null'),
    ]
    answers = converse("greedy", hello, *(message for message, _ in wrong), asked)
    for answer, (_, sentence) in zip(answers[1:-1], wrong, strict=True):
        assert sentence in answer["error"]
    assert set(answers[-1]) == {"move"}  # earlier messages are forgotten


def test_the_end_is_not_answered_and_ends_the_greeting() -> None:
    question = ask(next(tables(all_games()["poison"])))
    hello, asked = hello_message(question, 1, 10), question_message(question, 10)
    answers = converse("greedy", hello, asked, end_message({}), asked, {**hello, "seed": 2}, asked)
    assert [next(iter(answer)) for answer in answers] == ["name", "move", "error", "name", "move"]


def test_a_line_that_is_too_long_is_refused() -> None:
    answers = converse("greedy", b"x" * MAX_LINE_BYTES + b"\n", b"\n")
    assert "a line of more than 1048576 bytes" in answers[0]["error"]


def test_the_command_answers_at_once_and_exits_at_the_end_of_input(tmp_path: Path) -> None:
    question = ask(next(tables(all_games()["poison"])))
    with start(tmp_path, "bot", "greedy") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for message, key in (
            (hello_message(question, 1, 10), "name"),
            (question_message(question, 10), "move"),
        ):
            running.stdin.write(write_line(message))
            running.stdin.flush()
            assert key in json.loads(running.stdout.readline())
        rest, err = running.communicate(timeout=120)
    assert (running.returncode, rest, err) == (0, b"", b"")


def test_a_bot_behind_a_bot_behind_a_bot() -> None:
    chain = f"process:{PYTHON} -m theriac bot 'process:{PYTHON} -m theriac bot greedy'"
    question = ask(next(tables(all_games()["poison"])))
    behind = bot(chain, 3)
    try:
        assert behind.answer(question) == bot("greedy", 3).answer(question)
    finally:
        behind.close()
    broken = bot(f"process:{PYTHON} -m theriac bot 'process:{PYTHON} -c 1/0'")
    with pytest.raises(BadBot, match=r"gave up: the bot process:.*ZeroDivisionError"):
        broken.answer(question)


def test_an_unknown_bot_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "bot", "deep")
    assert (said.status, said.out) == (2, "")
    assert "no bot is called deep" in said.err
    assert process(tmp_path, "bot").status == 2
