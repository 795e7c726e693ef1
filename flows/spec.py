"""What one run of the job is, in plain values that travel to its worker processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson
from bytewax.errors import BytewaxRuntimeError

from flows.connectors.kafka_replay import Lane, ReplayPlan


@dataclass(frozen=True, slots=True)
class JobSpec:
    """What one run is: `sources` empty means Kafka. Plain values, for it travels to worker processes as JSON.

    With `replay` what that names is read instead, to its end; `publish` false keeps what a run finds off the topics.
    """

    state: str
    config: str | None = None
    sources: tuple[str, ...] = ()
    spool_only: bool = False
    workers: int = 1
    metrics_port: int | None = None
    replay: ReplayPlan | None = None
    publish: bool = True

    @property
    def embedded(self) -> bool:
        """Whether the run reads files and ends."""
        return bool(self.sources) or self.spool_only

    @property
    def publishes(self) -> bool:
        """Whether what the run finds goes to Kafka's topics."""
        return self.publish and not self.embedded

    def to_json(self) -> str:
        """The spec for a worker process."""
        return orjson.dumps(asdict(self)).decode()

    @staticmethod
    def from_json(text: str) -> JobSpec:
        """The spec that to_json wrote."""
        row = orjson.loads(text)
        row["sources"] = tuple(row["sources"])
        if row["replay"] is not None:
            lanes = tuple(Lane(**lane) for lane in row["replay"]["lanes"])
            row["replay"] = ReplayPlan(row["replay"]["replay_id"], lanes)
        return JobSpec(**row)


def cause_of(error: BaseException) -> BaseException:
    """The error that came up through the dataflow's own wrapping."""
    while isinstance(error, BytewaxRuntimeError) and error.__cause__ is not None:
        error = error.__cause__
    return error
