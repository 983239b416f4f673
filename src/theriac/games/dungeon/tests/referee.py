"""Knock, Knock! Dungeon!, from its rules, clause by clause."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from theriac.games.dungeon.tests.referee_cards import (
    CORNERS,
    SHIPPED,
    chests,
    corners,
    has_silence_mark,
    is_creature,
    is_knight,
    same_turned,
    tokens_of,
    tower,
)
from theriac.testing.referee import BadDeal, BadOption, Game, NoShuffle, read_options

Place = tuple[int, int]  # x to the right, y downwards; the first card lies at (0, 0)
Point = tuple[int, int]  # a point of the table where corners lie, in half steps

SPELLS = ["fireball", "ice", "poison", "silence"]
NUMBER = r"(?:0|-?[1-9][0-9]*)"


# --- the table ------------------------------------------------------------------------------------


@cache
def points(place: Place) -> dict[str, Point]:
    """Where the four corners of a card at this place lie."""
    x, y = place
    return {
        "tl": (2 * x - 1, 2 * y - 1),
        "tr": (2 * x + 1, 2 * y - 1),
        "bl": (2 * x - 1, 2 * y + 1),
        "br": (2 * x + 1, 2 * y + 1),
    }


@cache
def shared(one: Place, other: Place) -> int:
    """How many corners of a card at one place lie on corners of a card at the other."""
    return len(set(points(one).values()) & set(points(other).values()))


@dataclass
class Laid:
    """A card of the fort. Standing: a creature not defeated."""

    card: str
    turned: bool
    tokens: int = 0
    defeated: bool = False
    frozen: bool = False

    @property
    def standing(self) -> bool:
        return is_creature(self.card) and not self.defeated  # KKD-16: defeated, a corridor


class Dungeon(Game):
    name = "dungeon"

    def check_options(self, options: dict[str, Any]) -> dict[str, Any]:
        defaults = {"deck": [], "minutes": 6, "treasure": False, "level": 0, "spells": []}
        full = read_options(options, defaults, range(1, 7), "KKD-04")
        if full["minutes"] < 0:
            raise BadOption("minutes are 0 or more", "KKD-07")
        if full["level"] not in (0, 1, 2, 3, 4):
            raise BadOption("the level is 0 to 4", "KKD-25")
        for spell in full["spells"]:
            if type(spell) is not str or spell not in SPELLS or full["spells"].count(spell) > 1:
                raise BadOption(f"{spell!r} is not a spell, or is there twice", "KKD-25")
        if full["spells"] and full["level"] == 0:
            raise BadOption("no spells outside the adventure", "KKD-25")
        if "deck" in options and full["deck"] == []:
            raise BadOption("a deck needs cards", "KKD-02")
        if any(type(card) is not str for card in full["deck"]):
            raise BadOption("a deck is a list of card texts", "KKD-02")
        return full

    def shipped_deck(self) -> list[str]:
        return [card for card, count in SHIPPED.items() for _ in range(count)]

    # --- setting up ---------------------------------------------------------------------------

    def begin(self) -> None:
        if self.options["deck"]:
            self.deck = list(self.options["deck"])  # KKD-02
        hand_size = 6 if self.players == 1 else 3 if self.players == 6 else 4  # KKD-04
        level: int = self.options["level"]
        self.check_deck(level, self.players * hand_size)
        knight = [card for card in self.deck if is_knight(card)]
        # KKD-03, KKD-25: no tower cards but those of the level; KKD-33: without the knight.
        cards = [c for c in self.deck if tower(c) in (0, level) and not is_knight(c)]
        self.pile = self.shuffled(cards)
        self.knight_below: list[str] = knight  # the bottom of the pile: the knight, until drawn
        self.round = 1
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.fort: dict[Place, Laid] = {}  # in the order laid
        self.burnt: list[str] = []
        self.supply = 12  # KKD-01
        self.talk = True  # KKD-06
        self.held = sorted(self.options["spells"])
        self.poisoned: Point | None = None
        self.outcome: str | None = None
        self.why: str | None = None
        first: int = self.options["first"]
        for i in range(self.players * hand_size):  # KKD-04: one at a time, clockwise
            self.hands[(first + i) % self.players].append(self.draw())
        self.to_act = first
        self.put_down(self.draw(), False, (0, 0))  # KKD-05; no token turned, nothing checked

    def check_deck(self, level: int, dealt: int) -> None:
        """KKD-02: one Black Knight and enough cards to deal."""
        knights = [card for card in self.deck if is_knight(card)]
        if len(knights) != 1 or not is_creature(knights[0]) or tower(knights[0]) != 0:
            raise BadOption("a deck holds one Black Knight, a creature of no tower", "KKD-02")
        cards = [c for c in self.deck if tower(c) in (0, level) and not is_knight(c)]
        if len(cards) < dealt + 1:
            raise BadOption("not enough cards to deal", "KKD-02")

    def shuffled(self, cards: list[str]) -> list[str]:
        """The next shuffle, of exactly these (KKD-33)."""
        k = len(self.draws)
        if k < len(self.deals):
            order = list(self.deals[k])
        elif self.shuffle is not None:
            order = list(self.shuffle(k, list(cards)))
        else:
            raise NoShuffle(f"shuffle {k} has neither a deal nor a shuffle function")
        missing = Counter(cards) - Counter(order)
        extra = Counter(order) - Counter(cards)
        if missing or extra:
            raise BadDeal(f"deal {k}: missing {sorted(missing)}, extra {sorted(extra)}")
        self.draws.append(0)
        return order

    # --- looking at the fort ------------------------------------------------------------------

    def shown(self, point: Point) -> int:
        """The number to be seen at a point of the table."""
        if point == self.poisoned:
            return 0  # KKD-29: for both cards, whatever covers it
        number = 0
        for place, laid in self.fort.items():
            for corner, here in points(place).items():
                if here == point:
                    number = corners(laid.card, laid.turned)[corner]  # KKD-11: the later stays
        return number

    def danger(self, place: Place) -> int:
        return sum(self.shown(point) for point in points(place).values())  # KKD-14

    def free_places(self) -> list[Place]:
        """Where a card may be laid, from KKD-09 alone: at most one corner of each card."""
        if not self.fort:
            return [(0, 0)]  # KKD-11: the fort begins again
        near = {(x + i, y + j) for x, y in self.fort for i in (-1, 0, 1) for j in (-1, 0, 1)}
        return [p for p in near if max(shared(p, other) for other in self.fort) == 1]

    def covered_by(self, new: Place) -> list[Place]:
        return [place for place in self.fort if place != new and shared(place, new) > 0]

    # --- moves --------------------------------------------------------------------------------

    def knight_waits(self) -> bool:
        """KKD-20: he is drawn and not yet laid."""
        return self.to_act is not None and any(is_knight(c) for c in self.hands[self.to_act])

    def moves(self) -> list[str]:
        assert self.to_act is not None
        found = []
        places = self.free_places()
        for card in self.hands[self.to_act]:
            if self.knight_waits() and not is_knight(card):
                continue  # KKD-20
            for x, y in places:
                found.append(f"{card}@{x},{y}")
                if not same_turned(card):
                    found.append(f"{card}r@{x},{y}")  # KKD-10
        for (x, y), laid in self.fort.items():  # KKD-31
            if not laid.standing:
                continue
            if "fireball" in self.held and not is_knight(laid.card):
                found.append(f"fireball@{x},{y}")
            if "ice" in self.held and not laid.frozen:
                found.append(f"ice@{x},{y}")
            if "poison" in self.held:
                found += [f"poison@{x},{y}:{corner}" for corner in CORNERS]
        if "silence" in self.held and not self.talk:
            found.append("silence")
        return found  # KKD-23: timeout is never listed

    def refusal(self, text: str) -> str | None:
        if self.over or self.to_act is None:
            return self.why
        if text == "timeout":
            return "KKD-07" if self.options["minutes"] == 0 else None
        if text == "silence":
            if text not in self.held:
                return "KKD-26"
            return "KKD-30" if self.talk else None
        shape = re.fullmatch(rf"(fireball|ice)@({NUMBER},{NUMBER})", text)
        if shape is None:
            shape = re.fullmatch(rf"(poison)@({NUMBER},{NUMBER}):(?:tl|tr|bl|br)", text)
        if shape is not None:
            return self.spell_refusal(shape[1], shape[2])
        shape = re.fullmatch(rf"([^r@]*)(r?)@({NUMBER},{NUMBER})", text)
        if shape is None:
            return "KKD-09"
        card, turned, place = shape[1], shape[2] == "r", shape[3]
        if card not in self.hands[self.to_act]:
            return "KKD-09"
        if turned and same_turned(card):
            return "KKD-09"  # malformed: it is written unturned only
        if self.knight_waits() and not is_knight(card):
            return "KKD-20"
        if not self.fort:
            return None if place == "0,0" else "KKD-09"  # KKD-11
        if place in [f"{x},{y}" for x, y in self.fort]:
            return "KKD-11"
        diagonal = [f"{x + i},{y + j}" for x, y in self.fort for i in (-1, 1) for j in (-1, 1)]
        return None if place in diagonal else "KKD-09"  # KKD-11

    def spell_refusal(self, spell: str, place: str) -> str | None:
        if spell not in self.held:
            return "KKD-26"
        wrong = {"fireball": "KKD-27", "ice": "KKD-28", "poison": "KKD-29"}[spell]
        targets = [laid for (x, y), laid in self.fort.items() if f"{x},{y}" == place]
        if not targets or not targets[0].standing:
            return wrong  # KKD-31
        if spell == "fireball" and is_knight(targets[0].card):
            return wrong
        if spell == "ice" and targets[0].frozen:
            return wrong
        return None

    def play(self, text: str) -> None:
        if text == "timeout" and self.refusal(text) is None:
            self.lose("KKD-23")  # the clock's move, never listed
        else:
            assert (self.refusal(text) is None) == (text in self.legal()), text
            super().play(text)

    def apply(self, text: str) -> None:
        if text == "silence":
            self.held.remove("silence")
            self.talk = True  # KKD-30
            return
        what, where = text.split("@")
        x, y = where.split(":")[0].split(",")
        place = (int(x), int(y))
        if what in SPELLS:
            self.held.remove(what)  # KKD-26
            if what == "fireball":
                self.fireball(place)
            elif what == "ice":
                self.ice(place)
            else:
                self.poison(place, where.split(":")[1])
        else:
            self.lay(what.removesuffix("r"), what.endswith("r"), place)

    # --- a turn -------------------------------------------------------------------------------

    def lay(self, card: str, turned: bool, place: Place) -> None:
        assert self.to_act is not None
        seat = self.to_act
        self.hands[seat].remove(card)
        self.put_down(card, turned, place)
        if self.ended():
            return
        if has_silence_mark(card) and self.players > 1:  # KKD-06
            self.talk = not self.talk  # KKD-13
        self.look_at(self.covered_by(place))
        if self.ended():
            return
        if not is_knight(card):  # KKD-20: after him no second alarm, no draw
            self.alarm(place)
            if self.ended():
                return
            self.draw_one(seat, card)
            if self.knight_waits():
                return  # KKD-20: the same player is to act
        self.next_turn(seat)

    def put_down(self, card: str, turned: bool, place: Place) -> None:
        """Lay a card and give it its tokens (KKD-05, KKD-12)."""
        laid = Laid(card, turned)
        self.fort[place] = laid
        if tokens_of(card) > self.supply:
            self.lose("KKD-12")  # at once; it gets none
            return
        laid.tokens = tokens_of(card)
        self.supply -= laid.tokens

    def look_at(self, places: list[Place]) -> None:
        """KKD-14: the cards the new one partly covers."""
        for place in places:  # KKD-15: corridors first
            if not self.fort[place].standing and self.danger(place) >= 6:
                self.lose("KKD-15")
                return
        self.fight(places)

    def fight(self, places: list[Place]) -> None:
        """KKD-16, KKD-22, KKD-28: which of these creatures fall."""
        thawed = False
        knight_seen = False
        for place in places:
            laid = self.fort[place]
            if laid.standing and is_knight(laid.card):
                knight_seen = True
            elif laid.standing and self.danger(place) <= 5:
                thawed = thawed or laid.frozen
                self.defeat(laid)
        if knight_seen or thawed:
            self.fight_knight()

    def fight_knight(self) -> None:
        """He falls at 5 or less, unless another frozen creature stands (KKD-28)."""
        for place, laid in self.fort.items():
            if not is_knight(laid.card) or not laid.standing or self.danger(place) > 5:
                continue
            others = [other for other in self.fort.values() if other is not laid]
            if not any(other.standing and other.frozen for other in others):
                self.defeat(laid)
                self.win()

    def defeat(self, laid: Laid) -> None:
        self.supply += laid.tokens
        laid.tokens = 0
        laid.defeated = True
        laid.frozen = False  # an empty corridor from now on

    def alarm(self, new: Place) -> None:
        """KKD-17: each creature laid earlier that has tokens loses one, all at the same time."""
        lost = False
        for place, laid in self.fort.items():
            if place != new and laid.tokens > 0:
                laid.tokens -= 1
                self.supply += 1
                lost = lost or laid.tokens == 0
        if lost:
            self.lose("KKD-17")

    def draw_one(self, seat: int, laid: str) -> None:
        if self.players == 1 and has_silence_mark(laid):
            return  # KKD-19
        if self.pile:
            self.hands[seat].append(self.draw())  # KKD-18
        elif self.knight_below:
            self.hands[seat].append(self.knight_below.pop())  # KKD-20

    def next_turn(self, seat: int) -> None:
        if not any(self.hands):
            self.lose("KKD-21")
            return
        seat = (seat + 1) % self.players
        while not self.hands[seat]:
            seat = (seat + 1) % self.players  # KKD-21: skipped
        self.to_act = seat

    # --- spells -------------------------------------------------------------------------------

    def fireball(self, place: Place) -> None:
        """KKD-27: the card leaves, nothing is checked."""
        laid = self.fort.pop(place)
        self.burnt.append(laid.card)
        self.supply += laid.tokens
        if self.poisoned in points(place).values():
            self.poisoned = None  # a poison token on its corner goes with it
        if laid.frozen:
            self.fight_knight()  # KKD-28: the last frozen one burnt

    def ice(self, place: Place) -> None:
        """KKD-28."""
        laid = self.fort[place]
        self.supply += laid.tokens
        laid.tokens = 0
        laid.frozen = True

    def poison(self, place: Place, corner: str) -> None:
        """KKD-29: both cards that share the point are weaker; a creature at 5 or less falls."""
        self.poisoned = points(place)[corner]
        self.fight([p for p in self.fort if self.poisoned in points(p).values()])

    # --- the end ------------------------------------------------------------------------------

    def win(self) -> None:
        if self.options["level"] > 0:  # KKD-26, KKD-33
            box = [spell for spell in SPELLS if spell not in self.held]
            if box:
                self.held = sorted([*self.held, self.shuffled(box)[0]])
                self.draws[-1] = 1
        self.outcome = "won"
        self.why = "KKD-22"
        self.finish_game(list(range(self.players)))

    def lose(self, clause: str) -> None:
        self.outcome = "lost"
        self.why = clause
        self.finish_game([])

    def ended(self) -> bool:
        return self.over

    def chest_points(self) -> int:
        """KKD-24: the chests of the longest chain of cards with chests."""
        left = [place for place, laid in self.fort.items() if chests(laid.card) > 0]
        best = (0, 0)  # cards, chests
        while left:
            chain = [left.pop()]
            for place in chain:  # grows while it is walked
                for other in list(left):
                    if shared(place, other) > 0:
                        left.remove(other)
                        chain.append(other)
            best = max(best, (len(chain), sum(chests(self.fort[p].card) for p in chain)))
        return best[1]

    # --- what is shown ------------------------------------------------------------------------

    def scores(self) -> list[int]:
        counts = self.options["treasure"] and self.outcome == "won"
        return [self.chest_points() if counts else 0] * self.players

    def hand(self, seat: int) -> list[str]:
        return list(self.hands[seat])

    def table(self) -> dict[str, Any]:
        fort = []
        for (x, y), laid in self.fort.items():
            entry = {"card": laid.card, "x": x, "y": y, "turned": laid.turned}
            entry |= {"tokens": laid.tokens, "defeated": laid.defeated, "frozen": laid.frozen}
            fort.append({**entry, "danger": self.danger((x, y))})
        return {
            "fort": fort,
            "pile": len(self.pile) + len(self.knight_below),
            "supply": self.supply,
            "talk": self.talk,
            "hands": [len(hand) for hand in self.hands],
            "spells": sorted(self.held),
            "level": self.options["level"],
            "outcome": self.outcome,
            "why": self.why,
        }
