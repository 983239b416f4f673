"""Poison: cards, moves and positions as text."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text
from theriac.games.poison.sheet import card_points, score_round, score_so_far
from theriac.games.poison.state import (
    CARDS,
    CAULDRONS,
    COLOURS,
    MALFORMED,
    MOVES,
    NO_SUCH_CARD,
    NO_SUCH_CAULDRON,
    SAFE,
    SLOTS,
    X,
)

LETTERS: Final = "RBP"
NAMES: Final = ("red", "blue", "purple")
#: POI-01: what a poison card is worth.
WORTH_OF_POISON: Final = 4

_MOVE = re.compile(r"([A-Za-z][0-9]*)@([0-9]+)", re.ASCII)
_POTION = re.compile(r"([RBP])([1-9][0-9]?)", re.ASCII)


class PoisonText(Text):
    """Cards are R1 … P7 and X; a move is R5@2."""

    same_for_all = ("scores", "table", "recall")

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        self.values = [0] * CARDS
        self.values[X] = WORTH_OF_POISON
        self.cards = self._number_cards()
        self._numbers = self.numbers()
        #: The cards as a hand shows them, and their numbers.
        in_order = sorted(self._numbers)
        self._shown = np.array(in_order, object)
        self._places = np.array([self._numbers[card] for card in in_order])
        self._moves = [
            f"{card}@{cauldron + 1}" for card in self.cards for cauldron in range(CAULDRONS)
        ]

    def _number_cards(self) -> tuple[str, ...]:
        """Give each potion the slot of its value among those of its colour."""
        values: list[list[int]] = [[] for _ in range(COLOURS)]
        for card in self.deck.counts:
            potion = _POTION.fullmatch(card)
            if potion:
                values[LETTERS.index(potion[1])].append(int(potion[2]))
            elif card != "X":
                raise BadDeck(f"card {quote(card)}: not R, B or P and a value, nor X", card)
        cards = [""] * CARDS
        for colour, found in enumerate(values):
            if len(found) > SLOTS:
                raise BadDeck(f"{NAMES[colour]} has {len(found)} different values: at most {SLOTS}")
            for slot, value in enumerate(sorted(found)):
                card = f"{LETTERS[colour]}{value}"
                if value > SAFE:
                    raise BadDeck(f"card {card}: a value is 1 to {SAFE}", card)
                cards[SLOTS * colour + slot] = card
                self.values[SLOTS * colour + slot] = value
        if "X" in self.deck.counts:
            cards[X] = "X"
        return tuple(cards)

    def remarks(self) -> list[str]:
        """Where the deck departs from POI-01."""
        found = []
        counts = self.deck.counts
        if counts.get("X", 0) != 8:
            found.append(f"{counts.get('X', 0)} poison cards instead of 8 (POI-01)")
        for letter, name in zip(LETTERS, NAMES, strict=True):
            for value in range(1, SAFE + 1):
                n, usual = counts.get(f"{letter}{value}", 0), _USUAL.get(value, 0)
                if n != usual:
                    found.append(f"{n} {name} cards of value {value} instead of {usual} (POI-01)")
        return found

    def write(self, move: int) -> str:
        """R5@2."""
        return self._moves[move]

    def read(self, text: str) -> int:
        """The number of R5@2."""
        parts = _MOVE.fullmatch(text)
        if not parts:
            return MALFORMED
        card = self._numbers.get(parts[1])
        if card is None:
            return NO_SUCH_CARD
        if parts[2] not in ("1", "2", "3"):
            return NO_SUCH_CAULDRON
        return CAULDRONS * card + int(parts[2]) - 1

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Each card in each cauldron."""
        return np.array([m for m in range(MOVES) if self.cards[m // CAULDRONS]], np.int64)

    def table(self, v: Any) -> dict[str, Any]:
        """The keys of the record format."""
        players = int(v.players)
        table: dict[str, Any] = {
            "cauldrons": [
                [self.cards[card] for card in inside[:n]]
                for inside, n in zip(v.cauldrons.tolist(), v.filled.tolist(), strict=True)
            ],
            "sums": v.sums.tolist(),
            "taken": v.taken[:players].tolist(),
            "hands": v.sizes[:players].tolist(),
            "dealer": int(v.dealer),
        }
        if v.open_piles:
            table["piles"] = self.piles(v)
        return table

    def piles(self, v: Any) -> list[list[str]]:
        """POI-13: what each seat has taken this round, in the order taken."""
        players = int(v.players)
        piles: list[list[str]] = [[] for _ in range(players)]
        brewing: list[list[str]] = [[] for _ in range(CAULDRONS)]
        seat = (int(v.dealer) + 1) % players
        for move, took in zip(v.log[: v.played].tolist(), v.took.tolist(), strict=False):
            card, cauldron = divmod(move, CAULDRONS)
            if took:
                piles[seat] += brewing[cauldron]
                brewing[cauldron] = []
            brewing[cauldron].append(self.cards[card])
            seat = (seat + 1) % players
        return piles

    def recall(self, v: Any) -> dict[str, Any]:
        """POI-01, POI-11, POI-18: what a cauldron holds, what a poison card adds, and what taken
        cards cost; with open piles also what those taken so far would cost.
        """
        known = {"limit": SAFE, "poison": WORTH_OF_POISON, "points": self._card_points}
        return known | {"so_far": score_so_far(v)} if v.open_piles else known

    @functools.cached_property
    def _card_points(self) -> dict[str, int]:
        return {letter: card_points(kind) for kind, letter in enumerate(f"{LETTERS}X")}

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        hand: list[str] = self._shown.repeat(v.hand[self._places]).tolist()
        return hand

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any]:
        """POI-15, POI-16, POI-17, POI-18: what each seat took, and its points."""
        return score_round(before, move, self)

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        parts = _MOVE.fullmatch(text)
        if clause == 20:
            return "the game is over"
        if not parts:
            return "a move is a card and a cauldron, such as R5@2"
        card, cauldron = parts[1], parts[2]
        if clause == 1:
            return f"no card {quote(card)} is in the deck"
        if clause == 2:
            return "the cauldrons are 1, 2 and 3"
        if clause == 7:
            return f"{card} is not in hand"
        if clause == 8:
            colour = LETTERS.index(card[0])
            home = v.colours.tolist().index(colour) + 1
            return f"{NAMES[colour]} is already brewing in cauldron {home}"
        return f"cauldron {cauldron} is {NAMES[v.colours[int(cauldron) - 1]]}"


_USUAL: Final = {1: 3, 2: 3, 4: 2, 5: 3, 7: 3}
