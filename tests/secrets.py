"""Secrets of the authored set on their way through the job, and where pieces of them turn up (P2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from flows.evaluation.redaction import ORDINARY, Case, is_gone, read_cases
from operators.redact import redact

RUN_MIN = 8


def found_cases() -> list[Case]:
    """The test part's messages whose secrets redaction finds; one pattern more or less is measured elsewhere."""
    cases = [case for case in read_cases("test") if case.kind != ORDINARY]
    return [case for case in cases if all(is_gone(each, case.text, redact(case.text)[0]) for each in case.secrets)]


def secret_lines(cases: Iterable[Case], user: str = "ilka") -> list[bytes]:
    """Each secret in a message with something to remember, every third in a record that cannot be read."""
    rows = []
    for i, case in enumerate(cases):
        role = "wizard" if i % 3 == 2 else "user"
        text = f"I live in Graz. {case.text}"
        at = f"2026-03-{1 + i // 96:02}T{i % 96 // 4:02}:{i % 4 * 15:02}:00Z"
        place = {"user_id": user, "conversation_id": f"c{i // 20}", "message_id": f"m{i}"}
        rows.append({**place, "role": role, "text": text, "sent_at": at})
    return [orjson.dumps(row) for row in rows]


def pieces(cases: Iterable[Case]) -> set[bytes]:
    """What must be nowhere: the secrets' long runs of letters and digits, where nothing else in their case has them."""
    return {
        run.encode()
        for case in cases
        for secret in case.secrets
        for run in re.findall(r"\w+", secret)
        if len(run) >= RUN_MIN and run not in case.text.replace(secret, " ") and run not in "01234567890"
    }


def leaked(found: Iterable[bytes], cases: Iterable[Case]) -> set[bytes]:
    """The pieces that some of the bytes hold."""
    texts = list(found)
    return {piece for piece in pieces(cases) if any(piece in text for text in texts)}


def bytes_under(folder: Path) -> Iterator[bytes]:
    """Every file's raw bytes: stores, recovery, windows, snapshots, dead letters, spool and logs."""
    return (path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
