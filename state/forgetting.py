"""What a person means who asks to forget something: in its words, or by the attribute that they name (F3).

"Forget that I smoke" names the claim in its own words. "Forget where I live" and "forget my job" name an attribute, and
no word of "User lives in Graz" or "User works as a nurse"; what else they say ("my job at Acme") must be in the claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from state.facts import Candidate, Fact
from state.index import similarities
from state.matching import is_about, stems
from state.predicates import predicate
from state.user_memory import Boundary

_LEAD = (
    r"^(?:(?:that |the )?(?:thing|stuff|part|fact|information|info|details?)s? (?:about|on|of|that) |what(?:ever)? i"
    r"(?:['’]ve| have)? (?:just |ever )?(?:told you|said|mentioned|wrote)(?: to you)? (?:about|on) |that i (?:told you"
    r"|said|mentioned)(?: to you)? (?:that )?|(?:everything|anything|all)(?: (?:that )?(?:you (?:know|remember|have"
    r"|stored)|i (?:told you|said|mentioned)))? (?:about|on) )"
)
_OF_SELF = re.compile(r"^(?:where|what|which|when|how|who)\b.*\b(?:i|i['’]m)\b", re.I)
_EVERYTHING = re.compile(
    r"^(?:(?:absolutely |please )?(?:everything|all(?: of it)?|anything|the lot)"
    r"(?:,? (?:that )?(?:you (?:know|remember|have|stored|saved|learned|learnt)|(?:i|i['’]ve)(?: have)? (?:ever )?"
    r"(?:told you|said)))?(?: (?:about|on|of) me)?(?: (?:so far|until now|please|again))?"
    r"|(?:all )?(?:my |your )?memor(?:y|ies)(?: of me)?)[.! ]*$",
    re.I,
)
# An attribute as people name it, and where the catalogue files it.
_AREAS: tuple[tuple[str, str], ...] = (
    (r"where i(?:['’]m| am)? (?:currently )?(?:live|living|reside)|my (?:home )?(?:address|residence)|my (?:city|town"
     r"|location|whereabouts|neighbou?rhood)|(?:what|which) (?:city|town|country) i live in", "home/residence"),
    (r"my (?:home|house|flat|apartment)", "home"),
    (r"where i (?:used to live|lived)", "home/past"),
    (r"where i(?:['’]m| am) (?:originally )?from|where i come from|my home ?town|my origins?", "home/origin"),
    (r"where i was born|my birth ?place", "identity#birthplace"),
    (r"when i was born|when my birthday is|my (?:birthday|birth ?date|date of birth)", "identity#birthday"),
    (r"how old i am|my age", "identity#age"),
    (r"(?:what )?my (?:full |first |last |real )?name(?: is)?|who i am|what i(?:['’]m| am) called", "identity#name"),
    (r"my (?:height|weight|size|body)|how (?:tall|heavy) i am|(?:how much|what) i weigh", "identity/body"),
    (r"(?:what |which )?(?:languages?)(?: i| my)? speak|my (?:languages?|mother tongue)", "identity/languages"),
    (r"my nationality|my citizenship", "identity#nationality"),
    (r"my (?:sexuality|sexual orientation|orientation)", "identity/orientation"),
    (r"my time ?zone", "identity/timezone"),
    (r"where i(?:['’]m| am)? work(?:ing)?|(?:who|whom) i work for|my (?:employer|company|workplace|work ?place|office)",
     "work/employer work/location work/occupation"),
    (r"what i do(?: (?:for (?:a living|work)|at work|professionally))?|(?:what )?my (?:job|work|occupation|profession"
     r"|career|role|position)(?: is)?", "work/employer work/location work/occupation"),
    (r"my (?:job (?:search|hunt(?:ing)?)|applications?)|that i(?:['’]m| am) looking for a (?:new )?job", "work/search"),
    (r"my (?:commute|way to work)", "routines/commute"),
    (r"(?:what |how much )?(?:my |i )(?:salary|income|earnings|earn|make|wage)(?: is)?", "finance/income"),
    (r"my (?:money|finances|financial situation|debts?)", "finance"),
    (r"my rent|(?:what|how much) (?:rent )?i pay(?: for rent| in rent)?", "home/rent"),
    (r"(?:what|where) i (?:study|studied|went to (?:school|university|college|uni))|my (?:studies|school|university"
     r"|college|degree|education)", "education"),
    (r"my (?:health|medical (?:history|issues?|information|info)|health (?:issues?|problems?|information))", "health"),
    (r"my (?:illness(?:es)?|diseases?|(?:medical |health )?conditions?|diagnosis)",
     "health/conditions health/injuries health/symptoms"),
    (r"my (?:medication|medications|medicines?|meds|pills)|what (?:medication|pills|meds) i take", "health/medication"),
    (r"(?:what )?(?:my allerg(?:y|ies)|i(?:['’]m| am) allergic to)", "health/allergies"),
    (r"my (?:diet|eating habits)|what i (?:eat|don['’]t eat|do not eat|cannot eat|can['’]t eat)", "preferences/diet"),
    (r"my (?:family|relatives|family members)", "family"),
    (r"my (?:love life|relationships?|relationship status|marriage|marital status)",
     "family/partner family/status"),
    (r"my (?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?)", "family/partner"),
    (r"(?:that i have |my )(?:kids?|child(?:ren)?|sons?|daughters?)", "family/children"),
    (r"my (?:parents?|mother|father|mum|mom|dad)", "family/parents"),
    (r"my (?:siblings?|brothers?|sisters?)", "family/siblings"),
    (r"my pets?", "pets"),
    (r"my friends?", "people/friends"),
    (r"my (?:colleagues?|coworkers?|co-workers?)", "people/colleagues"),
    (r"(?:what|which) car i (?:drive|have|own)|what i drive|my (?:car|vehicle|bike|motorbike)s?",
     "possessions/vehicles"),
    (r"(?:what i own|my (?:possessions|belongings|things|stuff))", "possessions"),
    (r"(?:what )?my (?:hobby|hobbies|interests?|pastimes?)(?: are| is)?"
     r"|what i do (?:for fun|in my (?:free|spare) time)", "interests"),
    (r"(?:what|which) sports? i (?:play|do)|my sports?", "interests/sports"),
    (r"my (?:preferences|tastes?|likes(?: and dislikes)?|dislikes|favou?rites?)|what i (?:like|love|enjoy|prefer|hate"
     r"|dislike)(?: and (?:like|dislike|hate|don['’]t like))?", "preferences"),
    (r"my (?:fears?|phobias?)|what i(?:['’]m| am) afraid of", "preferences/fears"),
    (r"my (?:religion|faith|religious (?:beliefs?|views?)|beliefs?)|what i believe in", "beliefs/religion"),
    (r"my (?:politics|political (?:views?|opinions?|beliefs?))|(?:who|whom) i vote for", "beliefs/politics"),
    (r"my (?:travel |holiday |trip |vacation )plans?|my (?:trips?|holidays?|vacations?|travels?)|where i(?:['’]m| am)"
     r" (?:going|travelling|traveling)", "plans/travel"),
    (r"(?:what )?my plans?(?: are)?|what i(?:['’]m| am) planning", "plans"),
    (r"my (?:goals?|dreams?|wishes)|what i want", "goals"),
    (r"my (?:appointments?)", "plans/appointments"),
    (r"my (?:smoking|drinking|bad habits?|habits)", "health/habits"),
    (r"my (?:routines?|daily routine)", "routines"),
    (r"my (?:mood|feelings?)|how i feel|how i(?:['’]m| am) feeling", "status/feelings"),
)  # fmt: skip
_NAMED = tuple((re.compile(rf"^(?:{words})\b", re.I), places) for words, places in _AREAS)


@dataclass(frozen=True, slots=True)
class Asked:
    """An attribute that was named: namespaces of the catalogue, or single groups, and the words that were said more."""

    namespaces: tuple[tuple[str, ...], ...]
    groups: frozenset[str]
    more: frozenset[str]


def forgets(text: str, claim: Fact | Candidate, similarity: float | None, threshold: float) -> bool:
    """Whether a claim is what a person asks to forget, by its words and meaning, or by the attribute it is of."""
    if is_everything(text):
        return True
    bare = _bare(text)
    if _OF_SELF.match(bare) and claim.subject.casefold() != "user":
        return False
    return is_about(bare, claim.content, similarity, threshold) or any(
        _is_of(claim, asked) for asked in attributes(bare)
    )


def is_forgotten(boundary: Boundary, claim: Fact | Candidate, threshold: float) -> bool:
    """Whether a claim is what a person asked to forget when they left a boundary; the claim's time is not looked at."""
    if boundary.fact_id is not None:
        return boundary.fact_id == (claim.fact_id if isinstance(claim, Fact) else claim.candidate_id)
    if boundary.namespace is not None:
        return claim.namespace[: len(boundary.namespace)] == boundary.namespace
    similarity = 1.0
    if boundary.embedding and claim.embedding:
        similarity = similarities(boundary.embedding, [claim.embedding])[0]
    return forgets(boundary.text or "", claim, similarity, threshold)


@lru_cache(maxsize=4096)
def is_everything(text: str) -> bool:
    """Whether all of a user's memory is meant ("everything you know about me")."""
    return _EVERYTHING.match(text) is not None


@lru_cache(maxsize=4096)
def attributes(text: str) -> tuple[Asked, ...]:
    """The attributes of the user that a text names, of which the longest words count."""
    found = [(match.end(), places) for pattern, places in _NAMED if (match := pattern.match(text))]
    if not found:
        return ()
    longest = max(end for end, _ in found)
    asked = []
    for end, places in found:
        if end == longest:
            spaces = tuple(tuple(each.split("/")) for each in places.split() if "#" not in each)
            groups = frozenset(each.partition("#")[2] for each in places.split() if "#" in each)
            asked.append(Asked(spaces, groups, frozenset(stems(text[end:]))))
    return tuple(asked)


def _is_of(claim: Fact | Candidate, asked: Asked) -> bool:
    entry = predicate(claim.predicate)
    if claim.subject.casefold() != "user":
        return False
    if entry.group not in asked.groups and not any(entry.namespace[: len(each)] == each for each in asked.namespaces):
        return False
    return asked.more.issubset(stems(claim.content))


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    """The text without what only says that something is meant ("what I told you about …"), where that is not all."""
    if re.match(r"(?:everything|anything|all)\b", text, re.I):
        rest = re.sub(_LEAD, "", text, count=1, flags=re.I)
        return rest if attributes(rest) else text
    return re.sub(_LEAD, "", text, count=1, flags=re.I) or text
