"""The drawings of games: made from views, never by colour alone, with the right scores."""

from __future__ import annotations

import io
import re
from random import Random
from typing import Any

import pytest
from rich.console import Console, RenderableType

from tests.command import new_table
from theriac.cli.screen import Screen, find_guide, find_screen, number_moves
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.testing.playing import some_move
from theriac.testing.setups import own

GAMES = list(all_games().values())


def shown(drawing: RenderableType, columns: int = 80) -> str:
    console = Console(file=io.StringIO(), width=columns, color_system=None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def names(match: Match) -> list[str]:
    return [f"seat {seat}" for seat in range(match.players)]


def options_of(game: Game) -> list[dict[str, Any]]:
    """Sets of options: each option on its own, and all that can be combined."""
    found: list[dict[str, Any]] = [{"players": players} for players in game.players]
    usual = {"players": game.usual_players}
    for option in game.options:
        found += [{**usual, option.name: value} for value in option.values[1:]]
    everything = {option.name: option.values[-1] for option in game.options}
    return [*found, {**usual, **everything}]


def playable(game: Game) -> list[Match]:
    tables = []
    for options in options_of(game):
        try:
            tables.append(new_table(game, **options))
        except ValueError:
            continue
    return tables


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_position_is_drawn_described_and_summed_up(game: Game) -> None:
    screen = find_screen(game)
    tables = playable(game)
    assert {table.players for table in tables} == set(game.players)
    for number, match in enumerate(tables[:: 1 + len(tables) // 12]):  # every other one of many
        play_and_check(screen, match, Random(number), rounds=2 if number else 100)


def play_and_check(screen: Screen, match: Match, random: Random, rounds: int) -> None:
    """Play random rounds: every position can be drawn, and the sums are right."""
    text = match.settings.text
    while rounds and not match.over:
        assert match.to_act is not None
        before = match.look(match.to_act).copy()
        scores = match.view()["scores"]
        if len(match.moves) % 25 == 0:
            drawn = shown(screen.draw(before, text, names(match)))
            assert all(card in drawn for card in text.hand(before))
            assert shown(screen.draw(match.look(None), text, names(match)))
            if find_guide(match.game) is None:
                listed = strip(shown(number_moves(screen, match.legal())))
                assert all(move in listed for move in match.legal())
        move = some_move(match, random)
        match.play(move)
        after = match.look(before.seat)
        number = text.read(move)
        assert screen.describe_move(before, after, number, text).plain
        if after.rounds != before.rounds or match.over:
            rounds -= 1
            board = shown(screen.summarize_round(before, after, number, text, names(match)))
            assert "…" not in board
            own(match.game, "check_summary", check_sums)(board, match, scores)


def strip(drawn: str) -> str:
    """The text without the shapes beside letters."""
    return "".join(character for character in drawn if character.isascii())


def check_sums(board: str, match: Match, scores: list[int]) -> None:
    """The last column has the totals of the seats that the viewer may know.

    A game that shows them otherwise has a `check_summary` in its `tests/cases.py`.
    """
    now = match.view()["scores"]
    totals = re.findall(r"seat (\d)[^│]*│.* (-?\d+|\?) │$", board, re.MULTILINE)
    assert [int(seat) for seat, _ in totals] == list(range(match.players))
    assert any(total != "?" for _, total in totals)
    for seat, total in totals:
        assert total in ("?", str(now[int(seat)])), (board, scores, now)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_fits_the_terminal(game: Game, columns: int) -> None:
    screen = find_screen(game)
    match = new_table(game, 6 if game.together else 15, players=game.players[-1])
    drawn = shown(screen.draw(match.look(match.to_act), match.settings.text, names(match)), columns)
    assert max(len(line) for line in drawn.splitlines()) <= columns
    assert "Your hand" in drawn


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_card_is_shown_by_colour_alone(game: Game) -> None:
    """Where cards have a shape and a colour, each shape has its own colour."""
    screen = find_screen(game)
    looks = set()
    for card in filter(None, new_table(game).settings.text.cards):
        painted = screen.paint(card)
        assert painted.plain.endswith(card)
        shape = painted.plain.removesuffix(card)
        looks.add((shape, str(painted.spans[0].style) if painted.spans else ""))
    shapes, colours = {shape for shape, _ in looks}, {colour for _, colour in looks}
    assert len(shapes) == len(colours) == len(looks)
    assert len(looks) == own(game, "LOOKS", {}).get(game.name, len(looks))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_hidden_cards_do_not_change_what_is_drawn(game: Game) -> None:
    """A state that the seat cannot distinguish from this one has the same drawing."""
    screen = find_screen(game)
    match = new_table(game, 6)
    engine = game.engine("plain")
    seat = match.to_act
    assert seat is not None
    seen = match.look(seat).copy()
    drawn = shown(screen.draw(seen, match.settings.text, names(match)))
    other, chance, view = engine.state(), engine.chance(), engine.view()
    engine.seed_stream(chance.random, 1, 1)
    for _ in range(5):
        engine.imagine(seen, chance.random, other)
        engine.see(other, seat, view)
        assert shown(screen.draw(view, match.settings.text, names(match))) == drawn
