"""Commands tried on copies of users' memories, which are thrown away: what a dry run tells (F3, F5, Q5)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from flows.job import extract_policy, models, pair_judge, rules_policy
from flows.memory import Memory
from flows.settings import Settings
from operators.decode import Decoder
from operators.extract import ExtractStep
from operators.observing import Unobserved
from operators.records import InRecord
from state.facts import Entry
from state.fold import apply_entry
from state.index import similarities
from state.layout import Layout
from state.messages import Command, Rejected
from state.user_memory import Changes, UserMemory
from state.windows import user_key


class Trial:
    """Folds commands into copies of what is in a state directory, which need not exist yet."""

    def __init__(self, settings: Settings, state: Path) -> None:
        self._settings, self._state = settings, state
        self._memories: dict[str, Memory] = {}
        self._decoder = Decoder(settings.decode_policy())
        self._policy = rules_policy(settings)
        self._copies: dict[str, UserMemory] = {}

    def run(self, row: dict[str, Any]) -> Changes:
        """What a command would change, after those tried before. Raises ValueError for a malformed one."""
        [item] = self._decoder.decode(InRecord("commands", "trial", 0, 0, orjson.dumps(row)))
        if isinstance(item, Rejected):
            raise ValueError(item.detail)
        assert isinstance(item, Command)
        user = self._copy(item.tenant, item.user_id)
        judge = pair_judge() if item.command == "import" and item.fact is None else None
        return apply_entry(user, self._entry(item), lambda code: _similar(user, code), self._policy, judge=judge)

    def _entry(self, command: Command) -> Entry:
        if command.command in ("prune", "flush", "profile"):
            ident = command.command_id
            return Entry(command.tenant, command.user_id, command.sent_at_ms, ident, command=command)
        [(_, entry)] = self._extract([("", command)])
        assert isinstance(entry, Entry)
        return entry

    @cached_property
    def _extract(self) -> ExtractStep:
        extractor, embedder = models(self._settings.extraction.keep_threshold)
        return ExtractStep(extractor, embedder, extract_policy(self._settings), Unobserved())

    def _copy(self, tenant: str, user_id: str) -> UserMemory:
        key = user_key(tenant, user_id)
        if key not in self._copies:
            if tenant not in self._memories and Layout(self._state).identity_path.exists():
                self._memories[tenant] = Memory(self._state, tenant)
            memory = self._memories.get(tenant)
            self._copies[key] = UserMemory(tenant, user_id) if memory is None else memory.load(user_id)
        return self._copies[key]

    def let_go(self) -> None:
        """Drops the copies, so that a trial of many users does not hold them all."""
        self._copies.clear()


def _similar(user: UserMemory, code: bytes) -> dict[str, float]:
    facts = [fact for fact in user.facts.values() if fact.embedding]
    scores = similarities(code, [fact.embedding for fact in facts]) if facts else []
    return {fact.fact_id: score for fact, score in zip(facts, scores, strict=True)}
