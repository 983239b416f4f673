"""Envelopes: all choose a card in secret, then all are opened. It keeps secret choices tested."""

from __future__ import annotations

from envelopes.text import EnvelopesText
from theriac.game import Game

GAMES = (
    Game(
        name="envelopes",
        summary="Put a card into an envelope; the highest one wins a point.",
        players=(3,),
        text=EnvelopesText,
        wins="highest",
    ),
)
