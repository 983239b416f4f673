"""The playouts of one review: which ends they reached, and what the ends are worth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from theriac.bots.guided import guide_of
from theriac.bots.network_choice import shipped_network
from theriac.engine.guided_search import GuidedBuffers
from theriac.engine.records import Floats, Ints
from theriac.engine.search import NO_LIMIT, SearchBuffers
from theriac.engine.valuation import (
    PAYOFF,
    POINTS,
    POINTS_SQUARED,
    EndTable,
    ValuationBuffers,
)
from theriac.review.end_model import estimate_points, estimate_shares, model_shares
from theriac.review.history import Choice, History

Ends = npt.NDArray[np.int32]

#: How often the reference policy slips. As the bots that people meet vary more than heuristics do,
#: chances would be too bold without slips: `bench.calibration` measures them.
SLIP: Final = 0.25
#: Where the network plays on, all seats but the one that had the choice draw their moves at this
#: temperature. That is a strong player still, but not one that always has the same answer.
TEMPERATURE: Final = 4.0
_FIRST_CAPACITY = 1 << 14
#: If playouts reach more different ends than this fraction of their number, ends are hardly shared.
#: Then stopping at them saves something only if the model of their values is right: if positions
#: valued by the model alone are off by no more than this. Else playouts run to the end of the game.
_MAX_UNSHARED: Final = 0.4
_MODEL_ERROR: Final = 0.01
#: No seat, and no moves.
_NONE = -1
_NO_MOVES: Final = np.zeros(0, np.intp)


@dataclass(frozen=True)
class EndValues:
    """For each end the mean results, the variances of these means, and those of one playout.

    There are two columns per seat: all shares of the win come first, then all points.
    """

    mean: Floats
    variance: Floats
    per_playout: Floats

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats]:
        """All three."""
        return self.mean, self.variance, self.per_playout


class Playouts:
    """All playouts of a review. The same seed gives the same playouts in the same order."""

    def __init__(self, history: History, seed: int, slip: float = SLIP) -> None:
        self._game = history.game
        self._engine = history.game.engine()
        self._players = history.players
        self._table = EndTable.of(self._game.shape, self._players, _FIRST_CAPACITY)
        self._buffers = ValuationBuffers.of(self._game.shape, slip)
        self._starts = np.array(history.states)
        self._ages = np.array([moment.moves_made for moment in history.moments], np.int64)
        self._limits = np.array(history.limits, np.int64)
        self._seed = seed
        network = shipped_network(history.game, history.settings)
        self._guide = guide_of(history.game, history.settings, network) if network else None
        if self._guide:
            search = SearchBuffers.of(self._game.shape)
            self._guided = GuidedBuffers.of(search, self._guide.network)
        #: Rounds that a playout lasts; 0: to the end of the game.
        self._rounds = 1
        #: The number of playouts so far; a move of the network counts as one.
        self.count = 0
        #: The end that each playout (row) reached from each position (column).
        self.ends: Ends = np.zeros((0, len(self._starts)), np.int32)
        #: The number of states imagined so far for each choice, by the number of its move; by its
        #: negative, those from which the network played on.
        self._imagined: dict[int, int] = {}
        #: The values that were computed last, and the number of playouts then.
        self._known: tuple[int, EndValues] | None = None

    @property
    def end_count(self) -> int:
        """The number of different ends reached."""
        return int(self._table.counts.ends)

    @property
    def moves(self) -> int:
        """The number of moves played in all playouts."""
        return int(self._table.counts.moves)

    @property
    def to_the_end(self) -> bool:
        """Does every playout run to the end of the game?"""
        return self._rounds == 0

    def follow(self, rows: int) -> None:
        """Play from every position `rows` times more."""
        if not len(self.ends):
            self._start(rows)
            return
        self.ends = np.vstack([self.ends, self._follow(rows, len(self.ends))])

    def _start(self, rows: int) -> None:
        """The first playouts show whether ends are shared, or else well known by their model."""
        first = self._follow(rows, 0)
        if self.end_count > _MAX_UNSHARED * first.size and self._model_error(first) > _MODEL_ERROR:
            self._rounds = 0
            first = self._follow(rows, 0)
        self.ends = first

    def _model_error(self, ends: Ends) -> float:
        """How far the values of positions are off if the model alone values their ends.

        All ends are played on from, as often as they were reached. A position's mean of what that
        brings, less what the model says, has a known variance if the model is right; what is above
        it is the model's error.
        """
        self.finish(np.where(self.is_final(), 0, np.bincount(ends.ravel())))
        table = self._table
        off, variance = (np.zeros((self.end_count, self._players)) for _ in range(2))
        for which in self._ends_by_round():
            visits, sums = table.visits[which], table.sums[which, :, PAYOFF]
            model = model_shares(visits, sums, table.prospects[which])
            off[which] = sums / visits[:, None] - model
            variance[which] = model * (1 - model) / visits[:, None]
        above = np.zeros(self._players)
        for column in ends.T:
            found, times = np.unique(column, return_counts=True)
            weights = times / len(column)
            above += (weights @ off[found]) ** 2 - weights**2 @ variance[found]
        return float(np.sqrt(max(0.0, above.mean() / ends.shape[1])))

    def _follow(self, rows: int, first: int) -> Ends:
        found = np.zeros((rows, len(self._starts)), np.int32)
        key = self._key("truth")
        limits = np.full_like(self._limits, NO_LIMIT) if self.to_the_end else self._limits
        done = 0
        while done < rows:
            done += self._engine.follow_all(
                self._starts,
                self._ages,
                limits,
                key,
                first + done,
                self._table,
                self._buffers,
                found[done:],
            )
            self._grow_if_full()
        self.count += found.size
        return found

    def imagine(
        self,
        choice: Choice,
        columns: npt.NDArray[np.intp],
        rows: int,
        in_turn: npt.NDArray[np.intp] = _NO_MOVES,
    ) -> Ends:
        """Imagine `rows` more states that the seat's view allows; try each of these moves in each.

        If there are moves `in_turn`, one of them is tried in each state, too: the last column.
        Nothing but the view goes in: what the seat could not know has no influence.
        """
        found = np.zeros((rows, len(columns) + bool(len(in_turn))), np.int32)
        key, first = self._key(f"choice {choice.n}"), self._imagined.get(choice.n, 0)
        done = 0
        while done < rows:
            done += self._engine.imagine_and_follow_all(
                choice.view,
                choice.tried[columns],
                choice.tried[in_turn],
                choice.n - 1,
                key,
                first + done,
                self._rounds,
                self._table,
                self._buffers,
                found[done:],
            )
            self._grow_if_full()
        self._imagined[choice.n] = first + rows
        self.count += found.size
        return found

    # By the network

    @property
    def has_network(self) -> bool:
        """Is there a network that plays this game?"""
        return self._guide is not None

    def rate(self, choice: Choice, columns: npt.NDArray[np.intp], rows: int) -> Floats:
        """What the network expects after each of these moves, without playouts: means over states.

        In shares of the win of the seat (of a team: of all).
        """
        assert self._guide is not None
        ratings = np.zeros((rows, len(columns)))
        self._engine.imagine_and_rate(
            choice.view,
            choice.tried[columns],
            self._key(f"rating {choice.n}"),
            0,
            self._guide,
            self._buffers,
            self._guided,
            ratings,
        )
        self.count += ratings.size
        means: Floats = ratings.mean(axis=0)
        return means * self._players if self._game.together else means

    @property
    def ways(self) -> int:
        """In how many ways `imagine_well` can go on after a move."""
        return 2 if self._guide else 1

    def imagine_well(
        self, choice: Choice, columns: npt.NDArray[np.intp], ways: npt.NDArray[np.intp], rows: int
    ) -> Ends:
        """Like `imagine`, but where there is a network, it plays on, in one of two ways.

        In the first it plays all seats, in the second all but the one that had the choice, which
        plays by the reference policy. `ways` says for each column which it is, the first ones
        first. A move of the network takes about as long as a playout by the policy, and counts as
        one.
        """
        if self._guide is None:
            return self.imagine(choice, columns, rows)
        first, moves_before = self._imagined.get(-choice.n, 0), self.moves
        found = [
            self._follow_network(choice, columns[ways == way], rows, first, simple_seat)
            for way, simple_seat in enumerate((_NONE, choice.seat))
        ]
        self._imagined[-choice.n] = first + rows
        self.count += self.moves - moves_before
        return np.hstack(found)

    def _follow_network(
        self, choice: Choice, columns: npt.NDArray[np.intp], rows: int, first: int, simple_seat: int
    ) -> Ends:
        assert self._guide is not None
        found = np.zeros((rows, len(columns)), np.int32)
        key, done = self._key(f"network {choice.n}"), 0
        while done < rows:
            done += self._engine.imagine_and_follow_network(
                choice.view,
                choice.tried[columns],
                choice.n - 1,
                key,
                first + done,
                self._rounds,
                self._guide,
                simple_seat,
                TEMPERATURE,
                self._table,
                self._buffers,
                self._guided,
                found[done:],
            )
            self._grow_if_full()
        return found

    def finish(self, times: Ints) -> None:
        """Play on from each end, as often as `times` says."""
        which = np.flatnonzero(times)
        self._engine.finish_all(which, times[which], self._key("end"), self._table, self._buffers)
        self.count += int(times.sum())

    def visits(self) -> Ints:
        """How often each end has been played to the end of the game."""
        return self._table.visits[: self.end_count]

    def is_final(self) -> npt.NDArray[np.bool_]:
        """Which ends are final results."""
        final: npt.NDArray[np.bool_] = self._table.rows[: self.end_count, -1] == 1
        return final

    def values(self) -> EndValues:
        """The value of each end: first every seat's share of the win, then every seat's points."""
        if self._known is None or self._known[0] != self.count:
            self._known = self.count, self._compute_values()
        return self._known[1]

    def _compute_values(self) -> EndValues:
        count, table = self.end_count, self._table
        found = EndValues(*(np.zeros((count, 2 * self._players)) for _ in range(3)))
        final = self.is_final()
        found.mean[final, : self._players] = table.sums[:count][final, :, PAYOFF]
        found.mean[final, self._players :] = table.sums[:count][final, :, POINTS]
        for ends in self._ends_by_round():
            self._value_round(ends, found)
        # All of a team have equal shares: each member's account is that of the whole win.
        unit = self._players if self._game.together else 1
        found.mean[:, : self._players] *= unit
        found.variance[:, : self._players] *= unit**2
        found.per_playout[:, : self._players] *= unit**2
        return found

    def _ends_by_round(self) -> Iterator[npt.NDArray[np.intp]]:
        """The ends that are not final results, of one round after the other."""
        rounds, is_open = self._table.rounds[: self.end_count], ~self.is_final()
        for number in np.unique(rounds[is_open]):
            yield np.flatnonzero(is_open & (rounds == number))

    def _value_round(self, ends: npt.NDArray[np.intp], found: EndValues) -> None:
        """Fill in the values of the ends of one round."""
        table = self._table
        visits, sums = table.visits[ends], table.sums[ends]
        shares = estimate_shares(visits, sums[:, :, PAYOFF], table.prospects[ends])
        points = estimate_points(
            visits, sums[:, :, POINTS], sums[:, :, POINTS_SQUARED], table.points[ends]
        )
        for columns, estimate in (
            (slice(self._players), shares),
            (slice(self._players, None), points),
        ):
            found.mean[ends, columns] = estimate.mean
            found.variance[ends, columns] = estimate.variance
            found.per_playout[ends, columns] = estimate.per_playout

    def _key(self, purpose: str) -> int:
        """A key of random numbers, different for each purpose."""
        digest = hashlib.sha256(f"theriac review 1 {self._seed} {purpose}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)

    def _grow_if_full(self) -> None:
        """Double the table when it is full."""
        table, capacity = self._table, len(self._table.rows)
        if self.end_count < capacity:
            return
        larger = EndTable.of(self._game.shape, self._players, 2 * capacity)
        larger.rows[:capacity] = table.rows
        larger.visits[:capacity] = table.visits
        larger.sums[:capacity] = table.sums
        larger.rounds[:capacity] = table.rounds
        larger.prospects[:capacity] = table.prospects
        larger.points[:capacity] = table.points
        larger.counts.ends, larger.counts.moves = table.counts.ends, table.counts.moves
        self._engine.rehash_all(larger)
        self._table = larger
