"""What a request refers to, whether the log is too full for it, and replies to it."""

from __future__ import annotations

from theriac.server.limits import Limits
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Denied, Requester
from theriac.server.tables.messages import Refusal, Reply, StoredRequest
from theriac.server.tables.table import Table

#: Requests that are carried out although the log of the table is full.
_FOR_A_FULL_LOG = (
    messages.Play,
    messages.Answer,
    messages.Return,
    messages.Stand,
    messages.Close,
)


def check_log(table: Table, request: StoredRequest | Advice, limits: Limits) -> None:
    """Refuse what a full log does not take: a game in play can be finished, no more."""
    if table.log_bytes > limits.log_bytes and not isinstance(request, _FOR_A_FULL_LOG):
        raise Denied("stage", "the log of this table is full: open another table")


def version_seen(request: StoredRequest | Advice) -> int | None:
    """The version that a request refers to, if it names one."""
    if isinstance(request, messages.Play):
        return request.version
    return request.to if isinstance(request, messages.React) else None


def idempotency_key(requester: Requester, request: StoredRequest | Advice) -> str:
    """Identifies a request: sent twice, it takes effect once."""
    return f"{requester.player}:{request.id}"


def refused(
    request_id: str, code: messages.RefusalCode, why: str, clause: str | None = None
) -> Reply:
    """The reply to a request that was refused."""
    return Reply(request_id, refused=Refusal(code, why, clause))


def clip_version(reply: Reply, visible: Table) -> Reply:
    """The reply with no newer version than the requester may see."""
    if reply.version is None:
        return reply
    return Reply(reply.id, min(reply.version, visible.version))
