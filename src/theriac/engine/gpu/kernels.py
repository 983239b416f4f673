"""What runs on a GPU: a thread a game.

A kernel names rules and loops as the loops do, and beside them what stands for memory: `store_`
for records in the memory of the batch, `desk_` for those that a thread has to itself while it
plays. `engine.gpu.launch` puts those in their place, as a game's records need them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import cuda, uint32

from theriac.engine.array_loops import choose_action, pay
from theriac.engine.chance import scale
from theriac.engine.contract import NATURE, NOBODY, action_of, deal, list_legal, play, result
from theriac.engine.loops import (
    act,
    advance,
    draw,
    observe,
    open_game,
    random_move,
    start_game,
    tell_scores,
)
from theriac.engine.rule import rule

#: Instead of a clause: the number given is none of an action.
NO_ACTION: Final = -1
#: How many moves of a list are kept at once.
WINDOW: Final = 256

# What stands for memory: see `engine.gpu.launch`.
store_state: Any = None
store_chance: Any = None
desk_state: Any = None
desk_chance: Any = None
desk_view: Any = None
desk_list: Any = None
put_away: Any = None
copy_spread: Any = None
copy_columns: Any = None
as_row: Any = None
take_features: Any = None
open_window: Any = None
open_marker: Any = None
mark_games: Any = None
mark_room: Any = None
step_games: Any = None
beside_store: Any = None
states_to_desk: Any = None
states_from_desk: Any = None
chances_to_desk: Any = None
chances_from_desk: Any = None
copy_singles: Any = None
bring_list: Any = None
local_desk: Any = None
local_chances: Any = None
local_views: Any = None
local_list: Any = None
#: Words of 8 bytes of a block's desk in shared memory: for playing, looking, stepping, listing.
SHARED_DESK: int = 1
SHARED_CHANCES: int = 1
SHARED_VIEWS: int = 1
SHARED_STEP: int = 1
SHARED_BAG: int = 1
SHARED_LIST: int = 1
#: How many games share a desk: those of a block, or one.
AT_DESK: int = 1
AT_VIEWS: int = 1
AT_STEP: int = 1
AT_LIST: int = 32
#: Bytes at a multiple of which it begins.
ALIGNED: int | None = None
PATIENCE: int = 1


# What a GPU does at once


@rule
def count_at_once(cards: int) -> int:
    """How many cards are in a set."""
    return int(cuda.popc(int(cards)))


@rule
def lowest_at_once(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return int(cuda.ffs(int(cards))) - 1


@rule
def copy_at_once(source: Any, target: Any) -> None:
    """Write a whole row over another of the same length."""
    copy_columns(source, target)


@rule
def clear_at_once(row: Any) -> None:
    """Write zeros."""
    row[:] = 0


# Lists that are kept in part


@rule
def pick_in_windows(g: Any, moves: Any, word: int) -> int:
    """The `pick_legal` of a game that has none of its own: the list is read again if need be."""
    first = 0
    while True:
        window = open_window(moves, first)
        n = scale(word, list_legal(g, window))
        if n < first + WINDOW:
            return window[n]
        first = n


# Masks


@rule
def mark_move(g: Any, index: Any, marks: Any, before: int, move: int) -> None:
    """Set the bit of a legal move, as far as there is room: the first action has so many bits
    before it.
    """
    bit = before + int(action_of(g, index, move))
    if 0 <= bit < 32 * len(marks):
        cuda.atomic.or_(marks, bit >> 5, np.uint32(1 << (bit & 31)))


@rule
def mark_at_once(g: Any, index: Any, marks: Any, before: int, room: Any) -> None:
    """Set the bits of all legal moves, as they are listed."""
    if g.to_act >= 0:
        list_legal(g, open_marker(mark_move, g, index, marks, before))


@rule
def mark_by_list(g: Any, index: Any, marks: Any, before: int, room: Any) -> None:
    """The same where there are many moves to be looked up: that is done for all games of a warp
    together, which find them one by one.
    """
    first = 0
    total = 1
    while first < total and g.to_act >= 0:
        window = open_window(room, first)
        total = list_legal(g, window)
        for i in range(first, min(first + WINDOW, total)):
            mark_move(g, index, marks, before, window[i])
        first += WINDOW


@rule
def bytes_of(bits: int) -> int:
    """Eight bits as eight bytes of 0 or 1, the lowest first.

    A sum of seven copies, each seven bits further on: bit i of copy i is the first of byte i.
    """
    return (((bits & 127) * 0x0002040810204081) & 0x0101010101010101) | ((bits >> 7) << 56)


# Games in the memory of a batch


def start_batch(
    states: Any, chances: Any, options: Any, key: int, first: int, numbers: Any
) -> None:
    """Begin game number first + i in place i."""
    i = cuda.grid(1)
    n = len(numbers)
    if i < n:
        g = store_state(states, i)
        chance = store_chance(chances, i)
        numbers[i] = first + i
        start_game(g, options[i % len(options)], chance, key, first + i)
        put_away(g)
        put_away(chance)


@rule
def deal_and_renew(
    g: Any, chance: Any, options: Any, key: int, again: int, i: int, game: tuple[Any, Any, Any]
) -> None:
    """Nature's cards. Where game i is over, before or then, and games begin `again`, note its
    payoffs and begin the next of its place.
    """
    numbers, rewards, ended = game
    while g.to_act == NATURE or (again and g.to_act == NOBODY):
        if g.to_act == NOBODY:
            ended[i] = pay(g, rewards[i])
            numbers[i] += len(numbers)
            open_game(g, options, chance, key, numbers[i])
        if g.to_act == NATURE:
            deal(g, draw(g, chance))


@rule
def take_step(g: Any, chance: Any, index: Any, wanted: Any, i: int, begun: Any, game: Any) -> int:
    """Play an action in game i if it is legal, and nature's cards after it; else the clause that
    forbids it.
    """
    count, actions = wanted
    options, key, again = begun
    _, rewards, ended = game
    clause = NO_ACTION
    if 0 <= actions[i] < count:
        clause = act(g, index, actions[i])
    if again:
        ended[i] = 0
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
    deal_and_renew(g, chance, options[i % len(options)], key, again, i, game)
    return clause


@rule
def step_on_desk(
    i: int, games: Any, desks: Any, index: Any, wanted: Any, clauses: Any, begun: Any, game: Any
) -> None:
    """The games of a block come to its desk, as they lie: that is read at once. Rows that a game
    names as seldom used stay behind.
    """
    states, chances = games
    desk, bag = desks
    states_to_desk(states, desk, i)
    chances_to_desk(chances, bag, i)
    cuda.syncthreads()
    if i < len(clauses):
        stored = store_state(states, i)
        stored_chance = store_chance(chances, i)
        g = beside_store(desk, AT_STEP, i % AT_STEP, states, i)
        chance = desk_chance(bag, AT_STEP, i % AT_STEP)
        copy_singles(stored, g)
        copy_singles(stored_chance, chance)
        clauses[i] = take_step(g, chance, index, wanted, i, begun, game)
        copy_singles(g, stored)
        copy_singles(chance, stored_chance)
        put_away(stored)
        put_away(stored_chance)
    cuda.syncthreads()
    states_from_desk(states, desk, i)
    chances_from_desk(chances, bag, i)


@rule
def step_in_store(
    i: int, games: Any, desks: Any, index: Any, wanted: Any, clauses: Any, begun: Any, game: Any
) -> None:
    """The same in the memory of the batch, for games that no desk is large enough for."""
    states, chances = games
    if i < len(clauses):
        g = store_state(states, i)
        chance = store_chance(chances, i)
        clauses[i] = take_step(g, chance, index, wanted, i, begun, game)
        put_away(chance)
        put_away(g)


def step_batch(
    first: int,
    states: Any,
    chances: Any,
    index: Any,
    count: int,
    actions: Any,
    clauses: Any,
    options: Any,
    key: int,
    again: int,
    numbers: Any,
    rewards: Any,
    ended: Any,
) -> None:
    """Play an action in each game from the first where it is legal, and nature's cards after it;
    else note the clause that forbids it. Where a game is over, and games begin `again`, note its
    payoffs and begin the next of its place.
    """
    i = first + cuda.grid(1)
    desk = cuda.shared.array(SHARED_STEP, np.int64, ALIGNED)
    bag = cuda.shared.array(SHARED_BAG, np.int64, ALIGNED)
    wanted = count, actions
    begun = options, key, again
    game = numbers, rewards, ended
    step_games(i, (states, chances), (desk, bag), index, wanted, clauses, begun, game)


@rule
def list_on_desk(stored: Any, desk: Any) -> Any:
    """What listing moves needs of a game, on a desk: it is read at once."""
    g = desk_list(desk, AT_LIST, cuda.threadIdx.x)
    copy_spread(stored, g)
    return g


@rule
def list_in_store(stored: Any, desk: Any) -> Any:
    """The same where it is."""
    return stored


def choose_batch(first: int, states: Any, chances: Any, index: Any, actions: Any) -> None:
    """A legal action of each game, all being equally likely; 0 where the game is over."""
    i = first + cuda.grid(1)
    n = len(actions)
    desk = cuda.shared.array(SHARED_LIST, np.int64)
    if i < n:
        g = bring_list(store_state(states, i), desk)
        chance = store_chance(chances, i)
        room = local_list()
        actions[i] = choose_action(g, chance, index, room)
        put_away(chance)


def mark_batch(first: int, states: Any, n: int, index: Any, count: int, words: Any) -> None:
    """The legal moves of each game as a mask over all actions, a byte each; `words` are the masks
    of all games in a row.

    A block marks bits in its own memory first, of all its games or as many as there is room for.
    So masks are written once, in order and whole: single bytes would take as long as 32 each.
    """
    at = cuda.threadIdx.x
    i = first + cuda.grid(1)
    marks = cuda.shared.array(0, uint32)
    desk = cuda.shared.array(SHARED_LIST, np.int64)
    room = mark_room()
    bits = as_row(marks)
    masks = as_row(words)
    piece = 32 * len(marks)
    for begin in range(0, AT_LIST * count, piece):
        for k in range(at, len(marks), AT_LIST):
            bits[k] = 0
        cuda.syncthreads()
        if i < n:
            g = bring_list(store_state(states, i), desk)
            mark_games(g, index, marks, at * count - begin, room)
        cuda.syncthreads()
        eighths = min(piece, AT_LIST * count - begin) // 8
        before = ((i - at) * count + begin) // 8
        eighth = 8 * (at & 3)  # of its word of marks: always the same of four
        for k in range(at, min(eighths, len(words) - before), AT_LIST):
            masks[before + k] = bytes_of((int(bits[k >> 2]) >> eighth) & 255)
        cuda.syncthreads()


def observe_batch(first: int, states: Any, out: Any) -> None:
    """What the seat to act sees in each game, as numbers: a column a feature."""
    i = first + cuda.grid(1)
    n = len(out)
    views = local_views()
    if AT_VIEWS > 1:
        views = cuda.shared.array(SHARED_VIEWS, np.int64)
    if i < n:
        v = desk_view(views, AT_VIEWS, cuda.threadIdx.x % AT_VIEWS, states, i)
        observe(store_state(states, i), v, take_features(out, n, i))


def tell_batch(states: Any, players: int, scores: Any, results: Any) -> None:
    """The points and payoffs of each game."""
    i = cuda.grid(1)
    n = len(scores)
    if i < n:
        tell_scores(store_state(states, i), players, scores[i], results[i])


def seats_batch(states: Any, seats: Any) -> None:
    """The seat to act in each game."""
    i = cuda.grid(1)
    n = len(seats)
    if i < n:
        seats[i] = store_state(states, i).to_act


# Whole games. The threads of a warp do one thing at a time, and wait for each other: so nature
# deals to all games that wait for her, then a move is played in all of them. Dealing takes long,
# and she may let them wait for each other, up to PATIENCE turns. What comes after the games waits
# for all of them: once, compiled by ptxas 13.0, a thread that still played found in a register that
# its warp shares what is only loaded there after the last move.


@rule
def play_to_end(g: Any, chance: Any, moves: Any) -> int:
    """The same as `playout`."""
    made = 0
    turn = 0
    while g.to_act != NOBODY:
        if turn % PATIENCE == 0:
            advance(g, chance)
        if g.to_act >= 0:
            play(g, random_move(g, chance, moves))
            made += 1
        turn += 1
    return made


def play_out_batch(states: Any, chances: Any, made: Any) -> None:
    """Play each game at random to its end; note how many moves that took."""
    i = cuda.grid(1)
    n = len(made)
    at = cuda.threadIdx.x % AT_DESK
    desk = local_desk()
    bag = local_chances()
    if AT_DESK > 1:
        desk = cuda.shared.array(SHARED_DESK, np.int64, ALIGNED)
        bag = cuda.shared.array(SHARED_CHANCES, np.int64, ALIGNED)
    room = local_list()
    g = desk_state(desk, AT_DESK, at)
    chance = desk_chance(bag, AT_DESK, at)
    if i < n:
        copy_spread(store_state(states, i), g)
        copy_spread(store_chance(chances, i), chance)
        made[i] = play_to_end(g, chance, room)
    cuda.syncthreads()
    if i < n:
        stored = store_state(states, i)
        stored_chance = store_chance(chances, i)
        copy_spread(g, stored)
        copy_spread(chance, stored_chance)
        put_away(stored)
        put_away(stored_chance)


def play_games_batch(
    options: Any, key: int, first: int, games: int, made: Any, results: Any
) -> None:
    """Play so many whole games in each place, and add up their moves and payoffs."""
    i = cuda.grid(1)
    n = len(made)
    at = cuda.threadIdx.x % AT_DESK
    desk = local_desk()
    bag = local_chances()
    if AT_DESK > 1:
        desk = cuda.shared.array(SHARED_DESK, np.int64, ALIGNED)
        bag = cuda.shared.array(SHARED_CHANCES, np.int64, ALIGNED)
    room = local_list()
    if i < n:
        g = desk_state(desk, AT_DESK, at)
        chance = desk_chance(bag, AT_DESK, at)
        moves = 0
        number = first + i
        while number < first + games * n:  # all begin together: they stay at about one moment
            open_game(g, options[i % len(options)], chance, key, number)
            moves += play_to_end(g, chance, room)
            for seat in range(results.shape[1]):
                results[i, seat] += result(g, seat)
            number += n
        made[i] = moves


# Arrays


def clear_all(words: Any) -> None:
    """Write zeros."""
    i = cuda.grid(1)
    if i < len(words):
        words[i] = 0


def copy_all(source: Any, target: Any) -> None:
    """Copy numbers of one type to another."""
    i = cuda.grid(1)
    if i < len(target):
        target[i] = source[i]
