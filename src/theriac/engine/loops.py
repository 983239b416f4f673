"""What every game can do, built from its rule functions.

The loops call the functions of `contract`; building an engine puts a game's own functions in their
place. The caller owns all memory and passes it in:

- `chance`, the `ChanceState` of the game: what nature draws from;
- `moves`, a scratch buffer for a list of legal moves, one per thread.
"""

from __future__ import annotations

from typing import Final

from theriac.engine.chance import ChanceState, Stream, below, next_word, scale, seed_stream
from theriac.engine.contract import (
    CARDS,
    FIRST_CARD,
    LAST_CARD,
    NATURE,
    NOBODY,
    action_of,
    advise,
    deal,
    encode,
    imagine,
    lay_out,
    list_legal,
    move_of,
    odds,
    pick_legal,
    play,
    refuse,
    result,
    score,
    see,
    setup,
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

#: Instead of a seat: the one to act.
ACTOR: Final = -3

# Moves and actions


@rule
def step(g: State, move: int) -> int:
    """Play the move if it is legal; else return the number of the clause that forbids it."""
    clause = refuse(g, move)
    if clause == 0:
        play(g, move)
    return clause


@rule
def act(g: State, catalogue: Moves, action: int) -> int:
    """Play an action if it is legal; else return the number of the clause that forbids it."""
    return step(g, move_of(g, catalogue, action))


@rule
def list_by_refusing(g: State, catalogue: Moves, moves: Moves) -> int:
    """List the legal moves by trying every move of the catalogue: slow, and right by definition."""
    n = 0
    for i in range(len(catalogue)):
        if refuse(g, catalogue[i]) == 0:
            moves[n] = catalogue[i]
            n += 1
    return n


@rule
def mark_legal(g: State, catalogue: Moves, moves: Moves, mask: Mask) -> None:
    """Write the mask over all actions: 1 where legal now, else 0."""
    mask[:] = 0
    if g.to_act < 0:
        return
    for i in range(list_legal(g, moves)):
        mask[action_of(g, catalogue, moves[i])] = 1


# Nature


@rule
def deal_cards(g: State, cards: Cards, begin: int) -> int:
    """Deal given cards, from index `begin`, while nature deals from the same pile and shuffle.

    Returns the index of the first card that was not dealt.
    """
    pile = g.pile
    shuffle = g.shuffles[pile]
    n = begin
    while n < len(cards) and g.to_act == NATURE and g.pile == pile and g.shuffles[pile] == shuffle:
        deal(g, cards[n])
        n += 1
    return n


@rule
def list_pile(g: State, pile: int, counts: Cards) -> int:
    """Write how many of each card are left in a pile; return the total."""
    total = 0
    for card in range(CARDS):
        counts[card] = odds(g, pile, card)
        total += counts[card]
    return total


@rule
def fill_pack(g: State, chance: ChanceState, pile: int) -> None:
    """Fill the pack of a pile with the cards that are left in it."""
    chance.left[pile] = lay_out(g, pile, chance.pack[pile])
    chance.shuffle[pile] = g.shuffles[pile]


@rule
def forget_packs(chance: ChanceState) -> None:
    """Invalidate all packs: call it when the next state is not a successor of the last."""
    for pile in range(len(FIRST_CARD)):
        chance.shuffle[pile] = -1


@rule
def draw(g: State, chance: ChanceState) -> int:
    """Draw nature's next card, each card left in the pile being equally likely."""
    pile = g.pile
    if chance.shuffle[pile] != g.shuffles[pile]:
        fill_pack(g, chance, pile)
    last = chance.left[pile] - 1
    i = below(chance.random, last + 1)
    card = chance.pack[pile, i]
    chance.pack[pile, i] = chance.pack[pile, last]
    chance.left[pile] = last
    return card


@rule
def advance(g: State, chance: ChanceState) -> None:
    """Let nature deal until a player is to act or the game is over."""
    while g.to_act == NATURE:
        deal(g, draw(g, chance))


# Whole games at random


@rule
def open_game(g: State, options: Options, chance: ChanceState, key: int, number: int) -> None:
    """Start game `number` of a simulation, up to nature's first card."""
    seed_stream(chance.random, key, number)
    forget_packs(chance)
    setup(g, options)


@rule
def start_game(g: State, options: Options, chance: ChanceState, key: int, number: int) -> None:
    """Start game `number` of a simulation, up to its first decision."""
    open_game(g, options, chance, key, number)
    advance(g, chance)


@rule
def random_move(g: State, chance: ChanceState, moves: Moves) -> int:
    """A legal move, chosen uniformly at random."""
    return pick_legal(g, moves, next_word(chance.random))


@rule
def playout(g: State, chance: ChanceState, moves: Moves) -> int:
    """Play at random to the end; returns the number of moves played."""
    moves_played = 0
    while g.to_act != NOBODY:
        if g.to_act == NATURE:
            deal(g, draw(g, chance))
        else:
            play(g, random_move(g, chance, moves))
            moves_played += 1
    return moves_played


@rule
def play_games(
    g: State, options: Options, chance: ChanceState, moves: Moves, key: int, first: int, last: int
) -> int:
    """Play whole random games, numbers `first` to `last` - 1; returns the moves played."""
    moves_played = 0
    for number in range(first, last):
        start_game(g, options, chance, key, number)
        moves_played += playout(g, chance, moves)
    return moves_played


# Results and observations


@rule
def write_scores(g: State, players: int, scores: Ints, results: Floats) -> None:
    """Write the points of each seat, and its payoff if the game is over (else 0)."""
    for seat in range(players):
        scores[seat] = score(g, seat)
        results[seat] = result(g, seat) if g.to_act == NOBODY else 0.0


@rule
def observe(g: State, v: View, out: Features) -> None:
    """Write what the seat to act sees as features; zeros if the game is over."""
    observe_from(g, g.to_act, v, out)


@rule
def observe_from(g: State, seat: int, v: View, out: Features) -> None:
    """Write what a seat sees as features; zeros for NATURE and NOBODY."""
    if seat < 0:
        out[:] = 0
    else:
        see(g, seat, v)
        encode(v, out)


@rule
def viewer(g: State, seat: int) -> int:
    """The seat, or the one to act for ACTOR."""
    return g.to_act if seat == ACTOR else seat


@rule
def advise_moves(v: View, moves: Moves, values: Floats) -> None:
    """Write the heuristic value of each of these legal moves."""
    for i in range(len(moves)):
        values[i] = advise(v, moves[i])


@rule
def imagine_many(v: View, random: Stream, states: Records[State]) -> None:
    """Fill an array with determinizations of one view."""
    for i in range(len(states)):
        imagine(v, random, states[i])


# Defaults of the optional functions of the contract


@rule
def default_pick_legal(g: State, moves: Moves, word: int) -> int:
    """List the legal moves and pick one."""
    return moves[scale(word, list_legal(g, moves))]


@rule
def default_action_of(g: State, catalogue: Moves, move: int) -> int:
    """Find the index of the move in the catalogue, which is ascending."""
    if 0 <= move < len(catalogue) and catalogue[move] == move:
        return move  # true for every move of a game whose catalogue is 0, 1, 2, ...
    low = 0
    high = len(catalogue) - 1
    while low < high:
        middle = (low + high) // 2
        if catalogue[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low


@rule
def default_move_of(g: State, catalogue: Moves, action: int) -> int:
    """Take the move from the catalogue."""
    return catalogue[action]


@rule
def default_lay_out(g: State, pile: int, pack: Cards) -> int:
    """Lay out each card as often as the odds say."""
    n = 0
    for card in range(FIRST_CARD[pile], LAST_CARD[pile] + 1):
        for _ in range(odds(g, pile, card)):
            pack[n] = card
            n += 1
    return n


@rule
def default_advise_source(g: State, view: View) -> View:
    """Fill the view of the seat to act."""
    see(g, g.to_act, view)
    return view
