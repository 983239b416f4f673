"""Tests of the Shock! referee: withdrawing, the end of a round, and the next one."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.referee import Anaphylaxis, Shock
from theriac.games.shock.tests.referee_common import Knights
from theriac.games.shock.tests.referee_helpers import (
    EDITIONS,
    all_withdraw,
    clause,
    deals,
    play,
    table,
)
from theriac.testing.referee import BadDeal, Game, NoShuffle, in_given_order, seeded


def first_card(cls: type[Knights]) -> str:
    return "J1/1 J1/1" if cls is Shock else "J1 J1"


def stop(game: Game) -> None:
    if "stop" in game.legal():
        game.play("stop")


# --- withdrawing --------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", EDITIONS)
def test_the_leader_withdraws(cls: type[Knights]) -> None:
    """SHK-33, SHK-35: the next seat still in leads at once; its face-up card sets the suit."""
    hands = ["H10 S10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    game = table(cls, hands, "C2", first_card(cls))
    play(game, "H10 w~D10 H4 H6")
    stop(game)
    jewels = game.on_bag[0]
    play(game, "w~H3")
    state = game.state()
    assert (state["table"]["leader"], state["to_act"]) == (2, 1)  # 1 is out: 2 leads, 1 is next
    assert (state["scores"][0], state["table"]["on_bag"][0]) == (jewels, 0)
    assert state["table"]["trick"] == [{"seat": 0, "card": None, "jewels": 1}]
    game.play("~D3")
    assert clause(game, "~S2") == "SHK-33"
    assert "D5" in game.legal() and "S2" in game.legal()  # no suit is set, not by H3 nor by D3
    game.play("S2")
    assert clause(game, "C4") == "SHK-13"  # the suit set by a later seat
    game.play("S3")
    assert game.last_winner == 3


def test_leaders_withdraw_one_after_another() -> None:
    """SHK-35: twice, and then the last one in is the leader (SHK-37)."""
    game = table(Shock, ["H10", "H2", "H4 S4"], "C2", "J2/1")
    game.play("w~H10")
    assert (game.leader, game.to_act) == (1, 1)
    game.play("w~H2")
    assert (game.leader, game.to_act) == (2, 2)
    hand = game.hands[2]
    assert game.legal() == sorted(hand + [f"w~{card}" for card in hand])
    game.play("S4")
    # It wins and has its challenge: 2 + 2 + 1 and J2/1.
    state = game.state()
    assert (state["to_act"], state["legal"]) == (2, ["open", "stop"])
    assert state["table"]["leader"] == 2 and state["table"]["on_bag"] == [0, 0, 7]
    game.play("stop")
    assert (game.round, game.scores(), game.leader) == (2, [0, 0, 7], 2)


def test_another_player_withdraws() -> None:
    """SHK-35: the leader is the leader still."""
    game = table(Shock, ["H10", "H2 C5 | HC", "H4 S4"], "C2", "J2/1")
    play(game, "H10 w~C5")
    assert (game.leader, game.to_act) == (0, 2)


@pytest.mark.parametrize("cls", EDITIONS)
def test_everybody_withdraws(cls: type[Knights]) -> None:
    """SHK-36: at the moment the last has played; the others keep their card; nothing revealed."""
    hands = ["H10 S10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    game = table(cls, hands, "C2", first_card(cls))
    play(game, "H10 w~D10 H4 H6")
    stop(game)
    on_bag = list(game.on_bag)
    kept = [list(hand) for hand in game.hands]
    play(game, "w~H3 ~D3 w~D5")
    assert (game.leader, game.to_act, game.round) == (3, 3, 1)
    game.play("w~C4")
    assert game.round == 2 and game.scores() == on_bag  # the trick's jewels go to nobody
    assert game.draws[1] == 1  # one chest or door card in round 1
    assert game.leader == 0  # SHK-42, SHK-43: the last to have won a trick
    for seat, card in enumerate(["H3", "D3", "D5", "C4"]):
        kept[seat].remove(card)
        assert game.hands[seat][:7] == kept[seat] and len(game.hands[seat]) == 9


@pytest.mark.parametrize("cls", EDITIONS)
def test_everybody_withdraws_before_one_who_is_out_has_played(cls: type[Knights]) -> None:
    """SHK-36: seat 3 is out already and keeps all its cards."""
    game = table(cls, ["H10 S10", "H2 S2", "H4 S3", "H6 S4"], "C2", first_card(cls))
    play(game, "H10 H2 H4 w~H6")
    stop(game)
    before = list(game.hands[3])
    play(game, "w~S10 w~S2 w~S3")
    assert game.round == 2
    assert game.hands[3][:8] == before and len(game.hands[3]) == 9


@pytest.mark.parametrize("cls", EDITIONS)
def test_no_trick_was_won(cls: type[Knights]) -> None:
    """SHK-42, SHK-43: the seat that led the round's first trick leads again."""
    game = table(cls, ["H10", "H2", "H4", "H6"], "C2", "", first=2)
    for _ in range(4):
        assert game.leader == game.to_act == 2
        all_withdraw(game)
    assert game.leader == 2 and game.round == 5 and game.scores() == [0, 0, 0, 0]


@pytest.mark.parametrize("cls", EDITIONS)
def test_all_but_one_withdraw_after_it_has_played(cls: type[Knights]) -> None:
    """SHK-37, SHK-38: it wins, resolves, and the round ends with its jewels stored."""
    game = table(cls, ["H3 S10", "H2", "H10 S4"], "C2", first_card(cls))
    play(game, "H3 w~H2 w~H10")
    assert cls is Anaphylaxis or game.legal() == ["open", "stop"]
    stop(game)
    assert (game.round, game.scores(), game.leader) == (2, [0 + 2 + 2 + 1, 0, 0], 0)


# --- the end of a round, and who leads then -----------------------------------------------------


def test_the_last_one_in_leads_only_in_the_original() -> None:
    """SHK-42: the shocked winner of the last trick; SHK-43: the one still in (rulebook: leads)."""
    hands = ["H10 S4", "H7", "H2 S2"]
    game: Knights = table(Shock, hands, "D2", "jellyfish")
    play(game, "H10 H7 w~S2")
    assert (game.round, game.leader, game.scores()) == (2, 0, [0, 0, 0])
    game = table(Anaphylaxis, hands, "D2", "jellyfish")
    play(game, "H10 H7 w~S2")
    assert (game.round, game.leader, game.scores()) == (2, 1, [0, 0, 0])


def test_the_one_left_stores_its_jewels() -> None:
    """SHK-38: before a trick only one is still in."""
    game = table(Shock, ["H10 S4", "H7 S2", "H2 S3"], "D2", "J1/1 jellyfish")
    play(game, "H10 H7 w~H2 open")
    assert (game.round, game.leader, game.scores()) == (2, 0, [0, 1, 0])


@pytest.mark.parametrize("cls", EDITIONS)
def test_the_last_trick_of_full_hands(cls: type[Knights]) -> None:
    """SHK-38: nine tricks, the last with its challenge or door; all still in store; SHK-43."""
    calm = "J1/1 J1/1 J1/1 J2/0 J2/0 J2/0 J2/1 J2/1 J2/1" if cls is Shock else "J1 J1 J2 J2 J3 J3"
    hands = [" ".join(f"{suit}{rank}" for rank in range(2, 11)) for suit in "HS"]
    hands.append("D4 D3 D5 D6 D8 D9 D10 C2 C3")
    game = table(cls, hands, "D2", calm if cls is Shock else calm + " jellyfish spider bee")
    challenges: list[list[int]] = []
    while game.round == 1:
        if game.phase == "challenge":
            challenges.append(game.table()["hands"])
            game.play("stop")
        else:
            face_up = [text for text in game.legal() if "~" not in text]
            game.play(min(face_up or game.legal()))
    assert game.draws[1] == 9  # one chest or door card after every trick
    if cls is Shock:
        assert challenges == [[left] * 3 for left in range(8, -1, -1)]
        assert min(game.scores()) > 0
    assert [len(hand) for hand in game.hands] == [9, 9, 9]


def test_several_are_in_after_the_last_trick() -> None:
    """SHK-43: not exactly one, so the winner of the last trick leads."""
    hands = [" ".join(f"{suit}{rank}" for rank in range(2, 11)) for suit in "HSC"]
    hands[2] = hands[2].replace("C5", "D3")  # a trump for the last trick
    doors = "J1 J1 J2 J2 J3 J3 jellyfish spider bee"
    game = table(Anaphylaxis, hands, "D2", doors)
    for rank in (2, 3, 4, 6, 8, 9, 10, 7):
        play(game, f"H{rank} S{rank} C{rank}")  # nobody can follow: the leader wins
    assert game.to_act == 0 and game.front[0] == ["H7", "S7", "C7"]
    assert game.phase == "potion"
    game.play("cure:jellyfish")
    assert (game.in_round, game.middle) == ([False, True, True], ["jellyfish", "spider"])
    # The spider of the middle is seat 0's second: seat 1 leads the last trick.
    play(game, "S5 D3 ~H5")
    assert (game.round, game.leader) == (2, 2)
    assert game.scores() == [0, 0, 2 + 1]  # the face-down card's two and the bee's one


# --- the next round -----------------------------------------------------------------------------


def test_hands_are_kept_and_filled_up() -> None:
    """SHK-08, SHK-39, SHK-40: from the leader, passing over full hands; then the new trump."""
    game = table(Shock, ["H10 S4", "H7 S2", "H2 S3", "H3 S8"], "D2", "J1/1")
    play(game, "H10 w~H7 H2 H3 stop w~S4 ~S2 w~S3 S8 stop")
    assert game.round == 2 and game.leader == 3  # seat 3 won the last trick
    got = [hand[7:] for hand in game.hands]
    rest = [c for c in game.numbers if not any(c in hand[:7] for hand in game.hands)]
    assert game.hands[3][7] == rest[0] and game.hands[0][7] == rest[1]
    assert got == [[rest[1], rest[5]], [rest[2], rest[6]], [rest[3], rest[7]], [rest[0], rest[4]]]
    assert game.trump == rest[8] and game.number_pile == rest[9:]


def test_full_hands_are_passed_over() -> None:
    """SHK-08: seats 2, 3 and 4 are out and did not play in the round's last trick."""
    game = table(Shock, ["H10 S4", "H7 S2", "H2 S3", "H3 S8", "H4 S10"], "D2", "J1/1")
    play(game, "H10 H7 w~H2 w~H3 w~H4 stop w~S4 w~S2")
    assert game.round == 2 and game.leader == 0
    rest = [c for c in game.numbers if all(c not in hand[:6] for hand in game.hands)]
    rest = [c for c in rest if all(c not in game.hands[seat][6:7] for seat in (2, 3, 4))]
    # Seats 0 and 1 lack two, the others one: 0 1 2 3 4, then 0 1.
    assert [game.hands[s][-1] for s in (2, 3, 4)] == rest[2:5]
    assert game.hands[0][6:] == [rest[0], rest[5]] and game.hands[1][6:] == [rest[1], rest[6]]
    assert game.trump == rest[7]


def test_simplified() -> None:
    """SHK-41, SHK-47: all hands are discarded, so every shuffle covers all number cards."""
    for simplified in (False, True):
        sizes: list[int] = []

        def shuffle(k: int, cards: list[str], sizes: list[int] = sizes) -> list[str]:
            sizes.append(len(cards))
            return cards

        game = Shock({"players": 4, "first": 0, "simplified": simplified}, [], shuffle)
        while not game.over:
            all_withdraw(game)
        left = 40 if simplified else 40 - 4 * 8
        assert sizes == [40, 24, left, 24, left, 24, left, 24, left, 24]
        assert game.table()["hands"] == [8] * 4  # no deal follows round 5: the table stays


def test_the_door_that_leaves_the_game() -> None:
    """SHK-44, SHK-47: a shuffle of three after round 2; later doors are eleven."""
    asked: list[list[str]] = []

    def shuffle(k: int, cards: list[str]) -> list[str]:
        assert k == len(asked)
        asked.append(list(cards))
        return cards[::-1]

    game = Anaphylaxis({"players": 3, "first": 0}, [], shuffle)
    left = []
    while not game.over:
        left.append(game.table()["chest_left"])
        all_withdraw(game)
    assert left == [12, 12, 11, 11, 11]
    assert [len(cards) for cards in asked] == [36, 12, 12, 12, 3, 12, 11, 12, 11, 12, 11]
    assert sorted(asked[4]) == ["bee", "jellyfish", "spider"]
    for cards in asked[6::2]:
        assert cards.count(asked[4][::-1][0]) == 1
        assert sum(cards.count(kind) for kind in ("bee", "jellyfish", "spider")) == 5


def test_the_deal_of_the_door_that_leaves() -> None:
    """SHK-44, SHK-47: its first card leaves the game; a deal with it later is refused."""
    doors = Anaphylaxis({"players": 3, "first": 0}, [], in_given_order).chest_cards

    def made(deal: list[str], later: list[str]) -> Anaphylaxis:
        """Deals for shuffles 4 (the three) and 6 (the doors of round 3)."""
        fixed = [deal if k == 4 else later for k in (4, 6)]
        start = Anaphylaxis({"players": 3, "first": 0}, [], in_given_order)

        def shuffle(k: int, cards: list[str]) -> list[str]:
            return list(fixed[(k - 4) // 2]) if k in (4, 6) else cards

        start.shuffle = shuffle
        return start

    eleven = [card for i, card in enumerate(doors) if i != doors.index("bee")]
    game = made(["bee", "jellyfish", "spider"], eleven)
    for _ in range(2):
        all_withdraw(game)
    assert game.round == 3 and game.chest == eleven
    for deal, later in (
        (["bee", "jellyfish", "spider"], doors),
        (["spider", "jellyfish", "bee"], eleven),
        (["bee", "bee", "spider"], eleven),
    ):
        game = made(deal, later)
        all_withdraw(game)
        with pytest.raises(BadDeal):
            all_withdraw(game)


def test_a_shuffle_that_is_not_there() -> None:
    """SHK-47: the round that begins asks for both of its shuffles at once."""
    given = deals(Shock, ["H10", "H2", "H4"], "D2", "")
    second = Shock({"players": 3, "first": 0}, given, seeded(1))
    all_withdraw(second)
    game = Shock({"players": 3, "first": 0}, given)
    with pytest.raises(NoShuffle):
        all_withdraw(game)
