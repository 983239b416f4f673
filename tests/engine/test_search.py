"""Searching: the same at both speeds, an honest tree, a move that anybody would find."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.contract.setups import GAMES, Setup
from tests.contract.walk import Choices, Walk
from theriac.bots import ask
from theriac.bots.search import How, SearchBot, Tree
from theriac.engine.search import NODES, SIMULATIONS
from theriac.game import Game
from theriac.match import Match

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def somewhere(game: Game, seed: int) -> Any:
    """The view of the seat to act, some moves into a game."""
    walk = Walk(Setup(game, {"players": game.players[1], "first": 0}), "cpu")
    for number, _ in enumerate(walk.steps(Choices([], 2 * seed + 1))):
        if walk.over or (number >= 2 and len(walk.legal()) > 1):
            break
    walk.see(int(walk.g.to_act))
    return walk.v


def grown(
    game: Game, view: Any, how: How, times: int, nodes: int = 4096, speed: Any = "cpu"
) -> Tree:
    tree = Tree(game, nodes, speed)
    tree.begin(7, 0)
    tree.grow(view, how.asked(), times)
    return tree


@each_game
@pytest.mark.parametrize(
    "how",
    [How(), How(playout_width=3, width=4, reuse=2), How(rounds=0)],
    ids=["usual", "advised", "whole"],
)
def test_both_speeds_grow_the_same_tree(game: Game, how: How) -> None:
    view = somewhere(game, 1)
    fast = grown(game, view, how, 12)
    slow = grown(game, view, how, 12, speed="plain")
    assert fast.counts.tolist() == slow.counts.tolist()
    assert fast.nodes.tolist() == slow.nodes.tolist()


@each_game
def test_the_numbers_of_a_tree_fit_together(game: Game) -> None:
    tree = grown(game, somewhere(game, 2), How(playout_width=2), 600)
    nodes = tree.nodes[1:]
    assert tree.counts[SIMULATIONS] == 600 == sum(tree.visits().values())
    places = list(zip(nodes.parent.tolist(), nodes.move.tolist(), strict=True))
    assert len(set(places)) == len(places) == tree.counts[NODES] - 1
    for i, node in enumerate(nodes, start=1):
        below = nodes[nodes.parent == i]
        assert node.parent < i
        assert below.visits.sum() <= node.visits <= node.offered
        assert 0 <= node.worth <= node.visits * (1 + 1e-9)


@each_game
def test_only_legal_moves_are_tried_and_all_that_are_looked_at(game: Game) -> None:
    match = Match(game, {"players": game.players[1]}, seed=bytes(32))
    question = ask(match)
    tried = set(grown(game, question.view, How(), 3000, 1 << 14).visits())
    assert tried == set(question.legal.tolist())
    few = set(grown(game, question.view, How(width=3), 300).visits())
    assert len(few) == min(3, len(tried))
    assert few <= tried


@each_game
def test_a_full_tree_goes_on(game: Game) -> None:
    tree = grown(game, somewhere(game, 3), How(), 200, nodes=8)
    assert tree.counts[NODES] == 8
    assert tree.counts[SIMULATIONS] == 200


@each_game
def test_what_is_expected_adds_up_to_one_win(game: Game) -> None:
    """Between rounds; at the end it is the result."""
    prospect = game.rules["prospect"]
    walk = Walk(Setup(game, {"players": game.players[1], "first": 0}), "cpu")
    rounds = 1
    for _ in walk.steps(Choices([], 4)):
        if walk.g.rounds > rounds and not walk.over:
            rounds = int(walk.g.rounds)
            shares = [prospect(walk.g, seat) for seat in range(walk.players)]
            assert sum(shares) == pytest.approx(1)
            assert min(shares) > 0
    _, results = walk.scores()
    assert [prospect(walk.g, seat) for seat in range(walk.players)] == results
    assert rounds > 1 or game.together


def test_it_finds_the_card_that_brings_down_the_black_knight() -> None:
    """He lies at 5 and more with one token left: one card of the hand wins, all others lose."""
    game = next(game for game in GAMES if game.name == "dungeon")
    corridors = ["0000", "1111c1", "1112", "2111", "1121", "1211c1"]
    given = {"players": 1, "first": 0, "minutes": 0, "deck": [*corridors, "1112c2", "3111t1K"]}
    match = Match(game, given, deals=[[*corridors, "1112c2"]])
    while "3111t1K" not in match.view(0)["hand"]:
        SearchBot("s", 1, simulations=300).play(match)
    match.play("3111t1K@" + match.legal()[0].partition("@")[2])
    assert not match.over
    winning = [move for move in match.legal() if wins(match, move)]
    assert 0 < len(winning) < len(match.legal())
    for seed in range(3):
        move = SearchBot("s", seed, simulations=400).answer(ask(match))
        assert match.settings.text.write(move) in winning


def wins(match: Match, move: str) -> bool:
    after = Match(match.game, match.settings.given, deals=match.deals)
    for played in [*match.moves, move]:
        after.play(played)
    return bool(after.winners())


def test_a_tree_takes_little_room() -> None:
    """The memory of a search is 200 MB at most, also with eight threads."""
    for game in GAMES:
        bot = SearchBot("s", 1, simulations=1, threads=8)
        match = Match(game, {"players": game.players[1]}, seed=bytes(32))
        bot.answer(ask(match))
        assert sum(tree.nbytes for tree in bot.trees(game)) < 200e6


@pytest.mark.parametrize("ms", [1, 50])
def test_the_clock_is_kept(ms: int) -> None:
    """Roughly: other things run on this machine."""
    for game in GAMES:
        match = Match(game, {"players": game.players[1]}, seed=bytes(32))
        bot = SearchBot("s", 1, ms=ms)
        bot.answer(ask(match))  # compiled now
        start = time.perf_counter()
        bot.answer(ask(match))
        assert time.perf_counter() - start < ms / 1000 + 0.5


def test_threads_add_up() -> None:
    game = GAMES[1]
    question = ask(Match(game, {"players": game.players[1]}, seed=bytes(32)))
    bot = SearchBot("s", 1, simulations=100, threads=3)
    assert sum(bot.look_ahead(question).values()) == 300
    assert bot.simulated(game)[0] == 300
    assert bot.look_ahead(question) == SearchBot("t", 1, simulations=100, threads=3).look_ahead(
        question
    )


def test_a_question_with_little_time_gets_a_quick_answer() -> None:
    game = GAMES[1]
    match = Match(game, {"players": game.players[1]}, seed=bytes(32))
    bot = SearchBot("s", 1, ms=60_000)
    bot.answer(ask(match, ms=10))
    assert bot.answer(ask(match, ms=10)) in ask(match).legal


def test_a_seed_gives_the_same_search() -> None:
    """With another it differs somewhere."""
    game = GAMES[1]
    question = ask(Match(game, {"players": game.players[1]}, seed=bytes(32)))
    found = [SearchBot("s", seed, simulations=50).look_ahead(question) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
