"""Change a rule or the deck of a game, and measure what it does to the balance.

    python design_variant.py --games 200

The questions here: how much longer is Shokoba if 21 gems are needed to win instead of 11? And what
if the cards above 7 are taken out? The same bot plays all seats of all variants. `theriac lab` does
the same on the command line and writes a report.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from theriac.arena.metrics import METRICS, summarize_variants
from theriac.arena.results_log import ResultsLog
from theriac.arena.run import make_runner, play_missing
from theriac.arena.schedule import Schedule, StudyConfig, TableSetup
from theriac.game import find

BOT = "greedy"


def variants() -> dict[str, dict[str, object]]:
    """The options of each variant, by a label. Change these."""
    usual = {"players": 2}
    deck = [card for card, n in find("shokoba").shipped.counts.items() for _ in range(n)]
    low = [card for card in deck if int(card[1:]) <= 7]
    return {
        "as in the rulebook": usual,
        "21 gems to win": {**usual, "target": 21},
        "values 1 to 7 only": {**usual, "deck": low},
    }


def main() -> None:
    """Play the variants and print their metrics, each with its 95 % confidence interval."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="games per variant")
    parser.add_argument("--jobs", type=int, default=None, help="processes; all cores by default")
    arguments = parser.parse_args()

    game = find("shokoba")
    for options in variants().values():
        game.settings({**options, "first": 0})  # raises BadOption if it cannot be played
    schedule = Schedule(
        kind="lab",
        game=game.name,
        bots=(BOT,),
        setups=[TableSetup(label, options, [(BOT, BOT)]) for label, options in variants().items()],
        deals=arguments.games,
        seed=1,
        limit=10.0,  # seconds per move
        study=StudyConfig(decisions=4, playouts=32),
    )
    with TemporaryDirectory() as folder, ResultsLog(Path(folder) / "lab", schedule) as log:
        runner = make_runner(None, arguments.jobs, schedule.limit)
        results = play_missing(log, runner, lambda result: None)
    for variant in summarize_variants(schedule, results):
        print(variant.setup.label)
        for name, estimate in variant.means.items():
            interval = f"[{estimate.low:.2f}, {estimate.high:.2f}]"
            print(f"  {METRICS[name].title}: {estimate.mean:.2f} {interval}")
        for place, share in enumerate(variant.seats):
            interval = f"[{share.low:.3f}, {share.high:.3f}]"
            print(f"  wins of player {place + 1}: {share.mean:.3f} {interval}")


if __name__ == "__main__":
    main()
