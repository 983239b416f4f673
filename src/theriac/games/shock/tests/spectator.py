"""What a careful player remembers of a game, and an enumeration of all deals that fit it.

Written from the words of `imagine` alone, and slow: every unseen card is tried in every place.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from theriac.games.shock.tests.table_setting import hands_held
from theriac.match import Match

#: Of each other seat: the cards in hand, those played face down this round, and the kept ones.
Held = tuple[frozenset[str], frozenset[str], frozenset[str]]
Deal = tuple[Held, ...]
#: Where an unseen card is: with a seat (played face down or not, kept or not), or undealt.
Place = tuple[int, bool, bool] | None


@dataclass
class Round:
    """What all could see in a round, and (for its owner only) what was played face down."""

    players: int
    seen: set[str] = field(default_factory=set)
    kept: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shown: list[set[str]] = [set() for _ in range(self.players)]
        self.buried: list[set[str]] = [set() for _ in range(self.players)]
        self.without: list[set[str]] = [set() for _ in range(self.players)]
        self.kept = self.kept or [0] * self.players


class Spectator:
    """Watches a table from its first card on."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.last = Round(match.players)
        self.now = Round(match.players, {match.view()["table"]["trump"]})
        self.kept_cards: list[set[str]] = [set() for _ in range(match.players)]

    def play(self, move: str) -> None:
        """Play a move, and remember what it shows."""
        before, hands, seat = self.match.view(), hands_held(self.match), self.match.to_act
        assert seat is not None
        card = move.lstrip("w~")
        if "~" in move:
            self.now.buried[seat].add(card)
        elif card in hands[seat]:
            self.now.seen.add(card)
            self.now.shown[seat].add(card)
            led = [c["card"][0] for c in before["table"]["trick"] if c["card"]]
            if led and led[0] != card[0]:
                self.now.without[seat].add(led[0])
        self.match.play(move)
        after = self.match.view()
        if after["round"] > before["round"]:
            kept = [set(hand) - {card} for hand in hands]
            if self.match.settings.given.get("simplified"):
                kept = [set() for _ in kept]
            self.kept_cards = kept
            self.last = self.now
            self.now = Round(
                self.match.players, {after["table"]["trump"]}, [len(cards) for cards in kept]
            )

    def true_deal(self, viewer: int) -> Deal:
        """The true deal."""
        hands = hands_held(self.match)
        return tuple(
            (
                frozenset(hands[seat]),
                frozenset(self.now.buried[seat]),
                frozenset(self.kept_cards[seat]),
            )
            for seat in range(self.match.players)
            if seat != viewer
        )

    def knowledge(self, viewer: int) -> Knowledge:
        """What a seat knows now about the others' cards."""
        numbers = set(self.match.dealt[0])
        mine = {*hands_held(self.match)[viewer], *self.now.buried[viewer]}
        known = self.last.seen | self.last.buried[viewer]
        sizes = self.match.view()["table"]["hands"]
        others = []
        for seat in range(self.match.players):
            if seat != viewer:
                may_keep = {
                    card for card in numbers - known if card[0] not in self.last.without[seat]
                }
                others.append(
                    Other(
                        hand=sizes[seat],
                        down=len(self.now.buried[seat]),
                        without=self.now.without[seat],
                        without_before=self.last.without[seat],
                        kept=self.now.kept[seat],
                        may_keep=may_keep,
                        shown=sorted(self.now.shown[seat] & may_keep),
                    )
                )
        return Knowledge(sorted(numbers - mine - self.now.seen), others)


@dataclass
class Other:
    """What is known of another seat: how many cards it has in hand and has played face down, which
    suits it has not and had not, how many cards it kept, which it may have kept, and which of
    those it has shown.
    """

    hand: int
    down: int
    without: set[str]
    without_before: set[str]
    kept: int
    may_keep: set[str]
    shown: list[str]


@dataclass
class Knowledge:
    """The cards that a seat has not seen this round, and what it knows of the others."""

    unseen: list[str]
    others: list[Other]

    def deals(self) -> list[Deal]:
        """All deals that fit, each once."""
        free = {(i, False): other.hand for i, other in enumerate(self.others)}
        free |= {(i, True): other.down for i, other in enumerate(self.others)}
        undealt = len(self.unseen) - sum(free.values())
        found = list(self._place_rest([], free, undealt, [other.kept for other in self.others]))
        assert len(set(found)) == len(found)
        return found

    def _places(self, card: str) -> Iterator[Place]:
        """Where an unseen card may be."""
        yield None
        for i, other in enumerate(self.others):
            if card[0] not in other.without:
                for down in (False, True):
                    yield i, down, False
                    if card in other.may_keep:
                        yield i, down, True

    def _place_rest(
        self, taken: list[Place], free: dict[tuple[int, bool], int], undealt: int, kept: list[int]
    ) -> Iterator[Deal]:
        """Try every place for the next card; when all have one, that is a deal or several."""
        if len(taken) == len(self.unseen):
            yield from self._with_shown_kept(taken, kept)
            return
        for place in self._places(self.unseen[len(taken)]):
            if place is None:
                if undealt:
                    yield from self._place_rest([*taken, None], free, undealt - 1, kept)
            elif free[place[:2]] and kept[place[0]] >= place[2]:
                less = {**free, place[:2]: free[place[:2]] - 1}
                fewer = [n - (place[2] and i == place[0]) for i, n in enumerate(kept)]
                yield from self._place_rest([*taken, place], less, undealt, fewer)

    def _with_shown_kept(self, taken: list[Place], more: list[int]) -> Iterator[Deal]:
        """The deals with these places: any cards shown may make up the number of kept ones."""
        deals: list[Deal] = [()]
        for i, other in enumerate(self.others):
            mine = [
                (card, place[1], place[2])
                for card, place in zip(self.unseen, taken, strict=True)
                if place and place[0] == i
            ]
            hand = frozenset(card for card, down, _ in mine if not down)
            buried = frozenset(card for card, down, _ in mine if down)
            kept = [card for card, _, was_kept in mine if was_kept]
            deals = [
                (*deal, (hand, buried, frozenset([*kept, *shown])))
                for deal in deals
                for shown in combinations(other.shown, more[i])
            ]
        yield from deals

    def deal_card_by_card(self, rng: random.Random) -> Deal:
        """A wrong method, for comparison: each card to any free place, which is not uniform."""
        while True:
            deal = self._try_card_by_card(rng)
            if deal is not None:
                return deal

    def _try_card_by_card(self, rng: random.Random) -> Deal | None:
        free = [i for i, other in enumerate(self.others) for _ in range(other.hand + other.down)]
        free += [len(self.others)] * (len(self.unseen) - len(free))  # undealt
        got: list[list[str]] = [[] for _ in range(len(self.others) + 1)]
        for card in self.unseen:
            places = [
                i for i in free if i == len(self.others) or card[0] not in self.others[i].without
            ]
            if not places:
                return None
            place = rng.choice(places)
            free.remove(place)
            got[place].append(card)
        deal: list[Held] = []
        for other, hidden in zip(self.others, got, strict=False):
            kept = [card for card in hidden if card in other.may_keep] + other.shown
            if len(kept) < other.kept:
                return None
            rng.shuffle(hidden)
            hand, buried = hidden[: other.hand], hidden[other.hand :]
            deal.append(
                (frozenset(hand), frozenset(buried), frozenset(rng.sample(kept, other.kept)))
            )
        return tuple(deal)
