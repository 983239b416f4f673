"""One match: seats, history, views. The full STATE goes no further than this file.

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
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac import seal
from theriac.engine.contract import NATURE, NO_MOVE, NOBODY, REFEREE, SPECTATOR, UNKNOWN
from theriac.engine.records import Records, State, View, as_plain, records
from theriac.engine.rule import Speed
from theriac.faults import BadDeal, Fault, Refused, quote
from theriac.game import Game, Settings, Text


class Shuffles:
    """Where the cards of one game come from: written deals first, else a seed."""

    def __init__(
        self, text: Text, clause: str, seed: bytes | None, deals: Sequence[Sequence[str]]
    ) -> None:
        self._text = text
        self._clause = clause
        self._seed = seed
        self._deals = deals
        self._numbers = text.numbers()

    def order(self, number: int, counts: Sequence[int]) -> list[int]:
        """The cards of shuffle `number` (from 1), first drawn first, as card numbers."""
        if number <= len(self._deals):
            return self._written(number, counts)
        if self._seed is None:
            raise BadDeal(
                f"shuffle {number}: neither a deal nor a seed says the order of its cards "
                f"({self._clause})"
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
        raise BadDeal(f"deal {number}: {quote(why, 300)} ({self._clause})")


def _times(n: int) -> str:
    return f" ({n} times)" if n > 1 else ""


class Fields:
    """The fields of a record as plain arrays over the same memory, by name.

    Reading an attribute of NumPy's own records costs more than playing a move.
    """

    def __init__(self, row: Any) -> None:
        plain = np.asarray(row)
        for name in plain.dtype.names or ():
            setattr(self, name, plain[name].reshape(plain[name].shape[1:]))


def tell(
    game: Game, settings: Settings, v: Any, legal: Sequence[str], winners: Sequence[int]
) -> dict[str, Any]:
    """What `theriac replay --json` prints, from a VIEW (its `Fields` will do)."""
    scores = v.scores[: settings.players].tolist()
    over = int(v.to_act) == NOBODY
    return {
        "game": game.name,
        "over": over,
        "to_act": None if over else int(v.to_act),
        "round": int(v.rounds),
        "scores": [None if score == UNKNOWN else score for score in scores],
        "winners": list(winners),
        "legal": list(legal),
        "table": settings.text.table(v),
    }


class Match:
    """A match of one game, from its options to its end."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        *,
        seed: bytes | None = None,
        deals: Sequence[Sequence[str]] = (),
        speed: Speed | None = None,
    ) -> None:
        if seed is not None and len(seed) != 32:
            raise Fault(f"a seed is 32 bytes, not {len(seed)}")
        first = None
        if seed is not None and options.get("players") in game.players:
            first = seal.first_seat(seed, options["players"])
        self.game = game
        self.settings = game.settings(options, first)
        self.seed = seed
        self.deals = [list(deal) for deal in deals]
        self.moves: list[str] = []
        self.dealt: list[list[str]] = []
        self._round_end: tuple[Any, Any, int] | None = None
        self._sheet: dict[str, Any] | None = None
        self._engine = game.engine(speed)
        self.speed = self._engine.speed
        self._text = self.settings.text
        clause = game.clause(game.shuffle_clause)
        self._shuffles = Shuffles(self._text, clause, seed, self.deals)
        # As plain arrays: compiled code takes those six times as fast as NumPy's own record arrays.
        self._states: Records[State] = as_plain(records(game.shape.state, 1))
        self._views: Records[View] = as_plain(records(game.shape.view, 1))
        self._g, self._v = self._states[0], self._views[0]
        self._memory = self._states.view(np.uint8)
        self._now: Any = Fields(self._states)
        self._seen: Any = Fields(self._views)
        self._orders: list[npt.NDArray[np.int16]] = []
        self._drawn: list[int] = []
        self._engine.setup(self._g, self.settings.options)
        self._feed()

    # Playing

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.settings.players

    @property
    def drawn(self) -> int:
        """How many cards nature has dealt or revealed."""
        return sum(self._drawn)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return int(self._now.to_act) == NOBODY

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the game is over."""
        return None if self.over else int(self._now.to_act)

    def legal(self) -> list[str]:
        """The legal moves of the seat to act, each text once, sorted by code point."""
        return sorted(self._text.write(move) for move in self.legal_numbers())

    def out_of_turn(self) -> list[str]:
        """The legal moves that a seat may make while another seat is to act, sorted."""
        if "out_of_turn" not in self.game.rules:
            return []
        legal = self.legal_numbers()
        return sorted(self._text.write(move) for move in legal if self._may_interrupt(move))

    def may_act(self, seat: int, text: str) -> bool:
        """Is it this seat's turn, or is the move one that may be made out of turn?"""
        return seat == self.to_act or self._may_interrupt(self._text.read(text))

    def _may_interrupt(self, move: int) -> bool:
        return bool(self.game.rule("out_of_turn")(self._g, move))

    @property
    def silence(self) -> str | None:
        """The id of the clause that forbids the players to talk now; None if they may."""
        return self._clause_id(self.game.rule("silence")(self.look(None)))

    @property
    def end_clause(self) -> str | None:
        """The id of the clause that ended the game, where a game can end by more than one."""
        return self._clause_id(self.game.rule("end_clause")(self.look(None)))

    def _clause_id(self, number: int) -> str | None:
        return self.game.clause(int(number)) if number else None

    @property
    def time_limit(self) -> int | None:
        """The seconds that the game's own clock gives; None without a clock."""
        return int(self.game.rule("time_limit")(self.settings.options)) or None

    @property
    def clock_move(self) -> str | None:
        """The move that the game's own clock makes when the time is up; None without a clock."""
        move = int(self.game.rule("clock_move")())
        return None if move == NO_MOVE else self._text.write(move)

    def legal_numbers(self) -> list[int]:
        """The legal moves of the seat to act, as numbers."""
        if self.over:
            return []
        room = self._engine.moves()
        n = self._engine.list_at(self._states, 0, room)
        moves: list[int] = room[:n].tolist()
        return moves

    def refusal(self, text: str, by: int | None = None) -> Refused | None:
        """Why this move would be refused now; None if it is legal. Nothing changes.

        The reason is written from what the seat to act sees, or the seat `by`.

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.refusal(match.legal()[0]) is None
        True
        >>> str(match.refusal("R3@1"))
        'R3@1: no card R3 is in the deck (POI-01)'
        """
        clause = int(self._engine.refuse_at(self._states, 0, self._text.read(text)))
        return self._refused(text, clause, by) if clause else None

    def _refused(self, text: str, clause: int, by: int | None) -> Refused:
        view = self.look(self.to_act if by is None else by)
        return Refused(text, self._text.explain(view, text, clause), self.game.clause(clause))

    def play(self, text: str, by: int | None = None) -> None:
        """Play a move for the seat to act, or raise `Refused`, changing nothing.

        The reason is written from what that seat sees, or the seat `by`.

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.play("R3@1")
        Traceback (most recent call last):
        theriac.faults.Refused: R3@1: no card R3 is in the deck (POI-01)
        """
        before = self._memory.copy()
        clause = self._engine.step_at(self._states, 0, self._text.read(text))
        if clause:
            raise self._refused(text, int(clause), by)
        asked, drawn = len(self._orders), list(self._drawn)
        try:
            self._feed()
        except BadDeal:
            self._memory[:] = before
            self._drawn = drawn
            del self._orders[asked:], self.dealt[asked:]
            raise
        self.moves.append(text)
        if type(self._text).sheet is not Text.sheet:
            self._note_round_end(before)

    def _note_round_end(self, before: npt.NDArray[np.uint8]) -> None:
        """Remember the VIEWs around the last move, if it ended a round."""
        states = before.view(self._states.dtype)
        if self.over or self._now.rounds != states[0]["rounds"]:
            self._engine.see_at(states, 0, SPECTATOR, self._views)
            seen = self._v.copy()
            move = self._text.read(self.moves[-1])
            self._round_end, self._sheet = (seen, self.look(SPECTATOR).copy(), move), None

    @property
    def sheet(self) -> dict[str, Any] | None:
        """What the score of the last round that ended is made of, where the game keeps a sheet."""
        if self._sheet is None and self._round_end is not None:
            self._sheet = self._text.sheet(*self._round_end)
        return self._sheet

    def _feed(self) -> None:
        """Give nature her cards until a player is to act or the game is over."""
        self._open_shuffles()
        while int(self._now.to_act) == NATURE:
            k = int(self._now.shuffles[self._now.pile]) - 1
            self._drawn[k] = int(
                self._engine.deal_at(self._states, 0, self._orders[k], self._drawn[k])
            )
            self._open_shuffles()

    def _open_shuffles(self) -> None:
        """Make the shuffles that the game has asked for."""
        asked = self._now.shuffles.tolist()
        if max(asked) <= len(self._orders):
            return
        for number, pile in sorted((number, pile) for pile, number in enumerate(asked)):
            if number > len(self._orders):
                counts = np.zeros(self.game.shape.cards, np.int16)
                self._engine.list_pile(self._g, pile, counts)
                order = self._shuffles.order(number, counts.tolist())
                self._orders.append(np.array(order, np.int16))
                self._drawn.append(0)
                self.dealt.append([self._text.cards[card] for card in order])

    # Looking

    def look(self, seat: int | None) -> Any:
        """The VIEW record of a seat (None: of the referee). It is overwritten by the next look."""
        self._engine.see_at(self._states, 0, REFEREE if seat is None else seat, self._views)
        return self._v

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What `theriac replay --json` prints: the referee's view, or that of a seat.

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.view()["table"]["hands"]
        [12, 13, 13]
        >>> len(match.view(seat=1)["hand"])
        13
        """
        if seat is not None and not 0 <= seat < self.players:
            raise Fault(f"seat {seat}: there are seats 0 to {self.players - 1}")
        self.look(seat)
        legal = self.legal() if seat is None or seat == self.to_act else []
        view = tell(self.game, self.settings, self._seen, legal, self.winners())
        if seat is not None:
            view["hand"] = self._text.hand(self._seen)
        return view

    def spectate(self) -> dict[str, Any]:
        """The same for one who has no seat: what everybody knows.

        >>> import theriac
        >>> theriac.new("poison", players=3, first=0, seed=bytes(32)).spectate()["legal"]
        []
        """
        self.look(SPECTATOR)
        return tell(self.game, self.settings, self._seen, [], self.winners())

    def recall(self, seat: int | None = None) -> dict[str, Any]:
        """What else a careful player knows who looks from there (see `Text.recall`).

        >>> import theriac
        >>> match = theriac.new("shock", players=3, first=0, seed=bytes(32))
        >>> match.recall(seat=1)["asked"]
        'card'
        """
        self.look(seat)
        return self._text.recall(self._seen)

    def winners(self) -> list[int]:
        """The seats that have won, ascending; none until the game is over."""
        if not self.over:
            return []
        return [seat for seat, share in enumerate(self.results()) if share > 0]

    def results(self) -> list[float]:
        """Each seat's share of the win; zeros until the game is over."""
        scores = np.zeros(self.game.shape.players, np.int64)
        results = np.zeros(self.game.shape.players, np.float64)
        self._engine.write_scores(self._g, self.players, scores, results)
        shares: list[float] = results[: self.players].tolist()
        return shares

    def record(self) -> dict[str, Any]:
        """The game record: what a replay page loads and `theriac replay` reads."""
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
