"""How two wordings of a claim are compared (EVALUATION measure 2)."""

from __future__ import annotations

import pytest

from flows.evaluation.text import agrees, content_tokens, same_claim, sentences, token_f1


@pytest.mark.parametrize(
    ("said", "gold"),
    [
        ("User likes brass bands", "I like brass bands."),
        ("User has two dogs", "I have 2 dogs"),
        ("User goes to their mom's house", "I go to my mom’s house."),
        ("User doesn't like queues", "I do not like queues"),
        ("User tried running", "I try to run"),
    ],
)
def test_persons_and_inflections_do_not_count(said: str, gold: str) -> None:
    assert token_f1(said, gold) == 1.0
    assert same_claim(said, gold)


@pytest.mark.parametrize(
    ("said", "gold"),
    [
        ("User has three dogs and a black cat", "I have two dogs and a black cat"),
        ("User never eats meat at home", "I eat meat at home"),
        ("User works with Anna in sales", "I work with Bert in sales"),
    ],
)
def test_numbers_negation_and_names_must_agree(said: str, gold: str) -> None:
    assert not agrees(said, gold)
    assert not same_claim(said, gold)


def test_a_name_may_be_in_small_letters_elsewhere() -> None:
    assert agrees("User loves Clara Schumann", "i love clara schumann")


def test_half_the_words_are_too_few() -> None:
    assert token_f1("User likes old cars", "I like red wine") == pytest.approx(1 / 3)
    assert not same_claim("User likes old cars", "I like red wine")


def test_a_token_counts_as_often_as_it_occurs() -> None:
    assert token_f1("dog dog", "dog") == pytest.approx(2 / 3)
    assert token_f1("", "dog") == 0.0


def test_sentences_are_cut_after_closing_punctuation() -> None:
    assert sentences("I like tea. Do you? ... Yes!") == ["I like tea.", "Do you?", "Yes!"]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert content_tokens("我有狗") == ("我", "有", "狗")
