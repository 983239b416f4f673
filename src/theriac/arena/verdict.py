"""Who is better and how sure that is, in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from theriac.arena.differences import ERROR_RATE, Comparison, Difference, best_bot
from theriac.arena.results import ArenaResults

#: Below this, a p-value is not written out.
_LEAST_P_VALUE = 0.001


def verdict(results: ArenaResults) -> list[str]:
    """The sentences: of two bots, who is better; of more, who is best, or leads."""
    if not results.comparisons:
        return []
    if len(results.comparisons) == 1:
        return list(_sentences(results.comparisons[0], results.together))
    bots = results.schedule.bots
    best = best_bot(bots, results.comparisons)
    if best:
        return [f"{best} is better than every other bot here.{_caution(results)}"]
    leader = max(results.bots, key=lambda bot: bot.rating.rating if bot.rating else -math.inf)
    rivals = [
        each.plain.other if each.plain.bot == leader.name else each.plain.bot
        for each in results.comparisons
        if leader.name in (each.plain.bot, each.plain.other)
        and not (each.plain.decided and each.plain.better == leader.name)
    ]
    names = rivals[0] if len(rivals) == 1 else f"{', '.join(rivals[:-1])} or {rivals[-1]}"
    return [f"{leader.name} leads, but it is not decided that it is better than {names}."]


def _caution(results: ArenaResults) -> str:
    if results.comparisons[0].plain.always_valid:
        return f" The error rate of this sentence is at most {_percent(ERROR_RATE)}."
    pairs = len(results.comparisons)
    return f" Each of the {pairs} comparisons has an error rate of {_percent(ERROR_RATE)}."


def _sentences(comparison: Comparison, together: bool) -> Iterator[str]:
    plain, reduced = comparison.plain, comparison.reduced
    deals = "1 deal" if plain.deals == 1 else f"{plain.deals} deals"
    if plain.always_valid and plain.decided:
        yield f"Decided after {deals}: {_who_is_better(plain, together)}."
        yield (
            f"The 95 % interval is {_interval(plain)} and holds however often one looks: equal "
            f"bots are called unequal in at most {_percent(ERROR_RATE)} of runs."
        )
        return
    # One of the two judges, and which was clear beforehand: else they would err more often.
    judged, note = plain, ""
    if reduced and not plain.always_valid:
        judged, note = reduced, ", with luck taken out"
    if plain.deals < 2:
        yield f"{deals} cannot tell who is better: play more games."
    elif judged.decided:
        yield f"{_who_is_better(judged, together)}{note}. {_how_sure(judged)}"
    else:
        yield (
            f"After {deals} it is not decided who is better: {_ahead(judged, together)}{note} "
            f"(95 % interval {_interval(judged)})."
        )


def _who_is_better(difference: Difference, together: bool) -> str:
    worse = difference.other if difference.better == difference.bot else difference.bot
    much = _percent(abs(difference.mean.mean))
    of = "games" if together else "win"
    return (
        f"{difference.better} is better than {worse}: on the same deals it gets {much} more "
        f"of the {of}"
    )


def _ahead(difference: Difference, together: bool) -> str:
    if not difference.mean.mean:
        return "both get the same"
    of = "games" if together else "win"
    return f"{difference.better} gets {_percent(abs(difference.mean.mean))} more of the {of}"


def _how_sure(difference: Difference) -> str:
    p_value = difference.p_value
    rarely = "fewer than 1" if p_value < _LEAST_P_VALUE else f"{1000 * p_value:.2g}"
    return (
        f"The 95 % interval is {_interval(difference)}; equal bots would differ that much in "
        f"{rarely} of 1,000 such runs."
    )


def _interval(difference: Difference) -> str:
    """The interval, seen from the bot that is ahead."""
    low, high = difference.mean.low, difference.mean.high
    if difference.better != difference.bot:
        low, high = -high, -low
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
