"""Generalized advantage estimation (GAE; Schulman et al., 2015) for games with several seats.

Each seat has its own trajectory: other seats move between two of its moves, and the game can end
there. So the successor of a move is the next move *of the same seat* in the same game, or that
seat's final reward if the game ends first. Rewards are terminal and the discount factor is 1.
"""

from __future__ import annotations

import torch
from torch import Tensor


def compute_gae(
    seats: Tensor, values: Tensor, dones: Tensor, rewards: Tensor, gae_lambda: float
) -> tuple[Tensor, Tensor]:
    """The advantage of each move, and a mask of the moves whose successor is in the rollout.

    For each step and game: `seats` is the seat that moved, `values` its value estimate before the
    move, `dones` whether the game ended with this move, and `rewards` the reward of every seat if
    it did. The last move of a seat in an unfinished game has no successor in the rollout: its
    value only bootstraps the seat's move before it, and its mask is False.
    """
    steps, games = seats.shape
    # For each game and seat, what is known about the steps after the current one.
    after = torch.zeros(3, games, rewards.shape[-1], device=values.device)
    next_value, next_advantage, has_successor = after
    advantages = torch.zeros_like(values)
    valid = torch.zeros_like(dones)
    for t in reversed(range(steps)):
        done = dones[t].unsqueeze(-1)
        next_value = torch.where(done, rewards[t], next_value)
        next_advantage = next_advantage.masked_fill(done, 0.0)
        has_successor = has_successor.masked_fill(done, 1.0)
        seat = seats[t].unsqueeze(-1)
        valid[t] = has_successor.gather(-1, seat).squeeze(-1) > 0
        td_error = next_value.gather(-1, seat).squeeze(-1) - values[t]
        later = gae_lambda * next_advantage.gather(-1, seat).squeeze(-1)
        advantages[t] = (td_error + later) * valid[t]
        next_value = next_value.scatter(-1, seat, values[t].unsqueeze(-1))
        next_advantage = next_advantage.scatter(-1, seat, advantages[t].unsqueeze(-1))
        has_successor = has_successor.scatter(-1, seat, 1.0)
    return advantages, valid


def compute_share_targets(
    seats: Tensor, shares: Tensor, dones: Tensor, win_shares: Tensor, gae_lambda: float
) -> Tensor:
    """The lambda return of every seat's share of the win, for each step and game.

    Unlike advantages it runs through all moves of a game: the seat that is to act next predicts
    the shares of all seats. `shares` and the result begin with the seat to act; seats that do not
    play have the target 0. `win_shares` are those of each seat if the game ended with the step. The
    last step of an unfinished game keeps its own prediction.
    """
    players = win_shares.shape[-1]
    order = torch.arange(players, device=seats.device)
    targets = torch.zeros_like(shares)
    next_target = next_prediction = torch.zeros_like(win_shares[0])
    for t in reversed(range(len(seats))):
        seat = seats[t].unsqueeze(-1)
        prediction = shares[t].gather(-1, (order - seat) % players)  # of seat 0, 1, ...
        if t == len(seats) - 1:
            target = prediction
        else:
            target = torch.lerp(next_prediction, next_target, gae_lambda)
        next_target = torch.where(dones[t].unsqueeze(-1), win_shares[t], target)
        next_prediction = prediction
        targets[t, :, :players] = next_target.gather(-1, (order + seat) % players)
    return targets
