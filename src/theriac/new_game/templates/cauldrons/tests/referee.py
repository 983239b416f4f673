"""Game Title again, slow and plain: the tests compare it with the rules, move by move.

To fill in: your rules once more, from `rules/en.md` alone, best by someone who has not read yours.
"""

from __future__ import annotations

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
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.points = [0] * self.players
        self.piles: list[list[int]] = [[], []]
        seat: int = self.options["first"]
        while self.pile:  # ABC-04
            self.hands[seat].append(self.draw())
            seat = self.after(seat)
        self.to_act = self.options["first"]

    def after(self, seat: int) -> int:
        return (seat + 1) % self.players

    def moves(self) -> list[str]:
        assert self.to_act is not None
        return [f"{card}@{pile}" for card in self.hands[self.to_act] for pile in (1, 2)]

    def refusal(self, text: str) -> str | None:
        if self.to_act is None:
            return "ABC-07"
        card, at, pile = text.partition("@")
        known = at == "@" and pile in ("1", "2")
        return None if known and card in self.hands[self.to_act] else "ABC-05"

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        card, _, number = text.partition("@")
        pile = self.piles[int(number) - 1]
        self.hands[self.to_act].remove(card)
        if sum(pile) + int(card) > 13:  # ABC-06
            self.points[self.to_act] += len(pile)
            pile.clear()
        pile.append(int(card))
        self.to_act = self.after(self.to_act)
        if not any(self.hands):  # ABC-07, ABC-08
            fewest = min(self.points)
            self.finish_game([seat for seat in range(self.players) if self.points[seat] == fewest])

    def scores(self) -> list[int]:
        return list(self.points)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "sums": [sum(pile) for pile in self.piles],
            "heights": [len(pile) for pile in self.piles],
            "hands": [len(hand) for hand in self.hands],
        }
