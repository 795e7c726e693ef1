"""The table of rules is complete, true, and what the document shows (R13)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.state.folding import Folding
from tests.state.rule_examples import DOCUMENT, EXAMPLES, Example, document

ROOT = Path(__file__).parents[2]
STORIES = [example for example in EXAMPLES if example.story]


@pytest.mark.parametrize("example", STORIES, ids=lambda example: example.rule)
def test_each_example_is_decided_by_its_rule(example: Example) -> None:
    folding = Folding(example.policy).fold(*example.story)
    assert example.rule in {event.rule for event in folding.changes[-1].events}
    assert folding.active == sorted(example.leaves)


def test_every_rule_that_an_event_can_name_is_in_the_table() -> None:
    named = {
        rule
        for path in sorted([*(ROOT / "state").glob("*.py"), *(ROOT / "operators").glob("*.py")])
        for rule in re.findall(r'"([A-Z]\d+\.[a-z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert named | {"W2.approved", "W2.rejected"} == {example.rule for example in EXAMPLES}


def test_the_document_is_printed_from_the_table() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "docs/rules.md is not what the table says: run python -m tests.state.rule_examples > docs/rules.md"
    )
