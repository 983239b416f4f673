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
from theriac.match import Match
from theriac.sealed_deal import seat_commitment
from theriac.server.store import events
from theriac.server.store.events import now_ms
from theriac.server.tables import dealing, messages
from theriac.server.tables.messages import RefusalCode, Signal, StoredRequest
from theriac.server.tables.table import Table
from theriac.server.typed_text import clean_line, distinct_name

_MOVED_ON = "the table has moved on since what you see: try later"


class Denied(Fault):
    """A request refused for a reason other than the rules of the game."""

    def __init__(self, code: RefusalCode, why: str, clause: str | None = None) -> None:
        super().__init__(why)
        self.code: RefusalCode = code
        self.clause = clause


class Requester(NamedTuple):
    """Who makes a request: a player, seated or not; the seats that are away, not only dropped for
    a moment; the newest version that this player may know of; and whether the operator has muted
    this player. A move depends on none of the last three.
    """

    player: str
    name: str
    away: frozenset[int] = frozenset()
    visible_version: int = 0
    muted: bool = False


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


def decide_for(
    visible: Table, table: Table, requester: Requester, request: StoredRequest | Advice
) -> list[events.AnyEvent]:
    """The same for a requester who sees the table as `visible`, perhaps late; raises `Fault`.

    A refusal then depends only on what the requester sees. That the table has moved on is all that
    a late spectator learns of it.
    """
    if visible is not table:
        if isinstance(request, messages.Say | messages.React):
            check_late_talk(table)
        decide(visible, requester, request)
        try:
            return decide(table, requester, request)
        except Fault:
            raise Denied("stale", _MOVED_ON) from None
    return decide(table, requester, request)


def check_late_talk(table: Table) -> None:
    """Raise `Denied` if a late spectator's words could fall into a silence that they do not see."""
    if "silence" in table.game.rules:
        raise Denied(
            "silence", "spectators who see this table late cannot talk: games may forbid it"
        )


def signal_for_all(
    visible: Table, table: Table, requester: Requester, request: messages.SignalRequest
) -> Signal:
    """The signal that everybody gets, from a requester who sees the table as `visible`, perhaps
    late; raises `Denied`. A refusal depends only on what the requester sees.
    """
    if visible is not table:
        check_late_talk(table)
        signal_for(visible, requester, request)
        try:
            return signal_for(table, requester, request)
        except Denied:
            raise Denied("stale", _MOVED_ON) from None
    return signal_for(table, requester, request)


def signal_for(table: Table, requester: Requester, request: messages.SignalRequest) -> Signal:
    """The signal that everybody gets for a gesture or a typing sign; raises `Denied`."""
    check_open(table)
    check_removed(table, requester)
    seat = table.seat_of(requester.player)
    if isinstance(request, messages.Typing):
        check_silence(table)
        return Signal(_shown_name(table, requester), seat, typing=True)
    if seat is None or not table.game.gestures_in_silence:
        check_silence(table)
    _check_place(table, request.at)
    return Signal(_shown_name(table, requester), seat, gesture=request.sign, at=request.at)


def _check_place(table: Table, at: str | None) -> None:
    """Raise `Denied` unless a gesture points at nothing, a card or a place. Words would be talk."""
    if at is None:
        return
    if table.match is None:
        raise Denied("stage", "no game has begun: make the gesture without `at`")
    if not table.match.settings.text.is_pointable(at):
        raise Denied(
            "denied",
            f"{quote(at)} is no card or place of {table.game.name}: write it as moves do",
            table.silence,
        )


def bot_move(table: Table, seat: int, level: str, move: str) -> list[events.AnyEvent]:
    """The events of a bot's move; raises `Refused`."""
    return [_legal_move(table.current_match, seat, move, level)]


# What happens without a request


def follow_up(table: Table) -> list[events.AnyEvent]:
    """The events that the state of the table itself leads to: a deal is sealed, a game begins or
    ends, an undo is carried out.
    """
    if table.game_is_over:
        return [events.Offered(next_options(table), seal.new_seed().hex())]
    if table.stage != "playing":
        return dealing.follow_up(table)
    if table.undo and set(table.player_seats) <= table.undo.agreed | {table.undo.seat}:
        moves = table.moves_before_undone(table.undo.seat)
        assert moves is not None, "a move since would have ended the request"
        return [events.Undone(moves)]
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
    if table.to_act is None or not table.has_clock:
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
        return [events.Handed(seat, table.opened.stand_in, "time")]
    return []


# Decisions, one per request


def _own_seat(table: Table, requester: Requester) -> int:
    seat = table.seat_of(requester.player)
    if seat is None:
        raise Denied("seat", "you have no seat at this table: take a free seat first")
    return seat


def _seat_in_game(table: Table, requester: Requester) -> int:
    seat = _own_seat(table, requester)
    if table.stage != "playing":
        raise Denied("stage", "no game is being played")
    return seat


def _playing_seat(table: Table, requester: Requester) -> int:
    seat = _seat_in_game(table, requester)
    if table.seats[seat].stand_in:
        raise Denied("seat", "a bot plays for you: return to your seat first")
    return seat


def _find_seat(table: Table, number: int) -> int:
    if number >= len(table.seats):
        raise Denied("seat", f"there is no seat {number}, only 0 to {len(table.seats) - 1}")
    return number


def _call(table: Table, seat: int | None) -> str:
    """A seat in a sentence for people: by its person's name, else by its number, from 1."""
    if seat is None:
        return "nobody"
    return table.seats[seat].name or f"seat {seat + 1}"


def _shown_name(table: Table, requester: Requester) -> str:
    """The requester's name at this table, unlike that of every other player who has a seat."""
    others = [seat.name for seat in table.seats if seat.player not in (None, requester.player)]
    return distinct_name(requester.name, others)


def _check_between_games(table: Table) -> None:
    if table.stage == "playing":
        raise Denied("stage", "the game has begun: you can only watch")
    if table.stage == "sealing":
        raise Denied("stage", "the deal is sealed: wait until it begins or is called off")


def _check_commitment(table: Table, request: messages.Sit | messages.Ready) -> None:
    if request.to != table.commitment:
        raise Denied("stale", "the table has another commitment by now: commit to a nonce again")


def _sit(table: Table, requester: Requester, request: messages.Sit) -> list[events.AnyEvent]:
    number = _find_seat(table, request.seat)
    seat = table.seats[number]
    check_removed(table, requester)
    _check_between_games(table)
    if table.locked and requester.player not in (table.opened.by, seat.player):
        raise Denied("denied", "the player who opened this table has locked it")
    if seat.bot:
        raise Denied("seat", f"a bot has seat {number + 1}: take another")
    if seat.player and seat.player != requester.player:
        raise Denied("seat", f"{_call(table, number)} has this seat: take another")
    _check_commitment(table, request)
    mine = table.seat_of(requester.player)
    moved = [events.Stood(mine)] if mine is not None else []
    name = _shown_name(table, requester)
    sat = events.Sat(requester.player, name, number, commitment=request.commitment)
    return [*moved, sat]


def _stand(table: Table, requester: Requester, request: messages.Stand) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    if table.stage == "playing":
        raise Denied("stage", "the game has begun: you can stand up when it is over")
    return [*_call_off_sealed(table, seat), events.Stood(seat)]


def _ready(table: Table, requester: Requester, request: messages.Ready) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    _check_between_games(table)
    _check_commitment(table, request)
    back = [events.Returned(seat)] if table.seats[seat].stand_in else []
    return [*back, events.Readied(seat, commitment=request.commitment)]


def _reveal(table: Table, requester: Requester, request: messages.Reveal) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    if table.sealed is None or table.stage not in ("sealing", "playing"):
        raise Denied("stage", "no sealed deal waits for nonces")
    if not request.nonce.isprintable():
        raise Denied(
            "denied", "the nonce has characters that cannot be printed: use printable ones"
        )
    committed = table.sealed.commitments[seat]
    if seat_commitment(table.sealed.commitment, seat, request.nonce) != committed:
        raise Denied("denied", "this is not the nonce that your seat committed to: send that one")
    return [events.Revealed(seat, request.nonce)] if seat in table.missing else []


def _call_off(
    table: Table, requester: Requester, request: messages.CallOff
) -> list[events.AnyEvent]:
    seat = _own_seat(table, requester)
    if table.stage != "sealing":
        raise Denied("stage", "no sealed deal waits for nonces")
    waited = table.downtime.uptime_between(table.sealed_at, now_ms())
    if waited < 1000 * dealing.REVEAL_WAIT_S:
        left = dealing.REVEAL_WAIT_S - waited // 1000
        raise Denied("denied", f"others may still reveal their nonces: wait {left} s more")
    missing = [events.Stood(number) for number in table.missing]
    return [*_call_off_sealed(table, seat), *missing]


def _call_off_sealed(table: Table, seat: int) -> list[events.AnyEvent]:
    """The event that calls off a deal that is sealed; none if there is no such deal."""
    return [dealing.call_off(table, seat)] if table.stage == "sealing" else []


def _play(table: Table, requester: Requester, request: messages.Play) -> list[events.AnyEvent]:
    seat = _playing_seat(table, requester)
    match, to_act = table.current_match, table.to_act
    if request.version < table.turn_version:
        raise Denied(
            "stale", f"the position has changed since: it is now version {table.turn_version}"
        )
    if request.version > len(table.log):
        raise Denied("stale", f"the table is only at version {table.version}")
    if request.move == match.clock_move:
        raise Denied("turn", f"{request.move} is the clock's move")
    if seat != to_act and not match.may_act(seat, request.move):
        raise Denied("turn", f"it is {_call(table, to_act)}'s turn")
    return [_legal_move(match, seat, request.move)]


def _legal_move(match: Match, seat: int, move: str, bot: str | None = None) -> events.Moved:
    if refused := match.refusal(move, seat):
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
    seat = _seat_in_game(table, requester)  # players with a stand-in are asked, too
    if table.undo is None or table.undo.seat == seat:
        raise Denied("denied", "no other player has asked to take a move back")
    return [events.UndoAnswered(seat, request.agree)]


def _hand(table: Table, requester: Requester, request: messages.Hand) -> list[events.AnyEvent]:
    number = _find_seat(table, request.seat)
    level = request.level or table.opened.stand_in
    if level not in LEVELS:
        raise Denied("denied", f"level {quote(level)}: use {listed(list(LEVELS))}")
    seat = table.seats[number]
    if seat.level:
        raise Denied("seat", f"a bot already plays for {_call(table, number)}")
    if seat.player is None:
        if requester.player != table.opened.by:
            raise Denied("denied", "only the player who opened this table can give a seat to a bot")
        return [events.Handed(number, level, "opener")]
    mine = table.seat_of(requester.player)
    if mine is None:
        raise Denied("seat", "only seated players can let a bot play for another")
    if level != table.opened.stand_in:
        raise Denied(
            "denied",
            f"the bots that play for absent players here are {table.opened.stand_in}: "
            "leave the level out",
        )
    if table.stage == "sealing" and number not in table.missing:
        raise Denied("stage", "the deal is sealed and this seat has revealed its nonce")
    if seat.player == requester.player or number not in requester.away:
        raise Denied("denied", f"{seat.name} is at the table, or left only a moment ago: wait")
    return [*_call_off_sealed(table, mine), events.Handed(number, level)]


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
    check_removed(table, requester)
    check_silence(table)
    try:
        text = clean_line(request.text)
    except Fault as fault:
        raise Denied("denied", str(fault)) from None
    return [events.Said(_shown_name(table, requester), text, table.seat_of(requester.player))]


def _react(table: Table, requester: Requester, request: messages.React) -> list[events.AnyEvent]:
    check_removed(table, requester)
    check_silence(table)
    if not 0 < request.to <= requester.visible_version:
        raise Denied("denied", f"there is no event {request.to} to react to")
    seat = table.seat_of(requester.player)
    return [events.Reacted(_shown_name(table, requester), request.to, request.sign, seat)]


def _remove(table: Table, requester: Requester, request: messages.Remove) -> list[events.AnyEvent]:
    number = _find_seat(table, request.seat)
    _check_opener(table, requester, "remove somebody")
    if table.seats[number].bot is not None and table.stage == "gathering":
        if table.deal_of is not None:
            raise Denied("denied", "who knows the cards plays alone: no bot can be removed here")
        return [events.Removed(number, "opener")]
    if table.seats[number].player in (None, requester.player):
        raise Denied("seat", f"no other person has seat {number + 1}: choose the seat of one")
    level = table.opened.stand_in if table.stage == "playing" else None
    return [events.Removed(number, "opener", level)]


def _lock(table: Table, requester: Requester, request: messages.Lock) -> list[events.AnyEvent]:
    _check_opener(table, requester, "lock it")
    return [] if table.locked == request.locked else [events.Locked(request.locked)]


def _check_opener(table: Table, requester: Requester, what: str) -> None:
    if requester.player != table.opened.by:
        raise Denied("denied", f"only the player who opened the table can {what}")


def _close(table: Table, requester: Requester, request: messages.Close) -> list[events.AnyEvent]:
    _check_opener(table, requester, "close it")
    others = [seat for seat in table.seats if seat.player not in (None, requester.player)]
    if table.stage == "playing" and others:
        raise Denied("stage", "others are playing here: close the table before a game or after it")
    return [events.Closed()]


def check_open(table: Table) -> None:
    """Raise `Denied` if the table is closed."""
    if table.stage == "closed":
        raise Denied("stage", "this table is closed")


def check_removed(table: Table, requester: Requester) -> None:
    """Raise `Denied` for a player who was removed from this table."""
    if requester.player in table.removed:
        raise Denied("denied", "you were removed from this table: you can only watch")


def check_silence(table: Table) -> None:
    """Raise `Denied` while the game forbids talking, reacting and typing signs."""
    if clause := table.silence:
        why = "the game forbids talking now"
        if table.game.gestures_in_silence:
            why += ": players may use a gesture, at a card or a place"
        raise Denied("silence", why, clause)


_DECISIONS: dict[type, Callable[[Table, Requester, Any], list[events.AnyEvent]]] = {
    messages.Sit: _sit,
    messages.Stand: _stand,
    messages.Ready: _ready,
    messages.Reveal: _reveal,
    messages.CallOff: _call_off,
    messages.Play: _play,
    messages.TakeBack: _undo,
    messages.Answer: _answer,
    Advice: _hint,
    messages.Hand: _hand,
    messages.Return: _return,
    messages.Say: _say,
    messages.React: _react,
    messages.Remove: _remove,
    messages.Lock: _lock,
    messages.Close: _close,
}
