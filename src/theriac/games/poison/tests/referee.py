"""Reiner Knizia's Poison, from its rules, clause by clause."""

from __future__ import annotations

import re
from typing import Any

from theriac.testing.referee import Game, read_options

COLOURS = ["R", "B", "P"]
POISON = "X"


def value(card: str) -> int:
    return 4 if card == POISON else int(card[1:])  # POI-01


def colour_of(cauldron: list[str]) -> str | None:
    """POI-10, POI-12: the colour of its potions; none if empty or only poison."""
    for card in cauldron:
        if card != POISON:
            return card[0]
    return None


def score_round(taken: list[list[str]]) -> list[int]:
    """The points of each player for the cards taken in one round (POI-16, POI-17, POI-18)."""
    points = []
    for mine in taken:
        left = list(mine)
        for colour in COLOURS:
            count = sum(card[0] == colour for card in mine)
            others = [sum(card[0] == colour for card in pile) for pile in taken if pile is not mine]
            if all(count > other for other in others):  # POI-16: more than every other player
                left = [card for card in left if card[0] != colour]
        # POI-17: poison is never set aside. POI-18: 1 a card, poison 2.
        points.append(sum(2 if card == POISON else 1 for card in left))
    return points


class Poison(Game):
    name = "poison"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return read_options(options, {"open_piles": False}, range(3, 7), "POI-03")

    def shipped_deck(self) -> list[str]:
        deck = [POISON] * 8  # POI-01
        for colour in COLOURS:
            for number, count in ((1, 3), (2, 3), (4, 2), (5, 3), (7, 3)):
                deck += [f"{colour}{number}"] * count
        return deck

    def begin(self) -> None:
        if not self.deck:
            raise ValueError("a deck needs cards")
        self.totals = [0] * self.players
        self.dealer: int = self.options["first"]  # POI-04
        self.start_round()

    def start_round(self) -> None:
        self.round += 1
        self.cauldrons: list[list[str]] = [[], [], []]  # POI-02
        self.taken: list[list[str]] = [[] for _ in range(self.players)]
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.new_pile()  # POI-21
        removed: list[str] = []  # POI-06: the fourth hand of three players
        # POI-05: one by one, from the dealer's left; the fourth hand comes after the dealer's.
        receivers = [self.hands[(self.dealer + 1 + i) % self.players] for i in range(self.players)]
        if self.players == 3:
            receivers.append(removed)
        turn = 0
        while self.pile:
            receivers[turn % len(receivers)].append(self.draw())
            turn += 1
        self.to_act = (self.dealer + 1) % self.players  # POI-07

    def homes(self, card: str) -> list[int]:
        """The cauldrons (0 to 2) this card may go into."""
        if card == POISON:
            return [0, 1, 2]  # POI-09
        same = [i for i in range(3) if colour_of(self.cauldrons[i]) == card[0]]
        if same:
            return same  # POI-08
        return [i for i in range(3) if colour_of(self.cauldrons[i]) is None]  # POI-10

    def moves(self) -> list[str]:
        assert self.to_act is not None
        return [f"{card}@{i + 1}" for card in self.hands[self.to_act] for i in self.homes(card)]

    def refusal(self, text: str) -> str | None:
        if self.over or self.to_act is None:
            return "POI-20"
        shape = re.fullmatch(r"([A-Za-z][0-9]*)@([0-9]+)", text)
        if shape is None:
            return "POI-07"
        card, cauldron = shape.groups()
        if card not in self.deck:
            return "POI-01"
        if cauldron not in ("1", "2", "3"):
            return "POI-02"
        if card not in self.hands[self.to_act]:
            return "POI-07"
        if card == POISON:
            return None
        there = int(cauldron) - 1
        for i in range(3):
            if i != there and colour_of(self.cauldrons[i]) == card[0]:
                return "POI-08"
        if colour_of(self.cauldrons[there]) not in (None, card[0]):
            return "POI-10"
        return None

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        seat = self.to_act
        card, number = text.split("@")
        there = int(number) - 1
        self.hands[seat].remove(card)
        before = self.cauldrons[there]
        if sum(value(c) for c in before) + value(card) > 13:  # POI-11
            self.taken[seat] += before
            self.cauldrons[there] = [card]
        else:
            before.append(card)
        if any(self.hands):
            self.to_act = (seat + 1) % self.players  # POI-07; POI-14: that seat holds a card
            assert self.hands[self.to_act]
        else:
            self.end_round()  # POI-14, POI-15

    def end_round(self) -> None:
        for seat, points in enumerate(score_round(self.taken)):
            self.totals[seat] += points
        if self.round == self.players:  # POI-20
            lowest = min(self.totals)
            self.finish_game([s for s in range(self.players) if self.totals[s] == lowest])
        else:
            self.dealer = (self.dealer + 1) % self.players  # POI-04
            self.start_round()

    def scores(self) -> list[int]:
        return list(self.totals)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "cauldrons": [list(cauldron) for cauldron in self.cauldrons],
            "sums": [sum(value(card) for card in cauldron) for cauldron in self.cauldrons],
            "taken": [len(pile) for pile in self.taken],
            "hands": [len(hand) for hand in self.hands],
            "dealer": self.dealer,
        }
        if self.options["open_piles"]:  # POI-13
            shown["piles"] = [list(pile) for pile in self.taken]
        return shown
