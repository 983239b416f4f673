"""Knock, Knock! Dungeon!: listing the legal moves, and moves as actions for a mask."""

from __future__ import annotations

from typing import Any

from theriac.engine.chance import scale
from theriac.engine.rule import rule
from theriac.games.dungeon.fort import (
    card_at,
    frame_u,
    frame_v,
    in_frame,
    looks_the_same_turned,
    place_at,
)
from theriac.games.dungeon.spells import refuse_silence, refuse_spell
from theriac.games.dungeon.state import (
    ACTIONS,
    CARD_ACTIONS,
    CAST_FIREBALL,
    CAST_POISON,
    CAST_SILENCE,
    CODE_UNIT,
    CORNERS,
    DRAWN,
    FRAME,
    MALFORMED,
    MIDDLE,
    MOST_CARDS,
    NONE,
    SPAN,
    WHERES,
)

# Listing


@rule
def move_to(code: int, u: int, v: int) -> int:
    """The number of a move."""
    return code * CODE_UNIT + (int(u) + MIDDLE) * SPAN + int(v) + MIDDLE


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
    code = move // CODE_UNIT
    u = move // SPAN % SPAN - MIDDLE
    v = move % SPAN - MIDDLE
    if code >= CAST_FIREBALL:
        return CARD_ACTIONS + (code - CAST_FIREBALL) * MOST_CARDS + card_at(g, u, v)
    slot = 0
    while g.hands[g.to_act, slot] != code // 2:
        slot += 1
    return (2 * slot + code % 2) * WHERES + where_is(g, u, v)


@rule
def where_is(g: Any, u: int, v: int) -> int:
    """A place counted in the frame around the middle of the fort; outside it, in the list."""
    n = in_frame(g, u, v)
    return n if n != NONE else FRAME * FRAME + place_at(g, u, v)


@rule
def move_of(g: Any, catalogue: Any, action: int) -> int:
    """The move that an action represents now; MALFORMED if there is none."""
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
