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
from theriac.adapters.match import Match
from theriac.bots import ask
from theriac.engine.contract import NATURE
from theriac.faults import Fault, Refused
from theriac.game import Game
from theriac.table import Table


@each_end
def test_games_are_those_of_a_batch(game: Game, players: int) -> None:
    batch = theriac.batch(game.name, 3, seed=5, players=players)
    matches = [Match(game, {"players": players}) for _ in range(3)]
    for number, match in enumerate(matches):
        match.begin(5, number)
    random = Random(1)
    while not batch.over.all():
        masks, seen, to_act = batch.masks(), batch.observations(), batch.to_act
        actions = np.zeros(3, np.int64)
        for i, match in enumerate(matches):
            assert match.to_act == to_act[i]
            assert match.mask().tolist() == masks[i].tolist()
            if not match.over:
                assert match.observe(match.to_act).tolist() == seen[i].tolist()
                actions[i] = pick(match.mask(), random)
                match.act(int(actions[i]))
                match.feed()
        batch.step(actions)
    assert [match.results() for match in matches] == batch.results().tolist()


def deal_as(match: Match, table: Table, drawn: dict[int, int]) -> None:
    """Deal the cards of a table."""
    numbers = match.text.numbers()
    while match.to_act == NATURE:
        shuffle = int(match._now.shuffles[match._now.pile]) - 1
        card = table.dealt[shuffle][drawn.get(shuffle, 0)]
        drawn[shuffle] = drawn.get(shuffle, 0) + 1
        match.deal(numbers[card])


@pytest.mark.parametrize("setup", SETUPS[::3], ids=names(SETUPS[::3]))
def test_games_are_those_of_a_table(setup: Any) -> None:
    """With the same cards and the same moves, all is told alike at every turn."""
    table = setup.table(3, speed="cpu")
    match = Match(setup.game, {**setup.given, "first": int(table.settings.options.first)})
    drawn: dict[int, int] = {}
    random = Random(str(setup))
    deal_as(match, table, drawn)
    for _ in range(60):
        for seat in range(match.players):
            assert json.dumps(match.tell(seat)) == json.dumps(table.view(seat))
        if match.over:
            break
        actions = {match.write(action): action for action in match.legal()}
        assert sorted(actions) == table.legal()
        question, asked = match.question(), ask(table)
        assert question.legal.tolist() == asked.legal.tolist()
        assert question.view == asked.view
        move = random.choice(table.legal())
        table.play(move)
        match.act(actions[move])
        deal_as(match, table, drawn)
    assert match.results() == table.results()


@each_game
def test_what_is_refused_says_why_and_changes_nothing(game: Game) -> None:
    """As the table does, with the clause. What is not in the mask can still mean a legal move,
    where a game has two numbers for one: the same card twice in hand.
    """
    match = Match(game, {})
    match.begin(1)
    before = match.memory
    legal = {match.write(action) for action in match.legal()}
    others = [action for action in range(match.actions) if match.write(action) not in legal]
    for action in others[:: 1 + len(others) // 50]:
        with pytest.raises(Refused, match=rf"\({game.letters}-\d\d\)$"):
            match.act(action)
    wrong: list[Any] = [-1, match.actions, None, 1.0, "1", [1]]
    for action in wrong:
        with pytest.raises(
            Fault, match=f"not an action, a whole number from 0 to {match.actions - 1}"
        ):
            match.act(action)
    with pytest.raises(Fault, match="seed x is not a whole number"):
        match.begin("x")
    assert match.memory == before


def test_a_card_that_is_not_left_is_not_dealt() -> None:
    match = Match(theriac.all_games()["poison"], {"deck": ["R7", "R7", "R7", "X"]})
    match.deal(15)
    before = match.memory
    for card in (15, 1, -1, 99, "R7"):
        with pytest.raises(Fault, match="not the number of a card that is left"):
            match.deal(card)
    assert match.memory == before


def test_a_match_that_was_laid_out_anew_draws_from_its_own_cards() -> None:
    """Nature's packs are forgotten when the STATE changes."""
    game = theriac.all_games()["shokoba"]
    match, random = Match(game, {"players": 2}), Random(2)
    match.begin(1)
    early = match.memory
    for _ in range(20):
        match.act(pick(match.mask(), random))
        match.feed()
    match.memory = early
    while int(match._now.rounds) == 1:
        match.act(pick(match.mask(), random))
        match.feed()
        left = sum(n for _, n in match.outcomes())
        assert left == int(match._now.left)


@each_game
def test_the_interpreted_rules_will_do(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for jit in ("1", "0"):
        monkeypatch.setenv("THERIAC_JIT", jit)
        match, random = Match(game, {}), Random(3)
        match.begin(2)
        for _ in range(3):
            if not match.over:
                match.act(pick(match.mask(), random))
                match.feed()
        told.append((match.memory, match.tell(0), match.observe(0).tolist()))
    assert told[0] == told[1]
