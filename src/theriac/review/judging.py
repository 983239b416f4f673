"""Mistakes judged again, by playouts with a plan (`engine.planning`).

By the reference policy a move looks bad if the policy continues badly after it. So the decisions
that seem to cost most are judged again: players look ahead for a few moves after the one compared.
It is a race: all that seem to matter first, then the largest of them with more playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from theriac.review.choices import ChoiceStudy
from theriac.review.playouts import EndValues, Playouts
from theriac.review.results import WORDS

#: The stages of the race: how many decisions are judged, and with which share of the budget.
_STAGES: Final = ((16, 0.4), (5, 0.6))
#: The share of the playouts of a move that grow its plan; the others follow it.
_GROWING_SHARE: Final = 0.5
_FEWEST_PLAYOUTS: Final = 32


def judge(
    studies: Sequence[ChoiceStudy], playouts: Playouts, budget: Callable[[float], float]
) -> None:
    """Judge the decisions that seem to cost most; `budget` says what a share of it allows."""
    for most, share in _STAGES:
        doubtful = _costliest(studies, playouts, most)
        allowed = budget(share)
        per_study = allowed / max(1, len(doubtful))
        for study in doubtful:
            _judge_one(study, playouts, per_study / len(study.contenders))


def _judge_one(study: ChoiceStudy, playouts: Playouts, per_move: float) -> None:
    if per_move < _FEWEST_PLAYOUTS:
        return
    columns = study.contenders
    simulations = int(_GROWING_SHARE * per_move)
    ends = playouts.plan(study.choice, columns, simulations, int(per_move) - simulations)
    study.take_planned(columns, ends, playouts.values())


def _costliest(studies: Sequence[ChoiceStudy], playouts: Playouts, most: int) -> list[ChoiceStudy]:
    """The decisions that may cost most, if their loss may be large enough to matter."""
    values = playouts.values()
    highest = [_highest_loss(study, values) for study in studies]
    order = np.argsort(-np.array(highest), kind="stable")[:most]
    return [studies[i] for i in order if highest[i] > min(WORDS.values())]


def _highest_loss(study: ChoiceStudy, values: EndValues) -> float:
    """How much a decision may have cost.

    The best move by few playouts may be a wrong one; what the policy plays is a second witness.
    """
    loss, error = study.loss(values)
    if study.planned is not None:
        return loss + 2 * error
    skill, skill_error = study.skill(values)
    return max(loss + error, skill_error - skill)
