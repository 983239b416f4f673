"""Train a policy network for Poison with PPO self-play, then play it against the bot `greedy`.

    pip install 'theriac-games[train]'
    python train_poison.py --updates 100 --out poison.npz

One update takes about half a second on one CPU core. For long runs with checkpoints and logs use
`theriac train`, which does the same.
"""

import argparse
from pathlib import Path
from random import Random

import theriac
from theriac.bots import ask, bot
from theriac.learn.config import TrainingConfig
from theriac.learn.trainer import Trainer

PLAYERS = 4


def train(updates: int, num_envs: int, width: int) -> Trainer:
    """Train from scratch; prints the metrics of some updates."""
    config = TrainingConfig(
        game="poison",
        players=(PLAYERS,),
        num_envs=num_envs,
        num_steps=64,
        width=width,
        layers=2,
        minibatch_size=1024,
        learning_rate=0.002,
    )
    trainer = Trainer(config)
    for n in range(1, updates + 1):
        metrics = trainer.update(lr_scale=1 - (n - 1) / updates)
        if n % max(1, updates // 10) == 0:
            print(
                f"update {n}: {trainer.steps:,} moves, entropy {metrics.entropy:.2f}, "
                f"value loss {metrics.value_loss:.2f}"
            )
    return trainer


def win_share(network: Path, opponent: str, games: int) -> float:
    """The mean win share of one seat with the network, the opponent on all others."""
    total = 0.0
    for number in range(games):
        seat = number % PLAYERS
        match = theriac.new("poison", players=PLAYERS, first=0, seed=Random(number).randbytes(32))
        bots = [
            bot(f"neural:file={network}" if other == seat else opponent, seed=number)
            for other in range(PLAYERS)
        ]
        while match.to_act is not None:
            move = bots[match.to_act].answer(ask(match))
            match.play(match.settings.text.write(move))
        total += match.results()[seat]
    return total / games


def main() -> None:
    """Train, save, evaluate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--games", type=int, default=200, help="games against each opponent")
    parser.add_argument("--out", type=Path, default=Path("poison.npz"))
    arguments = parser.parse_args()

    trainer = train(arguments.updates, arguments.num_envs, arguments.width)
    trainer.network().write(arguments.out)
    print(f"the network is {arguments.out}")
    for opponent in ("random", "greedy"):
        share = win_share(arguments.out, opponent, arguments.games)
        print(f"win share against {opponent}: {100 * share:.0f} % (fair: {100 / PLAYERS:.0f} %)")


if __name__ == "__main__":
    main()
