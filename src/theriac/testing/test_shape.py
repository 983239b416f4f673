"""The parts of a game: its records, options, deck, rules, and test cases."""

from __future__ import annotations

import importlib
import tomllib
from typing import Any

import numpy as np

from theriac.deck import PROVENANCES
from theriac.engine.contract import NOBODY
from theriac.engine.rule import is_rule
from theriac.game import Game
from theriac.testing.clauses import clauses_in
from theriac.testing.referees import referee_of
from theriac.testing.setups import GAMES, cases, reduced, setups_of


def records_of(game: Game) -> list[np.dtype[Any]]:
    return [game.shape.state, game.shape.view, game.shape.options, game.shape.chance]


def test_no_field_has_the_name_of_a_method(game: Game) -> None:
    """Interpreted, `g.take` would be NumPy's method and not the field."""
    for record in records_of(game):
        assert record.names is not None
        assert [name for name in record.names if hasattr(np.record, name)] == []


def test_records_have_the_fields_of_the_contract(game: Game) -> None:
    shape = game.shape
    assert {"to_act", "shuffles", "pile"} <= set(shape.state.names or ())
    assert {"to_act", "rounds", "scores"} <= set(shape.view.names or ())
    named = {"players", "first", *(option.name for option in game.options)}
    assert named <= set(shape.options.names or ())
    assert shape.state["shuffles"].shape == (len(shape.piles),)
    assert shape.view["scores"].shape[0] >= max(game.players) == shape.players


def test_cold_fields_are_array_fields_of_the_state(game: Game) -> None:
    assert all(game.shape.state[name].shape for name in game.gpu.cold_fields)


def test_aliased_fields_are_the_same_array_fields_in_state_and_view(game: Game) -> None:
    for name in game.gpu.aliased_fields:
        assert game.shape.state[name] == game.shape.view[name]
        assert game.shape.state[name].shape


def test_fields_are_wide_enough(game: Game) -> None:
    """A number has 16 bits or more; only rows of cards or of moves may be narrower."""
    for record in records_of(game):
        for name in record.names or ():
            base, shape = record[name].base, record[name].shape
            if base.kind == "f":
                assert base.itemsize == 8, f"{name} is not as exact as Python's numbers"
                continue
            assert base.kind in "iu", f"{name} is not a number"
            assert base.itemsize >= 2 or shape, f"{name} is narrow"
            assert np.iinfo(base).max >= game.shape.cards, f"{name} cannot hold every card"
    assert np.iinfo(game.shape.state["to_act"].base).min <= NOBODY


def test_every_option_has_a_clause_and_a_help(game: Game) -> None:
    known = clauses_in(game.folder)
    for option in game.options:
        assert option.clause in known
        assert option.help
        assert len({type(value) for value in option.values}) == 1
    for number in (game.players_clause, game.shuffle_clause, game.deck_clause):
        assert number == 0 or game.clause(number) in known
    assert game.first_help
    assert game.summary
    assert game.title


def test_every_value_of_every_option_is_tried(game: Game) -> None:
    tried = [setup.given for setup in setups_of(game)]
    for option in game.options:
        values = [given.get(option.name, option.default) for given in tried]
        assert all(value in values for value in option.values)
    assert {given["players"] for given in tried} == set(game.players)


def test_the_deck_says_where_its_facts_come_from(game: Game) -> None:
    content = tomllib.loads((game.folder / game.deck_file).read_text(encoding="utf-8"))
    assert content["provenance"]
    assert set(content["provenance"].values()) <= set(PROVENANCES)


def test_the_shipped_deck_can_be_played_with_and_departs_from_nothing(game: Game) -> None:
    assert game.check_deck(game.shipped) == ([], [])


def test_every_function_of_the_contract_is_there_and_is_a_rule(game: Game) -> None:
    contract = importlib.import_module("theriac.engine.contract")
    asked = {name for name, value in vars(contract).items() if is_rule(value)}
    by_choice = {"pick_legal", "lay_out", "action_of", "move_of", "advise_source"}
    by_choice |= {"out_of_turn", "silence", "time_limit", "round_count", "clock_move"}
    by_choice |= {"end_clause"}
    assert set(game.rules) - by_choice == asked - by_choice
    assert ("action_of" in game.rules) == ("move_of" in game.rules)
    for function in game.rules.values():
        assert is_rule(function)


def test_the_game_has_its_test_cases(game: Game) -> None:
    """The docstring of `games/poison/tests/cases.py` describes them."""
    counts = cases(game, "COUNTS")
    assert any(case["deals"] for case in counts)
    if len(game.shape.piles) == 1:
        assert any(not case["deals"] for case in counts)
        assert {setup.given["players"] for setup in reduced(game)} == set(game.players)
    else:  # too many shuffles to enumerate: the game has its own test of `imagine`
        assert (game.folder / "tests" / "test_imagine.py").exists()


def test_the_game_has_an_independent_referee(game: Game) -> None:
    assert referee_of(game).name == game.name


def test_games_in_one_folder_have_the_same_rules(game: Game) -> None:
    """Compiled code is cached by folder: games with different rules would get each other's."""
    for other in GAMES:
        if other.folder == game.folder:
            assert dict(other.rules) == dict(game.rules)
            assert other.shape == game.shape
