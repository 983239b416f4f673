"""Tests of the dungeon referee itself: random play under every option, and invariants."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import partial
from typing import Any

import pytest

from .base import Game
from .dungeon import SPELLS, Dungeon
from .dungeon_cards import SHIPPED, corners, is_creature, is_knight, tower
from .enumerate import count_tree, count_tree_with_chance
from .helpers import in_given_order, seeded

#: Many zeros and few creatures, so that the knight is often reached; sums as KKD-02 says.
EASY = ["0000s"] * 3 + ["0000"] * 9 + ["1000c1"] * 5 + ["0010c2"] * 4 + ["0001"] * 5 + ["0110"] * 4
EASY += ["2211t4", "3111t5", "0330t4s", "1114t4L1", "2222t6L2", "1111c4L3", "4440t5L4"]
KNIGHTS = ["2211t6K", "4222t4K", "4444t3K", "1234t5K", "3300t9K", "4444t9K"]
#: Anything goes: corridors above 5, creatures below 6, creatures with too many tokens.
WILD = ["0000"] * 8 + ["0000s"] * 4 + ["1111", "0101c1"] * 5 + ["9000", "2220", "1111t3", "0000t1"]
WILD += ["0005t5", "1111t7s", "3333t13", "0012t4c2", "4000t12", "0900c1L4", "0330t2L1"]


def own_deck(kind: str, rng: random.Random) -> list[str] | None:
    if kind == "shipped":
        return None
    if kind == "easy":
        some = rng.sample(EASY, rng.randint(33, len(EASY)))
    else:
        some = rng.sample(WILD, rng.randint(28, len(WILD)))
    return [*some, rng.choice(KNIGHTS)]


def options_for(kind: str, players: int, seed: int, rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {"players": players, "first": seed % players, "level": seed % 5}
    options["treasure"] = bool(seed % 2)
    options["minutes"] = rng.choice([0, 6])
    if options["level"]:
        options["spells"] = rng.sample(SPELLS, rng.randint(0, 4))
    deck = own_deck(kind, rng)
    if deck is not None:
        options["deck"] = deck
    return options


# --- what always holds --------------------------------------------------------------------------


def painted(game: Dungeon) -> list[int]:
    """The dangers another way: paint the corners in the order laid, then add up (KKD-11)."""
    seen: dict[tuple[float, float], int] = {}
    half = {"tl": (-0.5, -0.5), "tr": (0.5, -0.5), "bl": (-0.5, 0.5), "br": (0.5, 0.5)}
    fort = game.table()["fort"]
    for entry in fort:
        for corner, number in corners(entry["card"], entry["turned"]).items():
            seen[entry["x"] + half[corner][0], entry["y"] + half[corner][1]] = number
    if game.poisoned is not None:
        seen[game.poisoned[0] / 2, game.poisoned[1] / 2] = 0
    return [sum(seen[e["x"] + i, e["y"] + j] for i, j in half.values()) for e in fort]


def check(game: Dungeon, rng: random.Random) -> None:
    state = game.state()
    table, legal = state["table"], state["legal"]
    assert legal == sorted(set(legal))
    assert bool(legal) is not state["over"]  # never stuck
    assert "timeout" not in legal
    assert all(game.refusal(text) is None for text in rng.sample(legal, min(8, len(legal))))
    fort = table["fort"]
    assert [entry["danger"] for entry in fort] == painted(game)
    assert sum(entry["tokens"] for entry in fort) + table["supply"] == 12
    assert all(entry["tokens"] >= 0 for entry in fort)
    lying = Counter(entry["card"] for entry in fort) + Counter(game.burnt)
    held = Counter(card for hand in game.hands for card in hand)
    left = Counter(game.pile) + Counter(game.knight_below)
    assert lying + held + left == Counter(
        card for card in game.deck if tower(card) in (0, table["level"])
    )
    assert table["pile"] == sum(left.values())
    places = [(entry["x"], entry["y"]) for entry in fort]
    assert len(set(places)) == len(places)
    assert all((x - y) % 2 == 0 for x, y in places)
    if not game.burnt:  # one piece, begun at 0,0: each card is diagonal to an earlier one
        assert places[0] == (0, 0)
        for i, (x, y) in enumerate(places[1:], 1):
            assert any(abs(x - a) == abs(y - b) == 1 for a, b in places[:i])
    for entry in fort:
        assert not entry["defeated"] or (is_creature(entry["card"]) and entry["tokens"] == 0)
        assert not entry["frozen"] or (entry["tokens"] == 0 and not entry["defeated"])
        standing = is_creature(entry["card"]) and not entry["defeated"]
        if not state["over"]:
            assert (entry["tokens"] > 0) is (standing and not entry["frozen"])
    check_end(game, state)
    for text in probes(game, rng):
        assert (game.refusal(text) is None) == (text in legal), text
    seat = rng.randrange(game.players)
    view = game.seat_state(seat)
    assert view["legal"] == (legal if seat == state["to_act"] else [])
    assert view["hand"] == sorted(game.hands[seat])
    assert len(view["hand"]) == table["hands"][seat]
    assert {**view, "legal": 0, "hand": 0} == {**state, "legal": 0, "hand": 0}


def check_end(game: Dungeon, state: dict[str, Any]) -> None:
    table = state["table"]
    assert (table["outcome"] is None) == (table["why"] is None) == (not state["over"])
    assert (state["to_act"] is None) == state["over"]
    won = table["outcome"] == "won"
    assert won == (table["why"] == "KKD-22")
    assert state["winners"] == (list(range(game.players)) if won else [])
    assert len(set(state["scores"])) == 1
    assert state["scores"][0] == 0 or (won and game.options["treasure"])
    fallen = [e for e in table["fort"] if is_knight(e["card"]) and e["defeated"]]
    assert bool(fallen) is won
    if won:
        assert fallen[0]["danger"] <= 5
        assert not any(e["frozen"] for e in table["fort"])
        more = 1 if table["level"] else 0
        held = set(game.options["spells"])
        assert len(table["spells"]) <= min(4, len(held) + more)
    if game.players > 1 and not state["over"] and table["pile"] > 0:
        assert 0 not in table["hands"]  # KKD-21
    if game.players == 1:
        assert table["talk"]  # KKD-06


def probes(game: Dungeon, rng: random.Random) -> list[str]:
    """Texts that may or may not be legal."""
    cards = [*rng.sample(game.deck, 3), *(c for hand in game.hands for c in hand[:1])]
    x, y = rng.choice([*game.fort, (0, 0)])
    places = [f"{x + rng.randint(-2, 2)},{y + rng.randint(-2, 2)}" for _ in range(2)]
    places.append(f"{x},{y}")
    found = [f"{card}{turn}@{place}" for card in cards for turn in ("", "r") for place in places]
    found += [f"{spell}@{place}" for spell in SPELLS for place in places]
    found += [f"poison@{place}:{rng.choice(['tl', 'br'])}" for place in places]
    return [*found, "silence", "pass", ""]


def check_conforming(game: Dungeon) -> None:
    """Without spells, and with the sums of KKD-02, what has been looked at is as it must be."""
    for entry in game.table()["fort"]:
        if is_creature(entry["card"]) and not entry["defeated"]:
            assert entry["danger"] >= 6  # KKD-16
        else:
            assert entry["danger"] <= 5  # KKD-15


# --- play ---------------------------------------------------------------------------------------


def twin(game: Dungeon) -> Dungeon:
    """A copy that shares only what a move never changes."""
    other = copy.copy(game)
    other.hands = [list(hand) for hand in game.hands]
    other.fort = {place: copy.copy(laid) for place, laid in game.fort.items()}
    for name in ("pile", "draws", "knight_below", "burnt", "held", "winners"):
        setattr(other, name, list(getattr(game, name)))
    return other


def careful(game: Dungeon, rng: random.Random, tries: int) -> str:
    """A move that does not lose at once, if a few tries find one; rather one that wins."""
    legal = game.legal()
    some = rng.sample(legal, min(tries, len(legal)))
    safe = []
    for text in some:
        after = twin(game)
        after.apply(text)
        if after.outcome == "won":
            return text
        if after.outcome is None:
            fights = [place for place, laid in after.fort.items() if laid.standing]
            safe.append((sum(20 + after.danger(place) for place in fights), text))
    return min(safe)[1] if safe else some[0]


def check_turn(before: Dungeon, text: str, game: Dungeon) -> None:
    """Who is to act after a move, and what was drawn."""
    seat = before.to_act
    assert seat is not None
    if game.over:
        return
    if text.split("@")[0] in SPELLS:
        assert (game.to_act, game.hands, game.pile) == (seat, before.hands, before.pile)
        assert len(game.held) == len(before.held) - 1
    elif game.knight_waits():
        assert game.to_act == seat and not game.pile and not game.knight_below
    else:
        order = [(seat + 1 + i) % game.players for i in range(game.players)]
        assert game.to_act == next(s for s in order if game.hands[s])
    for other in range(game.players):
        assert other == seat or game.hands[other] == before.hands[other]


def play_game(kind: str, players: int, seed: int) -> Dungeon:
    rng = random.Random(f"{kind} {players} {seed}")
    game = Dungeon(options_for(kind, players, seed, rng), [], seeded(seed))
    tries = rng.choice([1, 4, 12])
    clock = game.options["minutes"] and rng.random() < 0.1
    for _ in range(200):
        check(game, rng)
        if game.over:
            return game
        if kind != "wild" and game.options["spells"] == []:
            check_conforming(game)
        if clock and rng.random() < 0.1:
            assert game.refusal("timeout") is None
            game.play("timeout")
            continue
        text = careful(game, rng, tries)
        before = twin(game)
        game.play(text)
        check_turn(before, text, game)
    raise AssertionError("a game without end")


#: Games of each kind.
GAMES = 10


@pytest.mark.parametrize("kind", ["shipped", "easy", "wild"])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_random_games(kind: str, players: int) -> None:
    """Cards and tokens are conserved, nobody is ever stuck, every game ends."""
    ends: Counter[str | None] = Counter()
    knights = 0
    for seed in range(GAMES):
        game = play_game(kind, players, seed)
        ends[game.why] += 1
        knights += not game.knight_below
    assert sum(ends.values()) == GAMES
    assert set(ends) <= {f"KKD-{i}" for i in (12, 15, 17, 21, 22, 23)}
    if kind == "easy":
        assert knights >= 3 and ends["KKD-22"] >= 1, (ends, knights)


def noted(asked: list[list[str]], seed: int, k: int, cards: list[str]) -> list[str]:
    """A seeded shuffle that is written down."""
    assert k == len(asked)
    asked.append(list(seeded(seed)(k, cards)))
    return asked[-1]


def test_records_replay() -> None:
    """The moves of a game, with its shuffles written down as deals, give the same states."""
    for seed in range(5):
        rng = random.Random(seed)
        options = options_for("easy", 2, seed, rng)
        asked: list[list[str]] = []

        game = Dungeon(options, [], partial(noted, asked, seed))
        moves = []
        while not game.over:
            moves.append(rng.choice(game.legal()))
            game.play(moves[-1])
        again = Dungeon(options, [*asked, ["never asked for"]])
        for text in moves:
            again.play(text)
        assert again.state() == game.state()


def test_enumeration() -> None:
    """KKD-09, KKD-11, by counting squares."""
    deck = ["0000"] * 11 + ["1111t3K"]

    def root(deals: list[list[str]]) -> Game:
        return Dungeon({"players": 2, "first": 0, "deck": deck}, deals, in_given_order)

    # Places are a square grid: two cards have 6 neighbours, three in a line 8, an L 7.
    assert count_tree(lambda: root([]), 3) == [1, 4, 4 * 6, 4 * (2 * 8 + 4 * 7)]
    assert count_tree_with_chance(root, ["0000"] * 11, 10) == [1] * 10 + [4]


def test_shipped_deck_is_read() -> None:
    assert Counter(Dungeon({"players": 1, "first": 0}, [], in_given_order).deck) == Counter(SHIPPED)
