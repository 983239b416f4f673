"""A bot that is a program: the messages it gets, and everything that can go wrong with it."""

from __future__ import annotations

import json
import os
import queue
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bots.samples import GAMES, LINE_BOT, PYTHON, tables
from theriac.bots import Bot, Question, ask, bot
from theriac.bots.line_worker import LineWorker
from theriac.bots.process import ProcessBot
from theriac.bots.protocol import MAX_LINE_BYTES
from theriac.bots.supervisor import Supervisor
from theriac.faults import BadBot, Fault
from theriac.game import Game, all_games
from theriac.match import Match

BEGIN = """
import json, os, subprocess, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def receive():
    return json.loads(sys.stdin.readline())
"""
GREET = "receive(); say(name='x'); question = receive()\n"

Make = Callable[..., Bot]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a bot of a script; all are closed afterwards."""
    made: list[Bot] = []

    def make_one(script: str, parameters: str = "", seed: int = 1) -> Bot:
        file = tmp_path / f"bot {len(made)}.py"
        file.write_text(BEGIN + script)
        command = f"{PYTHON} {shlex.quote(str(file))}"
        made.append(bot(f"process:{parameters}{':' if parameters else ''}{command}", seed))
        return made[-1]

    yield make_one
    for each in made:
        each.close()


@pytest.fixture
def question() -> Question:
    return ask(next(tables(all_games()["poison"])))


def messages_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def recorder(path: Path) -> str:
    """A script that records what it receives and plays the last legal move."""
    return f"""
with open({str(path)!r}, "a") as notes:
    for line in sys.stdin:
        notes.write(line)
        notes.flush()
        message = json.loads(line)
        if "theriac" in message: say(name="recorder", more=1)
        if "view" in message: say(move=message["view"]["legal"][-1], sure=0.5)
"""


# The messages it gets


def test_it_gets_greetings_questions_and_the_end(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    recording = make(recorder(notes), "limit=5", seed=12)
    match = Match(all_games()["poison"], {"players": 3}, seed=bytes(32), speed="plain")
    seats = []
    views = []
    for _ in range(3):
        seats.append(match.to_act)
        views.append(match.view(match.to_act))
        assert recording.play(match) == views[-1]["legal"][-1]
    recording.end(match.view(seats[-1]))
    recording.close()
    received = messages_in(notes)
    assert [next(iter(message)) for message in received] == ["theriac", "view"] * 3 + ["end"]
    first = match.settings.options.first
    for n, seat in enumerate(seats):
        options = {"players": 3, "first": first}
        hello = {"theriac": 1, "game": "poison", "options": options}
        assert received[2 * n] == {**hello, "seat": seat, "seed": 12, "limit": 5.0}
        assert list(received[2 * n + 1]) == ["view", "known", "ms"]
        assert received[2 * n + 1]["view"] == views[n]
        assert received[2 * n + 1]["ms"] is None
    assert received[-1]["end"] == match.view(seats[-1])


def test_one_greeting_per_game(make: Make, tmp_path: Path, question: Question) -> None:
    notes = tmp_path / "notes"
    recording = make(recorder(notes))
    recording.answer(question)
    recording.answer(question)
    recording.end({"over": True})
    recording.answer(question)
    recording.close()
    kinds = [next(iter(message)) for message in messages_in(notes)]
    assert kinds == ["theriac", "view", "view", "end", "theriac", "view"]


def test_it_gets_the_time_limit(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    recording = make(recorder(notes), "limit=2")
    match = next(tables(GAMES[0]))
    for ms in (None, 50, 5000):
        recording.answer(ask(match, ms))
    recording.close()
    questions = [message for message in messages_in(notes) if "view" in message]
    assert [message["ms"] for message in questions] == [None, 50, 2000]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_gets_nothing_that_its_seat_cannot_know(game: Game, make: Make, tmp_path: Path) -> None:
    """Not even in the numbers."""
    notes = tmp_path / "notes"
    recording = make(recorder(notes))
    match = next(tables(game, seed=9))
    recording.answer(ask(match))
    engine = game.engine("plain")
    stream = engine.chance().random
    engine.seed_stream(stream, 3, 0)
    before = bytes(match._memory)
    engine.imagine(match.look(match.to_act).copy(), stream, match._g)
    assert bytes(match._memory) != before
    recording.answer(ask(match))
    recording.close()
    questions = [line for line in notes.read_bytes().splitlines() if line.startswith(b'{"view"')]
    assert len(questions) == 2
    assert questions[0] == questions[1]


def test_every_question_fits_into_a_line(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    recording = make(recorder(notes))
    for game in GAMES:
        for match in tables(game, seed=10, count=10):
            recording.answer(ask(match))
    recording.close()
    longest = max(map(len, notes.read_bytes().splitlines()))
    assert longest < MAX_LINE_BYTES / 10


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_example_plays_whole_games(game: Game) -> None:
    match = Match(game, {"players": game.players[0]}, seed=bytes(32), speed="plain")
    example = bot(LINE_BOT)
    try:
        while not match.over:
            example.play(match)
        example.end(match.view(0))
    finally:
        example.close()


# Failures


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("", "ended with status 0"),
        ("sys.exit(3)", "ended with status 3"),
        ("1/0", "ended with status 1: ZeroDivisionError: division by zero"),
        (
            "receive(); say(move='R1@1')",
            "answered the greeting with {'move': 'R1@1'}, which is not",
        ),
        ("receive(); say(name=3)", "answered the greeting with 3, which is not a name"),
        ("receive(); say(error='only chess')", "gave up: only chess"),
        (GREET + "os._exit(4)", "ended with status 4"),
        (GREET + "say(move='R9@9')", "answered R9@9, which is not a legal move"),
        (GREET + "say(move=5)", "answered 5, which is not a legal move"),
        (GREET + "say(move=[1])", "answered [1], which is not a legal move"),
        (GREET + "say()", "answered {}, which is not a legal move"),
        (GREET + "say(move=question['view']['legal'][0] + ' ')", "which is not a legal move"),
        (GREET + "say(error=None)", "gave up: None"),
        (GREET + "print('thinking', flush=True)", "a line that is not a JSON object: thinking"),
        (GREET + "print('[1]', flush=True)", "a line that is not a JSON object: [1]"),
        (GREET + "print(flush=True)", "a line that is not a JSON object: ''"),
        (GREET + "print('[' * 100000, flush=True)", "a line that is not a JSON object: [[["),
        (GREET + "print('1' * 5000, flush=True)", "a line that is not a JSON object: 111"),
        (GREET + "os.write(1, bytes([255, 10]))", "a line that is not a JSON object"),
        (GREET + "os.write(1, b'x' * 3000000)", "a line of more than 1048576 bytes"),
        (GREET + "os.close(1); time.sleep(60)", "closed its output"),
        (GREET + "time.sleep(60)", "gave no answer within 0.5 seconds"),
        (GREET + "print('{', end='', flush=True); time.sleep(60)", "no answer within 0.5 seconds"),
        ("time.sleep(60)", "gave no answer within 0.6 seconds"),
    ],
)
def test_the_error_says_what_went_wrong(
    script: str, why: str, make: Make, question: Question
) -> None:
    limits = "limit=0.5,start=0.6" if "0.6" in why else "limit=0.5" if "0.5" in why else ""
    bad = make(script, limits)
    with pytest.raises(BadBot) as fault:
        bad.answer(question)
    assert why in str(fault.value)
    assert str(fault.value).startswith("the bot process:")
    assert len(str(fault.value).splitlines()) == 1
    assert isinstance(bad, ProcessBot)
    assert not bad._supervisor.running


def test_unasked_output_is_an_error(make: Make, question: Question, tmp_path: Path) -> None:
    twice = make(
        GREET + "legal = question['view']['legal'][0]\nsay(move=legal)\nsay(move=legal)\nreceive()"
    )
    twice.answer(question)
    wait_for(lambda: not lines_of(twice).empty())
    with pytest.raises(BadBot, match="without being asked"):
        twice.answer(question)


def test_endless_output_is_an_error(make: Make, question: Question) -> None:
    flood = make("receive()\nwhile True: say(name='x')")
    with pytest.raises(BadBot):
        for _ in range(10):
            flood.answer(question)


def test_a_program_that_does_not_read_times_out() -> None:
    """More is sent than a pipe holds."""
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    deaf = Supervisor(lambda: LineWorker(command))
    begun = time.monotonic()
    with pytest.raises(Fault, match=r"gave no answer within 0\.5 seconds"):
        deaf.request({"long": "x" * 500_000}, 0.5)
    assert time.monotonic() - begun < 100


def test_it_exits_between_two_questions(make: Make, question: Question) -> None:
    brief = make(GREET + "say(move=question['view']['legal'][0]); sys.exit('I am tired')")
    brief.answer(question)
    wait_for(lambda: not lines_of(brief).empty())  # the end of its output
    with pytest.raises(BadBot, match="ended with status 1: I am tired"):
        brief.answer(question)


def test_it_is_restarted_after_a_failure(make: Make, question: Question, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    better = make(
        GREET + f"flag = {str(flag)!r}\nif not os.path.exists(flag):\n    open(flag, 'w'); 1/0\n"
        "say(move=question['view']['legal'][0]); receive()"
    )
    with pytest.raises(BadBot, match="ZeroDivisionError"):
        better.answer(question)
    assert better.answer(question) in question.legal


def test_it_is_killed_with_what_it_has_started(
    make: Make, question: Question, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    script = (
        f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
"""
        + GREET
        + "time.sleep(300)"
    )
    with pytest.raises(BadBot, match="no answer within 1 seconds"):
        make(script, "limit=1,start=100").answer(question)
    for pid in map(int, pids.read_text().split()):
        wait_for(lambda pid=pid: not runs(pid))  # type: ignore[misc]


def runs(pid: int) -> bool:
    """Is there a process with this id that is not a zombie?"""
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return status != "Z"


def lines_of(made: Bot) -> queue.Queue[bytes | None]:
    """What a bot has printed and nobody has read."""
    assert isinstance(made, ProcessBot)
    worker = made._supervisor.worker
    assert isinstance(worker, LineWorker)
    return worker._lines


def wait_for(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + 100  # the machine may be busy
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_it_exits_when_it_is_closed(make: Make, question: Question, tmp_path: Path) -> None:
    polite = make(
        GREET + "say(move=question['view']['legal'][0])\nsys.stdin.read()\n"
        f"open({str(tmp_path / 'bye')!r}, 'w')"
    )
    polite.answer(question)
    polite.close()
    assert (tmp_path / "bye").exists()
    stubborn = make(
        GREET + f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "say(move=question['view']['legal'][0])\ntime.sleep(300)"
    )
    stubborn.answer(question)
    stubborn.close()
    assert not runs(int((tmp_path / "pid").read_text()))


def test_it_does_not_outlive_its_bot(question: Question) -> None:
    lost = bot(LINE_BOT)
    lost.answer(question)
    assert isinstance(lost, ProcessBot)
    pid = lost._supervisor.worker.pid
    assert runs(pid)
    del lost
    wait_for(lambda: not runs(pid))


def test_what_it_writes_to_standard_error_goes_to_the_log(
    make: Make, question: Question, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    script = (
        GREET + "sys.stderr.write('one\\ntwo\\n' * 50000); say(move=question['view']['legal'][0])"
    )
    for _ in range(2):
        noisy = make(script, f"log={log}")
        noisy.answer(question)
        noisy.close()
    assert log.read_text() == "one\ntwo\n" * 100_000
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="needs a file that is not a program")
def test_a_program_that_cannot_be_started_is_reported(tmp_path: Path, question: Question) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\0")
    file.chmod(0o755)
    with pytest.raises(BadBot, match=r"cannot be started: .*Exec format error"):
        bot(f"process:{file}").answer(question)
