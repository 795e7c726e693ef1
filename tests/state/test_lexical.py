"""A question's words in a user's texts."""

from __future__ import annotations

from math import log

from hypothesis import example, given, settings
from hypothesis import strategies as st

from state.lexical import shares, words

_WORDS = st.sampled_from((
    "play", "plays", "played", "playing", "player", "city", "cities", "citizen", "tie", "ties", "tying", "dye",
    "eyed", "wifi", "Zoë", "café", "CAFÉ", "naïve", "5", "25", "b2b", "miss", "missing", "stopped", "stop",
    "run-time", "東京タワー", "京都", "서울에서", "กรุงเทพ", "x", "don't", "İstanbul", "ﬁve", "straße",
))  # fmt: skip # words side by side
_TEXTS = st.lists(_WORDS, max_size=6).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(_TEXTS, st.lists(_TEXTS, min_size=1, max_size=5))
@example("cities played?", ["She plays in the city", "citizens play", "play play play"])
def test_texts_score_by_all_their_words(question: str, texts: list[str]) -> None:
    """Q4: as BM25 over every text taken apart, though only those with the question's letters are."""
    assert shares(question, texts) == scored(question, texts)


def scored(question: str, texts: list[str]) -> list[float]:
    terms, listed = list(dict.fromkeys(words(question))), [words(text) for text in texts]
    if not terms:
        return [0.0] * len(texts)
    having = [sum(term in each for each in listed) for term in terms]
    rarity = [log(1.0 + (len(texts) - count + 0.5) / (count + 0.5)) for count in having]
    lengths = [text.count(" ") + 1 for text in texts]
    found = []
    for each, length in zip(listed, lengths, strict=True):
        norm = 1.2 * (0.7 + 0.3 * length / (sum(lengths) / len(lengths)))
        often = [each.count(term) for term in terms]
        score = sum(rare * count * 2.2 / (count + norm) for rare, count in zip(rarity, often, strict=True) if count)
        found.append(round(min(1.0, score / sum(rarity)), 4))
    return found


def test_a_stem_is_found_in_every_form_of_its_word() -> None:
    for forms in ("play plays played", "study studies studied", "run running", "live lives living"):
        first, *others = forms.split()
        assert all(share > 0.0 for share in shares(first, others))
