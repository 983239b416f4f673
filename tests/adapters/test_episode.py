"""One game in arrays: the same as a batch of one, and as a table."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

import theriac
from tests.adapters.tables import each_end, each_game, pick
from tests.contract.setups import SETUPS, names
from theriac.adapters.episode import Episode
from theriac.bots import ask
from theriac.engine.contract import NATURE
from theriac.faults import Fault, Refused
from theriac.game import Game
from theriac.match import Match


@each_end
def test_games_are_those_of_a_batch(game: Game, players: int) -> None:
    batch = theriac.batch(game.name, 3, seed=5, players=players)
    matches = [Episode(game, {"players": players}) for _ in range(3)]
    for number, episode in enumerate(matches):
        episode.begin(5, number)
    random = Random(1)
    while not batch.over.all():
        masks, seen, to_act = batch.masks(), batch.observations(), batch.to_act
        actions = np.zeros(3, np.int64)
        for i, episode in enumerate(matches):
            assert episode.to_act == to_act[i]
            assert episode.mask().tolist() == masks[i].tolist()
            if not episode.over:
                assert episode.observe(episode.to_act).tolist() == seen[i].tolist()
                actions[i] = pick(episode.mask(), random)
                episode.act(int(actions[i]))
                episode.feed()
        batch.step(actions)
    assert [episode.results() for episode in matches] == batch.results().tolist()


def deal_as(episode: Episode, match: Match, drawn: dict[int, int]) -> None:
    """Deal the cards of a table."""
    numbers = episode.text.numbers()
    while episode.to_act == NATURE:
        shuffle = int(episode._now.shuffles[episode._now.pile]) - 1
        card = match.dealt[shuffle][drawn.get(shuffle, 0)]
        drawn[shuffle] = drawn.get(shuffle, 0) + 1
        episode.deal(numbers[card])


@pytest.mark.parametrize("setup", SETUPS[::3], ids=names(SETUPS[::3]))
def test_games_are_those_of_a_table(setup: Any) -> None:
    """With the same cards and the same moves, all is told alike at every turn."""
    match = setup.match(3, speed="cpu")
    episode = Episode(setup.game, {**setup.given, "first": int(match.settings.options.first)})
    drawn: dict[int, int] = {}
    random = Random(str(setup))
    deal_as(episode, match, drawn)
    for _ in range(60):
        for seat in range(episode.players):
            assert json.dumps(episode.tell(seat)) == json.dumps(match.view(seat))
        if episode.over:
            break
        actions = {episode.write(action): action for action in episode.legal()}
        assert sorted(actions) == match.legal()
        question, asked = episode.question(), ask(match)
        assert question.legal.tolist() == asked.legal.tolist()
        assert question.view == asked.view
        move = random.choice(match.legal())
        match.play(move)
        episode.act(actions[move])
        deal_as(episode, match, drawn)
    assert episode.results() == match.results()


@each_game
def test_what_is_refused_says_why_and_changes_nothing(game: Game) -> None:
    """As the table does, with the clause. What is not in the mask can still mean a legal move,
    where a game has two numbers for one: the same card twice in hand.
    """
    episode = Episode(game, {})
    episode.begin(1)
    before = episode.memory
    legal = {episode.write(action) for action in episode.legal()}
    others = [action for action in range(episode.actions) if episode.write(action) not in legal]
    for action in others[:: 1 + len(others) // 50]:
        with pytest.raises(Refused, match=rf"\({game.letters}-\d\d\)$"):
            episode.act(action)
    wrong: list[Any] = [-1, episode.actions, None, 1.0, "1", [1]]
    for action in wrong:
        with pytest.raises(
            Fault, match=f"not an action, a whole number from 0 to {episode.actions - 1}"
        ):
            episode.act(action)
    with pytest.raises(Fault, match="seed x is not a whole number"):
        episode.begin("x")
    assert episode.memory == before


def test_a_card_that_is_not_left_is_not_dealt() -> None:
    episode = Episode(theriac.all_games()["poison"], {"deck": ["R7", "R7", "R7", "X"]})
    episode.deal(15)
    before = episode.memory
    for card in (15, 1, -1, 99, "R7"):
        with pytest.raises(Fault, match="not the number of a card that is left"):
            episode.deal(card)
    assert episode.memory == before


def test_a_match_that_was_laid_out_anew_draws_from_its_own_cards() -> None:
    """Nature's packs are forgotten when the STATE changes."""
    game = theriac.all_games()["shokoba"]
    episode, random = Episode(game, {"players": 2}), Random(2)
    episode.begin(1)
    early = episode.memory
    for _ in range(20):
        episode.act(pick(episode.mask(), random))
        episode.feed()
    episode.memory = early
    while int(episode._now.rounds) == 1:
        episode.act(pick(episode.mask(), random))
        episode.feed()
        left = sum(n for _, n in episode.outcomes())
        assert left == int(episode._now.left)


@each_game
def test_the_interpreted_rules_will_do(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for jit in ("1", "0"):
        monkeypatch.setenv("THERIAC_JIT", jit)
        episode, random = Episode(game, {}), Random(3)
        episode.begin(2)
        for _ in range(3):
            if not episode.over:
                episode.act(pick(episode.mask(), random))
                episode.feed()
        told.append((episode.memory, episode.tell(0), episode.observe(0).tolist()))
    assert told[0] == told[1]
