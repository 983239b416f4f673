"""Shock! Knights & Poisons and its original edition, from its rules, clause by clause."""

from __future__ import annotations

from typing import Any

from theriac.games.shock.tests.referee_common import CHEST_POISONS, Knights, shipped_numbers
from theriac.testing.referee import BadOption


class Shock(Knights):
    name = "shock"
    challenge_clause = "SHK-27"
    foreign = ("soba", "SHK-46")

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        defaults = {"open_bags": False, "simplified": False, "potions": "must"}
        full = self.read_edition(options, defaults)
        if full["potions"] not in ("must", "may"):
            raise BadOption("potions is must or may", "SHK-25")
        return full

    def shipped_deck(self) -> list[str]:
        chest = CHEST_POISONS * 2  # SHK-04
        counts = {"J1/1": 3, "J2/0": 3, "J2/1": 4, "J3/0": 3, "J3/1": 3, "J4/1": 2}
        for card, count in counts.items():
            chest += [card] * count
        return shipped_numbers() + chest

    def resolve(self) -> None:
        self.opened = 0
        if self.in_round[self.winner]:  # SHK-27: must reveal one
            self.open_chest()
        else:
            self.finish_trick()

    def apply_challenge(self, text: str) -> None:
        if text == "open":
            self.open_chest()
        else:
            self.finish_trick()

    def open_chest(self) -> None:
        card = self.draw()  # SHK-31: there is one
        self.opened += 1
        if card in CHEST_POISONS:
            self.on_bag[self.winner] += 1  # SHK-29
            self.poison_all(card)
        else:  # SHK-28
            large, small = card.removeprefix("J").split("/")
            for seat in range(self.players):
                if seat == self.winner:
                    self.on_bag[seat] += int(large)
                elif self.in_round[seat]:
                    self.on_bag[seat] += int(small)
            self.chest_discards.append(card)
        if self.in_round[self.winner] and self.opened < 3:  # SHK-27, SHK-30
            self.phase = "challenge"
            self.to_act = self.winner
        else:
            self.finish_trick()

    def next_leader(self) -> int:
        return self.first_leader if self.last_winner is None else self.last_winner  # SHK-42

    def before_round(self) -> None:
        if self.options["simplified"]:  # SHK-41
            for hand in self.hands:
                hand.clear()


class Anaphylaxis(Knights):
    name = "anaphylaxis"
    challenge_clause = "SHK-32"
    foreign = ("simplified", "SHK-41")

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        defaults = {"open_bags": False, "soba": False, "potions": "must"}
        full = self.read_edition(options, defaults)
        if full["potions"] != "must":
            raise BadOption("in anaphylaxis a potion must be used", "SHK-25")
        return full

    def shipped_deck(self) -> list[str]:
        doors = ["J1", "J1", "J2", "J2", "J3", "J3"]  # SHK-05
        return shipped_numbers() + CHEST_POISONS * 2 + doors

    def resolve(self) -> None:
        card = self.draw()  # SHK-32: whether or not the winner is still in
        poisonous = card in CHEST_POISONS
        if self.in_round[self.winner]:
            self.on_bag[self.winner] += 1 if poisonous else int(card.removeprefix("J"))  # SHK-05
        if poisonous:
            self.poison_all(card)
        else:
            self.chest_discards.append(card)
        self.finish_trick()

    def next_leader(self) -> int:
        if sum(self.in_round) == 1:
            return self.in_round.index(True)  # SHK-43
        return self.first_leader if self.last_winner is None else self.last_winner

    def before_round(self) -> None:
        if self.round == 2:  # SHK-44
            self.shuffled(CHEST_POISONS)
            self.chest_cards.remove(self.draw())
