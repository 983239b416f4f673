"""Game Title again, slow and plain: the tests compare it with the rules, move by move.

To fill in: your rules once more, from `rules/en.md` alone, best by someone who has not read yours.
"""

from __future__ import annotations

from typing import Any

from theriac.testing.referee import BadOption, Game, read_options


class Referee(Game):
    """Lists of cards as texts; `new_pile` shuffles, `draw` draws, `finish_game` ends."""

    name = "game_name"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        read = read_options(options, {"last_trick": 1}, range(3, 5), "ABC-02")
        if read["last_trick"] not in (1, 2):
            raise BadOption("option last_trick has no such value", "ABC-10")
        return read

    def shipped_deck(self) -> list[str]:
        return [f"{suit}{number}" for suit in "RGBY" for number in range(1, 7)]  # ABC-01

    def begin(self) -> None:
        self.totals = [0] * self.players
        self.dealer: int = self.options["first"]
        self.start_round()

    def start_round(self) -> None:
        self.round += 1
        self.new_pile()  # ABC-04
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.won = [0] * self.players
        self.trick: list[str] = []
        seat = self.leader = self.after(self.dealer)
        while self.pile:  # ABC-05
            self.hands[seat].append(self.draw())
            seat = self.after(seat)
        self.to_act = self.leader  # ABC-06

    def after(self, seat: int) -> int:
        return (seat + 1) % self.players

    def follows(self, card: str) -> bool:
        """ABC-08."""
        assert self.to_act is not None
        if not self.trick:
            return True
        led = self.trick[0][0]
        return card[0] == led or all(other[0] != led for other in self.hands[self.to_act])

    def moves(self) -> list[str]:
        assert self.to_act is not None
        return [card for card in self.hands[self.to_act] if self.follows(card)]

    def refusal(self, text: str) -> str | None:
        if self.to_act is None:
            return "ABC-11"
        if text not in self.hands[self.to_act]:
            return "ABC-07"
        return None if self.follows(text) else "ABC-08"

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        self.hands[self.to_act].remove(text)
        self.trick.append(text)
        self.to_act = self.after(self.to_act)
        if len(self.trick) == self.players:
            self.take()

    def take(self) -> None:
        """ABC-09, ABC-10."""
        best = max(card for card in self.trick if card[0] == self.trick[0][0])
        winner = (self.leader + self.trick.index(best)) % self.players
        is_last = not any(self.hands)
        self.totals[winner] += self.options["last_trick"] if is_last else 1
        self.won[winner] += 1
        self.trick = []
        self.to_act = self.leader = winner
        if is_last:
            self.end_round()

    def end_round(self) -> None:
        """ABC-03, ABC-11."""
        if self.round < self.players:
            self.dealer = self.after(self.dealer)
            self.start_round()
        else:
            most = max(self.totals)
            self.finish_game([seat for seat in range(self.players) if self.totals[seat] == most])

    def scores(self) -> list[int]:
        return list(self.totals)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "trick": list(self.trick),
            "leader": self.leader,
            "won": list(self.won),
            "hands": [len(hand) for hand in self.hands],
            "dealer": self.dealer,
        }
