"""The extract step: every reflection of one activation in one batched pass of the models, policy applied, embedded.

What a message yields depends on the message and its context alone (T7): the messages of its conversation before it,
at most K of them and none older than the horizon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from time import perf_counter
from typing import Any, Protocol

import orjson

from models.claims import Claim, Extraction, Utterance
from models.cues import corrects, renews
from models.off_record import off_record
from operators.extract_commands import claims_of, told_words, utterance_of
from operators.observing import Observer
from operators.policy import StoragePolicy, claims_dropped, commanded, imported, judged, names_dropped
from operators.redact import says_nothing_else
from state.export import fact_from_row
from state.facts import Candidate, Entry, Fact, Kind, Source, SourceRank, candidate_id, stable_id
from state.index import encode
from state.lexical import words
from state.messages import Command, Message, Reflection
from state.predicates import importance_of, namespace_for
from state.turns import Turn, embedded_text

Keyed = tuple[str, Reflection | Command]
KeyedEntry = tuple[str, Entry | Turn]

_WORDED = frozenset({"forget", "approve", "reject", "pin", "unpin"})
_TURN_ROLES = frozenset(("user", "assistant"))  # what others said in a room is not this user's to keep
_TURN_WORDS_MIN = 2
_REDACTED = "[redacted:"  # what was taken out says nothing any more


class Extracts(Protocol):
    """Text in, claims out; the answer for one utterance does not depend on the others in the call."""

    @property
    def version(self) -> str:
        """Names the weights and the rules; it changes when an answer may."""

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        """One extraction an utterance, in order."""


class Embeds(Protocol):
    """Text in, unit vectors out: float32 of shape (texts, dimensions)."""

    @property
    def version(self) -> str:
        """Names the weights; vectors of two versions are never compared."""

    def embed(self, texts: list[str]) -> Any:
        """One row a text, in order."""


@dataclass(frozen=True, slots=True)
class ExtractPolicy:
    """How messages are read, and what of their claims goes on. `turns`: whether messages are kept too (Q4).

    `fact_chars_max` bounds what a fact says, so that its record fits the topics.
    """

    context_messages: int = 8
    context_horizon_ms: int = 86_400_000
    timezone: str = "UTC"
    storage: StoragePolicy = field(default_factory=StoragePolicy)
    turns: bool = False
    fact_chars_max: int = 2_000


_Read = tuple[str, Message | Command, Utterance | None, Sequence[Message]]


@dataclass(slots=True)
class _Draft:
    """An entry or turn under way: its claims, and the words of its command or its own, wait for their embeddings."""

    key: str
    entry: Entry | Turn
    claims: list[Candidate]
    words: str | None = None


class ExtractStep:
    """Callable for one activation's reflections and commands; holds the models, no state."""

    def __init__(self, extractor: Extracts, embedder: Embeds, policy: ExtractPolicy, observer: Observer) -> None:
        self._extractor, self._embedder, self._policy, self._observer = extractor, embedder, policy, observer

    def __call__(self, batch: Sequence[Keyed]) -> list[KeyedEntry]:
        """Entries in the order of the messages and commands, a turn before its entries where turns are kept. Of a
        user's message that yields nothing the entry says nothing; others make none.
        """
        started = perf_counter()
        turns = [turn for key, item in batch for turn in self._turns(key, item)]
        readings = iter(self._extractor.extract([turn[2] for turn in turns if turn[2] is not None]))
        drafts = [
            draft
            for key, source, utterance, before in turns
            for draft in self._drafts(key, source, next(readings) if utterance is not None else None, before)
        ]
        extracted = perf_counter()
        entries = self._embedded(drafts)
        self._observer.measure("stage_seconds", extracted - started, stage="extract")
        self._observer.measure("stage_seconds", perf_counter() - extracted, stage="embed")
        self._observer.measure("batch_size", len(turns), stage="extract")
        return entries

    def _turns(self, key: str, item: Reflection | Command) -> list[_Read]:
        if isinstance(item, Command):
            return [(key, item, utterance_of(item, self._policy.timezone), ())]
        before = [*item.context, *item.messages]
        offset = len(item.context)
        return [
            (
                key,
                message,
                None if message.deleted else self._utterance(message, before[: offset + i]),
                before[: offset + i],
            )
            for i, message in enumerate(item.messages)
        ]

    def _utterance(self, message: Message, before: list[Message]) -> Utterance:
        oldest_ms = message.sent_at_ms - self._policy.context_horizon_ms
        latest = {turn.message_id: turn for turn in before}  # an edit or deletion in the place of what it changes
        stands = [turn for turn in latest.values() if not turn.deleted]
        context = tuple(
            (turn.role, turn.text) for turn in stands[-self._policy.context_messages :] if turn.sent_at_ms >= oldest_ms
        )
        timezone = message.timezone or self._policy.timezone
        return Utterance(message.role, message.text, message.sent_at_ms, timezone, message.language, context)

    def _drafts(
        self, key: str, source: Message | Command, reading: Extraction | None, before: Sequence[Message]
    ) -> list[_Draft]:
        if isinstance(source, Command):
            return [self._command_draft(key, source, reading)]
        unkept = self._is_unkept(source)
        drafts = []
        if self._policy.turns and source.role in _TURN_ROLES and not (unkept or self._tells_dropped(source, reading)):
            drafts.append(self._turn(key, source))
        if source.deleted:
            return [*drafts, _retraction(key, source, "deleted", source.message_id)]
        assert reading is not None
        for reason in reading.dropped:
            self._observer.count("candidates_dropped_total", reason=reason)
        if unkept and reading.claims:
            self._observer.count("candidates_dropped_total", len(reading.claims), reason="off_record")
        elif unkept and off_record(source.text) == "before" and (meant := _last_said(before)) is not None:
            if self._policy.turns:
                drafts.append(self._turn(key, replace(meant, deleted=True)))
            drafts.append(_retraction(key, source, "off_record", meant.message_id))
        claims = [] if unkept else self._stored(source, reading.claims)
        retracts = source.message_id if source.edited_at_ms is not None else None
        forgotten = reading.request.text if reading.request and reading.request.action == "forget" else None
        if claims or retracts is not None or (source.role == "user" and not (unkept or forgotten is not None)):
            entry = Entry(source.tenant, source.user_id, source.sent_at_ms, source.message_id, retracts=retracts)
            drafts.append(_Draft(key, entry, claims))
        if forgotten is not None:
            drafts.append(self._forget_draft(key, source, forgotten))
        return drafts

    def _is_unkept(self, message: Message) -> bool:
        """Whether the user says that this message, or what they just said, is not for memory (P4)."""
        return self._policy.storage.off_record and message.role == "user" and off_record(message.text) is not None

    def _tells_dropped(self, message: Message, reading: Extraction | None) -> bool:
        policy = self._policy.storage
        if not policy.drops_sensitive:
            return False
        claims = reading.claims if reading is not None else ()
        return names_dropped(message.text, policy) or any(claims_dropped(claim, policy) for claim in claims)

    def _stored(self, message: Message, claims: Sequence[Claim]) -> list[Candidate]:
        """What policy lets pass of a message's claims, each with its write mode (P1)."""
        kept = []
        for claim in claims:
            if len(claim.content) > self._policy.fact_chars_max:
                self._observer.count("candidates_dropped_total", reason="too_long")
                continue
            if _REDACTED in claim.object or says_nothing_else(claim.content):
                self._observer.count("candidates_dropped_total", reason="redacted")
                continue
            passed = self._let_pass([judged(self._candidate(message, claim), self._policy.storage)])
            if passed:
                self._observer.count("candidates_total", kind=claim.kind)
            kept += passed
        return kept

    def _candidate(self, message: Message, claim: Claim) -> Candidate:
        triple = (claim.subject, claim.predicate, claim.object)
        kind: Kind = claim.kind  # type: ignore[assignment]  # models name kinds as plain strings
        rank: SourceRank = 1 if claim.confirmed else 3 if message.role == "assistant" else 0
        return Candidate(
            candidate_id(message.tenant, message.user_id, message.message_id, claim.start, claim.end, triple),
            message.tenant,
            message.user_id,
            message.agent_id,
            message.sent_at_ms,
            Source(message.message_id, message.conversation_id, claim.start, claim.end, message.origin),
            kind,
            claim.namespace or namespace_for(claim.subject, claim.predicate),
            claim.content,
            *triple,
            polarity=claim.polarity,
            confidence=round(claim.confidence, 4),
            intensity=round(claim.intensity, 4),
            importance=importance_of(claim.predicate, claim.intensity),
            language=claim.language,
            embedding=b"",
            valid_from=claim.valid_from,
            valid_to=claim.valid_to,
            recurring=claim.recurring,
            source_rank=rank,
            extractor_version=self._extractor.version,
            embedding_version=self._embedder.version,
            renewed=renews(message.text[claim.start : claim.end]),
            corrects=corrects(message.text[claim.start : claim.end]),
        )

    def _forget_draft(self, key: str, message: Message, words: str) -> _Draft:
        """A message that asks to forget acts as the user's own command (T3, F3)."""
        ident = f"{message.message_id}#forget"
        command = Command(
            message.tenant, message.user_id, "forget", ident, message.sent_at_ms, message.origin, text=words
        )
        entry = Entry(message.tenant, message.user_id, message.sent_at_ms, ident, command=command)
        return _Draft(key, entry, [], words)

    def _command_draft(self, key: str, command: Command, reading: Extraction | None) -> _Draft:
        entry = Entry(command.tenant, command.user_id, command.sent_at_ms, command.command_id, command=command)
        if command.command == "profile":
            return _Draft(key, entry, self._bio(command))
        if command.fact is not None:
            return self._taken_over(key, entry, command)
        if told_words(command) is not None:
            return self._told(key, entry, command, reading)
        words = command.text or command.match
        return _Draft(key, entry, [], words if command.command in _WORDED else None)

    def _told(self, key: str, entry: Entry, command: Command, reading: Extraction | None) -> _Draft:
        """What a command gives memory to keep (W2, W3, Q5). Of what must not be stored no word stays in its log."""
        for reason in reading.dropped if reading is not None else ():
            self._observer.count("candidates_dropped_total", reason=reason)
        text = told_words(command) or ""
        message = _as_message(command, text)
        claims = claims_of(command, reading, self._policy.timezone)
        if command.command == "import":
            read = [self._candidate(message, claim) for claim in claims]
            answers = [_unless_emptied(each, imported(each, self._policy.storage, new=True)) for each in read]
        else:
            read = [self._commanded(message, command, claim) for claim in claims]
            answers = [_unless_emptied(each, commanded(each, self._policy.storage)) for each in read]
        kept = self._let_pass(answers)
        if len(kept) < len(claims):
            emptied = all(answer == "redacted" for answer in answers)
            entry = replace(entry, command=replace(command, text=None, content=None, digest="", emptied=emptied))
        return _Draft(key, entry, kept)

    def _commanded(self, message: Message, command: Command, claim: Claim) -> Candidate:
        return replace(
            self._candidate(message, claim),
            namespace=command.namespace or claim.namespace or namespace_for(claim.subject, claim.predicate),
            confidence=max(0.95, round(claim.confidence, 4)),
        )

    def _taken_over(self, key: str, entry: Entry, command: Command) -> _Draft:
        """An exported fact as it is, with a vector of this model, as far as policy lets it (P1, Q5)."""
        row = {**orjson.loads(command.fact or "{}"), "embedding_version": self._embedder.version}
        candidate = _as_candidate(fact_from_row(row), command)
        answer = _unless_emptied(candidate, imported(candidate, self._policy.storage))
        passed = next(iter(self._let_pass([answer])), None)
        bare = replace(command, fact=None)
        if passed is None or (passed.write_mode == "propose" and row["status"] not in ("active", "forgotten")):
            return _Draft(key, replace(entry, command=bare), [])
        if passed.write_mode == "propose" and row["status"] == "active":
            return _Draft(key, replace(entry, command=bare), [passed])
        carried = replace(command, fact=orjson.dumps(row).decode())
        return _Draft(key, replace(entry, command=carried), [], row["content"])

    def _let_pass(self, answers: Sequence[Candidate | str]) -> list[Candidate]:
        """What policy lets pass; what it does not is counted by its reason (P1)."""
        for answer in answers:
            if isinstance(answer, str):
                self._observer.count("candidates_dropped_total", reason=answer)
        return [answer for answer in answers if not isinstance(answer, str)]

    def _bio(self, command: Command) -> list[Candidate]:
        """One candidate a sentence of the profile's bio: what memory need not learn again (X4)."""
        message = _as_message(command, dict(command.profile).get("bio", ""))
        sentences = [part.strip() for part in message.text.replace("\n", ". ").split(". ") if part.strip(" .")]
        return [self._candidate(message, self._verbatim(sentence, "fact")) for sentence in sentences]

    def _verbatim(self, text: str, kind: str) -> Claim:
        return Claim(kind, (), "user", "states", text, True, text, 1.0, 0.5, "und", 0, len(text))

    def _embedded(self, drafts: list[_Draft]) -> list[KeyedEntry]:
        texts = [candidate.content for draft in drafts for candidate in draft.claims]
        texts += [draft.words for draft in drafts if draft.words is not None]
        codes = encode(self._embedder.embed(texts)) if texts else []
        facts, worded = iter(codes), iter(codes[sum(len(draft.claims) for draft in drafts) :])
        entries: list[KeyedEntry] = []
        for draft in drafts:
            candidates = tuple(replace(candidate, embedding=next(facts)) for candidate in draft.claims)
            embedding = next(worded) if draft.words is not None else b""
            if isinstance(draft.entry, Turn):
                version = self._embedder.version if embedding else ""
                done: Entry | Turn = replace(draft.entry, embedding=embedding, embedding_version=version)
            else:
                done = replace(draft.entry, candidates=candidates, embedding=embedding)
            entries.append((draft.key, done))
        return entries

    def _turn(self, key: str, message: Message) -> _Draft:
        """The message as it is kept; the user's own, with something to mean, is found by its meaning too."""
        turn = Turn(
            message.tenant,
            message.user_id,
            message.message_id,
            message.conversation_id,
            message.role,
            "" if message.deleted else message.text,
            message.sent_at_ms,
            message.origin,
            message.agent_id,
            message.speaker,
            revises=message.deleted or message.edited_at_ms is not None,
        )
        sought = message.role == "user" and len(words(turn.text)) >= _TURN_WORDS_MIN
        return _Draft(key, turn, [], embedded_text(turn.text) if sought else None)


def _unless_emptied(candidate: Candidate, answer: Candidate | str) -> Candidate | str:
    """What policy says of a claim, where it says more than what was redacted (P1)."""
    return "redacted" if says_nothing_else(candidate.content) else answer


def _retraction(key: str, message: Message, why: str, meant: str) -> _Draft:
    """An entry by which what the message `meant` said no longer counts (F7, P4)."""
    ident = f"{message.message_id}#{why}"
    return _Draft(key, Entry(message.tenant, message.user_id, message.sent_at_ms, ident, retracts=meant), [])


def _last_said(before: Sequence[Message]) -> Message | None:
    """The user's last message among those before."""
    return next((message for message in reversed(before) if message.role == "user"), None)


def _as_message(command: Command, text: str) -> Message:
    """A command's words in the form of a message, so that its facts cite the command as their source."""
    ident = stable_id("command", command.command_id)
    return Message(command.tenant, command.user_id, "commands", ident, "user", text, command.sent_at_ms, command.origin)


def _as_candidate(fact: Fact, command: Command) -> Candidate:
    """An exported fact as a claim, for policy to judge; of its evidence the first source stays."""
    source = fact.sources[0] if fact.sources else _as_source(command)
    names = [field.name for field in fields(Candidate) if hasattr(fact, field.name)]
    return Candidate(
        candidate_id=fact.fact_id,
        said_at_ms=fact.last_said_at_ms,
        source=source,
        **{name: getattr(fact, name) for name in names},
    )


def _as_source(command: Command) -> Source:
    return Source(stable_id("command", command.command_id), "commands", 0, 0, command.origin)
