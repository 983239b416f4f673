"""Knock, Knock! Dungeon!: forts that reach as far as 63 cards can, in every direction (KKD-11).

What lies at a place stands in a cell of a grid that is smaller than the table. So places far away
from each other share a cell, and must never be taken for one another.
"""

from __future__ import annotations

from random import Random

import pytest

import theriac
from theriac.games.dungeon.state import CELLS
from theriac.games.dungeon.tests.table_setting import (
    CALM,
    GOES_ON,
    danger,
    ended,
    lost,
    places,
    play,
    refusing_clause,
    shown,
    sit,
)
from theriac.match import Match

KNIGHT = "5555t9K"
WAYS = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
#: Two ways one after the other, and two in turn.
BENT = [[a] * 31 + [b] * 31 for a in WAYS for b in WAYS if a[0] * b[0] + a[1] * b[1] == 0]
STAIRS = [[a, b] * 31 for a in WAYS for b in WAYS if a[0] * b[0] + a[1] * b[1] == 0]


def longest(seed: int = 0) -> Match:
    """A game with a deck of 63 cards, all calm but the Black Knight."""
    deck = [CALM] * 62 + [KNIGHT]
    return theriac.new("dungeon", players=2, first=0, deck=deck, seed=bytes([seed] * 32))


def cell(place: tuple[int, int]) -> int:
    """Where the rules keep what lies at x,y."""
    x, y = place
    return (64 * ((x + y) // 2) + (x - y) // 2) % CELLS


def around(place: tuple[int, int]) -> list[tuple[int, int]]:
    """The four places that share a corner with this one."""
    return [(place[0] + x, place[1] + y) for x, y in WAYS]


def free(fort: list[tuple[int, int]]) -> set[str]:
    """Where a card may go, computed without a grid."""
    near = {place for card in fort for place in around(card)} - set(fort)
    return {f"{x},{y}" for x, y in near}


def next_card(match: Match) -> str:
    """The one card that differs, when it must be laid."""
    return KNIGHT if any(move.startswith(KNIGHT) for move in match.legal()) else CALM


def build(steps: list[tuple[int, int]]) -> tuple[Match, list[tuple[int, int]]]:
    """Lay the cards one after another; at every step exactly the right places are free."""
    match = longest()
    fort = [(0, 0)]
    for x, y in steps:
        card = next_card(match)
        assert places(match, card) == free(fort)
        fort.append((fort[-1][0] + x, fort[-1][1] + y))
        play(match, f"{card}@{fort[-1][0]},{fort[-1][1]}")
    return match, fort


def check_fort(match: Match, fort: list[tuple[int, int]]) -> None:
    """Every card lies where it was laid; only the Black Knight and who lies below him show 5."""
    entries = shown(match, "fort")
    assert [(entry["x"], entry["y"]) for entry in entries] == fort
    knight = next(i for i, entry in enumerate(entries) if entry["card"] == KNIGHT)
    dangers = [0] * len(fort)
    dangers[knight - 1 : knight + 1] = [5, 15]
    assert [entry["danger"] for entry in entries] == dangers


@pytest.mark.clause("KKD-11")
@pytest.mark.parametrize("way", WAYS)
def test_a_straight_line_of_all_63_cards(way: tuple[int, int]) -> None:
    match, fort = build([way] * 61)
    assert (ended(match), len(fort)) == (GOES_ON, 62)
    check_fort(match, fort)
    for x, y in fort:
        assert refusing_clause(match, f"{CALM}@{x},{y}") == "KKD-11"
    last = (62 * way[0], 62 * way[1])
    play(match, f"{CALM}@{last[0]},{last[1]}")
    assert ended(match) == lost(21)
    assert len(shown(match, "fort")) == 63
    check_fort(match, [*fort, last])


@pytest.mark.clause("KKD-11")
@pytest.mark.parametrize("steps", [*BENT, *STAIRS])
def test_a_bent_line_and_stairs_of_all_63_cards(steps: list[tuple[int, int]]) -> None:
    match, fort = build(steps[:61])
    check_fort(match, fort)
    play(match, f"{CALM}@{fort[-1][0] + steps[61][0]},{fort[-1][1] + steps[61][1]}")
    assert ended(match) == lost(21)


@pytest.mark.clause("KKD-11")
@pytest.mark.parametrize("seed", range(6))
def test_lines_with_turns_here_and_there(seed: int) -> None:
    """Mostly straight on, so that they reach far."""
    random = Random(seed)
    one = random.choice(WAYS)
    other = random.choice([(one[0], -one[1]), (-one[0], one[1])])
    steps: list[tuple[int, int]] = []
    while len(steps) < 61:
        steps += [random.choice([one, one, other])] * random.randint(1, 12)
    match, fort = build(steps[:61])
    check_fort(match, fort)


@pytest.mark.clause("KKD-11", "KKD-27")
@pytest.mark.parametrize("arms", [2, 3, 4])
def test_all_places_of_a_fort_that_fell_apart_can_be_stored(arms: int) -> None:
    """Straight arms around a creature that is burnt when one card is left: nothing has more."""
    order = ["3003", "3003", *[CALM] * 6, "5555t12", *[CALM] * 53]  # the creature stays at 6
    match = theriac.new(
        "dungeon", players=2, first=0, deals=[order], deck=[*order, KNIGHT], level=1,
        spells=["ice", "fireball"],
    )  # fmt: skip
    play(match, "ice@0,0")
    fort = [(0, 0)]
    for n in range(61):
        x, y = WAYS[n % arms]
        far = n // arms + 1
        fort.append((far * x, far * y))
        card = "3003" if n < 2 else next_card(match)
        play(match, f"{card}@{far * x},{far * y}")
    assert (ended(match), sum(shown(match, "hands"))) == (GOES_ON, 1)
    play(match, "fireball@0,0")
    assert places(match, CALM) == free(fort[1:])
    x, y = fort[-1]
    play(match, f"{CALM}@{x + WAYS[60 % arms][0]},{y + WAYS[60 % arms][1]}")
    assert ended(match) == lost(21)
    assert [(card["x"], card["y"]) for card in shown(match, "fort")][:-1] == fort[1:]


@pytest.mark.clause("KKD-09", "KKD-11")
@pytest.mark.parametrize("way", WAYS)
def test_a_place_that_shares_a_cell_with_a_card_is_not_taken(way: tuple[int, int]) -> None:
    """It covers no corner of the fort, however the grid is folded."""
    match, fort = build([way] * 40)
    taken = {cell(place): place for place in fort}
    opened = {cell(place) for card in fort for place in around(card)} - set(taken)
    found = {"taken": 0, "free": 0}
    for x in range(-130, 131):
        for y in range(-130 + x % 2, 131, 2):
            here = cell((x, y))
            near = any(abs(x - a) <= 1 and abs(y - b) <= 1 for a, b in fort)
            if near or here not in opened | set(taken):
                continue
            found["taken" if here in taken else "free"] += 1
            assert refusing_number(match, x, y) == 9, (x, y)
    assert min(found.values()) > 20


def refusing_number(match: Match, x: int, y: int) -> int:
    """The clause that refuses a calm card at a place, asked without changing anything."""
    move = match.settings.text.read(f"{CALM}@{x},{y}")
    return int(match.game.engine().refuse(match._g, move))


@pytest.mark.clause("KKD-09")
@pytest.mark.parametrize(
    "place",
    ["64,64", "-64,-64", "65,65", "64,-64", "63,-65", "-63,65", "31,-33", "128,0", "0,128",
     "4096,4096", "99999,1", "1,99999999999999999999999", "-99999,-1", "62,62", "63,63"],
)  # fmt: skip
def test_a_place_far_away_is_refused_like_any_that_covers_no_corner(place: str) -> None:
    match = sit(CALM, "0123")
    assert refusing_clause(match, f"0123@{place}") == "KKD-09"
    assert danger(match, 0, 0) == 0


@pytest.mark.clause("KKD-27", "KKD-28", "KKD-29")
@pytest.mark.parametrize("place", ["64,64", "63,-65", "-64,-64", "65,63", "128,0", "-65,63"])
def test_a_spell_on_a_place_that_shares_a_cell_with_a_creature_is_refused(place: str) -> None:
    match = sit("9999t9", level=1, spells=["fireball", "ice", "poison"])
    assert refusing_clause(match, f"fireball@{place}") == "KKD-27"
    assert refusing_clause(match, f"ice@{place}") == "KKD-28"
    assert refusing_clause(match, f"poison@{place}:tl") == "KKD-29"
