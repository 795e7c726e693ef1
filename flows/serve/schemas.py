"""The shapes of requests, which are checked, and of answers, which the OpenAPI document describes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from state.facts import Kind

QUERY_CHARS_MAX = 4_000
TEXT_CHARS_MAX = 100_000
LIMIT_MAX = 100

Status = Literal["active", "superseded", "forgotten", "archived", "pruned", "deleted", "all"]
ProposalStatus = Literal["pending", "approved", "rejected", "expired", "superseded", "all"]
Id = Annotated[str, Field(min_length=1, max_length=512)]
Namespace = Annotated[str, Field(min_length=1, max_length=512, description="Parts with slashes: user/home.")]
Words = Annotated[str, Field(min_length=1, max_length=TEXT_CHARS_MAX)]
CommandId = Annotated[
    str | None, Field(max_length=512, description="A command is applied once per id; one is made where none is given.")
]


class Request(BaseModel):
    """A request's body: a field that is not known is refused, for it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class RecallRequest(Request):
    """A question about a user."""

    user_id: Id
    query: Annotated[str | None, Field(max_length=QUERY_CHARS_MAX)] = None
    limit: Annotated[int, Field(ge=1, le=LIMIT_MAX)] = 5
    as_of: Annotated[str | None, Field(description="ISO 8601: what was known then.")] = None
    true_at: Annotated[str | None, Field(description="ISO 8601: what is known to hold then.")] = None
    kinds: list[Kind] = []
    namespace: Namespace | None = None
    format: Literal["json", "prompt"] = "json"
    budget_tokens: Annotated[
        int | None, Field(ge=50, le=100_000, description="Of the prompt; prompt.budget_tokens without.")
    ] = None


class RememberRequest(Request):
    """Something to remember."""

    text: Words
    kind: Kind | None = None
    namespace: Namespace | None = None
    command_id: CommandId = None


class ForgetRequest(Request):
    """What to forget: exactly one of text, fact_id and namespace."""

    text: Words | None = None
    fact_id: Id | None = None
    namespace: Namespace | None = None
    dry_run: Annotated[bool, Field(description="Only tells what would go.")] = False
    command_id: CommandId = None


class EraseRequest(Request):
    """Confirms that everything of a user goes for good."""

    confirm: Annotated[Id, Field(description="The user's id once more.")]
    command_id: CommandId = None


class PinRequest(Request):
    """A fact to pin, or to unpin."""

    fact_id: Id
    command_id: CommandId = None


class CommandRequest(Request):
    """A command without words."""

    command_id: CommandId = None


class EditRequest(Request):
    """A proposal's new wording, which is approved with it."""

    content: Words
    command_id: CommandId = None


class SourceRow(BaseModel):
    """Evidence: characters of a message, and the record that it came in."""

    message_id: str
    conversation_id: str
    start: int
    end: int
    topic: str
    partition: int
    offset: int


class FactRow(BaseModel):
    """An exported fact."""

    id: str
    tenant: str
    user_id: str
    agent_id: str | None
    namespace: list[str]
    kind: Kind
    content: str
    subject: str
    predicate: str
    object: str
    polarity: bool
    confidence: float
    reinforced_confidence: float
    mentions: int
    intensity: float
    importance: float
    language: str
    status: str
    reason: str | None
    contradicts: list[str]
    pinned: bool
    first_said_at: str
    last_said_at: str
    recorded_at: str
    valid_from: str | None
    valid_to: str | None
    recurring: str | None
    sources: list[SourceRow]
    derived_from: list[str]
    source_rank: int
    extractor_version: str
    embedding_version: str
    revision: int


class RankedRow(FactRow):
    """A fact with the score that it was ranked by."""

    score: float


class VersionRow(FactRow):
    """One version of a fact, with the event and the rule that made it."""

    event: str | None
    rule: str | None
    old_content: str | None


class EventRow(BaseModel):
    """A fact event."""

    event_id: str
    event: str
    user_id: str
    tenant: str
    fact: FactRow | None
    old_content: str | None
    rule: str
    matched_fact_id: str | None
    similarity: float | None
    reason: str | None
    said_at: str
    recorded_seq: int
    schema_version: int
    command_id: str | None


class ProposalRow(BaseModel):
    """A change that waits for a person, or did."""

    id: str
    proposal_id: str
    tenant: str
    user_id: str
    action: Literal["ADD", "UPDATE", "DELETE"]
    status: str
    rule: str
    kind: Kind
    namespace: list[str]
    content: str
    target_fact_id: str | None
    proposed_at: str
    decided_at: str | None
    decided_by: str | None
    candidate: dict[str, Any]


class EvidenceRow(SourceRow):
    """A source with the words of its message, where they are still kept: before, said and after."""

    role: str
    sent_at: str | None
    before: str
    said: str
    after: str


class UserRow(BaseModel):
    """A user with what is held of them."""

    user_id: str
    facts: int
    pending: int


class RecallAnswer(BaseModel):
    """Facts, best first; or the text for a prompt."""

    user_id: str
    query: str | None
    facts: list[RankedRow] | None = None
    prompt: str | None = None


class TurnRow(BaseModel):
    """A message as it was said, redacted."""

    message_id: str
    conversation_id: str
    role: str
    speaker: str | None
    text: str
    sent_at: str


class FoundRow(BaseModel):
    """A fact with the messages behind it, as far as they are kept; or a message alone."""

    score: float
    fact: FactRow | None
    turns: list[TurnRow]


class SearchAnswer(BaseModel):
    """Facts and messages, best first."""

    user_id: str
    query: str
    found: list[FoundRow]


class TurnsAnswer(BaseModel):
    """Messages, latest first."""

    user_id: str
    turns: list[TurnRow]


class ProfileAnswer(BaseModel):
    """One value a slot; with the fact behind it where a conversation gave it."""

    user_id: str
    profile: dict[str, dict[str, Any]]


class FactsAnswer(BaseModel):
    """A user's facts."""

    user_id: str
    facts: list[FactRow]


class FactAnswer(BaseModel):
    """One fact with its evidence."""

    fact: FactRow
    evidence: list[EvidenceRow]


class HistoryAnswer(BaseModel):
    """Every version, oldest first."""

    user_id: str
    versions: list[VersionRow]


class EventsAnswer(BaseModel):
    """Events in the order in which they were made; `next` goes on after the last."""

    user_id: str
    events: list[EventRow]


class UsersAnswer(BaseModel):
    """Users in order of id; `next` is what to give as `after` for more, null at the end."""

    users: list[UserRow]
    next: str | None


class ProposalsAnswer(BaseModel):
    """Proposals in order of id; `next` is what to give as `after` for more, null at the end."""

    proposals: list[ProposalRow]
    next: str | None


class CommandAnswer(BaseModel):
    """200 "applied": memory has it, and these are its events. 202 "accepted": it is on its way."""

    command_id: str
    status: Literal["applied", "accepted"]
    detail: str | None = None
    events: list[EventRow]


class PreviewAnswer(BaseModel):
    """What a forget would take, as it is now."""

    dry_run: Literal[True]
    status: Literal["preview"]
    facts: list[FactRow]


class ProblemAnswer(BaseModel):
    """Why a request was not answered."""

    detail: str
    code: str
