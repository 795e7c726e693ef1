"""Which measure runs on which set: every DATASET of the verb eval, one set after the other in this process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.evaluation import (
    calibration,
    cases,
    claim_content,
    claim_turns,
    over_extraction,
    pairs,
    persona,
    recall,
    redaction,
)
from flows.evaluation.chats import read_chats
from flows.evaluation.figures import Figure
from flows.evaluation.histories import read_histories
from flows.evaluation.labelled import SETS, labelled_turns
from flows.evaluation.product import run_product


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Says on stderr what is under way and how long it took: sets take minutes."""
    print(f"factstream: {what} …", file=sys.stderr)
    started = time.monotonic()
    yield
    print(f"factstream: {what}: {time.monotonic() - started:.0f} s", file=sys.stderr)


def _claims(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    for name in SETS:
        chats = read_chats(data / "msc" / f"summary_{name}_valid.jsonl", limit)
        with _told(f"msc {name}"):
            stored = run_product(chats, config)
        turns = list(labelled_turns(chats))
        yield from claim_turns.figures(name, turns, stored)
        yield from claim_content.figures(name, turns, stored)


def _over_extraction(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    """Beside measure 1 on the first set, since silence scores perfectly here."""
    chats = read_chats(data / "msc" / "summary_s1_valid.jsonl", limit)
    with _told("msc s1"):
        stored = run_product(chats, config)
    yield claim_turns.figures("s1", list(labelled_turns(chats)), stored)[0]
    for name in over_extraction.TARGETS:
        chats = read_chats(data / "task_chats" / f"{name}.jsonl", limit)
        with _told(f"task_chats {name}"):
            stored = run_product(chats, config)
        yield from over_extraction.figures(name, chats, stored)


def _calibration(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    chats = calibration.read_corpus(limit)
    with _told("authored corpus"):
        stored = run_product(chats, config)
    yield from calibration.figures(chats, stored)


def _pairs(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    authored = pairs.read_authored(limit)
    with _told("authored pairs"):
        yield from pairs.authored_figures(authored, pairs.decisions(authored))
    chats = read_chats(data / "msc" / "summary_s1_valid.jsonl", limit)
    with _told("msc s1, pairs of one speaker"):
        compatible = pairs.compatible_pairs(chats, run_product(chats, config))
        yield pairs.deletion_figure("msc s1, one speaker's claims", pairs.decisions(compatible))
    for name, path in pairs.CONTRADICTIONS.items():
        with _told(name):
            given = pairs.read_contradictions(read_chats(data / path, limit))
            yield from pairs.contradiction_figures(name, given, pairs.decisions(given))


def _persona(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    for name, path in persona.SETS.items():
        chats = read_chats(data / path, limit)
        with _told(name):
            stored = run_product(chats, config)
        yield from persona.figures(name, chats, stored)


def _cases(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    with _told("cases"):
        yield from cases.figures(cases.run_cases(data.parent / "cases"))


def _redaction(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    for part in redaction.PARTS:
        yield from redaction.figures(part, redaction.read_cases(part))
    alarms = []
    for name in redaction.CHATS:
        figure, excerpts = redaction.false_alarms(name, read_chats(data / f"{name}.jsonl", limit))
        redaction.tell(name, excerpts)
        alarms.append(figure)
    yield from alarms
    yield redaction.all_false_alarms(alarms)


def _recall(data: Path, limit: int | None, config: Path | None) -> Iterator[Figure]:
    with _told("recall over authored histories"):
        yield from recall.measure(read_histories(limit), config)


MEASURES: dict[str, Callable[[Path, int | None, Path | None], Iterator[Figure]]] = {
    "claims": _claims,
    "over-extraction": _over_extraction,
    "calibration": _calibration,
    "pairs": _pairs,
    "persona": _persona,
    "cases": _cases,
    "redaction": _redaction,
    "recall": _recall,
}
"""Every DATASET of the command line."""
