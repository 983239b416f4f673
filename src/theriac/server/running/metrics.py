"""Numbers for Prometheus: tables, moves, how long things take."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_FAST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """What is counted."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.rooms = Gauge("theriac_tables_in_memory", "Tables in memory", registry=own)
        self.sockets = Gauge("theriac_sockets", "Open sockets", registry=own)
        self.moves = Counter("theriac_moves", "Moves made", ["game"], registry=own)
        self.refused = Counter("theriac_refused", "Requests refused", ["code"], registry=own)
        self.request_seconds = self._times("theriac_request_seconds", "From request to answer")
        self.append_seconds = self._times("theriac_append_seconds", "Until events are on disk")
        self.lag_seconds = self._times("theriac_loop_lag_seconds", "How late the event loop is")
        self.longest_lag = Gauge(
            "theriac_loop_longest_lag_seconds", "The same, at most since last asked", registry=own
        )
        self.longest_work = Gauge(
            "theriac_loop_longest_work_seconds",
            "How much of it the process worked itself, at most since last asked",
            registry=own,
        )
        self.bot_seconds = self._times("theriac_bot_seconds", "Until a bot answers", "level")

    def _times(self, name: str, told: str, *labels: str) -> Histogram:
        return Histogram(name, told, labels, buckets=_FAST, registry=self.registry)

    def told(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self.registry)
