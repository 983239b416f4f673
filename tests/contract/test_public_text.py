"""The text of a move that others get reveals no more than their views."""

from __future__ import annotations

from random import Random

import pytest

from tests.contract.setups import SETUPS, Setup, names
from tests.playing import some_move
from theriac.engine.contract import SPECTATOR
from theriac.match import Match

SOME = SETUPS[::7]


def seen_after(match: Match, move: str, eyes: list[int]) -> list[bytes] | None:
    """The views after a move, on a copy of the game; None if it ends the round, which clears the
    table.
    """
    again = Match(match.game, match.settings.given, seed=match.seed)
    for played in [*match.moves, move]:
        again.play(played)
    ended = again.over or again.view()["round"] > match.view()["round"]
    return None if ended else [again.look(eye).tobytes() for eye in eyes]


@pytest.mark.parametrize("setup", SOME, ids=names(SOME))
def test_moves_that_look_alike_have_the_same_text_for_others(setup: Setup) -> None:
    random = Random(repr(setup))
    match = setup.match(random.randrange(1000))
    text = setup.settings.text
    while not match.over and len(match.moves) < 40:
        mover = match.to_act
        eyes = [eye for eye in (SPECTATOR, *range(match.players)) if eye != mover]
        move = some_move(match, random)
        if len(match.moves) % 5 == 0 or text.write_public(text.read(move)) != move:
            legal = match.legal()
            for other in random.sample(legal, min(4, len(legal))):
                seen = seen_after(match, move, eyes)
                if seen and seen == seen_after(match, other, eyes):
                    assert text.write_public(text.read(move)) == text.write_public(text.read(other))
        match.play(move)


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_the_players_may_talk_when_a_game_begins(setup: Setup) -> None:
    assert setup.match(1).silence is None
