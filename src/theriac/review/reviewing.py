"""The review of one record, step by step: first the curve, then the account, getting finer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from theriac import __version__
from theriac.engine.records import Floats
from theriac.engine.seeds import key_of_seed
from theriac.faults import BadOption, quote
from theriac.review.account import (
    Contrast,
    contrast,
    contrasts,
    difference_weights,
    means_and_errors,
    sum_of_contrasts,
)
from theriac.review.choices import ChoiceStudy, study_choices
from theriac.review.history import History, Moment, read_history
from theriac.review.judging import Judge
from theriac.review.playouts import EndValues, Playouts
from theriac.review.results import (
    WORDS,
    Account,
    CurvePoint,
    Decision,
    Errors,
    FromOther,
    Mistake,
    Review,
    SeatAccount,
    Stage,
    TriedMove,
    Word,
)

#: The version of the method: raise it when reviews of the same game come out differently, or are
#: written differently. Those that were stored before are then made again.
METHOD: Final = 6
#: Playouts of a review, if nothing else is said: some seconds on one core.
DEFAULT_BUDGET: Final = 800_000
#: The fewest and the most that can be asked for.
LEAST_BUDGET: Final = 1_000
MOST_BUDGET: Final = 1_000_000_000
#: Shares of the budget: for the first curve, and for finding the best moves.
_CURVE_SHARE: Final = 0.08
_SEARCH_SHARE: Final = 0.2
#: And for judging again what seem to be the largest mistakes.
_JUDGE_SHARE: Final = 0.4
#: The rest is spent in passes, each with this share of it.
_PASSES: Final = (0.15, 0.3, 0.55)
#: Playouts from each position before the curve is first shown.
_FEWEST_ROWS: Final = 2
#: States in which the moves of a choice are compared at first, if the budget allows no more.
_FEWEST_COMPARED: Final = 2
#: Playouts for the first curve, at most, if the time is limited.
_FIRST_OF_LIMITED: Final = 20_000
#: A loss is reported if it is larger than this number of standard errors.
_SIGNIFICANT: Final = 2.0
#: What is not the move of a seat.
_START: Final = -2
_DEAL: Final = -1


def review(
    record: Mapping[str, Any],
    *,
    budget: int = DEFAULT_BUDGET,
    seed: int = 0,
    seconds: float | None = None,
) -> Review:
    """Skill and luck apart for the record of a finished game; raises `Fault`.

    `budget` is the number of playouts; the same seed and budget give the same review. `seconds`
    ends it earlier, and then the result depends on how fast the machine is.
    """
    _check(budget, seed, seconds)
    return _Reviewer(read_history(record), budget, seed, seconds).last()


def review_steps(
    record: Mapping[str, Any],
    *,
    budget: int = DEFAULT_BUDGET,
    seed: int = 0,
    seconds: float | None = None,
) -> Iterator[Review]:
    """The same step by step: the curve as soon as there is one, then finer and finer accounts.

    The record and the numbers are checked at once.
    """
    _check(budget, seed, seconds)
    return _Reviewer(read_history(record), budget, seed, seconds).steps()


def sample_curve(record: Mapping[str, Any], positions: int, *, budget: int, seed: int) -> Review:
    """The chances in some positions of a game, drawn at random, and its result: a short curve.

    Half of the budget goes to playouts from the positions, half to those from their ends.
    """
    _check(budget, seed, None)
    history = read_history(record)
    history = history.thinned(positions, Random(f"{seed} {' '.join(record['moves'])}"))
    return next(_Reviewer(history, round(budget / _CURVE_SHARE), seed, None).steps())


def _check(budget: int, seed: int, seconds: float | None) -> None:
    key_of_seed(seed)
    if type(budget) is not int or not LEAST_BUDGET <= budget <= MOST_BUDGET:
        raise BadOption(
            f"budget {quote(budget)}: use a number of playouts from {LEAST_BUDGET} to {MOST_BUDGET}"
        )
    if seconds is not None and not seconds > 0:
        raise BadOption(f"seconds {quote(seconds)}: use a number above 0")


@dataclass(frozen=True)
class _Parts:
    """The contrasts that all accounts are made of."""

    fair: Contrast
    cards: Contrast
    #: For each seat, what its moves did to everybody, and what of that was decided.
    moves: list[Contrast]
    skill: list[Contrast]
    #: For each seat the moves of all others: one contrast, since they share their rows.
    others: list[Contrast]


class _Reviewer:
    """The state of a review between two steps."""

    def __init__(self, history: History, budget: int, seed: int, seconds: float | None) -> None:
        self._history = history
        self._budget = float(budget)
        self._seed = seed
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._began = time.monotonic()
        self._playouts = Playouts(history, seed)
        self._studies: list[ChoiceStudy] = []
        #: The parts that were computed last, and the values from which.
        self._known: tuple[EndValues, _Parts] | None = None

    def steps(self) -> Iterator[Review]:
        """What is known by and by; the last one is done."""
        return map(self._review, self._stages())

    def last(self) -> Review:
        """The last step, without what is known before."""
        *_, stage = self._stages()
        return self._review(stage)

    def _stages(self) -> Iterator[Stage]:
        """Each time that something new is known, the stage; the last one is done."""
        playouts, positions = self._playouts, len(self._history.moments)
        share = _CURVE_SHARE / 2 * self._budget
        # How fast the machine is shows only after the first playouts.
        first = share if self._deadline is None else min(share, _FIRST_OF_LIMITED)
        playouts.follow(max(_FEWEST_ROWS, int(first / positions)))
        self._finish(self._within(first))
        yield "curve"
        # The shares of a budget that the time does not allow would leave nothing for the last ones.
        self._budget = playouts.count + self._within(self._budget - playouts.count)
        self._studies = study_choices(
            self._history.choices, playouts, self._within(_SEARCH_SHARE * self._budget)
        )
        rest = max(0.0, (1 - _JUDGE_SHARE) * self._budget - playouts.count)
        for share in _PASSES[:-1]:
            self._refine(self._within(share * rest))
            yield "account"
        most = playouts.count + _JUDGE_SHARE * self._budget
        Judge(self._studies, playouts, lambda: self._within(most - playouts.count)).run()
        self._refine(self._within(self._budget - playouts.count))
        yield "done"

    def _within(self, wanted: float) -> float:
        """This number of playouts, or what the time that is left allows."""
        wanted = max(0.0, wanted)
        if self._deadline is None:
            return wanted
        now = time.monotonic()
        speed = self._playouts.count / max(now - self._began, 1e-6)
        return min(wanted, max(0.0, self._deadline - now) * speed)

    # More playouts

    def _refine(self, budget: float) -> None:
        """Spend playouts where they lower the errors most.

        The variance of each source falls with the playouts spent on it, so the best share of a
        source is proportional to the square root of its variance now times what was spent on it.
        """
        playouts, values = self._playouts, self._playouts.values()
        deviations = self._deviations(values)
        shares = self._best_shares(values)
        rows = int(shares[0] * budget / len(self._history.moments))
        if rows:
            playouts.follow(rows)
        self._compare(deviations, shares[1] * budget)
        self._finish(shares[2] * budget)

    def _best_shares(self, values: EndValues) -> Floats:
        """The best shares of the budget for the true positions, the choices and the ends."""
        playouts, parts = self._playouts, self._parts(values)
        seats = range(self._history.players)
        events = (parts.cards, *parts.moves)
        from_truth = sum(float(event.rows[seat]) for event in events for seat in seats)
        # Twice, because it adds to the errors of both skill and hidden luck.
        from_choices = sum(2 * float(parts.skill[seat].rows[seat]) for seat in seats)
        from_ends = sum(self._variance_from_ends(event, values) for event in events)
        spent = np.array(
            [
                playouts.ends.size,
                sum(trial.ends.size for study in self._studies for trial in study.trials),
                max(1, playouts.visits()[~playouts.is_final()].sum()),
            ]
        )
        shares = np.sqrt(np.array([from_truth, from_choices, max(from_ends, 0.0)]) * spent)
        shares = shares / shares.sum() if shares.sum() > 0 else np.array([1.0, 1.0, 0.0]) / 2
        # Every choice gets something, or no loss would ever be known.
        guaranteed = np.array([0.0, 1.0, 0.0])
        mixed: Floats = 0.8 * shares + 0.2 * guaranteed
        return mixed

    def _variance_from_ends(self, part: Contrast, values: EndValues) -> float:
        """The variance of a part that comes from the values of ends."""
        players = self._history.players
        return float((part.shared**2 @ values.variance[:, :players]).sum())

    def _deviations(self, values: EndValues) -> Floats:
        """The standard deviation of each choice, per square root of the playouts that it takes."""
        return np.array(
            [
                study.standard_deviation(values) / np.sqrt(len(study.compared) + 1)
                for study in self._studies
            ]
        )

    def _compare(self, deviations: Floats, budget: float) -> None:
        """Compare the moves of each choice in more states, in proportion to its deviation."""
        if not deviations.sum():
            return
        for study, share in zip(self._studies, deviations / deviations.sum(), strict=True):
            # One more than those compared: a slip is tried with them.
            rows = int(share * budget / (len(study.compared) + 1))
            if rows or not study.fresh:
                study.compare(self._playouts, max(_FEWEST_COMPARED, rows))

    def _finish(self, budget: float) -> None:
        """Play on from the ends that weigh most in the parts, in proportion to their weight."""
        playouts = self._playouts
        if playouts.to_the_end or budget < 1:
            return
        values = playouts.values()
        parts = self._parts(values)
        accounts = (parts.fair, parts.cards, *parts.moves, *parts.skill)
        weights = sum((each.shared**2 for each in accounts), np.zeros(playouts.end_count))
        losses = [study.loss_batches() for study in self._studies]
        for batches in filter(None, losses):
            weights += contrast(batches, values).shared ** 2
        weights += self._curve_weights()
        visits = playouts.visits()
        players = self._history.players
        wanted = np.sqrt(weights * values.per_playout[:, :players].sum(axis=1))
        if wanted.sum() > 0:
            wanted *= (visits[~playouts.is_final()].sum() + budget) / wanted.sum()
            playouts.finish(np.maximum(np.round(wanted) - visits, 0).astype(np.int64))

    def _curve_weights(self) -> Floats:
        """How much each end weighs in the curve: the mean over positions of its share squared."""
        ends, count = self._playouts.ends, self._playouts.end_count
        found = np.zeros(count)
        for column in ends.T:
            which, times = np.unique(column, return_counts=True)
            found[which] += (times / len(ends)) ** 2
        weights: Floats = found / ends.shape[1]
        return weights

    # What is known

    def _parts(self, values: EndValues) -> _Parts:
        """All parts with these values."""
        if self._known is None or self._known[0] is not values:
            self._known = values, self._compute_parts(values)
        return self._known[1]

    def _compute_parts(self, values: EndValues) -> _Parts:
        moments, players = self._history.moments, self._history.players
        kinds = np.array([_mover(moment) for moment in moments])
        by_kind = [kinds == kind for kind in (_DEAL, *range(players))]
        by_others = [(kinds >= 0) & (kinds != seat) for seat in range(players)]
        fair = np.zeros(len(moments))
        fair[0] = 1.0
        weights = np.stack([fair, *map(difference_weights, (*by_kind, *by_others))])
        found = contrasts(self._playouts.ends, weights, values)
        return _Parts(
            fair=found[0],
            cards=found[1],
            moves=found[2 : 2 + players],
            others=found[2 + players :],
            skill=[self._skill(seat, values) for seat in range(players)],
        )

    def _skill(self, seat: int, values: EndValues) -> Contrast:
        groups = [study.skill_batches() for study in self._studies if study.seat == seat]
        return sum_of_contrasts([batches for batches in groups if batches], values)

    def _review(self, stage: Stage) -> Review:
        values = self._playouts.values()
        means, errors = means_and_errors(self._playouts.ends, values)
        decisions = [self._decision(study, values) for study in self._studies]
        return Review(
            theriac=__version__,
            game=self._history.game.name,
            players=self._history.players,
            together=self._history.game.together,
            seed=self._seed,
            playouts=self._playouts.count,
            playout_moves=self._playouts.moves,
            stage=stage,
            curve=self._curve(means, errors),
            seats=[] if stage == "curve" else self._accounts(means, values),
            decisions=decisions,
            mistakes=mistakes_in(decisions),
        )

    def _curve(self, means: Floats, errors: Floats) -> list[CurvePoint]:
        players = self._history.players
        return [
            CurvePoint(
                n=moment.moves_made,
                kind=moment.kind,
                round=moment.round,
                seat=moment.seat,
                move=moment.move,
                values=means[k, :players].tolist(),
                errors=errors[k, :players].tolist(),
            )
            for k, moment in enumerate(self._history.moments)
        ]

    def _accounts(self, means: Floats, values: EndValues) -> list[SeatAccount]:
        parts, players = self._parts(values), self._history.players
        from_others = _from_others(parts, values)
        found = []
        for seat in range(players):
            own, skill = parts.moves[seat], parts.skill[seat]
            contrasts = {
                "fair": parts.fair,
                "cards": parts.cards,
                "hidden": own + -skill,
                "skill": skill,
                "others": parts.others[seat],
            }
            errors = {name: each.error(values) for name, each in contrasts.items()}
            shares, points = (
                {
                    **_parts_in_column(contrasts, errors, column),
                    "result": float(means[-1, column]),
                    "from_others": [other for other in from_others[column] if other.seat != seat],
                }
                for column in (seat, players + seat)
            )
            found.append(SeatAccount(seat=seat, points=Account(**points), **shares))
        return found

    def _decision(self, study: ChoiceStudy, values: EndValues) -> Decision:
        choice, seat = study.choice, study.seat
        text = self._history.text
        loss, error = study.loss(values)
        skill, skill_error = study.skill(values)
        tried = [
            TriedMove(text(int(choice.tried[i])), value, error, rows, i in choice.policy)
            for i, value, error, rows in study.move_values(values)
        ]
        return Decision(
            n=choice.n,
            seat=seat,
            round=self._history.moments[choice.moment].round,
            move=text(choice.made),
            best=text(int(choice.tried[study.better])),
            loss=loss,
            error=error,
            skill=skill,
            skill_error=skill_error,
            moves=sorted(tried, key=lambda move: -move.value),
        )


def _mover(moment: Moment) -> int:
    """Whose move led to a position; a number below 0 if it was none."""
    if moment.seat is not None:
        return moment.seat
    return _START if moment.kind == "start" else _DEAL


def _parts_in_column(
    contrasts: Mapping[str, Contrast], errors: Mapping[str, Floats], column: int
) -> dict[str, Any]:
    """The parts of an account and their errors, from one column of values."""
    return {
        **{name: float(each.mean[column]) for name, each in contrasts.items()},
        "errors": Errors(**{name: float(error[column]) for name, error in errors.items()}),
    }


def _from_others(parts: _Parts, values: EndValues) -> list[list[FromOther]]:
    """For each column of values, what the moves of each seat did to it."""
    by_seat = [
        np.stack([moves.mean, moves.error(values), skill.mean, skill.error(values)], axis=1)
        for moves, skill in zip(parts.moves, parts.skill, strict=True)
    ]
    return [
        [FromOther(seat, *numbers[column].tolist()) for seat, numbers in enumerate(by_seat)]
        for column in range(values.mean.shape[1])
    ]


def mistakes_in(decisions: list[Decision]) -> list[Mistake]:
    """The decisions whose loss is significant and large enough to matter, the largest first."""
    found = [
        Mistake(
            n=decision.n,
            seat=decision.seat,
            round=decision.round,
            move=decision.move,
            best=decision.best,
            loss=decision.loss,
            error=decision.error,
            word=word,
        )
        for decision in decisions
        if decision.loss > _SIGNIFICANT * decision.error and (word := word_for(decision.loss))
    ]
    return sorted(found, key=lambda mistake: -mistake.loss)


def word_for(loss: float) -> Word | None:
    """What a loss is called; None if it is too small to matter.

    >>> word_for(0.12), word_for(0.03), word_for(0.01)
    ('blunder', 'inaccuracy', None)
    """
    return next((word for word, least in WORDS.items() if loss >= least), None)
