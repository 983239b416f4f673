"""`theriac arena`: bots against each other, on the same deals from every seat."""

import contextlib
import importlib.util
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.console import complain, out, print_json, progress
from theriac.cli.parameters import (
    DeckFile,
    GameName,
    Json,
    Sets,
    SeveralPlayers,
    find_game,
    read_options,
)
from theriac.cli.play import complete_bots
from theriac.faults import BadOption, Fault, quote
from theriac.game import Game, Settings

if TYPE_CHECKING:
    from theriac.arena.plan import Plan
    from theriac.arena.results import Results
    from theriac.arena.sitting import Played

NAME = "arena"
EXAMPLES = (
    "theriac arena poison greedy random --games 400",
    "theriac arena shock greedy random --players 3,4,5 --games 2000 --out greedy-at-shock",
    "theriac arena dungeon greedy random --games 200 --json",
    "theriac arena shokoba greedy random --games 10000 --on ray",
)


class On(StrEnum):
    """Where games are played."""

    HERE = "here"
    RAY = "ray"


class Form(StrEnum):
    """How the table of results is written."""

    PARQUET = "parquet"
    CSV = "csv"


Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        min=1,
        max=10_000_000,
        help="How many games at least: rounded up, so that every line-up plays every deal.",
    ),
]
ArenaSeed = Annotated[
    int,
    typer.Option("--seed", min=0, help="Another number, other deals: the same number, the same."),
]
Limit = Annotated[
    float,
    typer.Option("--limit", min=0.01, max=86400, help="Seconds a bot may take for a move."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Keep the results in this folder, or go on there.",
        show_default="a new one among your data",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        max=1024,
        help="How many games are played at once.",
        show_default="as many as there are cores",
    ),
]
Where = Annotated[On, typer.Option("--on", help="Play here, or on a Ray cluster.")]
Written = Annotated[
    Form | None,
    typer.Option(
        "--format",
        help="How the table of all games is written.",
        show_default="parquet if pyarrow is there",
    ),
]


def run(
    name: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...", help="The bots.", autocompletion=complete_bots, show_default=False
        ),
    ],
    games: Games = 400,
    players: SeveralPlayers = None,
    sets: Sets = None,
    deck: DeckFile = None,
    seed: ArenaSeed = 0,
    limit: Limit = 10.0,
    jobs: Jobs = None,
    on: Where = On.HERE,
    folder: Out = None,
    form: Written = None,
    json: Json = False,
) -> None:
    """Let bots play each other: every line-up plays the same deals, from every seat."""
    from theriac.arena.page import arena_page
    from theriac.arena.results import find_results

    game = find_game(name)
    options = [read_options(game, n, sets, deck) for n in read_players(game, players)]
    plan = make_plan(game, bots, options, games, seed, limit)
    form = check_form(form)
    folder, played = play_plan(plan, folder, on, jobs)
    results = find_results(plan, played)
    files = write_files(plan, folder, played, form, arena_page(results))
    if json:
        print_json(results.told() | {"out": str(folder), "files": files})
    else:
        print_results(results)
        say_where(folder)


def read_players(game: Game, text: str | None) -> list[int]:
    """The numbers of players in a text such as 3,4,5; raises `BadOption`."""
    if text is None:
        return [game.usual_players]
    if text.strip().lower() == "all":
        return list(game.players)
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise BadOption(f'--players {quote(text)}: write numbers such as 3,4 or "all"')
    return list(dict.fromkeys(int(word) for word in words))


def make_plan(
    game: Game, bots: list[str], options: list[dict[str, Any]], games: int, seed: int, limit: float
) -> "Plan":
    """The plan of an arena; raises `Fault`."""
    from theriac.arena.plan import Plan, Setting, line_ups, whole_deals

    check_names(bots)
    if len(bots) == 1 and not game.together:
        raise Fault("a bot needs others to play against: name two or more")
    settings = []
    for given in options:
        players = check_table(game, bots, given).players
        seats = line_ups(bots, players, together=game.together)
        settings.append(Setting(f"{players} players", given, seats))
    deals = whole_deals(games, settings)
    return Plan(NAME, game.name, tuple(bots), settings, deals, seed, limit)


def check_names(bots: list[str]) -> None:
    """Are there such bots, each once? Raises `Fault`."""
    from theriac.arena.plan import check_bots
    from theriac.bots import bot

    check_bots(bots)
    for name in bots:
        bot(name).close()


def check_table(game: Game, bots: list[str], given: dict[str, Any]) -> Settings:
    """Can these bots play with these options? Raises `Fault`."""
    from theriac.bots import bot

    settings = game.settings(given, 0)
    for name in bots:
        with contextlib.closing(bot(name)) as made:
            made.check(game, settings)
    return settings


def check_form(form: Form | None) -> Form:
    """How the table is written; raises `Fault` if that cannot be done here."""
    from theriac.arena.ledger import has_parquet

    if form is Form.PARQUET and not has_parquet():
        raise Fault("--format parquet needs pyarrow: pip install 'theriac[arena]', or take csv")
    return form or (Form.PARQUET if has_parquet() else Form.CSV)


def play_plan(
    plan: "Plan", folder: Path | None, on: On, jobs: int | None
) -> tuple[Path, list["Played"]]:
    """Play what is missing, with a progress bar; on Ctrl-C say how to go on."""
    from theriac.arena.ledger import Ledger
    from theriac.arena.run import find_players, run

    check_on(on)
    folder = folder or new_folder(plan.kind, plan.game)
    with Ledger(folder, plan) as ledger, progress("playing") as bars:
        bar = bars.add_task(plan.game, total=plan.games, completed=len(ledger.games))
        try:
            players = find_players(on.value, jobs, plan.limit) if ledger.missing else None
            return folder, run(ledger, players, lambda _: bars.advance(bar))
        except KeyboardInterrupt:
            bars.stop()
            complain(
                f"Stopped: {len(ledger.games)} of {plan.games} games are kept. To go on, give the "
                f"same command with --out {folder}"
            )
            raise


def check_on(on: On) -> None:
    """Can games be played there? Raises `Fault`."""
    if on is On.RAY and importlib.util.find_spec("ray") is None:
        raise Fault("--on ray needs Ray: pip install 'theriac[ray]'")


def new_folder(kind: str, game: str) -> Path:
    """A new folder among the user's own, or where things are passed."""
    import os
    import tempfile

    import platformdirs

    home = Path(platformdirs.user_data_dir("theriac")) / kind
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        home = Path(tempfile.gettempdir())
    if not os.access(home, os.W_OK):
        home = Path(tempfile.gettempdir())
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return Path(tempfile.mkdtemp(prefix=f"{game}-{now}-", dir=home))


def write_files(
    plan: "Plan", folder: Path, played: list["Played"], form: Form, page: str
) -> dict[str, str]:
    """Write the table and the report; returns where they are."""
    from theriac.arena.ledger import rows_of, write_rows

    table = write_rows(folder, rows_of(plan, played), form.value)
    report = folder / "report.html"
    report.write_text(page, encoding="utf-8")
    return {"games": str(table), "report": str(report)}


def say_where(folder: Path) -> None:
    """Tell where the results are."""
    out.print(f"All games and a report are in {folder}", markup=False, soft_wrap=True)


def print_results(results: "Results") -> None:
    """Tell a person who has won how often."""
    from rich.table import Table
    from rich.text import Text

    from theriac.arena.page import share

    deals = "1 deal" if results.plan.deals == 1 else f"{results.plan.deals} deals"
    title = f"{results.plan.game}: {len(results.games)} games of {deals}"
    fair = results.lines[0].fair
    if fair is not None:
        title += f"; the fair share is {share(fair)}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("bot", no_wrap=True, overflow="ellipsis", max_width=max(12, out.width - 64))
    for head in ("games", "wins", "share", "95 %", "score", "rating", "forfeits"):
        table.add_column(head, justify="right", no_wrap=True)
    for line in results.lines:
        table.add_row(
            Text(line.name),
            str(line.games),
            f"{line.wins:.4g}",
            share(line.share.mean),
            f"{100 * line.share.low:.1f}–{share(line.share.high)}",
            f"{line.mean_score:.2f}",
            f"{line.rating.rating:+.0f}" if line.rating else "",
            str(line.forfeits),
        )
    out.print(table)
    for bot, why, n in results.reasons():
        out.print(f"{quote(bot)} forfeited {n} times: it {why}", markup=False, soft_wrap=True)
