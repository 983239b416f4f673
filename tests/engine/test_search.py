"""Tree search: equal at both speeds, a consistent tree, an obvious move is found."""

from __future__ import annotations

import time

import pytest

from theriac.bots import ask
from theriac.bots.search import SearchBot, TreeSearch
from theriac.engine.records import View
from theriac.engine.rule import Speed
from theriac.engine.search import SearchConfig
from theriac.game import Game
from theriac.match import Match
from theriac.testing.setups import GAMES, Setup
from theriac.testing.walk import Choices, Walk

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def some_view(game: Game, seed: int) -> View:
    """The view of the seat to act, some moves into a game."""
    walk = Walk(Setup(game, {"players": game.usual_players, "first": 0}), "cpu")
    for number, _ in enumerate(walk.steps(Choices([], 2 * seed + 1))):
        if walk.over or (number >= 2 and len(walk.legal()) > 1):
            break
    walk.see(int(walk.g.to_act))
    return walk.v


def searched(
    game: Game,
    view: View,
    config: SearchConfig,
    simulations: int,
    max_nodes: int = 4096,
    speed: Speed = "cpu",
) -> TreeSearch:
    search = TreeSearch(game, max_nodes, speed)
    search.reset(7, 0)
    search.run(view, config, simulations)
    return search


@each_game
@pytest.mark.parametrize(
    "config",
    [SearchConfig(), SearchConfig(playout_width=3, width=4, reuse=2), SearchConfig(rounds=0)],
    ids=["default", "advised", "to-the-end"],
)
def test_both_speeds_grow_the_same_tree(game: Game, config: SearchConfig) -> None:
    view = some_view(game, 1)
    fast = searched(game, view, config, 12)
    slow = searched(game, view, config, 12, speed="plain")
    assert (fast.simulations, fast.moves) == (slow.simulations, slow.moves)
    assert fast.nodes.tolist() == slow.nodes.tolist()


@each_game
def test_the_numbers_of_a_tree_are_consistent(game: Game) -> None:
    search = searched(game, some_view(game, 2), SearchConfig(playout_width=2), 600)
    nodes = search.nodes[1:]
    assert search.simulations == 600 == sum(search.visits().values())
    places = list(zip(nodes.parent.tolist(), nodes.move.tolist(), strict=True))
    assert len(set(places)) == len(places) > 1
    for i, node in enumerate(nodes, start=1):
        below = nodes[nodes.parent == i]
        assert node.parent < i
        assert below.visits.sum() <= node.visits <= node.availability
        assert 0 <= node.value <= node.visits * (1 + 1e-9)


@each_game
def test_all_legal_moves_are_tried_or_as_many_as_the_width(game: Game) -> None:
    match = Match(game, {"players": game.usual_players}, seed=bytes(32))
    question = ask(match)
    tried = set(searched(game, question.view, SearchConfig(), 3000, 1 << 14).visits())
    assert tried == set(question.legal.tolist())
    narrow = set(searched(game, question.view, SearchConfig(width=3), 300).visits())
    assert len(narrow) == min(3, len(tried))
    assert narrow <= tried


def test_a_config_has_the_types_that_compiled_code_expects() -> None:
    """A setting may be written as 1 where a float is meant, or be read as 2.0."""
    config = SearchConfig.of({"exploration": 1, "width": 2.0})
    assert config == SearchConfig(exploration=1.0, width=2)
    assert [type(value) for value in config] == [type(value) for value in SearchConfig()]


@each_game
def test_a_full_tree_is_searched_further(game: Game) -> None:
    search = searched(game, some_view(game, 3), SearchConfig(), 200, max_nodes=8)
    assert len(search.nodes) == 8
    assert search.simulations == 200


@each_game
def test_prospects_add_up_to_one_win(game: Game) -> None:
    """Between rounds; at the end it is the result."""
    prospect = game.rule("prospect")
    walk = Walk(Setup(game, {"players": game.usual_players, "first": 0}), "cpu")
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


def test_the_search_finds_the_card_that_defeats_the_black_knight() -> None:
    """He lies at 5 or more with one token left: one card of the hand wins, all others lose."""
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


def test_a_tree_takes_little_memory() -> None:
    """At most 200 MB, even with eight threads."""
    for game in GAMES:
        bot = SearchBot("s", 1, simulations=1, threads=8)
        match = Match(game, {"players": game.usual_players}, seed=bytes(32))
        bot.answer(ask(match))
        assert sum(search.nbytes for search in bot.searches(game)) < 200e6


@pytest.mark.parametrize("ms", [1, 50])
def test_a_search_keeps_to_its_time(ms: int) -> None:
    """In time of the processor: the machine may be busy."""
    for game in GAMES:
        match = Match(game, {"players": game.usual_players}, seed=bytes(32))
        bot = SearchBot("s", 1, ms=ms)
        bot.answer(ask(match))  # compiled now
        start = time.process_time()
        bot.answer(ask(match))
        assert time.process_time() - start < ms / 1000 + 0.5


def test_the_simulations_of_threads_add_up() -> None:
    game = GAMES[1]
    question = ask(Match(game, {"players": game.usual_players}, seed=bytes(32)))
    bot = SearchBot("s", 1, simulations=100, threads=3)
    assert sum(bot.look_ahead(question).values()) == 300
    assert bot.simulated(game)[0] == 300
    assert bot.look_ahead(question) == SearchBot("t", 1, simulations=100, threads=3).look_ahead(
        question
    )


def test_a_question_with_a_short_time_limit_gets_a_quick_answer() -> None:
    game = GAMES[1]
    match = Match(game, {"players": game.usual_players}, seed=bytes(32))
    bot = SearchBot("s", 1, ms=60_000)
    bot.answer(ask(match, ms=10))
    assert bot.answer(ask(match, ms=10)) in ask(match).legal


def test_the_same_seed_gives_the_same_search() -> None:
    """Another seed gives another."""
    game = GAMES[1]
    question = ask(Match(game, {"players": game.usual_players}, seed=bytes(32)))
    found = [SearchBot("s", seed, simulations=50).look_ahead(question) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
