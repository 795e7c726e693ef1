"""The live job's dataflow on Kafka with stub models, as a process: `python -m tests.stub_kafka_job CONFIG STATE`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flows import instances
from flows.job import open_state, run_process
from flows.lock import locked
from flows.settings import load
from flows.spec import JobSpec
from state.layout import Layout
from tests.stubs import StubEmbedder, StubExtractor


def stubbed() -> Any:
    """The job with stub models and without the judge, in this process."""
    models = (StubExtractor(), StubEmbedder())
    return patch.multiple("flows.job", models=lambda threshold: models, pair_judge=lambda: None)


if __name__ == "__main__":
    config, state = sys.argv[1:]
    with stubbed(), locked(Layout(Path(state)).lock):
        open_state(load(config), state)
        instances.bind(load(config), Layout(Path(state)))
        run_process(JobSpec(state, config))
