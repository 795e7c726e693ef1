"""Reads: each tenant's memory, its users, and the words of a message behind a fact."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.evidence import Evidence
from flows.memory import Memory
from flows.serve.kept import KeptMemory
from flows.serve.problems import ProblemError
from flows.settings import Settings
from state import memory_store as store
from state.codec import unpack_fact
from state.facts import Fact, Proposal, Source
from state.layout import Layout, LayoutError, read_identity, shard_of
from state.windows import user_key

# Every user of a tenant, each found by one step through the index however many facts they have.
_USERS: Final = """
with recursive named(user) as (
  select min(user) from {table} where user >= :low and user < :high
  union all
  select (select min(user) from {table} where user > named.user and user < :high)
  from named where named.user is not null)
select user from named where user is not null
"""


@dataclass(frozen=True, slots=True)
class UserSummary:
    """A user in a list: active facts, and proposals that wait."""

    user_id: str
    facts: int
    pending: int


class Reading:
    """Each tenant's memory. `embedder` gives the model for queries, which all tenants share."""

    def __init__(self, settings: Settings, state: Path, embedder: Callable[[], Any]) -> None:
        self._settings, self._layout, self._embedder = settings, Layout(state), embedder
        self._memories: dict[str, Memory] = {}

    def of(self, tenant: str) -> Memory:
        """A tenant's memory. Raises ProblemError where there is no memory yet."""
        memory = self._memories.get(tenant)
        if memory is None:
            try:
                memory = KeptMemory(self._layout.root, tenant, self._embedder(), self._settings.prompt.plan())
            except LayoutError as error:
                raise ProblemError(503, str(error)) from None
            self._memories[tenant] = memory
        return memory

    def ready(self) -> str | None:
        """Why nothing can be answered; None where it can."""
        try:
            read_identity(self._layout)
        except LayoutError as error:
            return str(error)
        return None

    def fact(self, tenant: str, user: str, fact_id: str) -> Fact:
        """A fact's current version. Raises ProblemError where the user has no such fact."""
        for fact in self.of(tenant).facts(user, "all"):
            if fact.fact_id == fact_id:
                return fact
        raise ProblemError(404, f"user {user!r} has no fact {fact_id!r}; list the user's facts to find its id")

    def find_fact(self, tenant: str, fact_id: str) -> Fact:
        """A fact of whichever user of the tenant has it. Raises ProblemError where none has."""
        low, high = _bounds(tenant)
        self.of(tenant)
        for db in self._shards():
            row = db.execute(
                "select body, embedding from fact where fact_id = ? and to_seq is null and user >= ? and user < ?",
                (fact_id, low, high),
            ).fetchone()
            if row is not None:
                return unpack_fact(*row)
        raise ProblemError(404, f"there is no memory {fact_id!r}")

    def proposal(self, tenant: str, proposal_id: str) -> Proposal:
        """A proposal. Raises ProblemError where the tenant has no such one."""
        found = self.of(tenant).proposal(proposal_id)
        if found is not None:
            return found
        raise ProblemError(404, f"there is no proposal {proposal_id!r}; list them to find its id")

    def users(self, tenant: str, words: str, after: str, limit: int) -> list[UserSummary]:
        """Users of a tenant whose id contains the words, in order of id, from after `after`."""
        low, high = _bounds(tenant)
        self.of(tenant)
        wanted = words.casefold()
        found: set[str] = set()
        for db in self._shards():
            for table in ("fact", "proposal"):
                for (key,) in db.execute(_USERS.format(table=table), {"low": low, "high": high}):
                    user = key.removeprefix(low)
                    if wanted in user.casefold() and user > after:
                        found.add(user)
        return [self._summary(tenant, user) for user in sorted(found)[:limit]]

    def _summary(self, tenant: str, user: str) -> UserSummary:
        key = user_key(tenant, user)
        db = store.read_only(self._layout.memory(self._shard(tenant, user)))
        if db is None:
            return UserSummary(user, 0, 0)
        with closing(db):
            count = "select count(*) from {} where user = ? and to_seq is null and status = ?"
            facts = db.execute(count.format("fact"), (key, "active")).fetchone()[0]
            return UserSummary(user, facts, db.execute(count.format("proposal"), (key, "pending")).fetchone()[0])

    def evidence(self, tenant: str, user: str, source: Source) -> Evidence:
        """The message behind a fact, as far as it is kept."""
        return self.of(tenant).evidence_of(user, source, self._settings.decode_policy())

    def _shard(self, tenant: str, user: str) -> int:
        return shard_of(tenant, user, read_identity(self._layout).shards)

    def _shards(self) -> Iterator[sqlite3.Connection]:
        for shard in range(read_identity(self._layout).shards):
            db = store.read_only(self._layout.memory(shard))
            if db is not None:
                with closing(db):
                    yield db


def _bounds(tenant: str) -> tuple[str, str]:
    """Between which names all of a tenant's users lie: "0" comes after "/"."""
    return f"{tenant}/", f"{tenant}0"
