"""Our bots in OpenSpiel, and OpenSpiel's bots and policies in our matches and in the arena."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.bots.policy import PolicyBot
from open_spiel.python.bots.uniform_random import UniformRandomBot

import theriac
from tests.adapters.tables import each_end, each_game
from theriac.adapters.openspiel_bots import OpenSpielBot, make_bot
from theriac.arena.run import make_runner
from theriac.arena.schedule import Schedule, TableSetup, line_ups
from theriac.bots import Bot, Question, ask, bot
from theriac.faults import BadBot, Fault
from theriac.game import Game


def make_uniform(game: Any, seat: int, seed: int) -> Any:
    """A bot; the arena imports it by name."""
    return UniformRandomBot(seat, np.random.RandomState(seed))


def make_policy(game: Any, seat: int, seed: int) -> Any:
    """A policy."""
    return policy.UniformRandomPolicy(game)


def last_round() -> Any:
    """The last round of a small game: OpenSpiel lists all its information states."""
    small = {"players": 3, "deck": "R7 R7 R7 X"}
    state = pyspiel.load_game("theriac_poison", small).new_initial_state()
    while not (state.is_chance_node() and json.loads(str(state))["round"] == 3):
        state.apply_action(state.legal_actions()[0])
    after = " ".join(map(str, state.history()))
    return pyspiel.load_game("theriac_poison", {**small, "after": after})


def spiel_of(game: Game, players: int) -> Any:
    return pyspiel.load_game(f"theriac_{game.name}", {"players": players})


# Ours in OpenSpiel


@each_end
def test_ours_play_whole_games_in_openspiel(game: Game, players: int) -> None:
    """In its C++ loop and in its Python loop, beside its own bots."""
    spiel = spiel_of(game, players)
    bots = [make_bot(spiel, seat, "greedy", seat) for seat in range(players)]
    returns = pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 1)
    assert len(returns) == players
    assert game.together or sum(returns) == pytest.approx(1)
    mixed = [*bots[:1], *(make_uniform(spiel, seat, 2) for seat in range(1, players))]
    state = spiel.new_initial_state()
    evaluate_bots.evaluate_bots(state, mixed, np.random.RandomState(1))
    assert state.is_terminal()


@each_game
def test_ours_answer_in_openspiel_as_in_a_match(game: Game) -> None:
    """The same view and seed give the same move."""
    spiel = spiel_of(game, game.usual_players)
    state, random = spiel.new_initial_state(), Random(1)
    while state.is_chance_node():
        state.apply_action(random.choice(state.chance_outcomes())[0])
    seat = state.current_player()
    move = bot("random", 7).answer(state.question())
    assert make_bot(spiel, seat, "random", 7).step(state) == state.action_of(move)
    assert state.move_of(state.action_of(move)) == move


def test_a_table_of_information_states_plays_against_ours_in_openspiel() -> None:
    spiel = last_round()
    table = policy.TabularPolicy(spiel)
    bots = [PolicyBot(0, np.random.RandomState(1), table)]
    bots += [make_bot(spiel, seat, "greedy") for seat in (1, 2)]
    assert sum(pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 3)) == 1.0


def test_our_search_is_a_pyspiel_bot() -> None:
    spiel = pyspiel.load_game("theriac_shock")
    state = spiel.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    made = make_bot(spiel, state.current_player(), "search:simulations=20")
    assert made.player_id() == state.current_player()
    assert made.step(state) == made.step(state.clone())
    assert made.step(state) in state.legal_actions()
    made.close()


def test_ours_know_no_more_than_their_seat() -> None:
    """The true hidden cards do not change the question."""
    spiel = pyspiel.load_game("theriac_shock")
    state, random = spiel.new_initial_state(), Random(3)
    while state.is_chance_node():
        state.apply_action(random.choice(state.chance_outcomes())[0])
    seat = state.current_player()
    other = state.resample_from_infostate(seat, random.random)
    assert str(other) != str(state)
    asked, again = state.question(), other.question()
    assert asked.view.tobytes() == again.view.tobytes()
    assert asked.legal.tolist() == again.legal.tolist()


class Cheat(Bot):
    """Answers with an illegal move."""

    def answer(self, question: Question) -> int:
        return -1


def test_bad_input_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    spiel = pyspiel.load_game("theriac_poison(players=3)")
    with pytest.raises(Fault, match="is not one of"):
        make_bot(pyspiel.load_game("kuhn_poker"), 0, "greedy")
    for seat in (-1, 3):
        with pytest.raises(Fault, match="is not a seat from 0 to 2"):
            make_bot(spiel, seat, "greedy")
    with pytest.raises(Fault, match="no bot is called gready"):
        make_bot(spiel, 0, "gready")
    state = spiel.new_initial_state()
    with pytest.raises(Fault, match="seat 0 is not to act, but player -1"):
        make_bot(spiel, 0, "greedy").step(state)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    monkeypatch.setattr("theriac.adapters.openspiel_bots.bot", lambda spec, seed: Cheat(spec))
    with pytest.raises(BadBot, match="cheat answered -1, which is not a legal move"):
        make_bot(spiel, state.current_player(), "cheat").step(state)


# OpenSpiel's in our matches


@each_end
def test_openspiel_s_play_whole_matches(game: Game, players: int) -> None:
    bots = [
        OpenSpielBot("a", 1, make=make_uniform),
        OpenSpielBot("b", make=make_policy),
    ]
    match = theriac.new(game.name, players=players, seed=bytes(32))
    for number in range(60):
        if match.over:
            break
        bots[number % 2].play(match)
    assert len(match.moves) > 1  # both have played; a second card can lose a dungeon


def test_equal_views_get_equal_answers_and_other_seeds_other_ones() -> None:
    match = theriac.new("poison", players=4, first=0, seed=bytes(32))
    answers = [
        OpenSpielBot("it", seed, make=make).answer(ask(match))
        for make in (make_uniform, make_policy)
        for seed in (1, 1, *range(20))
    ]
    assert answers[0] == answers[1]
    assert answers[22] == answers[23]
    assert len(set(answers[:22])) > 3 < len(set(answers[22:]))


def test_is_mcts_answers_equal_views_equally() -> None:
    match = theriac.new("shock", players=3, first=0, seed=bytes(32))
    answers = [bot("openspiel:simulations=20", seed).answer(ask(match)) for seed in range(6)]
    assert answers == [
        bot("openspiel:simulations=20", seed).answer(ask(match)) for seed in range(6)
    ]
    assert len(set(answers)) > 1


def test_openspiel_s_get_a_state_that_the_view_allows_and_not_the_true_one() -> None:
    match = theriac.new("shock", players=3, first=0, seed=bytes(32))
    seat, states = int(match.to_act or 0), []

    class Spy(UniformRandomBot):  # type: ignore[misc]
        def step(self, state: Any) -> int:
            states.append(state.clone())
            return int(super().step(state))

    for seed in range(8):
        made = OpenSpielBot("spy", seed, make=lambda game, seat, s: Spy(seat, np.random))
        made.answer(ask(match))
    assert len({str(state) for state in states}) == len(states)
    true = [match.view(other)["hand"] for other in range(3)]
    for state in states:
        assert state.history() == []
        assert state.current_player() == seat
        views = [theriac_view(state, other) for other in range(3)]
        assert views[seat]["hand"] == true[seat]
    assert any(theriac_view(states[0], other)["hand"] != true[other] for other in range(3))


def theriac_view(state: Any, seat: int) -> Any:
    return json.loads(state.observation_string(seat))


def test_the_options_of_the_match_are_those_of_the_state() -> None:
    seen = []

    def make(game: Any, seat: int, seed: int) -> Any:
        seen.append(str(game))
        return make_policy(game, seat, seed)

    match = theriac.new("dungeon", players=2, level=1, spells=["ice"], first=1, seed=bytes(32))
    OpenSpielBot("it", make=make).answer(ask(match))
    assert seen == ["theriac_dungeon(first=1,level=1,players=2,spells=ice)"]


def test_a_table_of_information_states_is_refused_with_a_sentence() -> None:
    deck = "R7 R7 R7 X".split()
    match = theriac.new("poison", players=3, first=0, deck=deck, seed=bytes(32))
    table = policy.TabularPolicy(last_round())
    with pytest.raises(BadBot, match=r"cfr has a table of information states.*make_bot"):
        OpenSpielBot("cfr", make=lambda game, seat, seed: table).play(match)


def test_in_the_arena_by_a_spec() -> None:
    bots = (f"openspiel:make={__name__}.make_uniform", "random")
    table = TableSetup("three", {"players": 3}, line_ups(bots, 3)[:2])
    schedule = Schedule("arena", "shock", bots, [table], deals=1, seed=0, limit=30.0)
    games = list(make_runner(None, jobs=1, limit=30.0).play(schedule.games()))
    assert [game.forfeits for game in games] == [{}, {}]


def test_bad_specs() -> None:
    for make in ("nowhere", "nowhere.make", "json.nothing", "..x"):
        with pytest.raises(Fault, match=r"bot openspiel: make=.* cannot be imported"):
            bot(f"openspiel:make={make}")
    with pytest.raises(Fault, match="simulations=0 is not a whole number, 1 or more"):
        bot("openspiel:simulations=0")
