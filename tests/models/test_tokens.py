"""Word by word, a text gives the ids that it gives as a whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from models import tokens
from models.sessions import WEIGHTS
from models.tokens import Tokens

PATH = WEIGHTS / "extractor" / "tokenizer.json"
WORDS = Tokens(PATH)
WHOLE = Tokenizer.from_file(str(PATH))
PIECES = st.sampled_from(
    [
        "I",
        "don't",
        "caf\u00e9",
        "e\u0301",
        "\u0301",
        "[MASK]",
        "##s",
        "\t",
        "\n",
        "\u00a0",
        "\u3000",
        "\u4f60\u597d",
        "3.5",
        "-",
        "x" * 120,
        " ",
        "  ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=6), max_size=12), st.sampled_from(["", " "]))
def test_words_kept_give_the_ids_of_the_whole_text(parts: list[str], between: str) -> None:
    """The answer must not depend on what was read before (T7)."""
    text = between.join(parts)
    for _ in range(2):
        assert WORDS.encode([text]) == [WHOLE.encode(text, add_special_tokens=False).ids]


def test_no_more_words_are_kept_than_fit() -> None:
    kept = Tokens(PATH)
    kept.encode([f"w{number}" for number in range(tokens._WORDS_KEPT_MAX + 1)])
    assert not kept._known
    kept.encode(["y" * (tokens._WORD_CHARACTERS_MAX + 1), "word"])
    assert list(kept._known) == ["word"]
