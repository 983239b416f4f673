"""Matches and records of every game: shuffles, options, refusals, replays."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

import theriac
from theriac.faults import BadDeal, BadOption, BadRecord, Fault, Refused
from theriac.game import Game, IntOption, find
from theriac.match import Match
from theriac.record import BadMove, check, parse, replay, replay_each
from theriac.testing.playing import some_move
from theriac.testing.setups import GAMES, Setup

#: The games that always shuffle again during a game.
SHUFFLING = [game for game in GAMES if not game.together]
each_shuffling_game = pytest.mark.parametrize(
    "game", SHUFFLING, ids=[game.name for game in SHUFFLING]
)
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])

SEED = bytes(range(32))


def started(game: Game, moves: int = 0, **more: Any) -> Match:
    """A match with the fewest players, after some moves."""
    given = {"players": game.players[0], "first": 0}
    match = Match(game, given, **{"seed": SEED, **more})
    random = Random(moves)
    for _ in range(moves):
        match.play(some_move(match, random))
    return match


def finished(game: Game, **more: Any) -> Match:
    """A finished match."""
    match = started(game, **more)
    random = Random(0)
    while not match.over:
        match.play(random.choice(match.legal()))
    return match


# Shuffles


@each_shuffling_game
def test_a_shuffle_has_cards_of_the_deck(game: Game) -> None:
    """In a game with one pile, all of them."""
    match = finished(game)
    deck = Counter(game.shipped.counts)
    assert len(match.dealt) >= 2
    for deal in match.dealt:
        assert Counter(deal) <= deck
        assert len(game.shape.piles) > 1 or Counter(deal) == deck
    assert match.dealt[0] != match.dealt[1]


@each_shuffling_game
def test_written_deals_replace_the_shuffles_of_the_seed(game: Game) -> None:
    """Shuffle k is deal k if there is one, else the seed's k-th shuffle."""
    by_seed = finished(game)
    deal = Random(5).sample(by_seed.dealt[0], len(by_seed.dealt[0]))
    written = finished(game, deals=[deal])
    assert written.dealt[0] == deal
    assert written.dealt[1] == by_seed.dealt[1]


@each_game
def test_a_game_needs_no_seed_when_its_deals_are_written(game: Game) -> None:
    match = finished(game)
    record = {**match.record(), "deals": match.dealt}
    del record["seed"]
    assert replay(record).view() == match.view()
    assert replay({**record, "deals": [*match.dealt, ["never asked for"]]}).view() == match.view()


@each_shuffling_game
def test_a_missing_shuffle_is_named_and_nothing_is_played(game: Game) -> None:
    whole = finished(game)
    asked = len(started(game).dealt)  # at the start
    match = started(game, seed=None, deals=whole.dealt[:asked])
    last = next(n for n, at in enumerate(replay_each(whole.record()), -1) if len(at.dealt) > asked)
    for move in whole.moves[:last]:
        match.play(move)
    before = (match._g.tobytes(), match.view(), list(match.moves), list(match.dealt))
    for _ in range(2):
        with pytest.raises(BadDeal, match=f"shuffle {asked + 1} has neither a deal nor") as caught:
            match.play(whole.moves[last])
        assert game.clause(game.shuffle_clause) in str(caught.value)
        assert (match._g.tobytes(), match.view(), match.moves, match.dealt) == before


@each_game
def test_no_shuffle_at_all_is_an_error(game: Game) -> None:
    with pytest.raises(BadDeal, match="shuffle 1 has neither a deal nor a seed"):
        Match(game, {"players": game.players[0], "first": 0})


@each_game
def test_a_bad_deal_says_which_cards_are_wrong(game: Game) -> None:
    cards = started(game).dealt[0]
    for deal, said in (
        (cards[1:], f"deal 1: {cards[0]} is missing"),
        ([*cards, cards[-1]], f"deal 1: {cards[-1]} is extra"),
        ([*cards[1:], "??"], "deal 1: ?? is not a card of this deck"),
        ([], "missing"),
    ):
        with pytest.raises(BadDeal) as caught:
            started(game, deals=[deal])
        assert said in str(caught.value)
        assert str(caught.value).endswith(f"({game.clause(game.shuffle_clause)})")


@each_game
def test_the_seed_chooses_who_is_first_unless_an_option_does(game: Game) -> None:
    players = game.players[-1]
    seats: Counter[int] = Counter()
    for n in range(60):
        match = Match(game, {"players": players}, seed=bytes([n] * 32))
        named = Match(game, {"players": players, "first": 0}, seed=bytes([n] * 32))
        assert match.dealt == named.dealt, "it uses up no shuffle"
        seats[int(match.settings.options.first)] += 1
    assert set(seats) == set(range(players))
    with pytest.raises(BadOption, match="option first is missing"):
        Match(game, {"players": players}, deals=[game.shipped.cards()])


# Options


@each_game
@pytest.mark.parametrize("value", ["1", 1.0, True, None, [], {}, -1, 10**30])
def test_a_number_must_be_an_integer(game: Game, value: Any) -> None:
    for given in ({"players": value}, {"players": game.players[0], "first": value}):
        with pytest.raises(BadOption):
            Match(game, given, seed=SEED)


@each_game
def test_an_unknown_option_is_refused_with_the_known_ones(game: Game) -> None:
    with pytest.raises(BadOption) as caught:
        Match(game, {"players": game.players[0], "colour": 1}, seed=SEED)
    for name in ("players", "first", *(option.name for option in game.options)):
        assert name in str(caught.value)


@each_game
def test_every_option_takes_its_own_values_only(game: Game) -> None:
    for option in game.options:
        wrong: list[Any] = [None, "", "no such value", 99, 1.5, [], not option.default]
        for value in wrong:
            if any(type(value) is type(known) and value == known for known in option.values):
                continue
            if type(option) is IntOption and type(value) is int:
                continue
            with pytest.raises(BadOption, match=rf"option {option.name}: .*\({option.clause}\)"):
                Match(game, {"players": game.players[0], option.name: value}, seed=SEED)


def test_no_such_game() -> None:
    with pytest.raises(Fault, match="no game is called chess: there are"):
        find("chess")


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(Fault, match="a seed is 32 bytes"):
        started(GAMES[0], seed=seed)


# Views


def test_all_matches_share_the_types_of_their_arrays() -> None:
    """Compiled code takes longer to recognize a dtype that is equal, but another object."""
    first, second = (theriac.new("poison", players=3, seed=bytes(32)) for _ in range(2))
    assert first._states.dtype is second._states.dtype
    assert first._views.dtype is second._views.dtype


@each_game
def test_views_are_plain_data(game: Game) -> None:
    """JSON as the record format has it: integers, texts, lists, true, false and null."""
    match = started(game, 10)
    for view in (match.view(), *(match.view(seat) for seat in range(match.players))):
        assert json.loads(json.dumps(view)) == view
        assert set(view) - {"hand"} == {
            "game", "over", "to_act", "round", "scores", "winners", "legal", "table",
        }  # fmt: skip
    assert "hand" not in match.view()
    assert all("hand" in match.view(seat) for seat in range(match.players))
    assert match.view()["legal"] == sorted(set(match.legal()))


@each_game
@pytest.mark.parametrize("seat", [-3, -2, -1, 99])
def test_only_seats_have_a_view(game: Game, seat: int) -> None:
    with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to"):
        started(game).view(seat)


@each_game
def test_only_the_seat_to_act_has_legal_moves(game: Game) -> None:
    match = started(game, 5)
    for seat in range(match.players):
        expected = match.legal() if seat == match.to_act else []
        assert match.view(seat)["legal"] == expected


@each_game
def test_when_over_nobody_acts_and_every_move_is_refused(game: Game) -> None:
    match = finished(game)
    view = match.view()
    assert (view["over"], view["to_act"], view["legal"]) == (True, None, [])
    assert view["winners"] or game.together
    with pytest.raises(Refused):
        match.play(match.moves[-1])
    with pytest.raises(Refused):
        match.play("")


# Records


@each_game
def test_a_record_reproduces_the_game(game: Game) -> None:
    match = started(game, 12)
    record = parse(json.dumps(match.record()))
    again = replay(record)
    assert again.record() == record == match.record()
    assert again._g.tobytes() == match._g.tobytes()
    assert [len(t.moves) for t in replay_each(record)] == list(range(13))


@each_game
def test_a_record_keeps_its_deck(game: Game) -> None:
    setup = Setup(game, {"players": game.players[0], "first": 0}).with_deck(Random(3))
    record = setup.match(1).record()
    assert record["options"]["deck"] == setup.given["deck"]
    assert Counter(replay(record).dealt[0]) <= Counter(setup.given["deck"])


@each_game
def test_a_bad_move_is_named_by_its_number(game: Game) -> None:
    record = started(game, 3).record()
    record["moves"][1] = "nonsense"
    with pytest.raises(BadMove, match=r"move 2: nonsense: .* \([A-Z]+-[0-9]+\)"):
        replay(record)


def test_an_unknown_key_is_refused_unless_it_begins_with_x() -> None:
    record = started(GAMES[0], 2).record()
    assert replay({**record, "x_anything": [1], "expect": {"a": 1}}).moves == record["moves"]
    for key in ("note", "x", "X_note", "Moves"):
        with pytest.raises(BadRecord, match=f"unknown key {key}"):
            check({**record, key: 1})


@pytest.mark.parametrize(
    "change",
    [
        {"theriac": 2}, {"theriac": True}, {"theriac": "1"}, {"theriac": 1.0},
        {"game": 3}, {"game": None}, {"options": []}, {"moves": "R1@1"}, {"moves": [1]},
        {"deals": [1]}, {"deals": ["R1"]}, {"deals": {}}, {"seed": ""}, {"seed": "0" * 63},
        {"seed": "g" * 64}, {"seed": 5}, {"seed": None},
    ],
)  # fmt: skip
def test_a_malformed_record_is_refused(change: dict[str, Any]) -> None:
    record = started(GAMES[0], 2).record()
    with pytest.raises(BadRecord):
        replay({**record, **change})


@pytest.mark.parametrize("key", ["theriac", "game", "options", "moves"])
def test_a_record_must_have_its_required_keys(key: str) -> None:
    record = started(GAMES[0], 2).record()
    del record[key]
    with pytest.raises(BadRecord, match=key):
        replay(record)


# What a game may add to a match


def test_a_game_without_a_clock_or_silence_has_neither() -> None:
    match = theriac.new("poison", players=3, first=0, seed=bytes(32))
    assert (match.time_limit, match.clock_move, match.silence, match.end_clause) == (None,) * 4
    assert match.out_of_turn() == []
    assert [match.may_act(seat, match.legal()[0]) for seat in range(3)] == [False, True, False]


@pytest.mark.clause("KKD-07", "KKD-23")
def test_the_clock_of_the_dungeon_makes_a_move_of_its_own() -> None:
    match = theriac.new("dungeon", players=2, first=0, seed=bytes(32), minutes=5)
    assert (match.time_limit, match.clock_move) == (300, "timeout")
    assert "timeout" not in match.legal()
    ends = [match.end_clause]
    match.play("timeout")
    assert [*ends, match.end_clause] == [None, "KKD-23"]
    without = theriac.new("dungeon", players=2, first=0, seed=bytes(32), minutes=0)
    assert without.time_limit is None


@pytest.mark.clause("KKD-31")
def test_any_seat_may_cast_a_spell() -> None:
    options: dict[str, Any] = {"players": 3, "first": 0, "level": 1, "spells": ["silence", "ice"]}
    match = theriac.new("dungeon", seed=bytes(32), **options)
    card = match.legal()[0]
    assert match.to_act == 0
    assert [match.may_act(seat, "ice@0,0") for seat in range(3)] == [True, True, True]
    assert [match.may_act(seat, card) for seat in range(3)] == [True, False, False]
    assert not match.may_act(1, "timeout")


@pytest.mark.parametrize(
    ("game", "text", "pointable"),
    [
        ("dungeon", "-3,12", True),
        ("dungeon", "0122", True),
        ("dungeon", "look here", False),
        ("poison", "R1", True),
        ("poison", "1,1", False),
    ],
)
def test_a_gesture_points_at_a_card_or_a_place_of_the_game(
    game: str, text: str, pointable: bool
) -> None:
    assert find(game).shipped_text.is_pointable(text) is pointable
