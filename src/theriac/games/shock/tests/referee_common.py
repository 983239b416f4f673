"""What the two editions of Shock! share, from its rules, clause by clause.

A deck is a list of texts: number cards (`H7`; `H8*` shows a jewel) and chest or door cards. Where
no number card has a star, those of even rank show a jewel, as in the shipped deck.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from theriac.testing.referee import BadOption, Game, read_options

SUITS = ["H", "S", "D", "C"]
POISON_OF = {"H7": "jellyfish", "S7": "spider", "D7": "bee"}  # SHK-02
POTIONS = ["C5", "C7"]  # SHK-02
CHEST_POISONS = ["jellyfish", "spider", "bee"]
NUMBER = re.compile(r"[HSDC][0-9]+\*?")


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return int(card[1:])


def shipped_numbers() -> list[str]:
    """SHK-01; SHK-03: one jewel on every even rank."""
    return [f"{s}{r}{'*' if r % 2 == 0 else ''}" for s in SUITS for r in range(1, 12)]


@dataclass
class Played:
    """A card of the trick in progress."""

    seat: int
    card: str
    face_up: bool
    jewels: int


class Knights(Game):
    """What both editions share."""

    challenge_clause: str  # what refuses `open` and `stop` out of place
    foreign: tuple[str, str]  # the option of the other edition, and its clause

    def read_edition(self, options: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
        option, clause = self.foreign
        if option in options:  # refused even with its default value
            raise BadOption(f"{self.name} has no option {option}", clause)
        return read_options(options, defaults, range(3, 6), "SHK-07")

    # --- what the editions differ in ----------------------------------------------------------

    @abstractmethod
    def resolve(self) -> None:
        """After potions and shock: the chest challenge or the door."""

    @abstractmethod
    def next_leader(self) -> int:
        """Who leads the round after this one."""

    @abstractmethod
    def before_round(self) -> None:
        """What happens between two rounds, before the shuffles of the one that begins."""

    def apply_challenge(self, text: str) -> None:
        raise AssertionError(f"{text}: no challenge in this edition")

    # --- a round begins -----------------------------------------------------------------------

    def begin(self) -> None:
        numbers = [card for card in self.deck if NUMBER.fullmatch(card)]
        self.chest_cards = [card for card in self.deck if not NUMBER.fullmatch(card)]
        self.jewelled = [card[:-1] for card in numbers if card.endswith("*")]
        if not self.jewelled:
            self.jewelled = [card for card in numbers if rank(card) % 2 == 0]
        removed = {3: [1, 11], 4: [11], 5: []}[self.players]  # SHK-07
        numbers = [card.rstrip("*") for card in numbers]
        self.numbers = [card for card in numbers if rank(card) not in removed]
        self.bags = [0] * self.players
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.start_round(self.options["first"])  # SHK-11

    def hand_size(self) -> int:
        full = {3: 9, 4: 9, 5: 8}[self.players]  # SHK-08
        return min(full, (len(self.numbers) - 1) // self.players)  # a small deck makes small hands

    def shuffled(self, cards: list[str]) -> list[str]:
        """The next shuffle, of these cards; draw() takes from it until the next one."""
        self.deck = list(cards)  # what new_pile() shuffles
        self.new_pile()
        return self.pile  # the list itself

    def start_round(self, leader: int) -> None:
        self.round += 1
        self.in_round = [True] * self.players  # SHK-39
        self.on_bag = [0] * self.players
        self.front: list[list[str]] = [[] for _ in range(self.players)]
        self.covered: list[list[str]] = [[] for _ in range(self.players)]
        self.middle: list[str] = []
        self.discards: list[str] = []
        self.chest_discards: list[str] = []
        self.first_leader = leader
        self.last_winner: int | None = None
        # SHK-47: the number cards that are in no hand, then the chest or door cards.
        held = [card for hand in self.hands for card in hand]
        self.number_pile = self.shuffled([card for card in self.numbers if card not in held])
        seat = leader  # SHK-08, SHK-40: hands kept are filled up
        while any(len(hand) < self.hand_size() for hand in self.hands):
            if len(self.hands[seat]) < self.hand_size():
                self.hands[seat].append(self.draw())
            seat = (seat + 1) % self.players
        self.trump = self.draw()  # SHK-09
        self.chest = self.shuffled(self.chest_cards)
        self.start_trick(leader)

    def start_trick(self, leader: int) -> None:
        assert self.in_round[leader]  # SHK-18
        self.leader: int | None = leader
        self.trick: list[Played] = []
        self.phase = "card"
        self.to_act = leader

    def next_in(self, seat: int) -> int:
        """The next seat clockwise still in."""
        assert any(self.in_round)
        seat = (seat + 1) % self.players
        while not self.in_round[seat]:
            seat = (seat + 1) % self.players
        return seat

    # --- what can be played -------------------------------------------------------------------

    def lead_suit(self) -> str | None:
        """SHK-12, SHK-35: the suit of the first card that lies face up."""
        for played in self.trick:
            if played.face_up:
                return suit(played.card)
        return None

    def moves(self) -> list[str]:
        assert self.to_act is not None
        if self.phase == "challenge":
            return ["open", "stop"]  # SHK-27
        if self.phase == "potion":
            cures = [f"cure:{kind}" for kind in self.uncovered_kinds(self.to_act)]
            return [*cures, "keep"] if self.may_keep() else cures  # SHK-25
        hand = self.hands[self.to_act]
        if not self.in_round[self.to_act]:
            return [f"~{card}" for card in hand]  # SHK-34
        following = [card for card in hand if suit(card) == self.lead_suit()]
        face_up = following or hand  # SHK-13
        return face_up + [f"w~{card}" for card in hand]  # SHK-33

    def refusal(self, text: str) -> str | None:
        if self.over or self.to_act is None:
            return "SHK-45"
        if self.phase == "challenge":
            return None if text in ("open", "stop") else self.challenge_clause
        if text in ("open", "stop"):
            return self.challenge_clause  # in a potion choice too: the ledger names it first
        if self.phase == "potion":
            if text.startswith("cure:"):
                there = text.removeprefix("cure:") in self.uncovered_kinds(self.to_act)
                return None if there else "SHK-23"
            return None if text == "keep" and self.may_keep() else "SHK-25"
        if text == "keep" or text.startswith("cure:"):
            return "SHK-25"
        how, tilde, card = text.rpartition("~")
        if card not in self.hands[self.to_act] or how not in ("", "w"):
            return "SHK-12"
        if tilde:
            return None if (how == "w") == self.in_round[self.to_act] else "SHK-33"
        if not self.in_round[self.to_act]:
            return "SHK-34"
        lead = self.lead_suit()
        if suit(card) != lead and any(suit(c) == lead for c in self.hands[self.to_act]):
            return "SHK-13"
        return None

    # --- a move -------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        if self.phase == "challenge":
            self.apply_challenge(text)
        elif self.phase == "potion":
            if text == "keep":
                self.laying = False  # SHK-25: ends the laying for that trick
            else:
                self.cover(text.removeprefix("cure:"))
            self.lay_potions()
        else:
            self.apply_card(text)

    def apply_card(self, text: str) -> None:
        assert self.to_act is not None and self.leader is not None
        seat = self.to_act
        if text.startswith("w~"):  # SHK-33
            self.store(seat)
            self.in_round[seat] = False
        card = text.removeprefix("w").removeprefix("~")
        if "~" in text:
            jewels = 2 if self.players == 3 else 1  # SHK-34
        else:
            jewels = 1 if self.shows_jewel(card) else 0  # SHK-14
        self.hands[seat].remove(card)
        self.trick.append(Played(seat, card, "~" not in text, jewels))
        if not any(self.in_round):  # SHK-36: no winner, no chest or door card, the round ends
            self.discards += [played.card for played in self.trick]
            self.trick = []
            self.end_round()
        elif len(self.trick) == self.players:
            self.take_trick()
        else:
            if not self.in_round[self.leader]:
                self.leader = self.next_in(self.leader)  # SHK-35
            self.to_act = (seat + 1) % self.players  # SHK-12, SHK-35: the same order

    def store(self, seat: int) -> None:
        self.bags[seat] += self.on_bag[seat]
        self.on_bag[seat] = 0

    # --- the cards ----------------------------------------------------------------------------

    def poison(self, card: str) -> str | None:
        """The kind of poison a number card is, if it is one."""
        if self.options.get("soba") and rank(card) == 9:
            return "soba"  # SHK-46
        return POISON_OF.get(card)

    def shows_jewel(self, card: str) -> bool:
        return card in self.jewelled and self.poison(card) != "soba"  # SHK-03, SHK-46

    # --- a trick is won -----------------------------------------------------------------------

    def trick_winner(self) -> int:
        """SHK-15, SHK-34: face-down cards win nothing."""
        face_up = [played for played in self.trick if played.face_up]
        trumps = [played for played in face_up if suit(played.card) == suit(self.trump)]
        led = [played for played in face_up if suit(played.card) == self.lead_suit()]
        return max(trumps or led, key=lambda played: rank(played.card)).seat

    def take_trick(self) -> None:
        winner = self.trick_winner()
        assert self.in_round[winner]
        self.winner = self.last_winner = winner
        waiting = self.unused_potions(winner)
        came: list[str] = []
        for played in self.trick:
            self.on_bag[winner] += played.jewels  # SHK-16
            special = self.poison(played.card) is not None or played.card in POTIONS
            if played.face_up and special:
                came.append(played.card)  # SHK-17
            else:
                self.discards.append(played.card)
        self.front[winner] += came
        self.trick = []
        # SHK-25: a laying for this trick; with "may" only if a poison or potion card came, and
        # then the potions already waiting must be used first when a poison card came.
        self.laying = self.must_always() or bool(came)
        poison_came = any(self.poison(card) is not None for card in came)
        self.must_use = waiting if poison_came else 0
        self.lay_potions()  # SHK-24: after all cards of the trick are taken

    # --- potions ------------------------------------------------------------------------------

    def must_always(self) -> bool:
        return bool(self.options["potions"] == "must")

    def may_keep(self) -> bool:
        return not self.must_always() and self.must_use == 0

    def unused_potions(self, seat: int) -> int:
        """SHK-23: each potion covers one poison card."""
        return sum(card in POTIONS for card in self.front[seat]) - len(self.covered[seat])

    def uncovered(self, seat: int) -> list[str]:
        """The poison cards in front of a seat that are not covered, in the order they came."""
        return [
            card
            for card in self.front[seat]
            if self.poison(card) is not None and card not in self.covered[seat]
        ]

    def uncovered_kinds(self, seat: int) -> list[str]:
        kinds: list[str] = []
        for card in self.uncovered(seat):
            kind = self.poison(card)
            assert kind is not None
            if kind not in kinds:
                kinds.append(kind)  # SHK-26: two soba cards are one choice
        return kinds

    def cover(self, kind: str) -> None:
        """SHK-46: of two the one that came first."""
        same_poison = [card for card in self.uncovered(self.winner) if self.poison(card) == kind]
        self.covered[self.winner].append(same_poison[0])
        self.must_use = max(0, self.must_use - 1)

    def lay_potions(self) -> None:
        """Lay what is clear; ask where there is a choice; with nothing more to lay, go on."""
        while self.laying and self.unused_potions(self.winner) > 0:
            kinds = self.uncovered_kinds(self.winner)
            if not kinds:
                break  # SHK-25: the potion waits
            if len(kinds) > 1 or self.may_keep():
                self.phase = "potion"
                self.to_act = self.winner
                return
            self.cover(kinds[0])  # SHK-26
        self.look_for_shock()  # SHK-24
        self.resolve()

    # --- poison -------------------------------------------------------------------------------

    def look_for_shock(self) -> None:
        """SHK-19, SHK-20, SHK-21, SHK-22."""
        for seat in range(self.players):
            if self.in_round[seat]:
                mine = [self.poison(card) for card in self.uncovered(seat)]
                poisons = mine + self.middle
                if any(poisons.count(kind) >= 2 for kind in poisons):
                    self.on_bag[seat] = 0
                    self.in_round[seat] = False

    def poison_all(self, kind: str) -> None:
        self.middle.append(kind)  # SHK-29, SHK-32
        self.look_for_shock()

    # --- the end of a trick, a round and the game ---------------------------------------------

    def finish_trick(self) -> None:
        if not any(self.hands) or sum(self.in_round) <= 1:  # SHK-38
            self.end_round()
        elif self.in_round[self.winner]:  # SHK-18
            self.start_trick(self.winner)
        else:
            self.start_trick(self.next_in(self.winner))

    def end_round(self) -> None:
        for seat in range(self.players):
            if self.in_round[seat]:
                self.store(seat)  # SHK-38
        if self.round == 5:  # SHK-10, SHK-45
            self.leader = None
            most = max(self.bags)
            self.finish_game([seat for seat in range(self.players) if self.bags[seat] == most])
        else:
            leader = self.next_leader()
            self.before_round()
            self.start_round(leader)

    # --- what is shown ------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return list(self.bags)

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        return {
            "trump": self.trump,
            "leader": self.leader,
            "trick": [
                {
                    "seat": played.seat,
                    "card": played.card if played.face_up else None,
                    "jewels": played.jewels,
                }
                for played in self.trick
            ],
            "in_round": list(self.in_round),
            "on_bag": list(self.on_bag),
            "front": [list(cards) for cards in self.front],
            "covered": [list(cards) for cards in self.covered],
            "middle": list(self.middle),
            "hands": [len(hand) for hand in self.hands],
            "chest_left": len(self.chest),
        }

    def seat_state(self, seat: int) -> dict[str, Any]:
        """SHK-10: what is inside a bag is known to its owner alone until the end."""
        view = super().seat_state(seat)
        if not self.over and not self.options["open_bags"]:
            view["scores"] = [self.bags[s] if s == seat else None for s in range(self.players)]
        return view
