"""Every decision rule with an example; `python -m tests.state.rule_examples` prints docs/rules.md from them (R13).

An example is a story of entries of one user. Its last entry's events must name the rule, and `leaves` are the active
contents afterwards; test_rule_examples.py folds each one and holds the document to this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from state.export import fact_row
from state.facts import Entry
from state.policy import RulesPolicy
from state.revising import added
from state.rules import Decision
from tests.state.folding import POLICY, claim, said, told

DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"


@dataclass(frozen=True, slots=True)
class Example:
    """`says` completes "The rule: …"; `leaves` are active contents, sorted."""

    rule: str
    says: str
    story: Sequence[Entry]
    leaves: Sequence[str]
    policy: RulesPolicy = field(default=POLICY)


def _told_in_turn(*contents: str) -> list[Entry]:
    return [said(claim(content, f"m{day}", day)) for day, content in enumerate(contents)]


def _carried(content: str, day: float, entry_id: str, message: str = "x1") -> Entry:
    """An import of an exported fact as it is."""
    fact = added(claim(content, message, 0), Decision("ADD", ""), 0, POLICY)
    return told("import", day, entry_id, fact=orjson.dumps(fact_row(fact)).decode())


_BULLETS = said(claim("Assistant should answer in bullet points", "m0", 0))
_DENIAL = claim("User has never lived in Berlin", "m1", 1)
_AT_LUMEN = _told_in_turn("User works at Lumen", "Lumen lives in Seattle")

EXAMPLES = (
    Example("R1.new", "nothing known is about it: it is added", _told_in_turn("User likes tea"), ["User likes tea"]),
    Example(
        "R2.completes",
        "it says the same and more: the fact is updated, its evidence stays",
        _told_in_turn("User has a cat", "User has a cat called Miso"),
        ["User has a cat called Miso"],
    ),
    Example(
        "R2.stronger",
        "the same claim, said with more certainty or feeling",
        [*_told_in_turn("User likes tea"), said(claim("User loves tea", "m1", 1, intensity=0.9))],
        ["User loves tea"],
    ),
    Example(
        "R2.contradicts",
        "a new value of what can have only one",
        _told_in_turn("User lives in York", "User lives in New York"),
        ["User lives in New York"],
    ),
    Example(
        "R2.corrects",
        "the same sentence with another number or name",
        _told_in_turn("User is 34 years old", "User is 35 years old"),
        ["User is 35 years old"],
    ),
    Example(
        "R2.ended",
        "what was true is over: the fact becomes a former one",
        _told_in_turn("User works at Brio", "User left Brio"),
        ["User left Brio"],
    ),
    Example(
        "R3.polarity",
        "a preference turns",
        _told_in_turn("User loves ramen", "User has gone off ramen"),
        ["User has gone off ramen"],
    ),
    Example(
        "R4.negation",
        "a bare denial at confidence 0.90 or more: the fact is deleted",
        _told_in_turn("User smokes", "User does not smoke"),
        [],
    ),
    Example(
        "R4.unsure",
        "a denial below 0.90: the fact is flagged, its deletion proposed",
        [*_told_in_turn("User smokes"), said(claim("User does not smoke", "m1", 1, confidence=0.8))],
        ["User smokes"],
    ),
    Example(
        "R4.nothing_to_negate",
        "a denial of what is not known makes no fact",
        _told_in_turn("User has never had a pilot's licence"),
        [],
    ),
    Example(
        "R4.denied_later",
        "what a later statement denies does not stand when it arrives after it",
        [said(_DENIAL), said(claim("User lived in Berlin", "m0", 0, predicate="lived_in", object="Berlin"))],
        [],
    ),
    Example(
        "R5.restated",
        "said again: the evidence grows, the wording stays",
        _told_in_turn("User owns two ferrets", "User owns two ferrets"),
        ["User owns two ferrets"],
    ),
    Example(
        "R5.vaguer",
        "said again with less detail: the evidence grows, the detail stays",
        _told_in_turn("User has a cat called Miso", "User has a cat"),
        ["User has a cat called Miso"],
    ),
    Example(
        "R5.same_message",
        "twice in one message counts once",
        [said(claim("User likes tea", "m0", 0), claim("User likes tea", "m0", 0))],
        ["User likes tea"],
    ),
    Example(
        "R6.later",
        "a later statement stands against an earlier one that arrives after it",
        [said(claim("User lives in Munich", "m1", 2)), said(claim("User lives in Berlin", "m0", 0))],
        ["User lives in Munich"],
    ),
    Example(
        "R9.contradicts",
        "a worse source contradicts a better one: both stand, flagged",
        [*_told_in_turn("User lives in York"), said(claim("User lives in Hull", "m1", 1, source_rank=2))],
        ["User lives in Hull", "User lives in York"],
    ),
    Example(
        "R10.expired",
        "a status has run out: it is archived when the user is next heard of",
        [
            said(claim("User is visiting Lisbon", "m0", 0, valid_to="2026-01-05")),
            said(claim("User likes tea", "m1", 9)),
        ],
        ["User likes tea"],
    ),
    Example(
        "R10.refines_date",
        "how long it has been so confirms it and may date it",
        _told_in_turn("User works at Brio", "User has been at Brio for 3 years"),
        ["User works at Brio"],
    ),
    Example(
        "R10.status_to_fact",
        "a plan or search has come to its end",
        _told_in_turn("User wants to buy a boat", "User bought a boat"),
        ["User bought a boat"],
    ),
    Example(
        "R12.derived",
        "what follows from two facts, where `memory.derived` is auto; with propose it waits (W1.proposed)",
        _AT_LUMEN,
        ["Lumen lives in Seattle", "User works at Lumen", "User works in Seattle"],
        replace(POLICY, derived="auto"),
    ),
    Example(
        "R12.fell",
        "what a derived fact follows from no longer holds: it is archived",
        [*_AT_LUMEN, said(claim("User left Lumen", "m2", 2))],
        ["Lumen lives in Seattle", "User left Lumen"],
        replace(POLICY, derived="auto"),
    ),
    Example(
        "P3.floor",
        "confidence below the floor: nothing is stored or confirmed",
        [said(claim("User likes tea", "m0", 0, confidence=0.6))],
        [],
    ),
    Example(
        "X4.profile",
        "a profile sets slots and a bio",
        [told("profile", 0, profile=(("bio", "Lives in Porto."),))],
        [],
    ),
    Example(
        "X4.in_bio",
        "what the bio says is not learned again",
        [
            told(
                "profile", 0, candidates=(claim("User lives in Porto", "b0", 0),), profile=(("bio", "Lives in Porto."),)
            ),
            said(claim("User lives in Porto", "m1", 1)),
        ],
        [],
    ),
    Example(
        "X8.third_party",
        "of other people only what the policy keeps",
        [said(claim("User's sister Mia likes tea", "m0", 0, subject="Mia", namespace=("people", "mia")))],
        [],
        RulesPolicy(),
    ),
    Example(
        "X9.recommendation",
        "what the assistant recommended is kept as that",
        _told_in_turn("Assistant recommended Il Forno"),
        ["Assistant recommended Il Forno"],
    ),
    Example("W1.proposed", "a kind that needs approval waits for it", [_BULLETS], []),
    Example(
        "W1.already_proposed",
        "what waits already is not proposed twice",
        [_BULLETS, said(claim("Assistant should answer in bullet points", "m1", 1))],
        [],
    ),
    Example(
        "W2.approved",
        "a person approved: it is judged against memory as it is now",
        [_BULLETS, told("approve", 1, match="bullet")],
        ["Assistant should answer in bullet points"],
    ),
    Example("W2.rejected", "a person rejected", [_BULLETS, told("reject", 1, match="bullet")], []),
    Example(
        "W2.already_decided",
        "a proposal is decided once",
        [_BULLETS, told("reject", 1, match="bullet"), told("approve", 2, "k2", match="bullet")],
        [],
    ),
    Example(
        "S5.command_id_reused",
        "an id was that of another command",
        [said(claim("User likes tea", "m0", 0)), told("forget", 1, "k1#0", text="tea", reused=True)],
        ["User likes tea"],
    ),
    Example("W2.unknown_proposal", "no proposal has that id", [told("approve", 0, proposal_id="p0")], []),
    Example("W2.no_single_match", "the words must pick one proposal", [told("approve", 0, match="bullet")], []),
    Example(
        "W3.manual",
        "nothing is written here but by command",
        [said(claim("User likes tea", "m0", 0, write_mode="manual"))],
        [],
    ),
    Example(
        "F2.reactivate",
        "the user says again what was forgotten: it comes back as said now",
        [*_told_in_turn("User likes tea"), told("forget", 1, text="tea"), said(claim("User likes tea", "m2", 2))],
        ["User likes tea"],
    ),
    Example(
        "F2.not_the_users_statement",
        "nobody else brings a forgotten fact back",
        [
            *_told_in_turn("User likes tea"),
            told("forget", 1, text="tea"),
            said(claim("User likes tea", "m2", 2, source_rank=2)),
        ],
        [],
    ),
    Example(
        "F3.asked",
        "the user asked to forget it",
        [*_told_in_turn("User likes tea", "User lives in York"), told("forget", 2, text="that I like tea")],
        ["User lives in York"],
    ),
    Example(
        "F3.boundary",
        "what was said before it was forgotten does not come back",
        [*_told_in_turn("User likes tea"), told("forget", 2, text="tea"), said(claim("User likes tea", "m1", 1))],
        [],
    ),
    Example("F3.nothing_matched", "memory holds nothing like it", [told("forget", 0, text="tea")], []),
    Example("F3.nothing_named", "a forget names a text, a fact or a namespace", [told("forget", 0)], []),
    Example(
        "F4.facts_max",
        "over the cap the least important goes",
        _told_in_turn("User likes tea", "User is allergic to nuts"),
        ["User is allergic to nuts"],
        replace(POLICY, facts_max=1),
    ),
    Example(
        "F4.pinned",
        "a pinned fact is exempt from the cap",
        [*_told_in_turn("User likes tea"), told("pin", 1, match="tea")],
        ["User likes tea"],
    ),
    Example(
        "F4.unpinned",
        "the pin is taken off",
        [*_told_in_turn("User likes tea"), told("pin", 1, match="tea"), told("unpin", 2, "k2", match="tea")],
        ["User likes tea"],
    ),
    Example("F4.no_single_match", "the words must pick one fact", [told("pin", 0, match="tea")], []),
    Example(
        "F5.retention",
        "what nobody said again for as long as its kind is kept is pruned when the user is next heard of",
        [said(claim("User lives in Berlin", "m0", 0)), said(claim("User likes tea", "m1", 9))],
        ["User likes tea"],
        replace(POLICY, retention_days=(("fact", 5),)),
    ),
    Example(
        "F5.pruned",
        "a prune took what is over, also of a silent user",
        [*_told_in_turn("User is visiting Rome"), told("prune", 300)],
        [],
    ),
    Example(
        "W2.expired",
        "a proposal waited longer than it may",
        [_BULLETS, said(claim("User likes tea", "m1", 20))],
        ["User likes tea"],
        replace(POLICY, proposal_days=10),
    ),
    Example(
        "Q5.imported",
        "an exported fact is taken over as it is",
        [_carried("User likes tea", 1, "k1")],
        ["User likes tea"],
    ),
    Example(
        "Q5.known",
        "memory has that revision of the fact, or a later one",
        [_carried("User likes tea", 1, "k1"), _carried("User likes tea", 2, "k2")],
        ["User likes tea"],
    ),
    Example(
        "Q5.same",
        "another fact says the very same",
        [*_told_in_turn("User likes tea"), _carried("User likes tea", 1, "k1")],
        ["User likes tea"],
    ),
    Example("Q5.left_out", "policy lets nothing of an import pass", [told("import", 1, text="Likes tea")], []),
    Example("F6.erase", "the user is erased", [*_told_in_turn("User likes tea"), told("erase", 1)], []),
    Example("F6.done", "the erase reached every store (told when the ledger is worked off)", [], []),
    Example("T3.flush", "a flush closed the user's windows", [told("flush", 0)], []),
    Example("Q6.reembed", "the user's vectors are those of the model in use", [told("reembed", 0)], []),
    Example("T3.nothing_to_remember", "no claim was found in the words", [told("remember", 0, text="hm")], []),
    Example(
        "R14.refold",
        "a late entry took its place and this came out differently (see R14; told by the step that refolds)",
        [],
        [],
    ),
    Example(
        "S3.rule_failed",
        "a fault in the rules: this one entry is passed over, and the log says where (told by the step)",
        [],
        [],
    ),
)


def document() -> str:
    """docs/rules.md: one row a rule."""
    rows = [f"| `{each.rule}` | {each.says} | {_told(each)} | {_left(each)} |" for each in EXAMPLES]
    return "\n".join([_HEAD, *rows, ""])


_HEAD = """# Decision rules

Each event names the rule that decided (R13). The rules are pure functions in `state/`; this table is printed by
`python -m tests.state.rule_examples`, and its examples are tests. A rule's name begins with its requirement.

| rule | when | example: said in turn | active afterwards |
|---|---|---|---|"""


def _told(example: Example) -> str:
    return "<br>".join(_words(entry) for entry in example.story) or "–"


def _words(entry: Entry) -> str:
    command = entry.command
    if command is None:
        return "; ".join(_claim_words(entry, number) for number in range(len(entry.candidates)))
    carried = orjson.loads(command.fact)["content"] if command.fact else None
    words = (
        carried
        or command.text
        or command.match
        or command.proposal_id
        or ", ".join(f"{k}: {v}" for k, v in command.profile)
    )
    return f"*{command.command}* {words}".strip()


def _claim_words(entry: Entry, number: int) -> str:
    candidate = entry.candidates[number]
    notes = []
    if candidate.confidence < 0.9:
        notes.append(f"confidence {candidate.confidence:.2f}")
    if candidate.source_rank == 2:
        notes.append("a peer's words")
    if candidate.write_mode == "manual":
        notes.append("manual")
    if candidate.valid_to:
        notes.append(f"until {candidate.valid_to}")
    return candidate.content + (f" ({', '.join(notes)})" if notes else "")


def _left(example: Example) -> str:
    return "<br>".join(example.leaves) or "–"


if __name__ == "__main__":
    print(document(), end="")
