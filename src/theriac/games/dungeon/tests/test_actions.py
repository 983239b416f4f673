"""Knock, Knock! Dungeon!: moves as actions for a mask, and views as numbers for a network."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import theriac
from theriac.game import find
from theriac.games.dungeon.state import (
    ACTIONS,
    CARD_ACTIONS,
    FRAME,
    KINDS,
    MOST_HAND,
    NONE,
    SEATS,
    WHERES,
)
from theriac.games.dungeon.tests.table_setting import (
    ALL_SPELLS,
    CALM,
    KNIGHT,
    lay_out,
    play,
    sit,
    with_spells,
)
from theriac.games.dungeon.view import FEATURES, PLANES
from theriac.match import Match

PILE = f"{CALM} " * 20


# Actions


def check_actions(match: Match) -> list[int]:
    """Every legal move has an action of its own, which represents it."""
    engine = match.game.engine()
    catalogue = match.settings.text.catalogue()
    moves = match.legal_numbers()
    actions = [int(engine.action_of(match._g, catalogue, move)) for move in moves]
    assert len(set(actions)) == len(moves)
    assert all(0 <= action < match.settings.text.actions for action in actions)
    assert [int(engine.move_of(match._g, catalogue, action)) for action in actions] == moves
    return actions


def check_other_actions(match: Match, actions: list[int]) -> None:
    """An action that is not of a legal move represents one that is refused."""
    engine = match.game.engine()
    catalogue = match.settings.text.catalogue()
    for action in set(range(0, ACTIONS, 7)) - set(actions):
        move = int(engine.move_of(match._g, catalogue, action))
        assert engine.refuse(match._g, move) != 0 or move in [
            int(engine.move_of(match._g, catalogue, one)) for one in actions
        ]


def line(cards: int, x: int, y: int) -> Match:
    """A straight fort that reaches far outside the frame."""
    deck = ["0000"] * 40 + ["1000", "0100"] * 6 + [KNIGHT]
    match = theriac.new("dungeon", players=1, first=0, deck=deck, seed=bytes(32))
    for n in range(1, cards):
        held = match.view(0)["hand"]
        card = "0000" if "0000" in held else held[0]
        match.play(f"{card}@{n * x},{n * y}")
    return match


@pytest.mark.parametrize("way", [(1, 1), (-1, -1), (1, -1), (-1, 1)])
@pytest.mark.parametrize("cards", [1, 5, 14, 15, 16, 30])
def test_actions_and_moves_are_inverse_also_outside_the_frame(
    way: tuple[int, int], cards: int
) -> None:
    match = line(cards, *way)
    actions = check_actions(match)
    outside = [action for action in actions if action % WHERES >= FRAME * FRAME]
    assert bool(outside) is (cards >= 14)
    check_other_actions(match, actions)


@pytest.mark.parametrize("seed", range(4))
def test_actions_and_moves_are_inverse_all_through_a_game(seed: int) -> None:
    random = Random(seed)
    match = theriac.new(
        "dungeon", players=1 + seed, first=0, level=1 + seed % 4, spells=ALL_SPELLS,
        seed=bytes([seed] * 32),
    )  # fmt: skip
    engine = match.game.engine()
    for _ in range(25):
        if match.over:
            break
        actions = check_actions(match)
        mask = np.zeros(ACTIONS, np.uint8)
        engine.mark_legal(match._g, match.settings.text.catalogue(), engine.moves(), mask)
        assert np.flatnonzero(mask).tolist() == sorted(actions)
        moves = match.legal_numbers()
        few = random.sample(moves, min(40, len(moves)))
        v = match.look(match.to_act)
        match.play(match.settings.text.write(max(few, key=lambda move: engine.advise(v, move))))


def test_spells_have_actions_and_an_action_of_nothing_is_malformed() -> None:
    match = play(with_spells("9999t9", f"9990t3s {PILE}"), "9990t3s@-1,-1")
    actions = check_actions(match)
    assert "silence" in match.legal()
    assert ACTIONS - 1 in actions
    assert sum(action >= CARD_ACTIONS for action in actions) == 2 * 6 + 1
    engine, catalogue = match.game.engine(), match.settings.text.catalogue()
    empty = [4 * 2 * WHERES, 5 * 2 * WHERES, FRAME * FRAME + 100, CARD_ACTIONS + 2]
    assert [int(engine.move_of(match._g, catalogue, action)) for action in empty] == [-1] * 4


def test_when_the_game_is_over_no_card_has_an_action() -> None:
    match = play(sit(), "timeout")
    engine, catalogue = match.game.engine(), match.settings.text.catalogue()
    assert int(engine.move_of(match._g, catalogue, 0)) == -1


def test_the_same_place_has_the_same_action_wherever_the_fort_lies() -> None:
    """Counted from its middle: the action for a card at the right end of a line is one number."""
    one, other = (line(5, *way) for way in ((1, 1), (-1, -1)))
    engine, catalogue = one.game.engine(), one.settings.text.catalogue()
    found = []
    for match, place in ((one, "5,5"), (other, "1,1")):
        card = match.view(0)["hand"][0]
        move = match.settings.text.read(f"{card}@{place}")
        found.append(int(engine.action_of(match._g, catalogue, move)) % WHERES)
    assert found[0] == found[1]


# Views as numbers


def encoded(v: Any) -> npt.NDArray[np.float32]:
    """A view as numbers."""
    out = np.full(FEATURES, np.nan, np.float32)
    find("dungeon").engine().encode(v, out)
    assert np.isfinite(out).all()
    return out


def planes(v: Any) -> npt.NDArray[np.float32]:
    """The part that shows the fort: rows, columns, numbers of a place."""
    return encoded(v)[: PLANES * FRAME * FRAME].reshape(FRAME, FRAME, PLANES)


def test_the_same_fort_at_another_place_gives_the_same_planes() -> None:
    """Once it begins with a card at 0,0, once with a creature that is burnt later."""
    straight = lay_out("1000", "0122r@1,1 0101@2,2", PILE, level=1)
    moved = with_spells("9999t9", f"1000 0122 0101 {PILE}")
    play(moved, "1000@-1,1 0122r@0,2 fireball@0,0 0101@1,3")
    assert np.array_equal(planes(straight.look(0)), planes(moved.look(1)))


@pytest.mark.parametrize("way", [(1, 1), (-1, -1), (1, -1), (-1, 1)])
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_the_frame_is_around_what_is_left_after_a_fireball(
    way: tuple[int, int], cards: int
) -> None:
    """A line that went on from the burnt card, and the same line begun without it."""
    x, y = way
    rest = [f"0000@{n * x},{n * y}" for n in range(1, cards + 1)]
    straight = lay_out(CALM, " ".join(rest[:-1]), PILE, level=1)
    moved = play(with_spells("9999t9", PILE), f"{' '.join(rest)} fireball@0,0")
    assert np.array_equal(planes(straight.look(0)), planes(moved.look(0)))


def shifted(v: Any, u: int, w: int) -> Any:
    """A view with the whole fort moved, cell by cell."""
    v = v.copy()
    v.us[: v.laid] += u
    v.vs[: v.laid] += w
    v.place_us[: v.places] += u
    v.place_vs[: v.places] += w
    for name, by in (("low_u", u), ("high_u", u), ("low_v", w), ("high_v", w)):
        v[name] += by
    v.spots[:] = np.roll(v.spots, 64 * u + w)
    if v.poisoned_cell != NONE:
        v.poisoned_cell = (v.poisoned_cell + 64 * u + w) % 4096
    return v


@pytest.mark.parametrize("shift", [(1, 0), (0, 1), (-3, 2), (17, -20), (-25, -1)])
def test_all_numbers_are_the_same_wherever_the_fort_lies(shift: tuple[int, int]) -> None:
    match = with_spells("9999t9", f"9990t3 0122 0000s {PILE}")
    play(match, "9990t3@-1,-1 poison@0,0:br ice@-1,-1 0122@1,1 0000s@2,0")
    for seat in range(2):
        v = match.look(seat).copy()
        assert np.array_equal(encoded(shifted(v, *shift)), encoded(v))


def test_the_middle_of_the_fort_is_the_middle_of_the_frame() -> None:
    """A plus of five cards; planes 0 and 1 are the free places and the cards."""
    match = lay_out(CALM, "0000@1,1 0000@-1,-1 0000@1,-1 0000@-1,1", f"{PILE} {PILE}")
    shown = planes(match.look(0))
    middle = FRAME // 2
    cards = {(int(r) - middle, int(c) - middle) for r, c in np.argwhere(shown[:, :, 1])}
    assert cards == {(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)}
    free = {(int(r) - middle, int(c) - middle) for r, c in np.argwhere(shown[:, :, 0])}
    assert free == {(2, 0), (-2, 0), (0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)}


def test_the_numbers_of_a_place() -> None:
    match = with_spells("9999t9", f"9943t3c2 {PILE}")
    play(match, "9943t3c2@1,1 ice@1,1")
    shown = planes(match.look(0))
    row, column = np.argwhere(shown[:, :, 5])[0]  # the frozen one
    assert shown[row, column].tolist() == pytest.approx(
        [0, 1, 1, 0, 0, 1, 25 / 6, 2 / 3, 2 / 63, 9 / 4, 9 / 4, 4 / 4, 3 / 4]
    )
    start = shown[row - 1, column]
    assert start.tolist() == pytest.approx(
        [0, 1, 1, 0, 8 / 3, 0, 36 / 6, 0, 1 / 63, 9 / 4, 9 / 4, 9 / 4, 9 / 4]
    )
    knight = lay_out(CALM, "0000@1,1", more=f"{KNIGHT}@2,2")
    assert planes(knight.look(0))[:, :, 3].sum() == 1


def test_the_numbers_of_hand_deck_and_table() -> None:
    match = with_spells("0000", f"0123 0000s 4321t2c1 1000 {PILE}", spells="ice silence", level=2)
    play(match, "0123@1,1 0000s@2,2")
    rest = encoded(match.look(0))[PLANES * FRAME * FRAME :]
    hand = rest[: 9 * MOST_HAND].reshape(MOST_HAND, 9)
    held = match.view(0)["hand"]
    assert held == ["0000", "0000", "0000", "4321t2c1"]
    assert hand[:, 0].tolist() == [1, 1, 1, 1, 0, 0]
    creature = next(row for row in hand if row[1])
    assert creature.tolist() == pytest.approx([1, 2 / 3, 0, 1 / 3, 0, 1, 3 / 4, 2 / 4, 1 / 4])
    unseen = rest[9 * MOST_HAND :][:KINDS] * 4
    kinds = match.settings.text.cards
    deck = match.settings.given["deck"]
    expected = {card: deck.count(card) for card in set(deck)}
    for card in ["0000", "0123", "0000s", *held]:
        expected[card] -= 1
    expected[KNIGHT] = 0
    assert {card: round(float(unseen[kinds.index(card)])) for card in expected} == expected
    sizes, spells, others = np.split(rest[9 * MOST_HAND + KINDS :], [SEATS, SEATS + 4])
    assert sizes.tolist() == pytest.approx([4 / 6, 4 / 6, 0, 0, 0, 0])
    assert spells.tolist() == [0, 1, 0, 1]
    in_pile = match.view()["table"]["pile"] - 1
    assert others.tolist() == pytest.approx([1, 0, in_pile / 63, 0, 2 / 4, 0, 2 / 6, 1])


def test_a_burnt_card_is_not_unseen() -> None:
    match = play(with_spells("9999t9", f"0000 {PILE}"), "0000@1,1 fireball@0,0")
    at = PLANES * FRAME * FRAME + 9 * MOST_HAND
    kind = match.settings.text.cards.index("9999t9")
    assert [encoded(match.look(seat))[at + kind] for seat in range(2)] == [0, 0]


def test_hands_are_counted_clockwise_from_the_viewers_seat() -> None:
    match = lay_out(CALM, "0000@1,1", players=3, knight="0999t9K", more="0999t9K@2,2")
    play(match, "0000@-1,-1")
    assert match.view()["table"]["hands"] == [3, 3, 4]
    at = PLANES * FRAME * FRAME + 9 * MOST_HAND + KINDS
    found = [(encoded(match.look(seat))[at : at + 3] * 6).round().tolist() for seat in range(3)]
    assert found == [[3, 3, 4], [3, 4, 3], [4, 3, 3]]
