"""`theriac train`: a network that learns a game by playing all its seats."""

import importlib.util
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from theriac.cli.arena import new_folder, read_players
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
from theriac.faults import BadOption, Fault, quote
from theriac.game import Game

if TYPE_CHECKING:
    from theriac.learn.folder import Folder
    from theriac.learn.recipe import Recipe
    from theriac.learn.run import Limits
    from theriac.learn.training import Training

NAME = "train"
EXAMPLES = (
    "theriac train poison --minutes 10 --out my-poison",
    "theriac train poison --players 3,4,5,6 --device cuda --minutes 8 --out my-poison",
    "theriac train shokoba --players 2 --steps 2000000 --width 64 --seed 1",
    "theriac arena poison neural:file=my-poison/network.npz random",
)


class On(StrEnum):
    """Where games are played and lessons learnt."""

    CPU = "cpu"
    CUDA = "cuda"


def _size(flag: str, most: int, text: str) -> Any:
    return typer.Option(flag, min=1, max=most, help=text, show_default="as suits the device")


def run(
    name: GameName,
    players: SeveralPlayers = None,
    sets: Sets = None,
    deck: DeckFile = None,
    steps: Annotated[
        int | None,
        typer.Option("--steps", min=1, help="Train for so many moves in all.", show_default=False),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            min=0.01,
            help="Train for so many minutes in all.",
            show_default="10, unless --steps are given",
        ),
    ] = None,
    device: Annotated[On, typer.Option("--device", help="The CPU, or an NVIDIA GPU.")] = On.CPU,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Keep the training in this folder, or go on there.",
            show_default="a new one among your data",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=(1 << 31) - 1, help="Other games.", show_default="0"),
    ] = None,
    games: Annotated[int | None, _size("--games", 1 << 20, "Games side by side.")] = None,
    moves: Annotated[
        int | None, _size("--moves", 4096, "Moves of each game between two lessons.")
    ] = None,
    width: Annotated[int | None, _size("--width", 8192, "Numbers in a hidden layer.")] = None,
    layers: Annotated[int | None, _size("--layers", 16, "Hidden layers.")] = None,
    rows: Annotated[int | None, _size("--rows", 1 << 22, "Moves learnt from at once.")] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            "--epochs", min=1, max=100, help="How often a move is learnt from.", show_default="3"
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            min=1e-7,
            max=1,
            help="How fast it learns at first.",
            show_default="as suits the device",
        ),
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            "--spread",
            min=0,
            max=10,
            help="How much it is kept from settling on one move (entropy).",
            show_default="0.01",
        ),
    ] = None,
    past: Annotated[
        float | None,
        typer.Option(
            "--past",
            min=0,
            max=1,
            help="The share of games against earlier selves.",
            show_default="0.25",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train a network by self-play, for the bot `neural`. Ctrl-C keeps it; it can go on later."""
    from theriac.learn import need_torch

    need_torch(device)
    from theriac.learn.folder import Folder
    from theriac.learn.run import Limits

    given: dict[str, Any] = {
        "seed": seed,
        "games": games,
        "moves": moves,
        "width": width,
        "layers": layers,
        "rows": rows,
        "epochs": epochs,
        "rate": rate,
        "spread": spread,
        "past": past,
    }
    game = find_game(name)
    given |= read_table(game, players, sets, deck)
    limits = Limits(steps or math.inf, 60 * (minutes or (math.inf if steps else 10)))
    with Folder(folder or new_folder(NAME, game.name)) as kept:
        recipe = find_recipe(game, {k: v for k, v in given.items() if v is not None}, kept, device)
        training = train_with_bar(recipe, kept, device, limits)
        tell(training, kept.path, json=json)


def read_table(
    game: Game, players: str | None, sets: list[str] | None, deck: Path | None
) -> dict[str, Any]:
    """The numbers of players and the options, where they were given; raises `BadOption`."""
    options = read_options(game, None, sets, deck)
    del options["players"]
    if "first" in options:
        raise BadOption("--set first: seats are seen from the one to act; leave it out")
    found: dict[str, Any] = {"options": options} if options else {}
    return found | ({"players": tuple(read_players(game, players))} if players else {})


def find_recipe(game: Game, given: dict[str, Any], folder: "Folder", device: On) -> "Recipe":
    """The recipe of the training in the folder, or a new one; raises `Fault`."""
    from theriac.learn.recipe import Recipe, usual

    begun = folder.recipe()
    if begun is None:
        new = {"players": tuple(read_players(game, None)), **usual(device), **given}
        recipe = Recipe(game=game.name, **new)
        for players in recipe.players:
            game.settings({**recipe.options, "players": players}, 0)
        folder.begin(recipe)
        return recipe
    for name, value in {"game": game.name, **given}.items():
        before = getattr(begun, name)
        if before != value:
            raise Fault(
                f"{quote(str(folder.path), 300)}: it was begun with {name} {quote(before)}, not "
                f"{quote(value)}: give the same again to go on, or another folder"
            )
    return begun


def train_with_bar(recipe: "Recipe", folder: "Folder", device: On, limits: "Limits") -> "Training":
    """Train with a progress bar; a line for each trial; on Ctrl-C say how to go on."""
    from theriac.learn.folder import LOG
    from theriac.learn.run import train

    if importlib.util.find_spec("tensorboard") is None:
        complain(f"No logs for TensorBoard, only {LOG}: pip install 'theriac[train]' brings it")
    with progress("training") as bars:
        bar = bars.add_task(recipe.game, total=100)

        def watch(training: "Training", shares: dict[int, float] | None) -> None:
            bars.update(
                bar,
                completed=min(100, int(100 * limits.done(training))),
                description=f"{recipe.game}, {training.steps:,} moves",
            )
            if shares:
                out.print(tell_trial(training, shares))

        try:
            return train(recipe, folder, device.value, limits, watch)
        except KeyboardInterrupt:
            bars.stop()
            complain(f"Stopped. To go on, give the same command with --out {folder.path}")
            raise


def tell_trial(training: "Training", shares: dict[int, float]) -> str:
    """How far it is, in a line."""
    told = ", ".join(f"{100 * share:.0f} % with {players}" for players, share in shares.items())
    what = "won" if training.game.together else "of the win against random play"
    return f"{training.steps:,} moves in {training.seconds:,.0f} s: {told} {what}"


def tell(training: "Training", folder: Path, *, json: bool) -> None:
    """Say what came of it and where it is."""
    from theriac.learn.folder import NETWORK

    network = folder / NETWORK
    if json:
        print_json(
            {
                "game": training.game.name,
                "players": list(training.recipe.players),
                "steps": training.steps,
                "lessons": training.lessons,
                "seconds": round(training.seconds, 1),
                "out": str(folder),
                "network": str(network),
            }
        )
        return
    out.print(f"The network is {network}", markup=False, soft_wrap=True)
    out.print(
        f"Try it: theriac play {training.game.name} --bots neural:file={network}",
        markup=False,
        soft_wrap=True,
    )
