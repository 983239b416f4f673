"""`theriac arena`: bots play each other, on the same deals from every seat."""

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
    from theriac.arena.arena_game import GameResult
    from theriac.arena.results import ArenaResults
    from theriac.arena.schedule import Schedule

NAME = "arena"
#: Playouts from each state compared when luck is measured.
USUAL_LUCK = 32
EXAMPLES = (
    "theriac arena poison greedy random --games 400",
    "theriac arena shock greedy random --players 3,4,5 --games 2000 --out greedy-at-shock",
    "theriac arena shock search:ms=50 greedy --until-decided",
    "theriac arena poison neural:file=old neural:file=new --name old --name new",
    "theriac arena dungeon greedy random --games 200 --json",
    "theriac arena shokoba greedy random --games 10000 --on ray",
)


class On(StrEnum):
    """Where the games are played."""

    HERE = "here"
    RAY = "ray"


class TableFormat(StrEnum):
    """The file format of the table of results."""

    PARQUET = "parquet"
    CSV = "csv"


Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        min=1,
        max=10_000_000,
        help="Minimum number of games; rounded up so that every line-up plays every deal.",
    ),
]
ArenaSeed = Annotated[
    int,
    typer.Option("--seed", min=0, help="Seed of the deals: the same seed gives the same deals."),
]
Limit = Annotated[
    float,
    typer.Option("--limit", min=0.01, max=86400, help="Seconds that a bot has for a move."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Write the results to this folder, or resume the run in it.",
        show_default="a new folder in your data directory",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        max=1024,
        help="Number of games played in parallel.",
        show_default="the number of cores",
    ),
]
Where = Annotated[On, typer.Option("--on", help="Play on this machine or on a Ray cluster.")]
Format = Annotated[
    TableFormat | None,
    typer.Option(
        "--format",
        help="File format of the table of results.",
        show_default="parquet if pyarrow is installed",
    ),
]


def run(
    name: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="The bots to compare.",
            autocompletion=complete_bots,
            show_default=False,
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
    file_format: Format = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="A name for a bot in all results; once for each bot, in their order.",
            show_default="what the bot was called",
        ),
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop as soon as it is decided which bot is best; --games is the most.",
        ),
    ] = False,
    luck: Annotated[
        int | None,
        typer.Option(
            "--luck",
            metavar="N",
            min=0,
            max=100_000,
            help="Measure luck with N playouts from each state compared; 0: do not.",
            show_default=f"{USUAL_LUCK}, but 0 where all bots draw from known chances",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compare bots: every line-up plays the same deals, from every seat."""
    check_extra()
    from theriac.arena.report import arena_report
    from theriac.arena.results import summarize
    from theriac.arena.verdict import verdict

    game = find_game(name)
    options = [read_options(game, n, sets, deck) for n in read_players(game, players)]
    names = check_labels(bots, names or [])
    if luck is None:
        luck = usual_luck(game, bots, options[0], folder)
    schedule = make_schedule(game, bots, options, games, seed, limit, luck)
    file_format = check_format(file_format)
    folder, schedule, played = play_schedule(schedule, folder, on, jobs, until_decided)
    results = summarize(schedule, played, names=names, watched=until_decided)
    report = arena_report(results, describe_run())
    files = write_files(results.schedule, folder, results.games, file_format, report)
    if json:
        says = {"verdict": " ".join(verdict(results)), "run": describe_run()}
        print_json(results.to_json() | says | {"out": str(folder), "files": files})
    else:
        print_results(results)
        print_folder(folder)


def check_labels(bots: list[str], names: list[str]) -> list[str]:
    """The names for the bots; raises `Fault` if they are not one for each."""
    if names and len(names) != len(bots):
        raise Fault(
            f"--name is given {len(names)} times for {len(bots)} bots: give one name for each, in "
            "their order"
        )
    repeated = [name for i, name in enumerate(names) if name in names[:i]]
    if repeated:
        raise Fault(f"--name {quote(repeated[0])} is given twice: bots need different names")
    if any(not name.strip() for name in names):
        raise Fault("--name is empty: a name needs at least one letter")
    return names


def describe_run() -> dict[str, str]:
    """When, where and by which version the results were written."""
    import os

    from theriac import __version__
    from theriac.cli.bench import describe_machine

    machine = describe_machine()
    load = f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "version": __version__,
        "date": datetime.now().astimezone().isoformat(" ", "minutes"),
        "machine": f"{machine['processor']}, {machine['cores']} cores, {machine['system']}",
        "load": load,
    }


def check_extra() -> None:
    """Raise `Fault` if the packages of the extra `arena` are not installed."""
    for package in ("scipy", "jinja2"):
        if importlib.util.find_spec(package) is None:
            raise Fault(f"{package} is not installed: pip install 'theriac-games[arena]'")


def read_players(game: Game, text: str | None) -> list[int]:
    """Parse numbers of players such as 3,4,5 or "all"; raises `BadOption`."""
    if text is None:
        return [game.usual_players]
    if text.strip().lower() == "all":
        return list(game.players)
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise BadOption(f'--players {quote(text)}: write numbers such as 3,4 or "all"')
    return list(dict.fromkeys(int(word) for word in words))


def make_schedule(
    game: Game,
    bots: list[str],
    options: list[dict[str, Any]],
    games: int,
    seed: int,
    limit: float,
    luck: int = 0,
) -> "Schedule":
    """The schedule of an arena; raises `Fault`."""
    from theriac.arena.schedule import LuckConfig, Schedule, TableSetup, deals_for, line_ups

    check_names(bots)
    if len(bots) == 1 and not game.together:
        raise Fault("only one bot is named, which has nobody to play against: name two or more")
    setups = []
    for given in options:
        players = check_table(game, bots, given).players
        seats = line_ups(bots, players, together=game.together)
        setups.append(TableSetup(f"{players} players", given, seats))
    deals = deals_for(games, setups)
    measured = LuckConfig(luck) if luck else None
    return Schedule(NAME, game.name, tuple(bots), setups, deals, seed, limit, luck=measured)


def usual_luck(game: Game, bots: list[str], given: dict[str, Any], folder: Path | None) -> int:
    """The playouts for measuring luck, if nobody says: as the run was started; else as many as pay.

    Bots with known policies need no time to think: to play more games costs less.
    """
    from theriac.arena.results_log import stored_schedule
    from theriac.bots import ask, bot
    from theriac.match import Match

    check_names(bots)
    stored = stored_schedule(folder)
    if stored:
        return stored.luck.playouts if stored.luck else 0
    question = ask(Match(game, given, seed=bytes(32)))
    for name in bots:
        with contextlib.closing(bot(name)) as made:
            if made.policy(question) is None:
                return USUAL_LUCK
    return 0


def check_names(bots: list[str]) -> None:
    """Raise `Fault` if there is no such bot, or if one is named twice."""
    from theriac.arena.schedule import check_distinct
    from theriac.bots import bot

    check_distinct(bots)
    for name in bots:
        bot(name).close()


def check_table(game: Game, bots: list[str], given: dict[str, Any]) -> Settings:
    """The settings of a table; raises `Fault` if one of the bots cannot play there."""
    from theriac.bots import bot

    settings = game.settings(given, 0)
    for name in bots:
        with contextlib.closing(bot(name)) as made:
            made.check(game, settings)
    return settings


def check_format(file_format: TableFormat | None) -> TableFormat:
    """The format to write; raises `Fault` if its package is not installed."""
    from theriac.arena.export import has_parquet

    if file_format is TableFormat.PARQUET and not has_parquet():
        raise Fault(
            "--format parquet needs pyarrow: pip install 'theriac-games[arena]', or use csv"
        )
    return file_format or (TableFormat.PARQUET if has_parquet() else TableFormat.CSV)


def play_schedule(
    schedule: "Schedule",
    folder: Path | None,
    on: On,
    jobs: int | None,
    until_decided: bool = False,
) -> tuple[Path, "Schedule", list["GameResult"]]:
    """Play the missing games, with a progress bar. Returns the folder and what is stored in it."""
    from theriac.arena.results_log import ResultsLog
    from theriac.arena.run import make_runner, play_missing, stop_when_decided

    check_on(on)
    folder = folder or new_folder(schedule.kind, schedule.game)
    with ResultsLog(folder, schedule) as log, progress("playing") as bars:
        total = schedule.game_count
        bar = bars.add_task(schedule.game, total=total, completed=len(log.results))
        try:
            runner = make_runner(on.value, jobs, schedule.limit) if log.missing else None
            stop = stop_when_decided(log.schedule) if until_decided else None
            results = play_missing(log, runner, lambda _: bars.advance(bar), stop)
        except KeyboardInterrupt:
            bars.stop()
            complain(
                f"Stopped: {len(log.results)} of {total} games are saved. To resume, run the same "
                f"command with --out {folder}"
            )
            raise
        return folder, log.schedule, results


def check_on(on: On) -> None:
    """Raise `Fault` if Ray is needed and not installed."""
    if on is On.RAY and importlib.util.find_spec("ray") is None:
        raise Fault("--on ray needs Ray: pip install 'theriac-games[ray]'")


def new_folder(kind: str, game: str) -> Path:
    """A new folder in the user's data folder; in the temporary one if that is read-only."""
    import tempfile

    from theriac.cli.saves import own_folder

    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return Path(tempfile.mkdtemp(prefix=f"{game}-{now}-", dir=own_folder(kind)))


def write_files(
    schedule: "Schedule",
    folder: Path,
    results: list["GameResult"],
    file_format: TableFormat,
    report: str,
) -> dict[str, str]:
    """Write the table and the report; returns their paths."""
    from theriac.arena.export import seat_rows, write_table

    table = write_table(folder, seat_rows(schedule, results), file_format.value)
    path = folder / "report.html"
    path.write_text(report, encoding="utf-8")
    return {"games": str(table), "report": str(path)}


def print_folder(folder: Path) -> None:
    """Print where the results are."""
    out.print(f"All games and a report are in {folder}", markup=False, soft_wrap=True)


def print_results(results: "ArenaResults") -> None:
    """Print who is better, and the results of each bot as a table."""
    from theriac.arena.verdict import verdict

    for sentence in verdict(results):
        out.print(sentence, markup=False, style="bold")
    print_bots(results)
    if any(bot.reduced for bot in results.bots):
        print_reduced(results)
    if len(results.comparisons) > 1:
        print_matrix(results)
    for name, reason, count in results.forfeit_reasons():
        text = f"{quote(name)} forfeited {count} times: it {reason}"
        out.print(text, markup=False, soft_wrap=True)


def print_bots(results: "ArenaResults") -> None:
    """Print the results of each bot as a table."""
    from theriac.arena.report import format_share

    deals = "1 deal" if results.deals == 1 else f"{results.deals} deals"
    title = f"{results.schedule.game}: {len(results.games)} games of {deals}"
    fair = results.bots[0].fair
    if fair is not None:
        title += f"; the fair share is {format_share(fair)}"
    rows = [
        [
            bot.name,
            str(bot.games),
            f"{bot.wins:.4g}",
            format_share(bot.share.mean),
            f"{100 * bot.share.low:.1f}–{format_share(bot.share.high)}",
            f"{bot.mean_score:.2f}",
            f"{bot.rating.rating:+.0f}" if bot.rating else "",
            str(bot.forfeits),
        ]
        for bot in results.bots
    ]
    heads = ["bot", "games", "wins", "share", "95 %", "score", "rating", "forfeits"]
    print_table(title, heads, rows)


def print_reduced(results: "ArenaResults") -> None:
    """Print the win shares with luck taken out."""
    from theriac.arena.report import format_share

    rows = [
        [
            bot.name,
            format_share(bot.reduced.mean),
            f"{100 * bot.reduced.low:.1f}–{format_share(bot.reduced.high)}",
            f"{bot.saved:.2g} times",
        ]
        for bot in results.bots
        if bot.reduced and bot.saved is not None
    ]
    print_table("With luck taken out", ["bot", "share", "95 %", "games saved"], rows)


def print_matrix(results: "ArenaResults") -> None:
    """Print how much more of the win each bot gets than each other."""
    from theriac.arena.report import matrix_rows

    title = "How much more of the win a bot (row) gets than another (column) on the same deals"
    names = [bot.name for bot in results.bots]
    print_table(title, ["", *names], matrix_rows(results))


def print_table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    """Print a table; its first column has names, which may be shortened."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column(heads[0], no_wrap=True, overflow="ellipsis", max_width=max(12, out.width - 64))
    for head in heads[1:]:
        table.add_column(Text(head), justify="right", no_wrap=len(head) < 12)
    for first, *others in rows:
        table.add_row(Text(first), *map(Text, others))
    out.print(table)
