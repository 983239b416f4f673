"""Shock! and its original edition: cards, moves and positions as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text
from theriac.games.shock.poisons import times_in_middle, uncovered
from theriac.games.shock.rules import best_of_trick
from theriac.games.shock.sheet import sheet_of_end, totals_of_round
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CARDS,
    CHEST_KINDS,
    CURES,
    FACE_DOWN,
    KEEP,
    KINDS,
    MALFORMED,
    MOVES,
    NO_SUCH_CURE,
    NONE,
    NUMBERS,
    OPEN,
    OUT_MOVES,
    RANKS,
    SHOCK,
    SOBA,
    STOP,
    WITHDRAW_MOVES,
)

SUITS: Final = "HSDC"
SUIT_NAMES: Final = ("hearts", "spades", "diamonds", "clubs")
POISONS: Final = ("jellyfish", "spider", "bee", "soba")

_NUMBER = re.compile(r"([HSDC])([1-9]|10|11)", re.ASCII)
_PLAY = re.compile(r"(w~|~|)([A-Za-z][0-9]+)", re.ASCII)
#: What is asked of the seat to act, by its number (CARD, CURE, CHALLENGE).
_ASKED: Final = ("card", "potion", "chest")
_WAYS: Final = {"": 0, "~": OUT_MOVES, "w~": WITHDRAW_MOVES}


def number_of(card: str) -> int | None:
    """The number of a number card's text."""
    parts = _NUMBER.fullmatch(card)
    return RANKS * SUITS.index(parts[1]) + int(parts[2]) - 1 if parts else None


def name_of(card: int) -> str:
    """The text of a number card."""
    return f"{SUITS[card // RANKS]}{card % RANKS + 1}"


def cards_in(cards: Any) -> list[int]:
    """The number cards of a set, in ascending order."""
    return [card for card in range(NUMBERS) if (int(cards) >> card) & 1]


class ShockText(Text):
    """Number cards are H7; chest cards J3/1 and jellyfish; moves H7, w~H7, ~H7, open, stop, …"""

    same_for_all = ("table", "recall")
    marks = ("jewel", "potion", *POISONS)
    edition: ClassVar[int] = SHOCK
    jewels: ClassVar = re.compile(r"J([0-9])/([0-9])", re.ASCII)
    jewels_help: ClassVar[str] = "J3/1"

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        cards = [""] * CARDS
        self.jewels_of: list[tuple[int, int]] = [(0, 0)] * CHEST_KINDS
        found = []
        for card, n in deck.counts.items():
            number = number_of(card)
            if number is not None:
                if n > 1:
                    raise BadDeck(
                        f"card {card}: {n} of them, but a number card is there once", card
                    )
                cards[number] = card
            elif card in POISONS[:SOBA]:
                cards[NUMBERS + POISONS.index(card)] = card
            elif self.jewels.fullmatch(card):
                found.append(card)
            else:
                raise BadDeck(
                    f"card {quote(card)}: not one such as H7, jellyfish, {self.jewels_help}", card
                )
        if len(found) > CHEST_KINDS - SOBA:
            raise BadDeck(f"{len(found)} different jewel cards: at most {CHEST_KINDS - SOBA}")
        for kind, card in enumerate(sorted(found), SOBA):
            cards[NUMBERS + kind] = card
            self.jewels_of[kind] = self._read_jewels(card)
        self.cards = tuple(cards)
        self._moves = self._write_all()
        self._numbers = {text: move for move, text in self._moves.items()}

    def _read_jewels(self, card: str) -> tuple[int, int]:
        parts = self.jewels.fullmatch(card)
        assert parts is not None
        return int(parts[1]), int(parts[2]) if len(parts.groups()) > 1 else 0

    def _write_all(self) -> dict[int, str]:
        moves = {
            way + card: prefix + name_of(card)
            for prefix, way in _WAYS.items()
            for card in range(NUMBERS)
        }
        moves |= {OPEN: "open", STOP: "stop", KEEP: "keep"}
        return moves | {CURES + kind: f"cure:{name}" for kind, name in enumerate(POISONS)}

    # The deck

    def remarks(self) -> list[str]:
        """Where the deck departs from SHK-01, SHK-04 and SHK-05."""
        found = []
        numbers = sum(1 for card in self.cards[:NUMBERS] if card)
        if numbers != NUMBERS:
            found.append(f"{numbers} number cards instead of {NUMBERS} (SHK-01)")
        usual, clause, name = self._usual_chest()
        counts = {kind: self.deck.counts.get(kind, 0) for kind in POISONS[:SOBA]}
        found += [
            f"{n} {kind} cards instead of 2 ({clause})" for kind, n in counts.items() if n != 2
        ]
        others = sum(self.deck.counts.get(card, 0) for card in self.cards[NUMBERS + SOBA :] if card)
        if others != usual:
            found.append(f"{others} {name} instead of {usual} ({clause})")
        return found

    def _usual_chest(self) -> tuple[int, str, str]:
        return 18, "SHK-04", "jewel cards"

    # Moves

    def write(self, move: int) -> str:
        """H7, w~H7, ~H7, open, stop, cure:bee or keep."""
        return self._moves[move]

    def write_public(self, move: int) -> str:
        """w~ or ~ for a card face down, which is never shown (SHK-34)."""
        if OUT_MOVES <= move < OPEN:
            return "w~" if move >= WITHDRAW_MOVES else "~"
        return self.write(move)

    def read(self, text: str) -> int:
        """The number of a move's text."""
        otherwise = NO_SUCH_CURE if text.startswith("cure:") else MALFORMED
        return self._numbers.get(text, otherwise)

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Each number card in each way, and what is said without a card."""
        return np.array([m for m in range(MOVES) if m >= OPEN or self.cards[m % NUMBERS]], np.int64)

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """The keys of the record format."""
        seats = range(int(v.players))
        return {
            "trump": self.cards[v.trump],
            "leader": None if v.leader == NONE else int(v.leader),
            "trick": [
                {
                    "seat": int(v.trick_seats[i]),
                    "card": None if v.trick_cards[i] == FACE_DOWN else self.cards[v.trick_cards[i]],
                    "jewels": int(v.trick_jewels[i]),
                }
                for i in range(int(v.in_trick))
            ],
            "in_round": [bool(v.in_round[seat]) for seat in seats],
            "on_bag": v.on_bag[: v.players].tolist(),
            "front": [self._row(v.front[seat], v.front_sizes[seat]) for seat in seats],
            "covered": [self._row(v.covered[seat], v.covered_sizes[seat]) for seat in seats],
            "middle": [POISONS[kind] for kind in v.middle[: v.in_middle].tolist()],
            "hands": v.sizes[: v.players].tolist(),
            "chest_left": int(v.chest_left),
        }

    def _row(self, cards: Any, size: Any) -> list[str]:
        return [self.cards[card] for card in cards[:size].tolist()]

    def recall(self, v: Any) -> dict[str, Any]:
        """What the cards show, what is asked, and what a careful player remembers of the round."""
        marked = {"jewel": v.with_jewel, "potion": v.with_potion}
        marked |= dict(zip(POISONS, v.with_poison.tolist(), strict=True))
        return {
            "marks": {mark: [name_of(card) for card in cards_in(marked[mark])] for mark in marked},
            "asked": _ASKED[v.phase],
            "winner": None if v.last_winner == NONE else int(v.last_winner),
            "best": self._best(v),
            "blood": [self._blood(v, seat) for seat in range(int(v.players))],
            "opened": int(v.opened),
            "poison_jewels": int(v.large[0]),
            "voids": [
                [suit for i, suit in enumerate(SUITS) if (voids >> i) & 1]
                for voids in v.voids[: v.players].tolist()
            ],
            "revealed": {
                self.cards[NUMBERS + kind]: n for kind, n in enumerate(v.chest_seen.tolist()) if n
            },
        }

    def _best(self, v: Any) -> int | None:
        """SHK-15: the seat whose card wins the trick as it lies now."""
        place = best_of_trick(v)
        return None if place == NONE else int(v.trick_seats[place])

    def _blood(self, v: Any, seat: int) -> list[str]:
        """SHK-19: the poisons that a seat still in has, each as often as it has it."""
        if not v.in_round[seat]:
            return []
        times = [uncovered(v, seat, kind) + times_in_middle(v, kind) for kind in range(KINDS)]
        return [POISONS[kind] for kind in range(KINDS) for _ in range(times[kind])]

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        return sorted(self.cards[card] for card in cards_in(v.hand))

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any]:
        """SHK-38: how the round ended for each seat."""
        return sheet_of_end(before, after, move, self.cards)

    def round_sheet(self, seen: Sequence[Any], moves: Sequence[int]) -> dict[str, Any]:
        """SHK-38: the same, with what the whole round brought each seat."""
        sheet = self.sheet(seen[-2], seen[-1], moves[-1])
        seats = zip(sheet["seats"], totals_of_round(seen, moves), strict=True)
        return {**sheet, "seats": [last | whole for last, whole in seats]}

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        parts = _PLAY.fullmatch(text)
        card = parts[2] if parts else text
        if clause == 45:
            return "the game is over"
        if clause == 13:
            return f"{SUIT_NAMES[v.lead_suit]} was led and is in hand: it must be followed"
        if clause == 12:
            return f"{quote(card)} is not in hand" if parts else "a move is a card, such as H7"
        if clause == 33:
            if text[0] == "w":
                return "only a player who is in can withdraw"
            return "a player who is in plays face up, or withdraws"
        if clause == 34:
            return "a player who is out plays face down"
        if clause in (27, 32):
            return self._explain_chest(text)
        if clause == 23:
            return "no such poison lies uncovered in front"
        return "nothing is to be cured now" if not v.phase else "say which poison is to be covered"

    def _explain_chest(self, text: str) -> str:
        if text in ("open", "stop"):
            return "there is nothing to reveal now"
        return "open another chest card, or stop"


class AnaphylaxisText(ShockText):
    """The same, but with doors instead of the chest: J2."""

    edition = ANAPHYLAXIS
    jewels = re.compile(r"J([0-9])", re.ASCII)
    jewels_help = "J2"

    def _usual_chest(self) -> tuple[int, str, str]:
        return 6, "SHK-05", "doors with jewels only"
