"""Tutorials over HTTP: all of a game's from the learner's eyes, and what a move tried there means.

Nothing is kept of a learner: every question names its step, and the table is played up to it anew.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from theriac.engine.rule import Speed
from theriac.faults import Fault, Refused
from theriac.game import Game, find
from theriac.match import Match
from theriac.server.http.bodies import TutorialMove, TutorialScript, TutorialStep, TutorialVerdict
from theriac.server.tables.previews import foresee
from theriac.server.tables.views import shown, tell_position
from theriac.tutorial import LEARNER, Step, match_at, play_step, read_tutorial


@functools.cache
def told(name: str, speed: Speed) -> TutorialScript:
    """The tutorial of a game, as the learner sees it; raises `Fault`."""
    game = find(name)
    tutorial = read_tutorial(game)
    table = match_at(game, speed=speed)
    start = tell_position(table, LEARNER)
    steps = [
        TutorialStep(step.say, step.asks, step.attempt is not None, _play(table, step))
        for step in tutorial.steps
    ]
    options = {option.name: option.default for option in game.options} | tutorial.options
    return TutorialScript(name, options, start, steps)


def _play(table: Match, step: Step) -> list[TutorialMove]:
    return [
        TutorialMove(
            seat,
            move if seat == LEARNER else shown(table, move),
            tell_position(table, LEARNER),
        )
        for seat, move in play_step(table, step)
    ]


def tried(game: Game, step: int, move: str, speed: Speed) -> TutorialVerdict:
    """What a move means at a step that asks for one; raises `Fault`."""
    table = _at(game, step, speed)
    meant = move == read_tutorial(game).steps[step].asks
    try:
        table.play(move, LEARNER)
    except Refused as refused:
        return TutorialVerdict(meant, False, refused.why, refused.clause)
    return TutorialVerdict(meant, True)


def foreseen(
    game: Game, step: int, moves: Sequence[str], speed: Speed
) -> dict[str, dict[str, Any]]:
    """What moves would surely lead to at a step that asks for one; raises `Fault`."""
    legal = set(_at(game, step, speed).legal())
    return {move: _foreseen(game.name, step, move, speed) for move in moves if move in legal}


@functools.cache
def _foreseen(name: str, step: int, move: str, speed: Speed) -> dict[str, Any]:
    """There are few steps with few legal moves, and imagining is work: it is done once for each."""
    return foresee(_at(find(name), step, speed), [move])[move]


def _at(game: Game, step: int, speed: Speed) -> Match:
    table = match_at(game, step, speed)
    if read_tutorial(game).steps[step].asks is None:
        raise Fault(f"step {step}: no move is asked for here")
    return table
