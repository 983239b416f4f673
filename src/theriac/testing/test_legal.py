"""Every fast way to list or pick legal moves agrees with `refuse`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given

from theriac.engine.chance import next_word, scale
from theriac.game import Game
from theriac.testing.profiles import often
from theriac.testing.setups import Setup, only
from theriac.testing.walk import Choices, Walk, choices

#: Refused moves are tried in one of this many positions.
ONE_IN = often(3, 1)


def by_refusing(walk: Walk) -> list[int]:
    """The legal moves, found by calling `refuse` for every move."""
    buffer = np.zeros(len(walk.catalogue), np.int64)
    n = walk.engine.list_by_refusing(walk.g, walk.catalogue, buffer)
    moves: list[int] = buffer[:n].tolist()
    return moves


def marked(walk: Walk) -> list[int]:
    """The legal moves, from the action mask."""
    mask = np.full(walk.actions, 7, np.uint8)
    walk.engine.mark_legal(walk.g, walk.catalogue, walk.moves, mask)
    assert set(mask.tolist()) <= {0, 1}
    return sorted(
        int(walk.engine.move_of(walk.g, walk.catalogue, int(action)))
        for action in np.flatnonzero(mask)
    )


@given(choices=choices())
def test_lists_agree_with_refuse(setup: Setup, choices: Choices) -> None:
    walk = Walk(setup.with_deck(choices.random), "cpu")
    for _ in walk.steps(choices):
        if walk.over:
            assert by_refusing(walk) == marked(walk) == []
        else:
            legal = walk.legal()
            assert len(set(legal)) == len(legal), "a move is listed twice"
            allowed = by_refusing(walk)
            disagreement = disagreeing(walk, legal, allowed)
            assert not disagreement, disagreement
            assert allowed == marked(walk)


def disagreeing(walk: Walk, legal: list[int], allowed: list[int]) -> str:
    """A move about which `list_legal` and `refuse` disagree, by its text; "" without one."""
    write = walk.setup.settings.text.write
    for move in sorted({*legal} - {*allowed}):
        return f"list_legal lists {write(move)}, which refuse forbids, or the catalogue lacks"
    for move in sorted({*allowed} - {*legal}):
        return f"refuse allows {write(move)}, which list_legal does not list"
    return ""


def test_a_refused_move_changes_nothing(setup: Setup) -> None:
    walk = Walk(setup, "cpu")
    random = Choices([], 5)
    for _ in walk.steps(random):
        if random.below(ONE_IN):
            continue
        before = walk.g.tobytes()
        few = 1 + len(walk.catalogue) // 20
        for move in [*walk.catalogue[random.below(few) :: few].tolist(), -(10**9), -1, 10**15]:
            if walk.engine.refuse(walk.g, move):
                assert walk.engine.step(walk.g, move) > 0
        assert walk.g.tobytes() == before


class Written:
    """A list that records which entries were written, and cannot be read."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def __setitem__(self, place: int, move: int) -> None:
        self.places.append(place)


def test_a_list_is_written_once(setup: Setup) -> None:
    """A GPU marks moves as they are written, and keeps none of them."""
    walk = Walk(setup, "cpu")
    plain = setup.game.engine("plain")
    random = Choices([], 2)
    for _ in walk.steps(random):
        if walk.deciding and not random.below(10):
            written = Written()
            n = plain.list_legal(walk.g, written)  # type: ignore[arg-type]
            assert sorted(written.places) == list(range(n))


def boundary_words(n: int) -> Iterator[int]:
    """Words at which the picked one of n moves changes, and some others."""
    for i in range(0, n, 1 + n // 10):
        yield -(-(i << 32) // n)
        yield -(-((i + 1) << 32) // n) - 1
    yield from (0, 1, 2**31 - 1, 2**31, 2**32 - 1)


def picks_of(game: Game) -> list[Callable[..., int]]:
    """The ways to pick a move that a game brings, for all devices and for a GPU."""
    picks = (game.rules.get("pick_legal"), game.gpu.pick_legal)
    return [pick for pick in picks if pick is not None]


@only(lambda setup: picks_of(setup.game))
def test_picking_agrees_with_listing(setup: Setup) -> None:
    """`pick_legal` returns the move at the fraction word / 2**32 of the list."""
    walk = Walk(setup, "cpu")
    picks = picks_of(setup.game)
    random = Choices([], 3)
    for _ in walk.steps(random):
        if walk.over or random.below(20):
            continue
        legal = walk.legal()
        for word in boundary_words(len(legal)):
            for pick in picks:
                picked = pick(walk.g, walk.moves, np.int64(word))
                assert picked == legal[scale(word, len(legal))]


@pytest.mark.parametrize("speed", ["plain", "cpu"])
def test_a_random_move_is_one_of_the_list(setup: Setup, speed: str) -> None:
    """It takes exactly one word of the stream of `chance`."""
    walk = Walk(setup, speed)
    walk.engine.seed_stream(walk.chance.random, 7, 7)
    for _ in walk.steps(Choices([], 4)):
        if not walk.over:
            legal = walk.legal()
            word = next_word(walk.chance.random.copy())
            counter = int(walk.chance.random[2])
            move = walk.engine.random_move(walk.g, walk.chance, walk.moves)
            assert move == legal[scale(word, len(legal))]
            assert walk.chance.random[2] == counter + 1


def test_the_catalogue_is_ascending_and_every_move_has_one_text(game: Game) -> None:
    text = game.settings({"players": game.players[0], "first": 0}).text
    catalogue = text.catalogue().tolist()
    assert catalogue == sorted(set(catalogue))
    assert catalogue[0] >= 0
    written = [text.write(move) for move in catalogue]
    assert len(set(written)) == len(written)
    assert [text.read(move) for move in written] == catalogue
