"""`theriac play dungeon`: the descriptions of moves and of the end, and whole games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command import SEED
from tests.forts import (
    DUNGEON,
    EASY,
    GUIDE,
    HEX,
    WIN,
    Drawing,
    alone,
    draw,
    easy,
    play,
    played,
    shown,
)
from theriac.bots import ask, bot
from theriac.cli import clock, terminal_game
from theriac.match import Match

# Descriptions


def describe_move(match: Match, move: str) -> str:
    before = match.look(0).copy()
    match.play(move)
    said: str = GUIDE.describe_move(
        before, match.look(0), match.settings.text.read(move), match.settings.text
    ).plain
    return " ".join(said.split())


def describe_end(match: Match, move: str) -> str:
    before = match.look(0).copy()
    match.play(move)
    number = match.settings.text.read(move)
    return shown(GUIDE.summarize_round(before, match.look(0), number, match.settings.text, ["you"]))


def test_moves_are_described() -> None:
    match = alone("2222t3", "0000", "0000", spells=["ice"])
    said = describe_move(match, "0000@1,1")
    assert said == "□0000 at 1,1 on 0,0 !8→6 a token lost, left: 0,0 ●●"
    said = describe_move(match, "0000@-1,-1")
    assert "on 0,0 !6→4 the creature at 0,0 falls, 2 tokens back" in said
    assert describe_move(match, "0000@-1,1").endswith(
        "draws the Black Knight, who must be laid at once"
    )
    assert describe_move(match, "4444t3K@2,2") == "♞4444t3K at 2,2 on 1,1 0→4"
    assert describe_move(match, "ice@2,2") == "✶ice: the Black Knight at 2,2 is frozen"
    assert describe_move(match, "timeout") == "the time has run out"


def test_a_turned_card_and_the_token_are_described() -> None:
    game = next(n for n in range(99) if "s@" in " ".join(played(20, n).moves))
    moves = played(20, game).moves
    before = next(k for k, move in enumerate(moves) if "s@" in move)
    assert "the token shows silence" in describe_move(played(before, game), moves[before])
    assert "turned at" in " ".join(
        describe_move(played(n, 0), played(n + 1, 0).moves[-1]) for n in range(8)
    )


def test_the_end_is_described() -> None:
    assert "The time has run out: the fort is lost. (KKD-23)" in describe_end(
        alone("0000"), "timeout"
    )
    match = Match(DUNGEON, {"players": 1, "deck": EASY, "level": 1}, seed=SEED, speed="plain")
    *moves, last = WIN.split()
    for move in moves:
        match.play(move)
    said = describe_end(match, last)
    assert "The Black Knight is defeated: the fort is won! (KKD-22)" in said
    assert f"A spell is won: ✶{match.view()['table']['spells'][0]}" in said
    match = alone("0000c2", "9000", "0000", treasure=True)
    assert "c2" in Drawing(draw(match)).inside(0, 0)
    loud = alone("0000", "9000", "0000")
    loud.play("0000@1,1")
    assert "The alarm: the corridor at 1,1 shows 9: the fort is lost. (KKD-15)" in describe_end(
        loud, "9000@2,2"
    )
    late = alone("2222t3", "0000", "0000")
    for move in ("0000@1,1", "0000@2,2"):
        late.play(move)
    assert "the creature at 0,0 has no token left: the fort is lost. (KKD-17)" in describe_end(
        late, "0000@3,3"
    )


# Whole games


def test_a_whole_game_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed: list[str] = []
    match = Match(DUNGEON, {"players": 3, "minutes": 0}, seed=SEED, speed="plain")

    def answer(prompt: str, legal: list[str]) -> str:
        typed.append(match.settings.text.write(bot("greedy").answer(ask(match))))
        return typed[-1]

    monkeypatch.setenv("THERIAC_JIT", "0")
    monkeypatch.setattr(terminal_game, "read_line", answer)
    assert terminal_game.TerminalGame(match, 0, "greedy", tmp_path / "here.json").run()
    lines = "\n".join(typed)
    said, record = play(tmp_path, lines, "dungeon", "--seed", HEX, "--set", "minutes=0")
    assert record["moves"] == match.moves
    assert "you have seat 0, with 2 greedy bots" in said.out
    assert ("All win together" in said.out) == bool(match.winners())
    assert clock.KEY not in record
    assert len(re.findall(r"^(?:you|seat \d) +\S+", said.out, re.MULTILINE)) == len(match.moves)
    assert max(map(len, said.out.splitlines())) <= 80 + len(str(tmp_path)) + 50


def test_alone_by_letters(tmp_path: Path) -> None:
    typed = "0000\nd\nlook 0000\nlook\n0000 d\n0000@2,2\n2211 3,3\n0000 4 2\n"
    said, record = play(tmp_path, typed, *easy(tmp_path))
    assert record["moves"] == WIN.split()
    assert "you have seat 0, alone" in said.out
    assert said.out.count("place  x,y") == 2
    assert "at (d), which is 1,1" in said.out
    assert "look needs a card of your hand, or the letter of a place" in said.out
    assert "★ Won" in said.out


def test_refusals(tmp_path: Path) -> None:
    typed = "0000 0,0\n0000 5,5\n2211 a\n0000 zz\n1\ntimeout\nice A\nq\n"
    said, record = play(tmp_path, typed, *easy(tmp_path))
    assert record["moves"] == []
    for sentence in (
        "0000@0,0: a card lies there already (KKD-11)",
        "0000@5,5: that place covers no corner",
        "2211t3K is not in hand (KKD-09)",
        "no place is called zz: they are a to d",
        "1: a move is a card and a place",
        "timeout is the clock's move",
        "the spell ice is not held",
        "Saved. Continue with",
    ):
        assert sentence in said.out
