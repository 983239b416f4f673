"""Knock, Knock! Dungeon!: the alarm, drawing, and the Black Knight.

KKD-17, KKD-18, KKD-19, KKD-20, KKD-21.
"""

from __future__ import annotations

import pytest

from theriac.games.dungeon.tests.table_setting import (
    CALM,
    GOES_ON,
    KNIGHT,
    WON,
    at,
    danger,
    ended,
    hands,
    lay_out,
    lost,
    places,
    play,
    refused,
    refusing_clause,
    shown,
    sit,
    tokens,
)

PILE = f"{CALM} " * 20


# KKD-17


@pytest.mark.clause("KKD-17")
def test_creatures_of_earlier_turns_lose_a_token_and_the_new_one_does_not() -> None:
    match = lay_out("9999t3", "9990t4@-1,-1", f"0000 0000 {PILE}")
    assert (tokens(match, 0, 0), tokens(match, -1, -1), shown(match, "supply")) == (2, 4, 6)
    play(match, "0000@-2,-2")
    assert (tokens(match, 0, 0), tokens(match, -1, -1), shown(match, "supply")) == (1, 3, 8)


@pytest.mark.clause("KKD-17")
def test_a_creature_that_loses_its_last_token_gives_the_alarm() -> None:
    match = lay_out("9999t2", "0000@1,1", f"0000 {PILE}")
    assert (tokens(match, 0, 0), ended(match)) == (1, GOES_ON)
    play(match, "0000@2,2")
    assert ended(match) == lost(17)
    assert (tokens(match, 0, 0), shown(match, "supply")) == (0, 12)
    assert refusing_clause(match, "0000@3,3") == "KKD-17"
    assert shown(match, "hands") == [4, 3]  # who laid the card has drawn none


@pytest.mark.clause("KKD-17")
@pytest.mark.parametrize(("first", "second", "left"), [(2, 4, (0, 3)), (4, 1, (2, 0))])
def test_all_creatures_lose_their_token_whichever_gives_the_alarm(
    first: int, second: int, left: tuple[int, int]
) -> None:
    match = lay_out(f"9999t{first}", f"9990t{second}@-1,-1", f"0000 {PILE}")
    play(match, "0000@1,1")
    assert ended(match) == lost(17)
    assert (tokens(match, 0, 0), tokens(match, -1, -1)) == left
    assert shown(match, "supply") == 12 - sum(left)


@pytest.mark.clause("KKD-17", "KKD-16")
def test_defeated_creatures_and_corridors_give_no_alarm() -> None:
    match = lay_out("0006t1", "0000@1,1 0000@2,2 0000@3,3", PILE)
    assert (ended(match), shown(match, "supply")) == (GOES_ON, 12)


@pytest.mark.clause("KKD-17", "KKD-22")
@pytest.mark.parametrize(("card", "end"), [("0000", WON), ("6000", lost(17))])
def test_a_win_comes_before_the_alarm(card: str, end: object) -> None:
    """The creature at 0,0 has one token left when the Black Knight falls."""
    knight = "0006t3K"
    match = lay_out("9990t2", "0000@1,1", card, knight=knight, more=f"{knight}@2,2")
    assert tokens(match, 0, 0) == 1
    play(match, f"{card}@3,3")
    assert ended(match) == end


@pytest.mark.clause("KKD-17", "KKD-15")
def test_a_corridors_alarm_comes_before_a_creatures() -> None:
    match = lay_out("9999t2", "0000@1,1", f"6000 {PILE}")
    play(match, "6000@2,2")
    assert (ended(match), tokens(match, 0, 0)) == (lost(15), 1)


@pytest.mark.clause("KKD-17")
def test_the_black_knight_gives_the_alarm_like_any_creature() -> None:
    match = lay_out(CALM, "0000@1,1", knight="0999t2K", more="0999t2K@2,2")
    assert tokens(match, 2, 2) == 2
    play(match, "0000@-1,-1")
    assert tokens(match, 2, 2) == 1
    play(match, "0000@-2,-2")
    assert ended(match) == lost(17)


# KKD-18, KKD-19


@pytest.mark.clause("KKD-18")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_then_the_player_draws_the_next_card(players: int) -> None:
    match = sit(CALM, f"{PILE} 0010 0020", players=players)
    pile = shown(match, "pile")
    size = shown(match, "hands")[0]
    for n in range(min(players, 2)):
        before = hands(match)
        drawn = match.dealt[0][players * size + 1 + n]
        assert match.to_act == n
        play(match, f"0000@{n + 1},{n + 1}")
        before[n].remove("0000")
        before[n] = sorted([*before[n], drawn])
        assert hands(match) == before
        assert shown(match, "pile") == pile - 1 - n
    assert match.to_act == min(players, 2) % players


@pytest.mark.clause("KKD-18", "KKD-21")
def test_without_a_pile_no_card_is_drawn() -> None:
    match = lay_out(CALM, "0000@1,1", knight="0999t12K", more="0999t12K@2,2")
    assert (shown(match, "pile"), shown(match, "hands")) == (0, [3, 4])
    play(match, "0000@-1,-1")
    assert (shown(match, "pile"), shown(match, "hands"), match.to_act) == (0, [3, 3], 0)


@pytest.mark.clause("KKD-19")
def test_alone_no_card_is_drawn_after_one_with_the_mark() -> None:
    match = sit(CALM, f"0000s 0000 {PILE}", players=1)
    pile = shown(match, "pile")
    play(match, "0000s@1,1")
    assert (shown(match, "hands"), shown(match, "pile")) == ([5], pile)
    assert (match.to_act, shown(match, "talk")) == (0, True)
    play(match, "0000@2,2")
    assert (shown(match, "hands"), shown(match, "pile")) == ([5], pile - 1)


@pytest.mark.clause("KKD-19", "KKD-20")
def test_alone_the_black_knight_is_not_drawn_after_the_mark_either() -> None:
    match = sit(CALM, "0000s 0000", players=1)
    play(match, "0000s@1,1")
    assert (shown(match, "hands"), shown(match, "pile")) == ([5], 1)
    play(match, "0000@2,2")
    assert (shown(match, "hands"), shown(match, "pile")) == ([5], 0)
    assert KNIGHT in hands(match)[0]


@pytest.mark.clause("KKD-19", "KKD-18")
def test_with_others_a_card_is_drawn_after_the_mark() -> None:
    match = sit(CALM, f"0000s {PILE}", players=2)
    play(match, "0000s@1,1")
    assert shown(match, "hands") == [4, 4]


# KKD-20


@pytest.mark.clause("KKD-20")
@pytest.mark.parametrize(("players", "first"), [(1, 0), (2, 1), (3, 0), (6, 4)])
def test_a_player_who_draws_the_black_knight_lays_him_and_the_next_player_acts(
    players: int, first: int
) -> None:
    match = lay_out(CALM, "0000@1,1", players=players, first=first)
    assert match.to_act == first
    assert KNIGHT in hands(match)[first]
    assert shown(match, "pile") == 0
    play(match, f"{KNIGHT}@2,2")
    assert at(match, 2, 2)["tokens"] == 3
    assert match.to_act == (first + 1) % players


@pytest.mark.clause("KKD-20")
def test_until_the_black_knight_is_laid_nothing_else_may_be() -> None:
    match = lay_out(CALM, "0000@1,1", "0000 0001")
    assert {move.partition("@")[0] for move in match.legal()} == {KNIGHT}
    assert places(match, KNIGHT) == {"2,2", "2,0", "0,2", "-1,-1", "-1,1", "1,-1"}
    assert "0001" in hands(match)[0]
    for move in ("0001@2,2", "0001r@2,2", "0001@0,0", "0001@9,9"):
        said = refused(match, move)
        assert said == "the Black Knight must be laid first (KKD-20)"
    assert refusing_clause(match, f"{KNIGHT}@1,1") == "KKD-11"
    assert refusing_clause(match, f"{KNIGHT}@4,4") == "KKD-09"
    assert refusing_clause(match, f"{KNIGHT}r@2,2") == "KKD-09"
    assert refusing_clause(match, "0123@2,2") == "KKD-09"  # not held


@pytest.mark.clause("KKD-20", "KKD-10")
def test_the_black_knight_may_be_turned() -> None:
    match = lay_out(CALM, "0000@1,1", knight="0001t3K", more="0001t3Kr@2,2")
    assert (at(match, 2, 2)["turned"], danger(match, 1, 1)) == (True, 1)


@pytest.mark.clause("KKD-20", "KKD-12")
@pytest.mark.parametrize(("creature", "end"), [("9990t8", GOES_ON), ("9990t9", lost(12))])
def test_the_black_knight_gets_his_tokens_or_the_game_is_lost(creature: str, end: object) -> None:
    match = lay_out(CALM, f"{creature}@-1,-1", knight="4444t4K", more="4444t4K@1,1")
    assert ended(match) == end


@pytest.mark.clause("KKD-20", "KKD-13")
def test_the_black_knight_can_have_the_mark() -> None:
    match = lay_out(CALM, "0000@-1,-1", knight="4444t4sK", more="4444t4sK@1,1")
    assert shown(match, "talk") is False


@pytest.mark.clause("KKD-20", "KKD-15")
def test_cards_that_the_black_knight_covers_are_checked() -> None:
    match = lay_out("0020", "0000@-1,-1", more=f"{KNIGHT}@1,1")
    assert (danger(match, 0, 0), ended(match)) == (6, lost(15))


@pytest.mark.clause("KKD-20", "KKD-16")
def test_the_black_knight_can_bring_a_creature_down() -> None:
    match = lay_out("0006t3", "0000@-1,-1", knight="1444t3K", more="1444t3K@1,1")
    assert at(match, 0, 0)["defeated"] is True
    assert (ended(match), match.to_act) == (GOES_ON, 1)


@pytest.mark.clause("KKD-20", "KKD-17")
def test_after_the_black_knight_the_alarm_is_not_checked_a_second_time() -> None:
    match = lay_out("9999t2", "0000@1,1")
    assert tokens(match, 0, 0) == 1
    play(match, f"{KNIGHT}@2,2")
    assert (tokens(match, 0, 0), tokens(match, 2, 2)) == (1, 3)
    assert ended(match) == GOES_ON


@pytest.mark.clause("KKD-20", "KKD-18")
def test_after_the_black_knight_nothing_more_is_drawn() -> None:
    match = lay_out(CALM, "0000@1,1", more=f"{KNIGHT}@2,2")
    assert (shown(match, "hands"), shown(match, "pile")) == ([3, 4], 0)


@pytest.mark.clause("KKD-20", "KKD-08")
def test_everybody_sees_that_the_black_knight_waits() -> None:
    match = lay_out(CALM, "0000@1,1")
    assert [match.view(seat)["table"] for seat in (0, 1)] == [match.view()["table"]] * 2
    assert (shown(match, "pile"), shown(match, "hands")) == (0, [4, 4])
    assert KNIGHT not in match.view(1)["hand"]


# KKD-21


@pytest.mark.clause("KKD-21")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_without_a_pile_play_continues_until_all_hands_are_empty(players: int) -> None:
    """The first player has laid a card more, and is passed over when the others lay their last."""
    match = lay_out(CALM, "0000@1,1", players=players, knight="0999t12K", more="0999t12K@2,2")
    acted: list[int | None] = []
    place = 0
    while not match.over and len(acted) < 11:
        place -= 1
        acted.append(match.to_act)
        play(match, f"0000@{place},{place}")
    size = {1: 6, 6: 3}.get(players, 4)
    turns = [n % players for n in range(1, size * players)]
    if len(turns) < 12:
        assert acted == turns
        assert ended(match) == lost(21)
        assert refused(match, "0000@9,9") == "the game is over (KKD-21)"
    else:  # the Black Knight's tokens do not last so long
        assert acted == turns[:11]


@pytest.mark.clause("KKD-21")
def test_a_player_without_cards_is_skipped() -> None:
    """A player who has drawn the Black Knight has one card less to lay."""
    match = lay_out(CALM, "0000@1,1", players=2, knight="0999t12K", more="0999t12K@2,2")
    play(match, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5 0000@-6,-6")
    assert (match.to_act, shown(match, "hands")) == (1, [0, 1])
    match = lay_out(CALM, "0000@1,1 0000@2,2", f"{CALM} " * 11, players=3, knight="0999t12K")
    play(match, "0999t12K@3,3")
    assert (match.to_act, shown(match, "hands")) == (2, [4, 3, 4])
    moves = [f"0000@-{n},-{n}" for n in range(1, 12)]
    play(match, " ".join(moves[:10]))
    assert (match.to_act, shown(match, "hands")) == (0, [1, 0, 0])


@pytest.mark.clause("KKD-21", "KKD-19")
def test_alone_all_cards_can_be_gone_before_the_pile_is_empty() -> None:
    match = sit(CALM, "0000s " * 6 + "0000 0000", players=1)
    for n in range(1, 7):
        assert ended(match) == GOES_ON
        play(match, f"0000s@{n},{n}")
    assert ended(match) == lost(21)
    assert (shown(match, "pile"), shown(match, "hands")) == (3, [0])


@pytest.mark.clause("KKD-21", "KKD-22")
def test_the_last_card_can_still_win() -> None:
    """It is checked before the hands are."""
    match = lay_out(CALM, "0000@1,1", players=1, knight="0006t9K", more="0006t9K@2,2")
    play(match, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4")
    assert (shown(match, "hands"), ended(match)) == ([1], GOES_ON)
    play(match, "0000@3,3")
    assert ended(match) == WON


@pytest.mark.clause("KKD-21", "KKD-17")
def test_the_last_card_can_lose_by_the_alarm_first() -> None:
    match = lay_out(CALM, "0000@1,1", players=1, knight="0999t5K", more="0999t5K@2,2")
    play(match, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5")
    assert ended(match) == lost(17)
    match = lay_out(CALM, "0000@1,1", players=1, knight="0999t6K", more="0999t6K@2,2")
    play(match, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5")
    assert ended(match) == lost(21)


@pytest.mark.clause("KKD-21", "KKD-20")
def test_alone_the_black_knight_can_be_the_last_card() -> None:
    match = sit(CALM, "0000s " * 5 + "0000", players=1)
    play(match, " ".join(f"0000s@{n},{n}" for n in range(1, 6)))
    play(match, "0000@6,6")
    assert hands(match) == [[KNIGHT]]
    play(match, f"{KNIGHT}@7,7")
    assert ended(match) == lost(21)
