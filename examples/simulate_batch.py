"""Simulate many games at once and estimate a statistic with its standard error.

    python simulate_batch.py --games 20000

The question here: in Poison with random players, does it matter in which seat you sit? Replace it
by yours. One seed gives the same games on any number of threads and on a GPU (`device="cuda"`).
"""

import argparse

import numpy as np

import theriac


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """The mean of independent values, and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def main() -> None:
    """Play the games and print the share of the win of each seat."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=4)
    arguments = parser.parse_args()

    # Seat 0 deals the first round, so seat 1 plays first.
    batch = theriac.batch("poison", arguments.games, players=arguments.players, first=0, seed=1)
    moves = batch.play_out()
    length, error = mean_and_error(moves)
    print(f"moves per game: {length:.1f} ± {error:.1f}")
    results = batch.results()  # one row per game: each seat's share of the win
    for seat in range(arguments.players):
        share, error = mean_and_error(results[:, seat])
        print(f"seat {seat}: wins {share:.3f} ± {error:.3f}")

    # The same step by step: observations and masks in, one action per game out.
    batch.reset(seed=2)
    random = np.random.default_rng(2)
    while not batch.over.all():
        masks = batch.masks()
        noise = random.random(masks.shape)
        batch.step(np.where(masks, noise, -1).argmax(axis=1))  # put your policy here
    print("mean score of seat 0 with your policy:", batch.scores()[:, 0].mean().round(1))


if __name__ == "__main__":
    main()
