"""The job as a whole, for probes and Prometheus (S7): the supervisor's /health/live, /health/ready and /metrics.

Workers serve what they count themselves; what outlives them, or only shows when they do nothing, is told here. The
recovery store's files say when progress was last written, so that nothing is added to the dataflow for it.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import orjson
from prometheus_client import CollectorRegistry, Metric, ProcessCollector, make_wsgi_app
from prometheus_client.registry import Collector

from flows import metrics
from flows.supervisor import Supervisor
from state.erasures import Erasures
from state.layout import Layout

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication


@dataclass(frozen=True, slots=True, eq=False)
class JobHealth(Collector):
    """What is told of the job. The supervisor keeps the numbers; the server's threads only read them.

    The job counts as stalled when it has committed since its workers started, and then no more for `stalled_seconds`.
    Before its first commit it may be waiting for a broker that is away: starting it again would not help.
    """

    layout: Layout
    supervisor: Supervisor
    stalled_seconds: float
    ledger: Erasures

    def stalled(self) -> str | None:
        """Why the job should be ended and started anew by whoever runs it; None while it is alive."""
        commit = last_commit(self.layout)
        age_seconds = time.time() - commit
        if not self.supervisor.running or commit < self.supervisor.started_at or age_seconds <= self.stalled_seconds:
            return None
        return (
            f"no commit for {age_seconds:.0f} s, and metrics.stalled_seconds is {self.stalled_seconds:g}: the log has"
            " what the workers last did"
        )

    def unready(self) -> str | None:
        """Why the job does not work now; None when its workers run and have committed since they started."""
        if not self.supervisor.started_at:
            return "the job waits for the broker; its workers have not been started yet"
        if not self.supervisor.running:
            return "the workers are being started again; the log has what ended them"
        if last_commit(self.layout) < self.supervisor.started_at:
            return "the workers start, or wait for the broker: nothing is committed yet"
        return self.stalled()

    def collect(self) -> Iterator[Metric]:
        """The metrics of metrics.OF_JOB, as they are now."""
        disk = shutil.disk_usage(self.layout.root)
        values: dict[str, float] = {
            "job_restarts_total": self.supervisor.restarts,
            "job_workers": self.supervisor.spec.workers,
            "job_workers_running": self.supervisor.running,
            "last_commit_timestamp_seconds": last_commit(self.layout),
            "erasures_pending": len(self.ledger.unfinished()),
            "state_bytes": sum(_sizes(self.layout.root.rglob("*"))),
            "state_disk_free_bytes": disk.free,
            "state_disk_size_bytes": disk.total,
        }
        for name, text in metrics.OF_JOB.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            family = Metric(f"{metrics.PREFIX}{name.removesuffix('_total')}", text, kind)
            family.add_sample(f"{metrics.PREFIX}{name}", {}, values[name])
            yield family


def last_commit(layout: Layout) -> float:
    """When a file of the recovery store was last written, in seconds since the epoch; 0.0 where there is none."""
    # Not the -shm files: whoever only reads a database writes to them.
    names = (path for pattern in ("*.sqlite3", "*.sqlite3-wal") for path in layout.recovery.glob(pattern))
    return max(_times(names), default=0.0)


def _times(paths: Iterable[Path]) -> Iterator[float]:
    for path in paths:
        try:
            yield path.stat().st_mtime
        except FileNotFoundError:  # the database took its log away meanwhile
            continue


def _sizes(paths: Iterable[Path]) -> Iterator[int]:
    for path in paths:
        try:
            yield path.lstat().st_size
        except FileNotFoundError:  # as above
            continue


def serve(health: JobHealth, port: int, host: str = "0.0.0.0") -> int:
    """Answers from daemon threads; the port, for 0 takes a free one. Raises MetricsPortError where it is taken."""
    registry = CollectorRegistry()
    registry.register(health)
    ProcessCollector(registry=registry)
    with metrics.port_of(port, "set metrics.job_port to a free one (0: none), or"):
        server = make_server(host, port, _app(health, make_wsgi_app(registry)), _Server, _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_port)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Probes come every few seconds; they are no news."""


def _app(health: JobHealth, exposition: WSGIApplication) -> WSGIApplication:
    probes = {"/health/live": ("live", health.stalled), "/health/ready": ("ready", health.unready)}

    def app(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == "/metrics":
            return exposition(environ, start_response)
        if path not in probes:
            status, body = "404 Not Found", {"detail": f"known are /metrics, {', '.join(probes)}"}
        else:
            word, fault = probes[path][0], probes[path][1]()
            status = "200 OK" if fault is None else "503 Service Unavailable"
            body = {"status": word} if fault is None else {"detail": fault}
        start_response(status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
        return [orjson.dumps(body)]

    return app
