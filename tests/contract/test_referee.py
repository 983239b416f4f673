"""The rules and the independent referee agree, on every view and every refusal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.contract.referees import judge
from tests.contract.setups import SETUPS, Setup, names
from tests.playing import some_move
from tests.referee import base
from theriac.faults import Refused
from theriac.match import Match


def start(setup: Setup, random: Random, speed: Any) -> tuple[Match, base.Game]:
    """A match and the referee's game, with the same shuffles."""
    players = setup.given["players"]
    setup = Setup(setup.game, {**setup.given, "first": random.randrange(players)})
    match = Match(setup.game, setup.given, seed=random.randbytes(32), speed=speed)
    return match, judge(setup, setup.given["first"], [], lambda k, _: list(match.dealt[k]))


def same_views(match: Match, referee: base.Game) -> None:
    assert match.view() == referee.state()
    for seat in range(match.players):
        assert match.view(seat) == referee.seat_state(seat)


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


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_compiled_rules_and_referee_agree(setup: Setup) -> None:
    """Complete games with the shipped deck, and games with parts of it."""
    for seed in range(2):
        assert play_under_the_referee(setup, Random(f"{setup} {seed}"), "cpu", 2000, 2)
    for seed in range(3):
        random = Random(f"a part, {setup} {seed}")
        play_under_the_referee(setup.with_deck(random), random, "cpu", 150, 1)


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_plain_rules_and_referee_agree(setup: Setup) -> None:
    random = Random(f"plain, {setup}")
    play_under_the_referee(setup.with_deck(random), random, "plain", 100, 5)
