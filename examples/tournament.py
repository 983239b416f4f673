"""Run a tournament between bots from Python, on the same deals for every bot.

    python tournament.py --game poison greedy random --games 200

`theriac arena` does the same on the command line and also writes a report. The folder keeps every
finished game: run the script again and it continues where it stopped.
"""

import argparse
from pathlib import Path

from theriac.arena.results import summarize
from theriac.arena.results_log import ResultsLog
from theriac.arena.run import make_runner, play_missing
from theriac.arena.schedule import Schedule, TableSetup, deals_for, line_ups
from theriac.game import find


def main() -> None:
    """Play the games that are missing and print the share of the win of each bot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bots", nargs="+", help="bots, as `theriac bots` lists them")
    parser.add_argument("--game", default="poison")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=None, help="processes; all cores by default")
    parser.add_argument("--out", type=Path, default=Path("tournament"))
    arguments = parser.parse_args()

    game = find(arguments.game)
    seats = line_ups(arguments.bots, arguments.players, together=game.together)
    setups = [TableSetup(f"{arguments.players} players", {"players": arguments.players}, seats)]
    schedule = Schedule(
        kind="arena",
        game=game.name,
        bots=tuple(arguments.bots),
        setups=setups,
        deals=deals_for(arguments.games, setups),
        seed=1,
        limit=10.0,  # seconds per move
    )
    with ResultsLog(arguments.out, schedule) as log:
        results = play_missing(log, make_runner(None, arguments.jobs, schedule.limit), print_game)
    for bot in summarize(schedule, results).bots:
        share = bot.share
        print(f"{bot.name}: {share.mean:.3f} of the wins [{share.low:.3f}, {share.high:.3f}]")


def print_game(result: object) -> None:
    """Called after each game; report progress here."""


if __name__ == "__main__":
    main()
