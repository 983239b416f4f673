"""Hearts again, slow and plain, from `rules/en.md` alone: lists of cards as texts, no bits."""

from __future__ import annotations

import re
from typing import Any

from theriac.testing.referee import BadOption, Game, read_options

SUITS = ["C", "D", "S", "H"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
CYCLE = ["left", "right", "across", "none"]
STEPS = {"left": 1, "across": 2, "right": 3}
DEFAULTS = {"passing": "cycle", "moon": "others", "target": 100, "queen_breaks": False}
VALUES: dict[str, list[Any]] = {
    "passing": ["cycle", *CYCLE],
    "moon": ["others", "self"],
    "target": [100, 50, 0],
    "queen_breaks": [False, True],
}


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return RANKS.index(card[1:])


def cost(card: str) -> int:
    """HEA-17."""
    if card == "SQ":
        return 13
    return 1 if suit(card) == "H" else 0


class Hearts(Game):
    name = "hearts"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        read = read_options(options, DEFAULTS, range(4, 5), "HEA-02")
        for name, values in VALUES.items():
            if read[name] not in values:
                raise BadOption(f"option {name} has no such value")
        return read

    def shipped_deck(self) -> list[str]:
        return [s + r for s in SUITS for r in RANKS]  # HEA-01

    def begin(self) -> None:
        self.totals = [0, 0, 0, 0]
        self.dealer: int = self.options["first"]
        self.start_round()

    def start_round(self) -> None:
        self.round += 1
        self.hands: list[list[str]] = [[], [], [], []]
        self.put_aside: list[list[str]] = [[], [], [], []]
        self.trick: list[tuple[int, str]] = []
        self.last_trick: list[tuple[int, str]] = []
        self.taken: list[list[str]] = [[], [], [], []]
        self.tricks = [0, 0, 0, 0]
        self.broken = False
        self.leader: int | None = None
        self.new_pile()  # HEA-04
        seat = self.after(self.dealer)
        while self.pile:  # HEA-05
            self.hands[seat].append(self.draw())
            seat = self.after(seat)
        self.way = self.options["passing"]
        if self.way == "cycle":  # HEA-08
            self.way = CYCLE[(self.round - 1) % 4]
        self.passing = self.way != "none"
        self.to_pass = min(3, len(self.hands[0]))  # HEA-07
        if self.passing:
            self.to_act = self.after(self.dealer)  # HEA-06
        else:
            self.start_play()

    def after(self, seat: int) -> int:
        return (seat + 1) % 4

    def start_play(self) -> None:
        self.passing = False
        for seat in range(4):
            if "C2" in self.hands[seat]:  # HEA-10
                self.to_act = self.leader = seat

    # --- which cards ------------------------------------------------------------------------

    def obstacle(self, card: str) -> str | None:
        """The clause against playing a card of the hand now."""
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        first_trick = sum(self.tricks) == 0
        if not self.trick:
            if first_trick:
                return None if card == "C2" else "HEA-10"
            if suit(card) == "H" and not self.broken and any(suit(c) != "H" for c in hand):
                return "HEA-14"
            return None
        led = suit(self.trick[0][1])
        if any(suit(c) == led for c in hand):
            return None if suit(card) == led else "HEA-12"
        if first_trick and cost(card) and not all(cost(c) for c in hand):
            return "HEA-13"
        return None

    def moves(self) -> list[str]:
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        if self.passing:
            return [f"~{card}" for card in hand]
        return [card for card in hand if self.obstacle(card) is None]

    def refusal(self, text: str) -> str | None:
        if self.over or self.to_act is None:
            return "HEA-19"
        shape = re.fullmatch(r"(~?)([CDSH](?:[2-9JQKA]|10))", text)
        if shape is None or shape[2] not in self.deck:
            return "HEA-06" if self.passing else "HEA-11"
        if self.passing != bool(shape[1]):
            return "HEA-06"
        if shape[2] not in self.hands[self.to_act]:
            return "HEA-06" if self.passing else "HEA-11"
        return None if self.passing else self.obstacle(shape[2])

    # --- moves ------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        seat = self.to_act
        card = text.lstrip("~")
        self.hands[seat].remove(card)
        if text.startswith("~"):
            self.put_aside[seat].append(card)
            if len(self.put_aside[seat]) == self.to_pass:
                self.to_act = self.after(seat)
                if seat == self.dealer:
                    self.give()
            return
        self.trick.append((seat, card))
        if suit(card) == "H" or (card == "SQ" and self.options["queen_breaks"]):
            self.broken = True  # HEA-15
        self.to_act = self.after(seat)  # HEA-11
        if len(self.trick) == 4:
            self.take()

    def give(self) -> None:
        """HEA-08, HEA-09."""
        for seat in range(4):
            self.hands[(seat + STEPS[self.way]) % 4] += self.put_aside[seat]
        self.start_play()

    def take(self) -> None:
        """HEA-16."""
        led = suit(self.trick[0][1])
        following = [(rank(card), seat) for seat, card in self.trick if suit(card) == led]
        winner = max(following)[1]
        self.taken[winner] += [card for _, card in self.trick]
        self.tricks[winner] += 1
        self.last_trick, self.trick = self.trick, []
        self.to_act = self.leader = winner
        if not any(self.hands):
            self.end_round()

    def points(self) -> list[int]:
        return [sum(cost(card) for card in pile) for pile in self.taken]

    def end_round(self) -> None:
        for seat, points in enumerate(self.scored()):
            self.totals[seat] += points
        target = self.options["target"]
        if target == 0 or max(self.totals) >= target:  # HEA-19
            lowest = min(self.totals)  # HEA-20
            self.finish_game([seat for seat in range(4) if self.totals[seat] == lowest])
        else:
            self.dealer = self.after(self.dealer)  # HEA-03
            self.start_round()

    def scored(self) -> list[int]:
        """HEA-17, HEA-18."""
        points = self.points()
        takers = [seat for seat in range(4) if points[seat]]
        if len(takers) != 1:
            return points
        [shooter] = takers
        all_points = points[shooter]
        if self.options["moon"] == "self":
            return [-all_points if seat == shooter else 0 for seat in range(4)]
        return [0 if seat == shooter else all_points for seat in range(4)]

    # --- what is seen -----------------------------------------------------------------------

    def scores(self) -> list[int]:
        return list(self.totals)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "asked": "pass" if self.passing else "card",
            "passing": self.way,
            "chosen": [len(cards) for cards in self.put_aside],
            "leader": self.leader,
            "trick": [{"seat": seat, "card": card} for seat, card in self.trick],
            "last_trick": [{"seat": seat, "card": card} for seat, card in self.last_trick],
            "broken": self.broken,
            "tricks": list(self.tricks),
            "points": self.points(),
            "hands": [len(hand) for hand in self.hands],
            "dealer": self.dealer,
        }
