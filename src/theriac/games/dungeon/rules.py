"""The rules of Knock, Knock! Dungeon!: setting up, dealing, what may be done, a turn.

From the rulebook; the rulings are in `rulings.md`: among them what is checked first (KKD-12,
KKD-15), what a laid Black Knight brings about (KKD-20), and how spells end (KKD-27, KKD-28,
KKD-29).

The other rules of the game are in these files:

- `fort`: how the cards lie, and how dangerous they are;
- `creatures`: what falls and what sounds the alarm;
- `spells`: when they may be cast, and what they do;
- `ending`: winning, the treasure, the result;
- `view`: what a seat may know;
- `options`: the cards, and the options checked together with them;
- `moves`: the list of legal moves, and moves as the actions of a mask;
- `adventure`: four forts in a row.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rows import holds, insert, remove
from theriac.engine.rule import rule
from theriac.games.dungeon.creatures import check_covered, sound_alarm
from theriac.games.dungeon.ending import end
from theriac.games.dungeon.fort import card_at, clear, looks_the_same_turned, place_at, place_card
from theriac.games.dungeon.spells import (
    cast,
    cast_silence,
    refuse_silence,
    refuse_spell,
)
from theriac.games.dungeon.state import (
    AT_BOTTOM,
    CAST_FIREBALL,
    CAST_SILENCE,
    CODE_UNIT,
    CORNERS,
    DRAWN,
    KINDS,
    LAID,
    LOST,
    MIDDLE,
    NONE,
    PILE,
    SEATS,
    SPAN,
    SPELL_BOX,
    TIMEOUT,
    TOKENS,
    UNDECIDED,
    WON,
)

# Setting up


@rule
def setup(g: Any, options: Any) -> None:
    """KKD-01, KKD-03, KKD-04, KKD-06: the supply, the pile, the first player, the token."""
    copy_options(g, options)
    g.rounds = 1
    g.supply = TOKENS
    g.talk = 1
    g.spells = options.spells
    g.knight_is = AT_BOTTOM
    g.outcome = UNDECIDED
    g.why = 0
    g.points = 0
    g.poisoned_cell = NONE
    g.poisoned_corner = 0
    clear(g)
    for seat in range(SEATS):
        g.sizes[seat] = 0
    g.in_pile = 0
    for kind in range(KINDS):
        g.burnt[kind] = 0
        g.undealt[kind] = options.deck[kind]
        g.in_pile += options.deck[kind]
    g.to_deal = g.players * hand_size(g) + 1
    g.receiver = options.first
    g.shuffles[PILE] = 1
    g.shuffles[SPELL_BOX] = 0
    g.pile = PILE
    g.to_act = NATURE


@rule
def copy_options(g: Any, options: Any) -> None:
    """Copy the options: what was agreed before the game, and what the cards are."""
    g.players = options.players
    g.treasure = options.treasure
    g.minutes = options.minutes
    g.level = options.level
    g.knight = options.knight
    for kind in range(KINDS):
        g.creature[kind] = options.creature[kind]
        g.silent[kind] = options.silent[kind]
        g.chests[kind] = options.chests[kind]
        g.deck[kind] = options.deck[kind]
        for corner in range(CORNERS):
            g.corners[kind, corner] = options.corners[kind, corner]


@rule
def hand_size(g: Any) -> int:
    """KKD-04: 6 cards alone, 3 with six players, else 4."""
    if g.players == 1:
        return 6
    return 3 if g.players == 6 else 4


# Nature


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """KKD-33: the number of such cards left. When a spell is won, those not held are a pile."""
    if card < KINDS:
        return g.undealt[card] if pile == PILE else 0
    drawing = pile == SPELL_BOX and g.pile == SPELL_BOX and g.to_act == NATURE
    return int(drawing and (g.spells >> (card - KINDS)) & 1 == 0)


@rule
def deal(g: Any, card: int) -> None:
    """Nature's card: for a hand, for the fort, or a spell that was won."""
    if g.pile == SPELL_BOX:
        g.spells |= 1 << (card - KINDS)  # KKD-26
        end(g, WON, 22)
        return
    g.undealt[card] -= 1
    g.in_pile -= 1
    if g.to_deal == 1:
        begin_fort(g, card)
        return
    take(g, g.receiver, card)
    if g.to_deal > 1:  # KKD-04
        g.to_deal -= 1
        g.receiver = left_of(g, g.receiver)
    else:
        begin_turn(g, left_of(g, g.receiver))


@rule
def begin_fort(g: Any, card: int) -> None:
    """KKD-05: the next card lies at 0,0."""
    g.to_deal = 0
    g.to_act = g.receiver
    put_down(g, card, 0, 0, 0)


@rule
def take(g: Any, seat: int, card: int) -> None:
    """A card goes into a hand."""
    insert(g.hands[seat], g.sizes[seat], card)
    g.sizes[seat] += 1


@rule
def left_of(g: Any, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 == g.players else seat + 1


# What may be done


@rule
def refuse(g: Any, move: int) -> int:
    """A card of the hand on a free place that touches the fort, a spell, or the clock's move."""
    if g.to_act == NOBODY:
        return g.why
    if move == TIMEOUT:  # KKD-07
        return 7 if g.minutes == 0 else 0
    if move == CAST_SILENCE:
        return refuse_silence(g)
    if move < 0 or move >= CAST_SILENCE:
        return 9
    code = move // CODE_UNIT
    u = move // SPAN % SPAN - MIDDLE
    v = move % SPAN - MIDDLE
    if code < CAST_FIREBALL:
        return refuse_card(g, code // 2, code % 2, u, v)
    return refuse_spell(g, code, card_at(g, u, v))


@rule
def refuse_card(g: Any, kind: int, turned: int, u: int, v: int) -> int:
    """KKD-09, KKD-10, KKD-11, KKD-20: a card in hand, on a free place that touches the fort."""
    if not holds(g.hands[g.to_act], g.sizes[g.to_act], kind):
        return 9
    if turned and looks_the_same_turned(g, kind):  # KKD-10
        return 9
    if g.knight_is == DRAWN and kind != g.knight:  # KKD-20
        return 20
    if card_at(g, u, v) != NONE:
        return 11
    return 0 if place_at(g, u, v) != NONE else 9


# A turn


@rule
def play(g: Any, move: int) -> None:
    """Lay a card, cast a spell, or let the clock run out."""
    code = move // CODE_UNIT
    u = move // SPAN % SPAN - MIDDLE
    v = move % SPAN - MIDDLE
    if code < CAST_FIREBALL:
        lay(g, code // 2, code % 2, u, v)
    elif move == TIMEOUT:
        end(g, LOST, 23)
    elif move == CAST_SILENCE:
        cast_silence(g)
    else:
        cast(g, code, card_at(g, u, v))


@rule
def lay(g: Any, kind: int, turned: int, u: int, v: int) -> None:
    """A turn: tokens, the talk/silence mark, danger, the alarm, and a card drawn.

    KKD-09, KKD-12, KKD-13, KKD-14, KKD-15, KKD-16, KKD-17, KKD-18, KKD-19, KKD-20.
    """
    seat = g.to_act
    remove(g.hands[seat], g.sizes[seat], kind)
    g.sizes[seat] -= 1
    put_down(g, kind, turned, u, v)
    if g.outcome != UNDECIDED:
        return
    if g.silent[kind] and g.players > 1:  # KKD-06, KKD-13
        g.talk = 1 - g.talk
    check_covered(g)
    if g.outcome != UNDECIDED or g.to_act == NATURE:
        return
    if kind == g.knight:  # KKD-20
        begin_turn(g, left_of(g, seat))
        return
    sound_alarm(g)
    if g.outcome == UNDECIDED:
        draw_after(g, seat, kind)


@rule
def put_down(g: Any, kind: int, turned: int, u: int, v: int) -> None:
    """KKD-12: a card comes to lie in the fort; a creature gets its tokens or the game is lost."""
    i = g.laid
    g.kinds[i] = kind
    g.turned[i] = turned
    g.us[i] = u
    g.vs[i] = v
    g.tokens[i] = 0
    g.defeated[i] = 0
    g.frozen[i] = 0
    g.laid += 1
    place_card(g, i)
    if kind == g.knight:
        g.knight_is = LAID
    if g.creature[kind] > g.supply:
        end(g, LOST, 12)
    else:
        g.tokens[i] = g.creature[kind]
        g.supply -= g.creature[kind]


@rule
def draw_after(g: Any, seat: int, kind: int) -> None:
    """KKD-18, KKD-19, KKD-20: a card from the pile, the Black Knight last."""
    if g.players == 1 and g.silent[kind]:
        begin_turn(g, seat)  # KKD-19
    elif g.in_pile > 0:
        g.receiver = seat
        g.pile = PILE
        g.to_act = NATURE
    elif g.knight_is == AT_BOTTOM:  # KKD-20
        g.knight_is = DRAWN
        take(g, seat, g.knight)
    else:
        begin_turn(g, left_of(g, seat))


@rule
def begin_turn(g: Any, seat: int) -> None:
    """KKD-21: players without cards are skipped; without any cards the game is lost."""
    for _ in range(g.players):
        if g.sizes[seat] > 0:
            g.to_act = seat
            return
        seat = left_of(g, seat)
    end(g, LOST, 21)


# Talk and time


@rule
def silence(v: Any) -> int:
    """KKD-13: while the token shows silence, nobody talks."""
    return 0 if v.talk else 13


@rule
def time_limit(options: Any) -> int:
    """KKD-07: the minutes that were agreed, in seconds."""
    return 60 * int(options.minutes)  # a field of 16 bits cannot hold the seconds of a day


@rule
def round_count(options: Any) -> int:
    """A game is one fort, and has no rounds."""
    return 1


@rule
def clock_move() -> int:
    """KKD-07, KKD-23: when the time is up, the game is lost."""
    return TIMEOUT
