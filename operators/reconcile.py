"""The reconcile step: one instance a shard, owner of its memory file and index; folds entries into facts (R1–R14)."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, time
from zlib import crc32

from bytewax.operators import StatefulBatchLogic

from operators.extract import Embeds
from operators.observing import Observer
from operators.sparing import spared
from state.bases import START
from state.checkpoints import Checkpoints, copied, put_back
from state.commands import as_reused, in_turn
from state.erasures import Erasure, Erasures, by_user
from state.expiry import is_due
from state.facts import Candidate, Entry, Fact, FactEvent, Proposal, stable_id
from state.fold import apply_entry, difference
from state.index import FactIndex, encode
from state.memory_store import MemoryStore
from state.policy import RulesPolicy
from state.recorder import Judge
from state.refold import take_back
from state.shard_file import Resume
from state.summary import Summary, summarise
from state.turns import Turn
from state.user_memory import Changes, Position, UserMemory
from state.windows import user_key

MemoryState = tuple[int, str, int]  # shard, lineage, sequence number: plain values, for they are pickled

_ERASING = timedelta(seconds=1)  # how often the shard of an erasure under way is looked at
_NEIGHBOURS = 32
_SIMILARITY_FLOOR = 0.40
_BOUND_EVERY = 64  # entries after which, more or less, a user's log is looked at


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one user's entries of one activation changed.

    `gone` are ids of facts, `gone_proposals` of proposals, `gone_events` of events, to be tombstoned; `erased` when it
    was the whole user.
    """

    tenant: str
    user_id: str
    events: tuple[FactEvent, ...]
    facts: tuple[Fact, ...]
    proposals: tuple[Proposal, ...]
    summary: Summary | None
    gone: tuple[str, ...] = ()
    gone_proposals: tuple[str, ...] = ()
    erased: bool = False
    gone_events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReconcilePolicy:
    """The rules' policy, how late an entry may be and still refold (R14), and how many users stay loaded a shard.

    `turns_ms`: how long turns are kept (Q4); None where none are.
    """

    rules: RulesPolicy = field(default_factory=RulesPolicy)
    lateness_ms: int = 30 * 86_400_000
    users_in_memory_max: int = 64
    turns_ms: int | None = None


class ReconcileStep(StatefulBatchLogic[Entry | Turn, Outcome, MemoryState]):
    """One shard's memories. `judge` reads pairs of claims that the rules leave open; without it they decide alone.

    A user whose vectors are of another model than `embedder` gets new ones as they are loaded (Q6).
    """

    def __init__(
        self,
        path_of: Callable[[int], Path],
        shard_of: Callable[[Entry | Turn], int],
        policy: ReconcilePolicy,
        observer: Observer,
        resume: MemoryState | None,
        judge: Judge | None = None,
        now: Callable[[], float] = time,
        *,
        erasures: Erasures,
        shards: int = 1,
        embedder: Embeds | None = None,
    ) -> None:
        self._path_of, self._shard_of, self._policy, self._observer = path_of, shard_of, policy, observer
        self._judge, self._now, self._embedder = judge, now, embedder
        self._erasures, self._shards = erasures, shards
        self._under_way: list[tuple[str, str]] = []
        self._owed: list[Outcome] = []
        self._waits_for = 0
        self._loaded: OrderedDict[str, UserMemory] = OrderedDict()
        self._earlier: dict[str, Checkpoints] = {}
        self._shard = -1
        if resume is not None:
            self._start(resume[0], (resume[1], resume[2]))

    def _start(self, shard: int, resume: Resume | None) -> None:
        self._shard = shard
        self._store = MemoryStore(self._path_of(shard), resume, self._policy.turns_ms)
        self._index = FactIndex(self._policy.users_in_memory_max + 1)
        active, pending = self._store.counts()
        self._observer.gauge("active_facts", active)
        self._observer.gauge("proposals_pending", pending)
        self._catch_up()

    def on_batch(self, values: Sequence[Entry | Turn]) -> tuple[Iterable[Outcome], bool]:
        """Folds the entries in, user by user; gives one outcome a user whose memory was spoken to."""
        if self._shard < 0:
            self._start(self._shard_of(values[0]), None)
        started = perf_counter()
        by_user: dict[str, list[Entry | Turn]] = {}
        for entry in values:
            by_user.setdefault(user_key(entry.tenant, entry.user_id), []).append(entry)
        out, self._owed = self._owed, []
        with self._store.file.transaction():
            for user, entries in by_user.items():
                out.extend(self._fold(user, entries))
        self._evict()
        self._observer.measure("stage_seconds", perf_counter() - started, stage="reconcile")
        self._observer.measure("batch_size", len(values), stage="reconcile")
        return out, StatefulBatchLogic.RETAIN

    def _fold(self, user: str, entries: list[Entry | Turn]) -> list[Outcome]:
        """One user's new entries, cut at each erase: what was said up to its time goes, the rest is a new memory."""
        out = []
        part: list[Entry] = []
        turns: list[Turn] = []
        for entry in entries:
            if isinstance(entry, Turn):
                turns.append(entry)
            elif entry.command is None or entry.command.command != "erase":
                part.append(entry)
            else:
                self._store.file.next_seq()
                if self._store.carried_out.first(*self._erasures.hashes(user, entry.entry_id)):
                    outcome, later = self._erase(user, entry)
                    out.append(outcome)
                    part = later + [each for each in part if each.at_ms > entry.at_ms]
                    turns = [turn for turn in turns if turn.sent_at_ms > entry.at_ms]
        if turns:
            self._store.file.next_seq()
            self._store.keep_turns(user, turns, int(self._now() * 1000))
        if part and not (all(entry.says_nothing for entry in part) and not self._runs_out(user, part)):
            applied = self._apply(user, part)
            if applied is not None:
                out.append(applied)
        return out

    def _runs_out(self, user: str, entries: Sequence[Entry]) -> bool:
        """Whether anything has run out by the last of entries that say nothing; most chat stops here."""
        memory = self._loaded.get(user)
        if memory is None:
            return self._store.may_expire(user)
        return is_due(memory, max(entry.at_ms for entry in entries), self._policy.rules)

    def _apply(self, user: str, entries: list[Entry]) -> Outcome | None:
        memory = self._memory(user, entries[0])
        held, person, position = _held(memory), _person(memory), memory.position
        self._store.file.next_seq()
        due = [entry for entry in entries if not entry.says_nothing or _order(entry) > position]
        fresh, retracted = self._fresh(user, [in_turn(memory, entry) for entry in due], position)
        if not fresh:
            return None
        for entry in fresh:
            if entry.candidates or entry.command is not None:
                self._store.log(user, entry)
        late = [
            _order(entry)
            for entry in fresh
            if position[0] - self._policy.lateness_ms <= entry.at_ms and _order(entry) < position
        ]
        applied = [entry for entry in fresh if entry.retracts is None or entry.candidates]
        since = min((*late, *retracted), default=None)
        self._correct_bases(user, memory, fresh, since)
        if since is None:
            changes = self._append(user, memory, applied)
        else:
            refolded = self._refold(user, memory, [entry for entry in fresh if not entry.says_nothing], since)
            memory = self._loaded[user]
            after = [entry for entry in fresh if entry.says_nothing and _order(entry) > memory.position]
            changes = _joined([refolded, self._append(user, memory, after)])
        if not changes.events and all(entry.says_nothing for entry in fresh):
            return None
        memory = self._loaded[user]
        if _person(memory) != person:
            self._store.save_person(user, memory)
        for name, was, now in zip(("active_facts", "proposals_pending"), held, _held(memory), strict=True):
            self._observer.gauge(name, now - was)
        if any(crc32(entry.entry_id.encode()) % _BOUND_EVERY == 0 for entry in applied):
            self._store.bases.bound(user, memory, memory.position[0] - self._policy.lateness_ms)
        return self._outcome(memory, changes)

    def _correct_bases(self, user: str, memory: UserMemory, fresh: list[Entry], since: Position | None) -> None:
        """What is folded away hears of what came beyond the horizon, and loses what was taken back (R14, F7)."""
        horizon_ms = memory.position[0] - self._policy.lateness_ms
        beyond = [entry for entry in fresh if entry.at_ms < horizon_ms]
        if since is None and not beyond:
            return
        bases = self._store.bases
        bases.let_go(user, min((*map(_order, beyond), *([] if since is None else [since]))))
        stands = bases.position(user)
        if stands is None or not ((since is not None and since <= stands) or any(_order(e) <= stands for e in beyond)):
            return
        base = bases.before(user, memory, START)
        assert base is not None
        take_back(base, {entry.retracts for entry in fresh if entry.retracts is not None})
        self._index_user(user, base)
        for entry in beyond:
            if _order(entry) <= stands and (entry.candidates or entry.command is not None):
                self._applied(user, base, entry)
        bases.lay_down(user, base)
        self._index_user(user, memory)

    def _fresh(self, user: str, entries: list[Entry], position: Position) -> tuple[list[Entry], list[Position]]:
        """The entries that the log does not have, in order, and where a retraction took something out of it.

        A message that was edited or deleted first loses what it said before, in the log and in this batch (F7).
        """
        fresh: list[Entry] = []
        retracted: list[Position] = []
        for entry in sorted(self._told_apart(user, entries), key=_order):
            if entry.retracts is not None:
                retracted += self._store.retract(user, entry.retracts)
                said = (entry.retracts, f"{entry.retracts}#forget")
                fresh = [each for each in fresh if each.entry_id not in said]
            elif self._is_known(user, entry, position, fresh):
                continue
            fresh.append(entry)
        return fresh, retracted

    def _told_apart(self, user: str, entries: Iterable[Entry]) -> Iterable[Entry]:
        """The entries as they came; a command whose id was another's keeps nothing but that it is refused (S5)."""
        digests: dict[str, str | None] = {}
        for entry in entries:
            command, ident = entry.command, entry.entry_id
            if command is None or not command.digest:
                yield entry
                continue
            first = digests[ident] if ident in digests else self._store.digest_of(user, ident)
            erased = first is None and self._erasures.exists() and self._is_of_erase(user, ident)
            digests[ident] = command.digest if first is None else first
            yield as_reused(entry, command) if erased or (first and first != command.digest) else entry

    def _is_of_erase(self, user: str, ident: str) -> bool:
        return self._store.carried_out.knows(*self._erasures.hashes(user, ident))

    def _is_known(self, user: str, entry: Entry, position: Position, fresh: Sequence[Entry]) -> bool:
        """Whether this message (by time and id) or command (by id alone) has been applied, or is about to be."""
        if entry.command is not None:
            known = entry.entry_id in [each.entry_id for each in fresh]
            return known or self._store.digest_of(user, entry.entry_id) is not None
        if _order(entry) in map(_order, fresh):
            return True
        return _order(entry) <= position and self._store.has_entry(user, entry.at_ms, entry.entry_id)

    def _append(self, user: str, memory: UserMemory, entries: list[Entry]) -> Changes:
        done = []
        earlier = self._earlier[user]
        for entry in entries:
            if entry.says_nothing:
                if not is_due(memory, entry.at_ms, self._policy.rules):
                    continue
                self._store.log(user, entry)
            earlier.let_go(_order(entry))
            earlier.passing(memory)
            changes = self._applied(user, memory, entry)
            self._store.save(user, changes)
            done.append(changes)
            self._store.file.next_seq()
        return _joined(done)

    def _applied(self, user: str, memory: UserMemory, entry: Entry) -> Changes:
        """What the rules make of one entry. A fault in them costs this entry and is told; the job goes on (S3)."""
        index, before = self._index, copied(memory)
        try:
            return apply_entry(
                memory,
                entry,
                lambda code: index.search(user, code, _NEIGHBOURS, _SIMILARITY_FLOOR),
                self._policy.rules,
                lambda fact: index.put(user, fact.fact_id, fact.embedding),
                self._judge,
            )
        except Exception as error:  # rules over all that people may say: any kind of fault
            put_back(memory, before)
            self._index_user(user, memory)
            self._observer.count("candidates_dropped_total", len(entry.candidates), reason="rule_failed")
            return spared(memory, entry, error)

    def _refold(self, user: str, before: UserMemory, fresh: list[Entry], since: Position) -> Changes:
        """Folds the log again from before `since` and publishes only what came out differently (R14, F7).

        A command among the fresh entries is answered all the same.
        """
        commands = {_order(entry) for entry in fresh if entry.command is not None}
        answers: list[FactEvent] = []
        earlier = self._earlier[user]
        after, base = earlier.before(since), self._store.bases.position(user)
        if after is None or (base is not None and after.position < base):
            after = self._store.bases.before(user, before, since) or UserMemory(before.tenant, before.user_id)
        self._index_user(user, after)
        for entry in self._store.entries(user, after.position):
            earlier.passing(after)
            done = self._applied(user, after, entry)
            if after.position in commands:
                answers.extend(_answers(done))
        changes = difference(before, after, fresh[-1].at_ms, fresh[-1].entry_id)
        changes = replace(changes, events=(*changes.events, *answers))
        self._store.save(user, changes)
        self._loaded[user] = after
        self._index_user(user, after)
        return changes

    def _erase(self, user: str, entry: Entry) -> tuple[Outcome, list[Entry]]:
        """Removes a user (F6); with the entries that were said after the erase, and make a new memory.

        What is to be removed is in the ledger first. The event that tells of it is published and not kept.
        """
        command = entry.command
        assert command is not None
        memory = self._memory(user, entry)
        held = _held(memory)
        later = self._store.said_after(user, entry.at_ms)
        ident, cut_off_ms = command.command_id, entry.at_ms
        self._erasures.begin(
            entry.tenant, entry.user_id, ident, cut_off_ms, command.allow_replay, self._shard, self._shards
        )
        gone = self._erasures.keep_keys(user, ident, self._store.keys(user))
        self._store.file.next_seq()
        changes = self._applied(user, memory, entry)
        removed = {f"memory.{table}": count for table, count in self._store.erase(user, cut_off_ms).items()}
        removed |= {f"published.{stream}": count for stream, count in Counter(stream for stream, _ in gone).items()}
        removed["published.users"] = 1
        self._drop(user)
        self._erasures.count(user, ident, self._shard, removed)
        self._under_way.append((user, ident))
        self._observer.gauge("active_facts", -held[0])
        self._observer.gauge("proposals_pending", -held[1])
        for event in changes.events:
            self._observer.count("fact_events_total", event=event.event, rule=event.rule)
        facts, events, proposals = (
            tuple(ident for stream, ident in gone if stream == wanted) for wanted in ("facts", "events", "proposals")
        )
        outcome = Outcome(entry.tenant, entry.user_id, changes.events, (), (), None, facts, proposals, True, events)
        return outcome, later

    def _catch_up(self) -> None:
        """Carries out what the ledger knows and this file does not (F6)."""
        carried_out = self._store.carried_out
        if new := self._erasures.all(carried_out.through()):
            missing = [e for e in new if e.is_of(self._shard, self._shards) and not carried_out.has(e)]
            with self._store.file.transaction():
                self._erase_missing(by_user(missing))
                carried_out.is_through(new[-1].number)
        for erasure in self._erasures.unfinished():
            self._store.holds_erased = True
            if erasure.is_of(self._shard, self._shards) and carried_out.has(erasure):
                self._under_way.append((f"{erasure.tenant}/{erasure.user_id}", str(erasure.command_id)))

    def _erase_missing(self, missing: Mapping[bytes, Erasure]) -> None:
        for user in self._store.users() if missing else ():
            erasure = missing.get(self._erasures.user_hash(user))
            if erasure is not None:
                self._owed.extend(self._erase_again(user, erasure))

    def _erase_again(self, user: str, erasure: Erasure) -> list[Outcome]:
        """Removes what came back with an older file; its keys are tombstoned when the command is read again."""
        if erasure.command_id is not None:
            self._erasures.keep_keys(user, erasure.command_id, self._store.keys(user))
        later = self._store.said_after(user, erasure.cut_off_ms)
        tenant, _, user_id = user.partition("/")
        active, pending = _held(self._store.load(tenant, user_id))
        self._observer.gauge("active_facts", -active)
        self._observer.gauge("proposals_pending", -pending)
        self._store.erase(user, erasure.cut_off_ms)
        applied = self._apply(user, later) if later else None
        return [] if applied is None else [applied]

    def _outcome(self, memory: UserMemory, changes: Changes) -> Outcome:
        for event in changes.events:
            self._observer.count("fact_events_total", event=event.event, rule=event.rule)
        latest = {fact.fact_id: fact for fact in changes.facts}
        summary = summarise(memory) if changes.facts or changes.proposals else None
        return Outcome(
            memory.tenant,
            memory.user_id,
            changes.events,
            tuple(fact for fact in latest.values() if fact.fact_id not in changes.dropped),
            changes.proposals,
            summary,
            changes.dropped,
        )

    def _memory(self, user: str, entry: Entry) -> UserMemory:
        memory = self._loaded.get(user)
        if memory is None:
            memory = self._loaded[user] = self._load(user, entry)
            self._earlier[user] = Checkpoints()
        if user not in self._index:
            self._index_user(user, memory)
        self._loaded.move_to_end(user)
        return memory

    def _load(self, user: str, entry: Entry) -> UserMemory:
        """A user's memory, whose vectors are of the model in use: where any is not, all are made anew (Q6)."""
        memory = self._store.load(entry.tenant, entry.user_id)
        if self._embedder is None or _is_of(memory, self._embedder.version):
            return memory
        self._store.renew(user, self._embedder.version, self._coded)
        return self._store.load(entry.tenant, entry.user_id)

    def _coded(self, text: str) -> bytes:
        assert self._embedder is not None
        return encode(self._embedder.embed([text]))[0]

    def _index_user(self, user: str, memory: UserMemory) -> None:
        facts = [fact for fact in memory.facts.values() if fact.embedding]
        self._index.load_user(user, [fact.fact_id for fact in facts], [fact.embedding for fact in facts])

    def _evict(self) -> None:
        while len(self._loaded) > self._policy.users_in_memory_max:
            self._drop(next(iter(self._loaded)))

    def _drop(self, user: str) -> None:
        del self._loaded[user], self._earlier[user]
        self._index.drop_user(user)

    def snapshot(self) -> MemoryState:
        """Shard, lineage and sequence number; the memory itself is in the shard's file."""
        lineage, seq = self._store.snapshot()
        if self._under_way and not self._store.holds_erased:
            for user, command_id in self._under_way:
                self._erasures.mark(user, command_id, "memory")
            self._under_way = []
            self._waits_for = seq
        return self._shard, lineage, seq

    def on_notify(self) -> tuple[Iterable[Outcome], bool]:
        """Keeps the shard awake, and so its file being committed, while an erasure is under way."""
        return (), StatefulBatchLogic.RETAIN

    def notify_at(self) -> datetime | None:
        """In a moment, while it is not certain that an erasure and its tombstones are committed."""
        if self._shard < 0 or not (self._under_way or self._store.file.floor < self._waits_for):
            return None
        return datetime.now(UTC) + _ERASING


def _answers(done: Changes) -> list[FactEvent]:
    """What a command is answered with where the refold tells of its changes: its refusals, else that it was done."""
    told = [event for event in done.events if event.command_id is not None]
    nothing = [event for event in told if event.event == "NONE"]
    if nothing or not told:
        return nothing
    first = told[0]
    event_id = stable_id(first.tenant, first.user_id, "NONE", first.command_id)
    names = Counter(event.event for event in told)
    reason = "done: " + ", ".join(f"{name} {count}" for name, count in names.items())
    bare = replace(first, fact=None, old_content=None, matched_fact_id=None, similarity=None)
    return [replace(bare, event_id=event_id, event="NONE", reason=reason)]


def _is_of(memory: UserMemory, version: str) -> bool:
    """Whether all that a memory holds was embedded by one model. Where it holds nothing, its log may tell otherwise."""
    held: list[Fact | Candidate] = [fact for fact in memory.facts.values() if fact.embedding]
    held += [proposal.candidate for proposal in memory.proposals.values() if proposal.candidate.embedding]
    return bool(held) and all(each.embedding_version == version for each in held)


def _order(entry: Entry) -> Position:
    return entry.at_ms, entry.entry_id


def _held(memory: UserMemory) -> tuple[int, int]:
    """Active facts and pending proposals, for the gauges."""
    return (
        [fact.status for fact in memory.facts.values()].count("active"),
        [proposal.status for proposal in memory.proposals.values()].count("pending"),
    )


def _person(memory: UserMemory) -> tuple[object, ...]:
    """What of a memory is stored beside facts, proposals and log."""
    return tuple(memory.boundaries), tuple(memory.bio), tuple(memory.profile.items())


def _joined(parts: Sequence[Changes]) -> Changes:
    return Changes(
        tuple(event for part in parts for event in part.events),
        tuple(fact for part in parts for fact in part.facts),
        tuple(proposal for part in parts for proposal in part.proposals),
        tuple(fact_id for part in parts for fact_id in part.dropped),
    )
