"""`theriac play dungeon`: the drawing of the fort, and previews of cards."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from tests.command import new_table
from tests.forts import DUNGEON, GUIDE, Drawing, alone, draw, played, shown
from theriac.match import Match
from theriac.record import replay

# The drawing


def shared_corner(fort: list[dict[str, Any]], card: dict[str, Any], corner: int) -> int:
    """KKD-11: the number of the card laid later."""
    step = {0: (-1, -1), 1: (1, -1), 2: (-1, 1), 3: (1, 1)}[corner]
    at = card["x"] + step[0], card["y"] + step[1]
    other = next((other for other in fort if (other["x"], other["y"]) == at), None)
    if other is not None and fort.index(other) > fort.index(card):
        card, corner = other, 3 - corner
    return int(card["card"][3 - corner if card["turned"] else corner])


def free_places(match: Match) -> set[tuple[int, int]]:
    return {
        (int(found[1]), int(found[2]))
        for move in match.legal()
        if (found := re.fullmatch(r"\d.*@(-?\d+),(-?\d+)", move))
    }


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("moves", [0, 4, 15, 30])
def test_every_card_is_drawn_where_it_lies(moves: int, columns: int) -> None:
    for number in range(2):
        match = played(moves, number)
        if match.over:
            continue
        drawing = Drawing(draw(match, columns))
        fort = match.view()["table"]["fort"]
        for card in fort:
            x, y = card["x"], card["y"]
            standing = "t" in card["card"] and not card["defeated"]
            assert drawing.edge(x, y) == ("║" if standing else "│")
            text = drawing.inside(x, y)
            assert re.search(r"\d+", text)[0] == str(card["danger"])  # type: ignore[index]
            assert text.count("●") == card["tokens"]
            for corner in range(4):
                number_there = shared_corner(fort, card, corner)
                assert drawing.corner(x, y, corner) == str(number_there)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("moves", [0, 7, 20])
def test_every_place_has_its_own_letter_where_it_is(moves: int, columns: int) -> None:
    match = played(moves)
    assert not match.over
    drawing = Drawing(draw(match, columns))
    labels = {place: drawing.inside(*place).strip(" ()") for place in free_places(match)}
    labels = {place: re.split(r"[^a-z]", label)[0] for place, label in labels.items()}
    assert all(labels.values())
    in_order = [labels[place] for place in sorted(labels, key=lambda place: place[::-1])]
    assert in_order == sorted(set(in_order), key=lambda label: (len(label), label))
    text = match.settings.text
    card = match.view(match.to_act)["hand"][0]
    for (x, y), label in labels.items():
        v = match.look(match.to_act)
        assert GUIDE.read_move(f"{card} {label}", v, text) == f"{card}@{x},{y}"


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_no_line_is_broken(columns: int) -> None:
    for number in range(3):
        match = played(60, number, players=1 + 2 * number)
        v = match.look(0)
        fort = shown(GUIDE.summarize_round(v, v, 0, match.settings.text, []), columns)
        assert max(map(len, fort.splitlines())) <= columns
        boxes = re.findall(r"[│║] *(?:[A-Z] !)?\d[^│║]*[│║]", fort)
        assert len(boxes) == v.laid


def test_a_fort_too_wide_is_drawn_in_parts_and_each_place_once() -> None:
    match = played(20)
    drawn = draw(match, 30)
    assert "Further to the right:" in drawn
    fort = drawn[: drawn.index("Pile")]
    # Not the x of a creature that was defeated, which comes after its danger.
    labels = re.findall(r"(?<![a-zA-Z\d])[a-z]{1,2}(?![a-zA-Z])", fort.replace("to the", ""))
    assert sorted(labels) == sorted(set(labels))
    assert len(labels) == len(free_places(match))


def test_the_effects_of_spells_are_drawn() -> None:
    match = alone("2222t3", "0000", spells=["ice", "poison"])
    assert "A !8" in draw(match)
    assert "●●●" in Drawing(draw(match)).inside(0, 0)
    match.play("ice@0,0")
    assert "frozen" in Drawing(draw(match)).inside(0, 0)
    assert "***" in draw(match, 20)
    match.play("poison@0,0:tl")
    assert Drawing(draw(match)).corner(0, 0, 0) == "Ø"
    match.play("0000@1,1")
    assert "fallen" in Drawing(draw(match)).inside(0, 0)
    assert "4x" in draw(match, 20)


def test_the_drawing_shows_the_table_around_the_fort() -> None:
    match = new_table(DUNGEON, players=6)
    drawn = draw(match)
    table = match.view()["table"]
    assert f"Pile {table['pile']}, the Black Knight last" in drawn
    assert f"{table['supply']} of 12 left" in drawn
    assert "you may talk" in drawn
    assert all(f"seat {seat}: 3" in drawn for seat in range(6))
    silent = next(t for n in range(9) if not (t := played(25, n)).view()["table"]["talk"])
    assert "SILENCE" in draw(silent)
    assert "Spells ✶ice ✶silence" in draw(alone("0000", spells=["silence", "ice"]))
    assert "Fort 3 of 4   " in draw(alone("0000", level=3))


# Previews


@pytest.mark.parametrize("moves", [3, 12, 24])
def test_the_preview_of_a_card_is_what_it_does(moves: int) -> None:
    match = played(moves, 1)
    seat = match.to_act
    assert seat is not None
    card = Random(moves).choice(match.view(seat)["hand"])
    board = shown(GUIDE.preview(card, match.look(seat), match.settings.text) or "", 200)
    columns = [m.start() for m in re.finditer(r"\S+", board.splitlines()[0])]
    rows = {row.split()[1]: row for row in board.splitlines()[1:]}
    for move in match.legal():
        if not re.match(rf"{card}r?@", move):
            continue
        place = move.partition("@")[2]
        cells = [rows[place][a:b] for a, b in zip(columns, [*columns[1:], None], strict=True)]
        check_cell(match, move, cells[3 if "r@" in move else 2])


def test_previews_show_which_creatures_would_fall() -> None:
    match = alone("2222t3", "0000", spells=["poison"])
    match.play("poison@0,0:tl")
    for move in match.legal():
        said = shown(GUIDE.preview("0000", match.look(0), match.settings.text) or "")
        row = next(row for row in said.splitlines() if f" {move.partition('@')[2]} " in row)
        assert ("falls" in row) == (move != "0000@-1,-1")
        check_cell(match, move, row)


def check_cell(match: Match, move: str, cell: str) -> None:
    """Does the cell of a board say what the move leads to?"""
    after = replay({**match.record(), "moves": [*match.moves, move]}, "plain").view()["table"]
    new = after["fort"][-1]
    step = {(-1, -1): "↖", (1, -1): "↗", (-1, 1): "↙", (1, 1): "↘"}
    falls = 0
    for was, card in zip(match.view()["table"]["fort"], after["fort"], strict=False):
        arrow = step.get((card["x"] - new["x"], card["y"] - new["y"]))
        if arrow:
            assert re.search(rf"{arrow}!?{was['danger']}→{card['danger']}\b", cell)
            falls += card["defeated"] and not was["defeated"]
    assert cell.count("→") == len(re.findall("[↖↗↙↘]", cell))
    assert cell.count("falls") == falls
    assert ("ALARM" in cell) == (after["why"] == "KKD-15")
    assert ("a last token" in cell) == (after["why"] == "KKD-17")
    assert ("too few tokens" in cell) == (after["why"] == "KKD-12")


def test_a_place_shows_every_card() -> None:
    match = played(5)
    seat = match.to_act
    board = shown(GUIDE.preview("a", match.look(seat), match.settings.text) or "")
    assert all(card in board for card in match.view(seat)["hand"])
