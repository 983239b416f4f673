"""Search guided by a network: equal at both speeds, a consistent tree, values by the network."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_search import some_view
from tests.networks import blank_network
from theriac.bots.guided import GuidedSearch, guide_of
from theriac.engine import guided_search
from theriac.engine.contract import encode, see
from theriac.engine.guided_search import Guide, GuidedConfig
from theriac.engine.inference import NetworkArrays
from theriac.engine.records import View
from theriac.engine.rule import Linker, Speed
from theriac.game import Game
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
# Each number has the type that is compiled ahead: another one would compile everything again.
each_config = pytest.mark.parametrize(
    "config",
    [GuidedConfig(sampled=0), GuidedConfig(sampled=1, width=3, reuse=2, temperature=2.0)],
    ids=["all-search", "others-sampled"],
)


def guide_for(game: Game, seed: int = 1) -> Guide:
    players = game.usual_players
    settings = game.settings({"players": players, "first": 0})
    return guide_of(game, settings, blank_network(game, players, seed=seed))


def searched(
    game: Game,
    view: View,
    config: GuidedConfig,
    simulations: int,
    max_nodes: int = 4096,
    speed: Speed = "cpu",
) -> GuidedSearch:
    search = GuidedSearch(game, guide_for(game), max_nodes, speed)
    search.reset(7, 0)
    search.run(view, config, simulations)
    return search


@each_game
@each_config
def test_both_speeds_grow_the_same_tree(game: Game, config: GuidedConfig) -> None:
    view = some_view(game, 1)
    fast = searched(game, view, config, 8)
    slow = searched(game, view, config, 8, speed="plain")
    assert (fast.simulations, fast.moves) == (slow.simulations, slow.moves)
    for one, other in zip(fast.nodes, slow.nodes, strict=True):
        assert (one.parent, one.move, one.visits) == (other.parent, other.move, other.visits)
        assert one.value == pytest.approx(other.value)


@each_game
@each_config
def test_the_numbers_of_a_tree_are_consistent(game: Game, config: GuidedConfig) -> None:
    search = searched(game, some_view(game, 2), config, 300)
    nodes = search.nodes[1:]
    assert search.simulations == 300 == sum(search.visits().values())
    places = list(zip(nodes.parent.tolist(), nodes.move.tolist(), strict=True))
    assert len(set(places)) == len(places) > 1
    for i, node in enumerate(nodes, start=1):
        assert node.parent < i
        assert nodes[nodes.parent == i].visits.sum() <= node.visits
        assert 0 <= node.value <= node.visits * (1 + 1e-9)


@each_game
def test_a_full_tree_is_searched_further(game: Game) -> None:
    search = searched(game, some_view(game, 3), GuidedConfig(), 100, max_nodes=8)
    assert len(search.nodes) == 8
    assert search.simulations == 100


@each_game
def test_only_as_many_moves_as_the_width_are_tried(game: Game) -> None:
    view = some_view(game, 1)
    wide = searched(game, view, GuidedConfig(exploration=50.0), 200).visits()
    narrow = searched(game, view, GuidedConfig(exploration=50.0, width=2), 200).visits()
    assert len(narrow) == 2 <= len(wide)


def test_a_config_has_the_types_that_compiled_code_expects() -> None:
    config = GuidedConfig.of({"exploration": 1, "width": 2.0})
    assert config == GuidedConfig(exploration=1.0, width=2)
    assert [type(value) for value in config] == [type(value) for value in GuidedConfig()]


# What the network means


def shares_of(game: Game, guide: Guide) -> list[float]:
    """What each seat of a game of three can expect, where seat 1 is to act."""
    search = GuidedSearch(game, guide, 8, "plain")
    g = search.engine.state()
    settings = game.settings({"players": 3, "first": 0})
    search.engine.start_game(g, settings.options, search.engine.chance(), 1, 0)
    g.to_act = 1
    filled = {slot: getattr(search.engine, slot.__name__) for slot in (see, encode)}
    write_shares = Linker(filled).build(guided_search.write_shares)
    write_shares(g, guide, search._guided_buffers)
    return [float(share) for share in search._buffers.payoffs[:3]]


def biased(game: Game, value: float, shares: list[float], together: bool = False) -> Guide:
    """A network that says the same about every position."""
    blank = NetworkArrays.blank(game.shape.features, 1)
    network = blank._replace(
        value_bias=np.array([value], np.float32),
        shares=np.zeros((len(shares), 1), np.float32),
        shares_bias=np.array(shares, np.float32),
    )
    return Guide(network, np.zeros(0, np.int64), 3, together)


def test_a_value_is_a_share_of_the_win() -> None:
    """0 is the fair share, -1 a loss; the others have the rest."""
    game = GAMES[1]
    assert shares_of(game, biased(game, 0.0, [])) == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert shares_of(game, biased(game, -1.0, [])) == pytest.approx([0.5, 0, 0.5])
    assert shares_of(game, biased(game, 0.5, [])) == pytest.approx([0.25, 0.5, 0.25])
    assert shares_of(game, biased(game, 9.0, [])) == pytest.approx([0, 1, 0])


def test_in_a_game_that_all_win_together_all_have_the_same_share() -> None:
    game = GAMES[1]
    assert shares_of(game, biased(game, -0.4, [], together=True)) == pytest.approx([0.2, 0.2, 0.2])


def test_the_head_for_shares_counts_from_the_seat_to_act() -> None:
    """Seats that do not play have no share."""
    game = GAMES[1]
    logits = [float(np.log(share)) for share in (0.7, 0.2, 0.1)]
    shares = shares_of(game, biased(game, 0.0, [*logits, 5.0]))
    assert shares == pytest.approx([0.1, 0.7, 0.2], rel=1e-5)


def test_the_policy_decides_what_is_tried_first() -> None:
    """And the search follows it where nothing else is known."""
    game = GAMES[1]
    view = some_view(game, 1)
    engine = game.engine("plain")
    g, moves = engine.state(), engine.moves()
    engine.imagine(view, engine.chance().random, g)
    n = engine.list_legal(g, moves)
    guide = guide_for(game)
    for preferred in (0, n - 1):
        bias = np.zeros_like(guide.network.policy_bias)
        bias[engine.action_of(g, guide.catalogue, int(moves[preferred]))] = 5
        blank = NetworkArrays.blank(game.shape.features, len(bias))
        own = guide._replace(network=blank._replace(policy_bias=bias))
        search = GuidedSearch(game, own, 64)
        search.reset(1, 0)
        search.run(view, GuidedConfig(exploration=0.5), 20)
        visits = search.visits()
        assert max(visits, key=lambda move: visits[move]) == int(moves[preferred])
