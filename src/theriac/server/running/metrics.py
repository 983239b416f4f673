"""Metrics for Prometheus: tables, moves, latencies, and how late the event loop runs."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

_LATENCY_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_REVIEW_BUCKETS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
#: How often the lag of the event loop is measured, in seconds. A shorter block can be missed.
LAG_INTERVAL_S = 0.02


class LoopHistogram(Collector):
    """A histogram that only the event loop observes: without a lock, and so in a fraction of the
    time of the library's. Every move is observed twice.
    """

    def __init__(
        self, name: str, description: str, buckets: Sequence[float], registry: CollectorRegistry
    ) -> None:
        self._name = name
        self._description = description
        self._buckets = buckets
        self._counts = [0] * (len(buckets) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._buckets, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[Metric]:
        """The histogram as the library writes it: each bucket has the counts of those below."""
        counts, total = [], 0
        for limit, count in zip((*map(str, self._buckets), "+Inf"), self._counts, strict=True):
            total += count
            counts.append((limit, total))
        yield HistogramMetricFamily(
            self._name, self._description, buckets=counts, sum_value=self._sum
        )


class LoopCounter(Collector):
    """A counter with one label, which only the event loop counts: without a lock."""

    def __init__(
        self, name: str, description: str, label: str, registry: CollectorRegistry
    ) -> None:
        self._name = name
        self._description = description
        self._label = label
        self._counts: dict[str, int] = {}
        registry.register(self)

    def count(self, value: str) -> None:
        """Count one, under this value of the label."""
        self._counts[value] = self._counts.get(value, 0) + 1

    def collect(self) -> Iterator[Metric]:
        """The counter as the library writes it."""
        family = CounterMetricFamily(self._name, self._description, labels=[self._label])
        for value, count in self._counts.items():
            family.add_metric([value], count)
        yield family


class Metrics:
    """All metrics of the process."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.tables = Gauge("theriac_tables_in_memory", "Tables in memory", registry=own)
        self.log_bytes = Gauge(
            "theriac_log_bytes_in_memory", "Bytes of the logs in memory", registry=own
        )
        self.sockets = Gauge("theriac_sockets", "Open sockets", registry=own)
        self.moves = LoopCounter("theriac_moves", "Moves made", "game", own)
        self.refused = Counter("theriac_refused", "Requests refused", ["code"], registry=own)
        self.request_seconds = LoopHistogram(
            "theriac_request_seconds", "From request to reply", _LATENCY_BUCKETS, own
        )
        self.append_seconds = LoopHistogram(
            "theriac_append_seconds", "Until events are on disk", _LATENCY_BUCKETS, own
        )
        self.lag_seconds = LoopHistogram(
            "theriac_loop_lag_seconds",
            "How late the event loop runs its timers",
            _LATENCY_BUCKETS,
            own,
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
