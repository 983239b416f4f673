"""Advantages, compared with values computed by hand."""

from __future__ import annotations

import pytest
import torch

from theriac.learn.gae import compute_gae, compute_share_targets


def gae_of_one_game(
    seats: list[int],
    values: list[float],
    ends: dict[int, list[float]],
    players: int,
    gae_lambda: float = 0.5,
) -> tuple[list[float], list[bool]]:
    """Advantages and the valid mask for one game; `ends` maps a final step to its rewards."""
    dones = [[t in ends] for t in range(len(seats))]
    rewards = [[ends.get(t, [0.0] * players)] for t in range(len(seats))]
    advantages, valid = compute_gae(
        torch.tensor(seats).unsqueeze(-1),
        torch.tensor(values).unsqueeze(-1),
        torch.tensor(dones),
        torch.tensor(rewards),
        gae_lambda,
    )
    return advantages[:, 0].tolist(), valid[:, 0].tolist()


def test_two_seats_alternate_until_the_end() -> None:
    """Seat 0 moves at 0, 2, 4 and wins 1; seat 1 moves at 1 and 3 and loses 1.

    Backwards, with half of the next advantage added each time:
    seat 0: 1 - 0.5 = 0.5; 0.5 - 0.25 + 0.5 * 0.5 = 0.5; 0.25 - 0 + 0.5 * 0.5 = 0.5.
    seat 1: -1 - (-0.5) = -0.5; -0.5 - 0.25 + 0.5 * -0.5 = -1.
    """
    advantages, valid = gae_of_one_game(
        [0, 1, 0, 1, 0], [0.0, 0.25, 0.25, -0.5, 0.5], {4: [1.0, -1.0]}, players=2
    )
    assert advantages == pytest.approx([0.5, -1.0, 0.5, -0.5, 0.5])
    assert valid == [True] * 5


def test_seats_out_of_turn_have_their_own_trajectories() -> None:
    """Seat 2 moves twice in a row, seat 1 once and early: it gets its own reward.

    Seat 0: 2 - 1 = 1. Seat 1: -1 - 0.5 = -1.5. Seat 2: -1 - 0 = -1; 0 - 0.5 + 0.5 * -1 = -1.
    """
    advantages, valid = gae_of_one_game(
        [1, 2, 2, 0], [0.5, 0.5, 0.0, 1.0], {3: [2.0, -1.0, -1.0]}, players=3
    )
    assert advantages == pytest.approx([-1.5, -1.0, -1.0, 1.0])
    assert valid == [True] * 4


def test_a_new_game_does_not_affect_the_game_before_it() -> None:
    """The game ends at step 1; later moves belong to the next game."""
    advantages, valid = gae_of_one_game(
        [0, 1, 0, 1, 0], [0.0, 0.0, 9.0, 9.0, 8.0], {1: [1.0, -1.0]}, players=2
    )
    assert advantages[:2] == pytest.approx([1.0, -1.0])
    assert advantages[2] == pytest.approx(8.0 - 9.0)
    assert valid == [True, True, True, False, False]


def test_the_last_move_of_a_seat_in_an_unfinished_game_is_not_valid() -> None:
    """Its value bootstraps the move before it; nothing is learned from the move itself."""
    advantages, valid = gae_of_one_game([0, 1, 0, 1], [0.0, 1.0, 0.5, 3.0], {}, players=2)
    assert valid == [True, True, False, False]
    assert advantages == pytest.approx([0.5, 2.0, 0.0, 0.0])


def test_with_lambda_1_only_the_result_counts() -> None:
    values = [0.3, -0.7, 0.1, 0.9, -0.2, 0.6]
    seats = [0, 1, 2, 0, 1, 2]
    rewards = [2.0, -1.0, -1.0]
    advantages, _ = gae_of_one_game(seats, values, {5: rewards}, players=3, gae_lambda=1.0)
    expected = [rewards[seat] - value for seat, value in zip(seats, values, strict=True)]
    assert advantages == pytest.approx(expected)


def test_parallel_games_are_independent() -> None:
    random = torch.Generator().manual_seed(3)
    seats = torch.randint(3, (20, 5), generator=random)
    values = torch.randn(20, 5, generator=random)
    dones = torch.rand(20, 5, generator=random) < 0.2
    rewards = torch.randn(20, 5, 3, generator=random)
    together = compute_gae(seats, values, dones, rewards, 0.9)
    for i in range(5):
        one = slice(i, i + 1)
        alone = compute_gae(seats[:, one], values[:, one], dones[:, one], rewards[:, one], 0.9)
        for all_games, this in zip(together, alone, strict=True):
            assert torch.equal(all_games[:, one], this)


def test_shares_are_lambda_returns_through_the_moves_of_all_seats() -> None:
    """Seats 1, 0, 1 move; seat 0 wins after the third move. The head has three outputs.

    Backwards, by seat: after step 2 the result is (1, 0); before it seat 1 predicts (0.3, 0.7). So
    the target of step 1 is half of each: (0.65, 0.35). Seat 0 predicts (0.6, 0.4) at step 1, so the
    target of step 0 is (0.625, 0.375). Each target begins with the seat to act.
    """
    targets = compute_share_targets(
        torch.tensor([[1], [0], [1]]),
        torch.tensor([[[0.5, 0.5, 0.0]], [[0.6, 0.4, 0.0]], [[0.7, 0.3, 0.0]]]),
        torch.tensor([[False], [False], [True]]),
        torch.tensor([[[0.0, 0.0]], [[0.0, 0.0]], [[1.0, 0.0]]]),
        0.5,
    )
    expected = [[0.375, 0.625, 0.0], [0.65, 0.35, 0.0], [0.0, 1.0, 0.0]]
    assert torch.allclose(targets[:, 0], torch.tensor(expected))


def test_shares_of_an_unfinished_game_bootstrap_from_the_last_prediction() -> None:
    """The game before it ends at step 0, and nothing of the new one reaches back."""
    targets = compute_share_targets(
        torch.tensor([[0], [0], [1]]),
        torch.tensor([[[0.5, 0.5]], [[0.9, 0.1]], [[0.2, 0.8]]]),
        torch.tensor([[True], [False], [False]]),
        torch.tensor([[[0.0, 1.0]], [[0.0, 0.0]], [[0.0, 0.0]]]),
        0.9,
    )
    assert torch.allclose(targets[:, 0], torch.tensor([[0.0, 1.0], [0.8, 0.2], [0.2, 0.8]]))
