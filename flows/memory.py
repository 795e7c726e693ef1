"""`Memory`: the read-only Python face of a state directory, safe beside a running job (Q1, Q3–Q5, Q7)."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from flows import evidence
from flows.evidence import Evidence
from operators.decode import DecodePolicy
from state import memory_store as store
from state import proposal_queue, turns
from state.civil_days import CivilDays
from state.codec import whole
from state.erasures import Erasures, erase_event
from state.export import fact_row, iso
from state.facts import Entry, Fact, FactEvent, Lead, Proposal, Source
from state.index import encode
from state.layout import Layout, read_identity, shard_of
from state.memory_store import Version
from state.profile import Slot, profile
from state.prompt import Block, BlockPlan, PromptPlan, render_prompt
from state.readers import ShardReaders
from state.recall import F, Ranked, RecallWeights, as_of, rank, recent, select, true_at
from state.renewing import outdated_users
from state.search import Hit, is_withheld, outdated_by, search, turn_scores
from state.thread_readers import ThreadReaders
from state.turns import Shelf, Turn
from state.user_memory import UserMemory
from state.windows import last_said_ms, user_key

_ALL = 1_000_000
_QUESTIONS_KEPT_MAX = 1_024
_WEIGHTS = RecallWeights()


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which facts are wanted (Q1): in a namespace or below it, of kinds, in one agent's scope or in none.

    `as_of_ms`: as was known at that event time; `true_at_ms`: what is now known to have been true then. `now_ms` is
    when the question is asked, now unless given: "last March" and recency are measured from it.
    """

    namespace: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    agent_id: str | None = None
    as_of_ms: int | None = None
    true_at_ms: int | None = None
    now_ms: int | None = None

    @property
    def is_of_now(self) -> bool:
        """Whether what is known now is wanted."""
        return self.as_of_ms is None and self.true_at_ms is None

    @property
    def asked_at_ms(self) -> int:
        """When the question is asked."""
        return self.now_ms or self.as_of_ms or int(time.time() * 1000)


@dataclass(frozen=True, slots=True)
class Found:
    """One answer of a search: a fact with the messages behind it, as far as they are kept; or a message alone."""

    score: float
    fact: Fact | None
    message_ids: tuple[str, ...]
    turns: tuple[Turn, ...]

    @property
    def row(self) -> dict[str, Any]:
        """The exported form."""
        fact = None if self.fact is None else fact_row(self.fact)
        return {"score": self.score, "fact": fact, "turns": [turn_row(turn) for turn in self.turns]}


def turn_row(turn: Turn) -> dict[str, Any]:
    """A turn as other programs read it."""
    return {
        "message_id": turn.message_id,
        "conversation_id": turn.conversation_id,
        "role": turn.role,
        "speaker": turn.speaker,
        "text": turn.text,
        "sent_at": iso(turn.sent_at_ms),
    }


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
    `prompts` is what `prompt` renders.
    """

    def __init__(
        self,
        state: str | Path = "factstream-state",
        tenant: str | None = "default",
        embedder: Any = None,
        prompts: PromptPlan | None = None,
    ) -> None:
        self._layout = Layout(Path(state))
        self._shards = read_identity(self._layout).shards
        if "/" in (tenant or ""):
            raise ValueError(f"tenant is {tenant!r}; a tenant has no slash in its name")
        self._tenant = tenant
        self._embedder: Any = embedder
        self._prompts = prompts or PromptPlan()
        self._readers = ShardReaders(self._layout.memory, self._shards)
        self._own_readers = ThreadReaders()
        self._codes: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets the query model and the open files go."""
        self._embedder = None
        self._readers.close()
        self._own_readers.close()

    def recall(
        self,
        user: str,
        query: str | None = None,
        limit: int = 5,
        as_of_ms: int | None = None,
        *,
        namespace: Sequence[str] = (),
        kinds: Sequence[str] = (),
        agent_id: str | None = None,
        true_at_ms: int | None = None,
        now_ms: int | None = None,
    ) -> list[Recalled]:
        """What is known of a user that bears on the query, best first; without one, what is recent and important.

        Forgotten and superseded facts never come back (Q3). See Narrowed for what narrows it. A time that the query
        names ("last March", "in 2024") puts what was said, began or held then first.
        """
        narrowed = Narrowed(tuple(namespace), tuple(kinds), agent_id, as_of_ms, true_at_ms, now_ms)
        found = self._ranked(user, self._wanted(user, narrowed), query, narrowed.asked_at_ms, limit)
        return [Recalled(each.score, {**fact_row(whole(each.fact)), "score": each.score}) for each in found]

    def search(
        self,
        user: str,
        query: str,
        limit: int = 10,
        *,
        as_of_ms: int | None = None,
        now_ms: int | None = None,
    ) -> list[Found]:
        """Facts and messages that bear on the query in one list, best first (Q4): what no fact holds is found by the
        message that said it, where `memory.turns` keeps messages. What was forgotten does not come back by its words.
        """
        narrowed = Narrowed(as_of_ms=as_of_ms, now_ms=now_ms)
        at_ms, code, period = self._asked(user, query, narrowed.asked_at_ms)
        known = self._known(user, narrowed)
        active = [fact for fact in known if fact.status == "active"]
        ranked = rank(active, code, query, at_ms, _ALL, _WEIGHTS, embedding_version=self._version, period=period)
        with self._of_user(user) as db:
            if db is None:
                return []
            shelf = self._shelf(db, user, as_of_ms)
            scores = turn_scores(shelf, code, query, at_ms, _WEIGHTS, embedding_version=self._version, period=period)
            replaced = store.replaced_facts(db, self._key(user)) if len(shelf) else ()
            hits = search(ranked, scores, 2 * limit, outdated_by(replaced, active))
            return self._told(db, user, hits, known)[:limit]

    def _told(self, db: sqlite3.Connection, user: str, hits: Sequence[Hit], known: Sequence[Fact]) -> list[Found]:
        """The hits with the words of their messages, without what was forgotten."""
        kept = turns.read(db, self._key(user), sorted({each for hit in hits for each in hit.message_ids}))
        memory = UserMemory(self._tenant or "default", user, {fact.fact_id: fact for fact in known})
        store.load_person(db, memory)
        withheld = {ident for ident, turn in kept.items() if is_withheld(turn, memory)}
        found = []
        for hit in hits:
            words = tuple(kept[each] for each in hit.message_ids if each in kept and each not in withheld)
            if hit.fact is not None or words:
                found.append(Found(hit.score, hit.fact, hit.message_ids, words))
        return found

    def turns(self, user: str, limit: int = 20, before_ms: int | None = None) -> list[Turn]:
        """The messages kept of a user, latest first, from before a time."""
        with self._of_user(user) as db:
            if db is None:
                return []
            shelf = self._shelf(db, user, None if before_ms is None else before_ms - 1)
            order = sorted(range(len(shelf)), key=lambda i: (-shelf.sent_at_ms[i], -shelf.rows[i]))
            wanted = [shelf.message_ids[i] for i in order[: 2 * limit]]  # some may be withheld
            kept = turns.read(db, self._key(user), wanted)
            memory = store.load_user(db, self._tenant or "default", user)
        return [kept[each] for each in wanted if not is_withheld(kept[each], memory)][:limit]

    def evidence(self, user: str, fact_id: str, policy: DecodePolicy | None = None) -> list[Evidence]:
        """The messages behind a fact, cut at the characters that count, as far as they are kept (Q4).

        `policy` is how files are read again where the message is kept nowhere else.
        """
        found = self.fact(user, fact_id)
        return [] if found is None else [self.evidence_of(user, source, policy) for source in found.sources]

    def evidence_of(self, user: str, source: Source, policy: DecodePolicy | None = None) -> Evidence:
        """The message behind one source; its words are empty where it is kept no more."""
        with self._of_user(user) as db:
            kept = {} if db is None else turns.read(db, self._key(user), [source.message_id])
        tenant = self._tenant or "default"
        return evidence.behind(self._layout, self._shard(user), tenant, user, source, kept, policy)

    def fact(self, user: str, fact_id: str) -> Fact | None:
        """The current version of one of a user's facts, whatever its status."""
        return next((fact for fact in self.facts(user, "all") if fact.fact_id == fact_id), None)

    def recent(self, user: str, limit: int = 10, kinds: Sequence[str] = ()) -> list[Fact]:
        """The active facts that a user confirmed last (Q1)."""
        return recent(select(self.facts(user), kinds=kinds), limit)

    def profile(self, user: str) -> dict[str, Slot]:
        """The single-valued attributes of a user, one clean value a slot, with provenance (Q7)."""
        memory = self.load(user)
        return profile(memory.facts.values(), memory.profile)

    def prompt(
        self,
        user: str,
        query: str | None = None,
        limit: int | None = None,
        budget_tokens: int | None = None,
        as_of_ms: int | None = None,
    ) -> str:
        """A user's memory as text for a prompt (Q2), as planned: by default fitting facts and recent procedures, then
        what not to restate. `limit` and `budget_tokens` stand in the place of the plan's (`limit` of what is found by
        meaning).
        """
        plan, at_ms = self._prompts, Narrowed(as_of_ms=as_of_ms).asked_at_ms
        everything = self._wanted(user, Narrowed(as_of_ms=as_of_ms))
        blocks = [
            Block(each.name, each.title, tuple(map(whole, self._chosen(user, each, everything, query, at_ms, limit))))
            for each in plan.blocks
        ]
        forgotten = self.facts(user, "forgotten")
        budget = plan.budget_tokens if budget_tokens is None else budget_tokens
        return render_prompt(blocks, forgotten, budget, plan.template)

    def _chosen(
        self, user: str, plan: BlockPlan, facts: Sequence[F], query: str | None, at_ms: int, limit: int | None
    ) -> list[F]:
        """What of the active facts goes into a block, best first."""
        among = [
            fact
            for fact in select(facts, kinds=plan.kinds)
            if not plan.namespaces or any(fact.namespace[: len(part)] == part for part in plan.namespaces)
        ]
        if plan.strategy == "off":
            return []
        if plan.strategy == "recent":
            return recent(among, plan.limit)
        if plan.strategy == "list":
            return sorted(among, key=lambda fact: (fact.first_said_at_ms, fact.fact_id))[: plan.limit]
        sought = plan.query.replace("{query}", query or "").strip() or None
        found = self._ranked(user, among, sought, at_ms, plan.limit if limit is None else limit)
        return [ranked.fact for ranked in found]

    def _wanted(self, user: str, narrowed: Narrowed) -> list[Fact | Lead]:
        """The active facts that a question looks at."""
        known = self._active(user) if narrowed.is_of_now else self._known(user, narrowed)
        return select(known, narrowed.namespace, narrowed.kinds, narrowed.agent_id)

    def _active(self, user: str) -> Sequence[Fact | Lead]:
        """What is known of a user now."""
        with self._of_user(user) as db:
            return [] if db is None else store.active_leads(db, self._key(user))

    def _known(self, user: str, narrowed: Narrowed) -> list[Fact]:
        """A user's facts: now of every status; of another time those that were active then, as they were."""
        if narrowed.is_of_now:
            return self.facts(user, "all")
        with self._of_user(user) as db:
            versions = [] if db is None else list(store.rows(db, self._key(user)))
        gone = {v.fact.fact_id for v in versions if v.to_seq is None and v.fact.status == "forgotten"}
        versions = [version for version in versions if version.fact.fact_id not in gone]
        if narrowed.as_of_ms is not None:
            versions = [version for version in versions if version.fact.recorded_at_ms <= narrowed.as_of_ms]
        if narrowed.true_at_ms is not None:
            return true_at(versions, narrowed.true_at_ms)
        return as_of(versions, narrowed.asked_at_ms)

    def _shelf(self, db: sqlite3.Connection, user: str, until_ms: int | None) -> Shelf:
        """A user's turns, those said until a time."""
        return turns.shelf(db, self._key(user), until_ms)

    def _ranked(self, user: str, facts: list[F], query: str | None, at_ms: int, limit: int) -> list[Ranked[F]]:
        if not query or not facts:
            return rank(facts, None, query, at_ms, limit, _WEIGHTS)
        _, code, period = self._asked(user, query, at_ms)
        return rank(facts, code, query, at_ms, limit, _WEIGHTS, embedding_version=self._version, period=period)

    def _asked(self, user: str, query: str, at_ms: int) -> tuple[int, bytes, CivilDays | None]:
        """When a question is asked, its vector's code, and the days that it is about, as the user's clock has them."""
        from models.periods import period  # with it comes dateparser, which most verbs do without

        code = self._embed(query)
        if period(query, at_ms) is None:
            return at_ms, code, None
        zone = self._timezone(user)
        about = period(query, at_ms, zone)
        return at_ms, code, None if about is None else CivilDays.of(about.first, about.last, zone)

    def _timezone(self, user: str) -> str:
        """The time zone that a user's profile gives, else UTC (X5)."""
        memory = UserMemory(self._tenant or "default", user)
        with self._of_user(user) as db:
            if db is not None:
                store.load_person(db, memory)
        return memory.profile.get("timezone") or "UTC"

    @property
    def _version(self) -> str:
        return str(self._embedder.version)

    def _embed(self, text: str) -> bytes:
        """A question's code; the last ones are kept, for one turn often asks the same twice."""
        if self._embedder is None:
            from models.embedder import Embedder  # loading the model takes longer than most verbs need

            self._embedder = Embedder()
        code = self._codes.get(text)
        if code is None:
            code = self._codes[text] = encode(self._embedder.embed([text]))[0]
            if len(self._codes) > _QUESTIONS_KEPT_MAX:
                self._codes.pop(next(iter(self._codes)), None)
        return code

    def facts(self, user: str, status: str = "active") -> list[Fact]:
        """The current version of each of a user's facts: active ones, those of another status, or "all"."""
        with self._of_user(user) as db:
            return [] if db is None else store.current_facts(db, self._key(user), status)

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
            firsts = proposal_queue.firsts(shards, self._tenant, status, namespace, after, limit)
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

    def outdated(self, version: str) -> Iterator[tuple[str, str]]:
        """(Tenant, user) of everybody who has vectors of another embedding model than `version` (Q6)."""
        for _, db in self._numbered(None):
            for key in outdated_users(db, version):
                tenant, _, user = key.partition("/")
                if self._mine(tenant):
                    yield tenant, user

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
        """The events above `after` that answer a command; none while it is not carried out, for each is answered.

        An erase leaves no event in memory: its answer comes from the ledger.
        """
        if (erased := self.erasure(user, command_id)) is not None:
            return [erased]
        with self._of_user(user) as db:
            found = [] if db is None else list(store.events(db, self._key(user), after))
        return [event for event in found if event.command_id == command_id]

    def digest_of(self, user: str, command_id: str) -> str | None:
        """What tells a command that was carried out apart from others of its id; None where none was."""
        with self._of_user(user) as db:
            return None if db is None else store.command_digest(db, self._key(user), command_id)

    def erasure(self, user: str, command_id: str, tenant: str | None = None) -> FactEvent | None:
        """The event that answers an erase, None where none with that id was carried out (F6)."""
        ledger, tenant = Erasures(self._layout.erasures), tenant or self._tenant or "default"
        key = user_key(tenant, user)
        for found in ledger.of(key):
            carried_out = any(place.startswith("memory.") for place in found.removed)
            if carried_out and found.command_hash == ledger.hashes(key, command_id)[1]:
                return erase_event(tenant, user, command_id, found)
        return None

    def erase_time_ms(self, user: str, now_ms: int) -> int:
        """When an erase that is asked for now has to act, so that it reaches all that is held of the user."""
        last_ms = self.load(user).position[0]
        windows = store.read_only(self._layout.windows(self._shard(user)))
        if windows is not None:
            with closing(windows):
                last_ms = max(last_ms, last_said_ms(windows, self._key(user)))
        return max(now_ms, last_ms)

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
        with self._own_readers.reading(self._layout.memory(self._shard(user))) as db:
            yield db
