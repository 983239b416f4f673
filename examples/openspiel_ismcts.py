"""OpenSpiel's IS-MCTS against random play, in any of the games.

    pip install 'theriac-games[openspiel]'
    python openspiel_ismcts.py "theriac_shokoba(players=2)" --games 10 --simulations 100

Importing the adapter registers the games. Chance nodes are explicit: cards are dealt one by one.
IS-MCTS resamples the hidden cards with `state.resample_from_infostate`.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import theriac.adapters.openspiel  # noqa: F401  (registers the games)


def play_game(
    game: pyspiel.Game, bot: ismcts.ISMCTSBot, seat: int, rng: np.random.RandomState
) -> list[float]:
    """Play one game with the bot on one seat and random play on the others."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(outcomes, p=probabilities)
        elif state.current_player() == seat:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(int(action))
    return state.returns()


def main() -> None:
    """Play some games and print the mean return of the bot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="theriac_shokoba(players=2)")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=100, help="simulations per move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    game = pyspiel.load_game(arguments.game)
    rng = np.random.RandomState(arguments.seed)
    bot = ismcts.ISMCTSBot(
        game,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        uct_c=1.0,
        max_simulations=arguments.simulations,
        random_state=rng,
    )
    total = 0.0
    for number in range(arguments.games):
        seat = number % game.num_players()
        returns = play_game(game, bot, seat, rng)
        total += returns[seat]
        print(f"game {number + 1}: IS-MCTS has seat {seat}, returns {returns}")
    print(f"mean return of IS-MCTS: {total / arguments.games:.2f}")


if __name__ == "__main__":
    main()
