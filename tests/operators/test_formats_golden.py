"""Every format by example: records as they come, and what must be read from them, written by hand (S1, S3).

A file of golden/ has `records`, the `formats` table of the configuration, the records' `key` and `timestamp_ms`, and
what all of them give in order: fields of messages and commands, or the reason, the beginning of the line and the
payload of a rejection. `outcomes` counts what became of them.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flows.settings import Formats, Settings
from operators.decode import REASONS, Decoder
from operators.formats import READERS
from operators.records import InRecord
from state.messages import Command, Message, Rejected

GOLDEN = Path(__file__).parent / "golden"
DOCUMENT = Path(__file__).parents[2] / "docs" / "formats.md"
FILES = sorted(GOLDEN.glob("*/*.json"))


class Outcomes:
    """An observer that remembers outcomes."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        if name == "messages_total":
            self.seen[labels["outcome"]] += int(amount)

    def measure(self, name: str, value: float, **labels: str) -> None:
        raise AssertionError("decoding measures nothing")

    gauge = measure


def value_of(record: Any) -> bytes:
    if "frame" not in record:
        return json.dumps(record, ensure_ascii=False).encode()
    body = json.dumps(record["json"]).encode() if "json" in record else bytes.fromhex(record["hex"])
    return b"\0" + int(record["frame"]).to_bytes(4, "big") + body


def decode(case: dict[str, Any], outcomes: Outcomes) -> list[Message | Command | Rejected]:
    settings = Settings(formats=msgspec.convert(case.get("formats", {}), Formats))
    decoder = Decoder(settings.decode_policy(), outcomes)
    key = case["key"].encode() if "key" in case else None
    records = [
        InRecord("mixed", "chats", 0, offset, value_of(record), key, case.get("timestamp_ms"))
        for offset, record in enumerate(case["records"])
    ]
    return [item for record in records for item in decoder.decode(record)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_format_is_read_as_written_down(path: Path) -> None:
    """S1, S2, S3, T5."""
    case = json.loads(path.read_text(encoding="utf-8"))
    outcomes = Outcomes()
    got = decode(case, outcomes)
    for item, wanted in zip(got, case["gives"], strict=True):
        if "rejected" in wanted:
            assert isinstance(item, Rejected), item
            assert item.reason == wanted["rejected"]
            assert item.reason in REASONS
            assert item.detail.startswith(wanted["detail"]), item.detail
            if "payload" in wanted:
                assert (json.loads(item.payload) if item.payload else None) == wanted["payload"]
        else:
            assert isinstance(item, Command if "command" in wanted else Message), item
            assert {name: json.loads(json.dumps(getattr(item, name))) for name in wanted} == wanted
    assert outcomes.seen.items() >= Counter(case.get("outcomes", {})).items()


def test_every_format_has_its_examples() -> None:
    """S1."""
    names = {path.parent.name for path in FILES}
    assert names == {"canonical", "openai", "elizaos", "langchain", "sharegpt", "slack", "mapping", "framing"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_reading_twice_gives_the_same(path: Path) -> None:
    """S4."""
    case = json.loads(path.read_text(encoding="utf-8"))
    assert decode(case, Outcomes()) == decode(case, Outcomes())


def test_the_documented_examples_are_read_and_every_reason_and_format_is_named() -> None:
    """S1, S3: docs/formats.md."""
    page = DOCUMENT.read_text(encoding="utf-8")
    configured = msgspec.toml.decode(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0], type=Settings)
    examples = [line for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    assert len(examples) >= 10
    for line in examples:
        settings = configured if "ticket" in line else Settings()
        got = Decoder(settings.decode_policy()).decode(InRecord("mixed", "chats", 0, 0, line.encode(), None, 5))
        assert got, line
        assert all(isinstance(item, Message) for item in got), got
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == {*REASONS, *READERS}


_ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e300, 2**63, "", " ", "a\nb", "ana", "1793610900.000100", "9" * 400, "<" * 50,
    "message_changed", "tombstone", "constructor", "document", [], {}, [1], ["a"], [{}], [[]], {"a": 1}, {"id": "u"},
    [{"type": "text", "text": {"value": None}}], [{"type": {}, "text": "x"}],
]  # fmt: skip
_ADDED = (
    "ephemeral",
    "participants",
    "user_id",
    "message",
    "messages",
    "type",
    "deleted",
    "profile",
    "members",
    "event",
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a parsed record with every name or place in it."""
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, step
        yield from places(value[step])


def test_no_damage_to_a_record_makes_decoding_raise() -> None:
    """S3: four hundred records of all formats, each with up to four fields put wrong."""
    dice = random.Random(7)
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
    rejected: Counter[str] = Counter()
    for _ in range(400):
        case = dice.choice(cases)
        record = copy.deepcopy(dice.choice([record for record in case["records"] if "hex" not in record]))
        for _ in range(dice.randint(1, 4)):
            holder, step = dice.choice(list(places(record)) or [({}, "x")])
            if isinstance(holder, dict) and dice.random() < 0.2:
                holder.pop(step, None)
            elif isinstance(holder, dict) and dice.random() < 0.15:
                holder[dice.choice(_ADDED)] = copy.deepcopy(dice.choice(_ODD))
            else:
                holder[step] = copy.deepcopy(dice.choice(_ODD))
        record.pop("frame", None)
        for item in decode(case | {"records": [record]}, Outcomes()):
            if isinstance(item, Rejected):
                assert item.reason in REASONS
                assert item.detail
                assert "\n" not in item.detail
                rejected[item.reason] += 1
            elif isinstance(item, Message):
                assert item.user_id
                assert item.message_id
    assert len(rejected) >= 6
