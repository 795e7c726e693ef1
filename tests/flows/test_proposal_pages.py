"""The review queue's pages are those of the whole queue, however it is spread (W2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.memory import Memory
from state.facts import PROPOSAL_STATUSES, Proposal, stable_id
from state.layout import Layout, LayoutError, prepare, shard_of
from state.memory_store import MemoryStore, read_only
from state.user_memory import Changes
from state.windows import user_key
from tests.state.builders import START_MS, candidate

SHARDS = 16
NAMESPACES = (("user", "food"), ("user", "food", "drinks"), ("user", "foodstuff"), ("assistant",))


def proposal(number: int) -> Proposal:
    tenant, user = ("acme", "zeta")[number % 7 == 0], f"u{number % 5}"
    said = candidate(f"User likes tea {number}", namespace=NAMESPACES[number % 4], tenant=tenant, user_id=user)
    status = PROPOSAL_STATUSES[number % 3]
    return Proposal(stable_id("p", number), tenant, user, "ADD", said, None, status, "R1.add", START_MS)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Proposal]]:
    state = tmp_path_factory.mktemp("queue") / "state"
    prepare(Layout(state), SHARDS, lambda folder: None)
    made = [proposal(number) for number in range(120)]
    for shard in range(SHARDS):
        store = MemoryStore(Layout(state).memory(shard), None)
        with store.file.transaction():
            for each in made:
                if shard_of(each.tenant, each.user_id, SHARDS) == shard:
                    store.file.next_seq()
                    store.save(user_key(each.tenant, each.user_id), Changes(proposals=(each,)))
        store.file.close()
    return state, sorted(made, key=lambda each: each.proposal_id)


@pytest.mark.parametrize("tenant", ["acme", "zeta", None])
@pytest.mark.parametrize("status", ["pending", "approved", "all"])
@pytest.mark.parametrize("namespace", [(), ("user",), ("user", "food"), ("assistant",), ("nowhere",)])
def test_pages_are_the_whole_queue_in_order_of_id(
    filled: tuple[Path, list[Proposal]], tenant: str | None, status: str, namespace: tuple[str, ...]
) -> None:
    """W2: by tenant, status and namespace with what is below it"""
    state, made = filled
    wanted = [
        each
        for each in made
        if tenant in (None, each.tenant)
        and status in ("all", each.status)
        and each.candidate.namespace[: len(namespace)] == namespace
    ]
    with Memory(state, tenant) as memory:
        assert memory.proposals(None, status, namespace) == wanted
        pages, after = [], None
        while page := memory.proposals(None, status, namespace, after, limit=7):
            pages += page
            after = page[-1].proposal_id
        assert pages == wanted


def test_a_users_page_is_cut_as_that_of_all_is(filled: tuple[Path, list[Proposal]]) -> None:
    """W2"""
    state, made = filled
    own = [each for each in made if (each.tenant, each.user_id, each.status) == ("acme", "u1", "pending")]
    with Memory(state, "acme") as memory:
        assert memory.proposals("u1", "pending", after=own[1].proposal_id, limit=2) == own[2:4]


def test_a_proposal_is_found_by_its_id_in_its_own_tenant_alone(filled: tuple[Path, list[Proposal]]) -> None:
    """W2"""
    state, made = filled
    for each in made[:9]:
        with Memory(state, each.tenant) as own, Memory(state, "another") as other:
            assert own.proposal(each.proposal_id) == each
            assert other.proposal(each.proposal_id) is None
    with Memory(state, None) as memory:
        assert memory.waiting() == sum(each.status == "pending" for each in made)


def test_a_file_of_another_format_is_refused_and_not_misread(tmp_path: Path) -> None:
    """S11"""
    store = MemoryStore(tmp_path / "m.db", None)
    store.file.db.execute("pragma user_version=99")
    store.file.close()
    with pytest.raises(LayoutError, match="format 99, this program reads format"):
        read_only(tmp_path / "m.db")
