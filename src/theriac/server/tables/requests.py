"""What a request refers to, whether its player or the log is closed to it, and replies to it."""

from __future__ import annotations

from theriac.faults import Refused
from theriac.server.limits import Limits
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Denied, Requester
from theriac.server.tables.loaded import LoadedTables
from theriac.server.tables.messages import Refusal, Reply, StoredRequest, TableRequest
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

#: Requests that are carried out although the log of the table is full, as moves are.
_FOR_A_FULL_LOG = (
    messages.Answer,
    messages.Return,
    messages.Stand,
    messages.Close,
)


def check_log(
    table: Table,
    requester: Requester,
    request: StoredRequest | Advice,
    limits: Limits,
    tables: LoadedTables,
) -> None:
    """Refuse what a full log does not take, nor a long one when the memory is nearly full: a game
    in play can be finished, no more. Words of people without a seat may fill only half of it.
    """
    if isinstance(request, _FOR_A_FULL_LOG):
        return
    half_full = 2 * table.log_bytes > limits.log_bytes
    if half_full and isinstance(request, messages.Talk) and table.seat_of(requester.player) is None:
        raise Denied("stage", "half of this table's log is full: only its players can talk now")
    if tables.can_grow(table.log_bytes):
        return
    if table.log_bytes > limits.log_bytes:
        raise Denied("stage", "the log of this table is full: open another table")
    if table.log_bytes > limits.short_log_bytes:
        raise Denied(
            "stage",
            "the memory of this server is nearly full, and the log of this table is long: "
            "open another table",
        )
    raise Denied("stage", "the memory of this server is full: try again in a moment")


def check_muted(requester: Requester, request: TableRequest | Advice) -> None:
    """Refuse the talk of a player whom the operator has muted."""
    if requester.muted and isinstance(request, messages.Talk):
        raise Denied("denied", "the operator of this server has muted you")


def check_talk(session: TableSession, requester: Requester, request: TableRequest | Advice) -> None:
    """Refuse talk where there is too much of it: every socket at the table gets it."""
    if isinstance(request, messages.Talk) and not session.may_talk(requester.player):
        raise Denied("rate", "there is too much talk at this table: wait a moment")


def version_seen(request: StoredRequest | Advice) -> int:
    """The version that a request refers to; 0 if it names none."""
    if isinstance(request, messages.Play):
        return request.version
    return request.to if isinstance(request, messages.React) else 0


def idempotency_key(requester: Requester, request_id: str) -> str:
    """Identifies a request: sent twice, it takes effect once."""
    return f"{requester.player}:{request_id}"


def refused(
    request_id: str, code: messages.RefusalCode, why: str, clause: str | None = None
) -> Reply:
    """The reply to a request that was refused."""
    return Reply(request_id, refused=Refusal(code, why, clause))


def refusal_of(request_id: str, fault: Refused | Denied) -> Reply:
    """The reply to a request that the rules or the table forbid."""
    if isinstance(fault, Denied):
        return refused(request_id, fault.code, str(fault), fault.clause)
    return refused(request_id, "illegal", fault.why, fault.clause)


def clip_version(reply: Reply, visible: Table) -> Reply:
    """The reply with no newer version than the requester may see."""
    if reply.version is None:
        return reply
    return Reply(reply.id, min(reply.version, visible.version))
