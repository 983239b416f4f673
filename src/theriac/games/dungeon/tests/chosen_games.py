"""Whole games that show more than random ones, which end after a few moves.

`python -m theriac.games.dungeon.tests.chosen_games` plays them again, after a change of the rules
that is meant, and writes them beside the playthroughs of all sets of options. Each is the first of
many games that ended as it should.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from theriac.game import find
from theriac.match import Match
from theriac.testing.playthroughs import digests, home, write

GAME = find("dungeon")
SPELLS = ("fireball", "ice", "poison", "silence")
PATIENT = ["0000"] * 6 + ["0122", "1112", "1121c1"] * 4 + ["4111t6"] * 4 + ["4444t3K"]


@dataclass(frozen=True)
class Chosen:
    """What is looked for: options, how carefully they play, and the end.

    `tries`: the best of that many moves is played, by the heuristic (0: of all). `late`: the
    clock runs out after that many moves. `casts`: a spell that may be cast is cast so often.
    `bold`: creatures are laid before anything else.
    """

    name: str
    options: dict[str, Any]
    why: str
    tries: int = 0
    late: int = -1
    casts: float = 0.0
    bold: bool = False
    fits: Callable[[Match], bool] = field(default=lambda match: True)


def uses_all_spells(match: Match) -> bool:
    """Was each spell used?"""
    return {move.partition("@")[0] for move in match.moves} >= set(SPELLS)


CHOSEN = [
    Chosen("won", {"players": 3}, "KKD-22"),
    Chosen(
        "won-with-treasure", {"players": 4, "treasure": True}, "KKD-22",
        fits=lambda match: match.view()["scores"][0] >= 8,
    ),
    Chosen(
        "won-with-spells", {"players": 2, "level": 2, "spells": [*SPELLS]}, "KKD-22",
        casts=0.2, fits=uses_all_spells,
    ),
    Chosen("won-the-last-fort", {"players": 5, "level": 4, "spells": ["ice"]}, "KKD-22"),
    # In the box no creature has tokens enough for this.
    Chosen("lost-by-too-few-tokens", {"players": 2, "deck": PATIENT}, "KKD-12", bold=True),
    Chosen("lost-by-a-corridor", {"players": 2}, "KKD-15", tries=25),
    Chosen("lost-by-a-creature", {"players": 6}, "KKD-17"),
    Chosen("lost-by-empty-hands", {"players": 1}, "KKD-21"),
    Chosen("lost-by-the-clock", {"players": 3, "minutes": 1}, "KKD-23", late=9),
]  # fmt: skip


def next_move(chosen: Chosen, match: Match, random: Random) -> str:
    """What is played now."""
    text = match.settings.text
    if len(match.moves) == chosen.late:
        return "timeout"
    moves = match.legal_numbers()
    cast = [move for move in moves if text.write(move).partition("@")[0] in SPELLS]
    if cast and random.random() < chosen.casts:
        return text.write(random.choice(cast))
    few = [random.choice(moves) for _ in range(chosen.tries)] or moves
    v = match.look(match.to_act)

    def worth(move: int) -> tuple[bool, float]:
        creature = chosen.bold and "t" in text.write(move).partition("@")[0]
        return creature, float(GAME.engine().advise(v, move))

    return text.write(max(few, key=worth))


def play(chosen: Chosen, number: int) -> Match:
    """The game of this number."""
    random = Random(f"{chosen.name} {number}")
    match = Match(GAME, chosen.options, seed=random.randbytes(32))
    while not match.over:
        match.play(next_move(chosen, match, random))
    return match


def find_game(chosen: Chosen) -> dict[str, Any]:
    """The first game that ends as it should, as a playthrough."""
    for number in range(500):
        match = play(chosen, number)
        end = match.view()
        if end["table"]["why"] == chosen.why and len(match.moves) > 5 and chosen.fits(match):
            record = match.record()
            each = list(digests(record, None))
            return {**record, "expect": {"each": each, "end": end}}
    raise LookupError(f"no game was found: {chosen.name}")


if __name__ == "__main__":
    for chosen in CHOSEN:
        write(find_game(chosen), home(GAME) / f"dungeon-{chosen.name}.json")
