"""The rules of Shokoba, clause by clause.

From the French and English rulebook, "Shokoba", 2 to 4 players or two teams of two. Where it is
silent, the rulings are: a SHOKOBA that reaches the target ends the game at once (SHO-21,
option `finish`); what a tie-break round is like (SHO-23); how an oversight is claimed (SHO-24).

The file follows a round: the deal, a turn, the end of a round, the end of the game. What a card
can capture is in `captures`; the list of legal moves is in `moves`.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rows import clear_row, copy_row, holds, insert, remove
from theriac.engine.rule import rule
from theriac.games.shokoba.captures import (
    can_capture,
    refuse_capture,
    value_of,
)
from theriac.games.shokoba.state import (
    BANG,
    BASE,
    CARDS,
    CLAIM,
    DIAMOND,
    EMERALD,
    FACE_UP,
    GEMS,
    HAND,
    MALFORMED,
    NINE,
    NO_SUCH_CARD,
    NONE,
    NOTHING,
    PASS,
    RUBY,
    SAPPHIRE,
    SEATS,
)

# The deal


@rule
def setup(g: Any, options: Any) -> None:
    """SHO-02, SHO-03, SHO-04: the players, the target, and who deals first."""
    g.players = options.players
    g.teams = options.teams
    g.target = options.target
    g.nine_cards = options.nine_cards
    g.exact_first = options.exact_first
    g.finish = options.finish
    g.oversights = options.oversights
    g.dealer = options.first
    g.rounds = 1
    g.tie_break = 0
    g.pile = 0
    g.shuffles[0] = 0
    for card in range(CARDS):
        g.deck[card] = options.deck[card]
    for seat in range(SEATS):
        g.gems[seat] = 0
        g.playing[seat] = seat < options.players
    begin_round(g)


@rule
def begin_round(g: Any) -> None:
    """SHO-05, SHO-08, SHO-25: one shuffle of all cards; hands, then four cards face up."""
    g.left = 0
    for card in range(CARDS):
        g.left += g.deck[card]
    copy_row(g.deck, g.pack)
    clear_row(g.seen)
    for seat in range(SEATS):
        g.sizes[seat] = 0
        g.captured[seat] = 0
        g.shokobas[seat] = 0
        for gem in range(GEMS):
            g.got[seat, gem] = 0
    g.on_table = 0
    g.row_size = 0
    g.laid = NONE
    g.last_capture = NONE
    g.shuffles[0] += 1
    deal_hands(g, NINE if g.nine_cards else HAND)
    g.to_open = FACE_UP


@rule
def deal_hands(g: Any, each: int) -> None:
    """SHO-05, SHO-06: `each` cards to every seat that plays this round, from the dealer's left."""
    g.to_deal = 0
    for seat in range(g.players):
        g.to_deal += each * g.playing[seat]
    g.to_open = 0
    g.receiver = left_of(g, g.dealer)
    g.to_act = NATURE


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise that plays in this round."""
    seat = 0 if seat + 1 == g.players else seat + 1
    while not g.playing[seat]:
        seat = 0 if seat + 1 == g.players else seat + 1
    return seat


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """Nature deals from the cards not yet dealt."""
    return g.pack[card]


@rule
def deal(g: Any, card: int) -> None:
    """SHO-05: one card, to a hand or face up on the table."""
    g.pack[card] -= 1
    g.left -= 1
    if g.to_deal > 0:
        g.to_deal -= 1
        insert(g.hands[g.receiver], g.sizes[g.receiver], card)
        g.sizes[g.receiver] += 1
        g.receiver = left_of(g, g.receiver)
    else:
        g.to_open -= 1
        show(g, card)
        enter_row(g, card)
    if g.to_deal == 0 and g.to_open == 0:
        g.to_act = left_of(g, g.dealer)  # SHO-07


@rule
def show(g: Any, card: int) -> None:
    """A card comes to lie face up on the table."""
    g.table[g.on_table] = card
    g.on_table += 1
    g.seen[card] += 1


@rule
def enter_row(g: Any, card: int) -> None:
    """A card on the table can be captured from now on."""
    insert(g.row, g.row_size, card)
    g.row_size += 1


# A turn


@rule
def refuse(g: Any, move: int) -> int:
    """One hand card, captured with, laid, or overlooked.

    SHO-09, SHO-10, SHO-11, SHO-12, SHO-13, SHO-24.
    """
    if g.to_act == NOBODY:
        return 21
    played = move % BASE if move >= 0 else (-1 - move) // 4
    if g.laid != NONE:
        if played != CLAIM and played != PASS:
            return 24
    elif played == CLAIM:
        return 24
    if move < 0:
        return refuse_fault(g, (-1 - move) % 4, played)
    if played == PASS:
        return 9 if g.laid == NONE or move != PASS else 0
    if played >= NOTHING:
        return 9
    if played == CLAIM:
        return refuse_capture(g, value_of(g.laid), move // BASE) if move >= BASE else 9
    if not in_hand(g, played):
        return 9
    return refuse_card(g, played, move // BASE)


@rule
def refuse_fault(g: Any, fault: int, played: int) -> int:
    """Of a text that names no move, the clause that comes first."""
    if fault == MALFORMED:
        return 9
    if fault == NO_SUCH_CARD:
        return 1
    if played < CARDS and not in_hand(g, played):
        return 9
    return 10  # TOO_MANY: they cannot add up to 10 or less


@rule
def refuse_card(g: Any, card: int, rest: int) -> int:
    """SHO-11, SHO-24: what can capture must, unless it is overlooked."""
    if rest == 0:
        return 11 if can_capture(g, card) else 0
    if rest == BANG:
        if not g.oversights:
            return 11
        return 0 if can_capture(g, card) else 24
    return refuse_capture(g, value_of(card), rest)


@rule
def in_hand(g: Any, card: int) -> bool:
    """Does the player to act hold the card?"""
    return holds(g.hands[g.to_act], g.sizes[g.to_act], card)


@rule
def play(g: Any, move: int) -> None:
    """SHO-09, SHO-14: capture, lay, or lay what the next player may claim."""
    seat = g.to_act
    played = move % BASE
    rest = move // BASE
    if played >= CLAIM:
        settle_claim(g, seat, rest)
        if g.to_act != NOBODY:
            deal_or_end_round(g)
        return
    remove(g.hands[seat], g.sizes[seat], played)
    g.sizes[seat] -= 1
    if rest == 0:
        show(g, played)
        enter_row(g, played)
    elif rest == BANG:
        show(g, played)
        g.laid = played
    else:
        g.seen[played] += 1
        capture(g, seat, played, rest)
    if g.to_act != NOBODY:
        g.to_act = left_of(g, seat)
        if g.laid == NONE:
            deal_or_end_round(g)


@rule
def settle_claim(g: Any, seat: int, cards: int) -> None:
    """SHO-24: the next player takes what was overlooked, or (no cards) declines."""
    laid = g.laid
    g.laid = NONE
    if cards == 0:
        enter_row(g, laid)
    else:
        g.on_table -= 1  # the laid card, the last on the table
        capture(g, seat, laid, cards)


@rule
def capture(g: Any, seat: int, card: int, cards: int) -> None:
    """SHO-10: the captured cards and the card itself go to the player's pile."""
    collect(g, seat, card)
    while cards > 0:
        captured = cards % BASE - 1
        cards //= BASE
        remove(g.row, g.row_size, captured)
        g.row_size -= 1
        remove(g.table, g.on_table, captured)
        g.on_table -= 1
        collect(g, seat, captured)
    g.last_capture = seat
    if g.on_table == 0:
        shokoba(g, seat)


@rule
def collect(g: Any, seat: int, card: int) -> None:
    """SHO-02, SHO-16: one card to a seat's pile; partners have one pile."""
    side = side_of(g, seat)
    g.captured[side] += 1
    g.got[side, card & 3] += 1


@rule
def side_of(g: Any, seat: int) -> int:
    """SHO-02: in teams, partners sit opposite each other and count together."""
    return seat & 1 if g.teams else seat


@rule
def shokoba(g: Any, seat: int) -> None:
    """SHO-15, SHO-18, SHO-21: a gem at once, and the game if that is enough."""
    side = side_of(g, seat)
    g.shokobas[seat] += 1
    g.gems[side] += 1
    if g.gems[side] >= g.target and not g.finish and not g.tie_break:
        g.to_act = NOBODY


@rule
def deal_or_end_round(g: Any) -> None:
    """SHO-06, SHO-17: with all hands empty new ones are dealt, or the round ends."""
    if g.sizes[g.to_act] == 0:
        if g.left > 0:
            deal_hands(g, HAND)
        else:
            end_round(g)


# The end of a round


@rule
def end_round(g: Any) -> None:
    """SHO-17, SHO-19: the rest goes to the last to have captured; the piles are scored."""
    collect_leftovers(g)
    for side in range(SEATS):
        g.gems[side] += round_gems(g.got, g.captured, side)
    end_game_or_next_round(g)


@rule
def collect_leftovers(g: Any) -> None:
    """SHO-17: what is left on the table goes to the last to have captured, if anybody has."""
    if g.last_capture != NONE:
        for i in range(g.on_table):
            collect(g, g.last_capture, g.table[i])
        g.on_table = 0
        g.row_size = 0


@rule
def round_gems(got: Any, captured: Any, side: int) -> int:
    """SHO-19: one each for the diamond, and for the most of each other gem and of all cards.

    A test holds the rulebook's example, SHO-20.
    """
    gems = int(got[side, DIAMOND] > 0)
    gems += int(has_most_of(got, EMERALD, side))
    gems += int(has_most_of(got, RUBY, side))
    gems += int(has_most_of(got, SAPPHIRE, side))
    most = 1
    for other in range(SEATS):
        if other != side and captured[other] >= captured[side]:
            most = 0
    return gems + most


@rule
def has_most_of(got: Any, gem: int, side: int) -> bool:
    """More cards of this gem than every other side."""
    for other in range(SEATS):
        if other != side and got[other, gem] >= got[side, gem]:
            return False
    return True


# The end of the game


@rule
def end_game_or_next_round(g: Any) -> None:
    """SHO-21, SHO-22, SHO-23: enough gems and one ahead, a tie-break, or the next round."""
    most = most_gems(g)
    if not g.tie_break and most < g.target:
        next_round(g)
        return
    leaders = 0
    for side in range(SEATS):
        leaders += g.gems[side] == most
    if leaders == 1:
        g.to_act = NOBODY
        return
    g.tie_break = 1
    for seat in range(g.players):
        g.playing[seat] = g.gems[side_of(g, seat)] == most
    next_round(g)


@rule
def most_gems(g: Any) -> int:
    """The most gems that any side has."""
    most = g.gems[0]
    for side in range(SEATS):
        most = max(most, g.gems[side])
    return most


@rule
def next_round(g: Any) -> None:
    """SHO-04, SHO-23: the next to the left, of those who play, deals."""
    g.rounds += 1
    g.dealer = left_of(g, g.dealer)
    begin_round(g)


@rule
def silence(v: Any) -> int:
    """SHO-02: partners may not communicate, so nobody talks while a game in teams is played."""
    return 2 if v.teams else 0


@rule
def score(g: Any, seat: int) -> int:
    """Gems; partners show their team's."""
    return g.gems[side_of(g, seat)]


@rule
def result(g: Any, seat: int) -> float:
    """SHO-21, SHO-22: the most gems win; partners share the win."""
    if score(g, seat) < most_gems(g):
        return 0.0
    return 0.5 if g.teams else 1.0
