"""What every game can do, made from its rule functions.

The loops name the functions of `contract`; a game's own take their places when they are built
(see `rule.Linker`). Two things belong to the caller and come as arguments:

- `chance`, what nature draws from, one record per game: its stream of random numbers (``random``),
  and for each pile the cards still to come, in no order (``pack``), how many there are (``left``),
  and the number of the shuffle they belong to (``opened``);
- `moves`, room for a list of legal moves, one a thread.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.chance import below, next_word, scale, seed_stream
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
from theriac.engine.rule import rule


@rule
def step(g: Any, move: int) -> int:
    """Play the move if it is legal; else return the number of the clause that forbids it."""
    clause = refuse(g, move)
    if clause == 0:
        play(g, move)
    return clause


@rule
def deal_cards(g: Any, cards: Any, begin: int) -> int:
    """Deal a written row of cards while nature is to act and asks for this same pile.

    Returns how far the row has been dealt.
    """
    pile = g.pile
    shuffle = g.shuffles[pile]
    n = begin
    while n < len(cards) and g.to_act == NATURE and g.pile == pile and g.shuffles[pile] == shuffle:
        deal(g, cards[n])
        n += 1
    return n


@rule
def list_pile(g: Any, pile: int, counts: Any) -> int:
    """Write how many of each card are left in a pile; return how many in all."""
    total = 0
    for card in range(CARDS):
        counts[card] = odds(g, pile, card)
        total += counts[card]
    return total


@rule
def list_by_refusing(g: Any, catalogue: Any, moves: Any) -> int:
    """List the legal moves by asking about every move there is: slow, and the law itself."""
    n = 0
    for i in range(len(catalogue)):
        if refuse(g, catalogue[i]) == 0:
            moves[n] = catalogue[i]
            n += 1
    return n


@rule
def pick_by_listing(g: Any, moves: Any, word: int) -> int:
    """The `pick_legal` of a game that has none of its own."""
    return moves[scale(word, list_legal(g, moves))]


@rule
def find_in_catalogue(g: Any, catalogue: Any, move: int) -> int:
    """The `action_of` of a game that has none of its own: the catalogue is ascending."""
    if 0 <= move < len(catalogue) and catalogue[move] == move:
        return move  # as in a game where every number is a move
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
def take_from_catalogue(g: Any, catalogue: Any, action: int) -> int:
    """The `move_of` of a game that has none of its own."""
    return catalogue[action]


@rule
def mark_legal(g: Any, catalogue: Any, moves: Any, mask: Any) -> None:
    """Set the mask over all actions: 1 where legal now, else 0."""
    mask[:] = 0
    if g.to_act < 0:
        return
    for i in range(list_legal(g, moves)):
        mask[action_of(g, catalogue, moves[i])] = 1


@rule
def act(g: Any, catalogue: Any, action: int) -> int:
    """Play an action if it is legal; else the clause that forbids it."""
    return step(g, move_of(g, catalogue, action))


@rule
def lay_by_odds(g: Any, pile: int, pack: Any) -> int:
    """The `lay_out` of a game that has none of its own."""
    n = 0
    for card in range(FIRST_CARD[pile], LAST_CARD[pile] + 1):
        for _ in range(odds(g, pile, card)):
            pack[n] = card
            n += 1
    return n


@rule
def fill_pack(g: Any, chance: Any, pile: int) -> None:
    """Take the cards that are left in a pile, to draw from."""
    chance.left[pile] = lay_out(g, pile, chance.pack[pile])
    chance.opened[pile] = g.shuffles[pile]


@rule
def close_packs(chance: Any) -> None:
    """Forget all packs: the next state is not a successor of the last."""
    for pile in range(len(FIRST_CARD)):
        chance.opened[pile] = -1


@rule
def draw(g: Any, chance: Any) -> int:
    """Nature's next card, every card left in the pile being equally likely."""
    pile = g.pile
    if chance.opened[pile] != g.shuffles[pile]:
        fill_pack(g, chance, pile)
    last = chance.left[pile] - 1
    i = below(chance.random, last + 1)
    card = chance.pack[pile, i]
    chance.pack[pile, i] = chance.pack[pile, last]
    chance.left[pile] = last
    return card


@rule
def advance(g: Any, chance: Any) -> None:
    """Let nature deal until a player is to act or the game is over."""
    while g.to_act == NATURE:
        deal(g, draw(g, chance))


@rule
def open_game(g: Any, options: Any, chance: Any, key: int, number: int) -> None:
    """Begin game `number` of a simulation, up to nature's first card."""
    seed_stream(chance.random, key, number)
    close_packs(chance)
    setup(g, options)


@rule
def start_game(g: Any, options: Any, chance: Any, key: int, number: int) -> None:
    """Begin game `number` of a simulation, up to its first decision."""
    open_game(g, options, chance, key, number)
    advance(g, chance)


@rule
def random_move(g: Any, chance: Any, moves: Any) -> int:
    """A legal move, all being equally likely."""
    return pick_legal(g, moves, next_word(chance.random))


@rule
def playout(g: Any, chance: Any, moves: Any) -> int:
    """Play at random to the end; return the number of moves the players made."""
    made = 0
    while g.to_act != NOBODY:
        if g.to_act == NATURE:
            deal(g, draw(g, chance))
        else:
            play(g, random_move(g, chance, moves))
            made += 1
    return made


@rule
def play_games(
    g: Any, options: Any, chance: Any, moves: Any, key: int, first: int, last: int
) -> int:
    """Whole random games from number `first` up to but not `last`; returns the moves made."""
    made = 0
    for number in range(first, last):
        start_game(g, options, chance, key, number)
        made += playout(g, chance, moves)
    return made


@rule
def tell_scores(g: Any, players: int, scores: Any, results: Any) -> None:
    """Write each seat's points, and its payoff when the game is over."""
    for seat in range(players):
        scores[seat] = score(g, seat)
        results[seat] = result(g, seat) if g.to_act == NOBODY else 0.0


@rule
def observe(g: Any, v: Any, out: Any) -> None:
    """What the seat to act sees, as numbers; zeros when the game is over."""
    if g.to_act < 0:
        out[:] = 0
    else:
        see(g, g.to_act, v)
        encode(v, out)


@rule
def weigh(v: Any, moves: Any, worths: Any) -> None:
    """What the rules of thumb think of each of these legal moves."""
    for i in range(len(moves)):
        worths[i] = advise(v, moves[i])


@rule
def sight_by_seeing(g: Any, w: Any) -> Any:
    """The `sight` of a game that has none of its own."""
    see(g, g.to_act, w)
    return w


@rule
def imagine_many(v: Any, random: Any, states: Any) -> None:
    """Fill an array with states drawn from one view."""
    for i in range(len(states)):
        imagine(v, random, states[i])
