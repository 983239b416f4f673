"""The rules and the independent referee agree, on every view and every refusal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from theriac.faults import Refused
from theriac.game import Game
from theriac.match import Match
from theriac.testing import referee as base
from theriac.testing.playing import some_move
from theriac.testing.profiles import often
from theriac.testing.referees import referee_at
from theriac.testing.setups import Setup, setups_of


def start(setup: Setup, random: Random, speed: Any) -> tuple[Match, base.Game]:
    """A match and the referee's game, with the same shuffles."""
    players = setup.given["players"]
    setup = Setup(setup.game, {**setup.given, "first": random.randrange(players)})
    match = Match(setup.game, setup.given, seed=random.randbytes(32), speed=speed)
    return match, referee_at(setup, setup.given["first"], [], lambda k, _: list(match.dealt[k]))


def same_views(match: Match, referee: base.Game) -> None:
    """In a hand only the cards count: the game chooses their order."""
    said = [*differences("the view", match.view(), referee.state())]
    for seat in range(match.players):
        seen = match.view(seat)
        seen["hand"] = sorted(seen["hand"])
        said += differences(f"the view of seat {seat}", seen, referee.seat_state(seat))
    assert not said, f"{said[0]}; options {dict(match.settings.given)}, moves {match.moves}"


def differences(where: str, rules: Any, referee: Any) -> Iterator[str]:
    """A sentence for each part of a view in which the rules and the referee differ."""
    if isinstance(rules, dict) and isinstance(referee, dict):
        for key in sorted({*rules, *referee}):
            if key not in rules or key not in referee:
                yield f"{where}: only {'text.py' if key in rules else 'the referee'} has {key}"
            else:
                yield from differences(f"{where}: {key}", rules[key], referee[key])
    elif rules != referee:
        yield f"{where}: the rules say {rules}, the referee says {referee}"


def some_texts(match: Match, random: Random) -> list[str]:
    """Texts that are legal moves, were legal moves, or are nearly moves."""
    known = match.settings.text
    catalogue = known.catalogue()
    moves = [known.write(int(random.choice(catalogue))) for _ in range(4)]
    legal = match.legal() or moves
    near = [mangled(random.choice([*moves, *legal]), random) for _ in range(6)]
    return [*moves, *near, mangled(near[0], random), random.choice(moves) + random.choice(legal)]


def mangled(text: str, random: Random) -> str:
    """A text with one error."""
    at = random.randrange(len(text) + 1)
    odd = random.choice(
        [" ", "+", "!", "=", "@", "0", "1", "7", "9", "S", "x", "R1", "é", "٣", "\n"]
    )
    return random.choice(
        [
            text[:at] + odd + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + odd + text[at + 1 :],
            text.swapcase(),
            text[::-1],
            f" {text}",
            f"{text}\n",
            "+".join(reversed(text.split("+"))),
            "",
        ]
    )


def same_refusals(match: Match, referee: base.Game, random: Random) -> None:
    """A text that the referee refuses is refused by the same clause, and changes nothing."""
    legal = set(referee.legal())
    for text in some_texts(match, random):
        if text in legal:
            continue
        before = match._g.tobytes()
        with pytest.raises(Refused) as refused:
            match.play(text)
        assert refused.value.clause == referee.refusal(text), repr(text)
        assert refused.value.move == text
        assert match._g.tobytes() == before


def play_under_the_referee(setup: Setup, random: Random, speed: Any, most: int, every: int) -> bool:
    """Play up to `most` moves, and compare all views every `every` moves; is the game over?"""
    match, referee = start(setup, random, speed)
    for number in range(most):
        if number % every == 0 or match.over:
            same_views(match, referee)
        if random.random() < 0.3 or match.over:
            same_refusals(match, referee, random)
        if match.over:
            break
        move = random.choice(match.legal()) if random.random() < 0.02 else some_move(match, random)
        match.play(move)
        referee.play(move)
    return match.over


def test_compiled_rules_and_referee_agree(setup: Setup) -> None:
    """Complete games with the shipped deck, and games with parts of it."""
    for seed in range(often(1, 20)):
        assert play_under_the_referee(setup, Random(f"{setup} {seed}"), "cpu", 2000, 2)
    for seed in range(often(1, 40)):
        random = Random(f"a part, {setup} {seed}")
        play_under_the_referee(setup.with_deck(random), random, "cpu", 150, 1)


def test_plain_rules_and_referee_agree(game: Game) -> None:
    """For the largest set of options; `test_speeds` compares both speeds for every one."""
    setup = setups_of(game)[-1]
    for seed in range(often(1, 20)):
        random = Random(f"plain, {setup} {seed}")
        play_under_the_referee(setup.with_deck(random), random, "plain", 100, 5)
