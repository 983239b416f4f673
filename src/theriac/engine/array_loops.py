"""Loops over games in an array: one game, or those from index `begin` to `end` - 1.

A match holds its one game in an array too: compiled code takes an array as an argument ten times
as fast as a record.
"""

from __future__ import annotations

from typing import Final

from theriac.engine.chance import ChanceState
from theriac.engine.contract import NATURE, NOBODY, action_of, list_legal, refuse, result, see
from theriac.engine.loops import (
    act,
    advance,
    deal_cards,
    mark_legal,
    observe_from,
    playout,
    random_move,
    start_game,
    step,
    viewer,
    write_scores,
)
from theriac.engine.records import (
    Cards,
    Features,
    Floats,
    Ints,
    Mask,
    Moves,
    Options,
    Records,
    State,
    View,
)
from theriac.engine.rule import rule

States = Records[State]
Chances = Records[ChanceState]

#: Instead of an action: none is played. Instead of a clause: none was played.
NO_ACTION: Final = -1

# One game


@rule
def step_at(states: States, i: int, move: int) -> int:
    """Play the move in game i if it is legal; else return the clause that forbids it."""
    return step(states[i], move)


@rule
def refuse_at(states: States, i: int, move: int) -> int:
    """The clause that forbids the move in game i; 0 if it is legal. Nothing changes."""
    return refuse(states[i], move)


@rule
def see_at(states: States, i: int, seat: int, views: Records[View]) -> None:
    """Fill the view of game i."""
    see(states[i], seat, views[i])


@rule
def list_at(states: States, i: int, moves: Moves) -> int:
    """List the legal moves of game i; returns their number."""
    return list_legal(states[i], moves)


@rule
def deal_at(states: States, i: int, cards: Cards, begin: int) -> int:
    """Deal given cards in game i: see `deal_cards`."""
    return deal_cards(states[i], cards, begin)


# All games


@rule
def start_all(
    states: States,
    options: Options,
    chances: Chances,
    key: int,
    numbers: Ints,
    chosen: Mask,
    begin: int,
    end: int,
) -> None:
    """Start game number numbers[i] at each index i that is chosen."""
    for i in range(begin, end):
        if chosen[i] != 0:
            start_game(states[i], options, chances[i], key, numbers[i])


@rule
def step_all(
    states: States,
    chances: Chances,
    catalogue: Moves,
    actions: Ints,
    clauses: Ints,
    begin: int,
    end: int,
) -> None:
    """Play an action in each game if it is legal; else write the clause that forbids it.

    Where the action is NO_ACTION, nothing is played.
    """
    for i in range(begin, end):
        clauses[i] = NO_ACTION
        if actions[i] != NO_ACTION:
            clauses[i] = act(states[i], catalogue, actions[i])
        if states[i].to_act == NATURE:
            advance(states[i], chances[i])


@rule
def playout_all(
    states: States, chances: Chances, moves: Moves, moves_played: Ints, begin: int, end: int
) -> None:
    """Play each game at random to its end; write how many moves that took."""
    for i in range(begin, end):
        moves_played[i] = playout(states[i], chances[i], moves)


@rule
def mark_legal_all(
    states: States, catalogue: Moves, moves: Moves, masks: Mask, begin: int, end: int
) -> None:
    """Write the mask of legal actions of each game."""
    for i in range(begin, end):
        mark_legal(states[i], catalogue, moves, masks[i])


@rule
def observe_all(states: States, seat: int, v: View, out: Features, begin: int, end: int) -> None:
    """Write what a seat, or ACTOR, sees in each game, as features."""
    for i in range(begin, end):
        observe_from(states[i], viewer(states[i], seat), v, out[i])


@rule
def write_scores_all(
    states: States, players: int, scores: Ints, results: Floats, begin: int, end: int
) -> None:
    """Write the points and payoffs of each game."""
    for i in range(begin, end):
        write_scores(states[i], players, scores[i], results[i])


@rule
def write_rewards(g: State, rewards: Features) -> bool:
    """Write each seat's payoff if the game is over, else zeros. Is it over?"""
    over = g.to_act == NOBODY
    for seat in range(len(rewards)):
        rewards[seat] = result(g, seat) if over else 0.0
    return over


@rule
def reset_finished_all(
    states: States,
    options: Options,
    chances: Chances,
    key: int,
    numbers: Ints,
    rewards: Features,
    ended: Mask,
    begin: int,
    end: int,
) -> None:
    """Where a game is over, write its payoffs and start the game len(states) numbers later."""
    for i in range(begin, end):
        ended[i] = write_rewards(states[i], rewards[i])
        if ended[i]:
            numbers[i] += len(states)
            start_game(states[i], options, chances[i], key, numbers[i])


# Random play


@rule
def random_action(g: State, chance: ChanceState, catalogue: Moves, moves: Moves) -> int:
    """A legal action, chosen uniformly at random; 0 if the game is over."""
    if g.to_act < 0:
        return 0
    return action_of(g, catalogue, random_move(g, chance, moves))


@rule
def random_action_all(
    states: States,
    chances: Chances,
    catalogue: Moves,
    moves: Moves,
    actions: Ints,
    begin: int,
    end: int,
) -> None:
    """Write a random legal action of each game."""
    for i in range(begin, end):
        actions[i] = random_action(states[i], chances[i], catalogue, moves)


@rule
def play_games_all(
    g: State,
    options: Options,
    chance: ChanceState,
    moves: Moves,
    key: int,
    first: int,
    games: int,
    moves_played: Ints,
    results: Floats,
    begin: int,
    end: int,
) -> None:
    """At each index play `games` whole random games, and add up their moves and payoffs.

    Index i plays the numbers first + i, first + i + n, ..., where n is the length of the arrays.
    """
    for i in range(begin, end):
        for k in range(games):
            start_game(g, options, chance, key, first + i + k * len(moves_played))
            moves_played[i] += playout(g, chance, moves)
            for seat in range(results.shape[1]):
                results[i, seat] += result(g, seat)
