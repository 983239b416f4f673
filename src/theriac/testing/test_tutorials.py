"""Tutorials, played: moves are legal, attempts are refused, and every text exists.

A game may have none: `theriac check` warns.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from theriac.bots import LEVELS
from theriac.faults import Fault, Refused
from theriac.game import Game
from theriac.match import Match
from theriac.rulebook import clause_ids, languages, read_page
from theriac.testing.setups import GAMES, is_built_in, only
from theriac.tutorial import LEARNER, match_at, read_tutorial


def has_tutorial(game: Game) -> bool:
    return (game.folder / "tutorial" / f"{game.name}.toml").exists()


pytestmark = only(has_tutorial)


def words(game: Game, language: str) -> dict[str, Any]:
    """The texts of a folder's tutorials in a language."""
    file = game.folder / "tutorial" / "words" / f"{language}.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def key(game: Game, say: str, known: dict[str, Any]) -> str:
    """The key of a text; where games share a folder, a game's own text comes first."""
    own = f"{game.name}.{say}"
    return own if own in known else say


def test_every_step_can_be_played(game: Game) -> None:
    tutorial = read_tutorial(game)
    assert 6 <= len(tutorial.steps) <= 12
    match = match_at(game)
    for step in tutorial.steps:
        assert step.play is None or step.attempt is None, step.say
        if step.asks is not None:
            assert match.to_act == LEARNER, step.say
        if step.attempt is not None:
            assert step.attempt not in match.legal()
            with pytest.raises(Refused) as refused:
                match.play(step.attempt)
            assert refused.value.clause == step.clause
        for move in step.moves:
            assert move in match.legal(), f"{step.say}: {move}"
            match.play(move)
    assert any(step.play for step in tutorial.steps)
    assert any(step.attempt for step in tutorial.steps), "no refusal is ever seen"
    assert tutorial.steps[-1].moves == (), "nothing could be said of these"


def test_a_step_begins_where_the_one_before_it_ended(game: Game) -> None:
    tutorial = read_tutorial(game)
    match = match_at(game)
    for number, step in enumerate(tutorial.steps):
        assert match_at(game, number).view(LEARNER) == match.view(LEARNER)
        for move in step.moves:
            match.play(move)
    for number in (-1, len(tutorial.steps)):
        with pytest.raises(Fault, match=f"step {number}: the tutorial has steps 0 to"):
            match_at(game, number)


def shows_sheet(match: Match, number: int) -> bool:
    """Does the page show the sheet of this round?"""
    return match.sheet is not None and match.sheet["round"] == number


def test_an_explanation_keeps_the_table_that_it_is_about(game: Game) -> None:
    """The move that ends a round deals the next: then only its sheet can still be explained."""
    match = match_at(game)
    shown = match.view(LEARNER)["round"]
    for step in read_tutorial(game).steps:
        if step.asks is not None:
            shown = match.view(LEARNER)["round"]
        seen = match.view(LEARNER)["round"] == shown or shows_sheet(match, shown)
        assert seen, f"{step.say}: another round has been dealt"
        for move in step.moves:
            match.play(move)


def test_steps_light_what_can_be_seen(game: Game) -> None:
    match = match_at(game)
    seats = range(len(match.view(LEARNER)["scores"]))
    *steps, last = read_tutorial(game).steps
    for step in (*steps, last):
        # The sheet of a round hides the table, and at the end there is nothing left to do.
        needless = match.sheet is not None or step is last
        assert step.light or needless or not is_built_in(game), f"{step.say} lights nothing"
        for name in step.light:
            kind, _, which = name.partition(" ")
            if kind == "card":
                assert which in match.view(LEARNER)["hand"], f"{step.say}: {name} is not in hand"
            if kind == "seat":
                assert int(which) in seats, f"{step.say}: there is no {name}"
        for move in step.moves:
            match.play(move)


def test_the_first_game_can_be_opened(game: Game) -> None:
    first = read_tutorial(game).first_game
    assert first is not None or not is_built_in(game)
    if first is not None:
        assert first.level in LEVELS
        scores = Match(game, first.options, seed=bytes(32)).view(LEARNER)["scores"]
        assert len(scores) == first.options["players"]


def test_every_language_has_every_text(game: Game) -> None:
    """English is enough; a game of Theriac itself that has more has all four."""
    texts = {language: words(game, language) for language in languages(game)}
    assert "en" in texts
    assert not is_built_in(game) or len(texts) in (1, 4)
    for language, known in texts.items():
        for step in read_tutorial(game).steps:
            assert known.get(key(game, step.say, known), "").strip(), f"{language}: {step.say}"


def test_every_text_belongs_to_a_step(game: Game) -> None:
    shared = [other for other in GAMES if other.module == game.module and has_tutorial(other)]
    for language in languages(game):
        known = words(game, language)
        said = {key(one, s.say, known) for one in shared for s in read_tutorial(one).steps}
        assert set(known) == said


def test_the_clauses_that_refuse_are_on_the_rule_page(game: Game) -> None:
    known = clause_ids(read_page(game))
    for step in read_tutorial(game).steps:
        assert (step.clause is None) == (step.attempt is None)
        assert step.clause is None or step.clause in known
