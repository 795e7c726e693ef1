"""The real dataflow with stub models, as a process: `python -m tests.stub_job SPEC [PROCESS ADDRESSES]`.

With "-" a list of specs comes on stdin, each is run until it ends well, and how often each was killed goes to stdout.
SPEC is JSON: state, sources, out (a folder for what is published), epoch_seconds, shards, windows, pause_seconds, and
`dies_at`: (module:function or module:Class.method, "before" or "after", at which call), once, by SIGKILL.
"""

from __future__ import annotations

import importlib
import itertools
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.run import cli_main

from flows.connectors.file_source import FileSource
from flows.erasing import finish
from flows.settings import Settings
from flows.topology import Parts, build
from operators.dead_letters import RejectGuard, dead_letter
from operators.decode import DecodePolicy, Decoder
from operators.extract import ExtractPolicy
from operators.observing import Unobserved
from operators.reconcile import ReconcilePolicy
from operators.records import OutRecord
from operators.window import WindowPolicy
from state.layout import Layout, prepare
from tests.stubs import StubEmbedder, StubExtractor, asks_memory


@dataclass
class StubSpec:
    state: str
    sources: list[str]
    out: str
    epoch_seconds: float = 0.2
    shards: int = 8
    windows: dict[str, Any] = field(default_factory=dict)
    batch_lines: int = 20
    pause_seconds: float = 0.0
    dies_at: tuple[str, str, int] | None = None

    def json(self) -> str:
        return orjson.dumps(self).decode()


class PublishedSink(FixedPartitionedSink[OutRecord, None]):
    """Appends every record to a file a partition, and never takes one back: a crash publishes again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def list_parts(self) -> list[str]:
        return ["0", "1", "2", "3"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> _Published:
        return _Published(self._folder / f"published-{for_part}.jsonl")


class _Published(StatefulSinkPartition[OutRecord, None]):
    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")

    def write_batch(self, values: list[OutRecord]) -> None:
        for record in values:
            row = {"stream": record.stream, "key": record.key.decode(), "value": (record.value or b"").decode()}
            self._file.write(orjson.dumps(row) + b"\n")
        self._file.flush()

    def snapshot(self) -> None:
        return None


class SlowFileSource(FileSource):
    """Pauses between batches, so that a kill finds the job in the middle."""

    def __init__(self, pause_seconds: float, *args: Any) -> None:
        super().__init__(*args, on_progress=lambda *_: time.sleep(pause_seconds))


def parts(spec: StubSpec) -> Parts:
    return Parts(
        Layout(Path(spec.state)),
        spec.shards,
        Decoder(DecodePolicy()),
        dead_letter,
        RejectGuard(),
        StubExtractor(),
        StubEmbedder(),
        asks_memory,
        WindowPolicy(**spec.windows),
        ExtractPolicy(),
        ReconcilePolicy(),
        Unobserved(),
    )


def prepare_state(spec: StubSpec) -> None:
    prepare(Layout(Path(spec.state)), spec.shards, lambda path: init_db_dir(path, 4))
    Path(spec.out).mkdir(exist_ok=True)


def run(spec: StubSpec, process: int | None = None, addresses: list[str] | None = None) -> None:
    if process is None:
        prepare_state(spec)
    paths = [Path(source) for source in spec.sources]
    messages = SlowFileSource(spec.pause_seconds, "mixed", paths, spec.batch_lines * len(paths))
    layout = Layout(Path(spec.state))
    flow = build(parts(spec), messages, FileSource("commands", [layout.spool]), PublishedSink(Path(spec.out)))
    cli_main(
        flow,
        workers_per_process=1,
        process_id=process,
        addresses=addresses,
        epoch_interval=timedelta(seconds=spec.epoch_seconds),
        recovery_config=RecoveryConfig(layout.recovery, timedelta(0)),
    )
    if process is None:
        finish(Settings(), layout, ended=True)


def arm(place: str, when: str, call: int, died: Path) -> None:
    """Kills this process before or after a call of a function, unless `died` tells that it was killed before."""
    module, _, name = place.partition(":")
    *owner, method = name.split(".")
    kind: Any = importlib.import_module(module)
    for each in owner:
        kind = getattr(kind, each)
    real = getattr(kind, method)
    calls = itertools.count(1)

    def armed(*args: Any, **words: Any) -> Any:
        deadly = next(calls) == call and not died.exists()
        if deadly and when == "before":
            die()
        result = real(*args, **words)
        if deadly:
            die()
        return result

    def die() -> None:
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(kind, method, armed)


def run_to_end(spec: StubSpec) -> int:
    """Runs the job in child processes until one ends well; how many were killed. For a process that has no threads."""
    prepare_state(spec)
    for killed in itertools.count():
        child = os.fork()
        if not child:
            if spec.dies_at is not None:
                arm(*spec.dies_at, Path(spec.out) / "died")
            run(spec)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != -signal.SIGKILL:
            return killed if status == 0 else -1
    raise AssertionError("not reached")


if __name__ == "__main__":
    if sys.argv[1] == "-":
        specs = [StubSpec(**row) for row in orjson.loads(sys.stdin.buffer.read())]
        print(orjson.dumps([run_to_end(spec) for spec in specs]).decode())
        sys.exit()
    given = StubSpec(**orjson.loads(sys.argv[1]))
    if len(sys.argv) > 2:
        run(given, int(sys.argv[2]), sys.argv[3].split(";"))
    else:
        run(given)
