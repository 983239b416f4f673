"""The tests over all games: what they compare, and what they say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from theriac.engine.records import record
from theriac.engine.shape import Shape
from theriac.game import find
from theriac.match import Match
from theriac.testing import playthroughs
from theriac.testing import referee as base
from theriac.testing.dependence import Dependence
from theriac.testing.facts import Fact, HiddenFacts
from theriac.testing.history import History
from theriac.testing.information import play_and_count, random_position
from theriac.testing.referees import referee_of
from theriac.testing.setups import reduced, setups_of
from theriac.testing.test_blind import leaks
from theriac.testing.test_counts import test_the_rules_count_the_known_number_of_positions as count
from theriac.testing.test_legal import disagreeing
from theriac.testing.test_referee import differences, same_views
from theriac.testing.unimagined import Question
from theriac.testing.walk import Choices, Walk

SEED = bytes(32)


class Laying(base.Game):
    """A referee whose moves are cards, several at once: `7+7`."""

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return options

    def shipped_deck(self) -> list[str]:
        return ["7", "7", "7", "8", "8"]

    def begin(self) -> None:
        self.cards = list(self.deck)
        self.to_act = 0

    def moves(self) -> list[str]:
        return ["7+7+8", "7", "pass"]

    def refusal(self, text: str) -> str | None:
        return None if text in self.moves() else "LAY-01"

    def apply(self, text: str) -> None:
        for card in text.split("+") if text != "pass" else ():
            self.cards.remove(card)

    def scores(self) -> list[int]:
        return [0]

    def table(self) -> dict[str, Any]:
        return {}

    def hand(self, seat: int) -> list[str]:
        return self.cards


@pytest.mark.parametrize(("move", "ways"), [("pass", 1), ("7", 3), ("7+7+8", 3 * 2)])
def test_a_move_may_play_several_copies(move: str, ways: int) -> None:
    """Which of them it was is not known: each choice is a deal of its own."""
    assert play_and_count(Laying({"players": 1}, []), move) == ways


def test_positions_are_anywhere_in_the_first_round() -> None:
    """Three players have two cards each: the sixth move ends the round. With bids before it, half
    of the moves would all be bids.
    """
    small = reduced(find("poison"))[0]
    lengths = {len(random_position(small, Random(seed)).moves) for seed in range(100)}
    assert lengths == set(range(6))


def begin() -> tuple[Match, base.Game]:
    """Poison, and its referee with the same shuffle."""
    options = {"players": 3, "first": 0}
    match = Match(find("poison"), options, seed=SEED, speed="plain")
    deals = [list(match.dealt[0])]
    return match, referee_of(find("poison"))(options, deals)


def test_a_game_shows_a_hand_in_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    match, referee = begin()
    text, own = type(match.settings.text), match.settings.text.hand
    monkeypatch.setattr(text, "hand", lambda _, v: own(v)[::-1])
    assert match.view(0)["hand"] != referee.seat_state(0)["hand"]
    same_views(match, referee)


def test_a_difference_from_the_referee_is_one_sentence() -> None:
    match, referee = begin()
    match.play(match.legal()[0])
    referee.play(match.moves[0])
    same_views(match, referee)
    referee.round = 7
    said = "the view: round: the rules say 1, the referee says 7; options "
    with pytest.raises(AssertionError, match=said) as failed:
        same_views(match, referee)
    assert f"moves ['{match.moves[0]}']" in str(failed.value)


def test_keys_that_only_one_side_has_are_named() -> None:
    rules, referee = {"table": {"left": 1, "rest": 2}}, {"table": {"left": 1, "trick": []}}
    assert [*differences("the view", rules, referee)] == [
        "the view: table: only text.py has rest",
        "the view: table: only the referee has trick",
    ]


def test_rules_and_referee_go_on_alike_when_the_deals_are_used_up() -> None:
    deck = ["X", "R2", "P1", "B4"]  # not in the order of the card numbers
    case = {"game": "poison", "options": {"players": 3, "first": 0, "deck": deck}, "depth": 6}
    count({**case, "deals": [deck]}, "plain")


def test_a_case_without_a_deck_has_the_shipped_one() -> None:
    case = {"game": "poison", "options": {"players": 3, "first": 0}, "deals": [], "depth": 1}
    count(case, "plain")


def test_stale_playthroughs_are_those_that_were_written_for_other_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison = find("poison")
    monkeypatch.setattr(playthroughs, "home", lambda _: tmp_path)
    for setup in setups_of(poison):
        playthroughs.path_of(setup).touch()
    (tmp_path / "poison-by-hand.json").touch()
    assert playthroughs.stale_playthroughs(poison) == []
    (tmp_path / "poison-3-players-last_trick-2.json").touch()
    (tmp_path / "poison-9-players.json").touch()
    stale = [path.name for path in playthroughs.stale_playthroughs(poison)]
    assert stale == ["poison-3-players-last_trick-2.json", "poison-9-players.json"]


def test_a_move_that_is_not_listed_is_named() -> None:
    walk = Walk(setups_of(find("poison"))[0], "plain")
    next(walk.steps(Choices([], 1)))
    legal = walk.legal()
    assert disagreeing(walk, legal, legal) == ""
    first = walk.setup.settings.text.write(legal[0])
    less, more = disagreeing(walk, legal[1:], legal), disagreeing(walk, legal, legal[1:])
    assert less == f"refuse allows {first}, which list_legal does not list"
    assert more == f"list_legal lists {first}, which refuse forbids, or the catalogue lacks"


def test_a_field_that_gives_a_deal_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = begin()[0], begin()[0]
    seen = one.look(0).copy()
    assert leaks(0, one, other, []) == ""
    seen.rounds += 1
    monkeypatch.setattr(other, "look", lambda _: seen)
    said = (
        "seat 0 sees rounds differ between deals that it cannot tell apart: VIEW.rounds leaks what "
        "is hidden"
    )
    assert leaks(0, one, other, []) == said


# What is hidden in a state

_SEEN: list[Any] = [("to_act", np.int16), ("rounds", np.int16), ("sizes", np.int16, (2,))]
_STATE = np.dtype(
    [
        *_SEEN,
        ("pile", np.int16),
        ("bids", np.int16, (2,)),
        ("kept", np.int64, (2,)),
        ("counts", np.int16, (2, 5)),
        ("hands", np.int8, (2, 3)),
        ("odds", np.float64, (2,)),
    ]
)
_SHAPE = Shape(
    state=_STATE,
    view=np.dtype([*_SEEN, ("scores", np.int16, (2,))]),
    options=_STATE,
    cards=5,
    moves=1,
    players=2,
    sized={"hands": "sizes"},
)


def test_hidden_facts_are_read_by_the_types_of_the_fields() -> None:
    g = record(_STATE)
    g.pile = 7
    g.bids[:] = (4, 0)
    g.kept[:] = (0b101, 0)
    g.counts[1] = (0, 2, 0, 0, 1)
    g.sizes[:] = (2, 0)
    g.hands[0] = (3, 1, 4)  # the last is left over
    found = {
        (name, *index, number, kind) for (name, index), number, kind in HiddenFacts(_SHAPE).of(g)
    }
    assert found == {
        ("pile", 7, "value"),
        ("bids", 0, 4, "value"),
        ("bids", 1, 0, "value"),
        ("kept", 0, 0, "card"),
        ("kept", 0, 2, "card"),
        ("counts", 1, 1, "card"),
        ("counts", 1, 4, "card"),
        ("hands", 0, 3, "entry"),
        ("hands", 0, 1, "entry"),
    }


def test_the_order_of_a_hand_is_no_fact() -> None:
    one, other = record(_STATE), record(_STATE)
    one.sizes[0] = other.sizes[0] = 3
    one.hands[0], other.hands[0] = (0, 1, 2), (2, 0, 1)
    assert HiddenFacts(_SHAPE).of(one) == HiddenFacts(_SHAPE).of(other)


def test_a_game_depends_on_hands_but_not_on_what_is_left_over() -> None:
    poison = find("poison")
    history = History(poison, poison.usual_settings({}), "plain", 0)
    other = history.g.copy()
    other.hands[:] = np.roll(history.g.hands, 1, axis=0)
    other.receiver += 1  # the cards are dealt
    dependence = Dependence(poison)
    assert dependence.depends_on("hands", history.g, other)
    assert not dependence.depends_on("receiver", history.g, other)


def test_two_facts_are_missed_together_only_if_chance_would_have_put_them_together() -> None:
    """Two rare facts may well be in no state of a thousand."""
    bid = Fact(("bids", (0,)), 4, "value")
    cards = [Fact(("hands", (0,)), card, "card") for card in (1, 2)]
    seen = Counter({bid: 100, Fact(bid.place, 5, "value"): 900, cards[0]: 500, cards[1]: 50})
    asked = [Question(bid, False, (card,)).had_its_chance(seen, 1000) for card in cards]
    assert asked == [True, False]


def test_a_number_is_missed_only_if_there_was_room_for_it() -> None:
    bid = Fact(("bids", (0,)), 4, "value")
    seen = Counter({Fact(bid.place, number, "value"): 10 for number in range(5, 105)})
    assert not Question(bid, False, ()).had_its_chance(seen, 1000)
    assert Question(bid, False, ()).had_its_chance(seen, 5000)
