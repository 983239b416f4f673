"""Games in an array: one of them, or all from `begin` up to but not `end`.

One game in an array is what a table plays with: compiled code takes an array as an argument ten
times as fast as it takes a record.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NATURE, NOBODY, action_of, list_legal, refuse, result, see
from theriac.engine.loops import (
    act,
    advance,
    deal_cards,
    mark_legal,
    observe,
    playout,
    random_move,
    start_game,
    step,
    tell_scores,
)
from theriac.engine.rule import rule


@rule
def step_at(states: Any, i: int, move: int) -> int:
    """Play the move in one game if it is legal; else the clause that forbids it."""
    return step(states[i], move)


@rule
def refuse_at(states: Any, i: int, move: int) -> int:
    """The clause that forbids the move in one game; 0 if it is legal. Nothing changes."""
    return refuse(states[i], move)


@rule
def see_at(states: Any, i: int, seat: int, views: Any) -> None:
    """Fill a view of one game."""
    see(states[i], seat, views[i])


@rule
def list_at(states: Any, i: int, moves: Any) -> int:
    """The legal moves of one game."""
    return list_legal(states[i], moves)


@rule
def deal_at(states: Any, i: int, cards: Any, begin: int) -> int:
    """Deal a written row of cards in one game."""
    return deal_cards(states[i], cards, begin)


@rule
def start_all(
    states: Any, options: Any, chances: Any, key: int, first: int, begin: int, end: int
) -> None:
    """Begin game number first + i in place i."""
    for i in range(begin, end):
        start_game(states[i], options, chances[i], key, first + i)


@rule
def step_all(
    states: Any, chances: Any, catalogue: Any, actions: Any, clauses: Any, begin: int, end: int
) -> None:
    """Play an action in each game where it is legal; else note the clause that forbids it."""
    for i in range(begin, end):
        clauses[i] = act(states[i], catalogue, actions[i])
        if states[i].to_act == NATURE:
            advance(states[i], chances[i])


@rule
def play_all(states: Any, chances: Any, room: Any, made: Any, begin: int, end: int) -> None:
    """Play each game at random to its end; note how many moves that took."""
    for i in range(begin, end):
        made[i] = playout(states[i], chances[i], room)


@rule
def mark_all(states: Any, catalogue: Any, room: Any, masks: Any, begin: int, end: int) -> None:
    """The legal moves of each game as a mask over all actions."""
    for i in range(begin, end):
        mark_legal(states[i], catalogue, room, masks[i])


@rule
def observe_all(states: Any, v: Any, out: Any, begin: int, end: int) -> None:
    """What the seat to act sees in each game, as numbers."""
    for i in range(begin, end):
        observe(states[i], v, out[i])


@rule
def tell_all(states: Any, players: int, scores: Any, results: Any, begin: int, end: int) -> None:
    """The points and payoffs of each game."""
    for i in range(begin, end):
        tell_scores(states[i], players, scores[i], results[i])


# Games that begin anew


@rule
def pay(g: Any, rewards: Any) -> bool:
    """Write each seat's payoff if the game is over, else zeros. Is it over?"""
    over = g.to_act == NOBODY
    for seat in range(len(rewards)):
        rewards[seat] = result(g, seat) if over else 0.0
    return over


@rule
def renew_all(
    states: Any,
    options: Any,
    chances: Any,
    key: int,
    numbers: Any,
    rewards: Any,
    ended: Any,
    begin: int,
    end: int,
) -> None:
    """Where a game is over, note its payoffs and begin the next of this place."""
    for i in range(begin, end):
        ended[i] = pay(states[i], rewards[i])
        if ended[i]:
            numbers[i] += len(states)
            start_game(states[i], options, chances[i], key, numbers[i])


# Players at random


@rule
def choose_action(g: Any, chance: Any, catalogue: Any, room: Any) -> int:
    """A legal action, all being equally likely; 0 where the game is over."""
    if g.to_act < 0:
        return 0
    return action_of(g, catalogue, random_move(g, chance, room))


@rule
def choose_all(
    states: Any, chances: Any, catalogue: Any, room: Any, actions: Any, begin: int, end: int
) -> None:
    """A legal action of each game."""
    for i in range(begin, end):
        actions[i] = choose_action(states[i], chances[i], catalogue, room)


@rule
def play_fresh(
    g: Any,
    options: Any,
    chance: Any,
    room: Any,
    key: int,
    first: int,
    games: int,
    made: Any,
    results: Any,
    begin: int,
    end: int,
) -> None:
    """In each place play so many whole games, and add up their moves and payoffs.

    Place i plays number first + i and those one batch further on.
    """
    for i in range(begin, end):
        for k in range(games):
            start_game(g, options, chance, key, first + i + k * len(made))
            made[i] += playout(g, chance, room)
            for seat in range(results.shape[1]):
                results[i, seat] += result(g, seat)
