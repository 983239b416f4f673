"""Replies to requests that left nothing in the log: refusals, and requests that changed nothing.

A client that waits too long for a reply sends its request again, and the first copy may still be on
its way. The log gives all copies of a request that took effect the same reply. Here are the others:
without them a second copy would be decided again, and could take effect although the first was
refused.

Only this process remembers them. That is enough for a process that is killed: a client that has the
reply sends no more copies, and those that were on their way to it are gone.
"""

from __future__ import annotations

from theriac.server.limits import Limits
from theriac.server.tables.messages import Reply


class UnloggedReplies:
    """The last replies to each player, and of them those to the players who asked last."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.unlogged_replies
        self._most_of_player = limits.unlogged_replies_per_player
        self._count = 0
        #: By player, then by table and idempotency key; what was used last comes last.
        self._replies: dict[str, dict[tuple[str, str], Reply]] = {}

    def get(self, player: str, table: str, key: str) -> Reply | None:
        """The reply to an earlier copy of a request, if there was one."""
        return self._replies.get(player, {}).get((table, key))

    def add(self, player: str, table: str, key: str, reply: Reply) -> Reply:
        """Remember a reply, and return it."""
        own = self._replies.pop(player, {})
        self._replies[player] = own
        self._count -= len(own)
        own[table, key] = reply
        if len(own) > self._most_of_player:
            del own[next(iter(own))]
        self._count += len(own)
        while self._count > self._most:
            self._count -= len(self._replies.pop(next(iter(self._replies))))
        return reply
