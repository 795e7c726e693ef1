"""The verbs prune and import, through the flow with the real models (Q5, F5, R10)."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows import importing
from flows.commands import send
from flows.importing import Defaults, Report
from flows.memory import Memory
from flows.pruning import prune
from flows.settings import Settings, load
from state.export import fact_row, iso
from state.layout import Layout
from state.predicates import kind_of, namespace_for
from tests.state.builders import DAY_MS, START_MS

METRIC = "Assistant should use metric units"
SECRET = "sk-test-4f9QzR7m2LpX8vT1nB6c"
MEM0: dict[str, Any] = {
    "results": [
        {"id": "a1", "memory": "Likes pizza", "user_id": "ana", "created_at": "2026-01-05T10:00:00-08:00"},
        {"id": "a2", "memory": "Name is Ana", "user_id": "ana", "created_at": "2026-01-06T10:00:00Z", "metadata": None},
        {"id": "a3", "memory": f"Deploy key is {SECRET}", "user_id": "ana", "created_at": "2026-01-07T10:00:00Z"},
        {"id": "a4", "memory": "I live in Porto", "user_id": "bo@example.org", "updated_at": "2026-01-08T10:00:00Z"},
        {"id": "a5", "memory": "Use metric units", "user_id": "ana", "created_at": "2026-01-09T10:00:00Z",
         "metadata": {"kind": "procedure"}, "categories": ["misc"]},
        {"id": "a6", "memory": "  ", "user_id": "ana"},
        {"id": "a7", "memory": "Likes tea", "created_at": "2026-01-05T10:00:00Z"},
    ]
}  # fmt: skip
HISTORY = [
    {"id": "h1", "memory_id": "a1", "old_memory": None, "new_memory": "Lives in Rome", "event": "ADD",
     "created_at": "2026-01-01T10:00:00Z", "is_deleted": 0},
    {"id": "h2", "memory_id": "a1", "old_memory": "Lives in Rome", "new_memory": "Lives in Bari", "event": "UPDATE",
     "created_at": "2026-02-01T10:00:00Z", "is_deleted": 0},
    {"id": "h3", "memory_id": "a2", "old_memory": "Likes tea", "new_memory": None, "event": "DELETE", "is_deleted": 1},
]  # fmt: skip


@pytest.fixture
def small(tmp_path: Path) -> tuple[Settings, Path, str]:
    config = tmp_path / "factstream.toml"
    config.write_text("[memory]\nshards = 2\n[recovery]\npartitions = 1\n")
    return load(config, {}), tmp_path / "state", str(config)


def imported(small: tuple[Settings, Path, str], rows: object, dry_run: bool = False, **told: Any) -> Report:
    settings, state, config = small
    defaults = Defaults(now="2026-03-01T10:00:00Z", **told)
    return importing.import_rows(settings, state, config, orjson.dumps(rows), defaults, dry_run)


def contents(state: Path, user: str) -> list[str]:
    with Memory(state) as memory:
        return sorted(fact.content for fact in memory.facts(user))


def test_what_mem0_kept_comes_in_as_policy_and_rules_allow(small: tuple[Settings, Path, str]) -> None:
    """Q5, P1, P2: redacted, proposed where a kind waits for approval, each row on its own"""
    state = small[1]
    tried = imported(small, MEM0, dry_run=True)
    assert not state.exists()
    done = imported(small, MEM0)
    assert done.row() == tried.row()
    assert (done.rows, done.faults, done.failed) == (7, 2, True)
    assert [fault[:6] for fault in done.first_faults] == ["row 6:", "row 7:"]
    assert {"User likes pizza", "User's name is Ana"} <= set(contents(state, "ana"))
    assert contents(state, "bo@example.org") == ["User lives in Porto"]
    with Memory(state) as memory:
        assert [proposal.candidate.content for proposal in memory.proposals("ana", "pending")] == [METRIC]
        assert {fact.first_said_at_ms for fact in memory.facts("bo@example.org")} == {1_767_866_400_000}
    files = [path for path in state.rglob("*") if path.is_file()]
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]
    assert not [path for path in files if path.name.startswith("import-")]
    again = imported(small, MEM0)
    assert (again.by_answer, again.repeated) == ({}, 5)


def test_mem0s_history_ends_in_what_was_said_last(small: tuple[Settings, Path, str]) -> None:
    """Q5, R6: its rows name no user"""
    assert imported(small, HISTORY, dry_run=True).faults == 2
    done = imported(small, HISTORY, user="ana")
    assert (done.faults, contents(small[1], "ana")) == (0, ["User lives in Bari"])
    with Memory(small[1]) as memory:
        assert [version.fact.content for version in memory.history("ana")] == [
            "User lives in Rome",
            "User lives in Bari",
        ]


def test_an_export_put_into_a_fresh_memory_is_the_same_when_it_is_exported(
    small: tuple[Settings, Path, str], tmp_path: Path
) -> None:
    """Q5: ids, revisions, statuses, evidence and history"""
    settings, state, config = small
    said = ("I live in Graz.", "I moved to Linz.", "I love jazz.", "I have two sons.")
    rows = [
        {
            "command": "remember",
            "tenant": "default",
            "user_id": "ana",
            "text": text,
            "sent_at": iso(START_MS + n * DAY_MS),
        }
        for n, text in enumerate(said)
    ]
    forget = {"command": "forget", "tenant": "default", "user_id": "ana", "text": "my sons"}
    send(settings, str(state), config, [*rows, {**forget, "sent_at": iso(START_MS + 9 * DAY_MS)}])
    exported = all_versions(state)
    assert {row["status"] for row in exported} == {"active", "superseded", "forgotten"}
    fresh = (settings, tmp_path / "fresh", config)
    assert not imported(fresh, exported).failed
    assert all_versions(fresh[1]) == exported
    with Memory(fresh[1]) as memory:
        assert all(fact.embedding for fact in memory.facts("ana", "all"))
    moved = imported(fresh, exported, tenant="acme")
    assert (sum(moved.by_answer.values()), moved.repeated) == (len(exported), 0)
    with Memory(fresh[1], "acme") as memory:
        assert len(memory.facts("ana", "all")) == 3


DIARY = {
    "ana": ("User has diabetes", "User likes tea", "Assistant should use metric units"),
    "bo": (f"User keeps {SECRET} safe",),
}


def diary(user: str, number: int) -> dict[str, Any]:
    """A row as a hand that knows the form would write it."""
    content = DIARY[user][number]
    predicate = {"has diabetes": "has_condition", "likes tea": "likes"}.get(content.removeprefix("User "), "instructs")
    subject, _, what = content.partition(" ")
    return {
        "id": f"{user}{number}", "tenant": "default", "user_id": user, "agent_id": None,
        "namespace": list(namespace_for(subject.casefold(), predicate)), "kind": kind_of(predicate),
        "content": content, "subject": subject.casefold(), "predicate": predicate, "object": what, "polarity": True,
        "confidence": 0.9, "reinforced_confidence": 0.9, "mentions": 1, "intensity": 0.5, "importance": 0.5,
        "language": "en", "status": "active", "reason": None, "revision": 1, "sources": [],
        "first_said_at": "2026-01-05T10:00:00Z", "last_said_at": "2026-01-05T10:00:00Z",
        "recorded_at": "2026-01-05T10:00:00Z",
    }  # fmt: skip


def every_row() -> list[dict[str, Any]]:
    return [diary(user, number) for user, said in DIARY.items() for number in range(len(said))]


@pytest.mark.parametrize(
    ("policy", "kept", "waits"),
    [
        ("", {"User has diabetes", "User likes tea", METRIC}, set()),
        ("sensitive.health = 'drop'", {"User likes tea", METRIC}, set()),
        ("kinds = ['opinion']", {"User likes tea"}, set()),
        ("namespaces.deny = ['user/preferences']", {"User has diabetes", METRIC}, set()),
        ("profile = 'review'", set(), {"User has diabetes", "User likes tea", METRIC}),
        ("write_mode_by_source.import = 'propose'", set(), {"User has diabetes", "User likes tea", METRIC}),
        ("sensitive.health = 'propose'", {"User likes tea", METRIC}, {"User has diabetes"}),
    ],
)
def test_an_export_passes_policy_and_the_report_says_what_became_of_it(
    tmp_path: Path, policy: str, kept: set[str], waits: set[str]
) -> None:
    """P1, P2, P4, W1, Q5: redact, validate, should-remember, whoever wrote the rows; a dry run tells the same"""
    config, state = tmp_path / "factstream.toml", tmp_path / "state"
    config.write_text(f"[memory]\nshards = 2\n[recovery]\npartitions = 1\n[policy]\n{policy}\n")
    here = (load(config, {}), state, str(config))
    tried = imported(here, every_row(), dry_run=True)
    done = imported(here, every_row())
    assert done.row() == tried.row()
    with Memory(state) as memory:
        assert {fact.content for fact in memory.facts("ana")} == kept
        assert {proposal.candidate.content for proposal in memory.proposals("ana", "pending")} == waits
    of_bo = 0 if kept else 1 if waits else 0
    assert (done.redacted, done.proposed - of_bo * bool(waits)) == (1, len(waits))
    assert done.left_out >= 3 - len(kept) - len(waits)
    dropped = {"User has diabetes"} - kept - waits
    for path in (path for path in state.rglob("*") if path.is_file()):
        content = path.read_bytes()
        assert not [word for word in (SECRET, *dropped) if word.encode() in content], path


def test_of_an_erased_user_nothing_comes_in_unless_it_is_asked_for(small: tuple[Settings, Path, str]) -> None:
    """F6, Q5: an export or a dump from before the erase, and a dump that tells no time"""
    settings, state, config = small
    undated = [{"id": "a9", "memory": "Likes jazz", "user_id": "ana"}]
    assert not imported(small, every_row()).failed
    erase = {"command": "erase", "tenant": "default", "user_id": "ana", "sent_at": "2026-02-01T10:00:00Z"}
    send(settings, str(state), config, [erase])
    for rows, there in ((every_row(), 3), (undated, 1)):
        for dry_run in (True, False):
            done = imported(small, rows, dry_run)
            assert (done.erased, done.failed) == (there, False)
        assert contents(state, "ana") == []
    assert imported(small, [{**undated[0], "created_at": "2026-02-02T10:00:00Z"}]).erased == 0
    assert contents(state, "ana") == ["User likes jazz"]
    done = imported(small, every_row(), allow_replay=True)
    assert (done.erased, done.by_answer.total(), {rule for _, rule in done.by_answer}) == (0, 3, {"Q5.imported"})
    assert set(contents(state, "ana")) == {*DIARY["ana"], "User likes jazz"}


def test_what_a_killed_import_has_left_on_disk_goes_with_the_next_one(small: tuple[Settings, Path, str]) -> None:
    """P2, F6: it holds what people wrote; that of an import which waits for its turn stays"""
    spool = Layout(small[1]).spool.parent
    spool.mkdir(parents=True)
    left, waiting = spool / "import-left-0.jsonl", spool / "import-waiting-0.jsonl"
    for path in (left, waiting):
        path.write_bytes(b"{}\n")
    with waiting.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        imported(small, [diary("ana", 1)])
    assert sorted(path.name for path in spool.glob("import-*")) == [waiting.name]


def all_versions(state: Path) -> list[dict[str, Any]]:
    with Memory(state) as memory:
        rows = [fact_row(version.fact) for version, _ in memory.versions()]
    return sorted(rows, key=lambda row: (row["id"], row["revision"]))


def test_a_prune_reaches_silent_users_and_tells_first_what_it_would_take(small: tuple[Settings, Path, str]) -> None:
    """R10, F5: through the flow"""
    settings, state, config = small
    given = {"command": "remember", "tenant": "default", "sent_at": iso(START_MS)}
    texts = {"ana": "I'm visiting Rome this week.", "bo": "I live in Bonn."}
    send(settings, str(state), config, [{**given, "user_id": user, "text": text} for user, text in texts.items()])
    later = START_MS + 400 * DAY_MS
    tried = prune(settings, state, config, (later, iso(later)), None, dry_run=True)
    assert tried.row() == {"users": 1, "by_rule": {"R10.expired": 1}, "tombstones": 0, "messages": 0}
    assert len(contents(state, "ana")) == 1
    done = prune(settings, state, config, (later, iso(later)), None, dry_run=False)
    assert (done.row(), done.unanswered) == (tried.row(), 0)
    assert (contents(state, "ana"), contents(state, "bo")) == ([], ["User lives in Bonn"])
    assert prune(settings, state, config, (later, iso(later)), None, dry_run=False).users == 0
