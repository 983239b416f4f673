"""Metrics for Prometheus: tables, moves, latencies, and how late the event loop runs."""

from __future__ import annotations

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_LATENCY_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_REVIEW_BUCKETS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
#: How often the lag of the event loop is measured, in seconds. A shorter block can be missed.
LAG_INTERVAL_S = 0.02


class Metrics:
    """All metrics of the process."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.tables = Gauge("theriac_tables_in_memory", "Tables in memory", registry=own)
        self.sockets = Gauge("theriac_sockets", "Open sockets", registry=own)
        self.moves = Counter("theriac_moves", "Moves made", ["game"], registry=own)
        self.refused = Counter("theriac_refused", "Requests refused", ["code"], registry=own)
        self.request_seconds = self._histogram("theriac_request_seconds", "From request to reply")
        self.append_seconds = self._histogram("theriac_append_seconds", "Until events are on disk")
        self.lag_seconds = self._histogram(
            "theriac_loop_lag_seconds", "How late the event loop runs its timers"
        )
        self.longest_lag = Gauge(
            "theriac_loop_longest_lag_seconds",
            "The longest lag since the last scrape",
            registry=own,
        )
        self.longest_work = Gauge(
            "theriac_loop_longest_work_seconds",
            "The longest CPU time within a lag since the last scrape",
            registry=own,
        )
        self.bot_seconds = self._histogram("theriac_bot_seconds", "Until a bot answers", "level")
        self.bot_wait_seconds = self._histogram(
            "theriac_bot_wait_seconds", "How long a request waits for a bot process"
        )
        self.bot_queue = Gauge(
            "theriac_bot_queue",
            "Requests that wait for a bot process, by who waits",
            ["for"],
            registry=own,
        )
        self.reviews = Counter(
            "theriac_reviews", "Reviews of finished games", ["end"], registry=own
        )
        self.review_queue = Gauge(
            "theriac_review_queue", "Reviews that wait for a process", registry=own
        )
        self.review_seconds = Histogram(
            "theriac_review_seconds",
            "From the beginning of a review to its end",
            buckets=_REVIEW_BUCKETS,
            registry=own,
        )

    def _histogram(self, name: str, description: str, *labels: str) -> Histogram:
        return Histogram(
            name, description, labels, buckets=_LATENCY_BUCKETS, registry=self.registry
        )

    def scrape(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self.registry)


class LoopLag:
    """Measures how late a timer of the event loop fires, again and again."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._longest_lag = self._longest_work = 0.0
        self._cpu_time = time.thread_time()
        self._due = self._loop.time() + LAG_INTERVAL_S
        self._timer = self._loop.call_at(self._due, self._on_timer)
        metrics.longest_lag.set_function(self._take_longest_lag)
        metrics.longest_work.set_function(self._take_longest_work)

    def _on_timer(self) -> None:
        now, cpu_time = self._loop.time(), time.thread_time()
        lag = now - self._due
        self._metrics.lag_seconds.observe(lag)
        self._longest_lag = max(self._longest_lag, lag)
        self._longest_work = max(self._longest_work, min(lag, cpu_time - self._cpu_time))
        self._cpu_time = cpu_time
        self._due = now + LAG_INTERVAL_S
        self._timer = self._loop.call_at(self._due, self._on_timer)

    def _take_longest_lag(self) -> float:
        longest, self._longest_lag = self._longest_lag, 0.0
        return longest

    def _take_longest_work(self) -> float:
        longest, self._longest_work = self._longest_work, 0.0
        return longest

    def stop(self) -> None:
        """Stop measuring."""
        self._timer.cancel()
