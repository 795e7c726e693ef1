"""The publish step: outcomes to records for the topics (S2), in the words of INTERFACE.md."""

from __future__ import annotations

import orjson

from operators.reconcile import Outcome
from operators.records import OutRecord
from state.export import event_row, fact_row, iso, proposal_row
from state.facts import SCHEMA_VERSION
from state.summary import Summary

_JSON = (("content-type", b"application/json"), ("schema_version", str(SCHEMA_VERSION).encode()))


def publish(outcome: Outcome) -> list[OutRecord]:
    """All records of one outcome: events, then the latest version of each fact, proposals, the user's summary.

    A tombstone for every fact and proposal that is gone and, after an erase, for every event and the summary (F6).
    """
    user = f"{outcome.tenant}/{outcome.user_id}"
    partition_key = user.encode("utf-8", "surrogatepass")
    out = []
    for event in outcome.events:
        headers = (("event", event.event.encode()), *_JSON)
        out.append(_record("events", f"{user}/{event.event_id}", event_row(event), partition_key, headers))
    for fact in outcome.facts:
        out.append(_record("facts", f"{user}/{fact.fact_id}", fact_row(fact), partition_key, _JSON))
    for proposal in outcome.proposals:
        row = proposal_row(proposal)
        out.append(_record("proposals", f"{user}/{proposal.proposal_id}", row, partition_key, _JSON))
    if outcome.summary is not None:
        out.append(_record("users", user, _summary_row(outcome.summary), partition_key, _JSON))
    gone = (("events", outcome.gone_events), ("facts", outcome.gone), ("proposals", outcome.gone_proposals))
    for stream, idents in gone:
        out.extend(OutRecord(stream, f"{user}/{ident}".encode(), None, partition_key) for ident in idents)
    if outcome.erased:
        out.append(OutRecord("users", partition_key, None, partition_key))
    return out


def _record(
    stream: str, key: str, row: dict[str, object], partition_key: bytes, headers: tuple[tuple[str, bytes], ...]
) -> OutRecord:
    return OutRecord(stream, key.encode("utf-8", "surrogatepass"), orjson.dumps(row), partition_key, headers)


def _summary_row(summary: Summary) -> dict[str, object]:
    row = {name: getattr(summary, name) for name in summary.__slots__}
    row["last_said_at"] = iso(row.pop("last_said_at_ms"))
    row["schema_version"] = SCHEMA_VERSION
    return row
