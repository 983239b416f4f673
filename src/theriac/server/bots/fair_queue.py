"""A fair queue: who has used the least time comes first.

Each person has an account of the seconds that bots have thought for them. The queue serves the
person whose account would be lowest after the request (weighted fair queuing: Demers, Keshav and
Shenker, 1989). So a person with one quick bot does not wait for another's fifty slow ones, and many
new people who ask for slow bots do not delay a quick one either. A person who comes back starts
from the account of the person served last: nobody saves time up.

Tables where a person plays come before tables that somebody watches, and those before the others.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, deque
from dataclasses import dataclass
from enum import IntEnum
from operator import itemgetter
from typing import Generic, TypeVar

T = TypeVar("T")

#: How many accounts are kept of people who wait for nothing.
MAX_ACCOUNTS = 10_000


class Urgency(IntEnum):
    """Who waits for the answer. The lowest is served first."""

    PLAYED = 0
    WATCHED = 1
    ALONE = 2


@dataclass(eq=False)
class Waiting(Generic[T]):
    """A request in the queue: whose it is, and how many seconds it is expected to take."""

    item: T
    person: str
    urgency: Urgency
    cost_s: float
    #: How many requests came before it.
    number: int
    served: bool = False


class FairQueue(Generic[T]):
    """Requests of people, served by how much time each has used.

    >>> queue = FairQueue[str]()
    >>> for number in range(3):
    ...     _ = queue.put(f"slow {number}", "ana", Urgency.PLAYED, 1.0)
    >>> _ = queue.put("quick", "bo", Urgency.PLAYED, 0.1)
    >>> [queue.get().item for _ in range(4)]
    ['quick', 'slow 0', 'slow 1', 'slow 2']
    """

    def __init__(self) -> None:
        #: For each urgency: the requests of each person in order, a heap of the people by what
        #: their account would be after their next request, and who is in the heap. An entry of the
        #: heap may be outdated.
        self._lines: dict[Urgency, dict[str, deque[Waiting[T]]]] = {u: {} for u in Urgency}
        self._heaps: dict[Urgency, list[tuple[float, int, str]]] = {u: [] for u in Urgency}
        self._in_heap: dict[Urgency, set[str]] = {u: set() for u in Urgency}
        self._accounts: dict[str, float] = {}
        self._served_account = 0.0
        self._waiting: Counter[str] = Counter()
        self._numbers = itertools.count()

    def __len__(self) -> int:
        return self._waiting.total()

    def length(self, urgency: Urgency) -> int:
        """The number of requests of an urgency."""
        return sum(map(len, self._lines[urgency].values()))

    def place(self, waiting: Waiting[T]) -> int:
        """The place of a request among those of its urgency that wait, from 1.

        A later request of somebody for whom less time was used may come before it.

        >>> queue = FairQueue[str]()
        >>> first, second = (queue.put(each, "ana", Urgency.ALONE, 1.0) for each in "ab")
        >>> other = queue.put("c", "bo", Urgency.ALONE, 1.0)
        >>> queue.place(first), queue.place(other), queue.place(second)
        (1, 2, 3)
        """
        turns = []
        for person, line in self._lines[waiting.urgency].items():
            account = self._accounts[person]
            for each in line:
                account += each.cost_s
                turns.append((account, each.number, each))
        return [each for *_, each in sorted(turns, key=itemgetter(0, 1))].index(waiting) + 1

    def put(self, item: T, person: str, urgency: Urgency, cost_s: float) -> Waiting[T]:
        """Add a request."""
        if not self._waiting[person]:
            account = max(self._accounts.pop(person, 0.0), self._served_account)
            self._accounts[person] = account
            self._forget_idle()
        waiting = Waiting(item, person, urgency, cost_s, next(self._numbers))
        self._waiting[person] += 1
        self._enqueue(waiting)
        return waiting

    def _enqueue(self, waiting: Waiting[T]) -> None:
        line = self._lines[waiting.urgency].setdefault(waiting.person, deque())
        line.append(waiting)
        self._push(line[0])

    def _push(self, first: Waiting[T]) -> None:
        """Put a person into the heap, if they are not in it."""
        if first.person not in self._in_heap[first.urgency]:
            self._in_heap[first.urgency].add(first.person)
            entry = (self._account_after(first), next(self._numbers), first.person)
            heapq.heappush(self._heaps[first.urgency], entry)

    def _pop(self, urgency: Urgency) -> tuple[float, str]:
        """Take the first person out of the heap."""
        account_after, _, person = heapq.heappop(self._heaps[urgency])
        self._in_heap[urgency].discard(person)
        return account_after, person

    def _account_after(self, waiting: Waiting[T]) -> float:
        return self._accounts[waiting.person] + waiting.cost_s

    def get(self) -> Waiting[T] | None:
        """Take the next request, and charge what it is expected to cost; None if there is none."""
        for urgency in Urgency:
            waiting = self._first(urgency)
            if waiting is not None:
                person = waiting.person
                self._take_out(waiting)
                self._served_account = max(self._served_account, self._accounts[person])
                self._accounts[person] += waiting.cost_s
                waiting.served = True
                if person in self._lines[urgency]:
                    self._push(self._lines[urgency][person][0])
                return waiting
        return None

    def _first(self, urgency: Urgency) -> Waiting[T] | None:
        """The first request of an urgency; its person leaves the heap."""
        lines = self._lines[urgency]
        while self._heaps[urgency]:
            account_after, person = self._pop(urgency)
            if person not in lines:
                continue
            first = lines[person][0]
            if self._account_after(first) <= account_after:
                return first
            self._push(first)  # the entry was outdated
        return None

    def _take_out(self, waiting: Waiting[T]) -> None:
        line = self._lines[waiting.urgency][waiting.person]
        line.remove(waiting)
        if not line:
            del self._lines[waiting.urgency][waiting.person]
        self._waiting[waiting.person] -= 1
        if not self._waiting[waiting.person]:
            del self._waiting[waiting.person]

    def remove(self, waiting: Waiting[T]) -> None:
        """Take a request out that nobody waits for any more, unless it has been served."""
        if not waiting.served:
            self._take_out(waiting)

    def promote(self, waiting: Waiting[T], urgency: Urgency) -> None:
        """Somebody has come to the table: the request is more urgent."""
        if urgency < waiting.urgency and not waiting.served:
            self._take_out(waiting)
            waiting.urgency = urgency
            self._waiting[waiting.person] += 1
            self._enqueue(waiting)

    def charge(self, waiting: Waiting[T], cost_s: float) -> None:
        """A request has been served and took so long: put right what was charged for it."""
        if waiting.person in self._accounts:
            self._accounts[waiting.person] += cost_s - waiting.cost_s

    def _forget_idle(self) -> None:
        """Drop the oldest accounts of people who wait for nothing."""
        if len(self._accounts) > MAX_ACCOUNTS:
            idle = [person for person in self._accounts if not self._waiting[person]]
            for person in idle[: len(idle) // 2]:
                del self._accounts[person]
