"""Playing many games at once: whose moves are learnt from, and what is written down of them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.learn.lessons import chance, club_of, net_of, recipe_of
from theriac.learn.credit import credit
from theriac.learn.network import NEVER
from theriac.learn.recipe import Recipe
from theriac.learn.selfplay import Club, Played, join, payoff


def play(recipe: Recipe) -> tuple[Club, Played, Any, Any]:
    """A club, what it played to learn from, the learner and its earlier self."""
    club = club_of(recipe)
    net, past = net_of(club, recipe), net_of(club, recipe, seed=1)
    return club, club.play(net, past, chance()), net, past


def learnt_rows(club: Club, which: torch.Tensor) -> torch.Tensor:
    """What was seen at these moves."""
    return torch.as_tensor(club._paper.seen[which])


def test_every_seat_learns_where_the_learner_has_all() -> None:
    club, played, *_ = play(recipe_of(past=0.0))
    paper = club._paper
    _, known = credit(paper.seats, paper.values, paper.ended, paper.rewards, 0.95)
    assert torch.equal(played.seen, learnt_rows(club, known))
    assert known.sum() == 12 * 40 - (~known).sum() > 400


def test_an_earlier_selfs_moves_are_not_learnt_from() -> None:
    """In all games one seat is the learner's, in turn over the places; nothing else is learnt."""
    club, played, net, past = play(recipe_of(past=1.0))
    paper = club._paper
    own = paper.seats == torch.arange(12) % 4
    _, known = credit(paper.seats, paper.values, paper.ended, paper.rewards, 0.95)
    assert torch.equal(played.seen, learnt_rows(club, own & known))
    # The learner's likelihoods are its own, and the others' are those of the earlier self.
    with torch.no_grad():
        mine, _ = net(paper.seen, paper.legal)
        theirs, _ = past(paper.seen, paper.legal)
    chosen = paper.actions.unsqueeze(-1)
    by_me, by_them = (each.gather(-1, chosen).squeeze(-1) for each in (mine, theirs))
    assert torch.allclose(paper.likely[own], by_me[own], atol=1e-6)
    assert torch.allclose(paper.likely[~own], by_them[~own], atol=1e-6)
    assert not torch.allclose(by_me, by_them, atol=1e-2)


def test_some_games_are_with_an_earlier_self() -> None:
    club, played, *_ = play(recipe_of(past=0.25))
    assert club.guests == 3
    paper = club._paper
    _, known = credit(paper.seats, paper.values, paper.ended, paper.rewards, 0.95)
    mine = (paper.seats == torch.arange(12) % 4) | (torch.arange(12) >= 3)
    assert torch.equal(played.seen, learnt_rows(club, mine & known))


def test_who_plays_alone_meets_no_earlier_self() -> None:
    recipe = recipe_of(game="dungeon", players=(1,), options={}, games=4, moves=3, past=1.0)
    assert club_of(recipe).guests == 0


def test_rewards_are_shares_of_the_win() -> None:
    """At the end of a game all seats' rewards sum to nothing; the mean share is the fair one."""
    club, *_ = play(recipe_of(past=0.0, moves=100))
    rewards = club._paper.rewards[club._paper.ended]
    assert len(rewards) > 12
    assert torch.allclose(rewards.sum(-1), torch.zeros(len(rewards)), atol=1e-5)
    assert rewards.min() == -1
    assert rewards.max() == payoff(1.0, 4) == 3


def test_likelihoods_are_those_of_legal_actions() -> None:
    played = play(recipe_of())[1]
    assert played.legal.gather(-1, played.actions.unsqueeze(-1)).all()
    assert played.likely.max() <= 0
    assert played.likely.min() > NEVER / 2


def test_an_action_that_is_refused_ends_the_training() -> None:
    """A mask that allows too much must not go unnoticed."""
    recipe = recipe_of()
    club = club_of(recipe)
    net = net_of(club, recipe)
    masks = club.batch.masks
    club.batch.masks = lambda: masks() | 1  # type: ignore[method-assign]
    with pytest.raises(AssertionError, match="actions were refused"):
        club.play(net, net, chance())


def test_games_are_at_different_moments() -> None:
    """All have 48 moves: those that begin together would end together."""
    club, *_ = play(recipe_of(games=48, moves=48, past=0.0))
    ends = club._paper.ended.sum(-1)
    assert ends.sum() == 48
    assert ends.max() <= 4


def test_games_go_on_from_lesson_to_lesson() -> None:
    recipe = recipe_of(moves=10)
    club = club_of(recipe)
    net = net_of(club, recipe)
    first, before = club.begun, club.batch.numbers
    for _ in range(5):
        club.play(net, net, chance())
    assert club.begun > first >= 12
    assert (club.batch.numbers - before).max() in (12, 24)


def test_what_several_clubs_play_is_learnt_from_together() -> None:
    clubs = [play(recipe_of(players=(players,), options={}, games=4))[1] for players in (3, 5)]
    joined = join(clubs)
    assert len(joined) == len(clubs[0]) + len(clubs[1])
    assert torch.equal(joined.seen[len(clubs[0]) :], clubs[1].seen)
    assert join(clubs[:1]) is clubs[0]
