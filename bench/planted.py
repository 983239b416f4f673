"""Does a review find a mistake that was planted? Bots play, and once a game a bad move is made.

    python -m bench.planted --games 100 --first 1000000

A planted move is clearly bad by two witnesses. The first, a search, knows nothing of the review.
The second has states of its own, but the player that also judges in the review. In each game some
moves, drawn at random, are searched longer than the bots do. Where a move is furthest below the
best, a second search with other random numbers has to agree that it costs at least `GAP` of the
win. And in states that the seat could imagine, played to the end of the game by the network (by
the heuristics, where there is none), it must cost as much, by at least four standard errors.
Other games are not used. The move is made, the bots play on, and the review must name it first
among the mistakes of all seats.

The bots make mistakes of their own, and some are larger. So where the review names another move
first, the same witnesses are asked about that one. If both say that it cost at least as much as the
planted one, that is no plant to find first, and the game does not count: both counts are given,
with and without such games.

Games are numbered from `--first` on, so that what was tuned on some can be measured on others. They
are kept in `--plants`, and read from there the next time. Writes `bench/results/planted.json`.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
from scipy import stats

from theriac.bots import ask, bot
from theriac.bots.base import Bot
from theriac.bots.guided import guide_of
from theriac.bots.network_choice import shipped_network
from theriac.bots.search import TreeSearch
from theriac.cli.bench import describe_machine
from theriac.engine.guided_search import GuidedBuffers
from theriac.engine.search import SearchBuffers, SearchConfig
from theriac.engine.valuation import PAYOFF, EndTable, ValuationBuffers
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.history import OpenMatch
from theriac.review.many import review_each
from theriac.review.results import Review

RESULTS = Path(__file__).resolve().parent / "results" / "planted.json"
#: The bots that a user meets.
PLAYERS = ("greedy", "search:simulations=2000", "neural")
#: Simulations to find a bad move, and to confirm it.
SIMULATIONS = 1500
CONFIRMING = 6000
#: States in which both moves are played to the end.
PLAYED_STATES = 600
#: A move is clearly bad if it costs this much, as a share of the win, by both witnesses.
GAP = 0.25
SIGNIFICANT = 4.0
#: And if the search tried it at least this often.
LEAST_VISITS = 40
#: The two counts, in words.
COUNTS = {
    "all": "of all plants",
    "without_larger": "without games in which a larger mistake by both witnesses was named",
}
#: Moves of a game that are searched, about.
SEARCHED = 15


class Plant(msgspec.Struct):
    """A game with a planted mistake: which move, and what it costs by each witness."""

    number: int
    record: dict[str, Any]
    place: int
    searched: float
    played: float
    error: float


class Candidate(NamedTuple):
    """A move that might be planted: how much worse it is than the best, and where."""

    gap: float
    moves_before: int
    worst: int
    best: int


class Witnesses:
    """Say what a move costs: a long search, and games played on to the end."""

    def __init__(self, game: Game) -> None:
        self._game = game
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
        unit = match.settings.players if self._game.together else 1
        return {int(node.move): unit * float(node.value / node.visits) for node in tried}

    def candidate(self, match: Match, chance: Random) -> Candidate | None:
        """The worst move of the seat to act; None if there is no choice."""
        values = self.values(match, chance, SIMULATIONS)
        if len(values) < 2:
            return None
        worst, best = (pick(values, key=lambda move: values[move]) for pick in (min, max))
        return Candidate(values[best] - values[worst], len(match.moves), worst, best)

    def searched(self, match: Match, worse: int, better: int, chance: Random) -> float:
        """What the worse move costs by another search; 0 if that did not try both."""
        values = self.values(match, chance, CONFIRMING)
        if worse not in values or better not in values:
            return 0.0
        return values[better] - values[worse]

    def played(self, match: Match, worse: int, better: int, chance: Random) -> tuple[float, float]:
        """What it costs in games that the network or the heuristics play on, and the error."""
        game, engine, seat = self._game, self._game.engine(), match.actor
        network = shipped_network(game, match.settings)
        table = EndTable.of(game.shape, match.settings.players, 1 << 14)
        ends = np.zeros((PLAYED_STATES, 2), np.int32)
        moves, key = np.array([better, worse], np.int64), chance.getrandbits(32)
        view, start = ask(match).view, (len(match.moves), key, 0, 0)
        after = table, ValuationBuffers.of(game.shape)
        if network:
            guide = guide_of(game, match.settings, network)
            guided = GuidedBuffers.of(SearchBuffers.of(game.shape), guide.network)
            engine.imagine_and_follow_network(view, moves, *start, guide, -1, *after, guided, ends)
        else:
            engine.imagine_and_follow_all(view, moves, moves[:0], *start, *after, ends)
        payoffs = table.sums[ends, seat, PAYOFF] / table.visits[ends]
        losses = (payoffs[:, 0] - payoffs[:, 1]) * (match.settings.players if game.together else 1)
        return float(losses.mean()), float(losses.std(ddof=1) / len(losses) ** 0.5)


def new_match(game: Game, number: int) -> Match:
    """The match of a number before its first move."""
    return Match(game, {"players": game.usual_players}, seed=number.to_bytes(32, "big"))


def plant(game: Game, number: int, player: Bot, witnesses: Witnesses) -> Plant | None:
    """A game with a planted mistake; None if none was clear."""
    first, chance = new_match(game, number), Random(f"{game.name} {number}")
    candidates = []
    usual_moves = 40 * game.usual_players
    while not first.over:
        if chance.random() < SEARCHED / usual_moves:
            candidates.append(witnesses.candidate(first, chance))
        player.play(first)
    found = max(filter(None, candidates), default=None)
    if found is None:
        return None
    match = new_match(game, number)
    for move in first.record()["moves"][: found.moves_before]:
        match.play(move)
    searched = witnesses.searched(match, found.worst, found.best, chance)
    if searched < GAP:
        return None
    played, error = witnesses.played(match, found.worst, found.best, chance)
    if played < max(GAP, SIGNIFICANT * error):
        return None
    match.play(match.settings.text.write(found.worst))
    while not match.over:
        player.play(match)
    return Plant(number, match.record(), found.moves_before + 1, searched, played, error)


def read_plants(file: Path) -> list[Plant]:
    """The plants of earlier runs."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=Plant) for line in file.read_bytes().splitlines()]


def plants(game: Game, level: str, games: int, first: int, file: Path) -> Iterator[Plant]:
    """Games with a planted mistake: those in the file, then new ones, which are added to it."""
    known = read_plants(file)[:games]
    yield from known
    player, witnesses = bot(level, seed=1), Witnesses(game)
    count = len(known)
    for number in itertools.count(known[-1].number + 1 if known else first):
        if count == games:
            return
        found = plant(game, number, player, witnesses)
        if found is not None:
            with file.open("ab") as lines:
                lines.write(msgspec.json.encode(found) + b"\n")
            count += 1
            yield found


def named_first(game: Game, found: Plant, review: Review) -> tuple[float, float]:
    """What the move that the review names first costs, by the search and by games played on."""
    named, witnesses, chance = review.mistakes[0], Witnesses(game), Random(found.number)
    match = OpenMatch.at(found.record, named.n - 1)
    made, best = (match.settings.text.read(move) for move in (named.move, named.best))
    played, _ = witnesses.played(match, made, best, chance)
    return witnesses.searched(match, made, best, chance), played


def miss(game: Game, found: Plant, review: Review) -> dict[str, Any]:
    """What the review says instead."""
    names = [mistake.n for mistake in review.mistakes]
    searched, played = named_first(game, found, review) if names else (0.0, 0.0)
    return {
        "number": found.number,
        "place": found.place,
        "witnesses": (found.searched, found.played),
        "found": [(each.loss, each.error) for each in review.decisions if each.n == found.place],
        "rank": names.index(found.place) + 1 if found.place in names else None,
        "named": [(each.n, each.loss, each.error) for each in review.mistakes[:1]],
        "named_witnesses": (searched, played),
        "larger": searched >= found.searched and played >= found.played,
        "larger_played": played >= found.played,
    }


def share(first: int, games: int) -> dict[str, Any]:
    """How many of the plants were named first, with the 95 % interval."""
    interval = stats.binomtest(first, games).proportion_ci(method="wilson")
    return {
        "games": games,
        "first": first,
        "low": round(float(interval.low), 3),
        "high": round(float(interval.high), 3),
    }


def find_planted(game: Game, level: str, given: argparse.Namespace) -> dict[str, Any]:
    """How often the review names the planted mistake first, and where it does not."""
    given.plants.mkdir(parents=True, exist_ok=True)
    file = given.plants / f"{game.name}-{level.partition(':')[0]}-{given.first}.jsonl"
    kept: list[Plant] = []

    def records() -> Iterator[dict[str, Any]]:
        for each in plants(game, level, given.games, given.first, file):
            kept.append(each)
            yield each.record

    reviews = review_each(records(), budget=given.budget, seed=1, jobs=given.jobs)
    missed = [
        miss(game, kept[i], review)
        for i, review in enumerate(reviews)
        if [mistake.n for mistake in review.mistakes[:1]] != [kept[i].place]
    ]
    first, larger = len(kept) - len(missed), sum(each["larger"] for each in missed)
    return {
        "game": game.name,
        "player": level,
        "all": share(first, len(kept)),
        "without_larger": share(first, len(kept) - larger),
        "larger_played": sum(each["larger_played"] for each in missed),
        "missed": missed,
    }


def main() -> None:
    """Play, plant, review, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="games (all)")
    parser.add_argument("--player", action="append", help=f"bots ({', '.join(PLAYERS)})")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--budget", type=int, default=200_000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--plants", type=Path, default=Path("plants"), help="a folder for games")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    found = []
    for game in all_games().values():
        if given.only and game.name not in given.only:
            continue
        for level in given.player or PLAYERS:
            if level == "neural" and not list((game.folder / "networks").glob("*.npz")):
                continue
            found.append(find_planted(game, level, given))
            print(f"{game.name}, {level}:")
            for key, words in COUNTS.items():
                line = found[-1][key]
                print(
                    f"  {line['first']} of {line['games']} named first "
                    f"({100 * line['low']:.0f} to {100 * line['high']:.0f} %), {words}",
                    flush=True,
                )
    content = {"budget": given.budget, "first": given.first, "machine": describe_machine()}
    given.out.write_text(json.dumps({**content, "results": found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
