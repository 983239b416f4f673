"""Slow full enumeration: how many nodes a game's tree has at each depth."""

from __future__ import annotations

import copy
from collections.abc import Callable

from theriac.testing.referee import Game


def count_tree(make_root: Callable[[], Game], depth: int) -> list[int]:
    """Move sequences of each length 0 to depth, player moves only.

    The root's shuffles must be fixed (deals, or a shuffle that depends on k alone). A game that
    is over has no children, so the counts fall to 0 once every line has ended.
    """
    counts = [0] * (depth + 1)

    def visit(game: Game, at: int) -> None:
        counts[at] += 1
        if at == depth:
            return
        for text in game.legal():
            child = copy.deepcopy(game)
            child.play(text)
            visit(child, at + 1)

    visit(make_root(), 0)
    return counts


def completed(prefix: list[str], cards: list[str]) -> list[str]:
    """A full deal that begins with prefix; the rest has been seen by nobody."""
    rest = list(cards)
    for card in prefix:
        rest.remove(card)
    return prefix + rest


def count_tree_with_chance(
    make_root: Callable[[list[list[str]]], Game], cards: list[str], depth: int
) -> list[int]:
    """Nodes at each depth 0 to depth, a ply being one card drawn by chance or one player's move.

    make_root(deals) makes a fresh game of these cards. At depth 0 nothing has been drawn. A card
    is drawn only when it is dealt; identical cards are one outcome; a draw with one possible
    outcome is still a ply. Every node is replayed from the start: the deals are what chance has
    fixed so far, completed anyhow, and Game.draws shows whether the game has needed more.
    """
    counts = [0] * (depth + 1)

    def visit(fixed: list[list[str]], moves: list[str], at: int) -> None:
        counts[at] += 1
        if at == depth:
            return
        game = make_root([completed(prefix, cards) for prefix in [*fixed, []]])
        for text in moves:
            game.play(text)
        while len(fixed) < len(game.draws):
            fixed = [*fixed, []]
        if game.draws[-1] > len(fixed[-1]):  # a card had to be dealt that chance has not drawn
            rest = completed(fixed[-1], cards)[len(fixed[-1]) :]
            for card in sorted(set(rest)):
                visit([*fixed[:-1], [*fixed[-1], card]], moves, at + 1)
        else:
            for text in game.legal():
                visit(fixed, [*moves, text], at + 1)

    visit([], [], 0)
    return counts
