"""What a finished game was like: its length, its choices, who led, which decisions mattered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

import msgspec
import numpy as np

from theriac.arena.plan import Study, derive
from theriac.arena.standing import direction
from theriac.engine.records import records
from theriac.match import Match

#: Of the legal moves of a decision, at most so many are tried out.
MOST_TRIED = 8


class Studied(msgspec.Struct):
    """One game: moves made, those with a choice, legal moves in all, lead changes, swings.

    A swing is how much a decision could matter: the win share of the best move less that of a
    random one.
    """

    moves: int
    choices: int
    legal: int
    lead_changes: int
    swings: list[float]


class GlassTable(Match):
    """A table where moves can be tried out. STATE stays inside: only shares of the win come out."""

    def try_out(self, moves: Sequence[int], playouts: int, seed: int) -> np.ndarray:
        """The share of the seat to act after each move and random play: a row a playout.

        In a game that all win or lose together it is the share of all.
        """
        engine, seat = self._engine, self.to_act
        states, chance, room = records(self.game.shape.state, 1), engine.chance(), engine.moves()
        scores = np.zeros(self.game.shape.players, np.int64)
        results = np.zeros(self.game.shape.players, np.float64)
        shares = np.zeros((playouts, len(moves)))
        for row, column in np.ndindex(*shares.shape):
            states[0] = self._g
            engine.forget_packs(chance)
            # The same chance for all moves of a row: they differ by the move alone.
            engine.seed_stream(chance.random, seed, row)
            engine.play(states[0], moves[column])
            engine.playout(states[0], chance, room)
            engine.write_scores(states[0], self.players, scores, results)
            own = results[: self.players]
            shares[row, column] = own.sum() if self.game.together else own[seat]
        return shares


def study(match: Match, asked: Study) -> Studied:
    """Look at a finished game again."""
    glass = _again(match)
    legal, scores = [], [_scores(glass)]
    for move in match.moves:
        legal.append(len(glass.legal_numbers()))
        glass.play(move)
        scores.append(_scores(glass))
    choices = [i for i, n in enumerate(legal) if n > 1]
    assert match.seed is not None
    chance = Random(derive("study", match.seed.hex()))
    chosen = sorted(chance.sample(choices, min(asked.decisions, len(choices))))
    return Studied(
        moves=len(legal),
        choices=len(choices),
        legal=sum(legal),
        lead_changes=count_lead_changes(scores, direction(scores[-1], match.results())),
        swings=_swings(match, chosen, asked.playouts, chance),
    )


def count_lead_changes(scores: Sequence[Sequence[int]], sign: int) -> int:
    """How often another seat is alone in front than the last that was.

    >>> count_lead_changes([[0, 0], [2, 0], [2, 2], [2, 3], [4, 3]], 1)
    2
    """
    leaders = []
    for row in scores:
        best = max(sign * score for score in row)
        in_front = [seat for seat, score in enumerate(row) if sign * score == best]
        if len(in_front) == 1:
            leaders.append(in_front[0])
    return sum(a != b for a, b in itertools.pairwise(leaders))


def swing(shares: np.ndarray) -> float:
    """How much better the best move is than a random one.

    Half of the playouts say which is best, the other half how good it is: the best of many noisy
    numbers would look better than it is.
    """
    half = len(shares) // 2
    first, second = shares[:half].mean(axis=0), shares[half:].mean(axis=0)
    return float(second[first.argmax()] - second.mean())


def _swings(match: Match, chosen: Sequence[int], playouts: int, chance: Random) -> list[float]:
    glass, swings = _again(match), []
    for number, move in enumerate(match.moves[: max(chosen, default=-1) + 1]):
        if number in chosen:
            legal = glass.legal_numbers()
            tried = chance.sample(legal, min(MOST_TRIED, len(legal)))
            swings.append(round(swing(glass.try_out(tried, playouts, chance.getrandbits(31))), 6))
        glass.play(move)
    return swings


def _again(match: Match) -> GlassTable:
    return GlassTable(match.game, match.settings.given, seed=match.seed)


def _scores(match: Match) -> list[int]:
    scores: list[int] = match.look(None).scores[: match.players].tolist()
    return scores
