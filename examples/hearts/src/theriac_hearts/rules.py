"""The rules of Hearts for four, clause by clause.

From the game as it is commonly played, in our own words. Where tables differ there is an option;
where they are silent, `rulings.md` says what holds here: in which order players choose the cards
they pass on (HEA-06), and how a part of the deck is played with (HEA-05, HEA-07).

The file follows a round: the deal, the passing, a trick, the score; then what a program may ask.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import scale
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule
from theriac_hearts.state import (
    ACROSS,
    ALL_HEARTS,
    CARDS,
    COSTLY,
    IN_TURN,
    LEFT,
    MOVES,
    NONE,
    NOWHERE,
    OTHERS_UP,
    PASSED,
    PASSES,
    PASSING,
    PLAYING,
    QUEEN,
    QUEEN_POINTS,
    RANKS,
    RIGHT,
    SEATS,
    TWO_OF_CLUBS,
    WHOLE_SUIT,
)

# The deal


@rule
def setup(g: Any, options: Any) -> None:
    """HEA-01, HEA-02, HEA-03: the cards, four players, and who deals first."""
    g.passing = options.passing
    g.moon = options.moon
    g.target = options.target
    g.queen_breaks = options.queen_breaks
    g.deck = options.deck
    g.dealer = options.first
    g.rounds = 1
    g.pile = 0
    g.shuffles[0] = 0
    for seat in range(SEATS):
        g.scores[seat] = 0
    begin_round(g)


@rule
def begin_round(g: Any) -> None:
    """HEA-04: one shuffle of all cards, dealt from the dealer's left."""
    g.direction = direction_of(g)
    g.phase = PASSING
    g.tricks = 0
    g.broken = 0
    g.in_trick = 0
    g.leader = NONE
    g.last_leader = NONE
    for seat in range(SEATS):
        g.chosen[seat] = 0
        g.points[seat] = 0
        g.won[seat] = 0
        g.shown[seat] = 0
        g.cannot[seat] = 0
        g.hands[seat] = 0
        g.passed[seat] = 0
        g.trick[seat] = 0
        g.last_trick[seat] = 0
    g.undealt = g.deck
    g.shuffles[0] += 1
    g.receiver = left_of(g.dealer)
    g.to_act = NATURE


@rule
def direction_of(g: Any) -> int:
    """HEA-08: to the left, to the right, across, not at all, and again; or always the same."""
    turn = (g.rounds - 1) % 4 if g.passing == IN_TURN else g.passing - 1
    return LEFT if turn == 0 else RIGHT if turn == 1 else ACROSS if turn == 2 else NOWHERE


@rule
def left_of(seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) & 3


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """Nature deals from the cards not yet dealt."""
    return (g.undealt >> card) & 1


@rule
def lay_out(g: Any, pile: int, pack: Any) -> int:
    """The cards not yet dealt, one by one."""
    rest = int(g.undealt)
    n = 0
    while rest:
        pack[n] = lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@rule
def deal(g: Any, card: int) -> None:
    """HEA-05: all cards are dealt one by one."""
    g.undealt &= ~bit(card)
    g.hands[g.receiver] |= bit(card)
    g.receiver = left_of(g.receiver)
    if g.undealt == 0:
        if g.direction == NOWHERE:
            begin_play(g)
        else:
            g.to_act = left_of(g.dealer)


# Passing


@rule
def pass_on(g: Any, card: int) -> None:
    """HEA-06, HEA-07, HEA-09: a card is put aside face down; three of each, then all change hands.

    Nobody sees a card before the last is chosen: until then, ``passed`` holds them.
    """
    seat = g.to_act
    g.hands[seat] &= ~bit(card)
    g.passed[seat] |= bit(card)
    g.chosen[seat] += 1
    if g.chosen[seat] == PASSED or g.hands[seat] == 0:
        if seat == g.dealer:
            exchange(g)
        else:
            g.to_act = left_of(seat)


@rule
def exchange(g: Any) -> None:
    """HEA-08: each receives what another passed on."""
    for seat in range(SEATS):
        g.hands[(seat + g.direction) & 3] |= g.passed[seat]
    begin_play(g)


@rule
def begin_play(g: Any) -> None:
    """HEA-10: the player who has the 2 of clubs leads, so everybody knows who has it."""
    g.phase = PLAYING
    for seat in range(SEATS):
        if g.hands[seat] & bit(TWO_OF_CLUBS):
            g.leader = seat
        else:
            g.cannot[seat] = bit(TWO_OF_CLUBS)
    g.to_act = g.leader


# A trick


@rule
def suit_of(card: int) -> int:
    """Clubs, diamonds, spades or hearts."""
    return int(card) // RANKS


@rule
def all_of(suit: int) -> int:
    """The cards of a suit."""
    return WHOLE_SUIT << (RANKS * suit)


@rule
def playable(g: Any, hand: int) -> int:
    """The cards of the hand to act that may be played now.

    HEA-10, HEA-12, HEA-13, HEA-14: what is asked for comes first, and a hand that has none of it
    may play anything.
    """
    asked = hand
    if g.in_trick > 0:
        asked = hand & all_of(suit_of(g.trick[0]))
        if asked == 0 and g.tricks == 0:
            asked = hand & ~COSTLY
    elif g.tricks == 0:
        asked = bit(TWO_OF_CLUBS)
    elif g.broken == 0:
        asked = hand & ~ALL_HEARTS
    return hand if asked == 0 else asked


@rule
def refuse(g: Any, move: int) -> int:
    """HEA-06, HEA-11: a card of one's hand, passed on while cards are passed, else played."""
    if g.to_act == NOBODY:
        return 19
    passing = g.phase == PASSING
    if move < 0 or move >= MOVES:
        return 6 if passing else 11
    if passing != (move >= PASSES):
        return 6
    hand = int(g.hands[g.to_act])
    if not (hand >> (move % CARDS)) & 1:
        return 6 if passing else 11
    if passing or (playable(g, hand) >> move) & 1:
        return 0
    return unplayable(g, hand)


@rule
def unplayable(g: Any, hand: int) -> int:
    """The clause that asks for other cards than the one played."""
    if g.in_trick == 0:
        return 10 if g.tricks == 0 else 14
    return 12 if hand & all_of(suit_of(g.trick[0])) else 13


@rule
def play(g: Any, move: int) -> None:
    """Carry out a move, and what follows from it."""
    if move >= PASSES:
        pass_on(g, move - PASSES)
    else:
        g.hands[g.to_act] &= ~bit(move)
        lay(g, move)
        if g.in_trick == SEATS:
            take_trick(g)
            if g.hands[g.to_act] == 0:
                end_round(g)


@rule
def lay(g: Any, card: int) -> None:
    """HEA-11, HEA-15: one card each, clockwise; the first heart breaks hearts."""
    seat = g.to_act
    remember(g, seat, card)
    g.trick[g.in_trick] = card
    g.in_trick += 1
    if card >= CARDS - RANKS or (g.queen_breaks and card == QUEEN):
        g.broken = 1
    g.to_act = left_of(seat)


@rule
def remember(g: Any, seat: int, card: int) -> None:
    """What all learn from a card: it was legal, so its player may have shown to lack others."""
    g.shown[seat] |= bit(card)
    costly = (COSTLY >> card) & 1
    if g.in_trick > 0:
        led = suit_of(g.trick[0])
        if suit_of(card) != led:
            g.cannot[seat] |= all_of(led)
            if g.tricks == 0 and costly:  # HEA-13
                g.cannot[seat] |= g.deck & ~COSTLY
    elif g.broken == 0 and card >= CARDS - RANKS:  # HEA-14
        g.cannot[seat] |= g.deck & ~ALL_HEARTS


@rule
def take_trick(g: Any) -> None:
    """HEA-16, HEA-17: the highest card of the suit led wins, and its player leads next."""
    best = g.trick[0]
    winner = g.leader
    cards = bit(best)
    for i in range(1, SEATS):
        card = g.trick[i]
        cards |= bit(card)
        if card > best and suit_of(card) == suit_of(best):
            best = card
            winner = (g.leader + i) & 3
    g.points[winner] += points_in(cards)
    g.won[winner] += 1
    g.last_leader = g.leader
    for i in range(SEATS):
        g.last_trick[i] = g.trick[i]
    g.leader = winner
    g.in_trick = 0
    g.tricks += 1
    g.to_act = winner


@rule
def points_in(cards: int) -> int:
    """HEA-17: a point for each heart, and 13 for the queen of spades."""
    return count_bits(cards & ALL_HEARTS) + QUEEN_POINTS * ((cards >> QUEEN) & 1)


# The score


@rule
def end_round(g: Any) -> None:
    """HEA-19: score; the game ends when a player has reached the target."""
    reached = False
    for seat in range(SEATS):
        g.scores[seat] += round_points(g, seat)
        reached = reached or g.scores[seat] >= g.target
    if reached or g.target == 0:
        g.to_act = NOBODY
    else:
        g.rounds += 1
        g.dealer = left_of(g.dealer)  # HEA-03
        begin_round(g)


@rule
def round_count(options: Any) -> int:
    """HEA-19: a single round without a target; else the points decide."""
    return 0 if options.target else 1


@rule
def round_points(g: Any, seat: int) -> int:
    """HEA-17, HEA-18: the points of the cards taken, unless one player took them all."""
    shooter = moon_shooter(g)
    if shooter == NONE:
        return g.points[seat]
    everything = points_in(g.deck)
    if g.moon == OTHERS_UP:
        return 0 if seat == shooter else everything
    return -everything if seat == shooter else 0


@rule
def moon_shooter(g: Any) -> int:
    """HEA-18: the player who took every card that costs points; NONE if nobody did."""
    everything = points_in(g.deck)
    for seat in range(SEATS):
        if everything > 0 and g.points[seat] == everything:
            return seat
    return NONE


@rule
def score(g: Any, seat: int) -> int:
    """The total of the rounds scored so far."""
    return g.scores[seat]


@rule
def result(g: Any, seat: int) -> float:
    """HEA-20: the lowest total wins; equal ones share the win."""
    equal = 0
    for other in range(SEATS):
        if g.scores[other] < g.scores[seat]:
            return 0.0
        equal += g.scores[other] == g.scores[seat]
    return 1.0 / equal


# Listing the moves


@rule
def legal_cards(g: Any) -> int:
    """The cards that may be passed on, or played."""
    hand = int(g.hands[g.to_act])
    return hand if g.phase == PASSING else playable(g, hand)


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Each legal card, in the way of the phase."""
    way = PASSES if g.phase == PASSING else 0
    rest = legal_cards(g)
    n = 0
    while rest:
        moves[n] = way + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """One of these at random, without listing them."""
    way = PASSES if g.phase == PASSING else 0
    cards = legal_cards(g)
    for _ in range(scale(word, count_bits(cards))):
        cards &= cards - 1
    return way + lowest(cards)
