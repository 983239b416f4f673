"""`theriac lab`: the effect of a rule or a deck on a game."""

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.arena import (
    ArenaSeed,
    Format,
    Games,
    Jobs,
    Limit,
    On,
    Out,
    Where,
    check_extra,
    check_format,
    check_names,
    check_table,
    describe_run,
    play_schedule,
    print_folder,
    write_files,
)
from theriac.cli.console import out, print_json
from theriac.cli.parameters import (
    FIRST,
    GameName,
    Json,
    Players,
    Sets,
    complete_set,
    find_game,
    read_cards,
    read_options,
)
from theriac.cli.play import complete_bots
from theriac.faults import BadOption, quote
from theriac.game import Game, Option, SetOption, as_typed

if TYPE_CHECKING:
    from theriac.arena.metrics import Variant
    from theriac.arena.schedule import Schedule, StudyConfig

NAME = "lab"
EXAMPLES = (
    "theriac lab shokoba --vary target=11,16,21",
    "theriac lab poison --vary players=3,4,5,6 --bot greedy --games 500",
    "theriac lab dungeon --vary treasure=false,true --vary level=0,1 --games 200 --json",
    "theriac lab poison --deck my-deck.toml --out my-deck-in-the-lab",
)
_MAX_VARIANTS = 64


def run(
    name: GameName,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="OPTION=A,B",
            autocompletion=complete_set,
            show_default=False,
            help="Values of an option to compare; given several times, all combinations.",
        ),
    ] = None,
    decks: Annotated[
        list[Path] | None,
        typer.Option(
            "--deck",
            metavar="FILE",
            show_default=False,
            help="Compare the usual deck with the one in this file.",
        ),
    ] = None,
    bot: Annotated[
        str,
        typer.Option(
            "--bot", "-b", help="The bot that plays all seats.", autocompletion=complete_bots
        ),
    ] = "greedy",
    games: Games = 200,
    players: Players = None,
    sets: Sets = None,
    decisions: Annotated[
        int, typer.Option("--decisions", min=0, max=1000, help="Decisions to sample per game.")
    ] = 4,
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts", min=2, max=100_000, help="Playouts for each move of a sampled decision."
        ),
    ] = 32,
    seed: ArenaSeed = 0,
    limit: Limit = 10.0,
    jobs: Jobs = None,
    on: Where = On.HERE,
    folder: Out = None,
    file_format: Format = None,
    json: Json = False,
) -> None:
    """Compare variants of a game: length, choices, lead changes, seats, swings of decisions."""
    check_extra()
    from theriac.arena.metrics import summarize_variants
    from theriac.arena.report import lab_report
    from theriac.arena.schedule import StudyConfig

    game = find_game(name)
    variants = combine(game, read_options(game, players, sets, None), vary or [], decks or [])
    study = StudyConfig(decisions, playouts)
    schedule = make_schedule(game, bot, variants, games, seed, limit, study)
    file_format = check_format(file_format)
    folder, schedule, results = play_schedule(schedule, folder, on, jobs)
    found = summarize_variants(schedule, results)
    files = write_files(
        schedule, folder, results, file_format, lab_report(schedule, found, describe_run())
    )
    if json:
        head = {"game": game.name, "bot": bot, "games": len(results), "seed": seed}
        body = {"variants": [variant.to_json() for variant in found]}
        print_json(head | body | {"out": str(folder), "files": files})
    else:
        print_variants(found)
        print_folder(folder)


def combine(
    game: Game, usual: dict[str, Any], vary: list[str], decks: list[Path]
) -> list[tuple[str, dict[str, Any]]]:
    """Every combination of the varied options, each with a label; raises `BadOption`."""
    axes: list[list[tuple[str, dict[str, Any]]]] = []
    names = [text.partition("=")[0].strip() for text in vary]
    for name, text in zip(names, vary, strict=True):
        if names.count(name) > 1:
            raise BadOption(
                f"--vary {quote(name)}: give all its values at once, such as {name}=a,b"
            )
        axes.append(
            [(f"{name}={as_typed(value)}", {name: value}) for value in read_vary(game, text)]
        )
    if decks:
        axes.append([("the usual deck", {}), *((str(p), read_cards(game, p)) for p in decks)])
    combined = []
    for choice in itertools.product(*axes):
        changes = {key: value for _, change in choice for key, value in change.items()}
        label = ", ".join(label for label, _ in choice) or "as it is"
        combined.append((label, usual | changes))
    if len(combined) > _MAX_VARIANTS:
        raise BadOption(
            f"--vary: {len(combined)} combinations are too many: give at most {_MAX_VARIANTS}"
        )
    return combined


def read_vary(game: Game, text: str) -> list[Any]:
    """Parse the values of an option, such as target=11,16; raises `BadOption`."""
    name, equals, values = (part.strip() for part in text.partition("="))
    option = next((option for option in game.options if option.name == name), None)
    if not equals or not values:
        raise BadOption(f"--vary {quote(text)}: write OPTION=A,B, such as players=3,4")
    if name in ("players", "first"):
        option = FIRST
    if option is None:
        known = ", ".join(["players", "first", *(option.name for option in game.options)])
        raise BadOption(
            f"--vary {quote(name)}: {game.name} has no option of that name; use {known}"
        )
    found: list[Any] = []
    for word in values.split(","):
        value = _read(option, word.strip())
        if value in found:
            raise BadOption(f"--vary {quote(text)}: {quote(word)} is given twice: give it once")
        found.append(value)
    return found


def _read(option: Option, word: str) -> Any:
    """Parse one value; the items of a list are joined by plus signs."""
    return option.read(word) if word or not isinstance(option, SetOption) else []


def make_schedule(
    game: Game,
    bot: str,
    variants: list[tuple[str, dict[str, Any]]],
    games: int,
    seed: int,
    limit: float,
    study: "StudyConfig",
) -> "Schedule":
    """The schedule of a lab: the number of games is per variant. Raises `Fault`."""
    from theriac.arena.schedule import Schedule, TableSetup

    check_names([bot])
    setups = [
        TableSetup(label, options, [(bot,) * check_table(game, [bot], options).players])
        for label, options in variants
    ]
    return Schedule(NAME, game.name, (bot,), setups, games, seed, limit, study)


def print_variants(variants: list["Variant"]) -> None:
    """Print the metrics of the variants as a table."""
    from rich.table import Table
    from rich.text import Text

    from theriac.arena.metrics import METRICS
    from theriac.arena.report import format_mean, format_share

    table = Table(title=f"{len(variants[0].games)} games each", title_justify="left", box=None)
    table.add_column("", justify="left")
    for variant in variants:
        table.add_column(Text(variant.setup.label), justify="right")
    for name, metric in METRICS.items():
        table.add_row(metric.title, *(format_mean(variant.means[name]) for variant in variants))
    for place in range(max(len(variant.seats) for variant in variants)):
        cells = [_seat(variant, place) for variant in variants]
        seat = f"first + {place}" if place else "first"
        table.add_row(f"win share of seat {seat}", *cells)
    if any(variant.won for variant in variants):
        table.add_row("won", *(format_share(v.won.mean) if v.won else "" for v in variants))
    out.print(table)
    forfeits = sum(bool(game.forfeits) for variant in variants for game in variant.games)
    if forfeits:
        out.print(f"The bot forfeited {forfeits} games: they say nothing about the variants.")


def _seat(variant: "Variant", place: int) -> str:
    from theriac.arena.report import format_share

    if place >= len(variant.seats):
        return ""
    share = variant.seats[place]
    return f"{format_share(share.mean)} ({format_share(share.low)} to {format_share(share.high)})"
