"""`encoding.toml` says what `encode` writes, and which move each action is."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theriac.encoding import actions, observation
from theriac.engine.build import Engine
from theriac.faults import Fault
from theriac.game import Game, all_games, find

GAMES = sorted(all_games().values(), key=lambda game: game.name)
POSITIONS = 300

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@functools.cache
def positions(name: str) -> list[Any]:
    """States with a player to act: random positions of games with random options."""
    game = find(name)
    random = np.random.default_rng(1)
    found = []
    engine = game.engine()
    for number in range(POSITIONS):
        settings = random_settings(game, random)
        g, chance, moves = engine.state(), engine.chance(), engine.moves()
        engine.start_game(g, settings.options, chance, 1, number)
        for _ in range(int(random.integers(100))):
            before = g.copy()
            engine.play(g, engine.random_move(g, chance, moves))
            engine.advance(g, chance)
            if g.to_act < 0:
                g = before
                break
        found.append(g)
    return found


def random_settings(game: Game, random: np.random.Generator) -> Any:
    """Settings with a random value of each option; those that do not fit together are skipped."""
    while True:
        values = {o.name: o.values[random.integers(len(o.values))] for o in game.options}
        try:
            return game.settings(
                {**values, "players": int(random.choice(game.players)), "first": 0}
            )
        except Fault:
            continue


def dependencies(game: Game) -> list[set[str]]:
    """For each number that `encode` writes, the fields of the VIEW that it depends on.

    One field of a view changes at a time. If a number changes with it, it depends on that field.
    Some fields of the view are replaced beforehand, to reach what is rare in play.
    """
    random, engine = np.random.default_rng(2), game.engine()
    fields = game.shape.view.names or ()
    depends = np.zeros((game.shape.features, len(fields)), np.bool_)
    views = [*seen(game), *seen(game)]
    for number, view in enumerate(views):
        other = views[number - 1]
        for field in random.permutation(fields)[: number % len(fields) // 2]:
            view[field] = random.choice([*replacements(view[field], other[field], random)])
        before = encoded(engine, view)
        for column, field in enumerate(fields):
            own = np.copy(view[field])
            for value in replacements(own, other[field], random):
                view[field] = value
                depends[:, column] |= encoded(engine, view) != before
            view[field] = own
    return [{fields[column] for column in np.flatnonzero(row)} for row in depends]


def seen(game: Game) -> Iterator[Any]:
    """The VIEW of the player to act in each position."""
    for g in positions(game.name):
        view = game.engine().view()
        game.engine().see(g, int(g.to_act), view)
        yield view


def encoded(engine: Engine, view: Any) -> Any:
    out = np.zeros(engine.shape.features, np.float32)
    engine.encode(view, out)
    out[np.isnan(out)] = 0  # of fields that never go together in play
    return out


def replacements(value: Any, other: Any, random: np.random.Generator) -> Iterator[Any]:
    """Other values of a field: that of another view, its own rows shuffled, or small numbers."""
    yield other
    if np.ndim(value):
        yield random.permutation(value)
        yield random.permutation(other)
        yield random.integers(0, 2, np.shape(value))
    else:
        yield from range(3)


@each_game
def test_features_cover_the_observation(game: Game) -> None:
    places = [int(place) for feature in observation(game) for place in feature.indices.ravel()]
    assert places and sorted(places) == list(range(game.shape.features))


@each_game
def test_each_feature_depends_on_the_fields_it_names(game: Game) -> None:
    found = dependencies(game)
    wrong = {}
    for feature in observation(game):
        depends = set().union(*(found[place] for place in feature.indices.ravel()))
        if depends != feature.reads:
            wrong[f"{feature.group}: {feature.name}"] = sorted(depends)
    assert wrong == {}


@each_game
def test_actions_are_counted(game: Game) -> None:
    text = game.settings({"players": game.players[0], "first": 0}).text
    kinds = actions(game)
    assert sum(kind.count for kind in kinds) == text.actions
    if text.actions < len(text.catalogue()):
        return  # The game numbers its actions itself: see the next test.
    moves = [text.write(int(move)) for move in text.catalogue()]
    for kind in kinds:
        places = [i for i, move in enumerate(moves) if re.fullmatch(kind.notation, move)]
        assert len(places) == kind.count, kind.name
        if kind.first is not None:
            assert places == list(range(kind.first, kind.first + kind.count)), kind.name


@each_game
def test_each_legal_move_has_an_action_of_its_kind(game: Game) -> None:
    engine = game.engine()
    moves = engine.moves()
    text = game.settings({"players": game.players[0], "first": 0}).text
    catalogue, kinds = text.catalogue(), actions(game)
    for g in positions(game.name):
        for move in moves[: engine.list_legal(g, moves)][:: len(moves) // 50 + 1]:
            action = engine.action_of(g, catalogue, move)
            written = text.write(int(move))
            matching = [kind for kind in kinds if re.fullmatch(kind.notation, written)]
            kind = min(matching, key=lambda kind: kind.count)
            if kind.first is not None:
                assert kind.first <= action < kind.first + kind.count, written
