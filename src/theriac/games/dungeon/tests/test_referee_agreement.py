"""The rules of the dungeon and the referee agree on games with odd decks, played with some care.

With the cards of the box random games end after a few moves. Here decks are made of random faces,
most of them calm, with up to 13 tokens, marks, chests and towers; and moves are the best of a few.
`python -m theriac.games.dungeon.tests.test_referee_agreement SECONDS` runs for that many seconds.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from theriac.faults import Refused
from theriac.game import find
from theriac.games.dungeon.tests.referee import SPELLS, Dungeon
from theriac.match import Match
from theriac.testing.referee import BadOption

GAME = find("dungeon")
HANDS = {1: 6, 2: 4, 3: 4, 4: 4, 5: 4, 6: 3}


# Decks


def random_face(random: Random, calm: float) -> str:
    """A card, mostly with low corners; some look the same turned."""
    digits = [random.choice([0, 0, 0, 1, 1, 2]) for _ in range(4)]
    if random.random() > calm:
        digits = [random.choice([0, 1, 2, 3, 4, 6, 9]) for _ in range(4)]
    if random.random() < 0.3:
        digits[2:] = [digits[1], digits[0]]
    face = "".join(map(str, digits))
    if random.random() < 0.25:
        face += f"t{random.choice([1, 2, 3, 4, 4, 5, 6, 9, 12, 13])}"
    face += random.choice(["", "", "", "s"])
    face += random.choice(["", "", "c1", "c2", "c12"])
    return face + random.choice(["", "", "", "L1", "L2", "L3", "L4"])


def random_knight(random: Random) -> str:
    """Sometimes one who falls to a single card, sometimes one who never falls."""
    digits = random.choice(["0006", "1113", "4444", "2222", "9999", "0330", "1000"])
    marks = random.choice(["", "s"]) + random.choice(["", "c2"])
    return f"{digits}t{random.choice([2, 3, 5, 9])}{marks}K"


def random_options(random: Random) -> dict[str, Any]:
    """Everything that can be chosen, with a deck that is just enough or much more."""
    players = random.randint(1, 6)
    level = random.randint(0, 4)
    needed = players * HANDS[players] + 1
    calm = random.choice([0.6, 0.9, 1.0])
    faces = [random_face(random, calm) for _ in range(random.randint(3, 20))]
    deck: list[str] = []
    usable = 0
    most = min(62, needed + random.choice([0, 1, 3, 10, 30]))
    while usable < most:
        card = random.choice(["0000", "0000s", "0000c1", *faces])
        deck.append(card)
        usable += "L" not in card or f"L{level}" in card
    options: dict[str, Any] = {
        "players": players,
        "first": random.randrange(players),
        "minutes": random.choice([0, 6]),
        "treasure": random.random() < 0.5,
        "level": level,
        "deck": [*deck, random_knight(random)],
    }
    if level:
        options["spells"] = random.sample(SPELLS, random.randint(0, 4))
    return options


# Playing


def careful_move(match: Match, random: Random, tries: int) -> str:
    """The best of a few, by the heuristics; a spell now and then."""
    engine = GAME.engine()
    moves = match.legal_numbers()
    few = [random.choice(moves) for _ in range(tries)]
    v = match.look(match.to_act)
    spells = [move for move in moves if match.settings.text.write(move)[0] in "fips"]
    if spells and random.random() < 0.1:
        return match.settings.text.write(random.choice(spells))
    return match.settings.text.write(max(few, key=lambda move: float(engine.advise(v, move))))


def odd_texts(match: Match, referee: Dungeon, random: Random) -> list[str]:
    """Texts that may be legal, and mostly are not."""
    cards = [random.choice(referee.deck), *(hand[0] for hand in referee.hands if hand)]
    x, y = random.choice([*referee.fort, (0, 0)])
    places = [f"{x},{y}", f"{x + random.randint(-2, 2)},{y + random.randint(-2, 2)}"]
    places.append(f"{random.randint(-70, 70)},{random.randint(-70, 70)}")
    found = [f"{card}{turn}@{place}" for card in cards for turn in ("", "r") for place in places]
    found += [f"{spell}@{place}" for spell in SPELLS for place in places]
    found += [f"poison@{place}:{random.choice(['tl', 'br', 'x'])}" for place in places]
    legal = match.legal()
    found += ["silence", "pass", "", *(random.choice(legal)[:-1] for _ in range(2) if legal)]
    return random.sample(found, 8)


def same_refusals(match: Match, referee: Dungeon, random: Random) -> None:
    for text in odd_texts(match, referee, random):
        clause = referee.refusal(text)
        if clause is None:
            continue
        before = match._g.tobytes()
        with pytest.raises(Refused) as refused:
            match.play(text)
        assert refused.value.clause == clause, text
        assert match._g.tobytes() == before


def same_views(match: Match, referee: Dungeon) -> None:
    assert match.view() == referee.state()
    for seat in range(match.players):
        assert match.view(seat) == referee.seat_state(seat)


def play_game(seed: int, speed: Any = None) -> tuple[str, int]:
    """A game both ways; by which clause it ended, and after how many moves."""
    random = Random(seed)
    options = random_options(random)
    try:
        match = Match(GAME, options, seed=random.randbytes(32), speed=speed)
    except ValueError as error:
        with pytest.raises(BadOption):
            Dungeon(options, [], lambda _, cards: cards)
        return str(error), 0
    referee = Dungeon(options, [], lambda k, _: list(match.dealt[k]))
    tries = random.choice([1, 10, 40])
    clock = options["minutes"] and random.random() < 0.05
    for _ in range(200):
        same_views(match, referee)
        same_refusals(match, referee, random)
        if match.over:
            return match.view()["table"]["why"], len(match.moves)
        late = clock and random.random() < 0.1
        move = "timeout" if late else careful_move(match, random, tries)
        match.play(move)
        referee.play(move)
    raise AssertionError("a game without end")


@pytest.mark.parametrize("part", range(4))
def test_the_rules_and_the_referee_agree_on_odd_decks(part: int) -> None:
    ends = Counter(play_game(seed)[0] for seed in range(12 * part, 12 * part + 12))
    assert {"KKD-15", "KKD-17"} <= set(ends)


def test_they_agree_when_the_rules_are_interpreted() -> None:
    """Where an index out of bounds would be noticed."""
    for seed in range(100, 103):
        play_game(seed, "plain")


def go_on(seconds: float) -> None:
    """Many games, and what became of them."""
    ends: Counter[str] = Counter()
    moves = seed = 0
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        seed += 1
        try:
            end, made = play_game(1000 + seed)
        except BaseException:
            print(f"seed {1000 + seed}")
            raise
        ends[end] += 1
        moves += made
    print(f"{seed} games, {moves} moves: {dict(sorted(ends.items()))}")


if __name__ == "__main__":
    go_on(float(sys.argv[1]))
