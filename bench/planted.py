"""Does a review find a mistake that was planted? Bots play, and once a game a bad move is made.

    python -m bench.planted --games 100 --first 1000000

In each game some positions, drawn at random, are searched, and the move that is furthest below the
one that the bot made is proposed. The witness decides: games that searches play on from both moves
(`bench.witness`), apart from the review and its network. A few states show whether the move may be
bad enough. Then in other states, whose number is fixed so that luck does not end the count, it must
cost at least `GAP` of the win, `CLEARLY` standard errors below its mean. It replaces the bot's
move, and the bots play on. Other games are not used. The review must name it first among the
mistakes of all seats.

Bots make mistakes of their own, and where one of them is as bad, there is no one clearly bad move.
The *rival* of a plant is the largest mistake that the review names beside it, whichever of the two
it names first. The witness is asked about every rival, also where the plant was found. A plant is
the *clear* one if its rival costs less by at least `CLEARLY` standard errors. Both are counted: all
plants, and the clear ones.

Games are numbered from `--first` on, so that what was tuned on some can be measured on others. They
are kept in `--plants`, and read from there the next time. After every game the counts are written
to `bench/results/planted.json`, beside those of other games, bots, budgets and first numbers.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from scipy import stats

from bench.witness import Cost, Witness
from theriac.bots import ask, bot
from theriac.bots.base import Bot
from theriac.bots.search import TreeSearch
from theriac.cli.bench import describe_machine
from theriac.engine.search import SearchConfig
from theriac.game import Game, all_games
from theriac.match import Match
from theriac.review.history import OpenMatch
from theriac.review.many import review_each
from theriac.review.results import Decision, Mistake, Review

RESULTS = Path(__file__).resolve().parent / "results" / "planted.json"
#: The bots that a user meets.
PLAYERS = ("greedy", "search:simulations=2000", "neural")
#: Positions of a game that are searched, about, and with how many simulations.
SEARCHED = 15
SIMULATIONS = 1500
#: Moves that a search tried less often than this are not judged by it.
LEAST_VISITS = 20
#: The witness is asked if a move costs this much, as a share of the win, by the search. That says
#: less than is true: its values are means over all that it tried after the move.
PROPOSED = 0.15
#: A move is clearly bad if it costs this much by the witness, beyond its error.
GAP = 0.25
#: States to see whether it may be so: at most, and at least; and those that then decide.
FIRST_STATES = 48
FEWEST_STATES = 16
DECIDING_STATES = 96
#: This many standard errors are beyond doubt: for a plant, and for its rival.
CLEARLY = 2.0
#: A rival that differs by this many is compared no further, and none is in more states than these.
OBVIOUS = 3.0
RIVAL_STATES = 192
#: The counts, in words.
COUNTS = {"all": "of all plants", "clear": "of those without a rival"}


class Plant(msgspec.Struct):
    """A game with a planted mistake: which move, what it replaced, and what the witness says."""

    number: int
    record: dict[str, Any]
    place: int
    replaced: str
    cost: Cost


class Candidate(NamedTuple):
    """A move that might be planted: how much worse it is than the one made, and where."""

    gap: float
    moves_before: int
    worst: int
    made: int


class Outcome(msgspec.Struct):
    """What a review says of a game with a planted mistake."""

    number: int
    place: int
    #: Where it is among the mistakes, from 1; None if it is not.
    rank: int | None
    #: What the plant costs, by the witness and by the review (with the error).
    cost: Cost
    loss: tuple[float, float] | None
    #: The largest other mistake: the number of the move, and what it costs by both.
    rival: int | None
    rival_cost: Cost | None
    rival_loss: tuple[float, float] | None
    #: By how many standard errors the rival is smaller; None if there is none.
    clear_by: float | None

    @property
    def is_found(self) -> bool:
        """Was the plant named first?"""
        return self.rank == 1

    @property
    def is_clear(self) -> bool:
        """Is no other mistake as bad?"""
        return self.clear_by is None or self.clear_by >= CLEARLY


def may_be_bad(cost: Cost) -> bool:
    """By a few states: may a move be clearly bad?"""
    return cost.mean >= GAP


def is_clearly_bad(cost: Cost) -> bool:
    """Is a move that costs this bad beyond doubt?"""
    return cost.mean - CLEARLY * cost.error >= GAP


class Proposer:
    """Looks for bad moves by a search."""

    def __init__(self, game: Game) -> None:
        self._unit_is_team = game.together
        self._search = TreeSearch(game, 1 << 13)
        # An exploration this large tries bad moves, too; a playout to the end knows who wins.
        settings = {"exploration": 2, "rounds": 0, "width": 0, "playout_width": game.shape.moves}
        self._config = SearchConfig.of({**game.search, **settings})

    def candidate(self, match: Match, made: int, chance: Random) -> Candidate | None:
        """The worst move of the seat to act; None if the search does not know it, or the other."""
        self._search.reset(chance.getrandbits(32), 0)
        self._search.run(ask(match).view, self._config, SIMULATIONS)
        nodes = self._search.nodes
        tried = [node for node in nodes[1:][nodes.parent[1:] == 0] if node.visits >= LEAST_VISITS]
        unit = match.settings.players if self._unit_is_team else 1
        values = {int(node.move): unit * float(node.value / node.visits) for node in tried}
        if made not in values:
            return None
        worst = min(values, key=lambda move: values[move])
        return Candidate(values[made] - values[worst], len(match.moves), worst, made)


def new_match(game: Game, number: int) -> Match:
    """The match of a number before its first move."""
    return Match(game, {"players": game.usual_players}, seed=number.to_bytes(32, "big"))


def plant(
    game: Game, number: int, player: Bot, proposer: Proposer, witness: Witness
) -> Plant | None:
    """A game with a planted mistake; None if none was clearly bad."""
    match, chance = new_match(game, number), Random(f"{game.name} {number}")
    candidates, moves = [], []
    usual_moves = 40 * game.usual_players
    while not match.over:
        question = ask(match)
        made = int(player.answer(question))
        if len(question.legal) > 1 and chance.random() < SEARCHED / usual_moves:
            candidates.append(proposer.candidate(match, made, chance))
        moves.append(match.settings.text.write(made))
        match.play(moves[-1])
    found = max(filter(None, candidates), default=None)
    if found is None or found.gap < PROPOSED:
        return None
    match = new_match(game, number)
    for move in moves[: found.moves_before]:
        match.play(move)
    cost = cost_of_plant(match, found, witness, chance)
    if cost is None:
        return None
    match.play(match.settings.text.write(found.worst))
    while not match.over:
        player.play(match)
    place = found.moves_before + 1
    return Plant(number, match.record(), place, moves[found.moves_before], cost)


def cost_of_plant(match: Match, found: Candidate, witness: Witness, chance: Random) -> Cost | None:
    """What a candidate costs by the witness; None if it is not clearly bad."""
    moves = match, found.worst, found.made

    def is_seen(cost: Cost) -> bool:
        few = cost.states < FEWEST_STATES
        return cost.states >= FIRST_STATES or not (few or may_be_bad(cost))

    if not may_be_bad(witness.cost(*moves, chance.getrandbits(32), is_seen)):
        return None
    cost = witness.cost(*moves, chance.getrandbits(32), lambda cost: cost.states >= DECIDING_STATES)
    return cost if is_clearly_bad(cost) else None


def read_plants(file: Path) -> list[Plant]:
    """The plants of earlier runs."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=Plant) for line in file.read_bytes().splitlines()]


def plants(game: Game, level: str, games: int, first: int, file: Path) -> Iterator[Plant]:
    """Games with a planted mistake: those in the file, then new ones, which are added to it."""
    known = read_plants(file)[:games]
    yield from known
    player, proposer, witness = bot(level, seed=1), Proposer(game), Witness(game)
    count = len(known)
    for number in itertools.count(known[-1].number + 1 if known else first):
        if count == games:
            return
        found = plant(game, number, player, proposer, witness)
        if found is not None:
            with file.open("ab") as lines:
                lines.write(msgspec.json.encode(found) + b"\n")
            count += 1
            yield found


def cost_of_mistake(game: Game, found: Plant, mistake: Mistake) -> Cost:
    """What another mistake costs by the witness, if what the review names is played instead."""
    match, chance = OpenMatch.at(found.record, mistake.n - 1), Random(found.number)
    made, best = (match.settings.text.read(move) for move in (mistake.move, mistake.best))

    def is_obvious(cost: Cost) -> bool:
        is_clear = cost.states >= FEWEST_STATES and abs(cost.behind(found.cost)) >= OBVIOUS
        return is_clear or cost.states >= RIVAL_STATES

    return Witness(game).cost(match, made, best, chance.getrandbits(32), is_obvious)


def outcome(game: Game, found: Plant, review: Review) -> Outcome:
    """What the review says, and what the witness says of the largest other mistake."""
    names = [mistake.n for mistake in review.mistakes]
    rival = next((each for each in review.mistakes if each.n != found.place), None)
    rival_cost = cost_of_mistake(game, found, rival) if rival else None
    planted = next((each for each in review.decisions if each.n == found.place), None)
    return Outcome(
        number=found.number,
        place=found.place,
        rank=names.index(found.place) + 1 if found.place in names else None,
        cost=found.cost,
        loss=_loss(planted),
        rival=rival.n if rival else None,
        rival_cost=rival_cost,
        rival_loss=_loss(rival),
        clear_by=round(rival_cost.behind(found.cost), 2) if rival_cost else None,
    )


def _loss(found: Decision | Mistake | None) -> tuple[float, float] | None:
    return (round(found.loss, 4), round(found.error, 4)) if found else None


def share(outcomes: list[Outcome]) -> dict[str, Any]:
    """How many of the plants were named first, with the 95 % interval."""
    games, first = len(outcomes), sum(each.is_found for each in outcomes)
    if not games:
        return {"games": 0, "first": 0, "low": 0.0, "high": 1.0}
    interval = stats.binomtest(first, games).proportion_ci(method="wilson")
    return {
        "games": games,
        "first": first,
        "low": round(float(interval.low), 3),
        "high": round(float(interval.high), 3),
    }


def counts(outcomes: list[Outcome]) -> dict[str, Any]:
    """The counts of some games, and the games."""
    return {
        "all": share(outcomes),
        "clear": share([each for each in outcomes if each.is_clear]),
        "outcomes": [msgspec.to_builtins(each) for each in outcomes],
    }


def find_planted(game: Game, level: str, given: argparse.Namespace) -> Iterator[list[Outcome]]:
    """What reviews say of games with a planted mistake, again after each game."""
    given.plants.mkdir(parents=True, exist_ok=True)
    file = given.plants / f"{game.name}-{level.partition(':')[0]}-{given.first}.jsonl"
    kept: list[Plant] = []
    outcomes: list[Outcome] = []

    def records() -> Iterator[dict[str, Any]]:
        for each in plants(game, level, given.games, given.first, file):
            kept.append(each)
            yield each.record

    reviews = review_each(records(), budget=given.budget, seed=1, jobs=given.jobs)
    for i, review in enumerate(reviews):
        outcomes.append(outcome(game, kept[i], review))
        yield outcomes


def write_results(file: Path, key: dict[str, Any], found: dict[str, Any]) -> None:
    """Write the counts of a run, in the place of an earlier one with the same key."""
    content = json.loads(file.read_text("utf-8")) if file.exists() else {"results": []}
    others = [each for each in content["results"] if not key.items() <= each.items()]
    day = datetime.now(UTC).date().isoformat()
    head = {"date": day, "machine": describe_machine()}
    text = json.dumps({**head, "results": [*others, {**key, **found}]})
    # One line for each game, so that a person can read it.
    text = text.replace('{"number"', '\n  {"number"').replace('{"game"', '\n {"game"')
    file.write_text(text + "\n", "utf-8")


def print_counts(found: dict[str, Any]) -> None:
    """Print the counts, with their intervals."""
    for key, words in COUNTS.items():
        line = found[key]
        interval = f"{100 * line['low']:.0f} to {100 * line['high']:.0f} %"
        print(f"  {line['first']} of {line['games']} named first ({interval}), {words}", flush=True)


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
    for game in all_games().values():
        if given.only and game.name not in given.only:
            continue
        for level in given.player or PLAYERS:
            if level == "neural" and not list((game.folder / "networks").glob("*.npz")):
                continue
            key = {"game": game.name, "player": level, "budget": given.budget, "first": given.first}
            print(f"{game.name}, {level}:")
            began = time.monotonic()
            for outcomes in find_planted(game, level, given):
                found = counts(outcomes)
                write_results(given.out, key, found)
                print(f"{time.monotonic() - began:.0f} s, {outcomes[-1]}", flush=True)
                print_counts(found)


if __name__ == "__main__":
    main()
