"""Envelopes again, plainly."""

from __future__ import annotations

from typing import Any

from theriac.testing import referee
from theriac.testing.referee import read_options


class Envelopes(referee.Game):
    """Hands are lists of card texts."""

    name = "envelopes"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return read_options(options, {}, range(3, 4), "")

    def shipped_deck(self) -> list[str]:
        return ["C1", "C2", "C3", "C4", "C5", "C6", "C7"]

    def begin(self) -> None:
        self.points = [0, 0, 0]
        self.first = self.options["first"]
        self.round = 1
        self.new_pile()
        self.hands: list[list[str]] = [[], [], []]
        for _ in range(2 if len(self.deck) >= 6 else 1):
            for i in range(3):
                self.hands[(self.first + i) % 3].append(self.draw())
        self.envelopes: dict[int, str] = {}
        self.opened: list[str | None] = [None, None, None]
        self.to_act = self.first

    def moves(self) -> list[str]:
        assert self.to_act is not None
        return self.hands[self.to_act]

    def refusal(self, text: str) -> str | None:
        if self.over:
            return "ENV-06"
        return None if text in self.moves() else "ENV-03"

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        self.envelopes[self.to_act] = text
        self.to_act = (self.to_act + 1) % 3
        if len(self.envelopes) == 3:
            self.open_envelopes()

    def open_envelopes(self) -> None:
        best = max(self.envelopes, key=lambda seat: self.envelopes[seat])
        self.points[best] += 1
        for seat, card in self.envelopes.items():
            self.hands[seat].remove(card)
            self.opened[seat] = card
        self.envelopes = {}
        if not any(self.hands):
            most = max(self.points)
            self.finish_game([seat for seat in range(3) if self.points[seat] == most])

    def scores(self) -> list[int]:
        return list(self.points)

    def table(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "hands": [len(hand) for hand in self.hands],
            "chosen": [seat in self.envelopes for seat in range(3)],
            "opened": list(self.opened),
        }

    def hand(self, seat: int) -> list[str]:
        return self.hands[seat]
