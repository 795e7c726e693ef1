"""Memories that another product wrote, as sentences about the user: "Likes pizza" -> "User likes pizza" (Q5)."""

from __future__ import annotations

import re

from lemminflect import getAllLemmas

_FIRST_PERSON = re.compile(r"^(?:I|I['’](?:m|ve|d|ll)|My|We|Our)\b")
_RELATION = re.compile(
    r"^(?:(?:best|older|younger|elder|little|big) )?(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mum"
    r"|mom|father|dad|parents|sister|brother|sons?|daughters?|kids|children|grand\w+|aunt|uncle|cousin|boss|friend"
    r"|dog|cat)(?:['’]s)? [a-z]",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"^(?:(?:full|first|last|nick|user) ?)?(?:name|birthday|age|job|hobby|hobbies|diet|goal|time ?zone|favou?rite \w+)"
    r" (?:is|are|was|were)\b",
    re.IGNORECASE,
)
_ADVERB = r"(?:(?:really|also|usually|often|always|never|sometimes|currently|recently|strongly|now|no longer|not) )?"
_AUXILIARY = re.compile(
    rf"^{_ADVERB}(?:is|was|has|had|can|cannot|can['’]t|(?:does|did|is|was|has|had)(?: not|n['’]t))\b", re.IGNORECASE
)
_STATE = re.compile(
    rf"^{_ADVERB}(?:\w+ing|interested|allergic|married|engaged|divorced|widowed|single|vegan|vegetarian|retired|born"
    r"|fluent|based|intolerant|afraid|fond|proud|pregnant|diabetic|left-handed)\b(?! (?:is|was|are)\b)",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(r"^(?:the )?(?:user|assistant)\b", re.IGNORECASE)
_WORD = re.compile(rf"^{_ADVERB}(?P<word>[A-Za-z]+)\b", re.IGNORECASE)


def is_first_person(text: str) -> bool:
    """Whether a memory is kept in the user's own words ("I love hiking")."""
    return _FIRST_PERSON.match(text) is not None


def stated(text: str, kind: str | None = None) -> str:
    """A memory as a sentence about the user, where it leaves out of whom it speaks; else as it stands.

    Of `kind` procedure it is an order to the assistant.
    """
    text = " ".join(text.split()).rstrip(".")
    lowered = text if text[:2].isupper() else text[:1].lower() + text[1:]
    if kind == "procedure" and not _SPOKEN_OF.match(text):
        return f"Assistant should {lowered}"
    if _RELATION.match(text) or _ATTRIBUTE.match(text):
        return f"User's {lowered}"
    if _AUXILIARY.match(text):
        return f"User {lowered}"
    if _STATE.match(text):
        return f"User is {lowered}"
    return f"User {lowered}" if _opens_with_verb(text) else text


def _opens_with_verb(text: str) -> bool:
    """Whether a verb in the third person or the past stands where the subject would."""
    found = _WORD.match(text)
    if found is None:
        return False
    word = found["word"].casefold()
    lemmas = getAllLemmas(word, upos="VERB").get("VERB", ())
    return bool(lemmas) and word not in lemmas
