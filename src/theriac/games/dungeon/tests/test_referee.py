"""Tests of the dungeon referee itself: setting up, laying, danger, the alarm and the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from theriac.games.dungeon.tests.referee import Dungeon
from theriac.games.dungeon.tests.referee_cards import SHIPPED, corners, is_creature, is_knight
from theriac.games.dungeon.tests.referee_helpers import (
    KNIGHT,
    alone,
    at,
    begun,
    clause,
    ended,
    played,
    put,
    two,
)
from theriac.testing.referee import BadDeal, BadOption, NoShuffle, in_given_order, seeded

# --- setting up ---------------------------------------------------------------------------------


def test_shipped_deck() -> None:
    """KKD-01, KKD-02."""
    deck = list(Counter(SHIPPED).elements())
    assert len(deck) == 63
    assert sum(not is_creature(card) for card in deck) == 41
    assert sum(is_creature(card) for card in deck) == 22
    assert [card for card in deck if is_knight(card)] == [KNIGHT]
    for card in deck:
        total = sum(corners(card, False).values())
        assert total > 5 if is_creature(card) else total in (0, 5)


@pytest.mark.parametrize(("players", "size"), [(1, 6), (2, 4), (3, 4), (4, 4), (5, 4), (6, 3)])
@pytest.mark.parametrize(("level", "towers"), [(0, 0), (1, 3), (2, 3), (3, 4), (4, 4)])
def test_setting_up(players: int, size: int, level: int, towers: int) -> None:
    """Towers out, one card at a time from the first player.

    KKD-03, KKD-04, KKD-05, KKD-06, KKD-25, KKD-33.
    """
    first = players - 1
    options = {"players": players, "first": first, "level": level}
    game = Dungeon(options, [], in_given_order)
    used = [c for c in game.deck if f"L{level}" in c or "L" not in c]
    used.remove(KNIGHT)
    assert len(used) == 48 + towers
    for seat in range(players):
        mine = used[(seat - first) % players : players * size : players]
        assert game.seat_state(seat)["hand"] == sorted(mine)
    state = game.state()
    assert (state["game"], state["round"], state["to_act"]) == ("dungeon", 1, first)
    assert (state["scores"], state["winners"], state["over"]) == ([0] * players, [], False)
    start = used[players * size]
    assert [(e["card"], e["x"], e["y"], e["turned"]) for e in state["table"]["fort"]] == [
        (start, 0, 0, False)
    ]
    left = 48 + towers - players * size - 1 + 1  # the knight is one of them
    assert state["table"]["pile"] == left
    assert state["table"]["hands"] == [size] * players
    assert (state["table"]["talk"], state["table"]["supply"]) == (True, 12)
    assert (state["table"]["spells"], state["table"]["level"]) == ([], level)
    assert (state["table"]["outcome"], state["table"]["why"]) == (None, None)


def test_knight_is_last() -> None:
    """KKD-03, KKD-33: a deal does not hold him; he is drawn after all others."""
    deal = ["1111"] * 10
    with pytest.raises(BadDeal):
        Dungeon({"players": 2, "first": 0, "deck": [*deal, KNIGHT]}, [[KNIGHT, *deal]])
    game = two("0000", "0000", pile="2222t2")
    assert game.table()["pile"] == 2
    game.play("0000@1,1")
    assert game.hands[0][-1] == "2222t2"
    game.play("1111@-1,-1")
    assert (game.hands[1][-1], game.table()["pile"], game.table()["hands"]) == (KNIGHT, 0, [4, 4])


def test_first_card() -> None:
    """KKD-05: tokens for a creature, laid before the first turn; no token turned."""
    game = two("3333t2s", "0000")
    assert (at(game, 0, 0)["tokens"], game.supply, game.talk) == (2, 10, True)
    game.play("0000@1,1")
    assert (at(game, 0, 0)["tokens"], game.supply, at(game, 0, 0)["danger"]) == (1, 11, 9)


def test_first_card_with_too_many_tokens() -> None:
    """KKD-05, KKD-12."""
    game = two("3333t13", "")
    assert (ended(game), game.to_act, game.supply) == (("lost", "KKD-12"), None, 12)
    assert clause(game, "1111@1,1") == "KKD-12"


def test_options() -> None:
    good = {"players": 2, "first": 0}
    deck = ["1111"] * 9 + [KNIGHT]
    bad: list[tuple[dict[str, Any], str | None]] = [
        ({"players": 0}, "KKD-04"),
        ({"players": 7}, "KKD-04"),
        ({"players": "2"}, None),
        ({"first": 2}, None),
        ({"minutes": -1}, "KKD-07"),
        ({"minutes": True}, None),
        ({"minutes": 6.0}, None),
        ({"treasure": 1}, None),
        ({"level": 5}, "KKD-25"),
        ({"level": -1}, "KKD-25"),
        ({"spells": ["ice"]}, "KKD-25"),
        ({"level": 1, "spells": ["ice", "ice"]}, "KKD-25"),
        ({"level": 1, "spells": ["fire"]}, "KKD-25"),
        ({"level": 1, "spells": "ice"}, None),
        ({"deck": []}, "KKD-02"),
        ({"deck": deck[1:]}, "KKD-02"),
        ({"deck": deck[:-1] * 2}, "KKD-02"),
        ({"deck": [*deck, KNIGHT]}, "KKD-02"),
        ({"deck": [*deck, 1111]}, "KKD-02"),
        ({"deck": [*deck, "111"]}, "KKD-02"),
        ({"deck": [*deck, "1111st2"]}, "KKD-02"),
        ({"deck": [*deck[1:], "1111L1"]}, "KKD-02"),
        ({"unknown": 1}, None),
    ]
    for change, named in bad:
        with pytest.raises(BadOption) as caught:
            Dungeon({**good, **change}, [], seeded(0))
        assert caught.value.clause == named, change
    assert Dungeon({**good, "deck": deck}, [], seeded(0)).table()["pile"] == 1
    assert Dungeon({**good, "level": 1, "deck": [*deck[1:], "1111L1"]}, [], seeded(0)).supply == 12
    with pytest.raises(NoShuffle):
        Dungeon(good, [])


# --- laying a card ------------------------------------------------------------------------------


def test_places() -> None:
    """KKD-09, KKD-11: diagonal to a card, on a place not taken."""
    game = two("0000", "0122 0122")
    assert game.legal() == sorted(
        f"{card}@{place}"
        for card in ("0122", "0122r", "1111")
        for place in ("1,1", "1,-1", "-1,1", "-1,-1")
    )
    assert clause(game, "0122@0,0") == "KKD-11"
    for text in ("0122@1,0", "0122@0,2", "0122@2,2", "0122@99,1", f"0122@{'9' * 5000},1"):
        assert clause(game, text) == "KKD-09"
    for text in ("0122@+1,1", "0122@01,1", "0122@1,1 ", "0122 @1,1", "0122@1", "0122R@1,1"):
        assert clause(game, text) == "KKD-09"  # malformed
    for text in ("", "0122", "@1,1", "r@1,1", "0122@-0,1", "0122@1,1:tl", "1111r@1,1", "pass"):
        assert clause(game, text) == "KKD-09"
    assert clause(game, "0122c1@1,1") == "KKD-09"  # not held
    game.play("0122@1,1")
    assert sorted(game.free_places()) == sorted(
        [(2, 2), (2, 0), (0, 2), (1, -1), (-1, 1), (-1, -1)]
    )


def test_turned_card() -> None:
    """KKD-10: bottom right comes to top left."""
    game = played(two("0000", "0123 0123"), "0123r@1,1 1111@-1,-1")
    assert at(game, 1, 1) == {
        "card": "0123",
        "x": 1,
        "y": 1,
        "turned": True,
        "tokens": 0,
        "defeated": False,
        "frozen": False,
        "danger": 6,
    }
    assert at(game, 0, 0)["danger"] == 3 + 1
    game = played(two("0000", "0123 0123"), "0123@-1,1")  # its top right, 1, covers bottom left
    assert at(game, 0, 0)["danger"] == 1
    game = played(two("0000", "0123 0123"), "0123r@-1,1")  # turned, 2 lies there
    assert at(game, 0, 0)["danger"] == 2


def test_shared_corner_shows_the_later_card() -> None:
    """KKD-11: also when the later card lies above and to the left."""
    game = played(two("4321t2", "0000", "1234"), "0000@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 1, 1)["danger"]) == (4 + 3 + 2 + 0, 0)
    game = played(two("1110", "0000", "1113"), "0000@1,1 1113@2,2")
    put(game, "4444", -1, -1)
    assert at(game, 1, 1)["danger"] == 1  # the top left of 1113
    assert at(game, 2, 2)["danger"] == 6
    assert at(game, 0, 0)["danger"] == 4 + 1 + 1 + 0
    assert [entry["card"] for entry in game.table()["fort"]] == ["1110", "0000", "1113", "4444"]


def test_one_card_covers_four() -> None:
    """KKD-09, KKD-14: corners of several cards at once, each checked."""
    game = two("1110", "0123", "")
    for place in ((2, 0), (0, 2), (2, 2)):
        put(game, "2222t3", *place)
    game.play("0123@1,1")
    # top left on the corridor at 0,0, top right on 2,0, bottom left on 0,2, bottom right on 2,2
    assert at(game, 0, 0)["danger"] == 1 + 1 + 1 + 0
    assert at(game, 2, 0)["danger"] == 2 + 2 + 1 + 2
    assert at(game, 0, 2)["danger"] == 2 + 2 + 2 + 2
    assert at(game, 2, 2)["danger"] == 3 + 2 + 2 + 2
    assert at(game, 1, 1)["danger"] == 6  # just laid: not checked
    assert not game.over
    assert game.covered_by((1, 1)) == [(0, 0), (2, 0), (0, 2), (2, 2)]


def test_talk_and_silence() -> None:
    """KKD-06, KKD-13: the mark flips the token; alone it always shows talk."""
    game = two("0000", "0000s", "0000s")
    assert game.talk
    game.play("0000s@1,1")
    assert not game.table()["talk"]
    game.play("1111@-1,-1")
    assert not game.table()["talk"]
    game = played(two("0000", "0000s", "0000s"), "0000s@1,1 0000s@-1,-1")
    assert game.table()["talk"]
    assert played(alone("0000", "0000s"), "0000s@1,1").table()["talk"]


# --- danger -------------------------------------------------------------------------------------


def test_rulebook_dangers() -> None:
    """KKD-15: the rulebook's 0 + 2 + 2 + 0 = 4 passes, its 2 + 1 + 2 + 2 = 7 is the alarm."""
    game = played(two("0221", "0000"), "0000@1,1")
    assert (at(game, 0, 0)["danger"], game.over) == (0 + 2 + 2 + 0, False)
    game = played(two("0122", "0212"), "0212@-1,-1")
    assert at(game, 0, 0)["danger"] == 2 + 1 + 2 + 2
    assert ended(game) == ("lost", "KKD-15")
    state = game.state()
    assert (state["over"], state["to_act"], state["winners"], state["legal"]) == (
        True,
        None,
        [],
        [],
    )
    assert state["table"]["hands"] == [3, 4]  # nothing was drawn
    assert clause(game, "1111@1,1") == "KKD-15"
    assert clause(game, "nonsense") == "KKD-15"
    assert clause(game, "timeout") == "KKD-15"


@pytest.mark.parametrize(("card", "danger", "lost"), [("2000", 5, False), ("3000", 6, True)])
def test_corridor_limit(card: str, danger: int, lost: bool) -> None:
    """KKD-15: 6 is the alarm, 5 is not."""
    game = played(two("1110", card), f"{card}@1,1")
    assert (at(game, 0, 0)["danger"], game.over) == (danger, lost)


@pytest.mark.parametrize(("card", "danger", "beaten"), [("2000", 5, True), ("3000", 6, False)])
def test_creature_limit(card: str, danger: int, beaten: bool) -> None:
    """KKD-16: at 5 it is defeated and its tokens go back, at 6 the fight continues (KKD-17)."""
    game = played(two("1114t2", card), f"{card}@1,1")
    entry = at(game, 0, 0)
    assert (entry["danger"], entry["defeated"]) == (danger, beaten)
    assert (entry["tokens"], game.supply) == ((0, 12) if beaten else (1, 11))
    assert not game.over


def test_defeated_with_its_last_token() -> None:
    """KKD-16 before KKD-17; and a creature laid below 6 is not checked when laid (KKD-14)."""
    game = played(two("1114t1", "0000"), "0000@1,1")
    assert (game.over, at(game, 0, 0)["defeated"]) == (False, True)
    game = played(two("0000", "1111t3"), "1111t3@1,1")
    assert (at(game, 1, 1)["danger"], at(game, 1, 1)["defeated"]) == (4, False)
    game.play("1111@-1,-1")
    assert (at(game, 1, 1)["defeated"], at(game, 1, 1)["tokens"]) == (False, 2)


def test_defeated_creature_is_a_corridor() -> None:
    """KKD-16: from then on 6 or more is the alarm."""
    game = played(two("1114t2", "2000", "0003"), "2000@1,1 0003@-1,-1")
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"]) == (3 + 1 + 1 + 2, True)
    assert ended(game) == ("lost", "KKD-15")


@pytest.mark.parametrize(
    ("corridor", "outcome", "why"), [("0100", "won", "KKD-22"), ("1111", "lost", "KKD-15")]
)
def test_corridors_before_the_knight(corridor: str, outcome: str, why: str) -> None:
    """KKD-15: the alarm, though the same card would have brought him down."""
    game = two("0000", "0230")
    put(game, "1141t2K", 2, 0)
    put(game, corridor, 0, 2)
    game.play("0230@1,1")  # 2 on the knight's bottom left, 3 on the corridor's top right
    assert ended(game) == (outcome, why)
    knight = at(game, 2, 0)
    assert (knight["danger"], knight["defeated"]) == (1 + 1 + 2 + 1, outcome == "won")
    assert (knight["tokens"], game.supply) == ((0, 12) if outcome == "won" else (2, 10))


# --- tokens and the alarm -----------------------------------------------------------------------


def test_not_enough_tokens() -> None:
    """KKD-12: lost at once, nothing else is checked; just enough is enough."""
    game = two("2222t9", "3333t3 3333t4s")
    game.play("3333t3@1,1")
    assert (game.over, game.supply) == (False, 1)
    game = two("2222t9", "3333t3 3333t4s")
    put(game, "4440", 2, 2)
    game.play("3333t4s@1,1")  # 2,2 would be an alarm, and the mark would flip the token
    assert ended(game) == ("lost", "KKD-12")
    assert (at(game, 1, 1)["tokens"], at(game, 0, 0)["tokens"], game.supply) == (0, 9, 3)
    assert (game.talk, game.table()["hands"]) == (True, [3, 4])


def test_alarm() -> None:
    """KKD-17: each creature of an earlier turn loses one, not the one just laid."""
    game = played(two("3333t3", "3333t3"), "3333t3@1,1")
    assert (at(game, 0, 0)["tokens"], at(game, 1, 1)["tokens"], game.supply) == (2, 3, 7)
    game.play("1111@2,2")
    assert (at(game, 0, 0)["tokens"], at(game, 1, 1)["tokens"], game.supply) == (1, 2, 9)
    game.play("1111@3,3")
    assert ended(game) == ("lost", "KKD-17")
    assert (at(game, 0, 0)["tokens"], at(game, 1, 1)["tokens"], game.supply) == (0, 1, 11)
    assert game.table()["hands"] == [3, 4]  # lost before drawing
    assert clause(game, "1111@-1,-1") == "KKD-17"


# --- the Black Knight ---------------------------------------------------------------------------


def test_knight_is_laid_at_once() -> None:
    """KKD-20: nothing else may be laid, no second alarm, no draw, then the next player."""
    game = two("0000", "3333t4 0122", pile="1111")
    played(game, "3333t4@1,1 1111@-1,-1")  # seat 0 draws 1111, seat 1 draws him
    assert (game.to_act, game.knight_waits(), at(game, 1, 1)["tokens"]) == (1, True, 3)
    assert game.legal() == sorted(f"{KNIGHT}@{x},{y}" for x, y in game.free_places())
    assert game.seat_state(1)["hand"] == ["1111", "1111", "1111", KNIGHT]
    assert game.seat_state(0)["legal"] == []
    assert clause(game, "1111@2,2") == "KKD-20"
    assert clause(game, "1111@0,0") == "KKD-20"
    assert clause(game, "0122@2,2") == "KKD-09"  # not held
    assert clause(game, "1111@2") == "KKD-09"
    assert clause(game, f"{KNIGHT}r@2,2") == "KKD-09"
    assert clause(game, f"{KNIGHT}@1,1") == "KKD-11"
    assert clause(game, f"{KNIGHT}@4,4") == "KKD-09"
    game.play(f"{KNIGHT}@2,2")
    assert (game.to_act, at(game, 1, 1)["tokens"], at(game, 2, 2)["tokens"]) == (0, 3, 3)
    assert (game.supply, game.table()["hands"], game.table()["pile"]) == (6, [4, 3], 0)
    game.play("1111@-2,-2")  # his next alarm
    assert (at(game, 1, 1)["tokens"], at(game, 2, 2)["tokens"], game.supply) == (2, 2, 8)
    assert game.table()["hands"] == [3, 3]


def test_knight_can_lose_or_win_what_he_covers() -> None:
    """KKD-20 with KKD-12, KKD-13, KKD-15 and KKD-16."""
    game = played(two("1110", "", pile="", knight="4444t3K"), "1111@-1,-1")
    game.play(f"{KNIGHT}@1,1")
    assert ended(game) == ("lost", "KKD-15")
    game = played(two("3333t10", "", pile="", knight="4444t4K"), "1111@-1,-1 4444t4K@1,1")
    assert ended(game) == ("lost", "KKD-12")  # nine are on the first card: three left
    game = two("1222t3", "0000", pile="", knight="0224t3sK")
    played(game, "0000@-1,-1 0224t3sK@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"], game.talk) == (4, True, False)
    assert (at(game, 1, 1)["tokens"], game.supply, game.to_act) == (3, 9, 1)
    game = two("1222t3", "0000", pile="", knight="0224t3sK")
    played(game, "0000@-1,-1 0224t3sKr@1,1")  # turned, he shows 4 there
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"]) == (8, False)


def test_winning() -> None:
    """KKD-22: won at once, before the alarm and the draw; other creatures may stand."""
    game = two("0000", "0000 0000", "0000 0000 0000", pile="", minutes=0)
    played(game, "0000@-1,-1 4444t3K@1,1")
    put(game, "3333t3", 10, 10)
    played(game, "0000@2,2 0000@2,0")
    assert (at(game, 1, 1)["danger"], at(game, 1, 1)["tokens"], game.over) == (8, 1, False)
    game.play("0000@0,2")
    assert (ended(game), game.winners, game.to_act) == (("won", "KKD-22"), [0, 1], None)
    assert (at(game, 1, 1)["danger"], at(game, 1, 1)["tokens"]) == (4, 0)
    assert at(game, 1, 1)["defeated"]
    assert (at(game, 10, 10)["tokens"], game.supply) == (1, 11)
    assert (game.scores(), game.table()["spells"]) == ([0, 0], [])
    for text in ("1111@-2,-2", "timeout", "ice@10,10"):
        assert clause(game, text) == "KKD-22"


def test_last_token_of_the_knight() -> None:
    """KKD-17: he gives the alarm as any other creature does."""
    game = played(two("0000", "0000", pile=""), "0000@-1,-1 4444t3K@1,1")
    played(game, "1111@-2,-2 1111@-3,-3")
    assert (at(game, 1, 1)["tokens"], game.over) == (1, False)
    game.play("1111@-4,-4")
    assert ended(game) == ("lost", "KKD-17")


def test_timeout() -> None:
    """KKD-23: accepted with a clock, never listed; KKD-07: refused without one."""
    game = two("0000", "")
    assert "timeout" not in game.legal()
    assert game.refusal("timeout") is None
    game.play("timeout")
    assert (ended(game), game.winners, game.legal()) == (("lost", "KKD-23"), [], [])
    assert clause(game, "timeout") == "KKD-23"
    game = two("0000", "", minutes=0)
    assert clause(game, "timeout") == "KKD-07"
    game = played(two("0000", "", pile=""), "1111@-1,-1")
    assert game.knight_waits()
    game.play("timeout")
    assert game.why == "KKD-23"
    assert clause(two("0000", ""), "Timeout") == "KKD-09"


# --- empty hands --------------------------------------------------------------------------------


def test_empty_hands() -> None:
    """KKD-21: without a pile play continues; empty hands are skipped; all hands empty is a loss."""
    game = begun("0000", "", "0000", "", pile="1111 1111", knight="0000t9K")
    played(game, "1111@1,1 0000@-1,-1 1111@-1,1")  # seat 2 draws him
    assert game.to_act == 2
    game.play("0000t9K@1,-1")
    assert (game.to_act, game.table()["hands"]) == (0, [4, 4, 3])
    game.hands[1] = ["1111"]
    steps = ["2,2", "3,3", "4,4", "5,5", "6,6", "7,7"]
    seats = []
    for place in steps:
        seats.append(game.to_act)
        game.play(f"1111@{place}")
    assert seats == [0, 1, 2, 0, 2, 0]
    game.play("1111@8,8")
    assert (game.to_act, game.table()["hands"], game.over) == (0, [1, 0, 0], False)
    assert at(game, 1, -1)["tokens"] == 2
    game.play("1111@9,9")
    assert ended(game) == ("lost", "KKD-21")
    assert clause(game, "1111@9,9") == "KKD-21"


def test_last_card_can_lose_by_the_alarm() -> None:
    """KKD-17 comes before KKD-21, and KKD-15 before both."""
    for last, tokens, why in (("1111", 1, "KKD-17"), ("1111", 2, "KKD-21"), ("4444", 1, "KKD-15")):
        game = two("1111", "")
        game.hands, game.pile, game.knight_below = [[last], []], [], []
        put(game, "3333t3", 5, 5, tokens=tokens)
        game.play(f"{last}@1,1")
        assert ended(game) == ("lost", why)


def test_knight_then_empty_hands() -> None:
    """KKD-20, KKD-21: he is laid as the last card of all."""
    game = two("0000", "")
    game.hands, game.pile = [["1111"], []], []
    game.play("1111@1,1")
    assert (game.to_act, game.table()["hands"], game.over) == (0, [1, 0], False)
    game.play("4444t3K@-1,-1")
    assert (at(game, 0, 0)["danger"], ended(game)) == (5, ("lost", "KKD-21"))


def test_alone() -> None:
    """KKD-19: no card drawn after the mark; KKD-21: lost with cards left in the pile."""
    game = alone("0000", " ".join(["0000s"] * 6))
    for i in range(1, 6):
        game.play(f"0000s@{i},{i}")
        assert (game.to_act, game.talk, game.table()["hands"]) == (0, True, [6 - i])
    game.play("0000s@6,6")
    assert (ended(game), game.table()["pile"]) == (("lost", "KKD-21"), 5)
    game = played(alone("0000", "1111"), "1111@1,1")
    assert (game.table()["hands"], game.table()["pile"]) == ([6], 4)
    game = played(alone("0000", "0000s", pile=""), "0000s@1,1")  # he is not drawn either
    assert (game.table()["hands"], game.table()["pile"]) == ([5], 1)
    game.play("1111@2,2")
    assert (game.to_act, game.knight_waits(), game.table()["hands"]) == (0, True, [5])
    game.play("4444t3K@3,3")  # 1 + 1 + 1 + 4 on 2,2
    assert game.why == "KKD-15"


# --- treasure -----------------------------------------------------------------------------------


@pytest.mark.parametrize("treasure", [False, True])
def test_treasure(treasure: bool) -> None:
    """KKD-24: the longest chain counts, of equal ones the one with more chests."""

    def scored(cards: dict[tuple[int, int], str]) -> int:
        game = two("0000", "0000", treasure=treasure)
        put(game, "1112t2K", 2, 2)
        for (x, y), card in cards.items():
            put(game, card, x, y)
        assert game.scores() == [0, 0]
        game.play("0000@3,3")
        assert game.outcome == "won"
        points = game.chest_points()
        assert game.scores() == ([points, points] if treasure else [0, 0])
        return points

    longer = {(10, 10): "1111c1", (11, 11): "1111c2", (20, 10): "1111c9", (22, 10): "1111c9"}
    assert scored(longer) == 3  # (20, 10) and (22, 10) share no corner
    assert scored({**longer, (21, 11): "1111c1"}) == 19
    assert scored({**longer, (21, 11): "1111"}) == 3  # a card without chests breaks it
    equal = {(10, 10): "1111c1", (11, 11): "1111c2", (20, 10): "1111c1", (21, 9): "1111c4"}
    assert scored(equal) == 5
    fork = {(10, 10): "1111c1", (11, 11): "1111c1", (9, 9): "1111c1", (11, 9): "1111c1"}
    assert scored({**fork, (20, 20): "1111c3", (21, 21): "1111c3", (22, 22): "1111c3"}) == 4
    assert scored({}) == 0
