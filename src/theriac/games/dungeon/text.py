"""Knock, Knock! Dungeon!: cards, moves and positions as text."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text
from theriac.games.dungeon.creatures import gave_alarm
from theriac.games.dungeon.fort import cell_of, danger_of
from theriac.games.dungeon.state import (
    ACTIONS,
    ALARM,
    AT_BOTTOM,
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CAST_SILENCE,
    CODE_UNIT,
    CORNERS,
    DRAWN,
    KINDS,
    LOST,
    MALFORMED,
    MIDDLE,
    MOST_CARDS,
    MOST_ON_CARD,
    NONE,
    NOWHERE,
    TIMEOUT,
    UNDECIDED,
    WON,
)

SPELL_NAMES: Final = ("fireball", "ice", "poison", "silence")
CORNER_NAMES: Final = ("tl", "tr", "bl", "br")

_FACE = re.compile(
    r"([0-9]{4})(?:t([1-9][0-9]?))?(s)?(?:c([1-9][0-9]?))?(?:L([1-4]))?(K)?", re.ASCII
)
_INTEGER = r"(0|-?[1-9][0-9]*)"
_PLACE = re.compile(r"-?[0-9]{1,3},-?[0-9]{1,3}", re.ASCII)
_LAY = re.compile(rf"([0-9][^r@]*)(r?)@{_INTEGER},{_INTEGER}", re.ASCII)
_CAST = re.compile(
    rf"(?:(fireball|ice)@{_INTEGER},{_INTEGER}|poison@{_INTEGER},{_INTEGER}:(tl|tr|bl|br))",
    re.ASCII,
)


@dataclass(frozen=True)
class Face:
    """What is on a card: KKD-02."""

    corners: tuple[int, ...]
    tokens: int
    silent: bool
    chests: int
    level: int
    knight: bool

    @property
    def same_turned(self) -> bool:
        """KKD-10: does it look the same turned by 180 degrees?"""
        return self.corners == self.corners[::-1]


def read_face(card: str) -> Face:
    """What a card's text says; raises `BadDeck`."""
    parts = _FACE.fullmatch(card)
    if not parts:
        raise BadDeck(
            f"card {quote(card)}: not one such as 0122, 0000s, 1121c2L1, 2332t3 or 4444t3K "
            f"(up to {MOST_ON_CARD} tokens or chests)",
            card,
        )
    corners = tuple(int(digit) for digit in parts[1])
    tokens, chests, level = (int(parts[i] or 0) for i in (2, 4, 5))
    return Face(corners, tokens, bool(parts[3]), chests, level, bool(parts[6]))


def place_code(x: str, y: str) -> int:
    """The part of a move's number that says where; NOWHERE for what is no place of the grid."""
    if len(x) > 4 or len(y) > 4 or (int(x) + int(y)) % 2:
        return NOWHERE
    u, v = (int(x) + int(y)) // 2, (int(x) - int(y)) // 2
    if abs(u) + abs(v) >= MOST_CARDS:
        return NOWHERE
    return (u + MIDDLE) * 128 + v + MIDDLE


def coordinates(u: int, v: int) -> tuple[int, int]:
    """The x and y of a place."""
    return u + v, u - v


class DungeonText(Text):
    """Cards are 0122 or 4444t3K; moves 0122@1,1, 0122r@1,1, fireball@1,1, poison@1,1:tl, …"""

    same_for_all = ("scores", "table", "recall")

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        if len(deck.counts) > KINDS:
            raise BadDeck(f"{len(deck.counts)} different cards: at most {KINDS}")
        self.faces = [read_face(card) for card in deck.counts]
        self.kinds = tuple(deck.counts)
        more = ("",) * (KINDS - len(self.kinds))
        self.cards = (*self.kinds, *more, *SPELL_NAMES)
        self._number = {card: kind for kind, card in enumerate(self.kinds)}
        self.knight = self._find_knight()

    def _find_knight(self) -> int:
        knights = [card for card, face in zip(self.kinds, self.faces, strict=True) if face.knight]
        if sum(self.deck.counts[card] for card in knights) != 1:
            raise BadDeck("a deck needs one Black Knight, a card with K such as 4444t3K")
        face = self.faces[self._number[knights[0]]]
        if not face.tokens or face.level:
            raise BadDeck(
                f"card {knights[0]}: the Black Knight is a creature and in no tower", knights[0]
            )
        return self._number[knights[0]]

    def remarks(self) -> list[str]:
        """Where the deck departs from KKD-01 and KKD-02."""
        found = []
        pairs = [(face, self.deck.counts[self.kinds[i]]) for i, face in enumerate(self.faces)]
        corridors = sum(n for face, n in pairs if not face.tokens)
        creatures = sum(n for face, n in pairs if face.tokens)
        if (corridors, creatures) != (41, 22):
            found.append(
                f"{corridors} empty corridors and {creatures} creatures instead of 41 and 22 "
                "(KKD-01)"
            )
        levels = {face.level for face in self.faces}
        found += [
            f"no tower card of level {level} (KKD-02)"
            for level in range(1, 5)
            if level not in levels
        ]
        if not any(face.silent for face in self.faces):
            found.append("no card with the talk/silence mark (KKD-02)")
        return found

    # Moves

    def is_pointable(self, text: str) -> bool:
        """KKD-13: a card, or a place x,y."""
        return bool(_PLACE.fullmatch(text)) or super().is_pointable(text)

    def write(self, move: int) -> str:
        """0122@1,1, 0122r@1,1, fireball@1,1, ice@1,1, poison@1,1:tl, silence or timeout."""
        if move == CAST_SILENCE:
            return "silence"
        if move == TIMEOUT:
            return "timeout"
        code = move // CODE_UNIT
        x, y = coordinates(move // 128 % 128 - MIDDLE, move % 128 - MIDDLE)
        if code < CAST_FIREBALL:
            return f"{self.cards[code // 2]}{'r' if code % 2 else ''}@{x},{y}"
        if code < CAST_POISON:
            return f"{SPELL_NAMES[code - CAST_FIREBALL]}@{x},{y}"
        return f"poison@{x},{y}:{CORNER_NAMES[code - CAST_POISON]}"

    def read(self, text: str) -> int:
        """The number of a move's text."""
        if text in ("silence", "timeout"):
            return CAST_SILENCE if text == "silence" else TIMEOUT
        if parts := _LAY.fullmatch(text):
            return self._read_card(parts)
        if parts := _CAST.fullmatch(text):
            return self._read_spell(parts)
        return MALFORMED

    def _read_card(self, parts: re.Match[str]) -> int:
        kind = self._number.get(parts[1])
        if kind is None or (parts[2] and self.faces[kind].same_turned):
            return MALFORMED
        return (2 * kind + bool(parts[2])) * CODE_UNIT + place_code(parts[3], parts[4])

    def _read_spell(self, parts: re.Match[str]) -> int:
        if parts[1]:
            code = CAST_FIREBALL if parts[1] == "fireball" else CAST_ICE
            return code * CODE_UNIT + place_code(parts[2], parts[3])
        code = CAST_POISON + CORNER_NAMES.index(parts[6])
        return code * CODE_UNIT + place_code(parts[4], parts[5])

    @functools.cached_property
    def _catalogue(self) -> npt.NDArray[np.int64]:
        codes = [
            2 * kind + turned
            for kind, face in enumerate(self.faces)
            for turned in range(1 if face.same_turned else 2)
        ]
        codes += range(CAST_FIREBALL, CAST_POISON + CORNERS)
        most = min(len(self.deck), MOST_CARDS)
        far = np.arange(1 - most, most)
        u, v = np.meshgrid(far, far, indexing="ij")
        near = abs(u) + abs(v) < most
        places = (u[near] + MIDDLE) * 128 + v[near] + MIDDLE
        laid = (np.array(codes, np.int64)[:, None] * CODE_UNIT + places).ravel()
        return np.append(laid, CAST_SILENCE)

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Each card in each way and each spell wherever a fort of these cards can reach."""
        return self._catalogue

    @property
    def actions(self) -> int:
        """Counted by hand cards and places, not by moves."""
        return ACTIONS

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """The keys of the record format."""
        return {
            "fort": [self._laid(v, i) for i in range(int(v.laid))],
            "pile": int(v.in_pile) + int(v.knight_is == AT_BOTTOM),
            "supply": int(v.supply),
            "talk": bool(v.talk),
            "hands": v.sizes[: v.players].tolist(),
            "spells": self.spells(v),
            "level": int(v.level),
            "outcome": {UNDECIDED: None, WON: "won", LOST: "lost"}[int(v.outcome)],
            "why": f"KKD-{int(v.why):02}" if v.outcome != UNDECIDED else None,
        }

    def _laid(self, v: Any, i: int) -> dict[str, Any]:
        x, y = coordinates(int(v.us[i]), int(v.vs[i]))
        return {
            "card": self.cards[v.kinds[i]],
            "x": x,
            "y": y,
            "turned": bool(v.turned[i]),
            "tokens": int(v.tokens[i]),
            "defeated": bool(v.defeated[i]),
            "frozen": bool(v.frozen[i]),
            "danger": int(danger_of(v, i)),
        }

    def recall(self, v: Any) -> dict[str, Any]:
        """What a board draws and no card shows: where cards may go, what is too much, what is due.

        `alarmed` are the cards that lost the game (KKD-15, KKD-17).
        """
        return {
            "alarm": ALARM,
            "minutes": int(v.minutes),
            "knight_is_due": bool(v.knight_is == DRAWN),
            "places": [
                self._place(int(v.place_us[k]), int(v.place_vs[k])) for k in range(int(v.places))
            ],
            "poisoned": self._poisoned(v),
            "alarmed": [
                self._place(int(v.us[i]), int(v.vs[i]))
                for i in range(int(v.laid))
                if gave_alarm(v, i)
            ],
        }

    def _place(self, u: int, v: int) -> dict[str, int]:
        x, y = coordinates(u, v)
        return {"x": x, "y": y}

    def _poisoned(self, v: Any) -> dict[str, Any] | None:
        """KKD-29: the corner that the poison token lies on."""
        for i in range(int(v.laid)):
            if v.poisoned_cell != NONE and cell_of(v, i) == v.poisoned_cell:
                corner = CORNER_NAMES[v.poisoned_corner]
                return {**self._place(int(v.us[i]), int(v.vs[i])), "corner": corner}
        return None

    def spells(self, v: Any) -> list[str]:
        """The spells held, sorted."""
        return [name for bit, name in enumerate(SPELL_NAMES) if int(v.spells) >> bit & 1]

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        return sorted(self.cards[kind] for kind in v.hand[: v.sizes[v.seat]].tolist())

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        if v.outcome != UNDECIDED:
            return "the game is over"
        match clause:
            case 7:
                return "this game has no clock"
            case 11:
                return "a card lies there already"
            case 20:
                return "the Black Knight must be laid first"
            case 26:
                return f"the spell {text.partition('@')[0]} is not held"
            case 27:
                return "fireball needs a standing creature, and not the Black Knight"
            case 28:
                return "ice needs a standing creature that is not frozen"
            case 29:
                return "poison needs a standing creature"
            case 30:
                return "the token shows talk already"
        return self._explain_card(v, text)

    def _explain_card(self, v: Any, text: str) -> str:
        parts = _LAY.fullmatch(text)
        if not parts:
            return "a move is a card and a place, such as 0122@1,1 or turned 0122r@1,1"
        if parts[1] not in self.hand(v):
            return f"{quote(parts[1])} is not in hand"
        if self.read(text) == MALFORMED:
            return f"{parts[1]} looks the same turned: write it without r"
        return "that place covers no corner of the fort, or more than one of a card"
