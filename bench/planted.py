"""Does a review find a mistake that was planted? Bots play, and once a game a bad move is made.

    python -m bench.planted --games 100

In each game some moves, drawn at random, are searched longer than the bots do. Where a move is
furthest below the best, a second search with other random numbers has to agree, or the game is not
used: the worst of many noisy values looks worse than it is. That move is made, the bots play on,
and the review must name it first among the mistakes of all seats. The bots make mistakes of their
own, and some are larger: what is counted as missed may be right. Writes
`bench/results/planted.json`.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from theriac.bots import ask, bot
from theriac.bots.base import Bot
from theriac.bots.search import TreeSearch
from theriac.cli.bench import describe_machine
from theriac.cli.console import progress
from theriac.engine.search import SearchConfig
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.many import review_each

RESULTS = Path(__file__).resolve().parent / "results" / "planted.json"
PLAYER = "search:simulations=1000"
#: Simulations to find a bad move, and to confirm it.
SIMULATIONS = 1500
CONFIRMING = 4000
#: A move is clearly bad if the search rates it this much below the best, as a share of the win.
GAP = 0.2
#: And if it was tried at least this often.
LEAST_VISITS = 40
#: Moves of a game that are searched, about.
SEARCHED = 15


class Candidate(NamedTuple):
    """A move that might be planted: how much worse it is than the best, and where."""

    gap: float
    moves_before: int
    worst: int
    best: int


class Planter:
    """Finds clearly bad moves in one game."""

    def __init__(self, game: Game) -> None:
        self._search = TreeSearch(game, 1 << 15)
        # An exploration this large tries bad moves, too; a playout to the end knows who wins.
        settings = {"exploration": 2, "rounds": 0, "width": 0, "playout_width": game.shape.moves}
        self._config = SearchConfig.of({**game.search, **settings})

    def values(self, match: Match, chance: Random, simulations: int) -> dict[int, float]:
        """What a search thinks of the moves of the seat to act that it has tried often enough."""
        self._search.reset(chance.getrandbits(32), 0)
        self._search.run(ask(match).view, self._config, simulations)
        nodes = self._search.nodes
        tried = [node for node in nodes[1:][nodes.parent[1:] == 0] if node.visits >= LEAST_VISITS]
        return {int(node.move): float(node.value / node.visits) for node in tried}

    def candidate(self, match: Match, chance: Random) -> Candidate | None:
        """The worst move of the seat to act; None if there is no choice."""
        values = self.values(match, chance, SIMULATIONS)
        if len(values) < 2:
            return None
        worst, best = (pick(values, key=lambda move: values[move]) for pick in (min, max))
        return Candidate(values[best] - values[worst], len(match.moves), worst, best)

    def is_confirmed(self, match: Match, found: Candidate, chance: Random) -> bool:
        """Does another search agree?"""
        values = self.values(match, chance, CONFIRMING)
        if found.worst not in values or found.best not in values:
            return False
        return values[found.best] - values[found.worst] >= GAP


def planted_game(
    game: Game, seed: bytes, player: Bot, planter: Planter, chance: Random
) -> tuple[dict[str, Any], int] | None:
    """The record of a game with a planted mistake, and its number; None if none was clear."""
    first = Match(game, {"players": game.usual_players}, seed=seed)
    candidates = []
    usual_moves = 40 * game.usual_players
    while not first.over:
        if chance.random() < SEARCHED / usual_moves:
            candidates.append(planter.candidate(first, chance))
        player.play(first)
    found = max(filter(None, candidates), default=None)
    if found is None:
        return None
    match = Match(game, {"players": game.usual_players}, seed=seed)
    for move in first.record()["moves"][: found.moves_before]:
        match.play(move)
    if not planter.is_confirmed(match, found, chance):
        return None
    match.play(match.settings.text.write(found.worst))
    while not match.over:
        player.play(match)
    return match.record(), found.moves_before + 1


def planted_games(game: Game, games: int, places: list[int]) -> Iterator[dict[str, Any]]:
    """Records of games with a planted mistake; `places` gets the number of its move."""
    player, planter, chance = bot(PLAYER, seed=1), Planter(game), Random(game.name)
    with progress("playing") as bars:
        task = bars.add_task(game.name, total=games)
        for number in itertools.count():
            found = planted_game(game, number.to_bytes(32, "big"), player, planter, chance)
            if found is None:
                continue
            record, place = found
            places.append(place)
            bars.advance(task)
            yield record
            if len(places) == games:
                return


def find_planted(game: Game, games: int, budget: int, jobs: int | None) -> dict[str, Any]:
    """How often the review names the planted mistake first, and where it fails."""
    places: list[int] = []
    reviews = review_each(planted_games(game, games, places), budget=budget, seed=1, jobs=jobs)
    missed = []
    for number, review in enumerate(reviews):
        names = [mistake.n for mistake in review.mistakes]
        if names[:1] != [places[number]]:
            rank = names.index(places[number]) + 1 if places[number] in names else None
            losses = [each.loss for each in review.decisions if each.n == places[number]]
            missed.append({"game": number, "rank": rank, "loss": losses})
    return {"game": game.name, "games": games, "first": games - len(missed), "missed": missed}


def main() -> None:
    """Play, plant, review, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="games (all)")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--budget", type=int, default=200_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    found = []
    for game in all_games().values():
        if not arguments.only or game.name in arguments.only:
            found.append(find_planted(game, arguments.games, arguments.budget, arguments.jobs))
            print(f"{game.name}: {found[-1]['first']} of {arguments.games} named first", flush=True)
    content = {"player": PLAYER, "budget": arguments.budget, "machine": describe_machine()}
    arguments.out.write_text(json.dumps({**content, "games": found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
