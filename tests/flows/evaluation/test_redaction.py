from __future__ import annotations

import pytest

from flows.evaluation import redaction
from flows.evaluation.chats import Chat, Said
from flows.evaluation.redaction import Case, is_gone


@pytest.mark.parametrize("part", redaction.PARTS)
def test_nearly_all_that_the_authored_set_holds_is_taken_out(part: str) -> None:
    """P2: recall of at least .98, on the part that no detector was tuned on too; look-alikes stay."""
    cases = redaction.read_cases(part)
    overall, ordinary, *kinds = redaction.figures(part, cases)
    assert overall.value >= redaction.RECALL_MIN
    assert ordinary.value <= 0.05
    assert len(kinds) >= 70
    assert overall.count == sum(figure.count for figure in kinds) == sum(case.kind != "ordinary" for case in cases)


def test_the_parts_share_no_message_and_no_secret() -> None:
    tuning, test = (redaction.read_cases(part) for part in redaction.PARTS)
    assert not {case.text for case in tuning} & {case.text for case in test}
    assert not {s for case in tuning for s in case.secrets} & {s for case in test for s in case.secrets}


def test_every_secret_is_in_its_message() -> None:
    for part in redaction.PARTS:
        for case in redaction.read_cases(part):
            assert all(secret in case.text for secret in case.secrets), case.text
            assert bool(case.secrets) == (case.kind != redaction.ORDINARY)


@pytest.mark.parametrize(
    ("secret", "text", "clean", "gone"),
    [
        ("4111 1111", "card 4111 1111", "card [redacted:payment_card]", True),
        ("4111 1112", "card 4111 1112", "card [redacted:payment_card] 1112", False),
        ("482", "cvv 482", "cvv 482", False),
        ("mail@x.example", "my mail is mail@x.example", "my mail is [redacted:email]", True),
        ("mail@x.example", "my mail is mail@x.example", "my mail is [redacted:email] mail", False),
    ],
)
def test_a_secret_is_gone_when_no_piece_of_it_is_left(secret: str, text: str, clean: str, gone: bool) -> None:
    assert is_gone(secret, text, clean) is gone


def test_false_alarms_are_counted_per_message_and_listed() -> None:
    said = [Said("1", "user", "a", "I like tea"), Said("2", "user", "a", "my pin is 4471 and I like tea")]
    figure, excerpts = redaction.false_alarms("x", [Chat(0, tuple(said), ())])
    assert (figure.value, figure.count) == (0.5, 2)
    assert excerpts == ["secret: …my pin is 4471 and I like tea…"]
    other, _ = redaction.false_alarms("y", [Chat(0, tuple(said[:1]) * 6, ())])
    together = redaction.all_false_alarms([figure, other])
    assert (together.value, together.count, together.met) == (0.125, 8, False)


def test_a_kind_counts_as_found_only_with_all_its_secrets() -> None:
    cases = [Case("pair", "my pin is 4471, the word is kiwi", ("4471", "kiwi"))]
    assert next(iter(redaction.figures("test", cases))).value == 0.0
