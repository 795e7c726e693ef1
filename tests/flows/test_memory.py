"""The Python face over one memory: what narrows a question, what is found by messages, what is behind a fact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from bytewax.recovery import init_db_dir

from flows import Memory
from operators.observing import Unobserved
from operators.reconcile import ReconcilePolicy, ReconcileStep
from state.erasures import Erasures
from state.facts import Entry
from state.index import encode
from state.layout import Layout, prepare
from state.prompt import BlockPlan, PromptPlan
from tests.state.builders import DAY_MS, START_MS, candidate, command, entry
from tests.state.test_turns import turn
from tests.stubs import StubEmbedder

EMBEDDER = StubEmbedder()


def coded(text: str) -> bytes:
    return encode(EMBEDDER.embed([text]))[0]


def said(number: int, text: str, day: float = 0, **changes: Any) -> Any:
    embedding = coded(text)
    return turn(f"m{number}", text, day, embedding=embedding, embedding_version=EMBEDDER.version, **changes)


def learned(number: int, content: str, predicate: str, object_: str, day: float = 0, **changes: Any) -> Entry:
    at_ms = START_MS + int(day * DAY_MS)
    return entry(
        candidate(
            content, predicate, object_, said_at_ms=at_ms, message_id=f"m{number}", embedding=coded(content),
            embedding_version=EMBEDDER.version, **changes,
        )
    )  # fmt: skip # one claim a line


LIFE: list[Any] = [
    said(1, "I live in Berlin, near the canal", 0),
    learned(1, "User lives in Berlin", "lives_in", "Berlin", 0),
    said(2, "the ferry to Bergen was late and everybody sang", 10),
    said(3, "We moved to Munich", 20),
    learned(3, "User moved to Munich", "moved_to", "Munich", 20),
    said(4, "I like tea", 30),
    learned(4, "User likes tea", "likes", "tea", 30, kind="opinion", namespace=("user", "preferences", "food")),
    said(5, "I smoke a pipe", 40),
    learned(5, "User smokes a pipe", "does", "smoke a pipe", 40),
]
FORGET = Entry(
    "default", "ana", START_MS + 50 * DAY_MS, "k1",
    command=command("forget", START_MS + 50 * DAY_MS, "k1", text="that I smoke a pipe"),
    embedding=coded("that I smoke a pipe"),
)  # fmt: skip


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("memory")
    layout = Layout(root)
    prepare(layout, 1, lambda path: init_db_dir(path, 1))
    policy = ReconcilePolicy(turns_ms=4_000 * DAY_MS)
    step = ReconcileStep(
        layout.memory, lambda item: 0, policy, Unobserved(), None, erasures=Erasures(root / "erasures")
    )
    step.on_batch([*LIFE, FORGET])
    step.snapshot()
    return root


@pytest.fixture
def memory(state: Path) -> Iterator[Memory]:
    with Memory(state, embedder=EMBEDDER) as opened:
        yield opened


def contents(found: list[Any]) -> list[str]:
    return [each.content for each in found]


def test_recall_narrows_to_a_namespace_and_to_kinds(memory: Memory) -> None:
    """Q1"""
    assert contents(memory.recall("ana", "tea", namespace=("user", "preferences"), kinds=("opinion",))) == [
        "User likes tea"
    ]
    assert memory.recall("ana", "tea", namespace=("user", "preferences"), kinds=("procedure",)) == []


def test_recall_tells_what_was_known_and_what_was_true_at_a_time(memory: Memory) -> None:
    """Q1"""
    before_ms = START_MS + 5 * DAY_MS
    assert contents(memory.recall("ana", "home", as_of_ms=before_ms)) == ["User lives in Berlin"]
    assert "User lives in Berlin" in contents(memory.recall("ana", "home", true_at_ms=before_ms))
    assert "User lives in Berlin" not in contents(memory.recall("ana", "home", 10))


def test_what_no_fact_holds_is_found_by_the_message_that_said_it(memory: Memory) -> None:
    """Q4"""
    first = memory.search("ana", "what happened on the ferry to Bergen?")[0]
    assert first.fact is None
    assert [each.text for each in first.turns] == ["the ferry to Bergen was late and everybody sang"]
    assert orjson.loads(orjson.dumps(first.row))["turns"][0]["message_id"] == "m2"


def test_a_search_puts_the_present_before_the_past_and_knows_only_the_past_as_of_then(memory: Memory) -> None:
    """F1, Q1"""
    found = [each.message_ids[0] for each in memory.search("ana", "live in Berlin near the canal")]
    assert found.index("m3") < found.index("m1")
    then = memory.search("ana", "live in Berlin near the canal", as_of_ms=START_MS + 5 * DAY_MS)
    assert [each.message_ids for each in then] == [("m1",)]


def test_what_was_forgotten_is_in_no_answer(memory: Memory) -> None:
    """F1, F3"""
    assert not any("smoke" in fact for fact in contents(memory.recall("ana", "smoke a pipe", 10)))
    assert "m5" not in {each.message_id for hit in memory.search("ana", "smoke a pipe") for each in hit.turns}
    assert "m5" not in {each.message_id for each in memory.turns("ana")}


def test_the_messages_behind_a_fact_are_cut_at_the_words_that_count(memory: Memory) -> None:
    """Q4"""
    [fact] = [each for each in memory.facts("ana") if "tea" in each.content]
    [found] = memory.evidence("ana", fact.fact_id)
    assert (found.before, found.said, found.after) == ("", "I like tea", "")
    assert memory.evidence("ana", "nobody knows it") == []


def test_turns_come_latest_first_and_from_before_a_time(memory: Memory) -> None:
    """Q4"""
    assert [each.message_id for each in memory.turns("ana", 2)] == ["m4", "m3"]
    assert [each.message_id for each in memory.turns("ana", before_ms=START_MS + 20 * DAY_MS)] == ["m2", "m1"]


def test_one_fact_the_recent_ones_and_the_profile(memory: Memory) -> None:
    """Q1, Q7"""
    [latest] = memory.recent("ana", 1)
    assert latest.content == "User likes tea"
    assert memory.fact("ana", latest.fact_id) == latest
    assert memory.profile("ana")["residence"].value == "Munich"


def test_a_user_whom_nobody_knows_has_nothing(memory: Memory) -> None:
    assert memory.recall("nobody", "home") == memory.search("nobody", "home") == memory.turns("nobody") == []


def test_a_time_in_the_question_puts_what_was_said_then_first(memory: Memory) -> None:
    """Q1"""
    now_ms = START_MS + 60 * DAY_MS
    found = memory.search("ana", "what did I say five weeks ago about Berlin?", now_ms=now_ms)
    assert found[0].message_ids == ("m3",)  # 20 days after the first: in the week asked about


@pytest.mark.parametrize(("zone", "first"), [("Asia/Tokyo", "m1"), ("UTC", "m2")])
def test_a_month_in_a_question_is_that_of_the_users_own_clock(tmp_path: Path, zone: str, first: str) -> None:
    """Q1, X5"""
    layout = Layout(tmp_path)
    prepare(layout, 1, lambda path: init_db_dir(path, 1))
    step = ReconcileStep(
        layout.memory, lambda item: 0, ReconcilePolicy(turns_ms=4_000 * DAY_MS), Unobserved(), None,
        erasures=Erasures(tmp_path / "erasures"),
    )  # fmt: skip # as above
    set_zone = command("profile", START_MS, "k1", profile=(("timezone", zone),))
    hours = DAY_MS // 24
    midnight_ms = START_MS + 14 * hours  # 2026-03-02T00:00Z
    april_ms, may_ms = midnight_ms + 29 * DAY_MS + 16 * hours, midnight_ms + 59 * DAY_MS + 16 * hours
    step.on_batch(
        [
            Entry("default", "ana", START_MS, "k1", command=set_zone),
            said(1, "the ferry was late", sent_at_ms=april_ms),
            said(2, "the ferry was late", sent_at_ms=may_ms),
        ]
    )
    step.snapshot()
    with Memory(tmp_path, embedder=EMBEDDER) as memory:
        found = memory.search("ana", "what did I say about the ferry in April?", now_ms=may_ms + 40 * DAY_MS)
    assert found[0].message_ids == (first,)


def test_vectors_of_another_model_are_not_compared(state: Path) -> None:
    """Q6"""

    class Other(StubEmbedder):
        version = "stub-embedder-2"

    with Memory(state, embedder=Other()) as opened:
        alike = opened.recall("ana", "User likes tea", 1)
    with Memory(state, embedder=EMBEDDER) as opened:
        assert opened.recall("ana", "User likes tea", 1)[0].score > alike[0].score


def lines_of(text: str) -> list[str]:
    return [line.split('"')[1] for line in text.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize(
    ("strategy", "limit", "told"),
    [
        ("semantic", 1, ["User moved to Munich"]),
        ("recent", 1, ["User likes tea"]),
        ("list", 9, ["User moved to Munich", "User likes tea"]),
        ("off", 9, []),
    ],
)
def test_a_block_is_filled_by_its_strategy(state: Path, strategy: Any, limit: int, told: list[str]) -> None:
    """Q2, P7, F1"""
    plan = PromptPlan((BlockPlan("facts", ("fact", "opinion"), strategy, limit),))
    with Memory(state, embedder=EMBEDDER, prompts=plan) as opened:
        assert lines_of(opened.prompt("ana", "moved to Munich")) == [*told, "User smokes a pipe"]


def test_a_block_keeps_to_its_namespaces_and_looks_for_its_own_words(state: Path) -> None:
    """Q2, P7"""
    food = BlockPlan(
        "food", ("opinion",), "semantic", 5, namespaces=(("user", "preferences", "food"),), query="tea {query}"
    )
    other = BlockPlan("other", ("opinion",), "semantic", 5, namespaces=(("user", "elsewhere"),))
    with Memory(state, embedder=EMBEDDER, prompts=PromptPlan((food, other))) as opened:
        text = opened.prompt("ana", "breakfast")
    assert lines_of(text) == ["User likes tea", "User smokes a pipe"]
    assert "<other>" not in text


def test_a_forget_is_seen_by_readers_before_the_epoch_ends(tmp_path: Path) -> None:
    """F1: an activation is committed at once; only what the stream keeps of it waits for the epoch."""
    layout = Layout(tmp_path)
    prepare(layout, 1, lambda path: init_db_dir(path, 1))
    policy, ledger = ReconcilePolicy(turns_ms=DAY_MS), Erasures(tmp_path / "erasures")
    step = ReconcileStep(layout.memory, lambda item: 0, policy, Unobserved(), None, erasures=ledger)
    step.on_batch([said(5, "I smoke a pipe", 40), learned(5, "User smokes a pipe", "does", "smoke a pipe", 40)])
    with Memory(tmp_path, embedder=EMBEDDER) as reading:
        assert contents(reading.recall("ana", "smoke a pipe")) == ["User smokes a pipe"]
        step.on_batch([FORGET])
        assert reading.recall("ana", "smoke a pipe") == reading.search("ana", "smoke a pipe") == []
        assert lines_of(reading.prompt("ana", "smoke a pipe")) == ["User smokes a pipe"], "not to be restated"


def test_what_was_forgotten_since_is_not_recalled_as_of_before(memory: Memory) -> None:
    """Q3"""
    before_ms = START_MS + 45 * DAY_MS
    assert not any("smoke" in each for each in contents(memory.recall("ana", "smoke", 10, as_of_ms=before_ms)))
