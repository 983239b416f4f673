"""One game in play: its shuffles, its history, and what each viewer may see.

The full STATE stays in `Match` and its base class `Position`. Everyone else gets VIEWs.

>>> import theriac
>>> match = theriac.new("poison", players=4, first=0, seed=bytes(32))
>>> match.to_act
1
>>> match.play(match.legal()[0])
>>> len(match.moves)
1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from theriac import seal
from theriac.engine.contract import NATURE, NO_MOVE, NOBODY, SPECTATOR
from theriac.engine.rule import Speed
from theriac.faults import BadDeal, Fault, NothingToDeal, Refused, quote
from theriac.game import Game, Text
from theriac.game.position import Position, scores_in

#: The parts of a view that may be the same from every viewpoint: see `Text.same_for_all`.
_PARTS = ("scores", "table", "recall")


class ShuffleSource:
    """The order of the cards in shuffle k: the k-th written deal, else the seed's k-th shuffle."""

    def __init__(
        self, text: Text, clause: str, seed: bytes | None, deals: Sequence[Sequence[str]]
    ) -> None:
        self._text = text
        self._note = f" ({clause})" if clause else ""
        self._seed = seed
        self._deals = deals
        self._numbers = text.numbers()

    def order(self, number: int, counts: Sequence[int]) -> list[int]:
        """The card numbers of shuffle `number` (from 1), first drawn first.

        `counts` has for each card the number of copies that this shuffle covers.
        """
        if number <= len(self._deals):
            return self._written(number, counts)
        if self._seed is None:
            raise BadDeal(
                f"shuffle {number} has neither a deal nor a seed: give one of them{self._note}"
            )
        cards = [card for card, n in enumerate(counts) for _ in range(n)]
        return [cards[i] for i in seal.shuffle(self._seed, number, len(cards))]

    def _written(self, number: int, counts: Sequence[int]) -> list[int]:
        left = list(counts)
        order = []
        for card in self._deals[number - 1]:
            if card not in self._numbers:
                self._refuse(number, f"{quote(card)} is not a card of this deck")
            left[self._numbers[card]] -= 1
            order.append(self._numbers[card])
        wrong = [
            f"{self._text.cards[card]} is {'missing' if n > 0 else 'extra'}{_times(abs(n))}"
            for card, n in enumerate(left)
            if n
        ]
        if wrong:
            self._refuse(number, ", ".join(wrong))
        return order

    def _refuse(self, number: int, why: str) -> None:
        raise BadDeal(f"deal {number}: {quote(why, 300)}{self._note}")


def _check_seed(seed: object) -> None:
    if not isinstance(seed, bytes) or len(seed) != 32:
        raise Fault(f"seed {quote(seed)}: a seed is 32 bytes, such as bytes.fromhex(...)")


def _times(n: int) -> str:
    return f" ({n} times)" if n > 1 else ""


class _RoundStart(NamedTuple):
    """The STATE when a round began, how many moves had been made, and the cards drawn so far."""

    memory: npt.NDArray[np.uint8]
    moves: int
    drawn: list[int]


class Match(Position):
    """One game in play, from its options to its end.

    Moves are texts. Cards come from written deals or from a seed.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        *,
        seed: bytes | None = None,
        deals: Sequence[Sequence[str]] = (),
        speed: Speed | None = None,
    ) -> None:
        if seed is not None:
            _check_seed(seed)
        first = None
        if seed is not None and options.get("players") in game.players:
            first = seal.first_seat(seed, options["players"])
        super().__init__(game, game.settings(options, first), speed)
        self.seed = seed
        self.deals = [list(deal) for deal in deals]
        self.moves: list[str] = []
        self.dealt: list[list[str]] = []
        #: Where the current round began; the last whole round, from its start; the VIEWs of a
        #: spectator before and after the move that ended it, and the move; and its sheet.
        self._round_start: _RoundStart | None = None
        self._whole_round: tuple[_RoundStart, list[str]] | None = None
        self._round_end: tuple[Any, Any, int] | None = None
        self._sheet: dict[str, Any] | None = None
        #: The seconds on the game's own clock; None if it has none.
        self.time_limit = int(game.rule("time_limit")(self.settings.options)) or None
        #: The number of rounds of a whole game; None where only the play decides it.
        self.round_count = int(game.rule("round_count")(self.settings.options)) or None
        clock_move = int(game.rule("clock_move")())
        #: The move that the game's own clock makes when the time is up; None without a clock.
        self.clock_move = None if clock_move == NO_MOVE else self.text.write(clock_move)
        #: The parts of a view that differ between viewpoints, beside `hand` and `legal`.
        self._own_parts = [part for part in _PARTS if part not in self.text.same_for_all]
        clause = game.clause(game.shuffle_clause)
        self._shuffles = ShuffleSource(self.text, clause, seed, self.deals)
        #: For each shuffle the order of its cards, and how many of them have been drawn.
        self._orders: list[npt.NDArray[np.int16]] = []
        self._drawn: list[int] = []
        self._deal_cards()
        self._keep_round_start()

    # Playing

    @property
    def drawn(self) -> int:
        """The number of cards dealt or revealed so far."""
        return sum(self._drawn)

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the game is over."""
        actor = self.actor
        return None if actor == NOBODY else actor

    def out_of_turn(self) -> list[str]:
        """The legal moves that a seat may make while another seat is to act, sorted."""
        if "out_of_turn" not in self.game.rules:
            return []
        legal = self.legal_numbers()
        return sorted(self.text.write(move) for move in legal if self._may_interrupt(move))

    def may_act(self, seat: int, text: str) -> bool:
        """Is it this seat's turn, or is the move one that may be made out of turn?"""
        return seat == self.to_act or self._may_interrupt(self.text.read(text))

    def _may_interrupt(self, move: int) -> bool:
        return bool(self.game.rule("out_of_turn")(self._g, move))

    @property
    def silence(self) -> str | None:
        """The id of the clause that forbids the players to talk now; None if they may."""
        if "silence" not in self.game.rules:
            return None
        return self._clause_id(self.game.rule("silence")(self.look(None)))

    @property
    def end_clause(self) -> str | None:
        """The id of the clause that ended the game, where several clauses can end it."""
        return self._clause_id(self.game.rule("end_clause")(self.look(None)))

    def _clause_id(self, number: int) -> str | None:
        return self.game.clause(int(number)) if number else None

    def refusal(self, text: str, by: int | None = None) -> Refused | None:
        """Why this move would be refused now; None if it is legal. Nothing changes.

        The reason says only what the seat to act may know, or the seat `by`.

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.refusal(match.legal()[0]) is None
        True
        >>> str(match.refusal("R3@1"))
        'R3@1: no card R3 is in the deck (POI-01)'
        """
        clause = int(self._engine.refuse_at(self._states, 0, self.text.number_of(text)))
        return self._refused(text, clause, self.actor if by is None else by) if clause else None

    def play(self, text: str, by: int | None = None) -> None:
        """Play a move, or raise `Refused` and change nothing.

        The reason says only what the seat to act may know, or the seat `by`.

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.play("R3@1")
        Traceback (most recent call last):
        theriac.faults.Refused: R3@1: no card R3 is in the deck (POI-01)
        """
        now = self._now
        before, rounds = self._memory.copy(), int(now.rounds)
        clause = self._engine.step_at(self._states, 0, self.text.number_of(text))
        if clause:
            raise self._refused(text, int(clause), self.actor if by is None else by)
        shuffles, drawn = len(self._orders), list(self._drawn)
        try:
            self._deal_cards()
        except (BadDeal, NothingToDeal):
            self._memory[:] = before
            self._drawn = drawn
            del self._orders[shuffles:], self.dealt[shuffles:]
            raise
        self.moves.append(text)
        ended = int(now.rounds) != rounds or self.over
        if ended and type(self.text).sheet is not Text.sheet:
            self._keep_round_end(before)

    def _keep_round_start(self) -> None:
        if type(self.text).round_sheet is not Text.round_sheet:
            self._round_start = _RoundStart(self._memory.copy(), len(self.moves), list(self._drawn))

    def _keep_round_end(self, before: npt.NDArray[np.uint8]) -> None:
        """The last move ended a round: keep what `sheet` needs of it."""
        states = before.view(self._states.dtype)
        self._engine.see_at(states, 0, SPECTATOR, self._views)
        seen = self._v.copy()
        move = self.text.read(self.moves[-1])
        self._round_end, self._sheet = (seen, self.look(SPECTATOR).copy(), move), None
        if self._round_start is not None:
            self._whole_round = (self._round_start, self.moves[self._round_start.moves :])
            self._keep_round_start()

    @property
    def sheet(self) -> dict[str, Any] | None:
        """The score sheet of the last round that ended; None before, or if the game has none."""
        if self._sheet is None and self._round_end is not None:
            self._sheet = self._make_sheet(self._round_end)
        return self._sheet

    def _make_sheet(self, round_end: tuple[Any, Any, int]) -> dict[str, Any] | None:
        if self._whole_round is None:
            return self.text.sheet(*round_end)
        start, moves = self._whole_round
        numbers = [self.text.read(move) for move in moves]
        return self.text.round_sheet(self._views_of_round(start, numbers), numbers)

    def _views_of_round(self, start: _RoundStart, moves: Sequence[int]) -> list[Any]:
        """A spectator's VIEWs of a round, which is played again; the position stays as it is."""
        now, drawn = self._memory.copy(), self._drawn
        untouched = [0] * (len(self._orders) - len(start.drawn))
        self._memory[:], self._drawn = start.memory, start.drawn + untouched
        try:
            seen = [self.look(SPECTATOR).copy()]
            for move in moves:
                self._engine.step_at(self._states, 0, move)
                self._deal_cards()
                seen.append(self.look(SPECTATOR).copy())
        finally:
            self._memory[:], self._drawn = now, drawn
        return seen

    def _deal_cards(self) -> None:
        """Deal until a player is to act or the game is over."""
        self._shuffle_piles()
        while self.actor == NATURE:
            k = int(self._now.shuffles[self._now.pile]) - 1
            if k < 0 or self._drawn[k] == len(self._orders[k]):
                raise NothingToDeal(self.game.name, shuffled=k >= 0)
            self._drawn[k] = int(
                self._engine.deal_at(self._states, 0, self._orders[k], self._drawn[k])
            )
            self._shuffle_piles()

    def _shuffle_piles(self) -> None:
        """Make the shuffles that the game has asked for since the last call."""
        asked = self._now.shuffles.tolist()
        if max(asked) <= len(self._orders):
            return
        for number, pile in sorted((number, pile) for pile, number in enumerate(asked)):
            if number > len(self._orders):
                order = self._shuffles.order(number, self._count_pile(pile).tolist())
                self._orders.append(np.array(order, np.int16))
                self._drawn.append(0)
                self.dealt.append([self.text.cards[card] for card in order])

    # What viewers see

    def spectate(self) -> dict[str, Any]:
        """The view of somebody without a seat: what everybody knows.

        >>> import theriac
        >>> theriac.new("poison", players=3, first=0, seed=bytes(32)).spectate()["legal"]
        []
        """
        return self.view_from(SPECTATOR)

    def recall(self, seat: int | None = None) -> dict[str, Any]:
        """What else a careful player knows (see `Text.recall`) at this seat, or as SPECTATOR.

        None: what the referee knows.

        >>> import theriac
        >>> match = theriac.new("shock", players=3, first=0, seed=bytes(32))
        >>> match.recall(seat=1)["asked"]
        'card'
        """
        if type(self.text).recall is Text.recall:
            return {}
        self.look(seat)
        return self.text.recall(self._seen)

    def common_view(self) -> dict[str, Any]:
        """What `view_from` has in common from every viewpoint: with `own_view` it is the whole.

        The key `recalled` is what `recall` returns, if that is anything.
        """
        actor = self.actor
        view: dict[str, Any] = {
            "game": self.game.name,
            "over": actor == NOBODY,
            "to_act": None if actor == NOBODY else actor,
            "round": int(self._now.rounds),
            "winners": self.winners() if actor == NOBODY else [],
        }
        if self.text.same_for_all:
            self.look(SPECTATOR)
            self._add_seen(view, self.text.same_for_all)
        return view

    def own_view(self, viewpoint: int) -> dict[str, Any]:
        """What `view_from` has only from this viewpoint, a seat or SPECTATOR."""
        view: dict[str, Any] = {"legal": self.legal() if viewpoint == self.actor else []}
        if viewpoint == SPECTATOR and not self._own_parts:
            return view
        self._engine.see_at(self._states, 0, viewpoint, self._views)
        if self._own_parts:
            self._add_seen(view, self._own_parts)
        if viewpoint != SPECTATOR:
            view["hand"] = self.text.hand(self._seen)
        return view

    def _add_seen(self, view: dict[str, Any], parts: Sequence[str]) -> None:
        """Add parts to a view, from the VIEW of the last look."""
        if "scores" in parts:
            view["scores"] = scores_in(self._seen, self.players)
        if "table" in parts:
            view["table"] = self.text.table(self._seen)
        if "recall" in parts and (recalled := self.text.recall(self._seen)):
            view["recalled"] = recalled

    def record(self) -> dict[str, Any]:
        """The game record (`docs/record.md`)."""
        record: dict[str, Any] = {
            "theriac": 1,
            "game": self.game.name,
            "options": dict(self.settings.given),
        }
        if self.seed is not None:
            record["seed"] = self.seed.hex()
        if self.deals:
            record["deals"] = self.deals
        record["moves"] = list(self.moves)
        return record
