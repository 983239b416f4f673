"""The rules of Knock, Knock! Dungeon!: setting up, turns, spells, the end.

From the rulebook; the rulings are in `docs/rulings.md`: among them what is looked at first (KKD-12,
KKD-15), what a laid Black Knight brings about (KKD-20), and how spells end (KKD-27 to KKD-29). How
the cards lie and how dangerous they are stands beside this file, in `fort`.
"""

from __future__ import annotations

from typing import Any

from theriac.engine.chance import scale
from theriac.engine.contract import NATURE, NOBODY
from theriac.engine.rows import holds, insert, remove
from theriac.engine.rule import rule
from theriac.games.dungeon.fort import (
    beside,
    card_at,
    card_in,
    cell_of,
    clear,
    danger_of,
    frame_u,
    frame_v,
    is_poisoned,
    is_standing,
    looks_the_same_turned,
    place_at,
    place_card,
    remove_card,
)
from theriac.games.dungeon.state import (
    ACTIONS,
    ALARM,
    ALL_SPELLS,
    AT_BOTTOM,
    CARD_ACTIONS,
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CAST_SILENCE,
    CODE,
    CORNERS,
    DRAWN,
    FIREBALL,
    FRAME,
    ICE,
    KINDS,
    LAID,
    LOST,
    MALFORMED,
    MIDDLE,
    MOST_CARDS,
    NONE,
    PILE,
    POISON,
    SEATS,
    SILENCE,
    SPELL_BOX,
    TIMEOUT,
    TOKENS,
    UNDECIDED,
    WHERES,
    WON,
)

# Setting up


@rule
def setup(g: Any, options: Any) -> None:
    """KKD-03 to KKD-06: the pile, the supply, the token, and who is dealt to first."""
    agree(g, options)
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
def agree(g: Any, options: Any) -> None:
    """Copy what was agreed before the game, and what the cards are."""
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
    """KKD-04."""
    if g.players == 1:
        return 6
    return 3 if g.players == 6 else 4


# Nature


@rule
def odds(g: Any, pile: int, card: int) -> int:
    """How many such cards are left in a pile. The spells not held are one when a spell is won."""
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
    if move == TIMEOUT:
        return 7 if g.minutes == 0 else 0
    if move == CAST_SILENCE:
        return refuse_silence(g)
    if move < 0 or move >= CAST_SILENCE:
        return 9
    code = move // CODE
    u = move // 128 % 128 - MIDDLE
    v = move % 128 - MIDDLE
    if code < CAST_FIREBALL:
        return refuse_card(g, code // 2, code % 2, u, v)
    return refuse_spell(g, code, card_at(g, u, v))


@rule
def refuse_card(g: Any, kind: int, turned: int, u: int, v: int) -> int:
    """KKD-09 to KKD-11, KKD-20."""
    if not holds(g.hands[g.to_act], g.sizes[g.to_act], kind):
        return 9
    if turned and looks_the_same_turned(g, kind):
        return 9
    if g.knight_is == DRAWN and kind != g.knight:
        return 20
    if card_at(g, u, v) != NONE:
        return 11
    return 0 if place_at(g, u, v) != NONE else 9


@rule
def refuse_spell(g: Any, code: int, i: int) -> int:
    """KKD-26 to KKD-29, KKD-31: a spell held, on a standing creature (card `i` of the fort)."""
    spell = min(code - CAST_FIREBALL, POISON)
    if (g.spells >> spell) & 1 == 0:
        return 26
    wrong = i == NONE or not is_standing(g, i)
    if spell == FIREBALL:
        return 27 if wrong or g.kinds[i] == g.knight else 0
    if spell == ICE:
        return 28 if wrong or g.frozen[i] else 0
    return 29 if wrong else 0


@rule
def refuse_silence(g: Any) -> int:
    """KKD-30: the sphere of silence needs silence."""
    if (g.spells >> SILENCE) & 1 == 0:
        return 26
    return 30 if g.talk else 0


# A turn


@rule
def play(g: Any, move: int) -> None:
    """Lay a card, cast a spell, or let the clock run out."""
    code = move // CODE
    u = move // 128 % 128 - MIDDLE
    v = move % 128 - MIDDLE
    if code < CAST_FIREBALL:
        lay(g, code // 2, code % 2, u, v)
    elif move == CAST_SILENCE:
        g.spells ^= 1 << SILENCE
        g.talk = 1  # KKD-30
    elif move == TIMEOUT:
        end(g, LOST, 23)
    elif code == CAST_FIREBALL:
        cast_fireball(g, card_at(g, u, v))
    elif code == CAST_ICE:
        cast_ice(g, card_at(g, u, v))
    else:
        cast_poison(g, card_at(g, u, v), code - CAST_POISON)


@rule
def lay(g: Any, kind: int, turned: int, u: int, v: int) -> None:
    """KKD-12 to KKD-20: tokens, the talk/silence mark, danger, the alarm, and a card drawn."""
    seat = g.to_act
    remove(g.hands[seat], g.sizes[seat], kind)
    g.sizes[seat] -= 1
    put_down(g, kind, turned, u, v)
    if g.outcome != UNDECIDED:
        return
    if g.silent[kind] and g.players > 1:  # KKD-06, KKD-13
        g.talk = 1 - g.talk
    look_around(g)
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
def look_around(g: Any) -> None:
    """KKD-14 to KKD-16: every card that the last one laid partly covers, corridors first."""
    new = cell_of(g, g.laid - 1)
    for corner in range(CORNERS):
        i = card_in(g, beside(new, corner))
        if i != NONE and not is_standing(g, i) and danger_of(g, i) >= ALARM:
            end(g, LOST, 15)
            return
    knight = False
    thawed = 0
    for corner in range(CORNERS):
        i = card_in(g, beside(new, corner))
        if i != NONE and is_standing(g, i):
            knight = knight or g.kinds[i] == g.knight
            thawed += fight(g, i)
    if knight or thawed > 0:
        fight_knight(g)


@rule
def fight(g: Any, i: int) -> int:
    """KKD-16: any creature but the Black Knight at 5 or less falls; 1 if it was frozen."""
    if g.kinds[i] == g.knight or danger_of(g, i) >= ALARM:
        return 0
    thawed = int(g.frozen[i])
    defeat(g, i)
    return thawed


@rule
def defeat(g: Any, i: int) -> None:
    """KKD-16: the tokens go back, and the card is an empty corridor from now on."""
    g.supply += g.tokens[i]
    g.tokens[i] = 0
    g.defeated[i] = 1
    g.frozen[i] = 0


@rule
def fight_knight(g: Any) -> None:
    """KKD-22, KKD-28: the Black Knight falls at 5 or less, unless another stands frozen."""
    knight = NONE
    for i in range(g.laid):
        if g.kinds[i] == g.knight:
            knight = i
        elif g.frozen[i]:
            return
    if knight != NONE and danger_of(g, knight) < ALARM:
        defeat(g, knight)
        win(g)


@rule
def sound_alarm(g: Any) -> None:
    """KKD-17: every creature laid in an earlier turn loses a token; the last one is the alarm."""
    lost = False
    for i in range(g.laid - 1):
        if g.tokens[i] > 0:
            g.tokens[i] -= 1
            g.supply += 1
            lost = lost or g.tokens[i] == 0
    if lost:
        end(g, LOST, 17)


@rule
def draw_after(g: Any, seat: int, kind: int) -> None:
    """KKD-18 to KKD-20: a card from the pile, the Black Knight last."""
    if g.players == 1 and g.silent[kind]:
        begin_turn(g, seat)  # KKD-19
    elif g.in_pile > 0:
        g.receiver = seat
        g.pile = PILE
        g.to_act = NATURE
    elif g.knight_is == AT_BOTTOM:
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


# Spells


@rule
def cast_fireball(g: Any, i: int) -> None:
    """KKD-27: the card leaves the fort, and with it a poison token on its corner."""
    g.spells ^= 1 << FIREBALL
    g.supply += g.tokens[i]
    for corner in range(CORNERS):
        if is_poisoned(g, cell_of(g, i), corner):
            g.poisoned_cell = NONE
            g.poisoned_corner = 0
    thawed = g.frozen[i]
    remove_card(g, i)
    if thawed:
        fight_knight(g)  # KKD-28


@rule
def cast_ice(g: Any, i: int) -> None:
    """KKD-28: the tokens go back, and the creature is frozen."""
    g.spells ^= 1 << ICE
    g.supply += g.tokens[i]
    g.tokens[i] = 0
    g.frozen[i] = 1


@rule
def cast_poison(g: Any, i: int, corner: int) -> None:
    """KKD-29: a corner counts 0 for both cards that share it, and creatures may fall."""
    g.spells ^= 1 << POISON
    g.poisoned_cell = cell_of(g, i)
    g.poisoned_corner = corner
    other = card_in(g, beside(cell_of(g, i), corner))
    knight = g.kinds[i] == g.knight
    thawed = fight(g, i)
    if other != NONE and is_standing(g, other):
        knight = knight or g.kinds[other] == g.knight
        thawed += fight(g, other)
    if knight or thawed > 0:
        fight_knight(g)


# The end


@rule
def win(g: Any) -> None:
    """KKD-22, KKD-24, KKD-26: the treasure; in the adventure a spell, if one is in the box."""
    if g.treasure:
        g.points = count_treasure(g)
    if g.level > 0 and g.spells != ALL_SPELLS:
        g.shuffles[SPELL_BOX] = 2
        g.pile = SPELL_BOX
        g.to_act = NATURE
    else:
        end(g, WON, 22)


@rule
def end(g: Any, outcome: int, clause: int) -> None:
    """The game is over."""
    g.outcome = outcome
    g.why = clause
    g.to_act = NOBODY


@rule
def count_treasure(g: Any) -> int:
    """KKD-24: the chests of the longest chain of cards with chests, of equal ones the most."""
    most_cards = 0
    most_chests = 0
    for i in range(g.laid):
        g.chain[i] = 0
    for start in range(g.laid):
        if g.chain[start] == 0 and g.chests[g.kinds[start]] > 0:
            cards, chests = walk_chain(g, start)
            if cards > most_cards or (cards == most_cards and chests > most_chests):
                most_cards = cards
                most_chests = chests
    return most_chests


@rule
def walk_chain(g: Any, start: int) -> tuple[int, int]:
    """The cards and the chests of the chain that a card belongs to.

    In ``g.chain`` a card is 1 while its neighbours are to be looked at, then 2.
    """
    cards = 0
    chests = 0
    waiting = 1
    g.chain[start] = 1
    while waiting > 0:
        for i in range(g.laid):
            if g.chain[i] == 1:
                g.chain[i] = 2
                waiting -= 1
                cards += 1
                chests += g.chests[g.kinds[i]]
                waiting += reach_neighbours(g, i)
    return cards, chests


@rule
def reach_neighbours(g: Any, i: int) -> int:
    """Mark the neighbours of a card that belong to its chain; how many are new?"""
    found = 0
    for corner in range(CORNERS):
        other = card_in(g, beside(cell_of(g, i), corner))
        if other != NONE and g.chain[other] == 0 and g.chests[g.kinds[other]] > 0:
            g.chain[other] = 1
            found += 1
    return found


@rule
def score(g: Any, seat: int) -> int:
    """KKD-24: the same for every seat."""
    return g.points


@rule
def result(g: Any, seat: int) -> float:
    """KKD-22: all win together or lose together."""
    return 1.0 / g.players if g.outcome == WON else 0.0


# Listing the moves


@rule
def move_to(code: int, u: int, v: int) -> int:
    """The number of a move."""
    return code * CODE + (int(u) + MIDDLE) * 128 + int(v) + MIDDLE


@rule
def is_playable(g: Any, slot: int) -> bool:
    """KKD-20: may this card of the hand be laid? Of several alike, the first is listed."""
    hand = g.hands[g.to_act]
    if g.knight_is == DRAWN:
        return hand[slot] == g.knight
    return slot == 0 or hand[slot] != hand[slot - 1]


@rule
def list_legal(g: Any, moves: Any) -> int:
    """Every playable card, turned in every way that differs, on every place; then spells."""
    n = 0
    for slot in range(g.sizes[g.to_act]):
        if is_playable(g, slot):
            kind = int(g.hands[g.to_act, slot])
            for turned in range(1 if looks_the_same_turned(g, kind) else 2):
                for k in range(g.places):
                    moves[n] = move_to(2 * kind + turned, g.place_us[k], g.place_vs[k])
                    n += 1
    return list_spells(g, moves, n) if g.spells > 0 else n


@rule
def list_spells(g: Any, moves: Any, n: int) -> int:
    """Every spell held on every creature it can be cast on, from place n of the list."""
    for code in range(CAST_FIREBALL, CAST_POISON + CORNERS):
        for i in range(g.laid):
            if refuse_spell(g, code, i) == 0:
                moves[n] = move_to(code, g.us[i], g.vs[i])
                n += 1
    if refuse_silence(g) == 0:
        moves[n] = CAST_SILENCE
        n += 1
    return n


@rule
def pick_legal(g: Any, moves: Any, word: int) -> int:
    """One of the moves without listing them all: most are one card on one of many places."""
    hand = g.hands[g.to_act]
    ways = 0
    for slot in range(g.sizes[g.to_act]):
        if is_playable(g, slot):
            ways += 1 if looks_the_same_turned(g, hand[slot]) else 2
    spells = list_spells(g, moves, 0) if g.spells > 0 else 0
    chosen = scale(word, ways * g.places + spells)
    if chosen >= ways * g.places:
        return moves[chosen - ways * g.places]
    way = chosen // g.places
    k = chosen % g.places
    slot = 0
    while True:
        if is_playable(g, slot):
            here = 1 if looks_the_same_turned(g, hand[slot]) else 2
            if way < here:
                return move_to(2 * int(hand[slot]) + way, g.place_us[k], g.place_vs[k])
            way -= here
        slot += 1


# Moves as actions, of which there are few enough for a mask


@rule
def action_of(g: Any, catalogue: Any, move: int) -> int:
    """A card of the hand, turned or not, at a place; or a spell on a card of the fort."""
    if move == CAST_SILENCE:
        return ACTIONS - 1
    code = move // CODE
    u = move // 128 % 128 - MIDDLE
    v = move % 128 - MIDDLE
    if code >= CAST_FIREBALL:
        return CARD_ACTIONS + (code - CAST_FIREBALL) * MOST_CARDS + card_at(g, u, v)
    slot = 0
    while g.hands[g.to_act, slot] != code // 2:
        slot += 1
    return (2 * slot + code % 2) * WHERES + where_is(g, u, v)


@rule
def where_is(g: Any, u: int, v: int) -> int:
    """A place counted in the frame around the middle of the fort; outside it, in the list."""
    row = u - frame_u(g)
    column = v - frame_v(g)
    if 0 <= row < FRAME and 0 <= column < FRAME:
        return row * FRAME + column
    return FRAME * FRAME + place_at(g, u, v)


@rule
def move_of(g: Any, catalogue: Any, action: int) -> int:
    """The move that an action stands for now; MALFORMED if there is none."""
    if action == ACTIONS - 1:
        return CAST_SILENCE
    if action >= CARD_ACTIONS:
        code = CAST_FIREBALL + (action - CARD_ACTIONS) // MOST_CARDS
        i = (action - CARD_ACTIONS) % MOST_CARDS
        return move_to(code, g.us[i], g.vs[i]) if i < g.laid else MALFORMED
    way = action // WHERES
    where = action % WHERES
    if g.to_act < 0 or way // 2 >= g.sizes[g.to_act]:
        return MALFORMED
    code = 2 * int(g.hands[g.to_act, way // 2]) + way % 2
    if where < FRAME * FRAME:
        return move_to(code, frame_u(g) + where // FRAME, frame_v(g) + where % FRAME)
    k = where - FRAME * FRAME
    return move_to(code, g.place_us[k], g.place_vs[k]) if k < g.places else MALFORMED
