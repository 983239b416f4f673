"""The report: one HTML file with everything in it, which needs no scripts and no network."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from theriac.arena import plots
from theriac.arena.measures import MEASURES, Variant
from theriac.arena.plan import Plan
from theriac.arena.results import Line, Results
from theriac.arena.tally import Estimate, estimate_share
from theriac.game import as_typed, find

_CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ccc; text-align: right; }
td { white-space: nowrap; } th { vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption, .note { color: #444; font-size: .93rem; }
""".strip()


def arena_page(results: Results) -> str:
    """The report of an arena."""
    plan, game = results.plan, find(results.plan.game)
    head = f"{', '.join(plan.bots)} at {game.title}"
    return _page(
        head,
        [
            *_arena_summary(results),
            *(_arena_plots(results) if plots.has_plots() else _no_plots()),
            *_reasons(results),
            *_settings(plan),
        ],
    )


def lab_page(plan: Plan, variants: Sequence[Variant]) -> str:
    """The report of a lab."""
    head = f"{find(plan.game).title} in the lab"
    return _page(
        head,
        [
            *_lab_summary(plan, variants),
            *(_lab_plots(plan, variants) if plots.has_plots() else _no_plots()),
            *_settings(plan),
        ],
    )


# The arena


def _arena_summary(results: Results) -> Iterator[str]:
    plan = results.plan
    yield _text(
        f"{len(results.games)} games of {plan.deals} deals; every line-up has played the very same "
        "deals."
    )
    yield _bots_table(results.lines)
    if len(results.by_players) > 1:
        for players, lines in results.by_players.items():
            yield f"<h3>{players} players</h3>"
            yield _bots_table(lines)
    if results.together:
        yield _note("All seats of a game belong to one bot: they win or lose together.")
    else:
        yield _note(
            "A game counts for the bots that have one seat of it alone. The fair share is what "
            "each would win if all were equally strong."
        )
    yield _note(
        "Intervals are of 95 %, from how much whole deals differ. Those of a handful of deals "
        "are wide, and rightly so."
    )


def _bots_table(lines: Sequence[Line]) -> str:
    head = [
        "bot",
        "games",
        "wins",
        "win share",
        "95 %",
        "fair share",
        "mean score",
        "rating",
        "forfeits",
        "a move (median)",
        "longest",
    ]
    rows = [
        [
            line.name, str(line.games), f"{line.wins:.4g}", share(line.share.mean),
            f"{share(line.share.low)} to {share(line.share.high)}",
            "" if line.fair is None else share(line.fair), f"{line.mean_score:.2f}",
            _tell_rating(line), str(line.forfeits), f"{1000 * line.median_seconds:.1f} ms",
            f"{1000 * line.longest_seconds:.0f} ms",
        ]
        for line in lines
    ]  # fmt: skip
    if not any(line.rating for line in lines):
        head, rows = _without(7, head, rows)
    if not any(line.fair for line in lines):
        head, rows = _without(5, head, rows)
    return _table(head, rows)


def _without(
    column: int, head: list[str], rows: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    return head[:column] + head[column + 1 :], [row[:column] + row[column + 1 :] for row in rows]


def _tell_rating(line: Line) -> str:
    """A rating and its interval: +120 (+80 to +160)."""
    one = line.rating
    if one is None:
        return ""
    interval = "" if math.isnan(one.low) else f" ({one.low:+.0f} to {one.high:+.0f})"
    return f"{one.rating:+.0f}{interval}"


def share(value: float) -> str:
    """A share in hundredths."""
    return "–" if math.isnan(value) else f"{100 * value:.1f} %"


def _arena_plots(results: Results) -> Iterator[str]:
    fair = {line.fair for line in results.lines}
    line = next(iter(fair)) if len(fair) == 1 else None
    yield _figure(
        "Win share",
        plots.dots(
            {one.name: one.share for one in results.lines},
            "win share, 95 % interval",
            line=line,
            percent=True,
        ),
        "The dashed line is the fair share." if line else "",
    )
    if not results.together:
        yield from _seat_plots(results)
    yield from _distributions(results)
    ratings = [one.rating for one in results.lines if one.rating]
    if ratings:
        yield _figure(
            "Ratings",
            plots.dots(
                {r.bot: Estimate(r.rating, r.low, r.high) for r in ratings},
                "rating on the scale of Elo, 95 % interval",
                line=0.0,
            ),
            "400 points more are ten wins for one loss. The mean of all bots is 0.",
        )


def _seat_plots(results: Results) -> Iterator[str]:
    for players in results.by_players:
        named = {
            bot: [
                estimate_share(
                    (c.deal, c.share)
                    for c in results.counts
                    if (c.bot, c.players, c.place) == (bot, players, place)
                )
                for place in range(players)
            ]
            for bot in results.plan.bots
        }
        yield _figure(
            f"Win share by seat, {players} players",
            plots.groups(named, "win share", "seat, counted from the first", 1 / players),
            f"Seat 0 is {find(results.plan.game).first_help}.",
        )


def _distributions(results: Results) -> Iterator[str]:
    bots = results.plan.bots
    scores = {bot: [float(c.score) for c in results.counts if c.bot == bot] for bot in bots}
    if any(len(set(values)) > 1 for values in scores.values()):
        yield _figure("Scores", plots.boxes(scores, "score"), _BOXES)
    kinds = ("won", "lost") if results.together else _ranks(max(results.by_players))
    ranks = {
        bot: Counter(kinds[c.rank - 1] for c in results.counts if c.bot == bot) for bot in bots
    }
    title = "Won and lost" if results.together else "Ranks"
    yield _figure(title, plots.stacks(ranks, "share of games", kinds))
    causes = results.causes()
    if causes:
        drawn = plots.stacks(causes, "share of lost games")
        named = [why for bot in bots for why in causes[bot]]
        yield _figure("Causes of loss", drawn, _tell_clauses(results.plan, named))


def _ranks(players: int) -> tuple[str, ...]:
    return tuple(f"rank {rank}" for rank in range(1, players + 1))


def _tell_clauses(plan: Plan, named: Iterable[str]) -> str:
    """The clauses of the rules that are named, with their titles."""
    game = find(plan.game)
    titles = tomllib.loads((game.folder / "clauses.toml").read_text(encoding="utf-8"))
    known = [name for name in sorted(set(named)) if name in titles]
    return " ".join(f"{name}: {titles[name]['title']}." for name in known)


def _reasons(results: Results) -> Iterator[str]:
    reasons = results.reasons()
    if reasons:
        yield "<h2>Forfeits</h2>"
        yield _table(["bot", "what it did", "games"], [[b, why, str(n)] for b, why, n in reasons])


# The lab


def _lab_summary(plan: Plan, variants: Sequence[Variant]) -> Iterator[str]:
    yield _text(f"{plan.deals} games of each variant, all seats played by {plan.bots[0]}.")
    head = ["variant", *(words for words, _ in MEASURES.values())]
    rows = [
        [one.setting.label, *(tell_mean(one.means[name]) for name in MEASURES)] for one in variants
    ]
    yield _table(head, rows)
    yield _note(
        "Each number is a mean with half the width of its 95 % interval. What a decision matters: "
        "how much more of the win the best move brings than a random one, both followed by random "
        "play, over a sample of decisions."
    )
    if any(one.won for one in variants):
        yield _table(
            ["variant", "won", "95 %"],
            [
                [
                    one.setting.label,
                    share(one.won.mean),
                    f"{share(one.won.low)} to {share(one.won.high)}",
                ]
                for one in variants
                if one.won
            ],
        )


def tell_mean(mean: Estimate) -> str:
    """A mean and how sure it is: 12.3 ± 0.4."""
    margin = "" if math.isnan(mean.low) else f" ± {(mean.high - mean.low) / 2:.2g}"
    return "–" if math.isnan(mean.mean) else f"{mean.mean:.3g}{margin}"


def _lab_plots(plan: Plan, variants: Sequence[Variant]) -> Iterator[str]:
    """A plot for each measure that is not always the same."""
    names = {one.setting.label: one for one in variants}
    won = {label: one.won for label, one in names.items() if one.won}
    if won:
        yield _figure("Won", plots.dots(won, "share of games won, 95 % interval", percent=True))
    for title, values in (
        ("Length", {label: one.values("moves") for label, one in names.items()}),
        ("Scores", {label: one.scores() for label, one in names.items()}),
    ):
        if len({value for row in values.values() for value in row}) > 1:
            words = "moves in a game" if title == "Length" else "score"
            yield _figure(title, plots.boxes(values, words), _BOXES)
    for measure in ("choices", "branching", "lead_changes", "swing"):
        words = MEASURES[measure][0]
        if len({value for one in variants for value in one.values(measure)}) > 1:
            means = {label: one.means[measure] for label, one in names.items()}
            drawn = plots.dots(
                means, f"{words}, 95 % interval", percent=measure in ("choices", "swing")
            )
            yield _figure(words.capitalize(), drawn)
    yield from _lab_seats(plan, variants)
    if any(one.why for one in variants):
        drawn = plots.stacks({label: one.why for label, one in names.items()}, "share of games")
        named = [why for one in variants for why in one.why]
        yield _figure("How games ended", drawn, _tell_clauses(plan, named))


def _lab_seats(plan: Plan, variants: Sequence[Variant]) -> Iterator[str]:
    seated = {one.setting.label: one.seats for one in variants if one.seats}
    for players in sorted({len(seats) for seats in seated.values()}):
        some = {label: seats for label, seats in seated.items() if len(seats) == players}
        yield _figure(
            f"Win share by seat, {players} players",
            plots.groups(some, "win share", "seat, counted from the first", 1 / players),
            f"Seat 0 is {find(plan.game).first_help}. The dashed line is the fair share.",
        )


# The page

_BOXES = "Boxes reach from quarter to quarter with a line at the middle and a diamond at the mean; "
_BOXES += "whiskers from the 5th to the 95th hundredth."


def _settings(plan: Plan) -> Iterator[str]:
    yield "<h2>How it was played</h2>"
    rows = [
        ["game", plan.game],
        ["bots", ", ".join(plan.bots)],
        ["seed", str(plan.seed)],
        ["seconds a move", f"{plan.limit:g}"],
    ]
    for setting in plan.settings:
        told = [_option(name, value) for name, value in setting.options.items()]
        rows.append([f"table: {setting.label}", " ".join(told)])
    yield _table(["", ""], rows)


def _option(name: str, value: Any) -> str:
    return f"{name}={as_typed(value)}" if name != "deck" else "with a deck of its own"


def _no_plots() -> Iterator[str]:
    yield _note("There are no plots: they need Matplotlib (pip install 'theriac[arena]').")


def _page(title: str, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_CSS}\n</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _figure(title: str, drawn: str, caption: str = "") -> str:
    told = f"<figcaption>{escape(caption)}</figcaption>\n" if caption else ""
    return f"<h2>{escape(title)}</h2>\n<figure>\n{drawn}\n{told}</figure>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(cells: Sequence[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"

    top = f"<thead>{row(head, 'th')}</thead>\n" if any(head) else ""
    body = "\n".join(row(cells, "td") for cells in rows)
    return f'<div class="wide"><table>\n{top}<tbody>\n{body}\n</tbody>\n</table></div>'


def _text(sentence: str) -> str:
    return f"<p>{escape(sentence)}</p>"


def _note(sentence: str) -> str:
    return f'<p class="note">{escape(sentence)}</p>'
