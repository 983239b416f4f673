"""An episode is the same game as in a batch, and as a match."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

import theriac
from tests.adapters.tables import each_end, each_game, pick
from theriac.adapters.episode import Episode
from theriac.bots import ask
from theriac.engine.contract import NATURE
from theriac.faults import Fault, Refused
from theriac.game import Game
from theriac.match import Match
from theriac.testing.setups import SETUPS, names


@each_end
def test_games_are_those_of_a_batch(game: Game, players: int) -> None:
    batch = theriac.batch(game.name, 3, seed=5, players=players)
    episodes = [Episode(game, {"players": players}) for _ in range(3)]
    for number, episode in enumerate(episodes):
        episode.start(5, number)
    random = Random(1)
    while not batch.over.all():
        masks, seen, to_act = batch.masks(), batch.observations(), batch.to_act
        actions = np.zeros(3, np.int64)
        for i, episode in enumerate(episodes):
            assert episode.to_act == to_act[i]
            assert episode.action_mask().tolist() == masks[i].tolist()
            if not episode.over:
                assert episode.observation(episode.to_act).tolist() == seen[i].tolist()
                actions[i] = pick(episode.action_mask(), random)
                episode.play_action(int(actions[i]))
                episode.deal_cards()
        batch.step(actions)
    assert [episode.results() for episode in episodes] == batch.results().tolist()


def deal_as(episode: Episode, match: Match, drawn: dict[int, int]) -> None:
    """Deal the cards of a match."""
    numbers = episode.text.numbers()
    while episode.to_act == NATURE:
        shuffle = int(episode._now.shuffles[episode._now.pile]) - 1
        card = match.dealt[shuffle][drawn.get(shuffle, 0)]
        drawn[shuffle] = drawn.get(shuffle, 0) + 1
        episode.deal(numbers[card])


@pytest.mark.parametrize("setup", SETUPS[::3], ids=names(SETUPS[::3]))
def test_games_are_those_of_a_match(setup: Any) -> None:
    """With the same cards and moves, all views are the same at every turn."""
    match = setup.match(3, speed="cpu")
    episode = Episode(setup.game, {**setup.given, "first": int(match.settings.options.first)})
    drawn: dict[int, int] = {}
    random = Random(str(setup))
    deal_as(episode, match, drawn)
    for _ in range(60):
        for seat in range(episode.players):
            assert json.dumps(episode.view_from(seat)) == json.dumps(match.view(seat))
        if episode.over:
            break
        actions = {episode.action_text(action): action for action in episode.legal_actions()}
        assert sorted(actions) == match.legal()
        question, asked = episode.question(), ask(match)
        assert question.legal.tolist() == asked.legal.tolist()
        assert question.view == asked.view
        move = random.choice(match.legal())
        match.play(move)
        episode.play_action(actions[move])
        deal_as(episode, match, drawn)
    assert episode.results() == match.results()


@each_game
def test_a_refused_action_gives_a_reason_and_changes_nothing(game: Game) -> None:
    """With the clause, as in a match. An action outside the mask can still be a legal move where a
    game has two numbers for one move: the same card twice in hand.
    """
    episode = Episode(game, {})
    episode.start(1)
    before = episode.state
    legal = {episode.action_text(action) for action in episode.legal_actions()}
    others = [
        action for action in range(episode.actions) if episode.action_text(action) not in legal
    ]
    for action in others[:: 1 + len(others) // 50]:
        with pytest.raises(Refused, match=rf"\({game.letters}-\d\d\)$"):
            episode.play_action(action)
    wrong: list[Any] = [-1, episode.actions, None, 1.0, "1", [1]]
    for action in wrong:
        with pytest.raises(
            Fault, match=f"not an action: use an integer from 0 to {episode.actions - 1}"
        ):
            episode.play_action(action)
    with pytest.raises(Fault, match="seed x is not an integer"):
        episode.start("x")
    assert episode.state == before


def test_a_card_that_is_not_left_is_not_dealt() -> None:
    episode = Episode(
        theriac.all_games()["poison"], {"players": 3, "deck": ["R7", "R7", "R7", "X"]}
    )
    episode.deal(15)
    before = episode.state
    for card in (15, 1, -1, 99, "R7"):
        with pytest.raises(Fault, match="not the number of a card that is left"):
            episode.deal(card)
    assert episode.state == before


def test_a_restored_state_is_dealt_its_own_cards() -> None:
    """The cached cards of the chance state are dropped when the STATE changes."""
    game = theriac.all_games()["shokoba"]
    episode, random = Episode(game, {"players": 2}), Random(2)
    episode.start(1)
    early = episode.state
    for _ in range(20):
        episode.play_action(pick(episode.action_mask(), random))
        episode.deal_cards()
    episode.state = early
    while int(episode._now.rounds) == 1:
        episode.play_action(pick(episode.action_mask(), random))
        episode.deal_cards()
        left = sum(n for _, n in episode.chance_outcomes())
        assert left == int(episode._now.left)


@each_game
def test_the_interpreted_rules_give_the_same(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for jit in ("1", "0"):
        monkeypatch.setenv("THERIAC_JIT", jit)
        episode, random = Episode(game, {}), Random(3)
        episode.start(2)
        for _ in range(3):
            if not episode.over:
                episode.play_action(pick(episode.action_mask(), random))
                episode.deal_cards()
        found.append((episode.state, episode.view_from(0), episode.observation(0).tolist()))
    assert found[0] == found[1]
