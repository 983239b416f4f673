"""Specs of bots: names, parameters, levels, and bots of installed packages."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bots.samples import GAMES, PYTHON, tables
from theriac.bots import Bot, GreedyBot, Question, RandomBot, ask, bot, bot_names, levels, list_bots
from theriac.bots.levels import LEVELS, bots_of
from theriac.bots.process import ProcessBot
from theriac.bots.registry import LevelBot
from theriac.faults import Fault
from theriac.game import all_games


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def test_the_name_of_a_bot_is_its_spec() -> None:
    made = bot("greedy:slip=0.25", 9)
    assert isinstance(made, GreedyBot)
    assert (made.name, made.seed) == ("greedy:slip=0.25", 9)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "",
            "no bot is called '': there are random, greedy, search, guided, neural, process",
        ),
        ("deep", "no bot is called deep: there are random, greedy"),
        ("Greedy", "no bot is called Greedy"),
        ("greedy:slip", "bot greedy: slip is not a parameter: write NAME=VALUE"),
        ("greedy:slip=", "bot greedy: slip= is not a number from 0 to 1"),
        ("greedy:slip=often", "bot greedy: slip=often is not a number from 0 to 1"),
        ("greedy:slip=1.5", "bot greedy: slip=1.5 is not a number from 0 to 1"),
        ("greedy:slip=-0.1", "bot greedy: slip=-0.1 is not a number from 0 to 1"),
        ("greedy:slip=nan", "bot greedy: slip=nan is not a number from 0 to 1"),
        ("greedy:slip=0.1,slip=0.2", "bot greedy: slip is given twice"),
        ("search:ms=5,curiosity=1", "parameter curiosity was renamed: write exploration=1"),
        ("search:few=4", "bot search: the parameter few was renamed: write playout_width=4"),
        ("search:again=2", "bot search: the parameter again was renamed: write reuse=2"),
        ("greedy:few=4", "bot greedy: it has no parameter few: it takes slip"),
        ("greedy:slip=0.1,", "bot greedy: '' is not a parameter: write NAME=VALUE"),
        ("greedy:skill=1", "bot greedy: it has no parameter skill: it takes slip"),
        ("random:slip=0.1", "bot random: it has no parameter slip: it takes none"),
        ("easy:slip=0.1", "bot easy: it has no parameter slip: it takes none"),
        ("neural:temperature=-1", "bot neural: temperature=-1 is not a number from 0 to 10"),
        ("neural:heat=1", "bot neural: the parameter heat was renamed: write temperature=1"),
        ("neural:width=5", "bot neural: it has no parameter width: it takes file or temperature"),
        ("process:", "bot process: no program is named: write process:python mybot.py"),
        ("process", "bot process: no program is named: write process:python mybot.py"),
        ("process:no-such-program x", "bot process: no program is called no-such-program"),
        ("process:'x", "bot process: 'x: no closing quotation"),
        ("process:limit=0:python", "bot process: limit=0 is not a number from 0.01 to 3600"),
        ("process:time=5:python", "bot process: it has no parameter time: it takes limit, start"),
        ("process:log=/no/where:python", "bot process: /no/where cannot be written: No such file"),
    ],
)
def test_bad_specs_are_refused(spec: str, sentence: str) -> None:
    with pytest.raises(Fault) as fault:
        bot(spec)
    assert sentence in str(fault.value)


def test_a_command_may_hold_anything() -> None:
    command = f"{PYTHON} -c 'print(\"a=b,c:d\")' x=1,y=2: z"
    for spec in (f"process:{command}", f"process:limit=2,start=3:{command}"):
        made = bot(spec)
        assert isinstance(made, ProcessBot)
        assert made._command == [sys.executable, "-c", 'print("a=b,c:d")', "x=1,y=2:", "z"]
        assert made._limit == (2 if "limit" in spec else 10)
        assert made._start_limit == (3 if "limit" in spec else 30)


# Levels


def test_levels_name_existing_bots_and_games() -> None:
    assert list(LEVELS) == ["beginner", "easy", "medium", "hard", "expert", "master"]
    for level in LEVELS:
        bot(level).close()
    for game in all_games().values():
        assert set(game.levels) <= set(LEVELS)
        for spec in game.levels.values():
            bot(spec).close()


def test_a_level_is_the_bot_that_its_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LEVELS", {**LEVELS, "easy": "random"})
    changed = {game.name: replace(game, levels={}) for game in GAMES}
    changed[GAMES[1].name] = replace(GAMES[1], levels={"easy": "greedy"})
    monkeypatch.setattr(levels, "all_games", lambda: changed)
    for game, spec in ((GAMES[0], "random"), (GAMES[1], "greedy"), (GAMES[-1], "random")):
        questions = [ask(match) for match in tables(game, seed=6)]
        answers = [bot(spec, 3).answer(question) for question in questions]
        assert [bot("easy", 3).answer(question) for question in questions] == answers


SMALL_DECK = "R1 R4 R7 B1 B4 B7 P1 P4 P7 X X X".split()


@pytest.mark.parametrize(
    ("options", "trained"),
    [({}, True), ({"open_piles": True}, False), ({"deck": SMALL_DECK}, False)],
)
def test_where_a_network_was_not_trained_a_level_plays_as_in_other_games(
    options: dict[str, Any], trained: bool
) -> None:
    poison = all_games()["poison"]
    settings = poison.settings({"players": 4, "first": 1, **options})
    made = bot("expert")
    assert isinstance(made, LevelBot)
    made.check(poison, settings)
    expected = poison.levels["expert"] if trained else LEVELS["expert"]
    assert made._bot_for(poison, settings).name == expected
    made.close()


def worths_of(question: Question) -> list[float]:
    engine = question.game.engine()
    return [engine.advise(question.view, move) for move in question.legal.tolist()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_slip_is_near_the_best(game: Any) -> None:
    slipped = 0
    for match in tables(game, seed=7, count=8):
        question = ask(match)
        worths = worths_of(question)
        ranks = sorted(set(worths), reverse=True)
        move = bot("greedy:slip=1").answer(question)
        rank = ranks.index(worths[question.legal.tolist().index(move)])
        assert rank <= min(2, max(1, (len(ranks) + 1) // 2))
        assert rank > 0 or len(ranks) < 3
        slipped += rank > 0
    assert slipped


def test_slips_come_as_often_as_asked() -> None:
    questions = [ask(match) for match in tables(all_games()["poison"], seed=8, count=12)]
    counts = []
    for slip in (0, 0.3, 0.8):
        pairs = [
            (
                bot(f"greedy:slip={slip}", seed).answer(question),
                bot("greedy", seed).answer(question),
            )
            for question in questions
            for seed in range(20)
        ]
        counts.append(sum(slipped != best for slipped, best in pairs) / len(pairs))
    assert counts[0] == 0
    assert 0.2 < counts[1] < 0.4
    assert 0.65 < counts[2] < 0.95


# Installed packages


class Fixed(Bot):
    """Plays the legal move at a place in the list.

    More is not said here.
    """

    def __init__(self, name: str, seed: int = 0, place: int = 0, mood: str = "calm") -> None:
        super().__init__(name, seed)
        self.place = place
        self.mood = mood

    def answer(self, question: Question) -> int:
        return int(question.legal[self.place % len(question.legal)])


def free(name: str, seed: int, **parameters: Any) -> Bot:
    """Takes anything."""
    if "bad" in parameters:
        raise TypeError("bad is not good")
    made = RandomBot(name, seed)
    made.name = repr(parameters)
    return made


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip installs it, with bots of which one cannot be loaded."""
    info = tmp_path / "otherbots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otherbots\nVersion: 1.0\n")
    points = ["fixed = tests.bots.test_registry:Fixed", "free = tests.bots.test_registry:free"]
    points += ["broken = no_such_module:Bot", "greedy = tests.bots.test_registry:Fixed"]
    (info / "entry_points.txt").write_text("\n".join(["[theriac.bots]", *points, ""]))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("installed")
def test_bots_of_packages_can_be_used() -> None:
    question = ask(next(tables(GAMES[0])))
    assert bot("fixed").answer(question) == question.legal[0]
    assert bot("fixed:place=2").answer(question) == question.legal[2]
    moody = bot("fixed:mood=7")
    assert isinstance(moody, Fixed)
    assert moody.mood == "7"
    assert bot("free:ms=5,wide=yes,kind=deep").name == "{'ms': 5, 'wide': True, 'kind': 'deep'}"
    assert isinstance(bot("greedy"), GreedyBot)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("fixed:place=far", "bot fixed: place=far is not a whole number"),
        ("fixed:plays=1", "bot fixed: it has no parameter plays: it takes place or mood"),
        ("free:bad=1", "bot free:bad=1: bad is not good"),
        ("broken", "bot broken of the package otherbots cannot be loaded: No module named"),
        ("none", "beginner, easy, medium, hard, expert, master, broken, fixed and free"),
    ],
)
def test_bad_specs_of_installed_bots_are_refused(spec: str, sentence: str) -> None:
    with pytest.raises(Fault) as fault:
        bot(spec)
    assert sentence in str(fault.value)


@pytest.mark.usefixtures("installed")
def test_the_list_has_them_all() -> None:
    entries = {entry.name: entry for entry in list_bots()}
    assert list(entries) == bot_names()
    assert entries["fixed"].kind == "installed"
    assert entries["fixed"].help == "Plays the legal move at a place in the list."
    assert [each.name for each in entries["fixed"].parameters or ()] == ["place", "mood"]
    assert entries["free"].parameters is None
    assert "cannot be loaded" in entries["broken"].help
    assert entries["greedy"].kind == "house"
    assert entries["medium"].games == bots_of("medium")
