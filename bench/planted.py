"""Does a review find a mistake that was planted? Bots play, and once a game a bad move is made.

    python -m bench.planted --games 100

In each game one move with a choice, drawn at random among those where a longer search finds a move
that is clearly bad, is replaced by the worst one. The review must name it first among the mistakes
of all seats. The other moves are by a short search, whose own mistakes are smaller; `greedy` loses
more than a planted mistake costs in some positions. Writes `bench/results/planted.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from theriac.bots import ask, bot
from theriac.bots.search import TreeSearch
from theriac.cli.bench import describe_machine
from theriac.cli.console import progress
from theriac.engine.search import SearchConfig
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.many import review_each

RESULTS = Path(__file__).resolve().parent / "results" / "planted.json"
PLAYER = "search:simulations=1000"
SIMULATIONS = 4000
#: A move is clearly bad if the search rates it this much below the best, as a share of the win.
GAP = 0.2
#: And if it was tried at least this often.
LEAST_VISITS = 20
#: The chance that a move is searched at all.
SEARCH_CHANCE = 0.2


class Planter:
    """Finds clearly bad moves in one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._search = TreeSearch(game, 1 << 15)
        # An exploration this large tries bad moves, too; a playout to the end knows who wins.
        self._config = SearchConfig.of({**game.search, "exploration": 3, "rounds": 0, "width": 0})

    def bad_move(self, match: Match, chance: Random) -> str | None:
        """The worst move of the seat to act, if it is clearly bad."""
        question = ask(match)
        if len(question.legal) < 2:
            return None
        self._search.reset(chance.getrandbits(32), 0)
        self._search.run(question.view, self._config, SIMULATIONS)
        nodes = self._search.nodes
        tried = [node for node in nodes[1:][nodes.parent[1:] == 0] if node.visits >= LEAST_VISITS]
        if not tried:
            return None
        values = {int(node.move): float(node.value / node.visits) for node in tried}
        worst = min(values, key=lambda move: values[move])
        if max(values.values()) - values[worst] < GAP:
            return None
        return match.settings.text.write(worst)


def planted_games(game: Game, games: int, places: list[int]) -> Iterator[dict[str, Any]]:
    """Records of games with a planted mistake; `places` gets the number of its move."""
    player, planter, chance = bot(PLAYER, seed=1), Planter(game), Random(game.name)
    number = 0
    with progress("playing") as bars:
        task = bars.add_task(game.name, total=games)
        while len(places) < games:
            seed = number.to_bytes(32, "big")
            number += 1
            match = Match(game, {"players": game.usual_players}, seed=seed)
            place = None
            while not match.over:
                is_searched = place is None and chance.random() < SEARCH_CHANCE
                bad = planter.bad_move(match, chance) if is_searched else None
                if bad is None:
                    player.play(match)
                else:
                    match.play(bad)
                    place = len(match.moves)
            if place is not None:
                places.append(place)
                bars.advance(task)
                yield match.record()


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
