"""What each measure counts, on turns and stored claims given by hand (EVALUATION measures 1 to 7)."""

from __future__ import annotations

import pytest

from flows.evaluation import calibration, cases, claim_content, claim_turns, over_extraction, pairs, persona
from flows.evaluation.assignment import match_count
from flows.evaluation.calibration import Judged, expected_error
from flows.evaluation.chats import Chat, DataError, Said
from flows.evaluation.figures import Figure
from flows.evaluation.labelled import labelled_turns
from flows.evaluation.product import Stored, StoredClaim

CHAT = Chat(
    0,
    (
        Said("t0", "user", "a", "I have a dog and I live in Rome."),
        Said("t1", "user", "b", "Nice! What breed?"),
        Said("t2", "user", "a", "A poodle."),
    ),
    (
        {"kind": "claim", "subject": "a", "text": "I have a dog. I live in Rome.", "evidence": ["t0"]},
        {"kind": "none", "subject": "b", "evidence": ["t1"]},
        {"kind": "claim", "subject": "a", "text": "My dog is a poodle.", "evidence": ["t2"]},
        {"kind": "claim", "subject": "a", "text": "I have a dog.", "evidence": []},
    ),
)


def stored(**contents: list[str]) -> Stored:
    turns = {"m0": ("c00000-s00", "c00000-m0000"), "m1": ("c00000-s01", "c00000-m0001")}
    claims = {
        turns[name]: tuple(StoredClaim(content, 0.9, 0, 5) for content in given) for name, given in contents.items()
    }
    return Stored(claims, {})


def by_name(figures: list[Figure]) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures}


def test_only_turns_that_people_labelled_are_counted() -> None:
    assert [turn.gold for turn in labelled_turns([CHAT])] == [
        "I have a dog. I live in Rome.",
        "",
        "My dog is a poodle.",
    ]


def test_claim_turns_count_hits_misses_and_false_ones() -> None:
    """Measure 1"""
    turns = list(labelled_turns([CHAT]))
    found = by_name(claim_turns.figures("s1", turns, stored(m0=["User has a dog"], m1=["User is nice"])))
    assert found["claim turns, precision"].value == 0.5
    assert found["claim turns, recall"].value == 0.5
    assert found["claim turns, F1"].baseline == pytest.approx(2 / 3)
    assert found["claim turns, F1"].met is False


@pytest.mark.parametrize(
    ("text", "fires"),
    [("I like tea.", True), ("Do I like tea?", False), ("Nice! I'm glad. And you?", True), ("What a day.", False)],
)
def test_the_rule_wants_the_first_person_in_a_sentence_that_is_no_question(text: str, fires: bool) -> None:
    """Measure 1's baseline"""
    assert claim_turns.first_person_rule(text) is fires


def test_claim_content_matches_one_to_one_within_a_turn() -> None:
    """Measure 2: the same claim twice is one hit and one too many"""
    turns = list(labelled_turns([CHAT]))
    found = by_name(claim_content.figures("s1", turns, stored(m0=["User has a dog", "User owns a dog"])))
    assert found["claim content, precision"].value == 0.5
    assert found["claim content, recall"].value == pytest.approx(1 / 3)
    assert found["claim content, mean token F1"].count == 2


def test_the_matching_is_the_largest_there_is() -> None:
    """Measure 2: taking the first that fits would leave the second row without a column"""
    assert match_count([[True, True], [True, False]]) == 2
    assert match_count([[False], [True]]) == 1
    assert match_count([]) == 0


def test_over_extraction_is_per_hundred_user_turns() -> None:
    """Measure 3"""
    [figure] = over_extraction.figures("sgd", [CHAT], stored(m0=["User has a dog"]))
    assert figure.value == pytest.approx(100 / 3)
    assert figure.met is False


def test_calibration_error_weighs_bins_by_size() -> None:
    """Measure 4: four claims at .9 of which half are right are off by .4; one at .1 that is wrong by .1"""
    judged = [Judged(0.9, right) for right in (True, True, False, False)] + [Judged(0.1, False)]
    assert expected_error(judged) == pytest.approx((4 * 0.4 + 0.1) / 5)
    assert expected_error([]) == 0.0


def test_the_authored_test_part_is_read_with_its_spans() -> None:
    """Measure 4"""
    chats = calibration.read_corpus(3)
    assert len(chats) == 3
    for chat in chats:
        for gold in chat.gold:
            assert 0 <= gold["start"] < gold["end"] <= len(chat.messages[gold["place"]].text)


def test_what_is_stored_is_counted_by_place_kind_and_polarity() -> None:
    """Measure 4: of two labels one is reached, by two claims of which one has its kind; a third lies where none is"""
    marks = (
        {"place": 0, "start": 0, "end": 12, "kind": "fact", "polarity": True},
        {"place": 0, "start": 17, "end": 31, "kind": "fact", "polarity": True},
    )
    chat = Chat(0, (Said("0", "user", "user", "I have a dog and I live in Rome, of course."),), marks)
    claims = (
        StoredClaim("User has a dog", 0.9, 0, 12, "fact", True),
        StoredClaim("User likes dogs", 0.9, 2, 12, "opinion", False),
        StoredClaim("User is sure", 0.9, 33, 42),
    )
    found = by_name(calibration.rightness([chat], Stored({("c00000-s00", "c00000-m0000"): claims}, {}), "set"))
    assert found["precision"].value == pytest.approx(2 / 3)
    assert found["recall"].value == 0.5
    assert (found["kind"].value, found["kind"].baseline) == (0.5, 1.0)
    assert (found["polarity"].value, found["polarity"].count) == (0.5, 2)


def test_both_speakers_of_a_chat_among_people_are_users() -> None:
    """Measure 4: in chats both have memories of their own; a peer beside an assistant has none"""
    speakers = [chat.speakers() for chat in calibration.read_corpus()]
    assert ["user", "peer"] in speakers
    assert ["user"] in speakers


def test_pairs_are_decided_by_the_updater() -> None:
    """Measure 5"""
    given = [
        pairs.Pair("User lives in Graz", "User lives in Graz", "same"),
        pairs.Pair("User lives in Graz", "User lives in Linz", "replaces"),
        pairs.Pair("User lives in Graz", "User likes opera", "other"),
    ]
    taken = pairs.decisions(given)
    assert taken == ["same", "replaces", "other"]
    found = by_name(pairs.authored_figures(given, taken))
    assert found["decided as labelled"].value == 1.0
    assert found["wrong deletions among compatible pairs"].value == 0


def test_compatible_pairs_come_from_two_messages_of_one_speaker() -> None:
    """Measure 5"""
    held = Stored(
        {
            ("c00000-s00", "c00000-m0000"): (StoredClaim("A", 0.9, 0, 1), StoredClaim("B", 0.9, 0, 1)),
            ("c00000-s00", "c00000-m0002"): (StoredClaim("C", 0.9, 0, 1),),
            ("c00000-s01", "c00000-m0001"): (StoredClaim("D", 0.9, 0, 1),),
        },
        {},
    )
    assert [(pair.first, pair.second) for pair in pairs.compatible_pairs([CHAT], held)] == [("A", "C"), ("B", "C")]


def test_persona_counts_what_is_covered_and_what_is_not_of_it() -> None:
    """Measure 6: without facts nothing is covered; as said, the other speaker's two sentences match none"""
    found = by_name(persona.figures("set", [CHAT], Stored({}, {})))
    assert found["persona sentences covered"].value == 0.0
    assert found["persona sentences covered"].count == 3
    assert found["facts that match no persona sentence, per 100 turns"].baseline == pytest.approx(100 * 2 / 3)


def test_case_counts_are_read_from_the_checkers_closing_lines() -> None:
    """Measure 7: what wants something is counted apart"""
    printed = "expectations that want something: 9 of 10; that want nothing: 4 of 4\ncases: 5 passed, 1 failed\n"
    found = by_name(cases.figures(printed))
    assert found["cases passed"].value == pytest.approx(5 / 6)
    assert found["expectations that want something"].value == 0.9


def test_a_checker_that_gives_no_count_is_told() -> None:
    with pytest.raises(DataError, match="gave no count: boom"):
        cases.figures("boom")
