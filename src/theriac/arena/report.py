"""The report of an arena or a lab: one HTML file without scripts, which loads nothing else.

The templates are in the folder `templates`; this file computes what they show.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from theriac.arena import plots
from theriac.arena.differences import Difference
from theriac.arena.metrics import METRICS, Variant
from theriac.arena.ratings import Rating
from theriac.arena.results import ArenaResults, BotResult
from theriac.arena.schedule import Schedule
from theriac.arena.statistics import Estimate, estimate_share
from theriac.arena.verdict import verdict
from theriac.game import as_typed, find
from theriac.review.pages import render

_BOX_CAPTION = (
    "A box spans the quartiles, with a line at the median and a diamond at the mean; whiskers "
    "reach from the 5th to the 95th percentile."
)


class Table(NamedTuple):
    """A table of the report; `head` may be empty."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Figure(NamedTuple):
    """A plot of the report."""

    title: str
    svg: Markup
    caption: str = ""


def arena_report(results: ArenaResults, run: Mapping[str, str]) -> str:
    """The report of an arena. `run` says when, where and by which version it was written."""
    schedule = results.schedule
    several = results.by_players if len(results.by_players) > 1 else {}
    reasons = [[bot, why, str(count)] for bot, why, count in results.forfeit_reasons()]
    return render(
        "theriac.arena",
        "arena.html",
        title=f"{', '.join(schedule.bots)} at {find(schedule.game).title}",
        results=results,
        verdict=verdict(results),
        bots=_bots_table(results.bots),
        times=_times_table(results.bots),
        by_players={players: _bots_table(bots) for players, bots in several.items()},
        matrix=_matrix(results),
        reduced=_reduced_table(results),
        figures=list(_arena_figures(results)) if plots.has_plots() else [],
        forfeits=Table(["bot", "what it did", "games"], reasons),
        setup=_setup_table(schedule, results.specs, run),
    )


def lab_report(schedule: Schedule, variants: Sequence[Variant], run: Mapping[str, str]) -> str:
    """The report of a lab."""
    return render(
        "theriac.arena",
        "lab.html",
        title=f"{find(schedule.game).title} in the lab",
        schedule=schedule,
        variants=_variants_table(variants),
        won=_won_table(variants),
        figures=list(_lab_figures(schedule, variants)) if plots.has_plots() else [],
        setup=_setup_table(schedule, {bot: bot for bot in schedule.bots}, run),
    )


# Numbers as text


def format_share(value: float) -> str:
    """A share in per cent."""
    return "–" if math.isnan(value) else f"{100 * value:.1f} %"


def format_mean(mean: Estimate) -> str:
    """A mean and the half-width of its interval: 12.3 ± 0.4."""
    margin = "" if math.isnan(mean.low) else f" ± {(mean.high - mean.low) / 2:.2g}"
    return "–" if math.isnan(mean.mean) else f"{mean.mean:.3g}{margin}"


def _format_interval(share: Estimate) -> str:
    return f"{format_share(share.low)} to {format_share(share.high)}"


def _format_rating(bot: BotResult) -> str:
    """A rating and its interval: +120 (+80 to +160)."""
    rating = bot.rating
    if rating is None:
        return ""
    return f"{rating.rating:+.0f}{_rating_interval(rating)}"


def _rating_interval(rating: Rating) -> str:
    if math.isnan(rating.low) or (math.isinf(rating.low) and math.isinf(rating.high)):
        return ""
    if math.isinf(rating.high):
        return f" (from {rating.low:+.0f})"
    if math.isinf(rating.low):
        return f" (up to {rating.high:+.0f})"
    return f" ({rating.low:+.0f} to {rating.high:+.0f})"


def _format_difference(difference: Difference, bot: str) -> str:
    """How much more a bot gets than the other, in per cent of the win: +12.3 % (+8 to +16)."""
    sign = 1 if bot == difference.bot else -1
    if math.isnan(difference.mean.mean):
        return "–"
    low, high = sorted(100 * sign * end for end in (difference.mean.low, difference.mean.high))
    star = "*" if difference.decided else ""
    return f"{100 * sign * difference.mean.mean:+.1f} % ({low:+.0f} to {high:+.0f}){star}"


# Tables


def _bots_table(bots: Sequence[BotResult]) -> Table:
    columns: dict[str, list[str]] = {
        "bot": [bot.name for bot in bots],
        "games": [str(bot.games) for bot in bots],
        "wins": [f"{bot.wins:.4g}" for bot in bots],
        "win share": [format_share(bot.share.mean) for bot in bots],
        "95 %": [_format_interval(bot.share) for bot in bots],
        "fair share": ["" if bot.fair is None else format_share(bot.fair) for bot in bots],
        "mean score": [f"{bot.mean_score:.2f}" for bot in bots],
        "rating": [_format_rating(bot) for bot in bots],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    return Table(list(shown), list(zip(*shown.values(), strict=True)))


def _times_table(bots: Sequence[BotResult]) -> Table:
    return Table(
        ["bot", "time per move (median)", "longest", "forfeits"],
        [
            [
                bot.name,
                f"{1000 * bot.median_seconds:.1f} ms",
                f"{1000 * bot.longest_seconds:.0f} ms",
                str(bot.forfeits),
            ]
            for bot in bots
        ],
    )


def matrix_rows(results: ArenaResults) -> list[list[str]]:
    """A row for each bot: its name, and how much more of the win it gets than each other."""
    of = {frozenset((c.plain.bot, c.plain.other)): c for c in results.comparisons}
    return [
        [
            bot,
            *(
                _format_difference(of[frozenset((bot, other))].plain, bot) if bot != other else ""
                for other in results.schedule.bots
            ),
        ]
        for bot in results.schedule.bots
    ]


def _matrix(results: ArenaResults) -> Table:
    """All against all; empty with fewer than two bots."""
    rows = matrix_rows(results) if results.comparisons else []
    return Table(["", *results.schedule.bots], rows)


def _reduced_table(results: ArenaResults) -> Table:
    """Differences as they were and with luck taken out; empty where luck was not measured."""
    rows = [
        [
            f"{c.plain.bot} against {c.plain.other}",
            _format_difference(c.plain, c.plain.bot),
            _format_difference(c.reduced, c.plain.bot),
            f"{c.saved:.2g} times",
        ]
        for c in results.comparisons
        if c.reduced and c.saved is not None
    ]
    return Table(["", "as played", "without luck", "games saved"], rows)


def _variants_table(variants: Sequence[Variant]) -> Table:
    return Table(
        ["variant", *(metric.title for metric in METRICS.values())],
        [
            [variant.setup.label, *(format_mean(variant.means[name]) for name in METRICS)]
            for variant in variants
        ],
    )


def _won_table(variants: Sequence[Variant]) -> Table:
    rows = [
        [variant.setup.label, format_share(variant.won.mean), _format_interval(variant.won)]
        for variant in variants
        if variant.won
    ]
    return Table(["variant", "won", "95 %"], rows)


def _setup_table(schedule: Schedule, specs: Mapping[str, str], run: Mapping[str, str]) -> Table:
    bots = [spec if name == spec else f"{name}: {spec}" for name, spec in specs.items()]
    rows = [
        ["game", schedule.game],
        ["bots", ", ".join(bots)],
        ["seed", str(schedule.seed)],
        ["seconds per move", f"{schedule.limit:g}"],
    ]
    for setup in schedule.setups:
        options = [_format_option(name, value) for name, value in setup.options.items()]
        rows.append([f"table: {setup.label}", " ".join(options)])
    rows += [[name, value] for name, value in run.items()]
    return Table([], rows)


def _format_option(name: str, value: Any) -> str:
    return f"{name}={as_typed(value)}" if name != "deck" else "with its own deck"


# Figures


def _figure(title: str, svg: str, caption: str = "") -> Figure:
    """A figure; the SVG comes from `plots`, which escapes every text in it."""
    return Figure(title, Markup(svg), caption)  # noqa: S704


def _arena_figures(results: ArenaResults) -> Iterator[Figure]:
    fair_shares = {bot.fair for bot in results.bots}
    fair = next(iter(fair_shares)) if len(fair_shares) == 1 else None
    svg = plots.dot_plot(
        {bot.name: bot.share for bot in results.bots},
        "win share, 95 % interval",
        line=fair,
        percent=True,
    )
    yield _figure("Win share", svg, "The dashed line is the fair share." if fair else "")
    if any(c.reduced for c in results.comparisons):
        yield _reduced_figure(results)
    if not results.together:
        yield from _seat_figures(results)
    yield from _distribution_figures(results)
    ratings = [bot.rating for bot in results.bots if bot.rating]
    if ratings:
        svg = plots.dot_plot(
            {r.bot: Estimate(r.rating, r.low, r.high) for r in ratings},
            "Elo rating, 95 % interval",
            line=0.0,
        )
        caption = "A lead of 400 points means ten wins for each loss. The mean of all bots is 0."
        yield _figure("Ratings", svg, caption)


def _reduced_figure(results: ArenaResults) -> Figure:
    """The intervals of all differences, as they were and with luck taken out."""
    rows = {}
    for each in results.comparisons:
        pair = f"{each.plain.bot} − {each.plain.other}"
        rows[pair] = each.plain.mean
        if each.reduced:
            rows[f"{pair}, without luck"] = each.reduced.mean
    label = "difference of win shares on the same deals, 95 % interval"
    return _figure("With and without luck", plots.dot_plot(rows, label, line=0.0, percent=True))


def _seat_figures(results: ArenaResults) -> Iterator[Figure]:
    for players in results.by_players:
        shares = {
            bot: [
                estimate_share(
                    (outcome.deal, outcome.share)
                    for outcome in results.outcomes
                    if (outcome.bot, outcome.players, outcome.place) == (bot, players, place)
                )
                for place in range(players)
            ]
            for bot in results.schedule.bots
        }
        yield _seat_figure(results.schedule, players, shares)


def _seat_figure(schedule: Schedule, players: int, shares: dict[str, list[Estimate]]) -> Figure:
    svg = plots.grouped_dot_plot(shares, "win share", "seat, counted from the first", 1 / players)
    first = find(schedule.game).first_help
    caption = f"Seat 0 is {first}. The dashed line is the fair share."
    return _figure(f"Win share by seat, {players} players", svg, caption)


def _distribution_figures(results: ArenaResults) -> Iterator[Figure]:
    bots, counted = results.schedule.bots, results.outcomes
    scores = {bot: [float(o.score) for o in counted if o.bot == bot] for bot in bots}
    if any(len(set(values)) > 1 for values in scores.values()):
        yield _figure("Scores", plots.box_plot(scores, "score"), _BOX_CAPTION)
    kinds = ("won", "lost") if results.together else _rank_names(max(results.by_players))
    ranks = {bot: Counter(kinds[o.rank - 1] for o in counted if o.bot == bot) for bot in bots}
    title = "Won and lost" if results.together else "Ranks"
    yield _figure(title, plots.stacked_bars(ranks, "share of games", kinds))
    causes = results.loss_causes()
    if causes:
        svg = plots.stacked_bars(causes, "share of lost games")
        clauses = [clause for bot in bots for clause in causes[bot]]
        yield _figure("Causes of loss", svg, _clause_titles(results.schedule, clauses))


def _rank_names(players: int) -> tuple[str, ...]:
    return tuple(f"rank {rank}" for rank in range(1, players + 1))


def _clause_titles(schedule: Schedule, ids: Iterable[str]) -> str:
    """The clauses of the rules with these ids, and their titles."""
    file = find(schedule.game).folder / "clauses.toml"
    titles = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known = [clause for clause in sorted(set(ids)) if clause in titles]
    return " ".join(f"{clause}: {titles[clause]['title']}." for clause in known)


def _lab_figures(schedule: Schedule, variants: Sequence[Variant]) -> Iterator[Figure]:
    """A figure for each metric that varies."""
    labelled = {variant.setup.label: variant for variant in variants}
    won = {label: variant.won for label, variant in labelled.items() if variant.won}
    if won:
        yield _figure("Won", plots.dot_plot(won, "games won, 95 % interval", percent=True))
    lengths = {label: variant.values("moves") for label, variant in labelled.items()}
    scores = {label: variant.scores() for label, variant in labelled.items()}
    for title, axis, values in (
        ("Length", METRICS["moves"].title, lengths),
        ("Scores", METRICS["score"].title, scores),
    ):
        if len({value for row in values.values() for value in row}) > 1:
            yield _figure(title, plots.box_plot(values, axis), _BOX_CAPTION)
    for name in ("choices", "branching", "lead_changes", "swing"):
        title = METRICS[name].title
        if len({value for variant in variants for value in variant.values(name)}) > 1:
            means = {label: variant.means[name] for label, variant in labelled.items()}
            percent = name in ("choices", "swing")
            svg = plots.dot_plot(means, f"{title}, 95 % interval", percent=percent)
            yield _figure(title.capitalize(), svg)
    yield from _lab_seat_figures(schedule, variants)
    if any(variant.why for variant in variants):
        causes = {label: variant.why for label, variant in labelled.items()}
        clauses = [clause for variant in variants for clause in variant.why]
        svg = plots.stacked_bars(causes, "share of games")
        yield _figure("How games ended", svg, _clause_titles(schedule, clauses))


def _lab_seat_figures(schedule: Schedule, variants: Sequence[Variant]) -> Iterator[Figure]:
    shares = {variant.setup.label: variant.seats for variant in variants if variant.seats}
    for players in sorted({len(seats) for seats in shares.values()}):
        some = {label: seats for label, seats in shares.items() if len(seats) == players}
        yield _seat_figure(schedule, players, some)
