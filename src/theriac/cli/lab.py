"""`theriac lab`: what a rule or a deck does to a game."""

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.arena import (
    ArenaSeed,
    Games,
    Jobs,
    Limit,
    On,
    Out,
    Where,
    Written,
    check_form,
    check_names,
    check_table,
    play_plan,
    say_where,
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
    from theriac.arena.measures import Variant
    from theriac.arena.plan import Plan

NAME = "lab"
EXAMPLES = (
    "theriac lab shokoba --vary target=11,16,21",
    "theriac lab poison --vary players=3,4,5,6 --bot greedy --games 500",
    "theriac lab dungeon --vary treasure=false,true --vary level=0,1 --games 200 --json",
    "theriac lab poison --deck my-deck.toml --out my-deck-in-the-lab",
)
_MOST = 64


def run(
    name: GameName,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="OPTION=A,B",
            autocompletion=complete_set,
            show_default=False,
            help="Values of an option to compare; several options in every combination.",
        ),
    ] = None,
    decks: Annotated[
        list[Path] | None,
        typer.Option(
            "--deck",
            metavar="FILE",
            show_default=False,
            help="Compare the game's own cards with those in this deck file.",
        ),
    ] = None,
    bot: Annotated[
        str,
        typer.Option("--bot", "-b", help="Who plays all seats.", autocompletion=complete_bots),
    ] = "greedy",
    games: Games = 200,
    players: Players = None,
    sets: Sets = None,
    decisions: Annotated[
        int, typer.Option("--decisions", min=0, max=1000, help="Decisions of a game to look into.")
    ] = 4,
    playouts: Annotated[
        int, typer.Option("--playouts", min=2, max=100_000, help="Playouts for each move of these.")
    ] = 32,
    seed: ArenaSeed = 0,
    limit: Limit = 10.0,
    jobs: Jobs = None,
    on: Where = On.HERE,
    folder: Out = None,
    form: Written = None,
    json: Json = False,
) -> None:
    """Compare variants of a game: length, choices, lead changes, seats, decisions that matter."""
    from theriac.arena.measures import find_variants
    from theriac.arena.page import lab_page
    from theriac.arena.plan import Study

    game = find_game(name)
    variants = combine(game, read_options(game, players, sets, None), vary or [], decks or [])
    plan = make_plan(game, bot, variants, games, seed, limit, Study(decisions, playouts))
    form = check_form(form)
    folder, played = play_plan(plan, folder, on, jobs)
    found = find_variants(plan, played)
    files = write_files(plan, folder, played, form, lab_page(plan, found))
    if json:
        told = {"game": game.name, "bot": bot, "games": len(played), "seed": seed}
        variants_told = [variant.told() for variant in found]
        print_json(told | {"variants": variants_told, "out": str(folder), "files": files})
    else:
        print_variants(found)
        say_where(folder)


def combine(
    game: Game, usual: dict[str, Any], vary: list[str], decks: list[Path]
) -> list[tuple[str, dict[str, Any]]]:
    """Every combination of what is varied, each with a label; raises `BadOption`."""
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
    if len(combined) > _MOST:
        raise BadOption(f"--vary: {len(combined)} combinations are too many; {_MOST} are possible")
    return combined


def read_vary(game: Game, text: str) -> list[Any]:
    """The values in a text such as target=11,16; raises `BadOption`."""
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
            raise BadOption(f"--vary {quote(text)}: {quote(word)} is there twice")
        found.append(value)
    return found


def _read(option: Option, word: str) -> Any:
    """One value; where values are lists, plus signs stand between their names."""
    return option.read(word) if word or not isinstance(option, SetOption) else []


def make_plan(
    game: Game,
    bot: str,
    variants: list[tuple[str, dict[str, Any]]],
    games: int,
    seed: int,
    limit: float,
    study: Any,
) -> "Plan":
    """The plan of a lab: so many games of each variant; raises `Fault`."""
    from theriac.arena.plan import Plan, Setting

    check_names([bot])
    settings = [
        Setting(label, options, [(bot,) * check_table(game, [bot], options).players])
        for label, options in variants
    ]
    return Plan(NAME, game.name, (bot,), settings, games, seed, limit, study)


def print_variants(variants: list["Variant"]) -> None:
    """Tell a person what each variant is like."""
    from rich.table import Table
    from rich.text import Text

    from theriac.arena.measures import MEASURES
    from theriac.arena.page import share, tell_mean

    table = Table(title=f"{len(variants[0].games)} games each", title_justify="left", box=None)
    table.add_column("", justify="left")
    for variant in variants:
        table.add_column(Text(variant.setting.label), justify="right")
    for name, (words, _) in MEASURES.items():
        table.add_row(words, *(tell_mean(variant.means[name]) for variant in variants))
    for place in range(max(len(variant.seats) for variant in variants)):
        cells = [_seat(variant, place) for variant in variants]
        table.add_row(f"win share of seat {place} from the first", *cells)
    if any(variant.won for variant in variants):
        table.add_row("won", *(share(v.won.mean) if v.won else "" for v in variants))
    out.print(table)
    forfeits = sum(bool(game.forfeits) for variant in variants for game in variant.games)
    if forfeits:
        out.print(f"In {forfeits} games the bot forfeited: they are no measure of the game.")


def _seat(variant: "Variant", place: int) -> str:
    from theriac.arena.page import share

    if place >= len(variant.seats):
        return ""
    one = variant.seats[place]
    return f"{share(one.mean)} ({share(one.low)} to {share(one.high)})"
