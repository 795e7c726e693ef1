"""The language of a message (X11)."""

from __future__ import annotations

import pytest

from models.claims import Utterance
from models.language import detect, language_of

ROWS = [
    ("im a vegan btw and i dont drink alcohol", "en"),
    ("I work at Škoda in Mladá Boleslav and my partner's name is Zoë.", "en"),
    ("I live in São Paulo", "en"),
    ("No, I'm not.", "en"),
    ("Cycling is how I commute.", "en"),
    ("I love 寿司 so much", "en"),
    ("Project Atlas uses Convex", "en"),
    ("Ich wohne seit drei Jahren in Leipzig und habe zwei Katzen.", "de"),
    ("Je suis médecin à Lyon et j'ai deux enfants", "fr"),
    ("Vivo en Madrid con mi perro y trabajo en un banco", "es"),
    ("Io sono di Roma e lavoro come medico", "it"),
    ("Ik woon in Utrecht met mijn hond", "nl"),
    ("我在成都当护士。", "zh"),
    ("我在Google工作", "zh"),
    ("私は東京に住んでいます", "ja"),
    ("저는 서울에 살아요", "ko"),
    ("Я живу в Москве и работаю врачом", "ru"),
    ("Μένω στην Αθήνα", "el"),
    ("", "und"),
    ("34", "und"),
    ("huge fan of jazz", "und"),
    ("Porto.", "und"),
    ("🙂", "und"),
]


@pytest.mark.parametrize(("text", "code"), ROWS)
def test_language(text: str, code: str) -> None:
    assert detect(text) == code


def test_a_short_answer_takes_the_language_of_its_question() -> None:
    context = (("assistant", "Which city do you live in?"),)
    assert language_of(Utterance("user", "Porto.", 0, context=context)) == "en"


def test_the_stated_language_wins() -> None:
    assert language_of(Utterance("user", "I live in Bonn", 0, language="de-AT")) == "de"


def test_a_very_long_text_is_read_from_its_beginning() -> None:
    assert detect("I live in Berlin and I work there. " * 5_000) == "en"
