"""Nature in the games of a check: it stops where the rules let it deal for ever."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from theriac.engine.build import Engine
from theriac.engine.contract import NATURE
from theriac.faults import NothingToDeal


class Dealer:
    """Deals the cards of each shuffle, in a random order.

    The engine's own loops do not check whether a card is left: each card would take longer.
    """

    def __init__(self, game: str, engine: Engine, random: Random) -> None:
        self._game, self._engine, self._random = game, engine, random
        #: For each pile the number of its shuffle, and the cards of it that have not been dealt.
        self._packs: dict[int, tuple[int, list[int]]] = {}

    def start_game(self, g: Any, options: Any) -> None:
        """Set up a game, up to its first decision; raises `NothingToDeal`."""
        self._packs.clear()
        self._engine.setup(g, options)
        self.advance(g)

    def advance(self, g: Any) -> None:
        """Deal until a player is to act or the game is over; raises `NothingToDeal`."""
        while g.to_act == NATURE:
            self._engine.deal(g, self._draw(g, int(g.pile)))

    def _draw(self, g: Any, pile: int) -> int:
        shuffle = int(g.shuffles[pile])
        if shuffle == 0:
            raise NothingToDeal(self._game, shuffled=False)
        if self._packs.get(pile, (0,))[0] != shuffle:
            self._packs[pile] = (shuffle, self._lay_out(g, pile))
        cards = self._packs[pile][1]
        if not cards:
            raise NothingToDeal(self._game)
        return cards.pop()

    def _lay_out(self, g: Any, pile: int) -> list[int]:
        """The cards that are left in a pile, in a random order."""
        counts = np.zeros(self._engine.shape.cards, np.int16)
        self._engine.list_pile(g, pile, counts)
        cards = [card for card, n in enumerate(counts.tolist()) for _ in range(n)]
        self._random.shuffle(cards)
        return cards
