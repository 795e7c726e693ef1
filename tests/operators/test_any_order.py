"""R14 over lives that are made up: whatever is said, in whatever order and batches it comes, the end is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.observing import Unobserved
from operators.reconcile import ReconcilePolicy, ReconcileStep
from state.erasures import Erasures
from state.facts import Entry
from state.memory_store import load_user, read_only
from state.user_memory import UserMemory
from tests.state.folding import POLICY, Folding, claim, said, told

STATEMENTS = (
    *("User lives in Berlin", "User moved to Munich", "User lives in Oslo", "User has never lived in Berlin"),
    *("User does not live in Oslo", "User used to live in Berlin", "User lives in the Lehel district"),
    *("User likes tea", "User loves tea", "User dislikes tea", "User has gone off tea", "User enjoys green tea"),
    *("User works at Brio", "User left Brio", "User works at Nordlicht", "User has been at Brio for 3 years"),
    *("User is unemployed", "User is retired", "User is looking for a new job", "User got a new job"),
    *(
        "User has a cat",
        "User has a cat called Miso",
        "User has a dog",
        "User does not have a dog",
        "User has two cats",
    ),
    *("User smokes", "User does not smoke", "User is 34 years old", "User is 35 years old", "User is divorced"),
    *("User is married to Ada", "User has a sister called Mia", "User has a sister called Mila"),
    *("User plans to buy a boat", "User bought a boat", "User is visiting Lisbon", "User owns a kayak"),
    *("Assistant should answer in bullet points", "Assistant should not answer in bullet points"),
)
COMMANDS = (
    *(("forget", text) for text in ("tea", "that I live in Berlin", "my cat", "everything about Brio", "kayak")),
    *(
        ("approve", "bullet"),
        ("reject", "bullet"),
        ("pin", "kayak"),
        ("unpin", "kayak"),
        ("remember", "User owns a harp"),
    ),
)
_TOLD = st.one_of(
    st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=2, unique=True).map(tuple), st.sampled_from(COMMANDS)
)


DECISIONS = (("approve", "bullet"), ("reject", "bullet"))


def with_one_decision(told_of: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """A proposal is decided once, by whoever comes first (W2): so a second decision would depend on the order."""
    decided = [number for number, what in enumerate(told_of) if what in DECISIONS]
    return [what for number, what in enumerate(told_of) if number not in decided[1:]]


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[Entry], list[Entry], list[int]]:
    """Entries of one user in the order of the fold, the same as they arrive, and where the arrivals are cut."""
    told_of = with_one_decision(draw(st.lists(_TOLD, min_size=2, max_size=9)))
    days = draw(st.lists(st.integers(0, 20), min_size=len(told_of), max_size=len(told_of)).map(sorted))
    entries = [_entry(what, day, number) for number, (what, day) in enumerate(zip(told_of, days, strict=True))]
    cuts = draw(st.lists(st.integers(1, 3), min_size=len(entries), max_size=len(entries)))
    return entries, draw(st.permutations(entries)), cuts


def _entry(what: tuple[str, ...], day: int, number: int) -> Entry:
    ident = f"m{number:02}"
    if what in COMMANDS:
        name, words = what
        said_so = (claim(words, ident, day),) if name == "remember" else ()
        fields = {"match": words} if name in ("approve", "reject", "pin", "unpin") else {"text": words}
        return told(name, day, ident, said_so, **fields)
    return said(*(claim(content, ident, day) for content in what))


def _stored(batches: Sequence[Sequence[Entry]]) -> list[tuple[object, ...]]:
    """What a shard holds after the batches."""
    with TemporaryDirectory() as name:
        path = Path(name) / "m0.db"
        policy, erasures = ReconcilePolicy(rules=POLICY), Erasures(Path(name) / "erasures")
        memory = ReconcileStep(lambda _: path, lambda _: 0, policy, Unobserved(), None, erasures=erasures)
        for batch in batches:
            memory.on_batch(batch)
        memory._store.file.close()
        db = read_only(path)
        assert db is not None
        memory_held = load_user(db, "t", "u")
        db.close()
    return _known(memory_held)


def _known(memory: UserMemory) -> list[tuple[object, ...]]:
    """Contents, kinds, dates and status of all that is active or forgotten."""
    return sorted(
        (f.content, f.kind, f.status, f.valid_from or "", f.valid_to or "", f.first_said_at_ms, f.last_said_at_ms)
        for f in memory.facts.values()
        if f.status in ("active", "forgotten")
    )


def _cut(arrival: Sequence[Entry], sizes: Sequence[int]) -> list[Sequence[Entry]]:
    batches, start = [], 0
    for size in sizes:
        batches.append(arrival[start : start + size])
        start += size
    return [batch for batch in batches if batch]


@given(lives())
@settings(max_examples=100, deadline=None)
def test_any_order_and_any_cutting_of_a_life_end_the_same(life: tuple[list[Entry], list[Entry], list[int]]) -> None:
    """R14, R4: contents, kinds and dates; a denial before or after what it denies"""
    entries, arrival, cuts = life
    assert _stored(_cut(arrival, cuts)) == _known(Folding().fold(*entries).memory)


@pytest.mark.soak
@given(lives())
@settings(max_examples=4000, deadline=None)
def test_any_order_and_any_cutting_of_thousands_of_lives_end_the_same(
    life: tuple[list[Entry], list[Entry], list[int]],
) -> None:
    """R14"""
    entries, arrival, cuts = life
    assert _stored(_cut(arrival, cuts)) == _known(Folding().fold(*entries).memory)
