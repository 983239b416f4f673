"""Shokoba, from its rules, clause by clause."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

from theriac.testing.referee import BadOption, Game, read_options

GEMS = ["S", "R", "E", "D"]
CARD = r"[A-Za-z][0-9]+"
CARDS = rf"{CARD}(?:\+{CARD})*"


def value(card: str) -> int:
    return int(card[1:])


def in_order(cards: list[str]) -> list[str]:
    """Ascending value; of equal values S before R before E before D."""
    return sorted(cards, key=lambda card: (value(card), GEMS.index(card[0])))


def captures(card: str, table: list[str], exact_first: bool) -> list[list[str]]:
    """Every capture this card can make from this table (SHO-10, SHO-12, SHO-13), each once."""
    small = in_order([c for c in table if value(c) <= value(card)])
    found: list[list[str]] = []
    for size in range(1, len(small) + 1):
        if sum(value(c) for c in small[:size]) > value(card):
            break  # even this many of the smallest are too much
        for chosen in combinations(small, size):
            if sum(value(c) for c in chosen) == value(card) and list(chosen) not in found:
                found.append(list(chosen))
    if exact_first and any(len(chosen) == 1 for chosen in found):
        found = [chosen for chosen in found if len(chosen) == 1]  # SHO-13
    return found


def score_round(piles: list[list[str]]) -> list[int]:
    """The gems each player (or team) earns for the cards captured in one round (SHO-19)."""
    earned = [0] * len(piles)
    counts = [[sum(card[0] == gem for card in pile) for pile in piles] for gem in GEMS]
    counts.append([len(pile) for pile in piles])
    for row in counts:  # sapphires, rubies, emeralds, the diamond, cards in all
        if row.count(max(row)) == 1:  # in a tie for the most, nobody
            earned[row.index(max(row))] += 1
    return earned


class Shokoba(Game):
    name = "shokoba"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        defaults = {
            "teams": False,
            "target": 11,
            "nine_cards": False,
            "exact_first": False,
            "finish": "at_once",
            "oversights": False,
        }
        full = read_options(options, defaults, range(2, 5), "SHO-02")
        if full["teams"] and full["players"] != 4:
            raise BadOption("teams need 4 players", "SHO-02")
        if full["target"] not in (11, 16, 21):
            raise BadOption("the target is 11, 16 or 21", "SHO-03")
        if full["nine_cards"] and not full["teams"]:
            raise BadOption("nine cards are for teams", "SHO-08")
        if full["finish"] not in ("at_once", "after_round"):
            raise BadOption("finish is at_once or after_round", "SHO-21")
        return full

    def shipped_deck(self) -> list[str]:
        deck = ["D7", "E7", "E7", "E7"]  # SHO-01
        for number in (1, 2, 3, 4, 5, 6, 8, 9, 10):
            deck += [f"R{number}"] + [f"S{number}"] * 3
        return deck

    # --- sides: a player alone, or a team (SHO-02) --------------------------------------------

    def side(self, seat: int) -> int:
        return seat % 2 if self.options["teams"] else seat

    def seats_of(self, sides: list[int]) -> list[int]:
        return [seat for seat in range(self.players) if self.side(seat) in sides]

    def piles_by_side(self) -> list[list[str]]:
        piles: list[list[str]] = [[] for _ in range(2 if self.options["teams"] else self.players)]
        for seat in range(self.players):
            piles[self.side(seat)] += self.captured[seat]
        return piles

    # --- the deal -----------------------------------------------------------------------------

    def begin(self) -> None:
        if len(self.deck) <= 4:
            raise ValueError("a deck needs more than four cards")
        self.gems = [0] * len({self.side(seat) for seat in range(self.players)})
        self.tie_break = False
        self.playing = list(range(self.players))
        self.dealer: int = self.options["first"]  # SHO-04
        self.start_round()

    def next_playing(self, seat: int) -> int:
        """The next seat clockwise that plays in this round."""
        seat = (seat + 1) % self.players
        while seat not in self.playing:
            seat = (seat + 1) % self.players
        return seat

    def start_round(self) -> None:
        self.round += 1
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.captured: list[list[str]] = [[] for _ in range(self.players)]
        self.shokobas = [0] * self.players
        self.open: list[str] = []
        self.last_capture: int | None = None
        self.missed: str | None = None  # the card laid with "!", always the last of self.open
        self.new_pile()  # SHO-25
        if self.options["nine_cards"]:
            self.deal_hands(len(self.pile) - 4)  # SHO-08: all but the last four (36 of 40)
        else:
            self.deal_hands(3 * len(self.playing))  # SHO-05
        for _ in range(min(4, len(self.pile))):
            self.open.append(self.draw())  # SHO-05
        self.to_act = self.next_playing(self.dealer)  # SHO-07

    def deal_hands(self, count: int) -> None:
        """Deal `count` cards, or all that are left, one by one from the dealer's left."""
        seat = self.dealer
        for _ in range(min(count, len(self.pile))):
            seat = self.next_playing(seat)
            self.hands[seat].append(self.draw())

    # --- a turn -------------------------------------------------------------------------------

    def can_take(self, card: str, table: list[str]) -> list[list[str]]:
        return captures(card, table, self.options["exact_first"])

    def moves(self) -> list[str]:
        assert self.to_act is not None
        if self.missed is not None:  # SHO-24: only the claims and pass
            missed = self.can_take(self.missed, self.open[:-1])
            return ["pass"] + ["claim=" + "+".join(chosen) for chosen in missed]
        found = []
        for card in self.hands[self.to_act]:
            choices = self.can_take(card, self.open)
            if not choices:
                found.append(card)  # SHO-14
            else:  # SHO-11: must capture
                found += [f"{card}={'+'.join(chosen)}" for chosen in choices]
                if self.options["oversights"]:
                    found.append(f"{card}!")  # SHO-24
        return found

    def refusal(self, text: str) -> str | None:
        if self.over or self.to_act is None:
            return "SHO-21"
        is_claim = text.startswith("claim=")
        if self.missed is not None and not is_claim and text != "pass":
            return "SHO-24"
        if self.missed is None and is_claim:
            return "SHO-24"
        if text == "pass":
            return "SHO-09" if self.missed is None else None
        shape = re.fullmatch(rf"(claim|{CARD})(!|=({CARDS}))?", text)
        if shape is None or text in ("claim", "claim!"):
            return "SHO-09"
        taken = [] if shape[3] is None else shape[3].split("+")
        if is_claim:
            assert self.missed is not None
            card, table = self.missed, self.open[:-1]
        else:
            card, table = shape[1], self.open
        if any(named not in self.deck for named in [card, *taken]):
            return "SHO-01"
        if not is_claim and card not in self.hands[self.to_act]:
            return "SHO-09"
        able = bool(self.can_take(card, table))
        if shape[2] is None:
            return "SHO-11" if able else None
        if shape[2] == "!":
            if not self.options["oversights"]:
                return "SHO-11"
            return None if able else "SHO-24"
        rest = list(table)
        for named in taken:
            if named not in rest:
                return "SHO-10"
            rest.remove(named)
        if sum(value(named) for named in taken) != value(card):
            return "SHO-10"
        if taken != in_order(taken):
            return "SHO-12"
        equal = any(value(lying) == value(card) for lying in table)
        if self.options["exact_first"] and equal and len(taken) > 1:
            return "SHO-13"
        return None

    def apply(self, text: str) -> None:
        assert self.to_act is not None
        seat = self.to_act
        if text == "pass":  # SHO-24: the claimer's own turn follows
            self.missed = None
            self.go_on(seat)
        elif text.startswith("claim="):
            self.missed = None
            laid = self.open.pop()  # the laid card itself, then those
            self.take(seat, laid, text.split("=")[1].split("+"))
            self.go_on(seat)
        elif "=" in text:
            card, taken = text.split("=")
            self.hands[seat].remove(card)
            self.take(seat, card, taken.split("+"))
            self.go_on(self.next_playing(seat))
        elif text.endswith("!"):
            self.missed = text[:-1]
            self.hands[seat].remove(self.missed)
            self.open.append(self.missed)
            self.to_act = self.next_playing(seat)  # settled before anything is dealt or ended
        else:
            self.hands[seat].remove(text)
            self.open.append(text)  # SHO-14
            self.go_on(self.next_playing(seat))

    def take(self, seat: int, card: str, taken: list[str]) -> None:
        for named in taken:
            self.open.remove(named)  # of identical cards the one longest there
        self.captured[seat] += [card, *taken]  # SHO-10
        self.last_capture = seat
        if not self.open:  # SHO-15, SHO-18
            self.shokobas[seat] += 1
            self.gems[self.side(seat)] += 1

    def go_on(self, seat: int) -> None:
        """After a settled move: end the game or the round, or deal, or let this seat play."""
        at_once = self.options["finish"] == "at_once" and not self.tie_break  # SHO-21, SHO-23
        if at_once and max(self.gems) >= self.options["target"]:
            self.win(max(self.gems))
            return
        self.to_act = seat
        if not any(self.hands):
            if self.pile:
                self.deal_hands(3 * len(self.playing))  # SHO-06
            else:
                self.end_round()  # SHO-17

    # --- the end ------------------------------------------------------------------------------

    def leaders(self) -> list[int]:
        return [side for side in range(len(self.gems)) if self.gems[side] == max(self.gems)]

    def win(self, most: int) -> None:
        assert self.leaders() == [self.gems.index(most)]
        self.finish_game(self.seats_of(self.leaders()))

    def end_round(self) -> None:
        if self.last_capture is not None:  # SHO-17; else they go to nobody and stay lying
            self.captured[self.last_capture] += self.open
            self.open = []
        for side, earned in enumerate(score_round(self.piles_by_side())):
            self.gems[side] += earned
        most = max(self.gems)
        if self.tie_break or most >= self.options["target"]:
            if len(self.leaders()) == 1:
                self.win(most)  # SHO-21, SHO-22
                return
            self.tie_break = True  # SHO-23
            self.playing = self.seats_of(self.leaders())
        self.dealer = self.next_playing(self.dealer)  # SHO-04, SHO-23
        self.start_round()

    # --- what is shown ------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [self.gems[self.side(seat)] for seat in range(self.players)]

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        piles = self.piles_by_side()
        return {
            "open": list(self.open),
            "captured": [len(piles[self.side(seat)]) for seat in range(self.players)],
            "hands": [len(hand) for hand in self.hands],
            "deck": len(self.pile),
            "dealer": self.dealer,
            "shokobas": list(self.shokobas),
            "last_capture": self.last_capture,
        }
