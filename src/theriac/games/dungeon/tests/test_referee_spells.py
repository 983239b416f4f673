"""Tests of the dungeon referee itself: the spells and the adventure."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.games.dungeon.tests.referee import SPELLS, Dungeon
from theriac.games.dungeon.tests.referee_helpers import (
    KNIGHT,
    alone,
    at,
    clause,
    ended,
    played,
    put,
    two,
)
from theriac.testing.referee import BadDeal, NoShuffle


def armed(start: str, mine: str = "", theirs: str = "", **options: Any) -> Dungeon:
    """Two players in the adventure with all four spells."""
    return two(start, mine, theirs, **{"level": 1, "spells": SPELLS, **options})


# --- who may use which --------------------------------------------------------------------------


def test_spells_not_held() -> None:
    """KKD-26, KKD-08: before any wrong target, after a malformed text."""
    for game in (two("3333t3", ""), armed("3333t3", spells=[])):
        assert game.table()["spells"] == []
        for text in ("fireball@0,0", "ice@5,5", "poison@0,0:tl", "silence"):
            assert clause(game, text) == "KKD-26"
        for text in ("fireball@0", "ice", "poison@0,0", "poison@0,0:lt", "silence@0,0"):
            assert clause(game, text) == "KKD-09"
        for text in ("ice@0,0:tl", "Fireball@0,0", "fireballr@0,0", "ice@00,0", "silencer"):
            assert clause(game, text) == "KKD-09"


def test_a_spell_ends_no_turn() -> None:
    """KKD-26, KKD-31: any number in a turn, each once, by any player."""
    game = armed("3333t3", "", "0000s")
    assert game.table()["spells"] == ["fireball", "ice", "poison", "silence"]
    listed = [text for text in game.legal() if text.split("@")[0] in SPELLS]
    poisons = [f"poison@0,0:{corner}" for corner in ("bl", "br", "tl", "tr")]
    assert listed == ["fireball@0,0", "ice@0,0", *poisons]
    game.play("ice@0,0")
    assert (game.to_act, game.table()["spells"]) == (0, ["fireball", "poison", "silence"])
    assert clause(game, "ice@0,0") == "KKD-26"
    game.play("poison@0,0:tl")
    assert (game.to_act, game.table()["hands"], game.table()["pile"]) == (0, [4, 4], 5)
    game.play("1111@1,1")
    assert game.to_act == 1
    game.play("0000s@2,2")
    assert not game.talk
    game.play("silence")
    assert (game.talk, game.table()["spells"], game.to_act) == (True, ["fireball"], 0)
    game.play("fireball@0,0")
    assert game.table()["spells"] == []


def test_wrong_targets() -> None:
    """KKD-27, KKD-28, KKD-29, KKD-30: standing creatures only; no fireball on the knight."""
    game = armed("0000")
    put(game, "3333t3", 1, 1, defeated=True, tokens=0)
    put(game, KNIGHT, 2, 2)
    put(game, "3333t3", -1, -1, frozen=True, tokens=0)
    for place in ("0,0", "1,1", "5,5", "1,0"):
        assert clause(game, f"fireball@{place}") == "KKD-27"
        assert clause(game, f"ice@{place}") == "KKD-28"
        assert clause(game, f"poison@{place}:tl") == "KKD-29"
    assert clause(game, "fireball@2,2") == "KKD-27"
    assert game.refusal("ice@2,2") is None
    assert clause(game, "ice@-1,-1") == "KKD-28"
    assert game.refusal("fireball@-1,-1") is None
    assert game.refusal("poison@-1,-1:br") is None
    assert clause(game, "silence") == "KKD-30"


def test_spells_while_the_knight_waits() -> None:
    """KKD-20, KKD-31: before he is laid spells may be used, and the fort may even be gone."""
    game = played(armed("3333t5", "0000s", pile=""), "0000s@1,1")
    assert game.knight_waits()
    game.play("silence")
    assert (game.to_act, game.talk) == (0, True)
    game.play("fireball@0,0")
    assert [text for text in game.legal() if "@" in text] == [
        f"{KNIGHT}@{place}" for place in ("0,0", "0,2", "2,0", "2,2")
    ]
    assert clause(game, "1111@2,2") == "KKD-20"


def test_silence_alone() -> None:
    """KKD-06, KKD-30: alone the token always shows talk."""
    game = played(alone("0000", "0000s", level=1, spells=["silence"]), "0000s@1,1")
    assert clause(game, "silence") == "KKD-30"
    assert "silence" not in game.legal()


# --- fireball -----------------------------------------------------------------------------------


def test_fireball() -> None:
    """KKD-27: the card leaves, its tokens go back, corners show again, nothing is checked."""
    game = played(armed("1113", "0222t2", "1111"), "0222t2@1,1")
    assert (at(game, 0, 0)["danger"], game.supply) == (3, 10)
    game.play("fireball@1,1")
    assert (at(game, 0, 0)["danger"], game.supply, game.over) == (6, 12, False)
    assert [entry["card"] for entry in game.table()["fort"]] == ["1113"]
    assert game.refusal("1111@1,1") is None  # its place is free again
    assert clause(game, "1111@2,2") == "KKD-09"
    game.play("1111@1,1")
    assert (at(game, 0, 0)["danger"], game.over) == (4, False)


def test_fireball_defeats_nobody() -> None:
    """KKD-27: a creature left at 5 or less stays until it is checked."""
    game = played(armed("1110t5", "3222t2"), "3222t2@1,1 fireball@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"]) == (3, False)
    game.play("1111@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"], game.supply) == (4, True, 12)


def test_fort_falls_apart() -> None:
    """KKD-27, KKD-09: cards may be laid at every piece of it, and a burnt place filled again."""
    game = played(armed("0000", "0333t2", "0000"), "0333t2@1,1 0000@2,2 fireball@1,1")
    assert sorted(game.free_places()) == sorted(
        [(-1, -1), (1, -1), (-1, 1), (1, 1), (3, 3), (3, 1), (1, 3)]
    )
    game.play("1111@1,1")  # now the latest: it covers both neighbours
    assert [(e["x"], e["y"]) for e in game.table()["fort"]] == [(0, 0), (2, 2), (1, 1)]
    assert [e["danger"] for e in game.table()["fort"]] == [1, 1, 4]


def test_fort_begins_again() -> None:
    """KKD-11: without any card the next one goes to 0,0 and covers nothing."""
    game = armed("3333t3", "0122", "2222t2")
    game.play("fireball@0,0")
    assert (game.table()["fort"], game.supply) == ([], 12)
    assert [t for t in game.legal() if t != "silence"] == ["0122@0,0", "0122r@0,0", "1111@0,0"]
    assert clause(game, "0122@1,1") == "KKD-09"
    assert clause(game, "ice@0,0") == "KKD-28"
    game.play("0122r@0,0")
    assert (at(game, 0, 0)["danger"], game.to_act, game.table()["hands"]) == (5, 1, [4, 4])
    game.play("2222t2@1,1")
    assert at(game, 1, 1)["tokens"] == 2


def test_fireball_takes_the_poison_with_it() -> None:
    """KKD-27: a poison token on a corner of the burnt card, also one it shares."""
    game = armed("1113", "4222t2", "")
    put(game, "4222t2", 1, 1)
    assert at(game, 0, 0)["danger"] == 7
    game.play("poison@1,1:tl")
    assert (at(game, 0, 0)["danger"], at(game, 1, 1)["danger"]) == (3, 6)
    game.play("fireball@1,1")
    assert at(game, 0, 0)["danger"] == 6
    game = armed("4444t3", "", "")
    put(game, "4444t2", 1, 1)
    played(game, "poison@0,0:br fireball@1,1")
    assert at(game, 0, 0)["danger"] == 16
    game = armed("4444t3", "", "")
    put(game, "4444t2", 1, 1)
    played(game, "poison@0,0:tl fireball@1,1")  # not on its corner: it stays
    assert at(game, 0, 0)["danger"] == 12


# --- ice ----------------------------------------------------------------------------------------


def test_ice() -> None:
    """KKD-28: tokens back, the alarm passes it by, still there to be defeated."""
    game = played(armed("1134t1", "1111", "0000"), "ice@0,0")
    entry = at(game, 0, 0)
    assert (entry["frozen"], entry["tokens"], entry["defeated"], game.supply) == (
        True,
        0,
        False,
        12,
    )
    game.play("1111@1,1")
    assert (at(game, 0, 0)["danger"], game.over) == (6, False)
    game.play("0000@-1,-1")
    entry = at(game, 0, 0)
    assert (entry["danger"], entry["defeated"], entry["frozen"]) == (5, True, False)


def test_frozen_creature_keeps_the_knight_up() -> None:
    """KKD-28: at 5 or less he stands, and the alarm still counts, until it is burnt."""
    game = armed("0000", "0000", "", won="ice poison fireball silence", spells=["fireball"])
    put(game, "1114t3K", 2, 2)
    put(game, "3333t2", 10, 10, frozen=True, tokens=0)
    game.play("0000@3,3")
    knight = at(game, 2, 2)
    assert (knight["danger"], knight["defeated"], knight["tokens"]) == (3, False, 2)
    game.play("fireball@10,10")
    assert ended(game) == ("won", "KKD-22")
    assert (at(game, 2, 2)["defeated"], at(game, 2, 2)["tokens"], game.supply) == (True, 0, 12)
    assert (game.winners, game.table()["spells"]) == ([0, 1], ["ice"])


def test_knight_waiting_runs_out_of_time() -> None:
    """KKD-28, KKD-17: he has not fallen, so his last token gives the alarm."""
    game = armed("0000", "0000", "")
    put(game, "1114t1K", 2, 2)
    put(game, "3333t2", 10, 10, frozen=True, tokens=0)
    game.play("0000@3,3")
    assert (at(game, 2, 2)["danger"], ended(game)) == (3, ("lost", "KKD-17"))


@pytest.mark.parametrize(("corner", "outcome"), [("0", "won"), ("3", None)])
def test_last_frozen_creature_defeated(corner: str, outcome: str | None) -> None:
    """KKD-28: he falls with it if he is at 5 or less then, though not covered by this card."""
    game = armed("0000", "0000", "", level=2, won="ice", spells=["fireball", "poison", "silence"])
    put(game, f"111{corner}t3K", 2, 2)
    put(game, "1114t2", 10, 10, frozen=True, tokens=0)
    game.play("0000@11,11")
    assert (at(game, 10, 10)["defeated"], game.outcome) == (True, outcome)
    assert at(game, 2, 2)["tokens"] == (0 if outcome else 2)  # won before the alarm


@pytest.mark.parametrize("knight_first", [False, True])
def test_one_card_fells_both(knight_first: bool) -> None:
    """KKD-28: the frozen creature and the knight under the same card, in either order laid."""
    game = armed("0000", "0000", "", won="fireball ice poison silence", spells=[])
    if knight_first:
        put(game, "1114t3K", 4, 4)
    put(game, "1141t3", 6, 4, frozen=True, tokens=0)
    if not knight_first:
        put(game, "1114t3K", 4, 4)
    game.play("0000@5,5")
    assert (game.outcome, at(game, 4, 4)["danger"], at(game, 6, 4)["danger"]) == ("won", 3, 3)


def test_knight_brought_up_again() -> None:
    """KKD-28: what counts is his danger the moment the frozen creature goes."""
    game = armed("0000", "0000", "4444")
    put(game, "1114t5K", 2, 2)
    put(game, "3333t2", 10, 10, frozen=True, tokens=0)
    played(game, "0000@3,3 4444@1,1 fireball@10,10")
    assert (at(game, 2, 2)["danger"], game.over) == (4 + 1 + 1 + 0, False)
    game = armed("0000")  # burnt, it no longer covers his corner
    put(game, "1114t5K", 2, 2)
    put(game, "0333t2", 3, 3, frozen=True, tokens=0)
    assert at(game, 2, 2)["danger"] == 3
    game.play("fireball@3,3")
    assert (at(game, 2, 2)["danger"], game.over) == (7, False)


def test_frozen_knight() -> None:
    """KKD-28: he may be frozen himself; then he falls as ever."""
    game = armed("0000", "0000", "", won="fireball ice poison silence", spells=["ice"])
    put(game, "1114t1K", 2, 2)
    game.play("ice@2,2")
    assert (at(game, 2, 2)["frozen"], game.supply) == (True, 12)
    game.play("1111@-1,-1")
    assert not game.over
    game.hands[1][0] = "0000"
    game.play("0000@3,3")
    assert (ended(game), at(game, 2, 2)["frozen"]) == (("won", "KKD-22"), False)
    assert game.table()["spells"] == ["fireball"]


# --- poison -------------------------------------------------------------------------------------


def test_poison_on_a_shared_point() -> None:
    """KKD-29: the point counts 0 for both cards and for whatever covers it later."""
    game = armed("2224t5", "4444t3", "4444")
    game.play("poison@0,0:br")
    assert (at(game, 0, 0)["danger"], at(game, 0, 0)["defeated"]) == (6, False)
    game.play("4444t3@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 1, 1)["danger"]) == (6, 12)
    game.play("fireball@1,1")
    assert at(game, 0, 0)["danger"] == 10  # the token went with it


def test_poison_under_a_corridor() -> None:
    """KKD-29: it saves a corridor that shares the point; the token stays for the whole fort."""
    game = armed("4444t5", "3111", "2221")
    played(game, "poison@0,0:br 3111@1,1")
    assert (at(game, 0, 0)["danger"], at(game, 1, 1)["danger"]) == (12, 3)
    game.play("2221@2,2")
    assert (at(game, 1, 1)["danger"], game.over) == (0 + 1 + 1 + 2, False)


def test_poison_defeats_at_once() -> None:
    """KKD-29: without a card laid, both creatures at that point."""
    game = armed("1114t5", "")
    put(game, "4112t2", 1, 1)
    game.play("poison@1,1:tl")
    assert [entry["defeated"] for entry in game.table()["fort"]] == [True, True]
    assert [entry["tokens"] for entry in game.table()["fort"]] == [0, 0]
    assert (game.supply, game.to_act, game.over) == (12, 0, False)
    game = armed("1124t5", "")
    put(game, "4122t2", 1, 1)
    game.play("poison@0,0:br")
    assert [entry["defeated"] for entry in game.table()["fort"]] == [True, True]


def test_poison_as_the_card_lies() -> None:
    """KKD-29: the corners of a turned card."""
    game = armed("0000")
    put(game, "4321t2", 5, 5, turned=True)
    game.play("poison@5,5:tl")
    assert at(game, 5, 5)["danger"] == 9
    assert (at(game, 5, 5)["turned"], at(game, 5, 5)["defeated"]) == (True, False)
    game = armed("0000")
    put(game, "4321t2", 5, 5, turned=True)
    game.play("poison@5,5:br")
    assert (at(game, 5, 5)["danger"], at(game, 5, 5)["defeated"]) == (6, False)


def test_poison_on_the_knight() -> None:
    """KKD-29, KKD-22: won by a spell; KKD-28: not while a frozen creature stands."""
    game = armed("0000", won="silence poison", spells=["fireball", "ice", "poison"])
    put(game, "1114t2K", 2, 2)
    game.play("poison@2,2:br")
    assert (ended(game), game.table()["spells"]) == (
        ("won", "KKD-22"),
        ["fireball", "ice", "silence"],
    )
    game = armed("0000", won="silence", spells=["fireball", "ice", "poison"])
    put(game, "1114t2K", 2, 2)
    put(game, "1113t2", 5, 5)
    played(game, "ice@5,5 poison@2,2:br")
    assert (game.over, at(game, 2, 2)["defeated"]) == (False, False)
    game = armed("0000", won="poison ice", spells=["fireball", "ice", "poison", "silence"])
    put(game, "1111t2K", 2, 2)  # laid at 4: not checked
    put(game, "1114t2", 5, 5)
    played(game, "ice@5,5 poison@5,5:br")
    assert (game.over, at(game, 2, 2)["defeated"]) == (True, True)
    assert game.table()["spells"] == ["fireball", "poison", "silence"]


# --- the adventure ------------------------------------------------------------------------------


def won_with(spells: list[str], won: str, level: int = 4) -> Dungeon:
    game = armed("0000", "0000", level=level, spells=spells, won=won)
    put(game, "1114t2K", 2, 2)
    game.play("0000@3,3")
    assert game.over
    return game


def test_spell_after_a_win() -> None:
    """KKD-26, KKD-33: the first of the spells not held, also after the fourth fort."""
    assert won_with([], "ice fireball silence poison").table()["spells"] == ["ice"]
    assert won_with(["poison", "ice"], "silence fireball").table()["spells"] == [
        "ice",
        "poison",
        "silence",
    ]
    assert won_with(SPELLS, "").table()["spells"] == SPELLS  # none left, no shuffle
    with pytest.raises(BadDeal):
        won_with(["ice"], "ice fireball silence poison")
    with pytest.raises(NoShuffle):
        won_with(["ice"], "")


def test_no_spell_after_a_loss() -> None:
    """KKD-26, KKD-32: a fort lost gives nothing."""
    game = played(armed("0000", spells=["ice"], won="x"), "timeout")
    assert (game.table()["spells"], game.draws) == (["ice"], [9])
