"""The live job's dataflow on Kafka with stub models, as a process: `python -m tests.stub_kafka_job CONFIG STATE`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flows import instances
from flows.job import open_state, run_process
from flows.lock import locked
from flows.settings import load
from flows.spec import JobSpec
from flows.supervisor import UNFORESEEN_STATUS, exit_status, is_told
from state.layout import Layout
from tests.stubs import StubEmbedder, StubExtractor


def stubbed() -> Any:
    """The job with stub models and without the judge, in this process."""
    models = (StubExtractor(), StubEmbedder())
    return patch.multiple("flows.job", models=lambda threshold: models, pair_judge=lambda: None)


def main() -> None:
    """Runs until it is stopped; after what a supervisor would start again for, it starts again."""
    config, state = sys.argv[1:]
    try:
        with stubbed(), locked(Layout(Path(state)).lock):
            open_state(load(config), state)
            instances.bind(load(config), Layout(Path(state)))
            run_process(JobSpec(state, config))
    except Exception as error:
        status, line = exit_status(error)
        print(f"factstream: {line}", file=sys.stderr, flush=True)
        if status != UNFORESEEN_STATUS or not is_told(error):
            raise
        os.execv(sys.executable, [sys.executable, "-m", "tests.stub_kafka_job", config, state])


if __name__ == "__main__":
    main()
