"""What may be done at a table, and what happens then: from a request to events, or a refusal.

Every function here only reads the room: it changes when its events are applied, and they are
applied when the store has them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from theriac import seal
from theriac.bots import LEVELS
from theriac.faults import Fault, listed, quote
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.messages import RefusalCode
from theriac.server.tables.table import BOT_NONCE, Room

#: A place of a table: its two coordinates.
#: What a bot plays as for whoever runs out of time.
TIME_LEVEL = "medium"


class Denied(Fault):
    """A request that is refused for another reason than the rules of the game."""

    def __init__(self, code: RefusalCode, why: str, clause: str | None = None) -> None:
        super().__init__(why)
        self.code: RefusalCode = code
        self.clause = clause


class Asker(NamedTuple):
    """Who asks: a person with a name, seated or not; which seats are at the table now; and the
    version that this person has been told of.
    """

    player: str
    name: str
    present: frozenset[int]
    told: int


class Advice(NamedTuple):
    """What a bot has advised, in the position of this version, to who asked with this id."""

    id: str
    version: int
    move: str


def now_ms() -> int:
    """The time for the log."""
    return time.time_ns() // 1_000_000


def decide(room: Room, asker: Asker, request: Any) -> list[events.AnyEvent]:
    """The events that a request leads to; raises `Fault`."""
    check_open(room)
    return _DECISIONS[type(request)](room, asker, request)


def pass_on(room: Room, asker: Asker, request: messages.Passing) -> messages.Signal:
    """What everybody is told of a gesture, or of somebody who types; raises `Denied`."""
    check_open(room)
    seat = room.seat_of(asker.player)
    if isinstance(request, messages.Typing):
        check_silence(room)
        return messages.Signal(asker.name, seat, typing=True)
    if seat is None or not points(room, request.at):
        check_silence(room)
    return messages.Signal(asker.name, seat, gesture=request.sign, at=request.at)


def points(room: Room, at: str | None) -> bool:
    """Does a gesture point at nothing, a card or a place? Words would be talk."""
    if at is None or room.table is None:
        return True
    return room.table.settings.text.is_pointable(at)


def follow(room: Room) -> list[events.AnyEvent]:
    """What happens by itself as the room now is."""
    if room.stage == "playing" and room.playing.over:
        return [events.Offered(next_options(room), seal.new_seed().hex())]
    if room.stage in ("gathering", "over") and not any(seat.waiting for seat in room.seats):
        if any(seat.nonce for seat in room.seats):
            return [events.Begun([seat.nonce or BOT_NONCE for seat in room.seats])]
        if room.stage == "gathering":  # only bots
            return [events.Begun([BOT_NONCE for _ in room.seats])]
    if room.undo and set(room.persons) <= room.undo.agreed | {room.undo.seat}:
        return [events.Undone(len(room.playing.moves) - 1)]
    return []


def next_options(room: Room) -> dict[str, Any]:
    """What is played after this game: the same again, or the next part of an adventure."""
    given = dict(room.options)
    if not room.opened.adventure or not room.playing.winners():
        return given
    parts = room.game.adventure
    assert parts is not None
    following = parts.next_part(given, room.playing.view()["table"])
    return dict(room.opened.options) if following is None else dict(following)


# Decisions, one a request


def _own_seat(room: Room, asker: Asker) -> int:
    seat = room.seat_of(asker.player)
    if seat is None:
        raise Denied("seat", "you have no seat at this table: take a free one first")
    return seat


def _playing_seat(room: Room, asker: Asker) -> int:
    seat = _own_seat(room, asker)
    if room.stage != "playing":
        raise Denied("stage", "no game is being played")
    if room.seats[seat].stand_in:
        raise Denied("seat", "a bot plays for you: return to your seat first")
    return seat


def _find_seat(room: Room, number: int) -> int:
    if number >= len(room.seats):
        raise Denied("seat", f"there is no seat {number}, only 0 to {len(room.seats) - 1}")
    return number


def _nonce(nonce: str) -> str:
    if not nonce.isprintable():
        raise Denied("denied", "a nonce must be of characters that print")
    return nonce


def _sit(room: Room, asker: Asker, request: messages.Sit) -> list[events.AnyEvent]:
    number = _find_seat(room, request.seat)
    seat = room.seats[number]
    if room.stage == "playing":
        raise Denied("stage", "the game has begun: you can only watch")
    if seat.bot:
        raise Denied("seat", f"seat {number} is a bot's")
    if seat.player and seat.player != asker.player:
        raise Denied("seat", f"seat {number} is taken")
    mine = room.seat_of(asker.player)
    moved = [events.Stood(mine)] if mine is not None else []
    return [*moved, events.Sat(asker.player, asker.name, number, _nonce(request.nonce))]


def _stand(room: Room, asker: Asker, request: messages.Stand) -> list[events.AnyEvent]:
    seat = _own_seat(room, asker)
    if room.stage == "playing":
        raise Denied("stage", "the game has begun: others can let a bot play while you are away")
    return [events.Stood(seat)]


def _ready(room: Room, asker: Asker, request: messages.Ready) -> list[events.AnyEvent]:
    seat = _own_seat(room, asker)
    if room.stage != "over":
        raise Denied("stage", "no game has just ended")
    back = [events.Returned(seat)] if room.seats[seat].stand_in else []
    return [*back, events.Readied(seat, _nonce(request.nonce))]


def _play(room: Room, asker: Asker, request: messages.Play) -> list[events.AnyEvent]:
    seat = _playing_seat(room, asker)
    if request.version < room.turn_version:
        raise Denied("stale", f"the table has moved on to version {room.turn_version}: look again")
    if request.version > room.version:
        raise Denied("stale", f"the table is only at version {room.version}")
    if request.move == room.playing.clock_move:
        raise Denied("turn", f"{request.move} is the clock's move")
    if not room.playing.may_act(seat, request.move):
        raise Denied("turn", f"it is seat {room.to_act}'s turn")
    return [_legal_move(room, seat, request.move)]


def move_for_bot(room: Room, seat: int, level: str, move: str) -> list[events.AnyEvent]:
    """The events of a bot's move; raises `Refused`."""
    return [_legal_move(room, seat, move, level)]


def _legal_move(room: Room, seat: int, move: str, bot: str | None = None) -> events.Moved:
    if refused := room.playing.refusal(move, seat):
        raise refused
    return events.Moved(seat, move, bot)


def hint_seat(room: Room, asker: Asker) -> int:
    """The seat of whoever may have a hint now; raises `Denied`."""
    if not room.opened.hints:
        raise Denied("denied", "hints are off at this table")
    seat = _playing_seat(room, asker)
    if room.to_act != seat:
        raise Denied("turn", "a hint is for your own turn: it is another's")
    return seat


def _hint(room: Room, asker: Asker, advice: Advice) -> list[events.AnyEvent]:
    seat = hint_seat(room, asker)
    if room.turn_version != advice.version:
        raise Denied("stale", "the table has moved on while the bot thought")
    return [] if room.hint else [events.Hinted(seat, advice.move)]


def _undo(room: Room, asker: Asker, request: messages.TakeBack) -> list[events.AnyEvent]:
    seat = _playing_seat(room, asker)
    if why := room.undo_fault(seat):
        raise Denied("denied", f"this cannot be taken back: {why}")
    return [events.UndoAsked(seat)]


def _answer(room: Room, asker: Asker, request: messages.Answer) -> list[events.AnyEvent]:
    seat = _playing_seat(room, asker)
    if room.undo is None or room.undo.seat == seat:
        raise Denied("denied", "nobody else asks to take a move back")
    return [events.UndoAnswered(seat, request.agree)]


def _hand(room: Room, asker: Asker, request: messages.Hand) -> list[events.AnyEvent]:
    number = _find_seat(room, request.seat)
    if request.level not in LEVELS:
        raise Denied("denied", f"level {quote(request.level)}: use {listed(list(LEVELS))}")
    seat = room.seats[number]
    if seat.level:
        raise Denied("seat", f"a bot already plays for seat {number}")
    if seat.player is None:
        if asker.player != room.opened.by:
            raise Denied("denied", "only who opened the table gives an empty seat to a bot")
        return [events.Handed(number, request.level, "opener")]
    if room.seat_of(asker.player) is None:
        raise Denied("seat", "only those who play can let a bot play for another")
    if seat.player == asker.player or number in asker.present:
        raise Denied("denied", f"{seat.name} is at the table")
    return [events.Handed(number, request.level)]


def _return(room: Room, asker: Asker, request: messages.Return) -> list[events.AnyEvent]:
    number = _own_seat(room, asker)
    seat = room.seats[number]
    if not seat.stand_in:
        raise Denied("seat", "you play for yourself already")
    clock = room.opened.clock
    if seat.out_of_time and room.stage == "playing" and clock and clock.per == "game":
        raise Denied("denied", "your time for this game is used up: the bot plays to its end")
    return [events.Returned(number)]


def _say(room: Room, asker: Asker, request: messages.Say) -> list[events.AnyEvent]:
    check_silence(room)
    text = " ".join(request.text.split())
    if not text or not text.isprintable():
        raise Denied("denied", "say something in letters that print")
    return [events.Said(asker.name, text, room.seat_of(asker.player))]


def _react(room: Room, asker: Asker, request: messages.React) -> list[events.AnyEvent]:
    check_silence(room)
    if not 0 < request.to <= asker.told:
        raise Denied("denied", f"there is no event {request.to} to react to")
    return [events.Reacted(asker.name, request.to, request.sign, room.seat_of(asker.player))]


def _close(room: Room, asker: Asker, request: messages.Close) -> list[events.AnyEvent]:
    if asker.player != room.opened.by:
        raise Denied("denied", "only who opened the table closes it")
    others = [seat for seat in room.seats if seat.player not in (None, asker.player)]
    if room.stage == "playing" and others:
        raise Denied("stage", "others play here: a table is closed before a game or after it")
    return [events.Closed()]


def check_open(room: Room) -> None:
    """Nothing happens at a closed table."""
    if room.stage == "closed":
        raise Denied("stage", "this table is closed")


def check_silence(room: Room) -> None:
    """Talking, reacting and typing signs rest while the game asks for silence."""
    if clause := room.silence:
        raise Denied(
            "silence",
            "the table is silent: only gestures are allowed, at a card or a place",
            clause,
        )


_DECISIONS: dict[type, Callable[[Room, Asker, Any], list[events.AnyEvent]]] = {
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
