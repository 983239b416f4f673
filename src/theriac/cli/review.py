"""`theriac review`: what was skill and what was luck in a finished game."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.arena import Jobs, On, check_on
from theriac.cli.console import name_file, out, print_json, progress
from theriac.cli.parameters import Json
from theriac.faults import BadOption, Fault, quote

if TYPE_CHECKING:
    from theriac.review import Review

NAME = "review"
EXAMPLES = (
    "theriac review game.json",
    "theriac review game.json --seat 2 --budget 2000000",
    "theriac review game.json --html review.html",
    "theriac review games.jsonl --json > reviews.jsonl",
    "theriac review games.jsonl --json --on ray",
    "theriac review games.jsonl --calibrate",
)


def run(
    file: Annotated[
        Path,
        typer.Argument(
            help="The record of a finished game, JSON Lines of many, or - for standard input.",
            show_default=False,
        ),
    ],
    json: Json = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the review of one game to a page."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", help="Only this seat (from 0).", show_default=False)
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            help="Number of playouts per game: more are slower and more exact.",
            show_default="800000",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the playouts: the same review again.")
    ] = 0,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", help="Compare the chances in all these games with their results."
        ),
    ] = False,
    jobs: Jobs = None,
    on: Annotated[
        On, typer.Option("--on", help="Review on this machine or on a Ray cluster.")
    ] = On.HERE,
) -> None:
    """Review finished games: skill and luck apart, and the largest mistakes."""
    check_on(on)
    from theriac.cli.records import opened, split
    from theriac.review import DEFAULT_BUDGET

    _check_html(html)
    with opened(file) as lines:
        records = [_parse(n, text) for n, text in enumerate(split(lines), 1)]
    if html is not None and len(records) > 1:
        raise Fault(f"--html: {name_file(file)} has {len(records)} records; give one")
    _check_seat(records, seat)
    playouts = DEFAULT_BUDGET if budget is None else budget
    if calibrate:
        _calibrate(_review_many(records, playouts, seed, jobs, on, curve_only=True), json)
        return
    if len(records) == 1 and on is On.HERE:
        reviews = _review_one(records[0], playouts, seed)
    else:
        reviews = _review_many(records, playouts, seed, jobs, on)
    for number, review in enumerate(reviews, 1):
        seats = _seats(review, seat)
        if json:
            print_json(_only(review, seats))
        elif len(records) > 1:
            _print_line(review, seats, number)
        elif html is None:
            _print(review, seats)
        if html is not None:
            _write(html, review, seats)


def _parse(number: int, text: bytes) -> dict[str, Any]:
    """A record; raises `Fault` with its number."""
    from theriac.cli.replay import at
    from theriac.record import parse

    with at(number):
        return parse(text)


def _check_html(path: Path | None) -> None:
    """Raise `Fault` before the work if the page cannot be written."""
    if path is None:
        return
    if importlib.util.find_spec("jinja2") is None:
        raise Fault("--html needs Jinja2: pip install 'theriac-games[arena]'")
    if not path.parent.is_dir():
        raise Fault(f"--html {name_file(path)}: there is no folder {name_file(path.parent)}")


def _review_one(record: dict[str, Any], budget: int, seed: int) -> Iterator["Review"]:
    """The review of one record, with a progress bar over its steps."""
    from theriac.cli.replay import at
    from theriac.review import review_steps

    with at(1), progress("reviewing") as bars:
        bar = bars.add_task("", total=budget)
        last = None
        for last in review_steps(record, budget=budget, seed=seed):
            bars.update(bar, completed=min(budget, last.playouts))
    assert last is not None
    yield last


def _review_many(
    records: list[dict[str, Any]],
    budget: int,
    seed: int,
    jobs: int | None,
    on: On,
    curve_only: bool = False,
) -> Iterator["Review"]:
    from theriac.review.many import review_each

    with progress("reviewing") as bars:
        bar = bars.add_task("games", total=len(records))
        for review in review_each(
            records, budget=budget, seed=seed, jobs=jobs, on=on.value, curve_only=curve_only
        ):
            bars.advance(bar)
            yield review


def _calibrate(reviews: Iterator["Review"], json: bool) -> None:
    """Print how well the curves predicted the results."""
    from rich.table import Table

    from theriac.review.calibration import calibrate

    found = calibrate(reviews)
    if json:
        print_json(found)
        return
    table = Table(box=None, pad_edge=False)
    for head in ("called", "positions", "games", "forecast", "won"):
        table.add_column(head, justify="right")
    for each in found.bins:
        called = f"{100 * each.low:.0f}–{100 * each.high:.0f} %"
        won = f"{100 * each.won:.1f} ± {100 * each.error:.1f} %"
        shares = (f"{100 * each.forecast:.1f} %", won)
        table.add_row(called, str(each.positions), str(each.games), *shares)
    out.print(f"{found.game}: {found.games} games, {found.positions} chances")
    out.print(table)
    out.print(
        f"Brier score {found.brier:.4f}; {found.climate:.4f} for always forecasting the mean result"
    )


def _check_seat(records: list[dict[str, Any]], seat: int | None) -> None:
    """Raise `BadOption` before the work if a record has no such seat."""
    for record in records if seat is not None else ():
        options = record.get("options")
        players = options.get("players") if isinstance(options, dict) else None
        if isinstance(players, int) and seat not in range(players):
            raise BadOption(f"--seat {quote(seat)}: there are seats 0 to {players - 1}")


def _seats(review: "Review", seat: int | None) -> list[int]:
    """The seats to show."""
    return list(range(review.players)) if seat is None else [seat]


def _only(review: "Review", seats: list[int]) -> dict[str, Any]:
    """A review as JSON, with the accounts, decisions and mistakes of these seats."""
    from theriac.review import to_json

    shown = to_json(review)
    for key in ("seats", "decisions", "mistakes"):
        shown[key] = [item for item in shown[key] if item["seat"] in seats]
    return shown


def _print(review: "Review", seats: list[int]) -> None:
    from theriac.cli.review_screen import draw_review

    out.print(draw_review(review, seats, out.width))


def _print_line(review: "Review", seats: list[int], number: int) -> None:
    """One game of many in a line: the skill of each seat."""
    from theriac.review.wording import percent

    accounts = [review.seats[seat] for seat in seats]
    skills = ", ".join(
        f"seat {account.seat} {percent(account.skill, account.errors.skill, signed=True)}"
        for account in accounts
    )
    count = sum(mistake.seat in seats for mistake in review.mistakes)
    said = "1 mistake" if count == 1 else f"{count} mistakes"
    out.print(f"{number}: {review.game}, skill: {skills}; {said}", soft_wrap=True)


def _write(path: Path, review: "Review", seats: list[int]) -> None:
    from theriac.review.report import review_page

    path.write_text(review_page(review, seats), encoding="utf-8")
