"""`theriac play dungeon`: the drawing of the fort, typing, the clock, the adventure."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from rich.console import Console, RenderableType

from tests.command import SEED, Outcome, new_table, process
from tests.playing import some_move
from tests.test_cli_play import Terminal, saved
from theriac.bots import ask, bot
from theriac.cli import adventure, clock, match
from theriac.cli.clock import Clock, TimeUp
from theriac.cli.screen import Guide, find_guide
from theriac.faults import Fault
from theriac.game import find
from theriac.record import replay
from theriac.table import Table

DUNGEON = find("dungeon")
GUIDE = cast(Guide, find_guide(DUNGEON))
HEX = SEED.hex()

# A fort that one player wins, or loses, in a few moves.
EASY = ["0000"] * 8 + ["2211t3K"]
WIN = "0000@1,1\n0000@2,2\n2211t3K@3,3\n0000@4,2\n"
LOSE = "0000@1,1\n0000@2,2\n2211t3K@3,3\n0000@-1,-1\n0000@-2,-2\n0000@-3,-3\n"


def shown(drawing: RenderableType, columns: int = 80) -> str:
    console = Console(file=io.StringIO(), width=columns, color_system=None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def draw(table: Table, columns: int = 80) -> str:
    names = [f"seat {seat}" for seat in range(table.players)]
    return shown(GUIDE.draw(table.look(table.to_act), table.settings.text, names), columns)


def played(moves: int, number: int = 0, **options: Any) -> Table:
    """A table after so many sensible moves."""
    random = Random(number)
    table = Table(DUNGEON, {"players": 3, **options}, seed=bytes([number]) * 32, speed="plain")
    while len(table.moves) < moves and not table.over:
        table.play(some_move(table, random))
    return table


def alone(*cards: str, **options: Any) -> Table:
    """One player with six cards 0000 and this card in the fort; more cards come from the pile."""
    deck = ["0000"] * 6 + [*cards, "4444t3K"]
    given = {"players": 1, "first": 0, "level": 1, "deck": deck, **options}
    return Table(DUNGEON, given, deals=[deck[:-1], ["fireball"]], speed="plain")


# The drawing


class Drawing:
    """A drawing read again: what stands at a place, and at its corners."""

    def __init__(self, drawn: str) -> None:
        self.lines = [line.ljust(200) for line in drawn.splitlines()]
        heads = re.finditer(r"-?\d+", self.lines[0])
        middles = [((head.start() + head.end()) / 2, int(head[0])) for head in heads]
        self.first = middles[0][1]
        self.pitch = round((middles[-1][0] - middles[0][0]) / (len(middles) - 1))
        self.down = {7: 3, 4: 2}[self.pitch]
        self.rows: dict[int, int] = {}
        for row, line in enumerate(self.lines):
            label = re.match(r" *(-?\d+)(?=[ │║])", line)
            if row and label:
                self.rows.setdefault(int(label[1]), row)
        self.ruler = max(len(str(y)) for y in self.rows)

    def corner(self, x: int, y: int, corner: int) -> str:
        """What stands at a corner of a place."""
        row = self.rows[y] - 1 + self.down * (corner // 2)
        return self.lines[row][self._column(x) + self.pitch * (corner % 2)]

    def inside(self, x: int, y: int) -> str:
        """What stands in a place, and on the lower edge of a small one."""
        left = self._column(x) + 1
        rows = range(self.rows[y], self.rows[y] + 2)
        return " ".join(self.lines[row][left : left + self.pitch - 1] for row in rows)

    def edge(self, x: int, y: int) -> str:
        """The left side of a card."""
        return self.lines[self.rows[y]][self._column(x)]

    def _column(self, x: int) -> int:
        return self.ruler + (x - self.first) * self.pitch


def shared_corner(fort: list[dict[str, Any]], card: dict[str, Any], corner: int) -> int:
    """KKD-11: the number of the card laid later."""
    step = {0: (-1, -1), 1: (1, -1), 2: (-1, 1), 3: (1, 1)}[corner]
    at = card["x"] + step[0], card["y"] + step[1]
    other = next((other for other in fort if (other["x"], other["y"]) == at), None)
    if other is not None and fort.index(other) > fort.index(card):
        card, corner = other, 3 - corner
    return int(card["card"][3 - corner if card["turned"] else corner])


def free_places(table: Table) -> set[tuple[int, int]]:
    return {
        (int(found[1]), int(found[2]))
        for move in table.legal()
        if (found := re.fullmatch(r"\d.*@(-?\d+),(-?\d+)", move))
    }


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("moves", [0, 4, 15, 30])
def test_every_card_is_drawn_where_it_lies(moves: int, columns: int) -> None:
    for number in range(2):
        table = played(moves, number)
        if table.over:
            continue
        drawing = Drawing(draw(table, columns))
        fort = table.view()["table"]["fort"]
        for card in fort:
            x, y = card["x"], card["y"]
            standing = "t" in card["card"] and not card["defeated"]
            assert drawing.edge(x, y) == ("║" if standing else "│")
            told = drawing.inside(x, y)
            assert re.search(r"\d+", told)[0] == str(card["danger"])  # type: ignore[index]
            assert told.count("●") == card["tokens"]
            for corner in range(4):
                number_there = shared_corner(fort, card, corner)
                assert drawing.corner(x, y, corner) == str(number_there)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("moves", [0, 7, 20])
def test_every_place_has_its_own_letter_where_it_is(moves: int, columns: int) -> None:
    table = played(moves)
    assert not table.over
    drawing = Drawing(draw(table, columns))
    labels = {place: drawing.inside(*place).strip(" ()") for place in free_places(table)}
    labels = {place: re.split(r"[^a-z]", label)[0] for place, label in labels.items()}
    assert all(labels.values())
    in_order = [labels[place] for place in sorted(labels, key=lambda place: place[::-1])]
    assert in_order == sorted(set(in_order), key=lambda label: (len(label), label))
    text = table.settings.text
    card = table.view(table.to_act)["hand"][0]
    for (x, y), label in labels.items():
        v = table.look(table.to_act)
        assert GUIDE.read_move(f"{card} {label}", v, text) == f"{card}@{x},{y}"


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_no_line_is_broken(columns: int) -> None:
    for number in range(3):
        table = played(60, number, players=1 + 2 * number)
        v = table.look(0)
        fort = shown(GUIDE.sum_up(v, v, 0, table.settings.text, []), columns)
        assert max(map(len, fort.splitlines())) <= columns
        boxes = re.findall(r"[│║] *(?:[A-Z] !)?\d[^│║]*[│║]", fort)
        assert len(boxes) == v.laid


def test_a_fort_too_wide_is_drawn_in_parts_and_each_place_once() -> None:
    table = played(20)
    drawn = draw(table, 30)
    assert "Further to the right:" in drawn
    fort = drawn[: drawn.index("Pile")]
    labels = re.findall(r"(?<![a-zA-Z])[a-z]{1,2}(?![a-zA-Z])", fort.replace("to the", ""))
    assert sorted(labels) == sorted(set(labels))
    assert len(labels) == len(free_places(table))


def test_what_spells_do_is_drawn() -> None:
    table = alone("2222t3", "0000", spells=["ice", "poison"])
    assert "A !8" in draw(table)
    assert "●●●" in Drawing(draw(table)).inside(0, 0)
    table.play("ice@0,0")
    assert "frozen" in Drawing(draw(table)).inside(0, 0)
    assert "***" in draw(table, 20)
    table.play("poison@0,0:tl")
    assert Drawing(draw(table)).corner(0, 0, 0) == "Ø"
    table.play("0000@1,1")
    assert "fallen" in Drawing(draw(table)).inside(0, 0)
    assert "4x" in draw(table, 20)


def test_the_table_around_the_fort() -> None:
    table = new_table(DUNGEON, players=6)
    drawn = draw(table)
    told = table.view()["table"]
    assert f"Pile {told['pile']}, the Black Knight last" in drawn
    assert f"{told['supply']} of 12 left" in drawn
    assert "you may talk" in drawn
    assert all(f"seat {seat}: 3" in drawn for seat in range(6))
    silent = next(t for n in range(9) if not (t := played(25, n)).view()["table"]["talk"])
    assert "SILENCE" in draw(silent)
    assert "Spells ✶ice ✶silence" in draw(alone("0000", spells=["silence", "ice"]))
    assert "Fort 3 of 4   " in draw(alone("0000", level=3))


# Looking before laying


@pytest.mark.parametrize("moves", [3, 12, 24])
def test_what_a_card_would_do_is_what_it_does(moves: int) -> None:
    table = played(moves, 1)
    seat = table.to_act
    assert seat is not None
    card = Random(moves).choice(table.view(seat)["hand"])
    board = shown(GUIDE.look(card, table.look(seat), table.settings.text) or "", 200)
    columns = [m.start() for m in re.finditer(r"\S+", board.splitlines()[0])]
    rows = {row.split()[1]: row for row in board.splitlines()[1:]}
    for move in table.legal():
        if not re.match(rf"{card}r?@", move):
            continue
        place = move.partition("@")[2]
        cells = [rows[place][a:b] for a, b in zip(columns, [*columns[1:], None], strict=True)]
        check_told(table, move, cells[3 if "r@" in move else 2])


def test_creatures_that_would_fall() -> None:
    table = alone("2222t3", "0000", spells=["poison"])
    table.play("poison@0,0:tl")
    for move in table.legal():
        said = shown(GUIDE.look("0000", table.look(0), table.settings.text) or "")
        row = next(row for row in said.splitlines() if f" {move.partition('@')[2]} " in row)
        assert ("falls" in row) == (move != "0000@-1,-1")
        check_told(table, move, row)


def check_told(table: Table, move: str, told: str) -> None:
    """Does the cell of a board say what the move leads to?"""
    after = replay({**table.record(), "moves": [*table.moves, move]}, "plain").view()["table"]
    new = after["fort"][-1]
    step = {(-1, -1): "↖", (1, -1): "↗", (-1, 1): "↙", (1, 1): "↘"}
    falls = 0
    for was, card in zip(table.view()["table"]["fort"], after["fort"], strict=False):
        arrow = step.get((card["x"] - new["x"], card["y"] - new["y"]))
        if arrow:
            assert re.search(rf"{arrow}!?{was['danger']}→{card['danger']}\b", told)
            falls += card["defeated"] and not was["defeated"]
    assert told.count("→") == len(re.findall("[↖↗↙↘]", told))
    assert told.count("falls") == falls
    assert ("ALARM" in told) == (after["why"] == "KKD-15")
    assert ("a last token" in told) == (after["why"] == "KKD-17")
    assert ("too few tokens" in told) == (after["why"] == "KKD-12")


def test_a_place_shows_every_card() -> None:
    table = played(5)
    seat = table.to_act
    board = shown(GUIDE.look("a", table.look(seat), table.settings.text) or "")
    assert all(card in board for card in table.view(seat)["hand"])


# Typing


TURNS = ["0122", "0122c1", "1112", "2332t3", "0000s", "0131"]


def hand_of(*cards: str) -> Table:
    deck = [*cards, "0000s", "0000s", "4444t3K"]
    given = {"players": 1, "first": 0, "level": 1, "spells": ["ice", "poison"], "deck": deck}
    return Table(DUNGEON, given, deals=[deck[:-1]], speed="plain")


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("0122@1,1", "0122@1,1"),
        ("0122r@-1,1", "0122r@-1,1"),
        ("0122 a", "0122@-1,-1"),
        ("0122 b", "0122@1,-1"),
        ("0122 (c)", "0122@-1,1"),
        ("0122  D", "0122@1,1"),
        ("0122r d", "0122r@1,1"),
        ("0122 r d", "0122r@1,1"),
        ("0122R D", "0122r@1,1"),
        ("0122 1,1", "0122@1,1"),
        ("0122 1 -1", "0122@1,-1"),
        ("0122@d", "0122@1,1"),
        ("0122C1 d", "0122c1@1,1"),
        ("0122c d", "0122c1@1,1"),
        ("2332 d", "2332t3@1,1"),
        ("2332r d", "2332t3@1,1"),
        ("0000r d", "0000s@1,1"),
        ("1112r d", "1112r@1,1"),
        ("0122 5,5", "0122@5,5"),
        ("4444 d", "4444t3K@1,1"),
        ("0122", "0122"),
        ("nonsense", "nonsense"),
        ("", ""),
        ("0122@", "0122@"),
        ("ice 0,0", "ice@0,0"),
        ("ICE@0,0", "ice@0,0"),
        ("poison 0,0 tl", "poison@0,0:tl"),
        ("poison@0,0:BR", "poison@0,0:br"),
        ("poi 0 0 tl", "poison@0,0:tl"),
    ],
)
def test_what_is_typed(typed: str, move: str) -> None:
    table = hand_of(*TURNS)
    assert GUIDE.read_move(typed, table.look(0), table.settings.text) == move


def test_spells_on_creatures_by_their_letters() -> None:
    table = alone("2222t3", spells=["fireball", "ice", "poison"])
    v, text = table.look(0), table.settings.text
    assert GUIDE.read_move("fireball A", v, text) == "fireball@0,0"
    assert GUIDE.read_move("fire a", v, text) == "fireball@0,0"
    assert GUIDE.read_move("poison a br", v, text) == "poison@0,0:br"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0122 zz", "no place is called zz: they are a to d"),
        ("0122c1 5", "no place is called 5"),
        ("ice A", "no creature is called a: there is none that stands"),
        ("ice", "ice needs a creature"),
        ("poison 0,0", "poison needs a creature and a corner"),
        ("fireball 0,0", "the spell fireball is not held"),
        ("silence now", "the spell silence is not held"),
    ],
)
def test_what_cannot_be_meant(typed: str, sentence: str) -> None:
    table = hand_of(*TURNS)
    with pytest.raises(Fault, match=re.escape(sentence)):
        GUIDE.read_move(typed, table.look(0), table.settings.text)


def test_a_card_that_could_be_several() -> None:
    table = hand_of("0122c1", "0122c2", "0131", "0131", "0131", "0131")
    with pytest.raises(Fault, match="0122 could be 0122c1 or 0122c2: type more of it"):
        GUIDE.read_move("0122 a", table.look(0), table.settings.text)
    assert GUIDE.read_move("013 a", table.look(0), table.settings.text) == "013 a"


# Stories


def told(table: Table, move: str) -> str:
    before = table.look(0).copy()
    table.play(move)
    said: str = GUIDE.tell(
        before, table.look(0), table.settings.text.read(move), table.settings.text
    ).plain
    return " ".join(said.split())


def ended(table: Table, move: str) -> str:
    before = table.look(0).copy()
    table.play(move)
    number = table.settings.text.read(move)
    return shown(GUIDE.sum_up(before, table.look(0), number, table.settings.text, ["you"]))


def test_moves_are_told() -> None:
    table = alone("2222t3", "0000", "0000", spells=["ice"])
    said = told(table, "0000@1,1")
    assert said == "□0000 at 1,1 on 0,0 !8→6 a token lost, left: 0,0 ●●"
    said = told(table, "0000@-1,-1")
    assert "on 0,0 !6→4 the creature at 0,0 falls, 2 tokens back" in said
    assert told(table, "0000@-1,1").endswith("draws the Black Knight, who must be laid at once")
    assert told(table, "4444t3K@2,2") == "♞4444t3K at 2,2 on 1,1 0→4"
    assert told(table, "ice@2,2") == "✶ice: the Black Knight at 2,2 is frozen"
    assert told(table, "timeout") == "the time has run out"


def test_a_turned_card_and_the_token_are_told() -> None:
    table = played(0)
    mark = next(n for n in range(99) if "s@" in played(9, n).moves[-1])
    moves = played(9, mark).moves
    table = played(8, mark)
    assert "the token shows silence" in told(table, moves[-1])
    assert "turned at" in " ".join(told(played(n, 0), played(n + 1, 0).moves[-1]) for n in range(8))


def test_the_end_is_told() -> None:
    assert "The time has run out: the fort is lost. (KKD-23)" in ended(alone("0000"), "timeout")
    table = Table(DUNGEON, {"players": 1, "deck": EASY, "level": 1}, seed=SEED, speed="plain")
    *moves, last = WIN.split()
    for move in moves:
        table.play(move)
    said = ended(table, last)
    assert "The Black Knight is defeated: the fort is won! (KKD-22)" in said
    assert f"A spell is won: ✶{table.view()['table']['spells'][0]}" in said
    table = alone("0000c2", "9000", "0000", treasure=True)
    assert "c2" in Drawing(draw(table)).inside(0, 0)
    loud = alone("0000", "9000", "0000")
    loud.play("0000@1,1")
    assert "The alarm: the corridor at 1,1 shows 9: the fort is lost. (KKD-15)" in ended(
        loud, "9000@2,2"
    )
    late = alone("2222t3", "0000", "0000")
    for move in ("0000@1,1", "0000@2,2"):
        late.play(move)
    assert "the creature at 0,0 has no token left: the fort is lost. (KKD-17)" in ended(
        late, "0000@3,3"
    )


# Whole games


def play(home: Path, typed: str, *arguments: str) -> tuple[Outcome, dict[str, Any]]:
    """Play what is typed; what was shown, and the game as it was saved."""
    file = home / "game.json"
    more = [] if "--resume" in arguments else ["--save", str(file)]
    said = process(home, "play", *arguments, *more, typed=typed)
    assert (said.status, said.err) == (0, "")
    return said, saved(file)


def easy(home: Path, *more: str) -> list[str]:
    """The arguments for a game of one player with few cards."""
    counts = {card: EASY.count(card) for card in EASY}
    rows = "".join(f'"{card}" = {n}\n' for card, n in counts.items())
    (home / "easy.toml").write_text(f'game = "dungeon"\n[cards]\n{rows}')
    return ["dungeon", "-p", "1", "--deck", str(home / "easy.toml"), "--seed", HEX, *more]


def test_a_whole_game_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed: list[str] = []
    table = Table(DUNGEON, {"players": 3, "minutes": 0}, seed=SEED, speed="plain")

    def answer(prompt: str, legal: list[str]) -> str:
        typed.append(table.settings.text.write(bot("greedy").answer(ask(table))))
        return typed[-1]

    monkeypatch.setenv("THERIAC_JIT", "0")
    monkeypatch.setattr(match, "read_line", answer)
    assert match.Match(table, 0, "greedy", tmp_path / "here.json").run()
    lines = "\n".join(typed)
    said, record = play(tmp_path, lines, "dungeon", "--seed", HEX, "--set", "minutes=0")
    assert record["moves"] == table.moves
    assert "you have seat 0, with 2 greedy bots" in said.out
    assert ("All win together" in said.out) == bool(table.winners())
    assert clock.KEY not in record
    assert len(re.findall(r"^(?:you|seat \d) +\S+", said.out, re.MULTILINE)) == len(table.moves)
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
        "Saved. Go on with",
    ):
        assert sentence in said.out


# The clock


def test_the_clock_is_shown_kept_and_goes_on(tmp_path: Path) -> None:
    said, record = play(tmp_path, "0000@1,1\n", *easy(tmp_path))
    assert "The clock gives 6:00 from now on" in said.out
    assert "] Your move" in said.out
    assert 300 < record[clock.KEY] <= 360
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 82.5}))
    said, record = play(tmp_path, "", "--resume", str(file))
    assert "[1:23] Your move" in said.out
    assert 60 < record[clock.KEY] <= 82.5


def test_a_clock_goes_from_when_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    running = Clock(90)
    now = 200.0
    assert (running.left, running.told) == (90, "1:30")
    running.start()
    now = 225.5
    assert (running.left, running.told) == (64.5, "1:05")
    now = 300.0
    assert (running.left, running.told) == (0, "0:00")


def test_time_that_has_run_out_is_over_at_once(tmp_path: Path) -> None:
    _, record = play(tmp_path, "0000@1,1\n", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 0}))
    said, record = play(tmp_path, "0000@2,2\n", "--resume", str(file))
    assert record["moves"] == ["0000@1,1", "timeout"]
    assert "The time has run out: the fort is lost. (KKD-23)" in said.out
    assert replay(record, "plain").view()["table"]["why"] == "KKD-23"


def test_the_time_runs_out_while_nothing_is_typed(tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: 1}))
    terminal = Terminal(tmp_path, "play", "--resume", str(file))
    terminal.read_until("Your move")
    terminal.type("0000 ")
    assert "All lose" in terminal.read_until("kept in") or "Lost" in terminal.shown
    assert terminal.running.wait(30) == 0
    assert saved(file)["moves"] == ["timeout"]


def test_without_alarms_the_clock_is_looked_at_after_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("signal.setitimer")
    running = Clock(0.001)
    running.start()
    with pytest.raises(TimeUp), running.limit():
        while running.left:
            pass
    with Clock(5).limit():
        pass


@pytest.mark.parametrize("seconds", [-1, 361, "9", None, True])
def test_a_clock_that_cannot_be(seconds: Any, tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {clock.KEY: seconds}))
    said = process(tmp_path, "play", "--resume", str(file))
    assert said.status == 2
    assert '"x_seconds_left" must be a number from 0 to 360' in said.err


# The adventure


def test_the_whole_adventure(tmp_path: Path) -> None:
    said, record = play(tmp_path, f"{WIN}\n" * 4, *easy(tmp_path, "--adventure"))
    assert said.out.count("the fort is won!") == 4
    assert "★ The whole adventure is won!" in said.out
    assert record["options"]["level"] == 4
    assert len(record["options"]["spells"]) == 3
    held = [set(part.split(". ")[0].split(", ")) for part in said.out.split("Spells held: ")[1:]]
    assert len(held) == 3
    assert "Next is fort 4 of 4" in said.out


def test_each_fort_has_a_seed_of_its_own_and_the_same_another_time(tmp_path: Path) -> None:
    seeds = []
    for number in range(4):
        home = tmp_path / str(number)
        home.mkdir()
        _, record = play(home, f"{WIN}\n" * (number % 2 + 1), *easy(home, "--adventure"))
        assert record["moves"] == []
        seeds.append(record["seed"])
    assert seeds[0] == seeds[2]
    assert seeds[1] == seeds[3]
    assert len({*seeds, HEX}) == 3


def test_an_adventure_is_taken_up_between_forts_and_within_one(tmp_path: Path) -> None:
    _, whole = play(tmp_path, f"{WIN}\n" * 4, *easy(tmp_path, "--adventure"))
    file = tmp_path / "game.json"
    file.unlink()
    said, record = play(tmp_path, WIN + "quit\n", *easy(tmp_path, "--adventure"))
    assert f"Go on with: theriac play --resume {file}" in said.out
    assert (record["options"]["level"], record["moves"]) == (2, [])
    assert len(record["options"]["spells"]) == 1
    assert record[clock.KEY] == 360
    _, record = play(tmp_path, "\n".join(WIN.split()[:2]) + "\n", "--resume", str(file))
    assert (record["options"]["level"], record["moves"]) == (2, WIN.split()[:2])
    rest = "\n".join(WIN.split()[2:])
    said, record = play(tmp_path, f"{rest}\n\n{WIN}\n{WIN}", "--resume", str(file))
    assert "★ The whole adventure is won!" in said.out
    assert {**record, clock.KEY: 0} == {**whole, clock.KEY: 0}


def test_a_lost_fort_ends_it_and_begins_again_when_taken_up(tmp_path: Path) -> None:
    said, lost = play(tmp_path, f"{WIN}\n{LOSE}", *easy(tmp_path, "--adventure"))
    assert "The adventure ends in fort 2." in said.out
    assert "Go on?" in said.out
    assert replay(lost, "plain").over
    said, again = play(tmp_path, "", "--resume", str(tmp_path / "game.json"))
    assert "Fort 2 was lost" in said.out
    assert again["options"] == lost["options"]
    assert again["moves"] == []
    assert again["seed"] != lost["seed"]
    assert again[clock.KEY] > 300


def test_a_won_fort_saved_before_the_next_goes_on(tmp_path: Path) -> None:
    _, record = play(tmp_path, "", *easy(tmp_path, "--adventure"))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {"moves": WIN.split(), clock.KEY: 50}))
    said, record = play(tmp_path, "no\n", "--resume", str(file))
    assert "Next is fort 2 of 4" in said.out
    assert record["options"]["level"] == 2
    assert record[clock.KEY] == 360


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["poison", "--adventure"], "poison has no adventure"),
        (["dungeon", "--adventure", "--set", "level=2"], "option level: leave it out"),
        (["dungeon", "--adventure", "--set", "spells=ice"], "option spells: leave it out"),
        (["dungeon", "--adventure", "--seat", "9"], "seat 9: there are seats 0 to 2"),
        (["--resume", "game.json", "--adventure"], "--adventure: leave it out, the file"),
    ],
)
def test_an_adventure_that_cannot_begin(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "game.json").write_text(json.dumps(new_table(DUNGEON).record()))
    said = process(tmp_path, "play", *arguments)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert not list(tmp_path.glob("data/theriac/games/*.json"))


@pytest.mark.parametrize(
    "kept",
    [
        None,
        [],
        {},
        {"seed": "00", "begun": 1},
        {"seed": HEX, "begun": 0},
        {"seed": HEX, "begun": True},
        {"seed": HEX},
    ],
)
def test_an_adventure_that_cannot_be_taken_up(kept: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(new_table(DUNGEON, level=1).record() | {adventure.KEY: kept}))
    said = process(tmp_path, "play", "--resume", str(file))
    assert (said.status, said.out) == (2, "")
    assert "game.json" in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("game", ["poison", "dungeon"])
def test_a_game_that_is_no_part_of_an_adventure(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    kept = {adventure.KEY: {"seed": HEX, "begun": 1}}
    file.write_text(json.dumps(new_table(find(game)).record() | kept))
    said = process(tmp_path, "play", "--resume", str(file))
    assert said.status == 2
    assert "adventure" in said.err
