"""Decisions: from a request to the events it leads to, or a refusal.

Every function here only reads the table. It changes when the events are applied, and that happens
after the store has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from theriac import seal
from theriac.bots import LEVELS
from theriac.faults import Fault, listed, quote
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.messages import RefusalCode, Signal, StoredRequest
from theriac.server.tables.table import BOT_NONCE, Table

#: The level of the bot that takes over from a player who is out of time.
TIMEOUT_LEVEL = "medium"


class Denied(Fault):
    """A request refused for a reason other than the rules of the game."""

    def __init__(self, code: RefusalCode, why: str, clause: str | None = None) -> None:
        super().__init__(why)
        self.code: RefusalCode = code
        self.clause = clause


class Requester(NamedTuple):
    """Who makes a request: a player, seated or not; the seats that are connected now; and the
    newest version that this player may know of.
    """

    player: str
    name: str
    present: frozenset[int]
    visible_version: int


class Advice(NamedTuple):
    """A bot's advice for the position of `version`, in reply to the request with this id."""

    id: str
    version: int
    move: str


def decide(
    table: Table, requester: Requester, request: StoredRequest | Advice
) -> list[events.AnyEvent]:
    """The events that a request leads to; raises `Fault`."""
    check_open(table)
    return _DECISIONS[type(request)](table, requester, request)


def signal_for(table: Table, requester: Requester, request: messages.SignalRequest) -> Signal:
    """The signal that everybody gets for a gesture or a typing sign; raises `Denied`."""
    check_open(table)
    seat = table.seat_of(requester.player)
    if isinstance(request, messages.Typing):
        check_silence(table)
        return Signal(requester.name, seat, typing=True)
    if seat is None or not may_point(table, request.at):
        check_silence(table)
    return Signal(requester.name, seat, gesture=request.sign, at=request.at)


def may_point(table: Table, at: str | None) -> bool:
    """Does a gesture point at nothing, a card or a place? Words would be talk."""
    if at is None or table.match is None:
        return True
    return table.match.settings.text.is_pointable(at)


def bot_move(table: Table, seat: int, level: str, move: str) -> list[events.AnyEvent]:
    """The events of a bot's move; raises `Refused`."""
    return [_legal_move(table, seat, move, level)]


# What happens without a request


def follow_up(table: Table) -> list[events.AnyEvent]:
    """The events that the state of the table itself leads to: a game begins or ends, an undo is
    carried out.
    """
    if table.stage == "playing" and table.current_match.over:
        return [events.Offered(next_options(table), seal.new_seed().hex())]
    if table.stage in ("gathering", "over") and not any(seat.waiting for seat in table.seats):
        only_bots = not any(seat.nonce for seat in table.seats)
        if table.stage == "gathering" or not only_bots:
            return [events.Begun([seat.nonce or BOT_NONCE for seat in table.seats])]
    if table.undo and set(table.human_seats) <= table.undo.agreed | {table.undo.seat}:
        return [events.Undone(len(table.current_match.moves) - 1)]
    return []


def next_options(table: Table) -> dict[str, Any]:
    """The options of the next game: the same again, or the next part of an adventure."""
    options = dict(table.options)
    if not table.opened.adventure or not table.current_match.winners():
        return options
    parts = table.game.adventure
    assert parts is not None
    following = parts.next_part(options, table.current_match.view()["table"])
    return dict(table.opened.options) if following is None else dict(following)


def ms_until_timeout(table: Table, now: int) -> int | None:
    """The milliseconds until a clock runs out; None while no clock runs."""
    if table.to_act is None:
        return None
    clocks = [table.game_ms_left(now), table.seat_ms_left(table.to_act, now)]
    running = [left for left in clocks if left is not None]
    return min(running) if running else None


def on_timeout(table: Table, now: int) -> list[events.AnyEvent]:
    """The events of a clock that has run out: the game's own clock makes its move, a bot takes
    over from a player.
    """
    seat = table.to_act
    if seat is None:
        return []
    clock = table.current_match.clock_move
    if table.game_ms_left(now) == 0 and clock is not None:
        return [events.Moved(None, clock)]
    if table.seat_ms_left(seat, now) == 0:
        return [events.Handed(seat, TIMEOUT_LEVEL, "time")]
    return []


# Decisions, one per request


def _own_seat(table: Table, requester: Requester) -> int:
    seat = table.seat_of(requester.player)
    if seat is None:
        raise Denied("seat", "you have no seat at this table: take a free seat first")
    return seat


def _playing_seat(table: Table, requester: Requester) -> int:
    seat = _own_seat(table, requester)
    if table.stage != "playing":
        raise Denied("stage", "no game is being played")
    if table.seats[seat].stand_in:
        raise Denied("seat", "a bot plays for you: return to your seat first")
    return seat


def _find_seat(table: Table, number: int) -> int:
    if number >= len(table.seats):
        raise Denied("seat", f"there is no seat {number}, only 0 to {len(table.seats) - 1}")
    return number


def _nonce(nonce: str) -> str:
    if not nonce.isprintable():
        raise Denied(
            "denied", "the nonce has characters that cannot be printed: use printable ones"
        )
    return nonce


def _sit(table: Table, requester: Requester, request: messages.Sit) -> list[events.AnyEvent]:
    number = _find_seat(table, request.seat)
    seat = table.seats[number]
    if table.stage == "playing":
        raise Denied("stage", "the game has begun: you can only watch")
    if seat.bot:
        raise Denied("seat", f"a bot has seat {number}: take another")
    if seat.player and seat.player != requester.player:
        raise Denied("seat", f"seat {number} is taken: take another")
    mine = table.seat_of(requester.player)
    moved = [events.Stood(mine)] if mine is not None else []
    return [*moved, events.Sat(requester.player, requester.name, number, _nonce(request.nonce))]


def _stand(table: Table, requester: Requester, request: messages.Stand) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    if table.stage == "playing":
        raise Denied("stage", "the game has begun: you can stand up when it is over")
    return [events.Stood(seat)]


def _ready(table: Table, requester: Requester, request: messages.Ready) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    if table.stage != "over":
        raise Denied("stage", "no game has just ended")
    back = [events.Returned(seat)] if table.seats[seat].stand_in else []
    return [*back, events.Readied(seat, _nonce(request.nonce))]


def _play(table: Table, requester: Requester, request: messages.Play) -> list[events.AnyEvent]:
    seat = _playing_seat(table, requester)
    match = table.current_match
    if request.version < table.turn_version:
        raise Denied(
            "stale", f"the position has changed since: it is now version {table.turn_version}"
        )
    if request.version > table.version:
        raise Denied("stale", f"the table is only at version {table.version}")
    if request.move == match.clock_move:
        raise Denied("turn", f"{request.move} is the clock's move")
    if not match.may_act(seat, request.move):
        raise Denied("turn", f"it is seat {table.to_act}'s turn")
    return [_legal_move(table, seat, request.move)]


def _legal_move(table: Table, seat: int, move: str, bot: str | None = None) -> events.Moved:
    if refused := table.current_match.refusal(move, seat):
        raise refused
    return events.Moved(seat, move, bot)


def hint_seat(table: Table, requester: Requester) -> int:
    """The seat of a player who may have a hint now; raises `Denied`."""
    if not table.opened.hints:
        raise Denied("denied", "hints are off at this table")
    seat = _playing_seat(table, requester)
    if table.to_act != seat:
        raise Denied("turn", "it is not your turn: ask for a hint when it is")
    return seat


def _hint(table: Table, requester: Requester, advice: Advice) -> list[events.AnyEvent]:
    seat = hint_seat(table, requester)
    if table.turn_version != advice.version:
        raise Denied("stale", "the position changed while the bot was thinking: ask again")
    return [] if table.hint else [events.Hinted(seat, advice.move)]


def _undo(table: Table, requester: Requester, request: messages.TakeBack) -> list[events.AnyEvent]:
    seat = _playing_seat(table, requester)
    if why := table.undo_refusal(seat):
        raise Denied("denied", f"the move cannot be taken back: {why}")
    return [events.UndoAsked(seat)]


def _answer(table: Table, requester: Requester, request: messages.Answer) -> list[events.AnyEvent]:
    seat = _playing_seat(table, requester)
    if table.undo is None or table.undo.seat == seat:
        raise Denied("denied", "no other player has asked to take a move back")
    return [events.UndoAnswered(seat, request.agree)]


def _hand(table: Table, requester: Requester, request: messages.Hand) -> list[events.AnyEvent]:
    number = _find_seat(table, request.seat)
    if request.level not in LEVELS:
        raise Denied("denied", f"level {quote(request.level)}: use {listed(list(LEVELS))}")
    seat = table.seats[number]
    if seat.level:
        raise Denied("seat", f"a bot already plays for seat {number}")
    if seat.player is None:
        if requester.player != table.opened.by:
            raise Denied("denied", "only the player who opened this table can give a seat to a bot")
        return [events.Handed(number, request.level, "opener")]
    if table.seat_of(requester.player) is None:
        raise Denied("seat", "only seated players can let a bot play for another")
    if seat.player == requester.player or number in requester.present:
        raise Denied("denied", f"{seat.name} is at the table")
    return [events.Handed(number, request.level)]


def _return(table: Table, requester: Requester, request: messages.Return) -> list[events.AnyEvent]:
    number = _own_seat(table, requester)
    seat = table.seats[number]
    if not seat.stand_in:
        raise Denied("seat", "you already play for yourself")
    clock = table.opened.clock
    if seat.out_of_time and table.stage == "playing" and clock and clock.per == "game":
        raise Denied("denied", "your time for this game is used up: the bot plays to its end")
    return [events.Returned(number)]


def _say(table: Table, requester: Requester, request: messages.Say) -> list[events.AnyEvent]:
    check_silence(table)
    text = " ".join(request.text.split())
    if not text or not text.isprintable():
        raise Denied("denied", "the text is empty or has characters that cannot be printed")
    return [events.Said(requester.name, text, table.seat_of(requester.player))]


def _react(table: Table, requester: Requester, request: messages.React) -> list[events.AnyEvent]:
    check_silence(table)
    if not 0 < request.to <= requester.visible_version:
        raise Denied("denied", f"there is no event {request.to} to react to")
    seat = table.seat_of(requester.player)
    return [events.Reacted(requester.name, request.to, request.sign, seat)]


def _close(table: Table, requester: Requester, request: messages.Close) -> list[events.AnyEvent]:
    if requester.player != table.opened.by:
        raise Denied("denied", "only the player who opened the table can close it")
    others = [seat for seat in table.seats if seat.player not in (None, requester.player)]
    if table.stage == "playing" and others:
        raise Denied("stage", "others are playing here: close the table before a game or after it")
    return [events.Closed()]


def check_open(table: Table) -> None:
    """Raise `Denied` if the table is closed."""
    if table.stage == "closed":
        raise Denied("stage", "this table is closed")


def check_silence(table: Table) -> None:
    """Raise `Denied` while the game forbids talking, reacting and typing signs."""
    if clause := table.silence:
        raise Denied(
            "silence", "the game forbids talking now: use a gesture, at a card or a place", clause
        )


_DECISIONS: dict[type, Callable[[Table, Requester, Any], list[events.AnyEvent]]] = {
    messages.Sit: _sit,
    messages.Stand: _stand,
    messages.Ready: _ready,
    messages.Play: _play,
    messages.TakeBack: _undo,
    messages.Answer: _answer,
    Advice: _hint,
    messages.Hand: _hand,
    messages.Return: _return,
    messages.Say: _say,
    messages.React: _react,
    messages.Close: _close,
}
