"""Imagined states: they look as the seat sees them, have all cards, and leave nothing out."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np

from theriac.checks.leaks import Leaks
from theriac.checks.report import Report
from theriac.engine.build import Engine
from theriac.faults import listed
from theriac.game import Game, Settings
from theriac.testing.unimagined import Imagination

#: In how many positions it is checked what the seat to act imagines, and in how many states each.
_POSITIONS: Final = 8
_SAMPLES: Final = 2000
_KEPT: Final = "does play keep sizes and seen, and has every place its capacity?"


def check_imagination(game: Game, report: Report) -> None:
    """Check that a seat imagines all that it cannot rule out, and sees nothing of it."""
    players = game.usual_players
    doing = f"a game of {players}, interpreted"
    with report.guard(doing, game.folder):
        settings = game.settings({"players": players, "first": 0})
        imagination = Imagination(game, "plain", _SAMPLES)
        fault = imagination.find_fault(settings, 0, _POSITIONS, every_seat=False)
        if fault:
            report.error(f"{doing}: {fault}")
        engine = game.engine("plain")
        stream = engine.chance().random
        engine.seed_stream(stream, 6, 0)
        if leak := Leaks(settings, engine).find(stream):
            report.error(f"{doing}: {leak}")


class Imagining:
    """What is wrong with the states that a game imagines."""

    def __init__(self, game: Game, settings: Settings, engine: Engine) -> None:
        self.game, self.text, self.players = game, settings.text, settings.players
        self.engine = engine

    def fault(self, g: Any, random: Any) -> str:
        """What is wrong with a state that the seat to act imagines; empty if nothing is."""
        seat, view, again = int(g.to_act), self.engine.view(), self.engine.view()
        self.engine.see(g, seat, view)
        imagined = self.engine.state()
        try:
            self.engine.imagine(view, random, imagined)
        except Exception:
            hidden = _hidden_fault(imagined)
            if not hidden:
                raise
            return hidden
        self.engine.see(imagined, seat, again)
        if again.tobytes() != view.tobytes():
            fields = [name for name in view.dtype.names if np.any(again[name] != view[name])]
            return (
                f"imagine gives a state that the seat would see differently, in "
                f"{listed(fields, 'and')}: either imagine does not fill it, or the seat must not "
                f"see it"
            )
        return self._lost_cards(g, imagined)

    def _lost_cards(self, g: Any, imagined: Any) -> str:
        """Hands and piles are as large as in the true state, and no card is there too often."""
        hands, piles = self._hands(imagined), self._piles(imagined)
        true_hands, true_piles = self._hands(g), self._piles(g)
        for seat, (hand, true) in enumerate(zip(hands, true_hands, strict=True)):
            if len(hand) != len(true):
                return f"imagine gives seat {seat} {len(hand)} cards, it has {len(true)}: {_KEPT}"
        for pile, (cards, true) in enumerate(zip(piles, true_piles, strict=True)):
            if len(cards) != len(true):
                return f"imagine leaves {len(cards)} cards in pile {pile}, not {len(true)}: {_KEPT}"
        there = Counter(card for cards in (*hands, *piles) for card in cards)
        # A hand may hold what is not dealt from the deck, such as cards to bid with.
        true_there = Counter(card for cards in (*true_hands, *true_piles) for card in cards)
        more = there - (true_there | Counter(self.text.deck.counts))
        return f"imagine deals {min(more)} more often than the deck has it" if more else ""

    def _hands(self, g: Any) -> list[list[str]]:
        """The cards that each seat of a state sees in its own hand."""
        hands, view = [], self.engine.view()
        for seat in range(self.players):
            self.engine.see(g, seat, view)
            hands.append(self.text.hand(view))
        return hands

    def _piles(self, g: Any) -> list[list[str]]:
        """The cards that are left in each pile."""
        piles = []
        for pile in range(len(self.game.shape.piles)):
            counts = np.zeros(self.game.shape.cards, np.int16)
            self.engine.list_pile(g, pile, counts)
            cards = zip(self.text.cards, counts.tolist(), strict=True)
            piles.append([card for card, n in cards for _ in range(n)])
        return piles


def _hidden_fault(imagined: Any) -> str:
    """Why `deal_hidden` could deal nothing; empty if it could, or is not used."""
    if "hidden_capacity" not in imagined.dtype.names or not imagined.hidden:
        return ""
    cards, places = int(imagined.hidden), int(imagined.hidden_capacity.sum())
    return f"imagine: {cards} unseen cards, places for {places}: {_KEPT}" if cards != places else ""
