"""The product, run as it is on a conversation file, and what its memory then says it learned from which message."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from flows.evaluation.chats import Chat, Turn, message_rows
from flows.job import open_state, run_process
from flows.memory import Memory
from flows.settings import load
from flows.spec import JobSpec
from state.facts import Candidate, Fact, FactEvent, Proposal, Source

Runs = Callable[[Sequence[Chat]], "Stored"]


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """What memory holds of one message: the content, its confidence, and the evidence [start, end) in the message."""

    content: str
    confidence: float
    start: int
    end: int
    kind: str = "fact"
    polarity: bool = True


@dataclass(frozen=True, slots=True)
class Stored:
    """What one run left in memory: claims by (user id, message id), and every user's facts of any status."""

    claims: Mapping[Turn, tuple[StoredClaim, ...]]
    facts: Mapping[str, tuple[Fact, ...]]

    def contents(self, turn: Turn) -> list[str]:
        """What memory holds of one message, each wording once."""
        return list(dict.fromkeys(claim.content for claim in self.claims.get(turn, ())))


def run_product(chats: Sequence[Chat], config: Path | None = None) -> Stored:
    """Runs the embedded job over the conversations in a state directory of its own, and reads what it stored."""
    with tempfile.TemporaryDirectory(prefix="factstream-eval-") as folder:
        source, state = Path(folder) / "messages.jsonl", str(Path(folder) / "state")
        with source.open("wb") as out:
            out.writelines(orjson.dumps(row) + b"\n" for row in message_rows(chats))
        spec = JobSpec(state, str(config) if config else None, (str(source),))
        open_state(load(spec.config), state)
        run_process(spec)
        with Memory(state) as memory:
            facts = {user: tuple(memory.facts(user, "all")) for user in memory.users()}
            return Stored(claims_by_message(memory.events(), memory.proposals()), facts)


def claims_by_message(
    events: Iterable[FactEvent], proposals: Iterable[Proposal]
) -> dict[Turn, tuple[StoredClaim, ...]]:
    """The claims that each message stands behind.

    An event names the fact's evidence; a message that was not among it before is why the event happened, so the
    fact's content of that moment is the message's claim. A restatement cites too: the fact gained its message. What
    waits for approval counts as stored; what fell below the floor cites nothing and does not.
    """
    claims: dict[Turn, list[StoredClaim]] = {}
    cited: dict[str, set[str]] = {}
    for event in events:
        fact = event.fact
        if fact is None:
            continue
        known = cited.setdefault(fact.fact_id, set())
        for source in fact.sources:
            if source.message_id not in known:
                claims.setdefault((event.user_id, source.message_id), []).append(_stored(fact, source))
                known.add(source.message_id)
    for proposal in proposals:
        waiting = proposal.candidate
        claims.setdefault((proposal.user_id, waiting.source.message_id), []).append(_stored(waiting, waiting.source))
    return {turn: tuple(found) for turn, found in claims.items()}


def _stored(held: Fact | Candidate, source: Source) -> StoredClaim:
    return StoredClaim(held.content, held.confidence, source.start, source.end, held.kind, held.polarity)
