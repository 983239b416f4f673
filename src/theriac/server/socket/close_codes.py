"""Why the server closes a socket: one code for each reason (docs/wire.md lists them)."""

from __future__ import annotations

from enum import IntEnum

#: The standard code of a service that restarts: come back at once.
COME_BACK = 1012


class CloseCode(IntEnum):
    """The close codes of a table's socket. After the first four it is no use to reconnect."""

    UNKNOWN_KEY = 4401
    REFUSED = 4403
    NO_TABLE = 4404
    NO_HELLO = 4408
    TOO_MANY = 4429
    TOO_SLOW = 4430
    UNAVAILABLE = 4503
