"""`theriac count`: the number of positions of a game at each depth, by enumeration (perft)."""

import functools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Annotated, Any, TypeVar

import typer

from theriac.cli.console import out, print_json
from theriac.cli.parameters import (
    DeckFile,
    GameName,
    Json,
    Players,
    Seed,
    Sets,
    find_game,
    read_options,
    read_seed,
)
from theriac.game import Game, Settings

NAME = "count"
EXAMPLES = (
    "theriac count poison --depth 3",
    "theriac count shokoba --depth 5 --seed $(printf '%064d' 1)",
    "theriac count poison --depth 12 --players 3 --deck small.toml --json",
)

DEEPEST = 1000
Result = TypeVar("Result")


def run(
    name: GameName,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, max=DEEPEST, help="How many plies deep.")
    ],
    players: Players = None,
    sets: Sets = None,
    deck: DeckFile = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Count the positions at each depth, exactly.

    A ply is a player's move or a card dealt by chance; identical cards count once.

    With a seed, the shuffles made at the start are fixed and their cards are not plies.
    """
    game = find_game(name)
    shuffled_by = read_seed(seed)
    options = read_options(game, players, sets, deck)
    settings = _settings(game, options, shuffled_by)
    written = write_deals(game, options, shuffled_by)
    counts = []
    # One depth after another: each is cheap beside the next, and people see progress.
    for level in range(depth + 1):
        work = functools.partial(count, game, settings, level, written)
        counts.append(interruptible(work)[-1])
        if not json:
            out.print(f"depth {level:>3}  {counts[-1]:>20,}")
    if json:
        print_json(
            {"game": game.name, "players": settings.players, "depth": depth, "counts": counts}
        )


def _settings(game: Game, options: dict[str, Any], seed: bytes | None) -> Settings:
    from theriac import seal

    decided = options["players"] in game.players and seed is not None
    return game.settings(options, seal.first_seat(seed, options["players"]) if decided else 0)  # type: ignore[arg-type]


def count(game: Game, settings: Settings, depth: int, deals: Any) -> list[int]:
    """The number of positions at each depth from 0."""
    engine = game.engine()
    g = engine.state()
    engine.setup(g, settings.options)
    return engine.count(g, depth, deals)


def interruptible(work: Callable[[], Result]) -> Result:
    """Run compiled work in a thread, so that Ctrl-C can interrupt the wait for it."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future.result()


def write_deals(game: Game, options: dict[str, Any], seed: bytes | None) -> Any:
    """The shuffles that the seed fixes at the start, as rows of card numbers."""
    import numpy as np

    from theriac.match import Match

    dealt: list[list[str]] = [] if seed is None else Match(game, options, seed=seed).dealt
    numbers = game.settings(options, 0).text.numbers()
    deals = np.full((max(1, len(dealt)), game.shape.pack + 1), -1, np.int16)
    for row, cards in enumerate(dealt):
        deals[row, : len(cards)] = [numbers[card] for card in cards]
    return deals
