"""The smallest game again, plainly."""

from __future__ import annotations

from typing import Any

from theriac.testing import referee
from theriac.testing.referee import read_options


class Smallest(referee.Game):
    """Hands are lists of card texts."""

    name = "smallest"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return read_options(options, {}, range(2, 3), "")

    def shipped_deck(self) -> list[str]:
        return ["C1", "C2", "C3", "C4", "C5", "C6"]

    def begin(self) -> None:
        self.points = [0, 0]
        self.leader = self.options["first"]
        self.begin_round()

    def begin_round(self) -> None:
        self.round += 1
        self.new_pile()
        self.hands: list[list[str]] = [[], []]
        for _ in range(min(2, len(self.deck) // 2)):
            for seat in (self.leader, 1 - self.leader):
                self.hands[seat].append(self.draw())
        self.led: str | None = None
        self.to_act = self.leader

    def moves(self) -> list[str]:
        assert self.to_act is not None
        return self.hands[self.to_act]

    def refusal(self, text: str) -> str | None:
        if self.over:
            return "SMA-05"
        return None if text in self.moves() else "SMA-03"

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        self.hands[self.to_act].remove(text)
        if self.led is None:
            self.led = text
            self.to_act = 1 - self.to_act
            return
        if text < self.led:
            self.to_act = 1 - self.to_act
        self.points[self.to_act] += 1
        self.led = None
        if not any(self.hands):
            self.end_round()

    def end_round(self) -> None:
        if self.round == 1:
            self.leader = 1 - self.leader
            self.begin_round()
        else:
            best = max(self.points)
            self.finish_game([seat for seat in (0, 1) if self.points[seat] == best])

    def scores(self) -> list[int]:
        return list(self.points)

    def table(self) -> dict[str, Any]:
        return {"led": self.led, "leader": self.leader, "hands": [len(h) for h in self.hands]}

    def hand(self, seat: int) -> list[str]:
        return self.hands[seat]
