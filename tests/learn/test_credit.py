"""What a move was worth, worked out by hand."""

from __future__ import annotations

import pytest
import torch

from theriac.learn.credit import credit


def worked_out(
    seats: list[int],
    values: list[float],
    ends: dict[int, list[float]],
    players: int,
    trace: float = 0.5,
) -> tuple[list[float], list[bool]]:
    """The advantages of one game's moves, and which are known; `ends` has the rewards of a step."""
    ended = [[t in ends] for t in range(len(seats))]
    rewards = [[ends.get(t, [0.0] * players)] for t in range(len(seats))]
    advantages, known = credit(
        torch.tensor(seats).unsqueeze(-1),
        torch.tensor(values).unsqueeze(-1),
        torch.tensor(ended),
        torch.tensor(rewards),
        trace,
    )
    return advantages[:, 0].tolist(), known[:, 0].tolist()


def test_two_seats_in_turn_to_the_end() -> None:
    """Seat 0 moves at 0, 2, 4 and wins 1; seat 1 at 1 and 3 and loses 1.

    Backwards, half of the later advantage added each time:
    seat 0: 1 - 0.5 = 0.5; 0.5 - 0.25 + 0.5 * 0.5 = 0.5; 0.25 - 0 + 0.5 * 0.5 = 0.5.
    seat 1: -1 - (-0.5) = -0.5; -0.5 - 0.25 + 0.5 * -0.5 = -1.
    """
    advantages, known = worked_out(
        [0, 1, 0, 1, 0], [0.0, 0.25, 0.25, -0.5, 0.5], {4: [1.0, -1.0]}, players=2
    )
    assert advantages == pytest.approx([0.5, -1.0, 0.5, -0.5, 0.5])
    assert known == [True] * 5


def test_seats_out_of_turn_have_rows_of_their_own() -> None:
    """Seat 2 moves twice in a row, seat 1 once and early: its reward is not another seat's.

    Seat 0: 2 - 1 = 1. Seat 1: -1 - 0.5 = -1.5. Seat 2: -1 - 0 = -1; 0 - 0.5 + 0.5 * -1 = -1.
    """
    advantages, known = worked_out(
        [1, 2, 2, 0], [0.5, 0.5, 0.0, 1.0], {3: [2.0, -1.0, -1.0]}, players=3
    )
    assert advantages == pytest.approx([-1.5, -1.0, -1.0, 1.0])
    assert known == [True] * 4


def test_a_new_game_says_nothing_about_the_one_before() -> None:
    """The game ends at step 1; the moves after it belong to the next."""
    advantages, known = worked_out(
        [0, 1, 0, 1, 0], [0.0, 0.0, 9.0, 9.0, 8.0], {1: [1.0, -1.0]}, players=2
    )
    assert advantages[:2] == pytest.approx([1.0, -1.0])
    assert advantages[2] == pytest.approx(8.0 - 9.0)
    assert known == [True, True, True, False, False]


def test_the_last_move_of_a_seat_in_a_game_that_goes_on_is_not_known() -> None:
    """It only says what the move before it led to. Nothing is learnt from it."""
    advantages, known = worked_out([0, 1, 0, 1], [0.0, 1.0, 0.5, 3.0], {}, players=2)
    assert known == [True, True, False, False]
    assert advantages == pytest.approx([0.5, 2.0, 0.0, 0.0])


def test_with_a_whole_trace_the_result_alone_counts() -> None:
    values = [0.3, -0.7, 0.1, 0.9, -0.2, 0.6]
    seats = [0, 1, 2, 0, 1, 2]
    won = [2.0, -1.0, -1.0]
    advantages, _ = worked_out(seats, values, {5: won}, players=3, trace=1.0)
    expected = [won[seat] - value for seat, value in zip(seats, values, strict=True)]
    assert advantages == pytest.approx(expected)


def test_games_side_by_side_do_not_touch() -> None:
    random = torch.Generator().manual_seed(3)
    seats = torch.randint(3, (20, 5), generator=random)
    values = torch.randn(20, 5, generator=random)
    ended = torch.rand(20, 5, generator=random) < 0.2
    rewards = torch.randn(20, 5, 3, generator=random)
    together = credit(seats, values, ended, rewards, 0.9)
    for i in range(5):
        one = slice(i, i + 1)
        alone = credit(seats[:, one], values[:, one], ended[:, one], rewards[:, one], 0.9)
        for all_games, this in zip(together, alone, strict=True):
            assert torch.equal(all_games[:, one], this)
