"""A third-person sentence back to its triple, for facts that come without one (the verb decide, imports, commands).

The sentence is put into the first person and read by the same rules that write claims.
"""

from __future__ import annotations

import re
from dataclasses import replace

from models.claims import Claim, Utterance
from models.clauses import split
from models.foreign import is_first_person
from models.language import detect
from models.readings import Reading
from models.rewrite import write
from models.wording.verbs import is_adverb, is_finite, is_past, lemma

Triple = tuple[str, str, str, bool]
"""Subject, predicate, object, polarity."""

_USER = re.compile(r"^(?:the )?user\b(?P<owns>['’]s)?", re.IGNORECASE)
_NAMED = re.compile(r"^(?P<name>(?:Project )?[A-Z][\w-]*(?: [A-Z][\w-]*)*)(?P<owns>['’]s)?(?= [a-z])")
# "Graz is where User lives" tells of the user, and so does "On Mondays User swims".
_FRONTED = re.compile(
    r"^(?:(?:The|On|In|At|After|Before|Every|There|Of|From|For|With|During|Since|Until|One|A|An) "
    r"|[A-Z][\w'’-]*(?: [\w'’-]+){0,3}? (?:is|was|are|were|has been|has become|became) ).*\bUser\b"
)
_ADVICE = re.compile(r"^(?:the )?assistant (?:has )?(?:recommend|suggest|advise)\w*\s+(?P<what>.+?)\.?$", re.IGNORECASE)
_ORDER = re.compile(
    r"^(?:the )?assistant (?P<how>should not|must not|should never|should|must|may|can)\s+(?P<what>.+?)\.?$",
    re.IGNORECASE,
)
_ORDERS = {"may": "permits", "can": "permits", "should": "instructs", "must": "instructs"}


# "The deadline of Project Heron is 3 May" and "Postgres is used in Project Heron" tell of Project Heron.
_OF_NAMED = re.compile(
    r"^The (?P<what>[a-z]+(?: [a-z]+)?) of (?P<name>(?:Project )?[A-Z][\w-]*(?: [A-Z][\w-]*)*)(?= [a-z])"
)
_IN_PROJECT = re.compile(r"^(?!Project )[A-Z][\w. -]*? (?:is|was) .*\b(?P<name>Project [A-Z]\w*)\b")


_STATED = Reading("fact", "states", "user", 1.0, 0.5)
_ORDERED = Reading("procedure", "instructs", "user", 1.0, 0.5)
_ORDER_OPENS = {
    "should not": "Do not",
    "must not": "Do not",
    "should never": "Never",
    "may": "You may",
    "can": "You can",
}
_FIRST_PERSON_FORMS = {"is": "am", "isn't": "am not", "doesn't": "don't", "hasn't": "haven't"}


def triple_of_sentence(content: str) -> Triple:
    """The triple of one sentence about the user or somebody named; "states" with its words where no rule knows it."""
    claim = claim_of_sentence(content)
    return claim.subject, claim.predicate, claim.object, claim.polarity


def claim_of_sentence(content: str, sent_at_ms: int = 0, timezone: str = "UTC") -> Claim:
    """The same as a claim, with the dates that the sentence says, resolved against the time it was written.

    The words stay as they are, but for a sentence in the first person and for dates. `kind` is the rules' guess.
    """
    said, (subject, predicate, value, polarity) = _said_by_user(content)
    for clause in split(said, ()) if said else ():
        for claim in write(Utterance("user", said, sent_at_ms, timezone), clause, _STATED):
            return replace(_of(subject, claim, content), start=0, end=len(content))
    return Claim("fact", (), subject, predicate, value, polarity, content, 1.0, 0.5, detect(content), 0, len(content))


def order_of_sentence(content: str) -> Claim | None:
    """An instruction to the assistant, given as such ("Keep answers short"), or None."""
    clauses = split(content, ())
    claims = [claim for clause in clauses for claim in write(Utterance("user", content, 0), clause, _ORDERED)]
    orders = [claim for claim in claims if claim.kind == "procedure"]
    return orders[0] if orders and len(claims) == 1 else None


def spoken(content: str) -> str:
    """A sentence about the user as they would say it ("User lives in Porto" -> "I live in Porto"); else as it is."""
    if order := _ORDER.match(content):
        opens = _ORDER_OPENS.get(order["how"].casefold())
        what = order["what"]
        return what[:1].upper() + what[1:] if opens is None else f"{opens} {what}"
    found = _USER.match(content)
    if found is None:
        return content
    if found["owns"]:
        return f"My{content[found.end() :]}"
    words = content[found.end() :].split(" ")
    for at, word in enumerate(words):
        if word and not (is_adverb(word) or word in ("no", "longer", "never")):
            words[at] = _as_said_by_user(word)
            break
    return "I" + " ".join(words)


def _as_said_by_user(verb: str) -> str:
    if verb in _FIRST_PERSON_FORMS:
        return _FIRST_PERSON_FORMS[verb]
    return lemma(verb) if verb.endswith("s") and verb != "was" and is_finite(verb) and not is_past(verb) else verb


def _said_by_user(content: str) -> tuple[str, Triple]:
    """The sentence in the first person, empty where none fits; and the triple of what no rule can read in it."""
    content = _OF_NAMED.sub(
        lambda found: f"{found['name']}'s {found['what']}" if found["name"] != "User" else found[0], content
    )
    if told := _IN_PROJECT.match(content):
        return "", (told["name"], "states", content, True)
    if advice := _ADVICE.match(content):
        return "", ("assistant", "recommends", advice["what"], True)
    if order := _ORDER.match(content):
        return "", ("assistant", _ORDERS.get(order["how"].casefold(), "forbids"), order["what"], True)
    if is_first_person(content):
        return content, ("user", "states", content.strip(" ."), True)
    found = _USER.match(content) or _NAMED.match(content)
    if found is None or (found.re is _NAMED and _FRONTED.match(content)):
        return "", ("user", "states", content, True)
    subject = "user" if found.re is _USER else found["name"]
    rest = content[found.end() :]
    return ("my" if found["owns"] else "I") + rest, (subject, "states", rest.strip(" ."), True)


def _of(subject: str, claim: Claim, content: str) -> Claim:
    """The claim as one of the subject, in the words of the content unless these are the user's or name a date."""
    if not (is_first_person(content) or claim.valid_from or claim.valid_to or claim.recurring):
        claim = replace(claim, content=content)
    elif subject != "user" and claim.content.startswith("User"):
        claim = replace(claim, content=subject + claim.content.removeprefix("User"))
    return replace(claim, subject=subject) if claim.subject == "user" else claim
