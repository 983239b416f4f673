"""The bot `guided`: what it refuses, and that it plays well with the network of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.samples import GUIDED_BOT, tables
from tests.networks import blank_network
from theriac.bots import ask, bot
from theriac.bots.guided import GuidedBot
from theriac.faults import Fault
from theriac.game import find
from theriac.match import Match

POISON = find("poison")


def test_a_game_without_a_network_is_refused(tmp_path: Path) -> None:
    settings = POISON.settings({"players": 3, "first": 0})
    with pytest.raises(Fault) as fault:
        bot(f"guided:file={tmp_path}").check(POISON, settings)
    assert str(fault.value).startswith("bot guided:file=")
    assert "no network for poison with 3 players is in /" in str(fault.value)
    assert str(fault.value).endswith("and name it (guided:file=PATH)")


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    blank_network(POISON, 4).write(tmp_path / "n.npz")
    with pytest.raises(Fault, match="the network plays with 4 players, not 3"):
        bot(f"guided:file={tmp_path / 'n.npz'}").check(
            POISON, POISON.settings({"players": 3, "first": 0})
        )


def test_one_bot_can_change_tables(tmp_path: Path) -> None:
    """Other settings have another network."""
    for players in (3, 5):
        blank_network(POISON, players, seed=players).write(tmp_path / f"{players}.npz")
    seated = bot(f"guided:file={tmp_path},simulations=30", 1)
    for players in (3, 5, 3):
        question = ask(Match(POISON, {"players": players}, seed=bytes(32)))
        alone = bot(f"guided:file={tmp_path},simulations=30", 1)
        assert seated.answer(question) == alone.answer(question)


def test_the_simulations_of_threads_add_up() -> None:
    question = ask(next(tables(POISON)))
    spec = GUIDED_BOT.replace("simulations=20", "simulations=40,threads=3")
    one, other = bot(spec, 1), bot(spec, 1)
    assert isinstance(one, GuidedBot)
    assert isinstance(other, GuidedBot)
    assert sum(one.look_ahead(question).values()) == 120
    assert one.simulated(POISON)[0] == 120
    assert one.look_ahead(question) == other.look_ahead(question)


def test_trees_take_little_memory() -> None:
    """At most 100 MB with eight threads."""
    seated = bot(GUIDED_BOT.replace("simulations=20", "simulations=1,threads=8"))
    assert isinstance(seated, GuidedBot)
    seated.answer(ask(next(tables(POISON))))
    assert sum(search.nbytes for search in seated.searches(POISON)) < 100e6


def test_it_beats_random_play() -> None:
    """With the network of the game: 12 games of three players; the fair share is 4."""
    won = 0.0
    for deal in range(12):
        match = Match(POISON, {"players": 3}, seed=deal.to_bytes(32, "big"))
        seated, others = bot("guided:simulations=20", deal), bot("random", deal)
        while not match.over:
            (seated if match.to_act == deal % 3 else others).play(match)
        winners = match.winners()
        won += (deal % 3 in winners) / len(winners)
    assert won >= 9
