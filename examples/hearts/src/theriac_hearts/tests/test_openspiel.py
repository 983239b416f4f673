"""OpenSpiel's hearts is the same game: one round, seat 3 deals, and the queen breaks hearts or not.

Its other parameters have their defaults: no points in the first trick, the 2 of clubs leads, hearts
must be broken, no bonuses. Here `target` is 0 and `moon` is "others"; `passing` is nature's first
move there, and `queen_breaks` is `qs_breaks_hearts`.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from theriac_hearts.state import CARDS, RANKS
from theriac_hearts.tests.table_setting import GAME

pyspiel: Any = pytest.importorskip("pyspiel")

GAMES = 300
#: Their suits are clubs, diamonds, hearts, spades, and a card is 4 * rank + suit.
SUITS = (0, 1, 3, 2)
THEIRS = [4 * (card % RANKS) + SUITS[card // RANKS] for card in range(CARDS)]
DIRECTIONS = ("none", "left", "across", "right")
#: Their payoff is this less the points.
MOST_POINTS = 26


def some_deal(random: Random) -> list[int]:
    """The cards in the order dealt. One in three deals gives seat 0 most of a long suit, so that
    somebody shoots the moon now and then.
    """
    cards = list(range(CARDS))
    random.shuffle(cards)
    if random.randrange(3) == 0:
        long = sorted(cards, key=lambda card: card // RANKS)
        rest = random.sample(long[RANKS:], CARDS - RANKS)
        others = [rest[i::3] for i in range(3)]
        cards = [hand[i] for i in range(RANKS) for hand in (long[:RANKS], *others)]
    return cards


class BothGames:
    """One game here and there."""

    def __init__(self, spiel: Any, options: dict[str, Any], deal: list[int]) -> None:
        self.engine = GAME.engine()
        self.g = self.engine.state()
        self.moves = self.engine.moves()
        settings = GAME.settings({"players": 4, "first": 3, "target": 0, **options})
        self.engine.setup(self.g, settings.options)
        self.state = spiel.new_initial_state()
        self.state.apply_action(DIRECTIONS.index(options["passing"]))
        for card in deal:
            self.engine.deal(self.g, card)
            self.state.apply_action(THEIRS[card])

    def legal(self) -> list[int]:
        """The legal moves, which are the same cards on both sides."""
        n = self.engine.list_legal(self.g, self.moves)
        legal: list[int] = self.moves[:n].tolist()
        assert self.g.to_act == self.state.current_player()
        assert sorted(THEIRS[move % CARDS] for move in legal) == self.state.legal_actions()
        return legal

    def play(self, move: int) -> None:
        assert self.engine.step(self.g, move) == 0
        self.state.apply_action(THEIRS[move % CARDS])

    def points(self) -> list[int]:
        """The points at the end, which are the same on both sides."""
        assert self.g.to_act < 0
        points: list[int] = self.g.scores.tolist()
        assert [MOST_POINTS - payoff for payoff in self.state.returns()] == points
        return points


@pytest.mark.parametrize("queen_breaks", [False, True])
@pytest.mark.parametrize("passing", DIRECTIONS)
def test_games_are_the_same_move_by_move(passing: str, queen_breaks: bool) -> None:
    spiel = pyspiel.load_game("hearts", {"qs_breaks_hearts": queen_breaks})
    random = Random(f"{passing} {queen_breaks}")
    moons = 0
    for _ in range(GAMES):
        options = {"passing": passing, "queen_breaks": queen_breaks}
        both = BothGames(spiel, options, some_deal(random))
        while not both.state.is_terminal():
            both.play(random.choice(both.legal()))
        moons += sum(both.points()) == 3 * MOST_POINTS
    assert passing != "none" or moons > 0, "no game in which somebody shot the moon"


def test_without_passing_there_is_one_direction() -> None:
    spiel = pyspiel.load_game("hearts", {"pass_cards": False})
    random = Random(1)
    for _ in range(GAMES):
        options = {"passing": "none", "queen_breaks": True}
        both = BothGames(spiel, options, some_deal(random))
        while not both.state.is_terminal():
            both.play(random.choice(both.legal()))
        both.points()


def test_the_cards_have_the_same_names() -> None:
    spiel = pyspiel.load_game("hearts")
    state = spiel.new_initial_state()
    state.apply_action(0)
    text = GAME.shipped_text
    for card in range(CARDS):
        rank, suit = state.action_to_string(THEIRS[card])
        assert text.cards[card] == suit + rank.replace("T", "10")
