"""OpenSpiel games and states for the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pyspiel

import theriac.adapters.openspiel  # noqa: F401  (registers the games)
from theriac.game import Game


def load(game: Game, given: Mapping[str, Any]) -> Any:
    """An OpenSpiel game with our options as its parameters."""
    parameters = {name: written(name, value) for name, value in given.items()}
    return pyspiel.load_game(f"theriac_{game.name}", parameters)


def written(name: str, value: Any) -> Any:
    """An option as a parameter."""
    if isinstance(value, list):
        return (" " if name == "deck" else "+").join(value)
    return value


def ply(state: Any, random: Random) -> int:
    """A random next action: a card with its probability, or any legal move."""
    if not state.is_chance_node():
        return int(random.choice(state.legal_actions()))
    cards, chances = zip(*state.chance_outcomes(), strict=True)
    return int(random.choices(cards, chances)[0])


def deal_all(state: Any, random: Random) -> None:
    """Deal cards until a player is to act or the game is over."""
    while state.is_chance_node():
        state.apply_action(ply(state, random))


def last_round(deck: str, scores: list[int], seed: int) -> Any:
    """The last round of Shokoba with a small deck, from its deal on: small enough to solve."""
    random = Random(seed)
    small = {"players": 2, "deck": deck}
    whole = pyspiel.load_game("theriac_shokoba", small)
    while True:
        state = whole.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and json.loads(str(state))["scores"] == scores:
                after = " ".join(map(str, state.history()))
                return pyspiel.load_game("theriac_shokoba", {**small, "after": after})
            state.apply_action(ply(state, random))
