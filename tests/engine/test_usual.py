"""What is derived: copies and views from lists of fields, and the usual rules."""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from theriac.deck import Deck
from theriac.encoding import observation
from theriac.engine import usual
from theriac.engine.build import fill_slots
from theriac.engine.chance import seed_stream
from theriac.engine.open_fields import (
    FieldRoles,
    copy_open,
    encode_fields,
    fill_view,
    usual_features,
)
from theriac.engine.records import record
from theriac.engine.rule import Linker, rule
from theriac.engine.shape import Shape
from theriac.faults import BadDeck, Fault
from theriac.game import Game, find
from theriac.match import Match

_OPEN: list[Any] = [
    ("to_act", np.int16),
    ("rounds", np.int16),
    ("players", np.int16),
    ("deck", np.int16, (4,)),
    ("seen", np.int16, (4,)),
    ("grid", np.int8, (2, 3)),
    ("cube", np.int8, (2, 2, 2)),
    ("filled", np.int16, (2,)),
    ("rows", np.int8, (2, 3)),
    ("shuffles", np.int16, (1,)),
    ("pile", np.int16),
]
STATE = np.dtype([*_OPEN, ("hands", np.int16, (3, 4)), ("undealt", np.int16, (4,))], align=True)
VIEW = np.dtype(
    [
        *_OPEN,
        ("seat", np.int16),
        ("hand", np.int16, (4,)),
        ("sizes", np.int16, (3,)),
        ("scores", np.int16, (3,)),
    ],
    align=True,
)
SHAPE = Shape(state=STATE, view=VIEW, options=STATE, cards=4, moves=4, sized={"rows": "filled"})


@rule
def score(g: Any, seat: int) -> int:
    """For the usual rules: the pile is what seat 0 has, the others nothing."""
    return g.pile if seat == 0 else 0


def linked(function: Any, shape: Shape = SHAPE, **rules: Any) -> Any:
    """A usual rule, interpreted, in a game with these rules."""
    return Linker(fill_slots({"score": score, **rules}, shape)).build(function)


def some_state() -> Any:
    """A state with a different number in every element."""
    g = record(STATE)
    for name in STATE.names or ():
        g[name] = np.arange(1, g[name].size + 1).reshape(g[name].shape)
    g.players = 2
    g.filled[:] = (1, 3)
    return g


def test_open_fields_are_copied_there_and_back() -> None:
    g, v, again = some_state(), record(VIEW), record(STATE)
    SHAPE.copy_open(g, v)
    SHAPE.copy_open(v, again)
    for name in SHAPE.fields.open:
        expected = [[1, 0, 0], [4, 5, 6]] if name == "rows" else g[name].tolist()
        assert v[name].tolist() == again[name].tolist() == expected, name
    assert not again.hands.any()
    assert not again.undealt.any()


def test_a_view_has_what_is_open_and_ones_own() -> None:
    g, v = some_state(), record(VIEW)
    Linker(fill_slots({"score": score}, SHAPE)).build(SHAPE.fill_view)(g, 1, v)
    assert v.seat == 1
    assert v.hand.tolist() == [5, 6, 7, 8]
    assert v.sizes.tolist() == [10, 26, 42]
    assert v.scores.tolist() == [1, 0, 0]
    Linker(fill_slots({"score": score}, SHAPE)).build(SHAPE.fill_view)(g, -1, v)
    assert not v.hand.any()


def test_only_elements_that_count_are_shown_of_a_hand() -> None:
    state = np.dtype([("hands", np.int8, (2, 3)), ("sizes", np.int16, (2,))])
    view = np.dtype([("hand", np.int8, (3,)), ("sizes", np.int16, (2,)), ("mine", np.int16)])
    fields = FieldRoles(state, view, (("mine", "sizes"),), (("hands", "sizes"),))
    g, v = record(state), record(view)
    g.hands[:] = 7
    g.sizes[:] = (1, 2)
    fill_view(fields)(g, 1, v)
    assert (v.hand.tolist(), v.mine) == ([7, 7, 0], 2)


def test_made_rules_have_a_source() -> None:
    source = inspect.getsource(SHAPE.copy_open)
    assert "    target.to_act = source.to_act\n" in source
    assert "only(source.rows[i, j], j < source.filled[i])" in source
    assert SHAPE.copy_open is replace(SHAPE, features=3).copy_open


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            FieldRoles(STATE, np.dtype([("to_act", np.int32)])),
            "to_act is int16 in STATE and int32 in VIEW: make them equal",
        ),
        (FieldRoles(STATE, VIEW, (("hand", "deck"),)), "STATE.deck is not one VIEW.hand per seat"),
        (
            FieldRoles(STATE, VIEW, (), (("rows", "full"),)),
            "sized names full, which STATE does not have",
        ),
        (
            FieldRoles(STATE, VIEW, (), (("rows", "pile"),)),
            "does not have one number for each row of STATE.rows",
        ),
    ],
)
def test_records_that_do_not_fit_together(fields: FieldRoles, sentence: str) -> None:
    with pytest.raises(Fault) as raised:
        copy_open(fields)
    assert sentence in str(raised.value)


def test_a_field_that_nothing_fills_is_named() -> None:
    view = np.dtype([*((name, VIEW[name]) for name in VIEW.names or ()), ("mood", np.int16)])
    shape = replace(SHAPE, view=view)
    assert shape.fields.unfilled == ["mood"]
    assert "see" not in usual.usual_rules({}, shape, None, together=False)


# As numbers


def test_the_usual_encode_writes_every_number() -> None:
    view = np.dtype([("a", np.int16), ("b", np.int16, (2, 2)), ("c", np.int64, (2,))])
    fields = FieldRoles(view, view, cards=3)
    v = record(view)
    v.a = -3
    v.b[:] = [[0, 1], [3, -32768]]
    v.c[:] = (0b101, 0b010)
    out = np.full(usual_features(fields), 9, np.float32)
    encode_fields(fields)(v, out)
    assert out[:4].tolist() == [-0.75, 0, 0.5, 0.75]
    assert -1 < out[4] < -0.99
    assert out[5:].tolist() == [1, 0, 1, 0, 1, 0]


def test_a_derived_observation_is_described() -> None:
    poison = find("poison")
    rules = {name: rule for name, rule in poison.rules.items() if name != "encode"}
    game = replace(poison, module="theriac.games", rules=rules)
    assert "encode" in game.derived
    features = observation(game)
    assert [feature.name for feature in features] == list(game.shape.view.names or ())
    assert features[-1].indices.max() == game.shape.features - 1
    assert sum(feature.count for feature in features) == game.shape.features


# Results and prospects


def test_the_best_score_wins_and_equal_ones_share() -> None:
    g = record(STATE)
    g.players = 2
    highest, lowest = linked(usual.highest_wins), linked(usual.lowest_wins)
    for points, first, second in ((3, 1.0, 0.0), (-3, 0.0, 1.0), (0, 0.5, 0.5)):
        g.pile = points
        assert [highest(g, seat) for seat in range(2)] == [first, second]
        assert [lowest(g, seat) for seat in range(2)] == [second, first]


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("points", [-7, 0, 7])
def test_prospects_are_shares_of_one_win(players: int, points: int) -> None:
    g = record(STATE)
    g.players, g.pile = players, points
    more, less = (
        [linked(function, result=usual.highest_wins)(g, seat) for seat in range(players)]
        for function in (usual.prospect_if_highest_wins, usual.prospect_if_lowest_wins)
    )
    for shares in (more, less):
        assert sum(shares) == pytest.approx(1)
        assert min(shares) > 0
    if players > 1:
        assert np.sign(more[0] - more[1]) == np.sign(points) == -np.sign(less[0] - less[1])


def test_at_the_end_the_prospect_is_the_result() -> None:
    g = record(STATE)
    g.players, g.pile, g.to_act = 2, 5, -2
    assert linked(usual.prospect_if_highest_wins, result=usual.highest_wins)(g, 0) == 1


def test_without_wins_there_is_no_result() -> None:
    assert not {"result", "prospect"} & usual.usual_rules({}, SHAPE, None, False).keys()
    assert not {"result", "prospect"} & usual.usual_rules({}, SHAPE, "highest", True).keys()


# Imagining


def test_cards_counted_are_imagined_with_equal_probability() -> None:
    """Of cards 0, 0, 1 and 3 two are with seat 1, one with seat 2, one in the pile."""
    assert usual.why_no_imagine(SHAPE) == ""
    v, g = record(VIEW), record(STATE)
    v.deck[:], v.seen[:], v.hand[:] = (3, 2, 2, 1), (0, 1, 0, 0), (1, 0, 2, 0)
    v.sizes[:] = (3, 2, 1)
    random = np.zeros(4, np.int64)
    seed_stream(random, 1, 0)
    imagine = linked(usual.imagine_counts, imagine=usual.imagine_counts)
    found: Counter[tuple[Any, ...]] = Counter()
    for _ in range(1200):
        imagine(v, random, g)
        assert g.hands[0].tolist() == v.hand.tolist()
        assert (g.hands.sum(axis=0) + g.undealt + v.seen).tolist() == v.deck.tolist()
        assert g.hands.sum(axis=1).tolist() == [3, 2, 1]
        found[tuple(g.hands[1].tolist()), tuple(g.undealt.tolist())] += 1
    ways: Counter[tuple[Any, ...]] = Counter()
    cards = [0, 0, 1, 3]
    for other in range(4):
        for rest in range(4):
            if rest != other:
                hand = [0] * 4
                for i in range(4):
                    if i not in (other, rest):
                        hand[cards[i]] += 1
                pile = [int(card == cards[rest]) for card in range(4)]
                ways[tuple(hand), tuple(pile)] += 1
    assert found.keys() == ways.keys()
    expected = [ways[key] * 100 for key in ways]
    assert chisquare([found[key] for key in ways], expected).pvalue > 1e-4


@pytest.mark.parametrize(
    ("without", "sentence"),
    [
        ("seen", "VIEW has no field seen"),
        ("grid", "STATE.grid is not in VIEW, and it is neither hands nor undealt"),
    ],
)
def test_why_there_is_no_usual_imagine(without: str, sentence: str) -> None:
    view = np.dtype([(name, VIEW[name]) for name in VIEW.names or () if name != without])
    shape = replace(SHAPE, view=view)
    assert usual.why_no_imagine(shape) == sentence
    assert "imagine" not in usual.usual_rules({}, shape, None, together=False)


# Games


def test_a_rule_that_is_given_takes_precedence() -> None:
    poison = find("poison")
    other = replace(poison, rules={"score": score})
    assert other.rules["score"] is score
    assert other.rules["play"] is poison.rules["play"]


def test_decks_of_a_game_without_fill_options() -> None:
    hearts_like = replace(find("poison"), fill_options=None, check_options=None)
    assert hearts_like.usual_settings({}).options.deck.tolist()[-1] == 8
    shape = replace(
        hearts_like.shape, options=np.dtype([("players", np.int16), ("first", np.int16)])
    )
    fixed = replace(hearts_like, shape=shape, options=())
    assert fixed.usual_settings({}).options.players == 4
    with pytest.raises(BadDeck, match="poison is played with its own cards only"):
        fixed.usual_settings({"deck": ["R1"] * 20})
    once = np.dtype(
        [*((n, shape.options[n]) for n in shape.options.names or ()), ("deck", np.int64)]
    )
    sets: Game = replace(fixed, shape=replace(shape, options=once))
    given = {"deck": ["R1", "R2", "X"]}
    options = sets.usual_settings(given).options
    names = sets.text(Deck.of(given["deck"])).numbers()
    assert options.deck == sum(1 << names[card] for card in given["deck"])
    with pytest.raises(BadDeck, match="card R1: 2 of them, but each card is there once"):
        sets.usual_settings({"deck": ["R1", "R1"]})


def test_a_usual_rule_of_a_game_can_be_called() -> None:
    match = Match(find("poison"), {"players": 3}, seed=bytes(32), speed="plain")
    v = record(match.game.shape.view)
    match.game.rule("see")(match._g, 0, v)
    assert v.hand.sum() == v.sizes[0]
