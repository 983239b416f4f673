"""Shock! in the terminal: what a move did, line by line, and how a round ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from theriac.engine.contract import REFEREE, UNKNOWN
from theriac.games.shock.paint import count_jewels, paint, paint_card
from theriac.games.shock.poisons import times_in_middle, uncovered
from theriac.games.shock.sheet import everybody_left, find_revealed, play_again
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CARD,
    KEEP,
    KINDS,
    NUMBERS,
    OPEN,
    OUT_MOVES,
    SOBA,
    STOP,
    WITHDRAW_MOVES,
)
from theriac.games.shock.text import POISONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.games.shock.text import ShockText

#: Further lines are indented below the first, which begins with the name of a seat.
_NEXT_LINE: Final = "\n        "


# A move


def describe_move(before: Any, after: Any, move: int, text: ShockText) -> Text:
    """What a move did."""
    g = play_again(before, move)
    lines = [_describe_move(before, g, move, text)]
    if everybody_left(before, move):
        lines.append(Text("nobody is in any more: the trick goes to nobody", "bold"))
    elif g.in_trick == 0:
        if before.phase == CARD:
            lines += _describe_won(before, g, text)
        lines += _describe_shock(before, g)
    lines += _describe_revealed(before, g, find_revealed(g, before, after), text)
    return Text(_NEXT_LINE).join(lines)


def _describe_move(before: Any, g: Any, move: int, text: ShockText) -> Text:
    seat = int(before.to_act)
    if move in _SAID:
        return Text(_SAID[move])
    if move > STOP:
        return Text(", ").join(_describe_covered(before, g, seat, text))
    if move < OUT_MOVES:
        return paint_card(before, text, move)
    # SHK-34: what lies face down is never shown to another seat.
    known = before.seat in (seat, REFEREE)
    card = paint(text.cards[move % NUMBERS]) if known else Text("a card")
    if move < WITHDRAW_MOVES:
        return Text.assemble(card, " face down")
    bag = count_jewels(int(before.on_bag[seat]))
    return Text.assemble(("withdrawn", "bold"), f" with {bag}, ", card, " face down")


_SAID: Final = {OPEN: "open another chest card", STOP: "stop", KEEP: "keep the potion"}


def _describe_won(before: Any, g: Any, text: ShockText) -> list[Text]:
    """SHK-16, SHK-17, SHK-26: what the winner gets, and what is covered without asking."""
    winner = int(g.last_winner)
    jewels = int(g.trick_jewels[: g.players].sum())
    first, last = int(before.front_sizes[winner]), int(g.front_sizes[winner])
    got = [Text(count_jewels(jewels))] if jewels else []
    got += [paint_card(g, text, card) for card in g.front[winner, first:last].tolist()]
    said = Text.assemble(_call(before, winner, "win"), " the trick", ": " if got else "")
    return [said.append_text(Text(", ").join(got)), *_describe_covered(before, g, winner, text)]


def _describe_covered(before: Any, g: Any, seat: int, text: ShockText) -> list[Text]:
    first, last = int(before.covered_sizes[seat]), int(g.covered_sizes[seat])
    return [
        Text.assemble("a potion covers ", paint_card(g, text, card))
        for card in g.covered[seat, first:last].tolist()
    ]


def _describe_shock(before: Any, g: Any) -> list[Text]:
    """SHK-20: did the winner of the trick take one poison too many?"""
    winner = int(g.last_winner)
    if g.in_round[winner]:
        return []
    lost = int(before.on_bag[winner])
    if before.phase == CARD:
        lost += int(g.trick_jewels[: g.players].sum())
    kinds = [k for k in range(KINDS) if uncovered(g, winner, k) + times_in_middle(g, k) > 1]
    return _describe_losses(before, paint(POISONS[kinds[0]]), [(winner, lost)])


def _describe_losses(v: Any, poison: Text, losses: list[tuple[int, int]]) -> list[Text]:
    """Who has had a poison twice, and how many jewels each loses."""
    said = Text.assemble(("SHOCK!", "bold reverse"), " ", poison, " twice")
    if len(losses) == 1:
        seat, n = losses[0]
        return [said.append(f", {_call(v, seat, 'lose')} {count_jewels(n)}")]
    lost = ", ".join(f"{n} by {_name(v, seat)}" for seat, n in losses)
    return [said, Text(f"lost: {lost}")]


def _describe_revealed(v: Any, g: Any, found: list[tuple[int, Any]], text: ShockText) -> list[Text]:
    """SHK-28, SHK-29, SHK-32: the card, who gets what, and who suffers a shock."""
    if not found:
        return []
    kinds = [kind for kind, _ in found]
    card = Text("one more card")
    if len(kinds) == 1 or max(kinds) < SOBA:
        card = Text(" or ").join(paint(text.cards[NUMBERS + kind]) for kind in kinds)
    lines = [Text.assemble("door: " if g.edition == ANAPHYLAXIS else "chest: ", card)]
    gains = {_describe_gains(v, g, kind) for kind in kinds}
    if len(gains) == 1:
        lines[0].append(gains.pop())
    more = {int(g.last_winner): int(g.large[kinds[0]])}
    losses = [
        (seat, int(g.on_bag[seat]) + more.get(seat, 0))
        for seat in range(int(g.players))
        if all(g.in_round[seat] > end.in_round[seat] for _, end in found)
    ]
    return [*lines, *_describe_losses(v, card, losses)] if losses else lines


def _describe_gains(v: Any, g: Any, kind: int) -> str:
    """Who gets how many jewels from a chest or door card."""
    winner = int(g.last_winner)
    large, small = int(g.large[kind]), int(g.small[kind])
    if not g.in_round[winner]:
        return f", {count_jewels(large)} for nobody"  # only a door opens then
    said = f", {count_jewels(large)} for {_name(v, winner)}" if large else ""
    others = [seat for seat in range(int(g.players)) if g.in_round[seat] and seat != winner]
    if small and len(others) > 2:  # too many to name in a line
        said += f", {small} each for the others still in"
    elif small and others:
        said += f", {small} for {' and for '.join(_name(v, seat) for seat in others)}"
    return said


def _name(v: Any, seat: int) -> str:
    return "you" if seat == v.seat else f"seat {seat}"


def _call(v: Any, seat: int, verb: str) -> str:
    """You win, seat 1 wins."""
    return f"{_name(v, seat)} {verb}{'' if seat == v.seat else 's'}"


# The end of a round


def summarize_round(
    before: Any, after: Any, move: int, text: ShockText, names: Sequence[str]
) -> RenderableType:
    """SHK-38: who was still in, what was put into the bags last, and what is inside."""
    ends = text.sheet(before, after, move)["seats"]
    board = Table(title=f"Round {before.rounds} is over", title_style="bold", title_justify="left")
    board.add_column("")
    board.add_column("at the end")
    board.add_column("stored now", justify="right")
    board.add_column("inside the bag", justify="right")
    for seat, end in enumerate(ends):
        inside = int(after.scores[seat])
        board.add_row(
            names[seat],
            _ENDS[end["how"]],
            "-" if end["stored"] is None else str(end["stored"]),
            "?" if inside == UNKNOWN else str(inside),
        )
    return Group(board, *_describe_next(before, after, names))


_ENDS: Final = {
    "out": "out before",
    "withdrew": "withdrawn",
    "stayed": "still in",
    "shock": "shock",
    None: "",
}


def _describe_next(before: Any, after: Any, names: Sequence[str]) -> list[Text]:
    """SHK-42, SHK-43, SHK-44: who leads the next round, and the door that is lost."""
    if after.rounds == before.rounds:
        return []
    name = names[after.first_leader]
    lines = [Text(f"{name} lead{'' if name == 'you' else 's'} round {after.rounds}.", "dim")]
    if before.edition == ANAPHYLAXIS and before.rounds == 2:
        lost = "One poison door, unseen by all, is out for the rest of the game."
        lines.append(Text(lost, "dim"))
    return lines
