"""The time of this process: wall-clock time at its start, then monotonic.

Somebody may set the machine's clock back. Clocks of players and delays of spectators must not stop
then, so the wall clock is read once, and the store's last heartbeat is never in the future.
"""

from __future__ import annotations

import time


class ProcessClock:
    """Milliseconds since 1970, which never go back."""

    def __init__(self) -> None:
        self._offset_ns = time.time_ns() - time.monotonic_ns()

    def now_ms(self) -> int:
        """The time now."""
        return (time.monotonic_ns() + self._offset_ns) // 1_000_000

    def start_at(self, least_ms: int) -> int:
        """Make the time now at least this. Returns the milliseconds by which it lagged behind."""
        lag = max(0, least_ms - self.now_ms())
        self._offset_ns += lag * 1_000_000
        return lag


#: The clock of this process.
process_clock = ProcessClock()
