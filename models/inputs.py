"""What the extraction encoder reads of a clause: the clause, and what came before where the clause leans on it.

Also the first gate: clauses that plainly hold nothing (greetings, thanks, cheers, questions) never reach the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.clauses import Clause

CONTEXT_CHARS_MAX = 160
_LEANING_WORDS_MAX = 3
_ELLIPTIC_WORDS_MAX = 8

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FIRST_PERSON = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|im|ive|my|mine|me|myself|we|we['’](?:re|ve|d|ll)|our|ours|us)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\b(?:it|it['’]s|its|that|that['’]s|thats|this|they|they['’]re|them|their|those|these|he|he['’]s|she|she['’]s|him|his|her|hers|"
    r"one|ones|there|too|either|neither|both|same|another|so|do|did|does|don['’]t|am|was|have|haven['’]t)\b[.!]*$",
    re.IGNORECASE,
)
_OPENS_LEANING = re.compile(
    r"(?:yes|yeah|yep|yup|no|nope|nah|it|it['’]s|its|that|that['’]s|they|they['’]re|he|he['’]s|she|she['’]s|his|her|"
    r"their|same|both|neither|exactly|correct|right|sure|definitely|absolutely|of course|me|mine|not|never|only|"
    r"mostly|usually|sometimes|about|around|for|in|at|on|since|because|maybe)\b",
    re.IGNORECASE,
)
_AFFIRMING = """
yes yeah yep yup ya yea yess no nope nah exactly correct right indeed sure definitely absolutely true never
"""
_COURTEOUS = """
hi hello hey heya hiya howdy yo greetings good morning afternoon evening night day evenin goodnight bye goodbye cya
later see you ya soon tomorrow take care cheers thanks thank thx ty tysm a lot so much very many for the your help
welcome please ok okay k kk okey alright cool great nice awesome wow amazing lovely perfect brilliant fantastic
excellent wonderful sweet neat lol haha hahaha hah ha hehe lmao rofl omg hmm hm mmm um uh uhh er ah aha oh ooh aww
aw well and but then now just really that's thats that it's its is sounds sound good fun interesting funny crazy got
it gotcha understood noted fine sorry congrats congratulations agreed totally hooray yay yum oops wait anyway
anyways to hear what how are doing again all there everyone guys mate man dude friend pleasure nice meet meeting
talking chatting with too have great weekend one luck problem worries
"""
_AFFIRMS = frozenset(_AFFIRMING.split())
_EMPTY = frozenset(_COURTEOUS.split()) | (_AFFIRMS - {"never"})


@dataclass(frozen=True, slots=True)
class Reader:
    """One clause as the encoder reads it; `context` is empty where the clause stands on its own feet.

    `among_people`: another person took part shortly before. What people tell each other of themselves is mostly meant
    to be known; to an assistant much of it only serves the task.
    """

    text: str
    context: str
    among_people: bool = False


def leans(text: str) -> bool:
    """Whether a clause cannot be read without what came before: an answer, an ellipsis, a pronoun that points back."""
    if _OPENS_LEANING.match(text) or _POINTS_BACK.search(text, text.rstrip().rfind(" ") + 1):
        return True
    words = len(_WORD.findall(text))
    if words <= _LEANING_WORDS_MAX:
        return True
    return words <= _ELLIPTIC_WORDS_MAX and not _FIRST_PERSON.search(text)


def reader(message: str, clause_start: int, clause_end: int, previous: Sequence[tuple[str, str]]) -> Reader:
    """The clause [start, end) of `message`, with the tail of what precedes it; `previous` is (role, text) in order."""
    text = message[clause_start:clause_end]
    people = "peer" in [role for role, _ in previous]
    if not leans(text):
        return Reader(text, "", people)
    before = message[:clause_start].strip()
    last = next((said for role, said in reversed(previous) if role not in ("system", "tool")), "")
    return Reader(text, _tail(f"{last} {before}".strip()), people)


def plainly_empty(clause: Clause, previous: Sequence[tuple[str, str]]) -> bool:
    """Questions and suppositions, and clauses of nothing but courtesy that answer no question."""
    if clause.question or clause.hypothetical:
        return True
    words = []
    for found in _WORD.finditer(clause.text):
        words.append(found[0].casefold().replace("’", "'"))
        if words[-1] not in _EMPTY:
            return False
    asked = bool(previous) and "?" in previous[-1][1]
    return not (asked and any(word in _AFFIRMS for word in words))


def _tail(text: str) -> str:
    if len(text) <= CONTEXT_CHARS_MAX:
        return text
    cut = text[-CONTEXT_CHARS_MAX:]
    return cut.split(" ", 1)[-1]
