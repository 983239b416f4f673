"""Game Title again, slow and plain: the tests compare it with the rules, move by move.

To fill in: your rules once more, from `rules/en.md` alone, best by someone who has not read yours.
"""

from __future__ import annotations

import re
from typing import Any

from theriac.testing.referee import Game, read_options


class Referee(Game):
    """Lists of cards as texts; `new_pile` shuffles, `draw` draws, `finish_game` ends."""

    name = "game_name"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return read_options(options, {}, range(2, 5), "ABC-02")

    def shipped_deck(self) -> list[str]:
        return [str(value) for value in range(1, 5) for _ in range(4)]  # ABC-01

    def begin(self) -> None:
        self.round = 1
        self.new_pile()  # ABC-03
        self.grid = {"c3": self.draw()}  # ABC-04
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.outcome: str | None = None
        first: int = self.options["first"]
        for i in range(2 * self.players):
            self.hands[(first + i) % self.players].append(self.draw())
        self.begin_turn(first)

    def begin_turn(self, seat: int) -> None:
        self.to_act = seat
        if not any(self.hands):  # ABC-10
            self.outcome = "won"
            self.finish_game(list(range(self.players)))
        elif not self.moves():  # ABC-09
            self.outcome = "lost"
            self.finish_game([])

    def obstacle(self, card: str, place: str) -> str | None:
        if place in self.grid:
            return "ABC-05"
        x, y = place[0], place[1]
        beside = [chr(ord(x) + i) + y for i in (-1, 1)] + [x + chr(ord(y) + i) for i in (-1, 1)]
        near = [self.grid[other] for other in beside if other in self.grid]
        if not near:
            return "ABC-06"
        return None if all(abs(int(card) - int(other)) <= 1 for other in near) else "ABC-07"

    def moves(self) -> list[str]:
        assert self.to_act is not None
        places = [x + y for x in "abcde" for y in "12345"]
        hand = self.hands[self.to_act]
        return [f"{c}@{place}" for c in hand for place in places if not self.obstacle(c, place)]

    def refusal(self, text: str) -> str | None:
        if self.to_act is None:
            return "ABC-10"
        shape = re.fullmatch(r"([1-4])@([a-e][1-5])", text)
        if shape is None or shape[1] not in self.hands[self.to_act]:
            return "ABC-05"
        return self.obstacle(shape[1], shape[2])

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        seat = self.to_act
        card, _, place = text.partition("@")
        self.hands[seat].remove(card)
        self.grid[place] = card
        if self.pile:  # ABC-08
            self.hands[seat].append(self.draw())
        self.begin_turn((seat + 1) % self.players)

    def scores(self) -> list[int]:
        return [len(self.grid) - 1] * self.players

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "grid": ["".join(self.grid.get(x + y, ".") for x in "abcde") for y in "12345"],
            "hands": [len(hand) for hand in self.hands],
            "left": len(self.pile),
            "outcome": self.outcome,
        }
