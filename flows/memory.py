"""`Memory`: the read-only Python face of a state directory, safe beside a running job (Q1, Q3, Q5)."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from state import memory_store as store
from state import proposal_queue
from state.export import fact_row
from state.facts import Entry, Fact, FactEvent, Proposal
from state.index import encode
from state.layout import Layout, read_identity, shard_of
from state.memory_store import Version
from state.prompt import default_blocks, render_prompt
from state.readers import ShardReaders
from state.recall import Ranked, as_of, rank, recent, select
from state.user_memory import UserMemory
from state.windows import user_key

_PROCEDURES = 4


@dataclass(frozen=True, slots=True)
class Recalled:
    """A fact with the score that it was ranked by; the exported fields (INTERFACE) are attributes."""

    score: float
    row: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.row[name]
        except KeyError:
            raise AttributeError(f"a fact has no {name!r}; it has {', '.join(self.row)}") from None


class Memory:
    """One memory on disk. Each call reads committed state in short transactions and holds no lock between calls.

    `tenant` None reads all tenants where no user is named. Raises state.layout.LayoutError when `state` holds no
    memory that this program can read. `embedder` is the model for queries; without one it is loaded when first needed.
    """

    def __init__(
        self, state: str | Path = "factstream-state", tenant: str | None = "default", embedder: Any = None
    ) -> None:
        self._layout = Layout(Path(state))
        self._shards = read_identity(self._layout).shards
        if "/" in (tenant or ""):
            raise ValueError(f"tenant is {tenant!r}; a tenant has no slash in its name")
        self._tenant = tenant
        self._embedder: Any = embedder
        self._readers = ShardReaders(self._layout.memory, self._shards)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets the query model go, and the files."""
        self._embedder = None
        self._readers.close()

    def recall(
        self, user: str, query: str | None = None, limit: int = 5, as_of_ms: int | None = None
    ) -> list[Recalled]:
        """What is known of a user that bears on the query, best first; without one, what is recent and important.

        Forgotten and superseded facts never come back (Q3). `as_of_ms`: what was known at that event time.
        """
        facts = self.facts(user) if as_of_ms is None else self._known_at(user, as_of_ms)
        now_ms = int(time.time() * 1000) if as_of_ms is None else as_of_ms
        return [
            Recalled(ranked.score, {**fact_row(ranked.fact), "score": ranked.score})
            for ranked in self._ranked(facts, query, now_ms, limit)
        ]

    def prompt(
        self,
        user: str,
        query: str | None = None,
        limit: int = 5,
        budget_tokens: int = 500,
        as_of_ms: int | None = None,
    ) -> str:
        """A user's memory as text for a prompt (Q2): fitting facts, recent procedures, what not to restate."""
        everything = self.facts(user, "all") if as_of_ms is None else self._known_at(user, as_of_ms)
        procedures = select(everything, kinds=("procedure",))
        facts = select(everything, kinds=("fact", "status", "opinion"))
        best = [ranked.fact for ranked in self._ranked(facts, query, int(time.time() * 1000), limit)]
        forgotten = [fact for fact in everything if fact.status == "forgotten"]
        return render_prompt(default_blocks(best, recent(procedures, _PROCEDURES)), forgotten, budget_tokens)

    def _ranked(self, facts: list[Fact], query: str | None, now_ms: int, limit: int) -> list[Ranked]:
        if query is None or not facts:
            return rank(facts, None, query, now_ms, limit)
        code = encode(self._embed(query))[0]
        return rank(facts, code, query, now_ms, limit, embedding_version=self._embedder.version)

    def _embed(self, text: str) -> Any:
        if self._embedder is None:
            from models.embedder import Embedder  # loading the model takes longer than most verbs need

            self._embedder = Embedder()
        return self._embedder.embed([text])

    def _known_at(self, user: str, as_of_ms: int) -> list[Fact]:
        with self._of_user(user) as db:
            return [] if db is None else as_of(store.rows(db, self._key(user)), as_of_ms)

    def facts(self, user: str, status: str = "active") -> list[Fact]:
        """The current version of each of a user's facts: active ones, those of another status, or "all"."""
        with self._of_user(user) as db:
            facts = [] if db is None else store.current_facts(db, self._key(user))
        return [fact for fact in facts if status in ("all", fact.status)]

    def history(self, user: str, fact_id: str | None = None) -> list[Version]:
        """Every version of a user's facts, or of one fact, oldest first."""
        with self._of_user(user) as db:
            found = [] if db is None else list(store.versions(db, self._key(user)))
        return [version for version in found if fact_id in (None, version.fact.fact_id)]

    def proposals(
        self,
        user: str | None = None,
        status: str | None = None,
        namespace: tuple[str, ...] = (),
        after: str | None = None,
        limit: int | None = None,
    ) -> list[Proposal]:
        """Proposals of a user or of all, of one status or of all, of a namespace and those below it, in order of id.

        A page: at most `limit` of them, those after the id `after`.
        """
        status, after = status or "all", after or ""
        if user is None:
            return self._page(status, namespace, after, limit)
        with self._of_user(user) as db:
            found = [] if db is None else store.current_proposals(db, self._key(user))
        wanted = [
            proposal
            for proposal in found
            if status in ("all", proposal.status)
            and proposal.candidate.namespace[: len(namespace)] == namespace
            and proposal.proposal_id > after
        ]
        return sorted(wanted, key=lambda proposal: proposal.proposal_id)[:limit]

    def _page(self, status: str, namespace: tuple[str, ...], after: str, limit: int | None) -> list[Proposal]:
        with self._readers.all() as shards:
            found = [
                (proposal_id, row, db)
                for db in shards
                for proposal_id, row in proposal_queue.page(db, self._tenant, status, namespace, after, limit)
            ]
            firsts = sorted(found, key=itemgetter(0))[:limit]
            taken = [proposal_queue.take(db, row) for _, row, db in firsts]
        return [proposal for proposal in taken if proposal is not None]

    def waiting(self) -> int:
        """How many proposals are pending."""
        with self._readers.all() as shards:
            return sum(proposal_queue.count(db, self._tenant, "pending") for db in shards)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """One proposal, whatever its status and whosever it is."""
        with self._readers.all() as shards:
            found = (proposal_queue.find(db, self._tenant, proposal_id) for db in shards)
            return next((proposal for proposal in found if proposal is not None), None)

    def events(self, user: str | None = None) -> Iterator[FactEvent]:
        """Events of a user or of all, a user's in the order in which they were made."""
        for db in self._of(user):
            for event in store.events(db, None if user is None else self._key(user)):
                if self._mine(event.tenant):
                    yield event

    def versions(self, user: str | None = None) -> Iterator[tuple[Version, int]]:
        """Every version of every fact with its shard, of a user or of all."""
        for shard, db in self._numbered(user):
            for version in store.versions(db, None if user is None else self._key(user)):
                if self._mine(version.fact.tenant):
                    yield version, shard

    def rows(self) -> Iterator[tuple[Version, int]]:
        """Every row ever written of every fact, with its shard: what a snapshot keeps."""
        for shard, db in self._numbered(None):
            for version in store.rows(db):
                yield version, shard

    def commands(self) -> Iterator[Entry]:
        """Every applied command."""
        for _, db in self._numbered(None):
            yield from store.commands(db)

    def users(self) -> list[str]:
        """Users with facts, in order of name."""
        prefix = f"{self._tenant or 'default'}/"
        found = [user for db in self._of(None) for user in store.users(db) if user.startswith(prefix)]
        return sorted(user.removeprefix(prefix) for user in found)

    def marks(self) -> dict[int, int]:
        """Per shard, the number of its last event: what `events_since` goes on from."""
        return {shard: store.last_event(db) for shard, db in self._numbered(None)}

    def events_since(self, marks: dict[int, int], shards: Iterable[int] | None = None) -> Iterator[FactEvent]:
        """Events made since `marks` was taken, in all shards or in some."""
        for shard, db in self._opened(range(self._shards) if shards is None else sorted(shards)):
            yield from store.events(db, None, marks.get(shard, 0))

    def mark(self, user: str) -> int:
        """The number of the last event in the user's shard, which `answers` goes on from."""
        with self._of_user(user) as db:
            return 0 if db is None else store.last_event(db)

    def answers(self, user: str, command_id: str, after: int = 0) -> list[FactEvent]:
        """The events above `after` that answer a command; none while it is not carried out, for each is answered."""
        with self._of_user(user) as db:
            found = [] if db is None else list(store.events(db, self._key(user), after))
        return [event for event in found if event.command_id == command_id]

    def load(self, user: str) -> UserMemory:
        """A user's whole memory as the rules see it; a copy, so that whatever is done to it stays without effect."""
        with self._of_user(user) as db:
            tenant = self._tenant or "default"
            return UserMemory(tenant, user) if db is None else store.load_user(db, tenant, user)

    def _key(self, user: str) -> str:
        return user_key(self._tenant or "default", user)

    def shard(self, tenant: str, user: str) -> int:
        """The shard that a user belongs to."""
        return shard_of(tenant, user, self._shards)

    def _shard(self, user: str) -> int:
        return self.shard(self._tenant or "default", user)

    def _mine(self, tenant: str) -> bool:
        return self._tenant in (None, tenant)

    def _of(self, user: str | None) -> Iterator[sqlite3.Connection]:
        for _, db in self._numbered(user):
            yield db

    def _numbered(self, user: str | None) -> Iterator[tuple[int, sqlite3.Connection]]:
        return self._opened(range(self._shards) if user is None else [self._shard(user)])

    def _opened(self, shards: Iterable[int]) -> Iterator[tuple[int, sqlite3.Connection]]:
        for shard in shards:
            db = store.read_only(self._layout.memory(shard))
            if db is not None:
                with closing(db):
                    yield shard, db

    @contextmanager
    def _of_user(self, user: str) -> Iterator[sqlite3.Connection | None]:
        """The user's shard in one read transaction, so that several queries see one state of it."""
        db = store.read_only(self._layout.memory(self._shard(user)))
        if db is None:
            yield None
            return
        with closing(db):
            db.execute("begin")
            yield db
