"""Bots of Theriac and of OpenSpiel against each other, in OpenSpiel and in Theriac's arena.

    pip install 'theriac-games[openspiel,arena]'
    python openspiel_bots.py --games 10 --simulations 100

In OpenSpiel, `make_bot` makes a `pyspiel.Bot` of any of our bots. In the arena, the bot `openspiel`
is OpenSpiel's IS-MCTS; `openspiel:make=mymodule.make` is the bot or policy that your function
`make(game, seat, seed)` returns.
"""

import argparse

import pyspiel

from theriac.adapters.openspiel_bots import make_bot
from theriac.arena.results import summarize
from theriac.arena.run import make_runner
from theriac.arena.schedule import Schedule, TableSetup, line_ups


def play_in_openspiel(games: int, seed: int) -> float:
    """Our greedy bot against OpenSpiel's uniform random bot; returns its mean return."""
    game = pyspiel.load_game("theriac_shokoba(players=2)")
    total = 0.0
    for number in range(games):
        seat = number % 2
        bots = [pyspiel.make_uniform_random_bot(player, seed + number) for player in range(2)]
        bots[seat] = make_bot(game, seat, "greedy", seed + number)
        total += pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + number)[seat]
    return total / games


def play_in_the_arena(games: int, simulations: int, seed: int, jobs: int | None) -> None:
    """OpenSpiel's IS-MCTS against our greedy bot."""
    bots = (f"openspiel:simulations={simulations}", "greedy")
    table = TableSetup("two", {"players": 2}, line_ups(bots, 2))
    deals = max(1, games // 2)
    schedule = Schedule("arena", "shokoba", bots, [table], deals=deals, seed=seed, limit=60.0)
    played = list(make_runner(None, jobs, schedule.limit).play(schedule.games()))
    for bot in summarize(schedule, played).bots:
        print(f"{bot.name}: {bot.wins:g} wins of {bot.games} games, {bot.forfeits} forfeits")


def main() -> None:
    """Play in both."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=100, help="of IS-MCTS, per move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="processes (default: one per core)")
    arguments = parser.parse_args()

    mean = play_in_openspiel(arguments.games, arguments.seed)
    print(f"in OpenSpiel: mean return of greedy against a random bot: {mean:.2f}")
    print("in the arena:")
    play_in_the_arena(arguments.games, arguments.simulations, arguments.seed, arguments.jobs)


if __name__ == "__main__":
    main()
