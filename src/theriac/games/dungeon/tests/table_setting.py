"""Forts for tests, from the cards in the order in which they are to be laid.

Cards are dealt one at a time, and so they are laid and drawn: the first card dealt is laid in the
first turn, the second in the second, and so on. So a test names the card at 0,0 and the cards that
will be laid, in this order, and the player to act always holds the next of them. `CALM` fills up
the hands. What does not fit into the hands is the pile, with the Black Knight below: where there is
none, the player of the first card draws him at once.
"""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.faults import BadOption, Fault, Refused
from theriac.game import find
from theriac.match import Match

DECK = find("dungeon").shipped.cards()
#: KKD-04, written down once more.
HANDS = {1: 6, 2: 4, 3: 4, 4: 4, 5: 4, 6: 3}
#: A card that changes nothing where it is laid.
CALM = "0000"
KNIGHT = "4444t3K"
ALL_SPELLS = ["fireball", "ice", "poison", "silence"]


# Tables


def order_of(start: str, cards: str, players: int) -> list[str]:
    """The pile as it is shuffled: the hands, the first card of the fort, what is drawn later."""
    held = players * HANDS[players]
    laid = cards.split()
    laid += [CALM] * (held - len(laid))
    return [*laid[:held], start, *laid[held:]]


def sit(
    start: str = CALM,
    cards: str = "",
    *,
    players: int = 2,
    first: int = 0,
    knight: str = KNIGHT,
    won: str = "",
    **options: Any,
) -> Match:
    """A game with a fort that begins with `start`, and these cards to be laid.

    `won` names the spells not held in the order in which they are drawn after a win.
    """
    deal = order_of(start, cards, players)
    options = {"players": players, "first": first, "deck": [*deal, knight], **options}
    return theriac.new("dungeon", deals=[deal, won.split()], **options)


def lay_out(start: str, moves: str, then: str = "", *, more: str = "", **options: Any) -> Match:
    """A game after these moves; the player to act holds the first of the cards `then`.

    `more` are moves made after those that cost no card of the deal: spells, the Black Knight.
    """
    cards = [move.split("@")[0].removesuffix("r") for move in moves.split()]
    match = sit(start, " ".join([*cards, *then.split()]), **options)
    play(match, f"{moves} {more}")
    return match


def facing_the_knight(
    then: str = "", *, at: str = "1,1", first: str = "0000@-1,-1", **options: Any
) -> Match:
    """A calm card at 0,0, another laid, and the Black Knight; the next player holds `then`."""
    knight = options.get("knight", KNIGHT)
    return lay_out(CALM, first, then, more=f"{knight}@{at}", **options)


def with_spells(start: str, cards: str = "", *, spells: str = "", **options: Any) -> Match:
    """A fort of the adventure, with these spells or all of them."""
    held = spells.split() or ALL_SPELLS
    return sit(start, cards, **{"level": 1, **options, "spells": held})


# Playing


def play(match: Match, moves: str) -> Match:
    """Play some moves, one after another."""
    for move in moves.split():
        match.play(move)
    return match


# Reading the position


def shown(match: Match, key: str) -> Any:
    """One of the things that all can see on the table, such as "supply" or "talk"."""
    return match.view()["table"][key]


def at(match: Match, x: int, y: int) -> dict[str, Any]:
    """The view of the card at a place."""
    found = [entry for entry in shown(match, "fort") if (entry["x"], entry["y"]) == (x, y)]
    assert len(found) == 1, f"no card lies at {x},{y}"
    entry: dict[str, Any] = found[0]
    return entry


def danger(match: Match, x: int, y: int) -> int:
    """The danger of the card at a place."""
    number: int = at(match, x, y)["danger"]
    return number


def tokens(match: Match, x: int, y: int) -> int:
    """The time tokens on the card at a place."""
    number: int = at(match, x, y)["tokens"]
    return number


def ended(match: Match) -> tuple[str | None, str | None]:
    """How the game ended and by which clause; None while it is not over."""
    on_table = match.view()["table"]
    assert match.over == (on_table["outcome"] is not None)
    return on_table["outcome"], on_table["why"]


GOES_ON = (None, None)
WON = ("won", "KKD-22")


def lost(clause: int) -> tuple[str, str]:
    """The end of a game that is lost by this clause."""
    return "lost", f"KKD-{clause}"


def hands(match: Match) -> list[list[str]]:
    """All hands."""
    return [match.view(seat)["hand"] for seat in range(match.players)]


def places(match: Match, card: str) -> set[str]:
    """Where a card of the hand may go, unturned."""
    return {move.partition("@")[2] for move in match.legal() if move.startswith(f"{card}@")}


# Refusals


def refused(match: Match, move: str) -> str:
    """The refusal of an illegal move, which must change nothing."""
    before = [match.view(), *(match.view(seat) for seat in range(match.players))]
    memory = match._g.tobytes()
    with pytest.raises(Refused) as caught:
        match.play(move)
    assert [match.view(), *(match.view(seat) for seat in range(match.players))] == before
    assert match._g.tobytes() == memory
    assert move not in before[0]["legal"]
    return f"{caught.value.why} ({caught.value.clause})"


def refusing_clause(match: Match, move: str) -> str:
    """The clause that refuses a move."""
    return refused(match, move)[-7:-1]


def options_refused(**options: Any) -> str:
    """The error for options that the game refuses."""
    with pytest.raises(BadOption) as caught:
        theriac.new("dungeon", **{"players": 2, "first": 0, **options})
    return str(caught.value)


def deck_refused(deck: Any, **options: Any) -> str:
    """The error for a deck that cannot be played."""
    with pytest.raises(Fault) as caught:
        theriac.new("dungeon", **{"players": 2, "first": 0, "deck": deck, **options})
    return str(caught.value)
