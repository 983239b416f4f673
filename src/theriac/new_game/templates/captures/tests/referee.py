"""Game Title again, slow and plain: the tests compare it with the rules, move by move.

To fill in: your rules once more, from `rules/en.md` alone, best by someone who has not read yours.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from theriac.testing.referee import Game, read_options


class Referee(Game):
    """Lists of cards as texts; `new_pile` shuffles, `draw` draws, `finish_game` ends."""

    name = "game_name"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return read_options(options, {}, range(2, 5), "ABC-02")

    def shipped_deck(self) -> list[str]:
        return [str(value) for value in range(1, 8) for _ in range(4)]  # ABC-01

    def begin(self) -> None:
        self.round = 1
        self.new_pile()  # ABC-03
        self.points = [0] * self.players
        self.open = [self.draw() for _ in range(4)]  # ABC-04
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.deal_hands()

    def deal_hands(self) -> None:
        """ABC-05."""
        first: int = self.options["first"]
        for _ in range(3):
            for i in range(self.players):
                if self.pile:
                    self.hands[(first + i) % self.players].append(self.draw())
        self.to_act = first

    def takes(self, card: str) -> list[str]:
        """ABC-07: what a card can take."""
        value = int(card)
        pairs = [(str(a), str(value - a)) for a in range(1, value // 2 + 1)]
        found = [f"{a}+{b}" for a, b in pairs if not Counter([a, b]) - Counter(self.open)]
        return found + [card] * (card in self.open)

    def moves(self) -> list[str]:
        assert self.to_act is not None
        found = []
        for card in self.hands[self.to_act]:
            taken = self.takes(card)
            found += [f"{card}={what}" for what in taken] or [f"{card}="]  # ABC-08
        return found

    def refusal(self, text: str) -> str | None:
        if self.to_act is None:
            return "ABC-09"
        shape = re.fullmatch(r"([1-7])=(?:([1-7])(?:\+([1-7]))?)?", text)
        if shape is None or shape[1] not in self.hands[self.to_act]:
            return "ABC-06"
        if shape[2] is None:
            return "ABC-08" if self.takes(shape[1]) else None
        if shape[3] is None and shape[2] != shape[1]:
            return "ABC-06"
        adds_up = shape[3] is None or int(shape[2]) + int(shape[3]) == int(shape[1])
        if not adds_up or (shape[3] is not None and shape[2] > shape[3]):
            return "ABC-06"
        return None if text.partition("=")[2] in self.takes(shape[1]) else "ABC-07"

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        card, _, taken = text.partition("=")
        self.hands[self.to_act].remove(card)
        if taken:
            for one in taken.split("+"):
                self.open.remove(one)
                self.points[self.to_act] += 1
            self.points[self.to_act] += 1
        else:
            self.open.append(card)
        self.to_act = (self.to_act + 1) % self.players
        if not any(self.hands):
            if self.pile:
                self.deal_hands()
            else:  # ABC-09, ABC-10
                most = max(self.points)
                self.finish_game(
                    [seat for seat in range(self.players) if self.points[seat] == most]
                )

    def scores(self) -> list[int]:
        return list(self.points)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "open": sorted(self.open),
            "hands": [len(hand) for hand in self.hands],
            "left": len(self.pile),
        }
