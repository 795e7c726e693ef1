"""A third-person sentence back to its triple, for facts that come without one (the verb decide, imports).

The sentence is put into the first person and read by the same rules that write claims.
"""

from __future__ import annotations

import re

from models.claims import Utterance
from models.clauses import split
from models.readings import Reading
from models.rewrite import write

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


def triple_of_sentence(content: str) -> Triple:
    """The triple of one sentence about the user or somebody named; "states" with its words where no rule knows it."""
    content = _OF_NAMED.sub(
        lambda found: f"{found['name']}'s {found['what']}" if found["name"] != "User" else found[0], content
    )
    if told := _IN_PROJECT.match(content):
        return told["name"], "states", content, True
    if advice := _ADVICE.match(content):
        return "assistant", "recommends", advice["what"], True
    if order := _ORDER.match(content):
        return "assistant", _ORDERS.get(order["how"].casefold(), "forbids"), order["what"], True
    found = _USER.match(content) or _NAMED.match(content)
    if found is None or (found.re is _NAMED and _FRONTED.match(content)):
        return "user", "states", content, True
    subject = "user" if found.re is _USER else found["name"]
    said = ("my" if found["owns"] else "I") + content[found.end() :]
    for clause in split(said, ()):
        for claim in write(Utterance("user", said, 0), clause, Reading("fact", "states", "user", 1.0, 0.5)):
            return subject if claim.subject == "user" else claim.subject, claim.predicate, claim.object, claim.polarity
    return subject, "states", content[found.end() :].strip(" ."), True
