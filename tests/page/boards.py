"""How moves are made on a board: with the mouse, and by keyboard alone."""

from __future__ import annotations

import importlib
import json
import re
from abc import ABC, abstractmethod
from random import Random

import pytest
from playwright.sync_api import Locator

from tests.page.browser import Visitor
from theriac.game import Game, all_games


class Hands(ABC):
    """Makes the moves of one player at a board."""

    def __init__(self, visitor: Visitor, chance: Random, name: str = "Ana") -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.chance = chance
        self.name = name

    @property
    def own_moves(self) -> Locator:
        """This player's moves in the log."""
        own = re.compile(rf"^\s*[\d:\sAPM]+\s{self.name}: ")
        return self.page.locator("ol.log li", has_text=own)

    @abstractmethod
    def choose(self) -> Locator:
        """Choose a move by clicking; what must be clicked to make it."""

    @abstractmethod
    def move_by_mouse(self) -> None:
        """Choose a move and make it by clicking."""

    @abstractmethod
    def move_by_keyboard(self) -> None:
        """Choose a move and make it by keys."""


def title_of(game: Game) -> str:
    """The English title of a game on the page; where games share a folder, a game's own."""
    file = game.folder / "board" / "words" / "en.json"
    words = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    title: str = words.get(f"{game.name}.title") or words.get("title") or game.title
    return title


def hands_of(game: Game) -> type[Hands]:
    """How a move is made on the board of a game: `tests/hands.py` in its folder."""
    found: type[Hands] = importlib.import_module(f"{game.module}.tests.hands").BoardHands
    return found


#: The games whose boards are played here, all that have such a file. `test_packages` plays boards
#: of packages, and games without a board.
BOARDS = [game for game in all_games().values() if (game.folder / "tests" / "hands.py").exists()]
each_board = pytest.mark.parametrize("game", BOARDS, ids=[game.name for game in BOARDS])
