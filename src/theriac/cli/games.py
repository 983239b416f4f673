"""`theriac games`: the games and their options."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from theriac.cli.console import out, print_json
from theriac.cli.parameters import Json
from theriac.game import Game, all_games
from theriac.rulebook import describe

NAME = "games"
EXAMPLES = ("theriac games", "theriac games --json")


def run(json: Json = False) -> None:
    """List the games, their numbers of players and their options."""
    if json:
        print_json([describe(game) for game in all_games().values()])
        return
    for game in all_games().values():
        out.print(draw(game))
    out.print("The first value of an option is its default. Set another with --set:")
    out.print("theriac play shokoba --set target=16")


def draw(game: Game) -> RenderableType:
    """A game as text for people."""
    title = Text.assemble((game.name, "bold"), f"  {game.title}, {_count(game.players)} players")
    options = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("option", "values", "clause", "what it does"):
        options.add_column(heading)
    for option in game.options:
        options.add_row(option.name, option.values_text, option.clause, option.help)
    options.add_row("first", "a seat, from 0", "", game.first_help)
    return Group(title, Padding(Group(Text(game.summary), options), (0, 0, 1, 2)))


def _count(players: tuple[int, ...]) -> str:
    """The numbers of players: "3 to 6"."""
    if players == tuple(range(players[0], players[-1] + 1)):
        return f"{players[0]} to {players[-1]}"
    return ", ".join(map(str, players))
