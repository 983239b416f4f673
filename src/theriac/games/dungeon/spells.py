"""Knock, Knock! Dungeon!: the four spells: when they may be cast, and what they do.

Rulings say how they end (KKD-27, KKD-28, KKD-29).
"""

from __future__ import annotations

from typing import Any

from theriac.engine.rule import rule
from theriac.games.dungeon.creatures import fight, fight_knight
from theriac.games.dungeon.fort import (
    beside,
    card_in,
    cell_of,
    is_poisoned,
    is_standing,
    remove_card,
)
from theriac.games.dungeon.state import (
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CAST_SILENCE,
    CODE_UNIT,
    CORNERS,
    FIREBALL,
    ICE,
    NONE,
    POISON,
    SILENCE,
)

# What may be cast


@rule
def refuse_spell(g: Any, code: int, i: int) -> int:
    """A spell that is held, on a standing creature (card `i` of the fort).

    KKD-26, KKD-27, KKD-28, KKD-29, KKD-31.
    """
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


@rule
def out_of_turn(g: Any, move: int) -> bool:
    """KKD-31: any player may cast a spell, at any time."""
    return CAST_FIREBALL * CODE_UNIT <= move <= CAST_SILENCE


# Casting


@rule
def cast(g: Any, code: int, i: int) -> None:
    """A spell on card `i` of the fort."""
    if code == CAST_FIREBALL:
        cast_fireball(g, i)
    elif code == CAST_ICE:
        cast_ice(g, i)
    else:
        cast_poison(g, i, code - CAST_POISON)


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


@rule
def cast_silence(g: Any) -> None:
    """KKD-30: the players may talk."""
    g.spells ^= 1 << SILENCE
    g.talk = 1
