"""The text of a move that others get reveals no more than their views."""

from __future__ import annotations

import tomllib
from random import Random

from theriac.engine.contract import SPECTATOR
from theriac.game import Game
from theriac.match import Match
from theriac.testing.playing import some_move
from theriac.testing.setups import Setup, setups_of


def seen_after(match: Match, move: str, viewpoints: list[int]) -> list[bytes] | None:
    """The views after a move, on a copy of the game; None if it ends the round, which clears the
    table.
    """
    copy = Match(match.game, match.settings.given, seed=match.seed)
    for played in [*match.moves, move]:
        copy.play(played)
    ended = copy.over or copy.view()["round"] > match.view()["round"]
    return None if ended else [copy.look(viewpoint).tobytes() for viewpoint in viewpoints]


def test_moves_that_look_alike_have_the_same_text_for_others(game: Game) -> None:
    for setup in setups_of(game)[::7]:
        same_texts_for_others(setup)


def same_texts_for_others(setup: Setup) -> None:
    """Play on, and compare moves after which nobody else sees a difference."""
    random = Random(repr(setup))
    match = setup.match(random.randrange(1000))
    text = setup.settings.text
    while not match.over and len(match.moves) < 40:
        mover = match.to_act
        viewpoints = [
            viewpoint for viewpoint in (SPECTATOR, *range(match.players)) if viewpoint != mover
        ]
        move = some_move(match, random)
        if len(match.moves) % 5 == 0 or text.write_public(text.read(move)) != move:
            legal = match.legal()
            for other in random.sample(legal, min(4, len(legal))):
                seen = seen_after(match, move, viewpoints)
                if seen and seen == seen_after(match, other, viewpoints):
                    assert text.write_public(text.read(move)) == text.write_public(text.read(other))
        match.play(move)


def test_only_a_clause_of_the_game_forbids_talk(setup: Setup) -> None:
    match = setup.match(1)
    clauses = tomllib.loads((match.game.folder / "clauses.toml").read_text(encoding="utf-8"))
    assert match.silence is None or match.silence in clauses


def test_each_event_is_a_line(game: Game) -> None:
    """What a move caused for everybody is printed below it, one line for each event."""
    for setup in setups_of(game)[::7]:
        match = setup.match(1)
        names = [f"seat {seat}" for seat in range(match.players)]
        before = match.look(SPECTATOR).copy()
        while not match.over and len(match.moves) < 40:
            match.play(some_move(match, Random(len(match.moves))))
            after = match.look(SPECTATOR).copy()
            for event in match.text.events(before, after, names):
                assert event.strip() and event.isprintable()
            before = after


def test_what_is_made_once_for_all_viewpoints_is_the_same_from_each(game: Game) -> None:
    """`same_for_all` is right: no viewpoint would see another score, table or memory."""
    for setup in setups_of(game)[::7]:
        match = setup.match(1)
        while not match.over and len(match.moves) < 40:
            match.play(some_move(match, Random(len(match.moves))))
            for viewpoint in (SPECTATOR, *range(match.players)):
                recalled = match.recall(viewpoint)
                alone = match.view_from(viewpoint) | ({"recalled": recalled} if recalled else {})
                assert match.common_view() | match.own_view(viewpoint) == alone
