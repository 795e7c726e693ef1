"""From settings to a running dataflow: one process's share of a job, embedded or on Kafka."""

from __future__ import annotations

import gc
import logging
import resource
import sys
from datetime import timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import structlog
from bytewax.dataflow import Dataflow
from bytewax.inputs import FixedPartitionedSource
from bytewax.outputs import FixedPartitionedSink
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.run import cli_main

from flows import instances, kafka, logs, metrics
from flows.connectors.file_sink import FileSink
from flows.connectors.file_source import FileSource
from flows.handover import handed_over
from flows.hooks import hooks_of
from flows.progress import OnProgress, noted, silent
from flows.settings import Settings, load
from flows.spec import JobSpec
from flows.topology import Parts, build
from models.embedder import Embedder
from models.extractor import Extractor
from models.judge import Judgement, PairJudge
from models.requests import memory_request
from models.sessions import watch_runs
from operators.dead_letters import RejectGuard, dead_letter
from operators.decode import Decoder
from operators.extract import ExtractPolicy
from operators.reconcile import ReconcilePolicy
from operators.window import WindowPolicy
from state.layout import Layout, prepare, read_identity
from state.policy import RulesPolicy
from state.recorder import Judge
from state.windows import Retention

_COLLECTOR_THRESHOLDS = (50_000, 20, 100)
_DAY_MS = 86_400_000
_JUDGEMENTS_KEPT_MAX = 16_384


@cache
def models(keep_threshold: float) -> tuple[Extractor, Embedder]:
    """The models, loaded once a process: one that runs the flow for each command must not load them each time."""
    return Extractor(keep_threshold=keep_threshold), Embedder()


@cache
def pair_judge() -> Judge:
    """The pair judge, loaded once a process."""
    return remembering(PairJudge())


def remembering(model: PairJudge) -> Judge:
    """A judge that keeps its answers, for a refold asks the same pairs again."""

    @lru_cache(maxsize=_JUDGEMENTS_KEPT_MAX)
    def judged(known: str, said: str) -> Judgement:
        return model.judge([(known, said)])[0]

    return lambda pairs: [judged(known, said) for known, said in pairs]


def make_parts(settings: Settings, layout: Layout) -> Parts:
    """The steps' policies and models as configured; the versions of both go to the metrics."""
    observer = metrics.Metrics()
    extractor, embedder = models(settings.extraction.keep_threshold)
    metrics.build_info(embedder.version, extractor.version)
    watch_runs(metrics.model_ran)
    memory = settings.memory
    return Parts(
        layout,
        memory.shards,
        Decoder(settings.decode_policy(), observer, hooks_of(settings)),
        dead_letter,
        RejectGuard(settings.dead_letters.share_max, settings.dead_letters.window),
        extractor,
        embedder,
        lambda text: memory_request(text) is not None,
        window_policy(settings),
        extract_policy(settings),
        ReconcilePolicy(
            rules_policy(settings),
            memory.lateness_days * _DAY_MS,
            memory.users_in_memory_max,
            None if memory.turns == "off" else memory.turns * _DAY_MS,
        ),
        observer,
        pair_judge(),
        instances.ownership(layout),
    )


def window_policy(settings: Settings) -> WindowPolicy:
    """When windows close, and how long what they held stays."""
    windows = settings.windows
    return WindowPolicy(
        windows.conversation_length,
        int(windows.idle_gap_seconds * 1000),
        windows.open_windows_max,
        Retention(
            windows.context_messages,
            int(windows.context_horizon_hours * 3_600_000) + windows.retention_days * _DAY_MS,
            windows.seen_days * _DAY_MS,
        ),
    )


def extract_policy(settings: Settings) -> ExtractPolicy:
    """How messages are read, and what of their claims goes on."""
    windows = settings.windows
    return ExtractPolicy(
        windows.context_messages,
        int(windows.context_horizon_hours * 3_600_000),
        settings.extraction.timezone,
        settings.policy.storage(hooks_of(settings)),
        settings.memory.turns != "off",
        settings.memory.fact_chars_max,
    )


def rules_policy(settings: Settings) -> RulesPolicy:
    """What the configuration says of the decision rules."""
    return RulesPolicy(
        confidence_min=settings.memory.confidence_floor,
        polarity_change=settings.memory.polarity_change,
        third_party=settings.extraction.third_party,
        derived=settings.memory.derived,
        propose_kinds=(),  # the extract step gives each candidate its write mode
        retention_days=tuple((kind, days) for kind, days in settings.policy.retention_days.items() if days),
        facts_max=settings.memory.max_facts,
        proposal_days=settings.policy.proposal_days,
        decided_days=settings.policy.decided_days,
    )


def _allow_files(layout: Layout) -> None:
    """Raises the soft limit of open files to what all shards together take: two files each, with log and index."""
    needed = 6 * read_identity(layout).shards + 256
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < needed:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (needed if hard == resource.RLIM_INFINITY else min(needed, hard), hard)
        )


def open_state(settings: Settings, state: str) -> Layout:
    """Makes or checks the state directory. Raises LayoutError."""
    layout = Layout(Path(state))
    prepare(layout, settings.memory.shards, lambda path: init_db_dir(path, settings.recovery.partitions))
    return layout


def connectors(
    spec: JobSpec,
    settings: Settings,
    layout: Layout,
    on_progress: OnProgress | None = None,
) -> tuple[FixedPartitionedSource[Any, Any], FixedPartitionedSource[Any, Any], FixedPartitionedSink[Any, Any]]:
    """(messages, commands, sink) of a run."""
    if spec.replay is None and not spec.embedded:
        return kafka.connectors(settings, handed_over(layout), instances.ownership(layout))
    told = on_progress or silent
    messages: FixedPartitionedSource[Any, Any]
    if spec.replay is not None:
        messages = kafka.replay_source(settings, spec.replay, lambda done, total: told("replay", done, total))
    else:
        paths = [Path(source) for source in spec.sources]
        messages = FileSource("mixed", paths, on_progress=lambda path, done, total: told(path.name, done, total))
    spool = FileSource("commands", [layout.spool], names=["spool"])
    return messages, spool, kafka.sink(settings) if spec.publishes else FileSink(layout.dead_letters)


def keep_collector_away() -> None:
    """Takes all that is loaded out of the garbage collector's sight and lets it look seldom.

    What flows is free of cycles and goes by its reference counts; the collector would walk every loaded memory again
    and again (9 % of the time, sampled) to find nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR_THRESHOLDS)


def run_process(
    spec: JobSpec,
    process: int | None = None,
    addresses: list[str] | None = None,
    on_progress: OnProgress | None = None,
) -> None:
    """Runs one process's share to its end. The state directory must be locked and prepared by the caller."""
    settings = load(spec.config)
    layout = Layout(Path(spec.state))
    _allow_files(layout)
    live = spec.replay is None and not spec.embedded
    if spec.metrics_port is not None or (settings.metrics.enabled and live):
        metrics.serve((spec.metrics_port or settings.metrics.port) + (process or 0))
    flow = build(
        make_parts(settings, layout),
        *connectors(spec, settings, layout, on_progress),
        publishes=spec.publishes,
    )
    keep_collector_away()
    cli_main(
        flow,
        workers_per_process=1,
        process_id=process,
        addresses=addresses,
        epoch_interval=timedelta(seconds=settings.recovery.epoch_seconds),
        recovery_config=RecoveryConfig(layout.recovery, timedelta(seconds=settings.recovery.backup_seconds)),
    )


def live(config: str | None = None, state: str = "factstream-state") -> Dataflow:
    """The Kafka job's dataflow for `python -m bytewax.run "flows.job:live()"`, for those who supervise it themselves.

    Run it with `-r STATE/recovery`; the state directory is made or checked here.
    """
    logs.configure()
    settings = load(config)
    layout = open_state(settings, state)
    instances.bind(settings, layout)
    flow = build(make_parts(settings, layout), *connectors(JobSpec(state, config), settings, layout))
    keep_collector_away()
    return flow


def main() -> None:
    """One worker process: `python -m flows.job SPEC PROCESS ADDRESSES`; started by the supervisor."""
    from flows.parent import follow_parent
    from flows.spec import cause_of
    from flows.supervisor import PEER_LOST_STATUS, exit_status, is_told

    follow_parent()
    logs.configure()
    spec, process, addresses = JobSpec.from_json(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split(";")
    try:
        bounded = spec.replay is not None or spec.embedded
        run_process(spec, process, addresses, noted(Layout(Path(spec.state)), process) if bounded else None)
    except BaseException as error:
        status, line = exit_status(error)
        if status == PEER_LOST_STATUS:
            structlog.get_logger("factstream.job").debug(line, exc_info=cause_of(error))
            sys.exit(status)
        logs.tell(line, logging.ERROR, None if is_told(error) else cause_of(error))
        sys.exit(status)


if __name__ == "__main__":
    main()
