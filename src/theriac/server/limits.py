"""All limits of the server, in one place. `theriac serve --limit NAME=VALUE` changes one.

A *player* is who shows a key. An *address* is where a request comes from: an IPv4 address, or the
first 64 bits of an IPv6 address, which is what one home or company gets.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from theriac.faults import Fault, listed, quote

#: The largest value of a limit: any timer can wait for that number of seconds.
LARGEST = 10**12


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What players, addresses and all together may use of a server.

    A pair of `_rate` and `_burst` is a token bucket: the number per second in the long run, and the
    number at once.
    """

    # Requests
    #: Messages over sockets and requests to tables over HTTP, together, per player.
    player_rate: float = 10
    player_burst: float = 40
    #: Messages over sockets, per address: those of all its players and spectators.
    message_rate: float = 200
    message_burst: float = 1000
    #: Requests to the API, per address. Many people, such as a class, may share an address.
    api_rate: float = 50
    api_burst: float = 500
    #: Files of the page, per address.
    file_rate: float = 200
    file_burst: float = 2000
    #: New players and tables, per address.
    creation_rate: float = 0.5
    creation_burst: float = 60
    #: Tables that are loaded from the store, per address.
    load_rate: float = 5
    load_burst: float = 200
    #: Exports of everything about a player, per player: each may take many megabytes.
    export_rate: float = 0.02
    export_burst: float = 3
    #: Deletions of a player by themselves, per address: those who sit with them must connect again.
    deletion_rate: float = 0.02
    deletion_burst: float = 10
    #: Reports to the operator, per address: each has a copy of the table.
    report_rate: float = 0.05
    report_burst: float = 20
    #: Tries in tutorials, previews, checks of decks and shuffles, replays, per address.
    tutorial_rate: float = 10
    tutorial_burst: float = 200

    # Connections
    #: Open connections, over HTTP and sockets.
    connections: int = 50_000
    connections_per_address: int = 400
    #: New connections, per address.
    connection_rate: float = 40
    connection_burst: float = 200
    #: Open sockets.
    sockets_per_address: int = 200
    sockets_per_player: int = 50
    #: How long a client may take to send a request, and a socket to say hello, in seconds.
    request_timeout_s: float = 20
    hello_timeout_s: float = 10
    #: How long a connection may stay open between two requests, in seconds.
    idle_timeout_s: int = 5
    #: How long a client may read nothing of what is sent to it, in seconds.
    stalled_timeout_s: float = 20
    #: The bytes of the head of a request: its address and its headers.
    head_bytes: int = 32 * 1024

    # Memory
    #: The bytes queued for one socket, and for all sockets together.
    queue_bytes: int = 512 * 1024
    all_queue_bytes: int = 256 * 1024 * 1024
    #: A page of a table's history: its events, and their bytes. It has at least one event.
    page_events: int = 500
    page_bytes: int = 128 * 1024
    #: The bytes of a table's log after which nobody talks there and no game begins.
    log_bytes: int = 4 * 1024 * 1024
    #: The bytes of the logs of all tables in memory. The second half is for short logs.
    all_log_bytes: int = 512 * 1024 * 1024
    short_log_bytes: int = 128 * 1024
    #: Tables in memory.
    tables: int = 20_000
    #: Words, reactions, gestures and typing signs at a table: of those with a seat, and of all
    #: others. Each goes to every socket at the table.
    talk_rate: float = 20
    talk_burst: float = 200
    #: Gestures and changes of presence that wait for the delayed spectators of a table.
    delayed_signals: int = 200
    #: Replies kept for copies of requests that left nothing in a log: to one player, and in all.
    unlogged_replies_per_player: int = 40
    unlogged_replies: int = 20_000

    # Bots
    #: Tables in play where only bots play: opened by one player, and on the server.
    bot_tables_per_player: int = 10
    bot_tables: int = 200
    #: The seconds that the bots of a table may think: per second in the long run, and at once.
    bot_share: float = 0.5
    bot_burst_s: float = 60
    #: Hints, per player: one is a second of thinking.
    hint_rate: float = 0.2
    hint_burst: float = 8
    #: Hints that a player may wait for.
    hints_at_once: int = 4

    # Reviews
    #: Reviews that are begun: per player, and per address.
    review_rate: float = 0.02
    review_burst: float = 10
    review_address_rate: float = 0.1
    review_address_burst: float = 50
    #: Reviews that one player may wait for, and all together.
    reviews_per_player: int = 3
    reviews: int = 200
    #: Processes that review games; each has the lowest priority.
    review_processes: int = 1
    #: The playouts of a review, and the seconds of processor time before its process is killed.
    review_playouts: int = 800_000
    review_timeout_s: float = 300
    #: Reviews of sent records in memory.
    reviews_in_memory: int = 100

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not 0 < value <= LARGEST:
                raise Fault(f"limit {field.name}: {value} is not above 0 and at most {LARGEST}")
        if self.all_log_bytes < 4 * self.log_bytes:
            raise Fault(
                f"limit all_log_bytes: {self.all_log_bytes} is less than four times log_bytes: "
                f"give at least {4 * self.log_bytes}"
            )


DEFAULT_LIMITS = Limits()


class LimitInfo(NamedTuple):
    """A limit that an operator may change: its name, the type of its values, its default."""

    name: str
    type: type[int] | type[float]
    default: float


def all_limits() -> list[LimitInfo]:
    """Every limit."""
    types: dict[str, type[int] | type[float]] = {"int": int, "float": float}
    defaults = dataclasses.asdict(DEFAULT_LIMITS)
    return [
        LimitInfo(field.name, types[str(field.type)], defaults[field.name])
        for field in dataclasses.fields(Limits)
    ]


def limits_from(values: Mapping[str, Any]) -> Limits:
    """The limits with some of them changed; raises `Fault` for a wrong name or value."""
    known = {limit.name: limit for limit in all_limits()}
    for name, value in values.items():
        if name not in known:
            raise Fault(f"limit {quote(name)}: use {listed(sorted(known))}")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or known[name].type(value) != value:
            kind = "a whole number" if known[name].type is int else "a number"
            raise Fault(f"limit {name}: {quote(value)} is not {kind}")
    changes: dict[str, Any] = {name: known[name].type(value) for name, value in values.items()}
    return Limits(**changes)


def parse_limits(texts: Iterable[str]) -> Limits:
    """The limits changed by texts such as `bot_tables=50`; raises `Fault`.

    >>> parse_limits(["bot_tables=50", "bot_share=0.25"]).bot_tables
    50
    """
    return limits_from(dict(_parse(text) for text in texts))


def _parse(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not equals or number != number or number in (float("inf"), float("-inf")):
        raise Fault(f"--limit {quote(text)}: give a name and a number, such as bot_tables=50")
    return name, number
