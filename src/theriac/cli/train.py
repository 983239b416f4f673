"""`theriac train`: train a policy network by self-play."""

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
    from theriac.learn.config import TrainingConfig
    from theriac.learn.evaluation import WinShare
    from theriac.learn.run import Budget
    from theriac.learn.run_folder import RunFolder
    from theriac.learn.trainer import Trainer

NAME = "train"
EXAMPLES = (
    "theriac train poison --minutes 10 --out my-poison",
    "theriac train poison --players 3,4,5,6 --device cuda --minutes 8 --out my-poison",
    "theriac train shokoba --players 2 --total-timesteps 2000000 --width 64 --seed 1",
    "theriac arena poison neural:file=my-poison/network.npz random",
    "theriac train shock --against neural --initial neural --minutes 5 --out response",
)
RENAMED_OPTIONS = {
    "--steps": "--total-timesteps",
    "--games": "--num-envs",
    "--moves": "--num-steps",
    "--rows": "--minibatch-size",
    "--rate": "--learning-rate",
    "--spread": "--entropy-coef",
    "--past": "--past-fraction",
}


class DeviceName(StrEnum):
    """Where games and updates run."""

    CPU = "cpu"
    CUDA = "cuda"


def _size(flag: str, most: int, text: str) -> Any:
    return typer.Option(flag, min=1, max=most, help=text, show_default="depends on the device")


def _number(flag: str, least: float, most: float, default: str, text: str) -> Any:
    return typer.Option(flag, min=least, max=most, help=text, show_default=default)


def run(
    name: GameName,
    players: SeveralPlayers = None,
    sets: Sets = None,
    deck: DeckFile = None,
    total_timesteps: Annotated[
        int | None,
        typer.Option(
            "--total-timesteps", min=1, help="Train for N moves in total.", show_default=False
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            min=0.01,
            help="Train for N minutes in total.",
            show_default="10, unless --total-timesteps is given",
        ),
    ] = None,
    device: Annotated[
        DeviceName, typer.Option("--device", help="The CPU, or an NVIDIA GPU.")
    ] = DeviceName.CPU,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="The folder of the run; an existing run resumes.",
            show_default="a new folder in your data directory",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            max=(1 << 31) - 1,
            help="The seed of games and initial weights.",
            show_default="0",
        ),
    ] = None,
    num_envs: Annotated[int | None, _size("--num-envs", 1 << 20, "Parallel games.")] = None,
    num_steps: Annotated[
        int | None, _size("--num-steps", 4096, "Moves per game in each rollout.")
    ] = None,
    width: Annotated[int | None, _size("--width", 8192, "Units per hidden layer.")] = None,
    layers: Annotated[int | None, _size("--layers", 16, "Hidden layers.")] = None,
    minibatch_size: Annotated[
        int | None, _size("--minibatch-size", 1 << 22, "Moves per gradient step.")
    ] = None,
    epochs: Annotated[
        int | None,
        _number("--epochs", 1, 100, "3", "Passes over each rollout."),
    ] = None,
    learning_rate: Annotated[
        float | None,
        _number(
            "--learning-rate",
            1e-7,
            1,
            "depends on the device",
            "The initial learning rate of Adam.",
        ),
    ] = None,
    clip_range: Annotated[
        float | None,
        _number("--clip-range", 0.001, 10, "0.2", "The clip range of PPO."),
    ] = None,
    gae_lambda: Annotated[
        float | None,
        _number("--gae-lambda", 0, 1, "0.95", "The lambda of GAE."),
    ] = None,
    entropy_coef: Annotated[
        float | None,
        _number("--entropy-coef", 0, 10, "0.01", "The coefficient of the entropy bonus."),
    ] = None,
    past_fraction: Annotated[
        float | None,
        _number("--past-fraction", 0, 1, "0.25", "The fraction of games against past policies."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="BOT",
            help="Learn to beat a frozen network instead: a file, or neural for the game's own.",
            show_default=False,
        ),
    ] = None,
    initial: Annotated[
        str | None,
        typer.Option(
            "--initial",
            metavar="BOT",
            help="Start with the weights of a network: a file, or neural.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train a network for the bot `neural` by self-play. Ctrl-C saves it; the run can resume."""
    from theriac.learn import choose_gpu, require_torch

    choose_gpu()
    require_torch(device)
    from theriac.learn import distributed
    from theriac.learn.run import Budget, follow
    from theriac.learn.run_folder import RunFolder

    game = find_game(name)
    if against and past_fraction is not None:
        raise BadOption(
            "--past-fraction: with --against the frozen network plays all other seats: leave out "
            "one of them"
        )
    options: dict[str, Any] = {
        "seed": seed,
        "num_envs": num_envs,
        "num_steps": num_steps,
        "width": width,
        "layers": layers,
        "minibatch_size": minibatch_size,
        "epochs": epochs,
        "learning_rate": learning_rate,
        "clip_range": clip_range,
        "gae_lambda": gae_lambda,
        "entropy_coef": entropy_coef,
        "past_fraction": past_fraction,
        "against": network_spec(against),
        "initial": network_spec(initial),
        **read_game_options(game, players, sets, deck),
    }
    given = {name: value for name, value in options.items() if value is not None}
    default_minutes = math.inf if total_timesteps else 10
    budget = Budget(total_timesteps or math.inf, 60 * (minutes or default_minutes))
    with distributed.process_group(device):
        if distributed.rank():
            follow(device.value)
            return
        with RunFolder(folder or new_folder(NAME, game.name)) as run_folder:
            config = find_config(game, given, run_folder, device)
            trainer = train_with_progress(config, run_folder, device, budget)
            report(trainer, run_folder.path, json=json)


def read_game_options(
    game: Game, players: str | None, sets: list[str] | None, deck: Path | None
) -> dict[str, Any]:
    """The player counts and game options that were given; raises `BadOption`."""
    options = read_options(game, None, sets, deck)
    del options["players"]
    if "first" in options:
        raise BadOption(
            "--set first: observations are relative to the seat to act, so it changes nothing: "
            "leave it out"
        )
    given: dict[str, Any] = {"options": options} if options else {}
    return given | ({"players": tuple(read_players(game, players))} if players else {})


def network_spec(text: str | None) -> str | None:
    """How the configuration stores a network that was given; raises `Fault`."""
    from theriac.learn.frozen import FrozenSpec

    return None if text is None else FrozenSpec.read(text).text


def find_config(
    game: Game, given: dict[str, Any], folder: "RunFolder", device: DeviceName
) -> "TrainingConfig":
    """The configuration of the run in the folder, or a new one; raises `Fault`."""
    from theriac.learn.config import TrainingConfig, device_defaults
    from theriac.learn.frozen import FrozenSpec, frozen_opponents

    existing = folder.load_config()
    if existing is None:
        players = given.get("players") or tuple(read_players(game, None))
        options = given.get("options", {})
        settings = [game.settings({**options, "players": each}, 0) for each in players]
        sizes = device_defaults(device, game.shape.features, settings[0].text.actions)
        # In a game that all win or lose together every seat has the same share; and a best response
        # does not learn from the moves of others, through which shares are predicted.
        shares = not game.together and "against" not in given
        defaults = {"players": players, "shares": shares, **sizes}
        if "initial" in given:
            network = FrozenSpec.read(given["initial"]).network(game, settings[0])
            defaults |= {"width": network.hidden[0][1].size, "layers": len(network.hidden)}
        frozen_opponents(given.get("against", ""), game, settings, "cpu")  # raises Fault
        config = TrainingConfig(game=game.name, **{**defaults, **given})
        folder.save_config(config)
        return config
    for name, value in {"game": game.name, **given}.items():
        stored = getattr(existing, name)
        if stored != value:
            raise Fault(
                f"{quote(str(folder.path), 300)}: this run was started with {name} "
                f"{quote(stored)}, not {quote(value)}: use the same value to resume it, or another "
                "folder"
            )
    return existing


def train_with_progress(
    config: "TrainingConfig", folder: "RunFolder", device: DeviceName, budget: "Budget"
) -> "Trainer":
    """Train with a progress bar and one line per evaluation; on Ctrl-C say how to resume."""
    from theriac.learn.run import train
    from theriac.learn.run_folder import LOG

    if importlib.util.find_spec("tensorboard") is None:
        complain(
            f"TensorBoard is not installed, so metrics go only to {LOG}: "
            "pip install 'theriac-games[train]' adds it"
        )
    with progress("training") as bars:
        bar = bars.add_task(config.game, total=100)

        def show(trainer: "Trainer", win_shares: "dict[int, WinShare] | None") -> None:
            bars.update(
                bar,
                completed=min(100, int(100 * budget.progress(trainer))),
                description=f"{config.game}, {trainer.steps:,} moves",
            )
            if win_shares:
                out.print(describe_evaluation(trainer, win_shares), soft_wrap=True)

        try:
            return train(config, folder, device.value, budget, show)
        except KeyboardInterrupt:
            bars.stop()
            complain(f"Stopped. To resume, run the same command with --out {folder.path}")
            raise


def describe_evaluation(trainer: "Trainer", win_shares: "dict[int, WinShare]") -> str:
    """The result of an evaluation in one line."""
    shares = ", ".join(
        f"{_percent(share, exactly=bool(trainer.frozen))} with {players} players"
        for players, share in win_shares.items()
    )
    measure = "games won" if trainer.game.together else "win share against random play"
    if trainer.frozen:
        measure = "win share against the frozen network"
    return f"{trainer.steps:,} moves in {trainer.seconds:,.0f} s: {measure} {shares}"


def _percent(share: "WinShare", *, exactly: bool) -> str:
    if not exactly:
        return f"{100 * share.mean:.0f} %"
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f} %)"


def report(trainer: "Trainer", folder: Path, *, json: bool) -> None:
    """Print the result and where the network is."""
    from theriac.learn.run_folder import NETWORK

    network = folder / NETWORK
    if json:
        print_json(
            {
                "game": trainer.game.name,
                "players": list(trainer.config.players),
                "steps": trainer.steps,
                "lessons": trainer.updates,  # programs read this key
                "seconds": round(trainer.seconds, 1),
                "out": str(folder),
                "network": str(network),
            }
        )
        return
    out.print(f"The network is {network}", markup=False, soft_wrap=True)
    out.print(
        f"Play against it: theriac play {trainer.game.name} --bots neural:file={network}",
        markup=False,
        soft_wrap=True,
    )
