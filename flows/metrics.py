"""Every metric of the job, in one list (S7, INTERFACE "Metrics"): base units, and no label that names a user.

Counters count what this process did since it started; after a crash the last epoch's work is done, and counted, again.
Operators report through `Metrics` and name a metric without its prefix.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from prometheus_client import Counter, Gauge, Histogram, Info, start_http_server

PREFIX = "factstream_"
_STAGE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BATCH_SIZE = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096)
_RECALL_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_TO_FACT_SECONDS = (1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 86_400, 604_800)

COUNTERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "messages_total": (
        "Messages, commands and records decoded, by how they ended: message, copy, command, rejected, ephemeral, "
        "empty, blank, notice, unaddressed, seen_before, erased; bad_timezone and bad_language in addition, where such "
        "a field was ignored.",
        ("format", "outcome"),
    ),
    "reflections_total": ("Windows evaluated, by what closed them.", ("trigger",)),
    "candidates_total": ("Candidates that extraction gave and policy let pass, by kind.", ("kind",)),
    "candidates_dropped_total": ("Clauses and candidates left out, by reason (P1).", ("reason",)),
    "fact_events_total": ("Changes decided, by event and by the rule that decided.", ("event", "rule")),
    "redactions_total": ("Pieces of text redacted, by what they were (P2).", ("kind",)),
    "dead_letters_total": ("Records and messages that could not be read, by reason (S3).", ("reason",)),
    "http_requests_total": ("Requests that serve answered.", ("method", "route", "status")),
}
HISTOGRAMS: dict[str, tuple[str, tuple[str, ...], tuple[float, ...]]] = {
    "stage_seconds": ("Time of one activation of a stage.", ("stage",), _STAGE_SECONDS),
    "batch_size": ("Items that one activation of a stage got.", ("stage",), _BATCH_SIZE),
    "model_seconds": ("Time of one run of a model's session.", ("model",), _STAGE_SECONDS),
    "message_to_fact_seconds": ("From a message's event time to its fact's publication.", (), _TO_FACT_SECONDS),
    "recall_seconds": ("Time of one recall.", (), _RECALL_SECONDS),
    "http_request_seconds": ("Time in which serve answered a request.", ("route",), _RECALL_SECONDS),
}
GAUGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "proposals_pending": ("Proposals that wait for a person, in this process's shards.", ()),
    "active_facts": ("Active facts in this process's shards.", ()),
    "open_windows": ("Conversations with messages that wait for evaluation, in this process's shards.", ()),
    "consumer_lag_messages": ("Records behind the end of a partition.", ("topic", "partition")),
}
OF_JOB: dict[str, str] = {
    "job_restarts_total": "Times that all workers were started again after one ended with a fault.",
    "job_workers": "Worker processes that the job is to have.",
    "job_workers_running": "Worker processes that run.",
    "last_commit_timestamp_seconds": "When the stream's progress was last written to the recovery store (0: never).",
    "erasures_pending": "Erasures that are begun and not done: some place still holds what is to go (F6).",
    "state_bytes": "Size of the state directory's files.",
    "state_disk_free_bytes": "Free space on the state directory's disk, as far as the job may use it.",
    "state_disk_size_bytes": "Size of the state directory's disk.",
}
"""What the supervisor knows of the job as a whole (flows.health); the others are a worker's or serve's."""


_COUNTERS = {name: Counter(PREFIX + name, text, labels) for name, (text, labels) in COUNTERS.items()}
_HISTOGRAMS = {
    name: Histogram(PREFIX + name, text, labels, buckets=buckets)
    for name, (text, labels, buckets) in HISTOGRAMS.items()
}
_GAUGES = {name: Gauge(PREFIX + name, text, labels) for name, (text, labels) in GAUGES.items()}
_BUILD = Info(PREFIX + "build", "Versions of the job and of its models.")


@cache
def _child(name: str, *labels: tuple[str, str]) -> Any:
    """A metric with its labels set; looking that up costs more than counting, and label values are few."""
    metric: Any = (_COUNTERS | _HISTOGRAMS | _GAUGES)[name]
    return metric.labels(**dict(labels)) if labels else metric


_REMEDY = "set metrics.port to a free one (worker process N listens on metrics.port + N), or"


class MetricsPortError(OSError):
    """The port for metrics belongs to another process."""

    def __str__(self) -> str:
        return str(self.strerror)


class Metrics:
    """The operators' observer (operators.observing.Observer): names are those of the list above.

    An unknown name or label raises: a number that nobody sees is a fault of the program.
    """

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Adds to a counter."""
        _child(name, *labels.items()).inc(amount)

    def measure(self, name: str, value: float, **labels: str) -> None:
        """Adds one observation to a histogram."""
        _child(name, *labels.items()).observe(value)

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Adds `value` to a gauge; negative takes away."""
        _child(name, *labels.items()).inc(value)


@contextmanager
def stage(name: str, items: int | None = None) -> Iterator[None]:
    """Times the block as one activation of a stage, also when it raises; `items` is the batch that it got."""
    if items is not None:
        _HISTOGRAMS["batch_size"].labels(stage=name).observe(items)
    with _HISTOGRAMS["stage_seconds"].labels(stage=name).time():
        yield


def build_info(embedder: str, extractor: str) -> None:
    """States which versions run, as factstream_build_info."""
    try:
        job = version("factstream")
    except PackageNotFoundError:  # run from a checkout that is not installed
        job = "unknown"
    _BUILD.info({"version": job, "embedder": embedder, "extractor": extractor})


def model_ran(model: str, seconds: float) -> None:
    """Notes one run of a model's session (models.sessions.watch_runs)."""
    _child("model_seconds", ("model", model)).observe(seconds)


def serve(port: int, host: str = "0.0.0.0") -> None:
    """Serves /metrics of this process from a daemon thread. Raises MetricsPortError when the port is taken."""
    with port_of(port, _REMEDY):
        start_http_server(port, host)


def check_ports(first: int, count: int, host: str = "0.0.0.0") -> None:
    """Raises MetricsPortError where one of the ports that `serve` will want is taken now."""
    for port in range(first, first + count):
        with port_of(port, _REMEDY), socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            free.bind((host, port))


@contextmanager
def port_of(port: int, remedy: str) -> Iterator[None]:
    """Makes a port that another process has a MetricsPortError with the remedy."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        told = f"port {port} for metrics is taken by another process: {remedy} metrics.enabled = false"
        raise MetricsPortError(error.errno, told) from None


def lag(topic: str, partition: int, messages: int) -> None:
    """States how far a partition's reader is behind its end."""
    _GAUGES["consumer_lag_messages"].labels(topic=topic, partition=str(partition)).set(messages)
