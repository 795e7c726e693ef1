"""Measure 9: what of an authored set of secrets and identifiers redaction takes out, and how often it errs on chat."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from flows.evaluation.chats import Chat
from flows.evaluation.figures import Figure
from operators.redact import redact

FOLDER = Path(__file__).parent / "redaction_set"
PARTS = ("tuning", "test")
ORDINARY = "ordinary"
RECALL_MIN = 0.98
FALSE_ALARMS_MAX = 0.01
CHATS = ("xpersona/en_valid", "xpersona/en_test", *(
    f"task_chats/{name}" for name in ("mt_bench", "role_prompts", "seed_tasks", "sgd", "taskmaster4", "ubuntu_irc")
))  # fmt: skip
_PLACEHOLDER = re.compile(r"\[redacted:\w+\]")
_AROUND_CHARS = 60


@dataclass(frozen=True, slots=True)
class Case:
    """An authored message: the kind of secret in it, and the secrets, word for word; kind "ordinary" holds none."""

    kind: str
    text: str
    secrets: tuple[str, ...]


def read_cases(part: str) -> list[Case]:
    """The authored messages of a part, "tuning" or "test"; no detector was changed with the test part in view."""
    rows = (orjson.loads(line) for line in (FOLDER / f"{part}.jsonl").read_bytes().splitlines())
    return [Case(row["kind"], row["text"], tuple(row["secrets"])) for row in rows]


def is_gone(secret: str, text: str, clean: str) -> bool:
    """Whether nothing of a secret is left: no run of four or more of its letters and digits, nor the whole."""
    runs = [run for run in re.findall(r"\w+", secret) if len(run) >= 4] or [secret]
    left, beside = _PLACEHOLDER.sub(" ", clean), text.replace(secret, " ")
    return all(left.count(run) <= beside.count(run) for run in runs)


def figures(part: str, cases: Sequence[Case]) -> Iterator[Figure]:
    """Recall over the messages of a part, overall and by kind, and the share of its ordinary messages touched."""
    found, asked = Counter[str](), Counter[str]()
    for case in cases:
        clean, kinds = redact(case.text)
        asked[case.kind] += 1
        found[case.kind] += all(is_gone(secret, case.text, clean) for secret in case.secrets) and (
            case.kind != ORDINARY or not kinds
        )
    touched = asked[ORDINARY] - found[ORDINARY]
    hits, count = found.total() - found[ORDINARY], asked.total() - asked[ORDINARY]
    name, target = f"redaction {part}", RECALL_MIN if part == "test" else None
    yield Figure(9, name, "recall of all kinds", hits / count if count else 0.0, count, None, target)
    if asked[ORDINARY]:
        share = touched / asked[ORDINARY]
        yield Figure(9, name, "look-alikes redacted, per message", share, asked[ORDINARY], at_most=True)
    for kind in sorted(asked.keys() - {ORDINARY}):
        yield Figure(9, name, f"recall of {kind}", found[kind] / asked[kind], asked[kind])


def false_alarms(name: str, chats: Sequence[Chat]) -> tuple[Figure, list[str]]:
    """Messages of ordinary chat in which anything is redacted, as a share and in excerpts.

    Some hold true contact data, so the share is an upper bound of false alarms. An excerpt shows the words as they
    were, for nobody could judge it otherwise.
    """
    texts = [said.text for chat in chats for said in chat.messages]
    shown = [excerpt for text in texts for excerpt in _excerpts(text)]
    touched = sum(bool(redact(text)[1]) for text in texts)
    share = touched / len(texts) if texts else 0.0
    return Figure(9, name, "messages redacted in ordinary chat", share, len(texts), at_most=True), shown


def all_false_alarms(parts: Sequence[Figure]) -> Figure:
    """The figures of several sets as one, beside the target."""
    count = sum(part.count for part in parts)
    share = sum(part.value * part.count for part in parts) / count if count else 0.0
    name = "messages redacted in ordinary chat"
    return Figure(9, "all chats", name, share, count, None, FALSE_ALARMS_MAX, at_most=True)


def tell(name: str, excerpts: Iterable[str]) -> None:
    """Lists what was redacted in ordinary chat on stderr, for a person to judge."""
    for excerpt in excerpts:
        print(f"factstream: {name}: {excerpt}", file=sys.stderr)


def _excerpts(text: str) -> Iterator[str]:
    clean, kinds = redact(text)
    if kinds:
        place = clean.find("[redacted:")
        around = text[max(0, place - _AROUND_CHARS) : place + _AROUND_CHARS]
        yield f"{', '.join(dict.fromkeys(kinds))}: …{' '.join(around.split())}…"
