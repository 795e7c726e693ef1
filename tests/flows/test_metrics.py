from __future__ import annotations

import socket
import urllib.request

import pytest
from prometheus_client import REGISTRY

from flows import metrics
from operators.observing import Observer

# INTERFACE "Metrics": other people's dashboards rely on these names and labels.
PUBLISHED = {
    "messages_total": ("format", "outcome"),
    "reflections_total": ("trigger",),
    "candidates_total": ("kind",),
    "candidates_dropped_total": ("reason",),
    "fact_events_total": ("event", "rule"),
    "proposals_pending": (),
    "redactions_total": ("kind",),
    "dead_letters_total": ("reason",),
    "consumer_lag_messages": ("topic", "partition"),
    "stage_seconds": ("stage",),
    "batch_size": ("stage",),
    "model_seconds": ("model",),
    "open_windows": (),
    "message_to_fact_seconds": (),
    "recall_seconds": (),
    "active_facts": (),
    "http_requests_total": ("method", "route", "status"),
    "http_request_seconds": ("route",),
}


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"factstream_{name}", labels) or 0.0


def test_the_names_and_labels_are_the_published_ones() -> None:
    """S7; none names a user."""
    listed = {name: labels for name, (_, labels) in {**metrics.COUNTERS, **metrics.GAUGES}.items()}
    listed |= {name: labels for name, (_, labels, _) in metrics.HISTOGRAMS.items()}
    assert listed == PUBLISHED


def test_operators_count_measure_and_gauge_by_name() -> None:
    """S7."""
    observer: Observer = metrics.Metrics()
    before = sample("redactions_total", kind="email"), sample("active_facts"), sample("recall_seconds_count")
    observer.count("redactions_total", 2, kind="email")
    observer.gauge("active_facts", 5)
    observer.gauge("active_facts", -2)
    observer.measure("recall_seconds", 0.004)
    after = sample("redactions_total", kind="email"), sample("active_facts"), sample("recall_seconds_count")
    assert [now - then for now, then in zip(after, before, strict=True)] == [2, 3, 1]


def test_a_number_that_nobody_would_see_is_an_error() -> None:
    with pytest.raises(KeyError):
        metrics.Metrics().count("mesages_total")
    with pytest.raises(ValueError, match="label"):
        metrics.Metrics().count("redactions_total", user="ana")


def test_a_stage_is_timed_even_when_it_fails() -> None:
    before = sample("stage_seconds_count", stage="t"), sample("batch_size_sum", stage="t")
    with metrics.stage("t", items=32):
        pass
    with pytest.raises(ZeroDivisionError), metrics.stage("t"):
        raise ZeroDivisionError
    assert sample("stage_seconds_count", stage="t") == before[0] + 2
    assert sample("batch_size_sum", stage="t") == before[1] + 32


def test_lag_is_the_last_one_stated() -> None:
    metrics.lag("chats", 3, 40)
    metrics.lag("chats", 3, 7)
    assert sample("consumer_lag_messages", topic="chats", partition="3") == 7


def test_metrics_are_served_with_the_build(free_port: int) -> None:
    """S7."""
    metrics.build_info(embedder="e1", extractor="x1")
    metrics.serve(free_port, "127.0.0.1")
    with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/metrics") as answer:
        text = answer.read().decode()
    assert 'factstream_build_info{embedder="e1",extractor="x1",version="' in text
    assert "factstream_stage_seconds" in text


def test_a_taken_port_is_an_error_that_says_what_to_do() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(metrics.MetricsPortError, match=f"port {port} for metrics is taken.*set metrics.port"):
            metrics.serve(port, "127.0.0.1")
