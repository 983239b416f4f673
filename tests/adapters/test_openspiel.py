"""OpenSpiel: its own tests pass for every game; its states are those of a match, card by card."""

from __future__ import annotations

import json
import pickle
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from tests.adapters.spiel import deal_all, load, ply
from tests.adapters.tables import GAMES, each_end, each_game
from theriac.adapters.openspiel import default_parameters, options_from_parameters
from theriac.faults import BadDeck, BadOption, Fault, Refused
from theriac.game import Game, find
from theriac.testing.setups import SETUPS, Setup, names


@each_end
def test_its_random_simulations_pass(game: Game, players: int) -> None:
    pyspiel.random_sim_test(load(game, {"players": players}), 1, serialize=True, verbose=False)


@each_game
def test_its_python_simulations_pass(game: Game) -> None:
    """States and games are pickled, cloned and played to the end."""
    np.random.seed(1)
    games_sim_test.GamesSimTest("sim_game").sim_game(load(game, {}))


@each_game
def test_its_learning_environment_runs(game: Game) -> None:
    environment = rl_environment.Environment(load(game, {}), seed=1)
    step, random = environment.reset(), Random(1)
    for _ in range(20):
        if step.last():
            break
        seat = step.observations["current_player"]
        action = random.choice(step.observations["legal_actions"][seat])
        step = environment.step([action])
    assert len(step.observations["info_state"][0]) == game.shape.features


@each_game
def test_game_type(game: Game) -> None:
    loaded = pyspiel.load_game(f"theriac_{game.name}")
    kind = loaded.get_type()
    utility = pyspiel.GameType.Utility
    assert kind.long_name == game.title
    assert (kind.min_num_players, kind.max_num_players) == (game.players[0], game.players[-1])
    assert loaded.num_players() == game.usual_players
    assert kind.utility == (utility.IDENTICAL if game.together else utility.CONSTANT_SUM)
    text = game.usual_settings({}).text
    assert loaded.num_distinct_actions() == text.actions
    assert loaded.observation_tensor_shape() == [game.shape.features]
    assert loaded.information_state_tensor_shape() == [game.shape.features]


# Parameters


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_every_option_is_a_parameter(setup: Setup) -> None:
    """A game loaded from its own text is the same."""
    given = setup.with_deck(Random(1)).given
    loaded = load(setup.game, given)
    again = pyspiel.load_game(str(loaded))
    expected = setup.game.settings({"first": 0, **given}).options.tobytes()
    for each in (loaded, again):
        assert each.episode.settings.options.tobytes() == expected


def test_default_parameters() -> None:
    assert (
        str(pyspiel.load_game("theriac_poison(players=4,open_piles=false)")) == "theriac_poison()"
    )
    for game in GAMES:
        assert options_from_parameters(game, default_parameters(game)) == {
            "players": game.usual_players,
            "first": 0,
            **{option.name: option.default for option in game.options},
        }


def test_a_deck_can_be_a_file(tmp_path: Path) -> None:
    game = find("shock")
    deck = tmp_path / "deck.toml"
    cards = (game.folder / game.deck_file).read_text("utf-8")
    deck.write_text(cards.replace("[cards]", "[cards]\nH11 = 0", 1).replace("H11 = 1\n", "", 1))
    loaded = pyspiel.load_game("theriac_shock", {"deck": str(deck)})
    assert "H11" not in loaded.episode.text.deck.counts
    assert len(loaded.episode.text.deck) == len(game.shipped) - 1
    with pytest.raises(BadDeck, match="it is a deck of shock, not of poison"):
        pyspiel.load_game("theriac_poison", {"deck": str(deck)})


@pytest.mark.parametrize(
    ("text", "fault", "why"),
    [
        ("theriac_poison(players=9)", BadOption, r"players: 9 is not 3, 4, 5 or 6 \(POI-03\)"),
        ("theriac_poison(first=4)", BadOption, "first: 4 is not a seat from 0 to 3"),
        (
            "theriac_poison(deck=Q1 R1 R1 R1)",
            BadDeck,
            r"card Q1: not R, B or P.*\(POI-01\)",
        ),
        (
            "theriac_poison(players=3,deck=R1)",
            BadOption,
            r"4 hands need at least 4 cards, not 1 \(POI-05\)",
        ),
        ("theriac_poison(players=3,deck=no.toml)", BadDeck, "no.toml: cannot be read"),
        ("theriac_shock(potions=maybe)", BadOption, r"maybe is not \"must\" or \"may\""),
        ("theriac_dungeon(level=1,spells=ice+ice)", BadOption, "each at most once"),
        ("theriac_poison(after=x)", Fault, "x is not the number of a card"),
        ("theriac_poison(after=99 0)", Fault, "99 is not the number of a card"),
        ("theriac_poison(colour=red)", pyspiel.SpielError, "Unknown parameter 'colour'"),
        ("theriac_chess", pyspiel.SpielError, "Unknown game 'theriac_chess'"),
    ],
)
def test_bad_parameters_are_refused(text: str, fault: type[Exception], why: str) -> None:
    with pytest.raises(fault, match=why):
        pyspiel.load_game(text)


# Playing


@pytest.mark.parametrize("setup", SETUPS[::3], ids=names(SETUPS[::3]))
def test_games_are_those_of_a_match(setup: Setup) -> None:
    """With the same cards and moves, all views are the same at every turn."""
    match = setup.match(5, speed="cpu")
    given = {**setup.given, "first": int(match.settings.options.first)}
    state, random = load(setup.game, given).new_initial_state(), Random(str(setup))
    drawn: Counter[int] = Counter()
    for _ in range(40):
        while state.is_chance_node():
            now = state._load(state._state)._now
            shuffle = int(now.shuffles[now.pile]) - 1
            card = match.dealt[shuffle][drawn[shuffle]]
            drawn[shuffle] += 1
            state.apply_action(state.string_to_action(f"deal {card}"))
        whole = json.loads(str(state))
        assert whole.pop("hands") == [match.view(seat)["hand"] for seat in range(match.players)]
        assert whole == match.view()
        for seat in range(match.players):
            view = json.dumps(match.view(seat), separators=(",", ":"))
            assert state.observation_string(seat) == view
            assert state.information_state_string(seat).startswith(view)
            encoded = np.zeros(setup.game.shape.features, np.float32)
            match._engine.encode(match.look(seat), encoded)
            assert state.observation_tensor(seat) == encoded.tolist()
            assert state.information_state_tensor(seat) == encoded.tolist()
        assert state.current_player() == (pyspiel.PlayerId.TERMINAL if match.over else match.to_act)
        if match.over:
            break
        texts = sorted(state.action_to_string(action) for action in state.legal_actions())
        assert texts == match.legal()
        move = random.choice(texts)
        match.play(move)
        state.apply_action(state.string_to_action(move))
    assert state.returns() == match.results()


@each_game
def test_chance_probabilities(game: Game) -> None:
    state, random = load(game, {}).new_initial_state(), Random(1)
    for _ in range(60):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            episode = state._load(state._state)
            counts = np.zeros(game.shape.cards, np.int16)
            total = episode._engine.list_pile(episode._g, int(episode._g.pile), counts)
            assert dict(outcomes) == {
                card: n / total for card, n in enumerate(counts.tolist()) if n
            }
        state.apply_action(ply(state, random))


@each_game
def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    state = load(game, {}).new_initial_state()
    before = (str(state), state.history())
    with pytest.raises(Fault, match="not the number of a card that is left to deal"):
        state.apply_action(game.shape.cards)
    assert (str(state), state.history()) == before
    deal_all(state, Random(1))
    known = (str(state), state.history(), state.information_state_string())
    illegal = next(a for a in range(10**6) if a not in state.legal_actions())
    with pytest.raises(Refused, match=rf"\({game.letters}-\d\d\)$"):
        state.apply_action(illegal)
    with pytest.raises(Fault, match="not an action"):
        state.apply_action(10**6)
    assert (str(state), state.history(), state.information_state_string()) == known


def test_states_of_one_game_can_be_played_in_several_threads() -> None:
    game = load(find("poison"), {})
    ends: dict[int, list[str]] = {1: [], 2: []}

    def play(seed: int) -> None:
        for _ in range(3):
            state, random = game.new_initial_state(), Random(seed)
            while not state.is_terminal():
                state.apply_action(ply(state, random))
            ends[seed].append(str(state))

    threads = [threading.Thread(target=play, args=(seed,)) for seed in ends]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(set(same)) for same in ends.values()] == [1, 1]
    assert [len(same) for same in ends.values()] == [3, 3]


# Looking


def test_observers_show_only_what_one_player_knows() -> None:
    game = load(find("poison"), {})
    kinds = pyspiel.PrivateInfoType
    for public, private in (
        (True, kinds.ALL_PLAYERS),
        (True, kinds.NONE),
        (False, kinds.SINGLE_PLAYER),
    ):
        kind = pyspiel.IIGObservationType(
            public_info=public, perfect_recall=True, private_info=private
        )
        with pytest.raises(Fault, match="shows what one player knows"):
            make_observation(game, kind)
    with pytest.raises(Fault, match="observers take no parameters"):
        make_observation(game, params={"x": 1})


@each_game
def test_observations_do_not_change_while_cards_are_dealt(game: Game) -> None:
    state, random = load(game, {}).new_initial_state(), Random(2)
    seats = range(game.usual_players)
    for _ in range(100):
        if state.is_terminal():
            break
        before = [state.information_state_string(seat) for seat in seats]
        state.apply_action(ply(state, random))
        if state.is_chance_node():
            shown = [text.rpartition(" ")[0] for text in before]
            assert [state.observation_string(seat) for seat in seats] == shown


def test_a_game_can_start_later() -> None:
    whole = pyspiel.load_game("theriac_poison(players=3,deck=R7 R7 R7 X)")
    state, random = whole.new_initial_state(), Random(1)
    while json.loads(str(state))["round"] < 3:
        state.apply_action(ply(state, random))
    after = " ".join(map(str, state.history()))
    later = pyspiel.load_game(f"theriac_poison(players=3,deck=R7 R7 R7 X,after={after})")
    later_state = later.new_initial_state()
    assert later_state.is_chance_node()
    assert str(later_state) == str(state)
    assert str(pickle.loads(pickle.dumps(later_state))) == str(state)
    while not state.is_terminal():
        action = ply(state, random)
        state.apply_action(action)
        later_state.apply_action(action)
        assert str(later_state) == str(state)
    assert later_state.returns() == state.returns()
    whole_game = " ".join(map(str, state.history()))
    with pytest.raises(Fault, match="the game is over at that point"):
        pyspiel.load_game(f"theriac_poison(players=3,deck=R7 R7 R7 X,after={whole_game})")


def test_a_game_can_start_at_a_decision() -> None:
    after = "0 0 0 15"
    later: Any = pyspiel.load_game(f"theriac_poison(players=3,deck=R7 R7 R7 X,after={after})")
    state = later.new_initial_state()
    assert state.current_player() == 1
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["R7@1", "R7@2", "R7@3"]
    pyspiel.random_sim_test(later, 1, serialize=True, verbose=False)
