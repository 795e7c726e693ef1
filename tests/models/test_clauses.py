"""A message cut into clauses, with exact offsets, questions and suppositions marked (X7, X13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.clauses import split
from models.masks import masked_spans

CUTS = [
    ("i live in leeds i work as a nurse i have two kids", ["i live in leeds", "i work as a nurse", "i have two kids"]),
    ("im 34 i live in hull", ["im 34", "i live in hull"]),
    (
        "i moved to spain last year my wife is a teacher we have no kids",
        ["i moved to spain last year", "my wife is a teacher", "we have no kids"],
    ),
    ("i like tea i dont like coffee", ["i like tea", "i dont like coffee"]),
    ("i dnt eat meat n i cant swim", ["i dnt eat meat", "i cant swim"]),
    ("actually call me Rob, my name's Rob", ["actually call me Rob", "my name's Rob"]),
    (
        "I'm 34, married with twin girls, work nights as a nurse in Leeds and in my spare time I restore old radios.",
        [
            "I'm 34",
            "married with twin girls",
            "work nights as a nurse in Leeds",
            "in my spare time I restore old radios.",
        ],
    ),
    ("It's rainy, but I love my new job", ["It's rainy", "I love my new job"]),
    ("I moved to Munich, I live there now.", ["I moved to Munich", "I live there now."]),
    ("im a vegan btw and i dont drink alcohol", ["im a vegan btw", "i dont drink alcohol"]),
    ("I'm Ilse and my son is called Tomas.", ["I'm Ilse", "my son is called Tomas."]),
    (
        "Project Atlas uses Convex, and its launch date is May 20.",
        ["Project Atlas uses Convex", "its launch date is May 20."],
    ),
    ("i am good , i just got off work . i have two jobs", ["i am good", "i just got off work .", "i have two jobs"]),
    ("I bake bread, knit sweaters and collect stamps", ["I bake bread", "knit sweaters", "collect stamps"]),
    ("I was born in Oslo and grew up in Bergen", ["I was born in Oslo", "grew up in Bergen"]),
    ("My daughter is 6 and loves trains", ["My daughter is 6", "loves trains"]),
    ("I work at Acme (I'm a lawyer)", ["I work at Acme", "I'm a lawyer)"]),
    ("I smoke but I don't drink", ["I smoke", "I don't drink"]),
    ("I can cook but can't bake", ["I can cook", "can't bake"]),
    ("Hi! I'm retired.\nI live alone", ["Hi!", "I'm retired.", "I live alone"]),
    (
        "These days I'm in Halifax; before that I was in Toronto",
        ["These days I'm in Halifax", "before that I was in Toronto"],
    ),
    ("I run and my knee hurts because I'm old", ["I run", "my knee hurts", "I'm old"]),
    ("my card is [redacted:card]. im a farrier", ["my card is [redacted:card].", "im a farrier"]),
    ("Cite your source and address me as Doc Abara", ["Cite your source", "address me as Doc Abara"]),
    ("Please answer in French and don't use emojis", ["Please answer in French", "don't use emojis"]),
    ("I'm in Adelaide, so just give me metric", ["I'm in Adelaide", "just give me metric"]),
    ("I'm coeliac, so which of these can I eat", ["I'm coeliac", "which of these can I eat"]),
    ("I have gout so what's for dinner tonight", ["I have gout", "what's for dinner tonight"]),
    ("I'm a coder, so sitting all day is normal", ["I'm a coder", "sitting all day is normal"]),
    ("I'm on a boat so keep answers short please", ["I'm on a boat", "keep answers short please"]),
    ("My name's Bo, never email me after nine", ["My name's Bo", "never email me after nine"]),
    ("Hi Bo, please call me Al", ["Hi Bo", "please call me Al"]),
    ("I'm a thatcher, type 1 diabetic and a chess nut", ["I'm a thatcher", "type 1 diabetic", "a chess nut"]),
    ("I'm Bo, 19, vegan and a potter", ["I'm Bo", "19", "vegan", "a potter"]),
    ("I'm a judge, mother of three and a diver", ["I'm a judge", "mother of three", "a diver"]),
    ("I have asthma so skip the sprints", ["I have asthma", "skip the sprints"]),
    ("*lease, not rent", ["*lease, not rent"]),
    ("* I bake", ["I bake"]),
]

WHOLE = [
    "the house i rent in leeds is damp",
    "i remember the day i was born in a barn",
    "i love the car i drive to work",
    "i think i have a cold",
    "i told my mum my brother is gay",
    "when i was a kid i had a dog",
    "i know the town i live in well",
    "i found a job i like a lot",
    "i live in Izmir with my husband and our two cats",
    "I love rock n roll",
    "I'm so use to it",
    "We have a dog, so much fun",
    "I'm going to judo again, twice a week.",
    "My sister and I give me and him a rest",
    "I moved to Ghent so that my kids could cycle",
    "I like tea and coffee",
    "I earn 41,500 euros",
    "In future, please quote prices in francs",
    "When you quote a price, please use francs",
    "My landlord, Mr Osei, is a retired sailor",
    "Mrs Osei, our dentist, is from Accra",
    "Fern, our app at work, is written in Go",
    "I like to run, play basketball, and hang out with friends.",
    "My wife and I live in Boston",
    "My wife and my sister are both called Anna",
    "I live and work in Paris",
    "I don't eat meat or fish",
    "I live in Ballard, a neighbourhood of Seattle.",
    "I'm based in Leith, a part of Edinburgh.",
    "I'd like to browse the internet, read, and cook.",
    "Dr. Smith is my doctor.",
    "I have a friend who lives in Bonn and works there",
    "No, I'm not.",
    "Yes, I do.",
]

REMARKED = [
    ("I moved to Graz, still unpacking", "I moved to Graz"),
    ("we have triplets, so exhausting", "we have triplets"),
    ("I work nights, fingers crossed", "I work nights"),
    ("I bake bread so remind me to buy flour", "I bake bread"),
]

QUESTIONS = [
    ("Where do you live?", [True]),
    ("I have two kids, what about you?", [False, True]),
    ("Since I'm vegan, what can I eat there?", [False, True]),
    ("I'm from Bonn, right?", [False]),
    ("Did I mention I keep two ferrets?", [False]),
    ("Do you remember that I'm vegan?", [False]),
    ("Have I told you that I live in Bonn?", [False]),
    ("You like jazz?", [True]),
    ("any snack ideas, bc i'm coeliac?", [True, False]),
    ("what can I cook since im allergic to eggs?", [True, False]),
    ("is it safe because I'm pregnant?", [True, False]),
    ("did they close because of the rain?", [True]),
    ("im 15 and is it too early to study law", [False, True]),
    ("do i need a visa", [True]),
    ("what should i cook", [True]),
    ("My dog is ill, can he eat rice?", [False, True]),
]

SUPPOSED = [
    "If I moved to Oslo, would I need a car?",
    "Say I were a nurse: what would my shifts look like?",
    "Suppose I had a dog.",
    "Imagine I lived on Mars",
    "I wish I had a dog",
    "What if I were rich?",
    "I would move there tomorrow",
    "Assuming I get the job, I move to Bonn",
    "If only I had time",
    "Let's say I own a shop",
    "I'd sell it at once if I were you",
]

ASSERTED = [
    "I'd love to visit Japan",
    "If you ask me, open offices are awful",
    "I'd rather have tea",
    "I'd never eat meat",
    "I'd been there twice",
    "I said I was tired",
]


@pytest.mark.parametrize(("text", "pieces"), CUTS)
def test_cut_into_clauses(text: str, pieces: list[str]) -> None:
    assert [clause.text for clause in split(text, masked_spans(text))] == pieces


@pytest.mark.parametrize("text", WHOLE)
def test_left_whole(text: str) -> None:
    assert [clause.text for clause in split(text)] == [text]


@pytest.mark.parametrize(("text", "asks"), QUESTIONS)
def test_questions_are_marked_and_what_they_presuppose_is_not(text: str, asks: list[bool]) -> None:
    assert [clause.question for clause in split(text)] == asks


@pytest.mark.parametrize("text", SUPPOSED)
def test_suppositions_are_marked(text: str) -> None:
    assert all(clause.hypothetical or clause.question for clause in split(text))
    assert any(clause.hypothetical for clause in split(text))


@pytest.mark.parametrize("text", ASSERTED)
def test_what_only_sounds_like_a_supposition_is_not_marked(text: str) -> None:
    assert not any(clause.hypothetical for clause in split(text))


def test_masked_characters_are_in_no_clause() -> None:
    text = 'My boss wrote: "I am leaving in June and I hate offices." I live in Bonn.'
    assert [clause.text for clause in split(text, masked_spans(text))] == ["My boss wrote", "I live in Bonn."]


def test_a_hundred_facts_are_a_hundred_clauses() -> None:
    """A long message truncates nothing (X13)."""
    text = " ".join(f"I own {number} boats." for number in range(100))
    assert len(split(text)) == 100


@given(st.text(alphabet=st.sampled_from("aI i'mn,.!?\n;()Zoë🚗and but my 3-“”\"`>"), max_size=80))
def test_offsets_are_exact_ordered_and_inside_their_sentence(text: str) -> None:
    end = 0
    for clause in split(text, masked_spans(text)):
        assert text[clause.start : clause.end] == clause.text
        assert clause.text.strip()
        assert end <= clause.start < clause.end <= len(text)
        assert clause.sentence_start <= clause.start
        assert clause.end <= clause.sentence_end
        end = clause.end


@pytest.mark.parametrize(("text", "piece"), REMARKED)
def test_a_remark_at_the_end_is_no_clause(text: str, piece: str) -> None:
    """X3"""
    assert [clause.text for clause in split(text)] == [piece]


@pytest.mark.parametrize("text", ["My job is so stressful", "I find chess a bit hard", "it's a nice place"])
def test_what_says_how_something_is_stays(text: str) -> None:
    assert [clause.text for clause in split(text)] == [text]
