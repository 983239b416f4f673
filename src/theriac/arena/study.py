"""Studies a finished game: its length, its choices, lead changes, and which decisions mattered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

import msgspec
import numpy as np

from theriac.arena.schedule import StudyConfig, derive
from theriac.arena.standings import score_direction
from theriac.engine.records import records
from theriac.match import Match

#: At most this many legal moves of a decision are tried out.
MAX_MOVES_TRIED = 8


class GameStudy(msgspec.Struct):
    """One game: its moves, those with a choice, legal moves in total, lead changes, swings.

    The swing of a decision is the win share of the best move less that of a random one.
    """

    moves: int
    choices: int
    legal: int
    lead_changes: int
    swings: list[float]


class PlayoutMatch(Match):
    """A match that can try out moves. It shows nothing of its STATE but win shares."""

    def playout_shares(self, moves: Sequence[int], playouts: int, seed: int) -> np.ndarray:
        """The win share of the seat to act after each move and random play: a row per playout.

        In a game that all win or lose together, it is the share of all seats.
        """
        engine, seat = self._engine, self.to_act
        states, chance, legal = records(self.game.shape.state, 1), engine.chance(), engine.moves()
        scores = np.zeros(self.game.shape.players, np.int64)
        results = np.zeros(self.game.shape.players, np.float64)
        shares = np.zeros((playouts, len(moves)))
        for row, column in np.ndindex(*shares.shape):
            states[0] = self._g
            engine.forget_packs(chance)
            # All moves of a row have the same random numbers: only the move differs.
            engine.seed_stream(chance.random, seed, row)
            engine.play(states[0], moves[column])
            engine.playout(states[0], chance, legal)
            engine.write_scores(states[0], self.players, scores, results)
            of_seats = results[: self.players]
            shares[row, column] = of_seats.sum() if self.game.together else of_seats[seat]
        return shares


def study_game(match: Match, config: StudyConfig) -> GameStudy:
    """Replay a finished game and study it."""
    replay = _replay(match)
    legal, scores = [], [_scores(replay)]
    for move in match.moves:
        legal.append(len(replay.legal_numbers()))
        replay.play(move)
        scores.append(_scores(replay))
    choices = [i for i, count in enumerate(legal) if count > 1]
    assert match.seed is not None
    random = Random(derive("study", match.seed.hex()))
    sample = sorted(random.sample(choices, min(config.decisions, len(choices))))
    return GameStudy(
        moves=len(legal),
        choices=len(choices),
        legal=sum(legal),
        lead_changes=count_lead_changes(scores, score_direction(scores[-1], match.results())),
        swings=_swings(match, sample, config.playouts, random),
    )


def count_lead_changes(scores: Sequence[Sequence[int]], direction: int) -> int:
    """How often the sole leader differs from the sole leader before.

    >>> count_lead_changes([[0, 0], [2, 0], [2, 2], [2, 3], [4, 3]], 1)
    2
    """
    leaders = []
    for row in scores:
        best = max(direction * score for score in row)
        leading = [seat for seat, score in enumerate(row) if direction * score == best]
        if len(leading) == 1:
            leaders.append(leading[0])
    return sum(a != b for a, b in itertools.pairwise(leaders))


def swing(shares: np.ndarray) -> float:
    """How much better the best move is than a random one.

    Half of the playouts select the best move, the other half evaluate it: the maximum of noisy
    means is biased upwards.
    """
    half = len(shares) // 2
    first, second = shares[:half].mean(axis=0), shares[half:].mean(axis=0)
    return float(second[first.argmax()] - second.mean())


def _swings(match: Match, sample: Sequence[int], playouts: int, random: Random) -> list[float]:
    replay, swings = _replay(match), []
    for number, move in enumerate(match.moves[: max(sample, default=-1) + 1]):
        if number in sample:
            legal = replay.legal_numbers()
            tried = random.sample(legal, min(MAX_MOVES_TRIED, len(legal)))
            shares = replay.playout_shares(tried, playouts, random.getrandbits(31))
            swings.append(round(swing(shares), 6))
        replay.play(move)
    return swings


def _replay(match: Match) -> PlayoutMatch:
    """The same deal from its start."""
    return PlayoutMatch(match.game, match.settings.given, seed=match.seed)


def _scores(match: Match) -> list[int]:
    scores: list[int] = match.look(None).scores[: match.players].tolist()
    return scores
