"""What may be stored, and how: validate, then should-remember (P1, P3, P4, P7, W1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from operators.hooks import Hooks
from operators.policy import DEFAULT_BLOCKS, Block, StoragePolicy, commanded, is_in, judged, names_dropped, parsed
from state.facts import Candidate
from state.messages import Origin
from tests.state.folding import claim


def candidate(content: str = "User lives in Berlin", **changes: Any) -> Candidate:
    topic = changes.pop("topic", "chat")
    made = replace(claim(content), **changes)
    return replace(made, source=replace(made.source, origin=Origin(topic, 0, 0)), write_mode="auto")


def mode(made: Candidate, policy: StoragePolicy) -> str:
    answer = judged(made, policy)
    assert isinstance(answer, Candidate), answer
    return answer.write_mode


def test_by_default_facts_are_stored_and_procedures_proposed() -> None:
    """W1."""
    assert mode(candidate(), StoragePolicy()) == "auto"
    assert mode(candidate(kind="procedure", namespace=("procedures",)), StoragePolicy()) == "propose"


@pytest.mark.parametrize(
    ("pattern", "inside"),
    [
        ("user", True),
        ("user/home", True),
        ("user/*/residence", True),
        ("user/home/residence/x", False),
        ("work", False),
    ],
)
def test_a_pattern_holds_what_is_below_it(pattern: str, inside: bool) -> None:
    """P4: user/home/residence is below user; a star is any one part."""
    assert is_in(("user", "home", "residence"), parsed(pattern)) is inside


def test_what_is_denied_is_stored_neither_from_messages_nor_by_command() -> None:
    """P4: and the refusal says so."""
    policy = StoragePolicy(allow=(("user",),), deny=(("user", "health"),))
    allowed, denied, other = (("user", "home"), ("user", "health", "allergies"), ("people", "oskar"))
    assert isinstance(judged(candidate(namespace=allowed), policy), Candidate)
    for namespace in (denied, other):
        assert judged(candidate(namespace=namespace), policy) == "namespace"
        assert commanded(candidate(namespace=namespace), policy) == "namespace"


def test_a_kind_that_is_not_wanted_and_one_that_no_block_holds_are_left_out() -> None:
    """P4, P7."""
    assert judged(candidate(kind="opinion"), StoragePolicy(kinds=frozenset({"fact"}))) == "kind"
    only_home = (Block("home", frozenset({"fact"}), (("user", "home"),)),)
    assert judged(candidate(namespace=("user", "work")), StoragePolicy(blocks=only_home)) == "block"
    assert isinstance(judged(candidate(namespace=("user", "home")), StoragePolicy(blocks=only_home)), Candidate)


def test_thresholds_are_those_of_namespace_then_block_then_kind() -> None:
    """P3."""
    made = candidate(confidence=0.80, namespace=("user", "home"))
    by_kind = StoragePolicy(confidence_min_by_kind={"fact": 0.85})
    assert judged(made, by_kind) == "confidence"
    loose = Block("home", frozenset({"fact"}), (("user", "home"),), confidence_min=0.75)
    by_block = replace(by_kind, blocks=(loose, *DEFAULT_BLOCKS))
    assert isinstance(judged(made, by_block), Candidate)
    by_namespace = replace(by_block, confidence_min_by_namespace=((("user",), 0.70), (("user", "home"), 0.90)))
    assert judged(made, by_namespace) == "confidence"
    assert isinstance(judged(replace(made, namespace=("user", "work"), confidence=0.72), by_namespace), Candidate)


def test_write_modes_are_those_of_source_then_namespace_then_block_then_kind() -> None:
    """W1: a settings screen may write at once what a casual message may only propose."""
    block = Block("home", frozenset({"fact"}), (("user", "home"),), write_mode="manual")
    policy = StoragePolicy(
        blocks=(block, *DEFAULT_BLOCKS),
        write_mode_by_kind={"fact": "propose"},
        write_mode_by_namespace=((("user", "home", "rent"), "auto"), (("user", "*", "rent"), "manual")),
        write_mode_by_source={"settings-screen": "auto"},
    )
    assert mode(candidate(namespace=("user", "work")), policy) == "propose"
    assert mode(candidate(namespace=("user", "home")), policy) == "manual"
    assert mode(candidate(namespace=("user", "home", "rent")), policy) == "auto"
    assert mode(candidate(namespace=("user", "work", "rent")), policy) == "manual"
    assert mode(candidate(namespace=("user", "work"), topic="settings-screen"), policy) == "auto"


def test_under_review_nothing_is_written_at_once_and_what_is_manual_stays_so() -> None:
    """W1: profile review."""
    policy = StoragePolicy(review=True, write_mode_by_source={"settings-screen": "auto", "import": "manual"})
    assert mode(candidate(topic="settings-screen"), policy) == "propose"
    assert mode(candidate(topic="import"), policy) == "manual"


def test_sensitive_claims_are_dropped_proposed_or_kept() -> None:
    """P4: the reason names the category, and a command does not store what must not be stored."""
    allergy = candidate(
        "User is allergic to peanuts", predicate="has_allergy", namespace=("user", "health", "allergies")
    )
    assert judged(allergy, StoragePolicy(sensitive={"health": "drop"})) == "sensitive_health"
    assert commanded(allergy, StoragePolicy(sensitive={"health": "drop"})) == "sensitive_health"
    assert mode(allergy, StoragePolicy(sensitive={"health": "propose"})) == "propose"
    assert mode(allergy, StoragePolicy(sensitive={"religion": "drop"})) == "auto"
    both = candidate("User is a Muslim with diabetes")
    assert judged(both, StoragePolicy(sensitive={"health": "propose", "religion": "drop"})) == "sensitive_religion"


def test_a_command_writes_past_kinds_thresholds_and_modes() -> None:
    """W3."""
    policy = StoragePolicy(kinds=frozenset(), confidence_min_by_kind={"fact": 1.0}, review=True)
    made = candidate()
    assert commanded(made, policy) is made
    assert commanded(made, replace(policy, sensitive={"health": "propose"})) is made


def test_a_text_kept_whole_is_judged_by_its_words() -> None:
    """P4."""
    policy = StoragePolicy(sensitive={"health": "drop", "politics": "propose"})
    assert names_dropped("since my diabetes started I vote Labour", policy)
    assert not names_dropped("I vote Labour", policy)
    out = StoragePolicy(sensitive={"sexuality": "drop", "ethnicity": "drop"})
    assert names_dropped("I'm gay and my cat is called Tim.", out)
    assert names_dropped("im roma", out)
    assert not names_dropped("My cat is called Tim.", out)


def test_hooks_are_asked_last_in_their_step() -> None:
    """P1: what policy itself refuses never reaches a hook."""
    asked: list[tuple[str, str]] = []

    def hook(step: str, answer: bool) -> Any:
        def ask(made: Candidate) -> bool:
            asked.append((step, made.content))
            return answer

        return ask

    hooks = Hooks((), (("v", hook("validate", True)),), (("s", hook("should_remember", False)),))
    policy = StoragePolicy(hooks=hooks, sensitive={"health": "drop"}, deny=(("people",),))
    assert judged(candidate(namespace=("people", "oskar")), policy) == "namespace"
    assert asked == []
    assert judged(candidate("User has diabetes"), policy) == "sensitive_health"
    assert asked == [("validate", "User has diabetes")]
    assert judged(candidate(), policy) == "should_remember"
    assert [step for step, _ in asked[1:]] == ["validate", "should_remember"]
