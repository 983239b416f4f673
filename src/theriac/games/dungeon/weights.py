"""Knock, Knock! Dungeon!: what the bots' heuristics weigh, and how much.

The numbers were found by CMA-ES (Hansen and Ostermeier, 2001), which maximized the share of forts
won by `greedy` over games of one to six players at several levels. LOST, WON and SPELL were set by
hand.
"""

from __future__ import annotations

from typing import Final

#: What a move is worth that loses the game, and one that wins it.
LOST: Final = -1000.0
WON: Final = 1000.0

#: An open corner that a number up to 0, 1, 2, ... may cover without the alarm.
ROOM: Final = (-0.01, 0.15, 0.56, 0.81, 1.21, 0.11)

# Standing creatures.

#: Each point of danger above what is harmless; the Black Knight's.
NEED: Final = -1.26
KNIGHT_NEED: Final = -2.43
#: A creature that the team can only just bring down in time, and one that it cannot.
NO_TURN_TO_SPARE: Final = -8.22
HOPELESS: Final = -47.43
KNIGHT_HOPELESS: Final = -121.25
#: Each card that creatures need and that comes too late for one of them.
TOO_LATE: Final = -48.87
DEFEAT: Final = 7.8

# Laying a creature.

#: By the danger to be taken from it: 1, 2, 3, ...
LAY_BY_NEED: Final = (0.33, -6.41, -3.38, -4.37, -2.78, -1.02)
#: By the creatures in hand: 1, 2, 3, ...
LAY_BY_HELD: Final = (1.58, 22.74, 6.96, 2.25, -2.41, 6.72)
#: When at most 1 or 3 cards are left above the Black Knight.
LAY_LAST: Final = -63.28
LAY_LATE: Final = -4.18
#: A free place beside it that also touches corridors, where only 0, 1 or more may be laid.
ACCESS: Final = (-3.81, -1.39, -0.97)

# Parting with a corridor.

#: By its corners of 0.
ZEROS: Final = (0.0, -0.14, -1.94, -1.94, -8.93)
#: By the corridors with a 0 in hand: 1, 2, 3 or more.
ZERO_OF: Final = (-21.89, -1.03, -1.27)
#: A corridor with a 0, for each creature in hand.
ZERO_PER_CREATURE: Final = -0.71
#: Alone, a card with the talk/silence mark: no card is drawn.
NO_CARD_DRAWN: Final = -52.77

#: Spells are kept for what a card cannot do.
SPELL: Final = -30.0
