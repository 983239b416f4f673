"""The rules of Shock! Knights & Poisons and of its original edition: the rounds and the tricks.

From the rulebooks of both. They share most clauses; where they differ, ``g.edition`` decides. The
rulings are in `rulings.md`: among them which cards are poisons and potions (SHK-02), how hands
are dealt (SHK-08), and that the end of a round is checked only after a trick (SHK-38).

The other rules are in `deal` (how a round is dealt), `poisons` (what a trick brings its winner:
poisons, potions, the chest or the door) and `moves` (listing the moves).
"""

from __future__ import annotations

from typing import Any, Final

from theriac.engine.bits import bit
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rule import rule
from theriac.games.shock.deal import (
    begin_round,
    begin_trick,
    deal_number,
    left_of,
    read_options,
)
from theriac.games.shock.poisons import (
    begin_challenge,
    check_shocks,
    cover,
    lay_forced_potions,
    put_in_front,
    refuse_cure,
    reveal,
)
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CHALLENGE,
    CHEST,
    CHEST_KINDS,
    CURE,
    CURES,
    DOORS_TO_LOSE,
    DUNGEON,
    FACE_DOWN,
    KEEP,
    MOVES,
    NO_SUCH_CURE,
    NONE,
    NUMBERS,
    OPEN,
    OUT_MOVES,
    PILES,
    RANKS,
    ROUNDS,
    SEATS,
    SOBA,
    STOP,
    WHOLE_SUIT,
    WITHDRAW_MOVES,
)

# The steps that follow a card or an answer, in this order: potions are laid, shocks take effect,
# the trick ends, the round ends, the next round begins. Each step returns the next one.
NOTHING: Final = 0
POTIONS: Final = 1
EFFECT: Final = 2
TRICK_OVER: Final = 3
ROUND_OVER: Final = 4
NEW_ROUND: Final = 5

# Setting up


@rule
def setup(g: Any, options: Any) -> None:
    """SHK-07, SHK-10, SHK-11: the cards in the game, the players, and who leads first."""
    read_options(g, options)
    g.rounds = 0
    g.lost_door = NONE
    g.seen = 0
    for kind in range(CHEST_KINDS):
        g.chest_seen[kind] = 0
    for kind in range(SOBA):
        g.door_odds[kind] = 0.0
    for pile in range(PILES):
        g.shuffles[pile] = 0
    for seat in range(SEATS):
        g.bags[seat] = 0
        g.hands[seat] = 0
        g.sizes[seat] = 0
        g.voids[seat] = 0
        g.buried[seat] = 0
    begin_round(g, options.first)


# Nature


@rule
def deal(g: Any, card: int) -> None:
    """Nature's card: a number card, a card of the chest or a door, or the door that is lost."""
    then = NOTHING
    if g.pile == DUNGEON:
        deal_number(g, card)
    elif g.pile == CHEST:
        reveal(g, card - NUMBERS)
        if g.to_act == NATURE:
            then = TRICK_OVER
    else:
        g.lost_door = card - NUMBERS  # SHK-44
        then = NEW_ROUND
    if then >= TRICK_OVER:
        take_last_steps(g, then)


@rule
def next_in(g: Any, seat: int) -> int:
    """The next seat clockwise still in the round: this one if nobody else is, NONE if nobody."""
    for _ in range(g.players):
        seat = left_of(g, seat)
        if g.in_round[seat]:
            return seat
    return NONE


@rule
def count_in(g: Any) -> int:
    """The number of players still in the round. A seat without a player never is."""
    n = 0
    for seat in range(SEATS):
        n += g.in_round[seat]
    return n


# A trick


@rule
def refuse(g: Any, move: int) -> int:
    """Each phase accepts its own moves; when the game is over, none is legal."""
    if g.to_act == NOBODY:
        return 45
    if g.phase == CHALLENGE:
        return 0 if move in (OPEN, STOP) else 27
    if move in (OPEN, STOP):
        return 32 if g.edition == ANAPHYLAXIS else 27
    if g.phase == CURE:
        return refuse_cure(g, move)
    if CURES <= move <= KEEP or move == NO_SUCH_CURE:
        return 25
    if move < 0 or move >= MOVES:
        return 12
    return refuse_card(g, way_of(move), move - way_of(move))


@rule
def refuse_card(g: Any, way: int, card: int) -> int:
    """SHK-12, SHK-13, SHK-33, SHK-34: a hand card, face up while in, else face down."""
    seat = g.to_act
    if not (g.hands[seat] >> card) & 1:
        return 12
    if not g.in_round[seat]:
        return 0 if way == OUT_MOVES else 33 if way == WITHDRAW_MOVES else 34
    if way == OUT_MOVES:
        return 33
    if way == WITHDRAW_MOVES or may_play(g, card):
        return 0
    return 13


@rule
def may_play(g: Any, card: int) -> bool:
    """SHK-13: follow the lead suit if you can."""
    return g.lead_suit == NONE or suit_of(card) == g.lead_suit or not can_follow(g)


@rule
def can_follow(g: Any) -> bool:
    """Does the player to act hold a card of the lead suit?"""
    return g.hands[g.to_act] & all_of(g.lead_suit) != 0


@rule
def suit_of(card: int) -> int:
    """Hearts, spades, diamonds, clubs."""
    return int(card) // RANKS


@rule
def all_of(suit: int) -> int:
    """The cards of a suit."""
    return WHOLE_SUIT << int(RANKS * suit)


@rule
def play(g: Any, move: int) -> None:
    """Carry out a move, and all steps that follow from it."""
    then = answer(g, move)
    if then != NOTHING:
        take_steps(g, then)


@rule
def take_steps(g: Any, then: int) -> None:
    """Take the steps from `then` on, until a player or nature is to act."""
    if then == POTIONS:
        then = lay_potions(g)
    if then == EFFECT:
        then = resolve_trick(g)
    if then >= TRICK_OVER:
        take_last_steps(g, then)


@rule
def answer(g: Any, move: int) -> int:
    """Carry out a move; returns the next step."""
    if g.phase == CHALLENGE:
        if move != OPEN:
            return TRICK_OVER
        ask_nature(g)
        return NOTHING
    if g.phase == CURE:
        if move == KEEP:
            return EFFECT
        cover(g, g.to_act, move - CURES)
        return POTIONS
    return play_card(g, way_of(move), move - way_of(move))


@rule
def way_of(move: int) -> int:
    """How a card is played: 0 (face up), OUT_MOVES or WITHDRAW_MOVES. The rest is the card."""
    if move >= WITHDRAW_MOVES:
        return WITHDRAW_MOVES
    return OUT_MOVES if move >= OUT_MOVES else 0


@rule
def play_card(g: Any, way: int, card: int) -> int:
    """SHK-12, SHK-33, SHK-34: one card goes into the trick; returns the next step."""
    seat = g.to_act
    g.hands[seat] &= ~bit(card)
    g.sizes[seat] -= 1
    g.trick_seats[g.in_trick] = seat
    if way == WITHDRAW_MOVES:
        withdraw(g, seat)
    if g.in_round[seat]:
        lay_face_up(g, seat, card)
    else:
        lay_face_down(g, seat, card)
    g.in_trick += 1
    if not g.in_round[seat] and count_in(g) == 0:
        g.in_trick = 0
        return ROUND_OVER  # SHK-36; while one is in, the trick is completed: SHK-37
    if g.in_trick == g.players:
        win_trick(g)
        return POTIONS
    g.to_act = left_of(g, seat)
    return NOTHING


@rule
def lay_face_up(g: Any, seat: int, card: int) -> None:
    """SHK-12, SHK-14: the first card face up sets the suit; some get a jewel."""
    place = g.in_trick
    g.trick_cards[place] = card
    g.trick_jewels[place] = (g.with_jewel >> card) & 1
    g.seen |= bit(card)
    g.shown[seat] |= bit(card)
    if g.lead_suit == NONE:
        g.lead_suit = suit_of(card)
    elif suit_of(card) != g.lead_suit:
        g.voids[seat] |= 1 << g.lead_suit


@rule
def lay_face_down(g: Any, seat: int, card: int) -> None:
    """SHK-34: it counts for nothing but brings a jewel, with three players two."""
    place = g.in_trick
    g.trick_cards[place] = FACE_DOWN
    g.trick_jewels[place] = 2 if g.players == 3 else 1
    g.buried[seat] |= bit(card)
    g.down[seat] += 1


@rule
def withdraw(g: Any, seat: int) -> None:
    """SHK-33, SHK-35: the jewels go inside the bag; a leader hands the lead on."""
    g.bags[seat] += g.on_bag[seat]
    g.on_bag[seat] = 0
    g.in_round[seat] = 0
    if g.leader == seat:
        g.leader = next_in(g, seat)


# After a trick


@rule
def win_trick(g: Any) -> None:
    """SHK-15, SHK-16, SHK-17: the winner takes the jewels, the poisons and the potions."""
    best = best_of_trick(g)
    winner = g.trick_seats[best]
    g.last_winner = winner
    jewels = 0
    for i in range(g.in_trick):
        jewels += g.trick_jewels[i]
    g.on_bag[winner] += jewels
    put_in_front(g, winner)
    g.in_trick = 0


@rule
def best_of_trick(g: Any) -> int:
    """SHK-15: the place in the trick of the highest trump, else of the highest of the suit led."""
    best = NONE
    most = -1
    for i in range(g.in_trick):
        if g.trick_cards[i] != FACE_DOWN:
            card = g.trick_cards[i]
            worth = -1
            if suit_of(card) == suit_of(g.trump):
                worth = RANKS + card % RANKS
            elif suit_of(card) == g.lead_suit:
                worth = card % RANKS
            if worth > most:
                most = worth
                best = i
    return best


@rule
def lay_potions(g: Any) -> int:
    """SHK-24, SHK-25, SHK-26: potions are laid; the winner chooses where there is a choice."""
    if lay_forced_potions(g, g.last_winner):
        g.phase = CURE
        g.to_act = g.last_winner
        return NOTHING
    return EFFECT


@rule
def resolve_trick(g: Any) -> int:
    """SHK-24, SHK-27, SHK-32: then the winner may be shocked; then the chest, or the door."""
    check_shocks(g, g.last_winner)
    if begin_challenge(g):
        ask_nature(g)
        return NOTHING
    return TRICK_OVER


@rule
def ask_nature(g: Any) -> None:
    """Nature reveals the next card of the chest, or the next door."""
    g.pile = CHEST
    g.to_act = NATURE


@rule
def take_last_steps(g: Any, then: int) -> None:
    """Take the steps from TRICK_OVER on: the next trick, the next round, or the end of the game."""
    if then == TRICK_OVER:
        then = end_trick(g)
    if then == ROUND_OVER:
        then = end_round(g)
    if then == NEW_ROUND:
        begin_round(g, g.first_leader)


@rule
def end_trick(g: Any) -> int:
    """SHK-18, SHK-38: the next trick, or the end of the round."""
    if count_in(g) <= 1 or g.sizes[g.last_winner] == 0:
        return ROUND_OVER
    winner_in = g.in_round[g.last_winner]
    begin_trick(g, g.last_winner if winner_in else next_in(g, g.last_winner))
    return NOTHING


# The end of a round


@rule
def end_round(g: Any) -> int:
    """SHK-38: players who are still in store their jewels; then the next round, or the end."""
    leader = next_leader(g)
    for seat in range(g.players):
        if g.in_round[seat]:
            g.bags[seat] += g.on_bag[seat]
        g.on_bag[seat] = 0
    if g.rounds == ROUNDS:
        g.leader = NONE
        g.to_act = NOBODY
        return NOTHING
    if g.simplified:
        for seat in range(g.players):  # SHK-41
            g.hands[seat] = 0
            g.sizes[seat] = 0
    g.first_leader = leader
    if g.edition == ANAPHYLAXIS and g.rounds == 2:
        lose_door(g)
        return NOTHING
    return NEW_ROUND


@rule
def round_count(options: Any) -> int:
    """SHK-10: five rounds."""
    return ROUNDS


@rule
def next_leader(g: Any) -> int:
    """SHK-42, SHK-43: who leads the next round."""
    if g.edition == ANAPHYLAXIS and count_in(g) == 1:
        return next_in(g, 0)
    return g.first_leader if g.last_winner == NONE else g.last_winner


@rule
def lose_door(g: Any) -> None:
    """SHK-44: of three door cards, one of each poison, one unseen is out from now on."""
    g.shuffles[DOORS_TO_LOSE] = max(g.shuffles[DUNGEON], g.shuffles[CHEST]) + 1
    g.pile = DOORS_TO_LOSE
    g.to_act = NATURE


@rule
def score(g: Any, seat: int) -> int:
    """The jewels inside the bag."""
    return g.bags[seat]


@rule
def result(g: Any, seat: int) -> float:
    """SHK-45: the most jewels in the bag win; ties share the win."""
    equal = 0
    for other in range(g.players):
        if g.bags[other] > g.bags[seat]:
            return 0.0
        equal += g.bags[other] == g.bags[seat]
    return 1.0 / equal
