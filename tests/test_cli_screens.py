"""How games draw themselves: from views only, never by colour alone, and with the true scores."""

from __future__ import annotations

import io
import re
from random import Random
from typing import Any

import pytest
from rich.console import Console, RenderableType

from tests.command import new_table
from tests.playing import some_move
from theriac.cli.screen import Screen, find_guide, find_screen, number_moves
from theriac.game import Game, all_games
from theriac.match import Match

GAMES = list(all_games().values())


def shown(drawing: RenderableType, columns: int = 80) -> str:
    console = Console(file=io.StringIO(), width=columns, color_system=None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def names(match: Match) -> list[str]:
    return [f"seat {seat}" for seat in range(match.players)]


def options_of(game: Game) -> list[dict[str, Any]]:
    """Each option on its own; all that goes together."""
    found: list[dict[str, Any]] = [{"players": players} for players in game.players]
    for option in game.options:
        found += [{"players": 4, option.name: value} for value in option.values[1:]]
    everything = {option.name: option.values[-1] for option in game.options}
    return [*found, {"players": 4, **everything}]


def playable(game: Game) -> list[Match]:
    tables = []
    for options in options_of(game):
        try:
            tables.append(new_table(game, **options))
        except ValueError:
            continue
    return tables


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_position_is_drawn_told_and_summed_up(game: Game) -> None:
    screen = find_screen(game)
    tables = playable(game)
    assert len(tables) > len(game.players)
    for number, match in enumerate(tables[:: 1 + len(tables) // 12]):  # of many, every other
        play_and_look(screen, match, Random(number), rounds=2 if number else 100)


def play_and_look(screen: Screen, match: Match, random: Random, rounds: int) -> None:
    """Random rounds: every position can be drawn, and the sums are those of the table."""
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
            check_sums(board, match, scores)


def strip(drawn: str) -> str:
    """Without the shapes that stand beside letters."""
    return "".join(character for character in drawn if character.isascii())


def check_sums(board: str, match: Match, scores: list[int]) -> None:
    """The last column, or the last row, is what each seat has now."""
    now = match.view()["scores"]
    if match.game.together:
        assert ("the fort is won" in board) == bool(match.winners())
        assert not now[0] or f"{now[0]} chest" in board
        return
    if "it is not scored" in board:
        assert sum(now) > sum(scores)
        return
    totals = re.findall(r"seat (\d)[^│]*│.* (\d+) │$", board, re.MULTILINE)
    last = re.search(r"^│ gems in all (.*)$", board, re.MULTILINE)
    if last:
        head = "".join(line for line in board.splitlines() if line.startswith("┃"))
        totals = list(zip(re.findall(r"seat (\d)", head), re.findall(r"\d+", last[1]), strict=True))
    assert totals
    for seat, total in totals:
        assert int(total) == now[int(seat)], (board, scores, now)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_fits_the_terminal(game: Game, columns: int) -> None:
    screen = find_screen(game)
    match = new_table(game, 6 if game.together else 15, players=game.players[-1])
    drawn = shown(screen.draw(match.look(match.to_act), match.settings.text, names(match)), columns)
    assert max(len(line) for line in drawn.splitlines()) <= columns
    assert "Your hand" in drawn


def kind_of(card: str) -> str:
    """A suit, which is the first letter of a card; in the dungeon a corridor, a creature, ..."""
    if card in ("fireball", "ice", "poison", "silence"):
        return "spell"
    if card[0].isdigit():
        return "knight" if "K" in card else "creature" if "t" in card else "corridor"
    return card[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_kind_of_card_is_told_by_colour_alone(game: Game) -> None:
    screen = find_screen(game)
    looks: dict[str, set[tuple[str, str]]] = {}
    for card in filter(None, new_table(game).settings.text.cards):
        painted = screen.paint(card)
        assert painted.plain[1:] == card
        looks.setdefault(kind_of(card), set()).add((painted.plain[0], str(painted.spans[0].style)))
    assert all(len(look) == 1 for look in looks.values())
    shapes = {shape for look in looks.values() for shape, _ in look}
    colours = {colour for look in looks.values() for _, colour in look}
    assert len(shapes) == len(colours) == len(looks)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_hidden_cards_do_not_change_what_is_drawn(game: Game) -> None:
    """Another state that the seat cannot tell from this one looks the same to it."""
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
