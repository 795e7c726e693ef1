"""`python -m tests.benchmarks [NAME…]`: throughput, ratios to the models alone, memory and disk.

The numbers are of the machine as it is at that moment: ratios compare within one run, and processor time leaves other
programs out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table

from flows import logs
from tests.benchmarks import (
    end_to_end,
    freshness,
    kafka_chat,
    model_left_out,
    proposals,
    recall,
    reconcile,
    replay,
    serving,
    users,
)
from tests.benchmarks.running import Line

BENCHMARKS: dict[str, tuple[Callable[[Path, int, int, str | None], list[Line]], int, int]] = {
    "end_to_end": (end_to_end.measure, 20_000, 3),
    "model_left_out": (model_left_out.measure, 100_000, 3),
    "users": (users.measure, 200_000, 2),
    "replay": (replay.measure, 100_000, 1),
    "replay_bare": (replay.measure_bare, 1_000_000, 1),
    "kafka": (kafka_chat.measure, 20_000, 2),
    "reconcile": (reconcile.measure, 6_000, 3),
    "serving": (serving.measure, 2_000, 1),
    "recall": (recall.measure, 10_000, 1),
    "freshness": (freshness.measure, 50, 1),
    "proposals": (proposals.measure, 1_000_000, 1),
}
"""Each with its number of messages (serving: of requests, recall: of users, freshness: of commands
each way, proposals: of those) and of runs."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all without")
    parser.add_argument("--json", action="store_true", help="one JSON object a number, on stdout")
    parser.add_argument("--messages", type=int, help="messages a run, in place of each benchmark's own number")
    parser.add_argument("--runs", type=int, help="runs, in place of each benchmark's own number")
    parser.add_argument("--weights", help="folder of the extractor's weights, in place of the shipped ones")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is called {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    logs.configure()
    lines: list[Line] = []
    for name in given.names or BENCHMARKS:
        measure, messages, runs = BENCHMARKS[name]
        print(f"{name}…", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="factstream-bench-") as folder:
            lines += measure(Path(folder), given.messages or messages, given.runs or runs, given.weights)
    if given.json:
        sys.stdout.buffer.write(b"".join(orjson.dumps(asdict(line)) + b"\n" for line in lines))
    else:
        _print(lines)


def _print(lines: list[Line]) -> None:
    table = Table("benchmark", "what", "value", "unit", "target")
    for line in lines:
        value = f"{line.value:,.10g}" if isinstance(line.value, float | int) else line.value
        table.add_row(line.benchmark, line.name, value, line.unit, line.target)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
