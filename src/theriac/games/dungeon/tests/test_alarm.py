"""Knock, Knock! Dungeon!: the alarm, drawing, and the Black Knight (KKD-17 to KKD-21)."""

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
    table = lay_out("9999t3", "9990t4@-1,-1", f"0000 0000 {PILE}")
    assert (tokens(table, 0, 0), tokens(table, -1, -1), shown(table, "supply")) == (2, 4, 6)
    play(table, "0000@-2,-2")
    assert (tokens(table, 0, 0), tokens(table, -1, -1), shown(table, "supply")) == (1, 3, 8)


@pytest.mark.clause("KKD-17")
def test_a_creature_that_loses_its_last_token_gives_the_alarm() -> None:
    table = lay_out("9999t2", "0000@1,1", f"0000 {PILE}")
    assert (tokens(table, 0, 0), ended(table)) == (1, GOES_ON)
    play(table, "0000@2,2")
    assert ended(table) == lost(17)
    assert (tokens(table, 0, 0), shown(table, "supply")) == (0, 12)
    assert refusing_clause(table, "0000@3,3") == "KKD-17"
    assert shown(table, "hands") == [4, 3]  # who laid the card has drawn none


@pytest.mark.clause("KKD-17")
@pytest.mark.parametrize(("first", "second", "left"), [(2, 4, (0, 3)), (4, 1, (2, 0))])
def test_all_creatures_lose_their_token_whichever_gives_the_alarm(
    first: int, second: int, left: tuple[int, int]
) -> None:
    table = lay_out(f"9999t{first}", f"9990t{second}@-1,-1", f"0000 {PILE}")
    play(table, "0000@1,1")
    assert ended(table) == lost(17)
    assert (tokens(table, 0, 0), tokens(table, -1, -1)) == left
    assert shown(table, "supply") == 12 - sum(left)


@pytest.mark.clause("KKD-17", "KKD-16")
def test_defeated_creatures_and_corridors_give_no_alarm() -> None:
    table = lay_out("0006t1", "0000@1,1 0000@2,2 0000@3,3", PILE)
    assert (ended(table), shown(table, "supply")) == (GOES_ON, 12)


@pytest.mark.clause("KKD-17", "KKD-22")
@pytest.mark.parametrize(("card", "end"), [("0000", WON), ("6000", lost(17))])
def test_a_win_comes_before_the_alarm(card: str, end: object) -> None:
    """The creature at 0,0 has one token left when the Black Knight falls."""
    knight = "0006t3K"
    table = lay_out("9990t2", "0000@1,1", card, knight=knight, more=f"{knight}@2,2")
    assert tokens(table, 0, 0) == 1
    play(table, f"{card}@3,3")
    assert ended(table) == end


@pytest.mark.clause("KKD-17", "KKD-15")
def test_a_corridors_alarm_comes_before_a_creatures() -> None:
    table = lay_out("9999t2", "0000@1,1", f"6000 {PILE}")
    play(table, "6000@2,2")
    assert (ended(table), tokens(table, 0, 0)) == (lost(15), 1)


@pytest.mark.clause("KKD-17")
def test_the_black_knight_gives_the_alarm_like_any_creature() -> None:
    table = lay_out(CALM, "0000@1,1", knight="0999t2K", more="0999t2K@2,2")
    assert tokens(table, 2, 2) == 2
    play(table, "0000@-1,-1")
    assert tokens(table, 2, 2) == 1
    play(table, "0000@-2,-2")
    assert ended(table) == lost(17)


# KKD-18, KKD-19


@pytest.mark.clause("KKD-18")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_then_the_player_draws_the_next_card(players: int) -> None:
    table = sit(CALM, f"{PILE} 0010 0020", players=players)
    pile = shown(table, "pile")
    size = shown(table, "hands")[0]
    for n in range(min(players, 2)):
        before = hands(table)
        drawn = table.dealt[0][players * size + 1 + n]
        assert table.to_act == n
        play(table, f"0000@{n + 1},{n + 1}")
        before[n].remove("0000")
        before[n] = sorted([*before[n], drawn])
        assert hands(table) == before
        assert shown(table, "pile") == pile - 1 - n
    assert table.to_act == min(players, 2) % players


@pytest.mark.clause("KKD-18", "KKD-21")
def test_without_a_pile_no_card_is_drawn() -> None:
    table = lay_out(CALM, "0000@1,1", knight="0999t12K", more="0999t12K@2,2")
    assert (shown(table, "pile"), shown(table, "hands")) == (0, [3, 4])
    play(table, "0000@-1,-1")
    assert (shown(table, "pile"), shown(table, "hands"), table.to_act) == (0, [3, 3], 0)


@pytest.mark.clause("KKD-19")
def test_alone_no_card_is_drawn_after_one_with_the_mark() -> None:
    table = sit(CALM, f"0000s 0000 {PILE}", players=1)
    pile = shown(table, "pile")
    play(table, "0000s@1,1")
    assert (shown(table, "hands"), shown(table, "pile")) == ([5], pile)
    assert (table.to_act, shown(table, "talk")) == (0, True)
    play(table, "0000@2,2")
    assert (shown(table, "hands"), shown(table, "pile")) == ([5], pile - 1)


@pytest.mark.clause("KKD-19", "KKD-20")
def test_alone_the_black_knight_is_not_drawn_after_the_mark_either() -> None:
    table = sit(CALM, "0000s 0000", players=1)
    play(table, "0000s@1,1")
    assert (shown(table, "hands"), shown(table, "pile")) == ([5], 1)
    play(table, "0000@2,2")
    assert (shown(table, "hands"), shown(table, "pile")) == ([5], 0)
    assert KNIGHT in hands(table)[0]


@pytest.mark.clause("KKD-19", "KKD-18")
def test_with_others_a_card_is_drawn_after_the_mark() -> None:
    table = sit(CALM, f"0000s {PILE}", players=2)
    play(table, "0000s@1,1")
    assert shown(table, "hands") == [4, 4]


# KKD-20


@pytest.mark.clause("KKD-20")
@pytest.mark.parametrize(("players", "first"), [(1, 0), (2, 1), (3, 0), (6, 4)])
def test_who_draws_the_black_knight_lays_him_and_then_the_next_player_acts(
    players: int, first: int
) -> None:
    table = lay_out(CALM, "0000@1,1", players=players, first=first)
    assert table.to_act == first
    assert KNIGHT in hands(table)[first]
    assert shown(table, "pile") == 0
    play(table, f"{KNIGHT}@2,2")
    assert at(table, 2, 2)["tokens"] == 3
    assert table.to_act == (first + 1) % players


@pytest.mark.clause("KKD-20")
def test_until_the_black_knight_is_laid_nothing_else_may_be() -> None:
    table = lay_out(CALM, "0000@1,1", "0000 0001")
    assert {move.partition("@")[0] for move in table.legal()} == {KNIGHT}
    assert places(table, KNIGHT) == {"2,2", "2,0", "0,2", "-1,-1", "-1,1", "1,-1"}
    assert "0001" in hands(table)[0]
    for move in ("0001@2,2", "0001r@2,2", "0001@0,0", "0001@9,9"):
        said = refused(table, move)
        assert said == f"the Black Knight must be laid first: {KNIGHT} (KKD-20)"
    assert refusing_clause(table, f"{KNIGHT}@1,1") == "KKD-11"
    assert refusing_clause(table, f"{KNIGHT}@4,4") == "KKD-09"
    assert refusing_clause(table, f"{KNIGHT}r@2,2") == "KKD-09"
    assert refusing_clause(table, "0123@2,2") == "KKD-09"  # not held


@pytest.mark.clause("KKD-20", "KKD-10")
def test_the_black_knight_may_be_turned() -> None:
    table = lay_out(CALM, "0000@1,1", knight="0001t3K", more="0001t3Kr@2,2")
    assert (at(table, 2, 2)["turned"], danger(table, 1, 1)) == (True, 1)


@pytest.mark.clause("KKD-20", "KKD-12")
@pytest.mark.parametrize(("creature", "end"), [("9990t8", GOES_ON), ("9990t9", lost(12))])
def test_the_black_knight_gets_his_tokens_or_the_game_is_lost(creature: str, end: object) -> None:
    table = lay_out(CALM, f"{creature}@-1,-1", knight="4444t4K", more="4444t4K@1,1")
    assert ended(table) == end


@pytest.mark.clause("KKD-20", "KKD-13")
def test_the_black_knight_can_have_the_mark() -> None:
    table = lay_out(CALM, "0000@-1,-1", knight="4444t4sK", more="4444t4sK@1,1")
    assert shown(table, "talk") is False


@pytest.mark.clause("KKD-20", "KKD-15")
def test_what_the_black_knight_covers_is_looked_at() -> None:
    table = lay_out("0020", "0000@-1,-1", more=f"{KNIGHT}@1,1")
    assert (danger(table, 0, 0), ended(table)) == (6, lost(15))


@pytest.mark.clause("KKD-20", "KKD-16")
def test_the_black_knight_can_bring_a_creature_down() -> None:
    table = lay_out("0006t3", "0000@-1,-1", knight="1444t3K", more="1444t3K@1,1")
    assert at(table, 0, 0)["defeated"] is True
    assert (ended(table), table.to_act) == (GOES_ON, 1)


@pytest.mark.clause("KKD-20", "KKD-17")
def test_after_the_black_knight_the_alarm_is_not_looked_at_a_second_time() -> None:
    table = lay_out("9999t2", "0000@1,1")
    assert tokens(table, 0, 0) == 1
    play(table, f"{KNIGHT}@2,2")
    assert (tokens(table, 0, 0), tokens(table, 2, 2)) == (1, 3)
    assert ended(table) == GOES_ON


@pytest.mark.clause("KKD-20", "KKD-18")
def test_after_the_black_knight_nothing_more_is_drawn() -> None:
    table = lay_out(CALM, "0000@1,1", more=f"{KNIGHT}@2,2")
    assert (shown(table, "hands"), shown(table, "pile")) == ([3, 4], 0)


@pytest.mark.clause("KKD-20", "KKD-08")
def test_everybody_sees_that_the_black_knight_waits() -> None:
    table = lay_out(CALM, "0000@1,1")
    assert [table.view(seat)["table"] for seat in (0, 1)] == [table.view()["table"]] * 2
    assert (shown(table, "pile"), shown(table, "hands")) == (0, [4, 4])
    assert KNIGHT not in table.view(1)["hand"]


# KKD-21


@pytest.mark.clause("KKD-21")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_without_a_pile_play_goes_on_until_all_hands_are_empty(players: int) -> None:
    """The first player has laid a card more, and is passed over when the others lay their last."""
    table = lay_out(CALM, "0000@1,1", players=players, knight="0999t12K", more="0999t12K@2,2")
    acted: list[int | None] = []
    place = 0
    while not table.over and len(acted) < 11:
        place -= 1
        acted.append(table.to_act)
        play(table, f"0000@{place},{place}")
    size = {1: 6, 6: 3}.get(players, 4)
    turns = [n % players for n in range(1, size * players)]
    if len(turns) < 12:
        assert acted == turns
        assert ended(table) == lost(21)
        assert refused(table, "0000@9,9") == "the game is over (KKD-21)"
    else:  # the Black Knight's tokens do not last so long
        assert acted == turns[:11]


@pytest.mark.clause("KKD-21")
def test_a_player_without_cards_is_skipped() -> None:
    """Who has drawn the Black Knight has one card less to lay."""
    table = lay_out(CALM, "0000@1,1", players=2, knight="0999t12K", more="0999t12K@2,2")
    play(table, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5 0000@-6,-6")
    assert (table.to_act, shown(table, "hands")) == (1, [0, 1])
    table = lay_out(CALM, "0000@1,1 0000@2,2", f"{CALM} " * 11, players=3, knight="0999t12K")
    play(table, "0999t12K@3,3")
    assert (table.to_act, shown(table, "hands")) == (2, [4, 3, 4])
    moves = [f"0000@-{n},-{n}" for n in range(1, 12)]
    play(table, " ".join(moves[:10]))
    assert (table.to_act, shown(table, "hands")) == (0, [1, 0, 0])


@pytest.mark.clause("KKD-21", "KKD-19")
def test_alone_all_cards_can_be_gone_before_the_pile_is_empty() -> None:
    table = sit(CALM, "0000s " * 6 + "0000 0000", players=1)
    for n in range(1, 7):
        assert ended(table) == GOES_ON
        play(table, f"0000s@{n},{n}")
    assert ended(table) == lost(21)
    assert (shown(table, "pile"), shown(table, "hands")) == (3, [0])


@pytest.mark.clause("KKD-21", "KKD-22")
def test_the_last_card_can_still_win() -> None:
    """It is looked at before the hands are."""
    table = lay_out(CALM, "0000@1,1", players=1, knight="0006t9K", more="0006t9K@2,2")
    play(table, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4")
    assert (shown(table, "hands"), ended(table)) == ([1], GOES_ON)
    play(table, "0000@3,3")
    assert ended(table) == WON


@pytest.mark.clause("KKD-21", "KKD-17")
def test_the_last_card_can_lose_by_the_alarm_first() -> None:
    table = lay_out(CALM, "0000@1,1", players=1, knight="0999t5K", more="0999t5K@2,2")
    play(table, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5")
    assert ended(table) == lost(17)
    table = lay_out(CALM, "0000@1,1", players=1, knight="0999t6K", more="0999t6K@2,2")
    play(table, "0000@-1,-1 0000@-2,-2 0000@-3,-3 0000@-4,-4 0000@-5,-5")
    assert ended(table) == lost(21)


@pytest.mark.clause("KKD-21", "KKD-20")
def test_alone_the_black_knight_can_be_the_last_card() -> None:
    table = sit(CALM, "0000s " * 5 + "0000", players=1)
    play(table, " ".join(f"0000s@{n},{n}" for n in range(1, 6)))
    play(table, "0000@6,6")
    assert hands(table) == [[KNIGHT]]
    play(table, f"{KNIGHT}@7,7")
    assert ended(table) == lost(21)
