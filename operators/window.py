"""The window step: one instance a shard, owner of its window file; turns messages into reflections (T1–T7).

Windows decide when a message is evaluated, never what it yields (T7). So the clock and the other users' progress
may close a window early without changing a fact: by idle timer, by the partition's watermark, by pressure.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from bytewax.operators import StatefulBatchLogic

from operators.observing import Observer
from state.erasures import Erasure, Erasures, by_user
from state.messages import Command, Message, Reflection, Scrub
from state.shard_file import Resume
from state.windows import Retention, WindowStore, user_key

Item = Message | Command | Scrub
Emitted = Reflection | Command
WindowState = tuple[int, str, int]  # shard, lineage, sequence number: plain values, for they are pickled

_AHEAD_MS_MAX = 3_600_000  # a time stamp further ahead of the clock than this does not move a watermark
_DELETED_RANK = 2**62
_DATED = frozenset(("remember", "edit", "import"))  # commands whose words may tell of a day
_ERASING = timedelta(seconds=1)  # how often the shard of an erasure under way is looked at
_STALE_MAX = 256  # heap entries of closed windows that are not worth a rebuild


@dataclass(frozen=True, slots=True)
class WindowPolicy:
    """When windows close. `conversation_length` counts messages of every role (T1); the gap is event time (T2)."""

    conversation_length: int = 32
    idle_gap_ms: int = 600_000
    open_windows_max: int = 2_000
    retention: Retention = field(default_factory=Retention)

    @property
    def length(self) -> int:
        """Messages that close a window: ceil(conversation_length / 2)."""
        return -(-self.conversation_length // 2)


@dataclass(slots=True)
class _Open:
    """A window in memory: what decides its closing; its messages stay in the file."""

    count: int
    last_sent_at_ms: int
    last_arrived_ms: int
    partition: str


class WindowStep(StatefulBatchLogic[Item, Emitted, WindowState]):
    """One shard's windows. `asks_memory` tells whether a text asks to remember or forget something (T3)."""

    def __init__(
        self,
        path_of: Callable[[int], Path],
        shard_of: Callable[[Item], int],
        policy: WindowPolicy,
        asks_memory: Callable[[str], bool],
        observer: Observer,
        resume: WindowState | None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        erasures: Erasures,
        shards: int = 1,
    ) -> None:
        self._path_of, self._shard_of = path_of, shard_of
        self._policy, self._asks_memory, self._observer, self._now = policy, asks_memory, observer, now
        self._erasures, self._shards = erasures, shards
        self._under_way: list[tuple[str, str]] = []
        self._scrubbed: list[tuple[str, str, int]] = []
        self._open: dict[str, dict[str, _Open]] = {}
        self._open_count = self._open_reported = 0
        self._timers: list[tuple[int, str, str]] = []
        self._idle: dict[str, list[tuple[int, str, str]]] = {}
        self._shard = -1
        if resume is not None:
            self._start(resume[0], (resume[1], resume[2]))

    def _start(self, shard: int, resume: Resume | None) -> None:
        self._shard = shard
        self._store = WindowStore(self._path_of(shard), resume, self._policy.retention)
        self._catch_up()
        for found in self._store.open_windows():
            window = _Open(found.count, found.last_sent_at_ms, found.last_arrived_ms, found.partition)
            self._remember(found.user, found.conversation_id, window)
        self._report_open()

    def on_batch(self, values: Sequence[Item]) -> tuple[Iterable[Emitted], bool]:
        """Takes messages and commands in order of arrival; gives what closes, and the commands between."""
        if self._shard < 0:
            shard = self._shard_of(values[0])
            if all(isinstance(item, Scrub) for item in values) and not self._path_of(shard).exists():
                return (), StatefulBatchLogic.DISCARD  # nothing is there to be scrubbed
            self._start(shard, None)
        started = perf_counter()
        arrived_ms = self._now_ms()
        out: list[Emitted] = []
        with self._store.file.transaction():
            for item in values:
                self._store.file.next_seq()
                if isinstance(item, Message):
                    self._on_message(item, arrived_ms, out)
                elif isinstance(item, Command):
                    self._on_command(item, out)
                else:
                    self._on_scrub(item)
            self._close_passed(out)
            self._close_surplus(out)
        self._trim()
        self._report_open()
        self._observer.measure("stage_seconds", perf_counter() - started, stage="window")
        self._observer.measure("batch_size", len(values), stage="window")
        return out, StatefulBatchLogic.RETAIN

    def _on_message(self, message: Message, arrived_ms: int, out: list[Emitted]) -> None:
        user = user_key(message.tenant, message.user_id)
        if self._is_erased(user, message):
            self._observer.count("messages_total", format="any", outcome="erased")
            return
        partition = f"{message.origin.topic}/{message.origin.partition}"
        self._store.advance(partition, min(message.sent_at_ms, arrived_ms + _AHEAD_MS_MAX))
        ident = f"{message.conversation_id}\x1f{message.message_id}"
        rank = _DELETED_RANK if message.deleted else message.edited_at_ms or 0
        if not self._store.first_time(user, ident, rank, partition):
            self._observer.count("messages_total", format="any", outcome="seen_before")
            return
        self._close_idle(user, message.sent_at_ms, out)
        if message.timezone is None:
            timezone = self._store.profile(user, "timezone")
            message = message if timezone is None else replace(message, timezone=timezone)
        # Who else was there is for delivery alone: no copy of a person's id stays with the others.
        message = replace(message, participants=()) if message.participants else message
        self._store.add(user, message, partition, arrived_ms)
        window = self._open.get(user, {}).get(message.conversation_id)
        if window is None:
            window = _Open(1, message.sent_at_ms, arrived_ms, partition)
            self._remember(user, message.conversation_id, window)
        else:
            window.count += 1
            window.last_sent_at_ms = max(window.last_sent_at_ms, message.sent_at_ms)
            window.last_arrived_ms = arrived_ms
        if message.role == "user" and self._asks_memory(message.text):
            self._close_all(user, "request", out)
        elif window.count >= self._policy.length:
            self._close(user, message.conversation_id, "length", out)

    def _on_command(self, command: Command, out: list[Emitted]) -> None:
        user = user_key(command.tenant, command.user_id)
        if command.command == "erase":
            self._on_erase(user, command)
        elif self._erasures.covers(user, command.sent_at_ms):
            if command.command != "import" or not command.allow_replay:
                self._observer.count("messages_total", format="any", outcome="erased")
                return
            # What is asked for comes after the erase, so that nothing takes it for what was said before.
            command = replace(command, sent_at_ms=self._erasures.cut_off_ms(user) + 1)
        elif command.command in ("forget", "flush"):
            self._close_all(user, "flush", out)
        elif command.command == "prune":
            self._close_idle(user, command.sent_at_ms, out)
            self._store.let_go(user, command.sent_at_ms - self._policy.retention.context_ms)
        elif command.command == "profile":
            self._store.set_profile(user, command.profile, command.sent_at_ms)
        elif command.command in _DATED:
            command = replace(command, timezone=self._store.profile(user, "timezone"))
        out.append(command)

    def _is_erased(self, user: str, message: Message) -> bool:
        """Whether the message was erased before it came: its user's, or a copy of what an erased user said."""
        if self._erasures.covers(user, message.sent_at_ms):
            return True
        author = _author(message)
        return author is not None and self._erasures.covers(author, message.sent_at_ms)

    def _on_erase(self, user: str, command: Command) -> None:
        """Drops what the user said up to the command's time (F6); the ledger knows of it first."""
        tenant, user_id, ident, cut_off_ms = command.tenant, command.user_id, command.command_id, command.sent_at_ms
        if not self._store.carried_out.first(*self._erasures.hashes(user, ident)):
            return
        self._erasures.begin(tenant, user_id, ident, cut_off_ms, command.allow_replay, self._shard, self._shards)
        counts = self._store.erase(user, cut_off_ms)
        self._count_again(user)
        counts["copies"] = self._scrub(tenant, user_id, cut_off_ms)
        removed = {f"windows.{name}": count for name, count in counts.items()}
        self._erasures.count(user, ident, self._shard, removed)
        self._under_way.append((user, ident))

    def _on_scrub(self, item: Scrub) -> None:
        user = user_key(item.tenant, item.user_id)
        self._erasures.learn(user, item.cut_off_ms, item.allow_replay)
        if count := self._scrub(item.tenant, item.user_id, item.cut_off_ms):
            self._scrubbed.append((user, item.command_id, count))

    def _scrub(self, tenant: str, user_id: str, cut_off_ms: int) -> int:
        """Removes copies of a user's words from the windows of others; how many."""
        author = user_key(tenant, user_id)

        def gone(owner: str, message: Message) -> bool:
            return message.sent_at_ms <= cut_off_ms and _author(message) == author

        found = self._store.scrub(gone, near=user_id)
        for owner in sorted({owner for owner, _, is_open in found if is_open}):
            self._count_again(owner)
        return len(found)

    def _catch_up(self) -> None:
        """Carries out what the ledger knows and this file does not (F6)."""
        carried_out = self._store.carried_out
        if new := self._erasures.all(carried_out.through()):
            with self._store.file.transaction():
                self._erase_again(by_user(new))
                carried_out.is_through(new[-1].number)
        for erasure in self._erasures.unfinished():
            self._store.holds_erased = True
            if erasure.is_of(self._shard, self._shards) and carried_out.has(erasure):
                self._under_way.append((f"{erasure.tenant}/{erasure.user_id}", str(erasure.command_id)))

    def _erase_again(self, lost: Mapping[bytes, Erasure]) -> None:
        def gone(owner: str, message: Message) -> bool:
            author = _author(message)
            erasure = None if author is None else lost.get(self._erasures.user_hash(author))
            return erasure is not None and message.sent_at_ms <= erasure.cut_off_ms

        for user in sorted(self._store.users()):
            erasure = lost.get(self._erasures.user_hash(user))
            if erasure is not None:
                self._store.erase(user, erasure.cut_off_ms)
        self._store.scrub(gone)

    def _close_idle(self, user: str, at_ms: int, out: list[Emitted]) -> None:
        for conversation_id, window in list(self._open.get(user, {}).items()):
            if at_ms - window.last_sent_at_ms >= self._policy.idle_gap_ms:
                self._close(user, conversation_id, "idle", out)

    def _close_all(self, user: str, trigger: str, out: list[Emitted]) -> None:
        for conversation_id in list(self._open.get(user, {})):
            self._close(user, conversation_id, trigger, out)

    def _close_passed(self, out: list[Emitted]) -> None:
        """Closes windows whose own partition has moved past their idle gap."""
        for partition, heap in self._idle.items():
            watermark_ms = self._store.watermark_ms(partition)
            while heap and watermark_ms is not None and heap[0][0] <= watermark_ms:
                _, user, conversation_id = heapq.heappop(heap)
                window = self._open.get(user, {}).get(conversation_id)
                if window is None or window.partition != partition:
                    continue
                due_ms = window.last_sent_at_ms + self._policy.idle_gap_ms
                if due_ms > watermark_ms:
                    heapq.heappush(heap, (due_ms, user, conversation_id))
                else:
                    self._close(user, conversation_id, "idle", out)

    def _close_surplus(self, out: list[Emitted]) -> None:
        while self._open_count > self._policy.open_windows_max:
            user = next(iter(self._open))
            self._close(user, next(iter(self._open[user])), "pressure", out)

    def _close(self, user: str, conversation_id: str, trigger: str, out: list[Emitted]) -> None:
        context, messages = self._store.close(user, conversation_id)
        windows = self._open[user]
        del windows[conversation_id]
        self._open_count -= 1
        if not windows:
            del self._open[user]
        first = messages[0]
        self._observer.count("reflections_total", trigger=trigger)
        out.append(Reflection(first.tenant, first.user_id, conversation_id, trigger, context, messages))

    def _remember(self, user: str, conversation_id: str, window: _Open) -> None:
        self._open.setdefault(user, {})[conversation_id] = window
        self._open_count += 1
        self._schedule(user, conversation_id, window)

    def _schedule(self, user: str, conversation_id: str, window: _Open) -> None:
        heapq.heappush(self._timers, (window.last_arrived_ms + self._policy.idle_gap_ms, user, conversation_id))
        heap = self._idle.setdefault(window.partition, [])
        heapq.heappush(heap, (window.last_sent_at_ms + self._policy.idle_gap_ms, user, conversation_id))

    def _report_open(self) -> None:
        """Moves the process's gauge by what this shard gained or lost since it was last told."""
        if self._open_count != self._open_reported:
            self._observer.gauge("open_windows", self._open_count - self._open_reported)
            self._open_reported = self._open_count

    def _trim(self) -> None:
        """Rebuilds the heaps when windows that are closed by now outweigh the open ones."""
        if len(self._timers) + sum(map(len, self._idle.values())) <= 4 * self._open_count + _STALE_MAX:
            return
        self._timers, self._idle = [], {}
        for user, windows in self._open.items():
            for conversation_id, window in windows.items():
                self._schedule(user, conversation_id, window)

    def _count_again(self, user: str) -> None:
        """Looks up a user's open windows, from which messages were removed."""
        self._open_count -= len(self._open.pop(user, {}))
        for found in self._store.open_windows(user):
            window = _Open(found.count, found.last_sent_at_ms, found.last_arrived_ms, found.partition)
            self._remember(user, found.conversation_id, window)

    def on_notify(self) -> tuple[Iterable[Emitted], bool]:
        """Closes windows that have been idle by the clock (T2 in live running)."""
        out: list[Emitted] = []
        now_ms = self._now_ms()
        with self._store.file.transaction():
            self._store.file.next_seq()
            while self._timers and self._timers[0][0] <= now_ms:
                _, user, conversation_id = heapq.heappop(self._timers)
                window = self._open.get(user, {}).get(conversation_id)
                if window is None:
                    continue
                due_ms = window.last_arrived_ms + self._policy.idle_gap_ms
                if due_ms > now_ms:
                    heapq.heappush(self._timers, (due_ms, user, conversation_id))
                else:
                    self._close(user, conversation_id, "idle", out)
        self._report_open()
        return out, StatefulBatchLogic.RETAIN

    def on_eof(self) -> tuple[Iterable[Emitted], bool]:
        """Closes everything at the end of a bounded run (T4)."""
        out: list[Emitted] = []
        with self._store.file.transaction():
            self._store.file.next_seq()
            for user in list(self._open):
                self._close_all(user, "end", out)
        self._report_open()
        return out, StatefulBatchLogic.RETAIN

    def notify_at(self) -> datetime | None:
        """When the earliest window may have become idle by the clock, or an erasure has to go on."""
        if self._under_way or self._scrubbed:
            return self._now() + _ERASING
        if not self._open_count or not self._timers:
            return None
        return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=self._timers[0][0])

    def snapshot(self) -> WindowState:
        """Shard, lineage and sequence number; the windows themselves are in the shard's file."""
        lineage, seq = self._store.snapshot()
        if (self._under_way or self._scrubbed) and not self._store.holds_erased:
            for user, command_id in self._under_way:
                self._erasures.mark(user, command_id, "windows")
            self._under_way = []
            self._scrubbed = [each for each in self._scrubbed if not self._counted(*each)]
        return self._shard, lineage, seq

    def _counted(self, user: str, command_id: str, copies: int) -> bool:
        """Whether the ledger has taken the number; it may hear of the erasure later than this shard."""
        return self._erasures.count(user, command_id, self._shard, {"windows.copies": copies})

    def _now_ms(self) -> int:
        return int(self._now().timestamp() * 1000)


def _author(message: Message) -> str | None:
    """Who said a peer's message, as tenant/user_id."""
    who = message.author or message.speaker if message.role == "peer" else None
    return None if who is None else user_key(message.tenant, who)
