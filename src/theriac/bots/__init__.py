"""Bots: anything that answers a view with a move. A bot sees no more than its seat.

>>> bot("greedy").name
'greedy'
"""

from __future__ import annotations

from theriac.bots.base import Bot, Question, ask
from theriac.bots.levels import LEVELS
from theriac.bots.parameters import Parameter
from theriac.bots.registry import bot, bot_names, list_bots
from theriac.bots.simple import GreedyBot, RandomBot

__all__ = [
    "LEVELS",
    "Bot",
    "GreedyBot",
    "Parameter",
    "Question",
    "RandomBot",
    "ask",
    "bot",
    "bot_names",
    "list_bots",
]
