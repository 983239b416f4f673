"""Reviews of many records: on all cores of this machine, or on a Ray cluster.

Each record is reviewed on one core, with the same seed: the result does not depend on where.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from theriac.engine.cpu_batch import available_cores
from theriac.faults import Fault
from theriac.record import BadMove
from theriac.review.results import Review
from theriac.review.reviewing import review, review_steps, sample_curve

#: Records handed out in advance, per process.
_AHEAD = 2
_MAX_RETRIES = 3


class Call(NamedTuple):
    """One record to review."""

    record: dict[str, Any]
    budget: int
    seed: int
    curve_only: bool
    positions: int | None


#: A review, or what is wrong with the record.
Answer = Review | str


def review_each(
    records: Iterable[dict[str, Any]],
    *,
    budget: int,
    seed: int,
    jobs: int | None = None,
    on: str = "here",
    curve_only: bool = False,
    positions: int | None = None,
) -> Iterator[Review]:
    """The review of each record, in their order; raises `Fault` with the number of the record.

    `curve_only`: without accounts and mistakes, for a small part of the budget. `positions`: only
    the chances in that many positions, drawn at random, and the result.
    """
    calls = (Call(record, budget, seed, curve_only, positions) for record in records)
    answers = _on_ray(calls, jobs) if on == "ray" else _here(calls, jobs or available_cores())
    for number, answer in enumerate(answers, 1):
        if isinstance(answer, str):
            raise Fault(f"record {number}{answer}")
        yield answer


def _answer(call: Call) -> Answer:
    """The review of one record. Faults do not travel between processes as they are."""
    try:
        if call.positions is not None:
            return sample_curve(call.record, call.positions, budget=call.budget, seed=call.seed)
        if call.curve_only:
            return next(review_steps(call.record, budget=call.budget, seed=call.seed))
        return review(call.record, budget=call.budget, seed=call.seed)
    except BadMove as fault:
        return f", {fault}"
    except Fault as fault:
        return f": {fault}"


def _here(calls: Iterator[Call], jobs: int) -> Iterator[Answer]:
    if jobs == 1:
        yield from map(_answer, calls)
        return
    waiting: deque[Any] = deque()
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        try:
            for call in calls:
                waiting.append(pool.submit(_answer, call))
                if len(waiting) >= _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise Fault(
                "a process that reviewed games has ended: is there enough memory?"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _on_ray(calls: Iterator[Call], jobs: int | None) -> Iterator[Answer]:
    """One task per record; Ray runs a task again elsewhere if its machine is lost."""
    # Ray warns of a change that only concerns machines with GPUs.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    task: Any = ray.remote(num_cpus=1, max_retries=_MAX_RETRIES)(_answer)
    most = _AHEAD * (jobs or int(ray.cluster_resources().get("CPU", 1)))
    waiting: deque[Any] = deque()
    for call in calls:
        waiting.append(task.remote(call))
        if len(waiting) >= most:
            yield ray.get(waiting.popleft())
    while waiting:
        yield ray.get(waiting.popleft())
