"""The subject a clause shares with its sentence or leaves out, and turns of phrase put the plain way round (X3)."""

from __future__ import annotations

import re

from models.wording.grammar import Shape, shape_of
from models.wording.lexicon import is_occupation
from models.wording.spelling import plain
from models.wording.verbs import BE, HAVE, is_finite

_ME_AND = re.compile(r"^[Mm]e and ([Mm]y [\w-]+(?: [A-Z][\w-]+)?)\b")
_NO_LONGER = re.compile(r"^(I|[Ww]e|[Mm]y [\w' ]+?) (?:(am|is|are|can|do) )?no longer (.+)$")
_DAY_IS_MINE = re.compile(
    r"^(?:it|today|tomorrow|yesterday|(?:this|next|last) \w+|.{3,20}?\d(?:st|nd|rd|th)?) (?:is|was|will be) my "
    r"(?P<what>(?:\d+(?:st|nd|rd|th) |\w+ )?(?:birthday|anniversary|name day))(?P<when> .+)?$",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"^(?:(?:all )?(?:[Mm]y|[Oo]ur) \w+|[Pp]eople|[Ee]veryone|everybody|friends|they) (?:all |"
    r"always |just |usually )*call me (?P<name>[A-Z]\w+)$"
)


def tidied(text: str) -> str:
    """Turns of phrase put the plain way round, so that one rule serves them all."""
    if text.startswith("i "):
        text = f"I{text[1:]}"
    text = _ME_AND.sub(r"\1 and I", text)
    found = _NO_LONGER.match(text)
    if found:
        auxiliary = found[2] or ("do" if found[1] in ("I", "we", "We") else "does")
        return f"{found[1]} {auxiliary} not {found[3]} anymore"
    found = _DAY_IS_MINE.match(text)
    if found:
        when = found["when"] or text.split(" is ")[0].split(" was ")[0]
        return f"my {found['what']} is {when.strip()}"
    found = _CALLED.match(text)
    if found:
        return f"my nickname is {found['name']}"
    return re.sub(r"^the name is (?=[A-Z])", "my name is ", text)


_LAST_SUBJECT = re.compile(
    r"\b(I|[Ww]e|[Mm]y [a-z-]+(?: [A-Z]\w+)?|[A-Z]\w+)\s+(am|is|are|was|were|have|has|had|do|does|will|would|"
    r"can|used|[a-z]+)\b"
)
_ELLIPTIC = re.compile(
    r"^(?:(?:just|recently|also|still|never|always|really|absolutely|not|currently|only|mostly)\s+)*(?:love|"
    r"loved|like|liked|hate|enjoy|prefer|moved|got|been|working|living|studying|allergic|have|had|has|used to|"
    r"cannot stand|"
    r"do not (?:like|eat|drink|have|own|smoke)|did not|grew up|born|vegan|vegetarian|single|married|retired|"
    r"divorced|work|live|play|own|drive|speak|collect|started|joined|quit|adopted|bought|learning|looking for|"
    r"a fan of)\b",
    re.IGNORECASE,
)
_IMPERATIVE_RISK = re.compile(
    r"^(?:play|drive|work|like|have|speak|prefer|got it|love it|like (?:that|this|what|how))\b(?! (?:in|at|as|"
    r"for|with) )",
    re.IGNORECASE,
)


def with_subject(text: str, sentence_before: str) -> str:
    """The clause with the subject it shares with its sentence ("work nights" → "I work nights") or leaves out."""
    if not text:
        return text
    first = text.split()[0].lower().strip(",")
    if re.match(r"^(?:i|we|my|our|it|he|she|they|his|her|its|their|this|that|there|you)$", first):
        return text
    fronted = shape_of(text)
    if fronted is not None and fronted.subject_kind in ("user", "owned"):
        return text
    sentence_before = plain(sentence_before) if sentence_before else ""
    subjects = list(_LAST_SUBJECT.finditer(sentence_before))
    found = subjects[-1] if subjects else None
    if found is None or (
        found[1] not in ("I", "we", "We") and not found[1].lower().startswith("my") and not is_finite(found[2])
    ):
        return _elliptic(text, fronted)
    return _joined(found[1], found[2].lower(), text, sentence_before)


def _joined(subject: str, verb: str, text: str, sentence_before: str) -> str:
    words = text.split()
    first = words[0].lower()
    bare = [
        word
        for word in words
        if word.lower()
        not in (
            "also",
            "just",
            "still",
            "really",
            "not",
            "never",
            "always",
            "currently",
            "now",
            "often",
            "usually",
            "sometimes",
            "mostly",
        )
    ]
    head = bare[0].lower() if bare else first
    being = next(
        (word for word in re.findall(r"\b(?:am|is|are|was|were)\b", sentence_before)[-1:]),
        "am" if subject == "I" else "is",
    )
    if first in ("not", "no") and verb in BE:
        return f"{subject} {being} {text}"
    if first == "not":
        return text
    if is_finite(head) and not (
        verb in BE
        and head
        in (
            "married",
            "engaged",
            "divorced",
            "retired",
            "based",
            "allergic",
            "interested",
            "born",
            "left",
            "widowed",
            "separated",
            "obsessed",
            "scared",
        )
    ):
        return f"{subject} {text}"
    if re.search(r"\b(?:am|is|are|was|were)\b", sentence_before) or head.endswith("ing"):
        return f"{subject} {being} {text}"
    return f"{subject} have {text}" if verb in HAVE or verb == "got" else text


def _elliptic(text: str, shape: Shape | None) -> str:
    """Chat leaves out its "I": "just moved to Berlin", "allergic to nuts", "vegan here", "love hiking"."""
    role = re.match(r"^(?:being|as) (an? .+)$", text, re.IGNORECASE)
    if role:
        return f"I am {role[1]}"
    here = re.match(r"^(?:a )?([\w-]+(?: [\w-]+)?) here$", text, re.IGNORECASE)
    if here:
        what = here[1][:1].lower() + here[1][1:]
        return f"I am {'an' if what[0] in 'aeiou' else 'a'} {what}" if is_occupation(what) else f"I am {what}"
    if shape is not None and shape.subject_kind == "named" and not _ELLIPTIC.match(text):
        return text
    found = _ELLIPTIC.match(text)
    if not found or _IMPERATIVE_RISK.match(text):
        return text
    words = [
        word
        for word in text.split()
        if word.lower()
        not in (
            "just",
            "recently",
            "also",
            "still",
            "really",
            "absolutely",
            "currently",
            "only",
            "mostly",
            "not",
            "never",
            "always",
        )
    ]
    head = words[0].lower() if words else ""
    lowered = text[:1].lower() + text[1:]
    if head == "been":
        return f"I have {lowered}"
    if head in (
        "allergic",
        "vegan",
        "vegetarian",
        "single",
        "married",
        "retired",
        "divorced",
        "born",
        "a",
        "into",
        "from",
    ) or head.endswith("ing"):
        return f"I {'was' if head == 'born' else 'am'} {lowered}"
    return f"I {lowered}"
