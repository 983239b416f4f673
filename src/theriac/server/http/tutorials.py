"""Routes: tutorials. The server keeps nothing about a learner: every request names its step, and
the match is replayed up to it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from litestar import get, post
from litestar.datastructures import State

from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.game import Game, find
from theriac.match import Match
from theriac.server.http.bodies import (
    FirstGame,
    TutorialAttempt,
    TutorialMove,
    TutorialPreviewRequest,
    TutorialPreviews,
    TutorialScript,
    TutorialStep,
    TutorialVerdict,
)
from theriac.server.http.requests import AnyRequest, find_game, in_thread, limit_by_address
from theriac.server.tables.previews import preview_moves
from theriac.server.tables.views import public_move, view_of_match
from theriac.tutorial import LEARNER, Step, match_at, play_step, read_tutorial


@get("/api/games/{game:str}/tutorial", summary="The tutorial of a game, step by step")
async def show_tutorial(request: AnyRequest, game: str, state: State) -> TutorialScript:
    """As seat 0 sees it."""
    found, speed = _find(request, state, game)
    return await in_thread(request, script_of, found.name, speed)


@post("/api/games/{game:str}/tutorial/try", status_code=200, summary="Try a move of a tutorial")
async def try_tutorial(
    request: AnyRequest, game: str, data: TutorialAttempt, state: State
) -> TutorialVerdict:
    """Whether the step asks for it, whether it is legal, and why not. Nothing is stored."""
    found, speed = _find(request, state, game)
    return await in_thread(request, judge_attempt, found, data.step, data.move, speed)


@post(
    "/api/games/{game:str}/tutorial/preview",
    status_code=200,
    summary="What would a move of a tutorial lead to?",
)
async def preview_tutorial(
    request: AnyRequest, game: str, data: TutorialPreviewRequest, state: State
) -> TutorialPreviews:
    """What is certain, whatever the hidden cards are."""
    found, speed = _find(request, state, game)
    previews = await in_thread(request, preview_step, found, data.step, data.moves, speed)
    return TutorialPreviews(previews)


def _find(request: AnyRequest, state: State, name: str) -> tuple[Game, Speed]:
    """The game and its speed; 404 if there is none of that name, 429 for too many requests."""
    game = find_game(name)
    limit_by_address(request, state.rates.tutorials)
    return game, state.service.rule_loader.speed_of(game.name)


@functools.cache
def script_of(name: str, speed: Speed) -> TutorialScript:
    """The tutorial of a game as the learner sees it; raises `Fault`."""
    game = find(name)
    tutorial = read_tutorial(game)
    match = match_at(game, speed=speed)
    start = view_of_match(match, LEARNER)
    steps = [
        TutorialStep(
            say=step.say,
            asks=step.asks,
            refused=step.attempt is not None,
            light=list(step.light),
            moves=_play(match, step),
        )
        for step in tutorial.steps
    ]
    options = {option.name: option.default for option in game.options} | tutorial.options
    first = tutorial.first_game
    first_game = FirstGame(first.options, first.level) if first else None
    return TutorialScript(name, options, start, steps, first_game)


def _play(match: Match, step: Step) -> list[TutorialMove]:
    return [
        TutorialMove(
            seat,
            move if seat == LEARNER else public_move(match, move),
            view_of_match(match, LEARNER),
        )
        for seat, move in play_step(match, step)
    ]


def judge_attempt(game: Game, step: int, move: str, speed: Speed) -> TutorialVerdict:
    """The verdict on a move at a step that asks for one; raises `Fault`."""
    match = _match_at(game, step, speed)
    meant = move == read_tutorial(game).steps[step].asks
    refused = match.refusal(move, LEARNER)
    if refused is not None:
        return TutorialVerdict(meant, False, refused.why, refused.clause)
    return TutorialVerdict(meant, True)


def preview_step(
    game: Game, step: int, moves: Sequence[str], speed: Speed
) -> dict[str, dict[str, Any]]:
    """What is certain after each legal move, at a step that asks for one; raises `Fault`."""
    legal = set(_match_at(game, step, speed).legal())
    return {move: _preview(game.name, step, move, speed) for move in moves if move in legal}


@functools.cache
def _preview(name: str, step: int, move: str, speed: Speed) -> dict[str, Any]:
    """Cached: there are few steps with few legal moves, and sampling takes time."""
    return preview_moves(_match_at(find(name), step, speed), [move])[move]


def _match_at(game: Game, step: int, speed: Speed) -> Match:
    match = match_at(game, step, speed)
    if read_tutorial(game).steps[step].asks is None:
        raise Fault(f"step {step} asks for no move: name a step that does")
    return match
