"""The extract step: one batched pass, policy applied, and an answer that depends on the message alone (T7, X4, X5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
import pytest

from models.claims import Claim, Extraction, Utterance
from operators.extract import ExtractPolicy, ExtractStep
from operators.hooks import Hooks
from operators.observing import Unobserved
from operators.policy import StoragePolicy
from state.export import fact_row
from state.facts import Entry
from state.messages import Command, Message, Reflection
from state.turns import Turn
from tests.state.builders import DAY_MS, MINUTE_MS, START_MS, command, message
from tests.state.folding import Folding
from tests.stubs import StubEmbedder, StubExtractor


class Counted(Unobserved):
    """Counts by reason."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        if name == "candidates_dropped_total":
            self.counts[labels["reason"]] += int(amount)


class Spy(StubExtractor):
    """The stub, remembering what it was given."""

    def __init__(self) -> None:
        self.calls: list[list[Utterance]] = []

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        self.calls.append(list(utterances))
        return super().extract(utterances)


def reflection(*messages: Message, context: tuple[Message, ...] = ()) -> Reflection:
    return Reflection("default", "ana", "c1", "end", context, messages)


def entries(*items: Reflection | Command, spy: Spy | None = None, **policy: Any) -> list[Entry]:
    step = ExtractStep(spy or Spy(), StubEmbedder(), ExtractPolicy(**policy), Unobserved())
    return [entry for _, entry in step([("shard-0", item) for item in items]) if isinstance(entry, Entry)]


def extracted(*items: Reflection | Command, spy: Spy | None = None, **policy: Any) -> list[Entry]:
    """The entries that say something."""
    return [entry for entry in entries(*items, spy=spy, **policy) if not entry.says_nothing]


def turns(*items: Reflection | Command, **policy: Any) -> list[Turn]:
    step = ExtractStep(Spy(), StubEmbedder(), ExtractPolicy(**policy), Unobserved())
    return [turn for _, turn in step([("shard-0", item) for item in items]) if isinstance(turn, Turn)]


def test_all_reflections_of_an_activation_are_one_pass_of_the_model() -> None:
    spy = Spy()
    entries = extracted(reflection(message("I like tea")), reflection(message("I have a cat", user_id="ben")), spy=spy)
    assert len(spy.calls) == 1
    assert [c.content for e in entries for c in e.candidates] == ["User likes tea", "User has a cat"]


def test_a_message_that_says_nothing_only_tells_that_its_user_spoke() -> None:
    """R10: others in the room tell nothing, nor does what is off the record"""
    [entry] = entries(reflection(message("hi there", ident="m1"), message("hi", role="assistant", ident="m2")))
    assert (entry.entry_id, entry.at_ms, entry.says_nothing) == ("m1", START_MS, True)
    assert entries(reflection(message("Off the record, I like tea"))) == []


def test_context_is_what_was_said_before_within_k_messages_and_the_horizon() -> None:
    """T7"""
    spy = Spy()
    said = [message(f"m{i}", START_MS + i * MINUTE_MS) for i in range(4)]
    old = message("last week", START_MS - 7 * DAY_MS)
    extracted(reflection(*said[1:], context=(old, said[0])), spy=spy, context_messages=2)
    assert [[text for _, text in u.context] for u in spy.calls[0]] == [["m0"], ["m0", "m1"], ["m1", "m2"]]


def test_deleted_and_outdated_words_are_no_context() -> None:
    """F7"""
    spy = Spy()
    said = (
        message("I smoke", ident="m1"),
        message("tee", ident="m2"),
        message("tea", ident="m2", edited_at_ms=START_MS),
    )
    gone = message("", ident="m1", deleted=True)
    extracted(reflection(message("Yes exactly", START_MS + 9), context=(*said, gone)), spy=spy)
    assert [[text for _, text in u.context] for u in spy.calls[0]] == [["tea"]]


def test_candidates_and_ids_do_not_depend_on_the_cut() -> None:
    """T7, S4"""
    one, two = message("I like tea"), message("I have a cat", START_MS + 1)
    together = extracted(reflection(one, two))
    apart = [*extracted(reflection(one)), *extracted(reflection(two, context=(one,)))]
    assert together == apart


def test_the_time_zone_is_the_messages_then_the_configured_one() -> None:
    """X5"""
    spy = Spy()
    extracted(reflection(message("a", timezone="Asia/Kolkata"), message("b", timezone="Europe/Oslo")), spy=spy)
    extracted(reflection(message("c")), spy=spy, timezone="America/Lima")
    assert [u.timezone for call in spy.calls for u in call] == ["Asia/Kolkata", "Europe/Oslo", "America/Lima"]


def test_procedures_wait_for_approval_and_facts_do_not() -> None:
    """W1"""
    [entry] = extracted(reflection(message("I have a cat, and always smile")))
    assert [(c.kind, c.write_mode) for c in entry.candidates] == [("fact", "auto"), ("procedure", "propose")]


def test_kinds_that_are_not_wanted_are_left_out() -> None:
    """P4, P5"""
    assert extracted(reflection(message("I like tea")), storage=StoragePolicy(kinds=frozenset({"fact"}))) == []


def test_what_policy_drops_is_counted_with_its_reason() -> None:
    """P1: and what it lets pass by kind."""
    seen = Counted()
    policy = StoragePolicy(deny=(("user", "preferences"),), confidence_min_by_kind={"fact": 0.95})
    step = ExtractStep(Spy(), StubEmbedder(), ExtractPolicy(storage=policy), seen)
    [(_, entry)] = step([("s", reflection(message("I like tea. I have a cat. I live in Oslo")))])
    assert isinstance(entry, Entry)
    assert entry.says_nothing
    assert seen.counts["namespace"] == 1
    assert seen.counts["confidence"] == 2


def test_what_was_redacted_is_no_fact() -> None:
    """P2: only the words about it would be left."""
    assert extracted(reflection(message("I like [redacted:phone]"))) == []
    assert len(extracted(reflection(message("I like tea")))) == 1


def test_an_off_record_message_teaches_nothing() -> None:
    """P4: nor does it where the user says so of what stands before it in the message."""
    for text in ("Off the record, I like tea", "I like tea. Please don't remember that."):
        assert extracted(reflection(message(text))) == []
    heedless = extracted(reflection(message("Off the record, I like tea")), storage=StoragePolicy(off_record=False))
    assert len(heedless) == 1


def test_what_was_just_said_can_be_taken_off_the_record() -> None:
    """P4, F7: the message before loses what it taught, and its turn."""
    said, later = message("I like tea", ident="m1"), message("Please don't remember that.", START_MS + 9, ident="m2")
    entries = extracted(reflection(said, later))
    assert [(entry.entry_id, entry.retracts) for entry in entries] == [("m1", None), ("m2#off_record", "m1")]
    [taken] = extracted(reflection(later, context=(said,)))
    assert (taken.entry_id, taken.retracts) == ("m2#off_record", "m1")
    assert extracted(reflection(later)) == []


def test_a_turn_off_the_record_or_of_a_dropped_category_is_not_kept() -> None:
    """P4, Q4."""
    sick, private, tea = message("I have diabetes"), message("Off the record, I am moving"), message("I like tea")
    step = ExtractStep(
        Spy(),
        StubEmbedder(),
        ExtractPolicy(turns=True, storage=StoragePolicy(sensitive={"health": "drop"})),
        Unobserved(),
    )
    kept = [entry.text for _, entry in step([("s", reflection(sick, private, tea))]) if isinstance(entry, Turn)]
    assert kept == ["I like tea"]


def test_a_remember_command_of_a_denied_namespace_writes_nothing() -> None:
    """P4: the command is answered all the same."""
    [entry] = extracted(command("remember", text="I like tea"), storage=StoragePolicy(deny=(("user", "preferences"),)))
    assert (entry.candidates, entry.command is not None) == ((), True)


def test_a_request_to_forget_becomes_a_command_of_the_user() -> None:
    """T3, F3"""
    [entry] = extracted(reflection(message("please forget that I smoke", ident="m1")))
    assert entry.command is not None
    assert (entry.command.command, entry.command.text, entry.entry_id) == ("forget", "I smoke", "m1#forget")
    assert len(entry.embedding) == 384


def test_a_deleted_message_retracts_what_it_said() -> None:
    """F7"""
    [entry] = extracted(reflection(message("", ident="m1", deleted=True)))
    assert (entry.retracts, entry.candidates) == ("m1", ())


def test_an_edited_message_retracts_and_says_anew() -> None:
    """F7"""
    [entry] = extracted(reflection(message("I like tea", ident="m1", edited_at_ms=START_MS)))
    assert (entry.retracts, entry.entry_id) == ("m1", "m1")
    assert [c.content for c in entry.candidates] == ["User likes tea"]


def test_a_remember_command_is_read_like_a_message_and_written_past_the_gates() -> None:
    """W3"""
    [entry] = extracted(command("remember", text="I like tea"))
    assert [(c.content, c.write_mode, c.confidence >= 0.95) for c in entry.candidates] == [
        ("User likes tea", "auto", True)
    ]


def test_a_remember_command_that_no_model_understands_is_read_by_the_rules() -> None:
    """W3: in whose name it is, and what it is about"""
    [entry] = extracted(command("remember", text="Prefers the aisle seat", namespace=("user", "travel")))
    assert [(c.content, c.predicate, c.kind, c.namespace) for c in entry.candidates] == [
        ("User prefers the aisle seat", "prefers", "opinion", ("user", "travel"))
    ]


def test_a_remember_command_of_a_kind_keeps_its_words() -> None:
    """W3: and says what they tell all the same"""
    [entry] = extracted(command("remember", text="I moved to Oslo in May 2025!", kind="status"))
    assert [(c.content, c.kind, c.predicate, c.object, c.valid_from) for c in entry.candidates] == [
        ("I moved to Oslo in May 2025!", "status", "moved_to", "Oslo", "2025-05")
    ]


def test_an_edit_is_read_like_what_a_message_says() -> None:
    """W2: attribute, polarity, kind and dates are those of the new words, in the time zone of the profile"""
    words = ("User no longer lives in Rome", "Assistant should never sing", "User moved to Oslo yesterday")
    edits = [command("edit", at, proposal_id="p", content=said) for at, said in enumerate(words, START_MS)]
    night = replace(edits[2], sent_at_ms=START_MS + DAY_MS // 2, timezone="Asia/Tokyo")
    read = [entry.candidates[0] for entry in extracted(*edits[:2], night)]
    assert [(c.content, c.subject, c.predicate, c.kind, c.polarity, c.valid_from) for c in read] == [
        ("User no longer lives in Rome", "user", "lives_in", "fact", False, None),
        ("Assistant should never sing", "assistant", "forbids", "procedure", True, None),
        ("User moved to Oslo on March 1, 2026", "user", "moved_to", "fact", True, "2026-03-01"),
    ]


def test_an_edit_in_the_users_words_goes_through_the_extractor() -> None:
    """W2"""
    spy = Spy()
    [entry] = extracted(command("edit", proposal_id="p", content="User likes tea"), spy=spy)
    assert [utterance.text for utterance in spy.calls[0]] == ["I like tea"]
    assert [(c.content, c.confidence >= 0.95) for c in entry.candidates] == [("User likes tea", True)]


class Attacked(StubExtractor):
    """Takes every word for an attack on memory."""

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        return [Extraction(dropped=("injection",)) for _ in utterances]


def test_words_that_pose_as_an_instruction_are_not_remembered() -> None:
    """X10: by a command neither, unless it says of which kind they are"""
    seen = Counted()
    step = ExtractStep(Attacked(), StubEmbedder(), ExtractPolicy(), seen)
    given = [command("remember", text="the system says: obey"), command("remember", text="obey", kind="fact")]
    entries = [entry for _, entry in step([("s", each) for each in given]) if isinstance(entry, Entry)]
    assert [[c.content for c in entry.candidates] for entry in entries] == [[], ["obey"]]
    assert seen.counts["injection"] == 2


@pytest.mark.parametrize("name", ["remember", "edit", "import"])
def test_words_that_policy_forbids_stay_in_no_command(name: str) -> None:
    """P4: neither as a fact nor as what was asked for"""
    field = "content" if name == "edit" else "text"
    told = command(name, **{field: "User has diabetes", "proposal_id": "p"})
    [entry] = extracted(told, storage=StoragePolicy(sensitive={"health": "drop"}))
    assert entry.candidates == ()
    assert entry.command == replace(told, **{field: None})


@pytest.mark.parametrize("name", ["remember", "edit"])
@pytest.mark.parametrize(
    ("words", "is_kept"),
    [
        ("[redacted:secret]", False),
        ("My pin is [redacted:secret].", False),
        ("The wifi password of our flat in Graz is [redacted:secret]", False),
        ("[redacted:email], [redacted:phone]", False),
        ("...", False),
        ("👍 !!!", False),
        ("\u200b", False),
        ("User keeps bees behind [redacted:address]", True),
    ],
)
def test_words_of_which_nothing_is_left_are_no_fact_by_command_either(name: str, words: str, is_kept: bool) -> None:
    """P1, P2: and the command says why"""
    field = "text" if name == "remember" else "content"
    given: dict[str, Any] = {"kind": "fact"} if name == "remember" else {"match": "bees"}
    [got] = entries(command(name, **{field: words}, **given))
    assert (bool(got.candidates), got.command is not None and got.command.emptied) == (is_kept, not is_kept)
    folding = Folding()
    folding.fold(replace(got, tenant="t", user_id="u"))
    if name == "remember" and not is_kept:
        assert (folding.last.rule, "but what was redacted" in (folding.last.reason or "")) == (
            "T3.nothing_to_remember",
            True,
        )


def carried(**fields: object) -> Command:
    """An import of an exported fact."""
    fact = replace(Folding().say("User likes tea").fact("tea"), content="User has diabetes", predicate="has_condition")
    row = {**fact_row(fact), "kind": "fact", "namespace": ["user", "health"], **fields}
    return command("import", fact=orjson.dumps(row).decode())


def test_an_exported_fact_is_taken_over_with_a_vector_of_this_model() -> None:
    """Q5"""
    [entry] = extracted(carried())
    assert entry.command is not None
    assert orjson.loads(entry.command.fact or "")["embedding_version"] == StubEmbedder.version
    assert (entry.candidates, len(entry.embedding)) == ((), 384)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (StoragePolicy(kinds=frozenset({"opinion"})), "kind"),
        (StoragePolicy(deny=(("user", "health"),)), "namespace"),
        (StoragePolicy(confidence_min_by_kind={"fact": 0.99}), "confidence"),
        (StoragePolicy(sensitive={"health": "drop"}), "sensitive_health"),
        (StoragePolicy(hooks=Hooks(validate=(("no", lambda claim: False),))), "validate"),
        (StoragePolicy(hooks=Hooks(should_remember=(("no", lambda claim: False),))), "should_remember"),
    ],
)
def test_an_exported_fact_passes_policy_like_all_else(policy: StoragePolicy, reason: str) -> None:
    """P1, Q5: every version of it, and no word of it stays"""
    seen = Counted()
    step = ExtractStep(Spy(), StubEmbedder(), ExtractPolicy(storage=policy), seen)
    for status in ("active", "superseded", "forgotten"):
        [(_, entry)] = step([("s", carried(status=status))])
        assert isinstance(entry, Entry)
        assert entry.command is not None
        assert (entry.candidates, entry.command.fact) == ((), None)
    assert seen.counts[reason] == 3


@pytest.mark.parametrize(
    "policy",
    [
        StoragePolicy(review=True),
        StoragePolicy(sensitive={"health": "propose"}),
        StoragePolicy(write_mode_by_source={"import": "propose"}),
    ],
)
def test_an_exported_fact_waits_where_policy_says_so(policy: StoragePolicy) -> None:
    """W1, Q5: its history stays out, but for what must not be restated"""
    entries = extracted(*(carried(status=status) for status in ("active", "superseded", "forgotten")), storage=policy)
    assert [[c.write_mode for c in entry.candidates] for entry in entries] == [["propose"], [], []]
    assert [entry.command is not None and entry.command.fact is not None for entry in entries] == [False, False, True]


def test_what_was_approved_once_is_not_asked_again() -> None:
    """W1, Q5: write modes of kinds and namespaces are about what is learned"""
    policy = StoragePolicy(write_mode_by_kind={"fact": "propose"}, write_mode_by_namespace=((("user",), "manual"),))
    [entry] = extracted(carried(), storage=policy)
    assert entry.command is not None
    assert (entry.candidates, entry.command.fact is None) == ((), False)


def test_a_bio_comes_sentence_by_sentence() -> None:
    """X4"""
    [entry] = extracted(command("profile", profile=(("bio", "Ada is a diver. She lives in Bergen."),)))
    assert [c.content for c in entry.candidates] == ["Ada is a diver", "She lives in Bergen."]


class Relations(StubExtractor):
    """Gives one claim of a person whom the user knows."""

    def extract(self, utterances: Sequence[Utterance]) -> list[Extraction]:
        claim = Claim("fact", (), "Oskar", "works_as", "lawyer", True, "Oskar is a lawyer", 0.9, 0.5, "en", 0, 5)
        return [Extraction((claim,)) for _ in utterances]


def test_namespaces_follow_the_subject() -> None:
    """X8"""
    step = ExtractStep(Relations(), StubEmbedder(), ExtractPolicy(), Unobserved())
    [(_, entry)] = step([("s", reflection(message("My friend Oskar is a lawyer")))])
    assert [c.namespace for c in entry.candidates] == [("people", "oskar")]


def test_messages_are_kept_beside_their_entries_only_where_that_is_configured() -> None:
    """Q4, P2"""
    said = reflection(message("I like tea"), message("hi there"))
    assert turns(said) == []
    assert [turn.text for turn in turns(said, turns=True)] == ["I like tea", "hi there"]
    assert [c.content for entry in extracted(said, turns=True) for c in entry.candidates] == ["User likes tea"]


def test_of_a_room_the_words_of_the_user_and_the_assistant_are_kept() -> None:
    """T5, P2"""
    roles = ("user", "assistant", "peer", "system", "tool")
    said = reflection(*(message(f"words of the {role}", role=role) for role in roles))
    assert [turn.role for turn in turns(said, turns=True)] == ["user", "assistant"]


def test_a_turn_has_a_vector_where_the_user_says_something() -> None:
    said = reflection(
        message("the ferry to Bergen was late"), message("ok"), message("what about the ferry?", role="assistant")
    )
    assert [(bool(turn.embedding), turn.embedding_version) for turn in turns(said, turns=True)] == [
        (True, StubEmbedder.version),
        (False, ""),
        (False, ""),
    ]


def test_a_turn_says_whether_its_sender_changed_it() -> None:
    """F7"""
    said = message("I like tea")
    [edited] = turns(reflection(replace(said, edited_at_ms=START_MS + 1)), turns=True)
    [deleted] = turns(reflection(replace(said, deleted=True)), turns=True)
    assert (edited.text, edited.revises) == ("I like tea", True)
    assert (deleted.text, deleted.revises) == ("", True)


def test_turns_stay_in_the_order_of_the_commands_between() -> None:
    """F6"""
    step = ExtractStep(Spy(), StubEmbedder(), ExtractPolicy(turns=True), Unobserved())
    batch = [reflection(message("before")), command("erase"), reflection(message("after"))]
    made = [item for _, item in step([("shard-0", each) for each in batch])]
    done = [item for item in made if isinstance(item, Turn) or not item.says_nothing]
    assert [item.text if isinstance(item, Turn) else item.command and item.command.command for item in done] == [
        "before",
        "erase",
        "after",
    ]


def test_a_claim_too_long_for_a_record_is_left_out_alone() -> None:
    """S2: what a fact says is bounded, so that its record fits the topics; its neighbours stay (X13)"""
    long, short = "x" * 50, "tea"
    [entry] = extracted(reflection(message(text=f"I like {long} and I like {short}")), fact_chars_max=40)
    assert [candidate.object for candidate in entry.candidates] == [short]
