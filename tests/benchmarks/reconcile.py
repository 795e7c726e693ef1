"""The reconcile step beside the extraction step on the same messages, with 100 facts a user (processor time)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from flows.job import remembering
from models.embedder import Embedder
from models.extractor import Extractor
from models.judge import PairJudge
from operators.extract import ExtractPolicy, ExtractStep
from operators.observing import Unobserved
from operators.reconcile import MemoryState, ReconcilePolicy, ReconcileStep
from state.erasures import Erasures
from state.facts import Entry
from state.messages import Message, Origin, Reflection
from state.recorder import Judge
from tests.benchmarks.chat import START_MS, chat, of_themselves
from tests.benchmarks.running import Line, middle

_USERS = 12
_FACTS = 100
_TOLD_BEFORE = 200  # sentences a user says of themselves: enough for more facts than are kept
_BATCH_MESSAGES = 64
_MINUTE_MS = 60_000


def measure(folder: Path, messages: int, runs: int, weights: str | None) -> list[Line]:
    """Users tell of themselves until they are full, and chat on; medians of the runs over that chat."""
    extractor = Extractor(Path(weights)) if weights else Extractor()
    extract = ExtractStep(extractor, Embedder(), ExtractPolicy(), Unobserved())
    full = folder / "full.db"
    step = _step(full, None, None)
    for batch in _batches(_earlier()):
        step.on_batch(_entries(extract, batch))
    facts, state = step._store.counts()[0] / _USERS, _laid_down(step)

    began = process_time()
    said = [_entries(extract, batch) for batch in _batches(chat(messages, _USERS, seed=11))]
    extraction_us = (process_time() - began) / messages * 1e6
    candidates = sum(len(entry.candidates) for entries in said for entry in entries)

    model, asked = PairJudge(), 0
    model.judge([("User likes tea", "User likes green tea")])  # the session opens with the first pair
    judged: list[float] = []
    bare: list[float] = []
    for number in range(runs):
        judge = _Counted(remembering(model))
        judged.append(_seconds(full, folder / f"judged-{number}.db", state, said, judge))
        bare.append(_seconds(full, folder / f"bare-{number}.db", state, said, None))
        asked = judge.asked
    judged_us, bare_us = middle(judged, 6) / messages * 1e6, middle(bare, 6) / messages * 1e6
    rate = candidates / middle(bare, 6)
    return [
        Line("reconcile", "active facts a user before", round(facts), "", f"{_FACTS}"),
        Line("reconcile", "candidates in the chat", candidates),
        Line("reconcile", "extraction", round(extraction_us), "µs/message"),
        Line("reconcile", "reconciliation, judge included", round(judged_us), "µs/message"),
        Line("reconcile", "the same, of extraction", round(judged_us / extraction_us, 3), "", "≤ 0.3"),
        Line("reconcile", "pairs that the judge read", round(asked / candidates, 3), "a candidate"),
        Line("reconcile", "reconciliation without the judge", round(bare_us), "µs/message"),
        Line("reconcile", "the same", round(rate), "candidates/s of a core", "≥ 2,000"),
    ]


class _Counted:
    """A judge that counts the pairs it is asked about."""

    def __init__(self, judge: Judge) -> None:
        self._judge, self.asked = judge, 0

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, float]]:
        self.asked += len(pairs)
        return self._judge(pairs)


def _step(path: Path, state: MemoryState | None, judge: Judge | None) -> ReconcileStep:
    erasures = Erasures(path.with_suffix(".erasures"))
    return ReconcileStep(lambda _: path, lambda _: 0, ReconcilePolicy(), Unobserved(), state, judge, erasures=erasures)


def _laid_down(step: ReconcileStep) -> MemoryState:
    state = step.snapshot()
    step._store.file.close()
    return state


def _seconds(full: Path, path: Path, state: MemoryState, said: Iterable[Sequence[Entry]], judge: Judge | None) -> float:
    """Processor time of the step over the chat's entries, from a copy of the full memory."""
    shutil.copy(full, path)
    step = _step(path, state, judge)
    began = process_time()
    for entries in said:
        step.on_batch(entries)
    taken = process_time() - began
    _laid_down(step)
    return taken


def _entries(extract: ExtractStep, batch: Sequence[tuple[str, Reflection]]) -> list[Entry]:
    return [entry for _, entry in extract(batch) if isinstance(entry, Entry)]


def _earlier() -> Iterable[dict[str, Any]]:
    dice = random.Random(3)
    for number in range(_TOLD_BEFORE * _USERS):
        yield {
            "user_id": f"user-{number % _USERS}",
            "conversation_id": "before",
            "message_id": f"before-{number}",
            "role": "user",
            "text": of_themselves(dice),
            "sent_at": START_MS - (_TOLD_BEFORE * _USERS - number) * _MINUTE_MS,
        }


def _batches(rows: Iterable[dict[str, Any]]) -> Iterable[list[tuple[str, Reflection]]]:
    """As many messages as one activation has, conversation by conversation, each with what came before it."""
    spoken: dict[str, list[Message]] = {}
    batch: list[tuple[str, Reflection]] = []
    for row in rows:
        names = ("user_id", "conversation_id", "message_id", "role", "text")
        message = Message("default", *(row[name] for name in names), row["sent_at"], Origin("", 0, 0))
        before = spoken.setdefault(message.conversation_id, [])
        batch.append(("0", Reflection("default", message.user_id, "c", "length", tuple(before[-8:]), (message,))))
        before.append(message)
        if len(batch) == _BATCH_MESSAGES:
            yield batch
            batch = []
    if batch:
        yield batch
