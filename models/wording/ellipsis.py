"""The subject a clause shares with its sentence or leaves out, and turns of phrase put the plain way round (X3)."""

from __future__ import annotations

import re

from models.wording.coordination import APPOSED, is_apposed
from models.wording.grammar import Shape, shape_of
from models.wording.lexicon import CONDITIONS, DIETS, DISABILITIES, is_occupation
from models.wording.lists import mentions, wordset
from models.wording.spelling import plain
from models.wording.verbs import BE, DO, HAVE, is_base, is_common_noun, is_finite, is_past, lemma

_ME_AND = re.compile(r"^[Mm]e and ([Mm]y [\w-]+(?: [A-Z][\w-]+)?)\b")
_NO_LONGER = re.compile(r"^(I|[Ww]e|[Mm]y [\w' ]+?) (?:(am|is|are|can|do) )?no longer (.+)$")
_DAY_IS_MINE = re.compile(
    r"^(?:it|today|tomorrow|yesterday|(?:this|next|last) \w+|.{3,20}?\d(?:st|nd|rd|th)?) (?:is|was|will be) (?:my|our) "
    r"(?P<what>(?:\d+(?:st|nd|rd|th) |\w+ )?(?:birthday|anniversary|name day))(?P<when> .+)?$",
    re.IGNORECASE,
)
_HAS_BIRTHDAY = re.compile(
    r"^I (?:have|am having|celebrate|am celebrating) (?:a|my) birthday (?P<when>today|tomorrow|this \w+|next \w+|on .+|"
    r"in .+)$",
    re.IGNORECASE,
)
_HERE_TO = re.compile(r" here(?= (?:to|in) [A-Z])")
_OWN_DAYS = ("birthday", "anniversary", "name day")
_CALLED = re.compile(
    r"^(?:(?:all )?(?:[Mm]y|[Oo]ur) \w+|[Pp]eople|[Ee]veryone|everybody|friends|they) (?:all |"
    r"always |just |usually )*call me (?P<name>[A-Z]\w+)$"
)


def tidied(text: str) -> str:
    """Turns of phrase put the plain way round, so that one rule serves them all."""
    if text.startswith("i "):
        text = f"I{text[1:]}"
    if text[1:6] == "e and":
        text = _ME_AND.sub(r"\1 and I", text)
    if "roject " in text[:_FRONTED_REACH] and (found := _PROJECT_FRONTED.match(text)):
        text = f"{found['project']} {'is' if found['is'] else ''}{text[found.end() :]}"
    if "pretty much " in text:
        text = text.replace("pretty much ", "practically ", 1)
    if text.count(",") > 1:
        text = _called_once(text)
    if " here " in text:
        text = _HERE_TO.sub("", text)
    if text[:3] in _PARTICIPLE_STARTS:
        text = _PARTICIPLE.sub("I have ", text)
    found = _NO_LONGER.match(text) if "no longer " in text else None
    if found:
        auxiliary, rest = found[2], found[3]
        if auxiliary is None:
            auxiliary = "do" if found[1] in ("I", "we", "We") else "does"
            verb, space, what = rest.partition(" ")
            rest = f"{lemma(verb)}{space}{what}"
        return f"{found[1]} {auxiliary} not {rest} anymore"
    if " birthday " in text and (found := _HAS_BIRTHDAY.match(text)):
        return f"my birthday is {found['when']}"
    found = _DAY_IS_MINE.match(text) if mentions(text.lower(), _OWN_DAYS) else None
    if found:
        when = found["when"] or text.split(" is ")[0].split(" was ")[0]
        return f"my {found['what']} is {'today' if when.lower() == 'it' else when.strip()}"
    if text[:3].lower() in ("tha", "thi", "whi") and (found := _THAT_IS_WHY.match(text)):
        text = text[found.end() :]
    found = _CALLED.match(text) if "call me " in text else None
    if found:
        return f"my nickname is {found['name']}"
    if "ame" in text[:9] and (found := _NAME_ALONE.match(text)):
        return f"my name is {found['name'] or found['full']}"
    text = _of_oneself(text)
    if text[:6].lower() == "all i " and (found := _ALL_I.match(text)):
        return f"I {found['said']} only {found['what']}"
    if mentions(text, _HOME_GATE):
        text = _at_home(text)
    if " to " in text and (found := _COME_TO.match(text)):
        text = f"{found['who']} {text[found.end() :]}"
    if " going to " in text and (found := _GOES.match(text)) and not is_base(found["what"].split()[0]):
        return f"{found['who']} go to {found['what']}{found['often']}"
    if mentions(text, _CLEFT_GATE) and (found := _CLEFT.match(text)):
        return f"I {found['said']} {found['what'][:1].lower()}{found['what'][1:]}{found['tail']}"
    if mentions(text, _SPANS):
        text = _at_work_since(text)
    if " in the " in text[:_FRONTED_REACH] and (found := _IN_DISTRICT.match(text)):
        return f"{found['who']} live in the {text[found.end() :]}"
    if text[:6].lower() == "there " and (found := _OF_US.match(text)):
        return f"I am one of {found['count']}{found['rest']}"
    if text[:4] in ("the ", "The ") and (found := _OF_KIN.match(text)):
        return f"{found['owner']}'s {found['noun']} {text[found.end() :]}"
    if text[:4] in ("the ", "The ") and (found := _THE_FAMILY.match(text)):
        return f"my {text[found.end() :]}"
    if text[:4].lower() in ("both", "all ", "some") and (found := _ALL_OF_MINE.match(text)):
        which, noun = found[1].lower(), found["noun"].lower()
        if which == "some" and not noun.startswith("favo"):
            return text
        many = "both " if which == "both" else ""
        return f"my {found['noun']} {found['be']} {many}{found['rest']}"
    return text


def _of_oneself(text: str) -> str:
    """What one cannot be doing with, how one went, what was done to one, where a place is, what one named a thing."""
    if " be doing with " in text:
        text = text.replace("cannot be doing with ", "cannot stand ", 1)
    if mentions(text, _WENT_GATE):
        text = _UP_AND_WENT.sub(r"\g<who> ", text)
    if mentions(text, _DONE_GATE) and (found := _DONE_TO_ME.match(text)):
        return _done_to_me(found)
    if mentions(text, _PLACED_GATE):
        text = _WHICH_PLACE.sub(", ", text, count=1)
    if mentions(text, _NAMING_GATE) and (found := _NAMED_SO.match(text)):
        return f"{_OWN_OF[found['whom'].lower()]} name is {found['name']}"
    return text


# Where somebody lives, told of the place: "Cork is where we live", "home for me is Aberdeen", "I call Oslo home".
_HOME_GATE = ("where ", "Where ", "home", "Home", "live in is ")
_WHERE_I = re.compile(
    r"^(?P<place>(?!(?:it|this|that|here|there|what|i|we|my|the|an?)\b)[\w' ,.-]{2,40}?) (?:is|was) "
    r"(?:the (?:place|city|town|country|village) )?where (?P<who>I|we) "
    r"(?P<verb>live|work|study|grew up|was born|were born)(?P<when> .+)?$",
    re.IGNORECASE,
)
_HOME_IS = re.compile(
    r"^(?:(?:my |our )?home (?:for (?:me|us) )?(?:is|are) (?:in )?(?P<place>[A-Z][\w',. -]+)|"
    r"(?P<place2>[A-Z][\w', -]+?) (?:is|has been) (?:my |our )?home(?: (?:for|to) (?:me|us))?|"
    r"(?:I|we) (?:call|have made|made) (?P<place3>[A-Z][\w', -]+?) (?:my |our )?home|"
    r"(?:where (?:I|we) live(?: now)?|"
    r"the (?:place|city|town|country|village) (?:where )?(?:I|we) live(?: in)?(?: now)?) "
    r"is (?P<place4>[A-Z][\w', -]+?))"
    r"(?P<when> (?:since|until|for|from|now|these)\b.*)?$",
    re.IGNORECASE,
)


def _at_home(text: str) -> str:
    found = _WHERE_I.match(text)
    if found:
        preposition = "" if found["verb"].endswith(" in") else " in"
        return f"{found['who']} {found['verb']}{preposition} {found['place']}{found['when'] or ''}"
    found = _HOME_IS.match(text)
    place = found and (found["place"] or found["place2"] or found["place3"] or found["place4"])
    if not found or not place or not place[:1].isupper():
        return text
    return f"I live in {place}{found['when'] or ''}"


# "I have come to hate karaoke" is hating it.
_COME_TO = re.compile(
    r"^(?P<who>I|we) (?:have )?(?:really |slowly |finally )?(?:come|came|grown|grew|learned|learnt|begun|started) to "
    r"(?=(?:really )?(?:love|like|hate|dislike|enjoy|detest|loathe|adore|appreciate|despise) )"
)
# "I'm going to salsa classes again, twice a week": where one goes time and again is no plan.
_GOES = re.compile(
    r"^(?P<who>I|we) (?:am|are) (?:back )?going to (?P<what>[\w' -]+?)(?P<often>,? (?:again|regularly|"
    r"(?:once|twice|\w+ times) (?:a|per) \w+|every \w+|on \w+days)\b.*)$"
)
_OWN_HEAD = re.compile(r"(?:my|our) (?:[a-z-]+ ){0,2}?[a-z-]+(?= (?:at|in|for|from|of|on|with)\b|$)", re.IGNORECASE)


def _called_once(text: str) -> str:
    """A subject named twice between commas, named once: "Fern, our app at work, is …" → "our app Fern is …"."""
    found = APPOSED.match(text)
    if found is None or not is_apposed(found):
        return text
    what, who, rest = found["what"], found["who"], text[found.end() :]
    if what.lower().startswith(("my ", "our ", "the ")):
        return f"{what} {who} {rest}"
    own = _OWN_HEAD.match(who)
    return f"{own[0]} {what} {rest}" if own else f"{what} {rest}"


# "Project Fern right, it's hosted on Hetzner"
_FRONTED_REACH = 30
_PROJECT_FRONTED = re.compile(
    r"(?:(?:so|about|regarding|re|as for|on|for) )*(?P<project>(?:(?:my|our|the) )?[Pp]roject [A-Z]\w*)"
    r"(?: right| then| btw| now)?\s*[:,–—-]+ (?:it|this|that)(?P<is>['’]s| is)?(?= )"
)
# How long one has been where one works, however it is put: "that's me three months in the tannery job".
_SPANS = (" week", " month", " year", " decade")
_SPAN = (
    r"(?P<span>(?:(?:about|almost|nearly|over|more than|exactly|just|nigh on) )*(?:an?|one|two|three|four|five|six|"
    r"seven|"
    r"eight|nine|ten|eleven|twelve|fifteen|twenty|\d{1,2}|half a|a couple of|a few)(?: and a half)? "
    r"(?:(?:whole|full|good|solid|entire) )?(?:weeks?|months?|years?|decades?))"
)
_POST = r"(?:job|role|post|position|gig|apprenticeship|traineeship|internship)"
_TENURES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:(?:that|this|it|today) (?:is|makes|has been|will be|marks) (?:me |it |us |now )*|(?:I|we) have (?:now |"
        rf"just |"
        rf"already |recently |finally )*(?:completed|finished|done|clocked(?: up)?|marked|hit|reached|passed|had|"
        rf"served|"
        rf"notched up|celebrated|put in) (?:my )?|(?:I|we) (?:just |recently |finally )*(?:completed|clocked(?: up)?|"
        rf"celebrated) )?{_SPAN}(?: now| already| today)? (?P<how>in|into|at|with|on) (?P<where>(?:the|my|this|our) .+|"
        rf"[A-Z].*)$",
        rf"^(?:I|we) have had (?P<where>(?:the|my|this) (?:[\w'-]+ ){{0,3}}?{_POST}) for (?:now )?{_SPAN}$",
        rf"^(?:it is|it has been) {_SPAN} since (?:I|we) (?:first )?(?:started|joined|began)(?: (?:working|work|a job|"
        rf"my job|"
        rf"the job|a new job))? (?:(?P<how>in|at|with) )?(?P<where>(?:the|my|this|our) .+|[A-Z].*)$",
    )
)
_JOB_AT = re.compile(rf"^(?:the|my|this|our) (?P<what>(?:[\w'-]+ ){{1,3}}){_POST}$", re.IGNORECASE)
_NO_PLACE = wordset("new old first second current present same dream day night last next good great")


def _at_work_since(text: str) -> str:
    """The clause as "I have been at the tannery for three months", where it says no more than that."""
    found = next((found for pattern in _TENURES if (found := pattern.match(text))), None)
    if found is None or (text[:1] not in "Ii" and _POST_INSIDE.search(found["where"]) is None and text[0].islower()):
        return text
    where, how = _ALREADY.sub("", found["where"]), found.groupdict().get("how") or "at"
    job = _JOB_AT.match(where)
    if job is None or is_occupation(job["what"]) or job["what"].split()[0].lower() in _NO_PLACE:
        return f"I have been {'in' if job or _POST_INSIDE.search(where) else how} {where} for {found['span']}"
    return f"I have been at the {job['what'].strip()} for {found['span']}"


_ALREADY = re.compile(r" (?:now|already|today|so far)$")
_POST_INSIDE = re.compile(rf"\b{_POST}\b", re.IGNORECASE)
# "I'm in the Dennistoun district" is where one lives.
_IN_DISTRICT = re.compile(
    r"^(?P<who>I|we) (?:am|are) (?:currently |now |over )?in the (?=[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* (?:neighbou?rhood|"
    r"district|"
    r"quarter|borough|suburb)\b)"
)
# "There's five of us living in the house"
_OF_US = re.compile(
    r"there(?: is|['’]s| are|['’]re) (?:now |only |just |about )*(?P<count>two|three|four|five|six|seven|eight|nine|"
    r"ten|eleven|twelve|\d{1,2})(?: of us)(?P<rest>(?: [\w'-]+)* (?:in|at|under|on) (?:the|our|my|this|one|a|an)? ?"
    r"[\w' -]+)$",
    re.IGNORECASE,
)
_OF_KIN = re.compile(
    r"[Tt]he (?P<noun>(?:wedding )?(?:birthday|anniversary)|(?:first |last )?name|surname|age|job|"
    r"favou?rite [a-z]+) of "
    r"(?P<owner>(?:my|our) [a-z-]+(?: [A-Z]\w+)?) (?=(?:is|was|are|falls)\b)"
)


# "The kids are at school": of one who speaks of home, they are the speaker's own.
_THE_FAMILY = re.compile(
    r"^[Tt]he (?=(?:kids|children|girls|boys|twins|wife|husband|hubby|missus|grandkids|grandchildren) (?:is|are|was|"
    r"were|has|have|had|does|do|did|loves?|likes?|just|both|all|goes|go|went|got|will|wants?|"
    r"sleeps?) )"
)
_PARTICIPLE = re.compile(r"^I (?=(?:never )?(?:seen|been|done)\b)")
_PARTICIPLE_STARTS = ("I s", "I b", "I d", "I n")
_THAT_IS_WHY = re.compile(
    r"^(?:that|this|which)(?: is| was)(?: exactly| mostly| also| part of| one of the reasons| the reason| one reason)*"
    r"(?: why)? (?<=(?:why|son|ons) )"
    r"(?=(?:I|we|my) (?!said\b|ask|say\b|mean|think|thought|guess|know|am (?:here|asking|so)\b))",
    re.IGNORECASE,
)
_NAME_ALONE = re.compile(
    r"^(?:my )?(?:name is|names)(?: is)? (?P<name>[A-Za-z][\w'-]+)$|"
    r"^(?:(?:the|my) )?(?:name is|names)(?: is)? "
    r"(?P<full>(?-i:[A-Z][\w'’-]+(?: (?:(?:van|von|de|da|di|del|der|den|la|bin|al|el|ten) )*[A-Z][\w'’.-]*){0,3}))$",
    re.IGNORECASE,
)
# "I live in Barranco, that's a district of Lima": where the place is, said of the place itself.
_WHICH_PLACE = re.compile(
    r"(?<=[a-zß-ÿ]), (?:that|it|which)(?: is|['’]?s) (?:(?:actually|just|basically) )?"
    r"(?=(?:an?|the) (?:[\w-]+ )?(?:neighbou?rhood|suburb|district|part|town|city|village|hamlet|area|borough|quarter|"
    r"region|island|municipality) (?:of|in|near|outside|on) )"
)
_PLACED_GATE = (", that", ", it", ", which")
# "I named it Satie": the name of what was told of before.
_NAMED_SO = re.compile(
    r"^(?:(?:I|we|We) )?(?:have )?(?:just |also |both |finally )*(?:named|call(?:ed)?|christened|dubbed) (?P<whom>it|"
    r"him|"
    r"her|"
    r"them) "
    r"(?P<name>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|Mum\b|Mom\b|Dad\b)[A-Z][\w'’-]+(?: (?:and "
    r")?[A-Z][\w'’-]+)*)$"
)
# "We upped sticks and relocated": the going away is said twice.
_UP_AND_WENT = re.compile(
    r"^(?P<who>I|we|We) (?:have )?(?:(?:finally|just|recently) )*(?:upped(?: (?:sticks|stakes))?|packed (?:up|in|our|"
    r"my|it)"
    r"(?: [\w']+){0,4}?|sold (?:up|everything)|up) and (?=(?:moved|relocated|shifted|emigrated|left|went) )"
)
_WENT_GATE = (" and moved ", " and relocated ", " and shifted ", " and emigrated ", " and left ", " and went ")
# "They took me on at the brickworks", "my firm let me go": what was done to one.
_DONE_TO_ME = re.compile(
    r"^(?P<by>[Tt]hey|(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]n?) (?:[\w'’-]+ ){0,3}?[\w'’-]+|[A-Z][\w'’&-]+(?: "
    r"[A-Z][\w'’&-]+){0,2}) "
    r"(?:(?:have|has|had|finally|just) )*(?:(?P<on>took me on|hired me|recruited me|employed me)|"
    r"(?P<off>laid me off|made me redundant|sacked me|fired me|dismissed me))"
    r"(?P<rest>(?:,? (?:at|as|in|on|for|to|with|after|last|this|from|back|when|because|without|over|yesterday|"
    r"today)\b.*)?)$"
)
_DONE_GATE = ("ed me", " me on", " me off", " me redundant")
_DONE = {
    "took me on": "taken on", "hired me": "hired", "recruited me": "recruited", "employed me": "employed",
    "laid me off": "laid off", "made me redundant": "made redundant", "sacked me": "sacked", "fired me": "fired",
    "dismissed me": "dismissed",
}  # fmt: skip


def _done_to_me(found: re.Match[str]) -> str:
    by = "" if found["by"].lower() in ("they", "we") else f" by {found['by'][:1].lower()}{found['by'][1:]}"
    by = f" by {found['by']}" if by and found["by"].split()[0].lower() not in ("my", "our", "the", "a", "an") else by
    return f"I was {_DONE[found['on'] or found['off']]}{by}{found['rest']}"


_NAMING_GATE = ("named ", "call ", "called ", "christened ", "dubbed ")
_OWN_OF = {"it": "its", "him": "his", "her": "her", "them": "their"}
_CLEFT = re.compile(
    r"^(?P<what>[\w' -]{2,40}?) (?:is|are) (?:what|(?:something|one thing|a thing|the (?:one )?thing)(?: that| "
    r"which)?) I "
    r"(?P<said>(?:(?:really|mostly|mainly|usually|truly|absolutely|do|quite|also|still) )*(?:love|like|enjoy|hate|"
    r"dislike|"
    r"cannot stand|cannot bear|adore|loathe|detest|teach|study|play|collect|drive|"
    r"am (?:[\w]+ )*(?:good at|into|interested in|studying|reading|watching)))(?P<tail>(?: (?:a lot|very much|so "
    r"much))?)$"
)
_CLEFT_GATE = ("what I", "thing I", "thing that I", "thing which I")
_ALL_I = re.compile(r"^all I (?P<said>have|eat|drink|own|read|watch|play|want) is (?P<what>.+)$", re.IGNORECASE)
_ALL_OF_MINE = re.compile(
    r"^(both|all|some)(?: of)? (?:my|our) (?P<noun>[\w' -]+?) (?P<be>are|were|have|is|live|work|love|like|teach|play) "
    r"(?P<rest>.+)$",
    re.IGNORECASE,
)


_LAST_SUBJECT = re.compile(
    r"\b(I|[Ww]e|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [A-Z]\w+)?|[Tt]he [A-Z]\w+ [Pp]roject|[Pp]roject [A-Z]\w+|"
    r"[A-Z]\w+)\s+(am|is|are|was|were|have|has|had|do|does|will|would|"
    r"can|used|[a-z]+)\b"
)
_ELLIPTIC = re.compile(
    r"^(?:(?:just|recently|also|still|never|always|really|absolutely|not|currently|only|mostly)\s+)*(?:love|"
    r"loved|like|liked|hate|enjoy|prefer|would (?:love|like)|(?:want|hope|plan|need|have|try|tend) to|moved|got|"
    r"been|working|living|studying|allergic|have|had|has|used to|"
    r"(?:cannot|could not|have not|had not|will not|was not|am not) [a-z]+|(?:have|had) never|"
    r"do not (?:like|eat|drink|have|own|smoke|know|think|want|need|really|usually|often|work|live|watch|care|mind|feel|"
    r"believe)|did not|grew up|born|vegan|vegetarian|single|married|retired|"
    r"divorced|work|live|play|own|drive|speak|collect|started|joined|quit|adopted|bought|learning|looking for|"
    r"a fan of)\b",
    re.IGNORECASE,
)
_IMPERATIVE_RISK = re.compile(
    r"^(?:play|drive|work|like|have|speak|prefer|got it|love it|like (?:that|this|what|how))\b(?! (?:in|at|as|"
    r"for|with) )(?!(?<=work) (?:nights|days|weekends|shifts|part|full|from|mostly|on) ?)"
    r"(?!(?<=have) (?:to|not|never|two|three|four|five|six|\d+|no|been|always|a (?:son|daughter|dog|cat|brother|sister|"
    r"husband|wife|"
    r"boyfriend|girlfriend|baby|toddler|garden)) )",
    re.IGNORECASE,
)


def with_subject(text: str, sentence_before: str) -> str:
    """The clause with the subject it shares with its sentence ("work nights" → "I work nights") or leaves out."""
    if not text:
        return text
    first = text.split()[0].lower().strip(",")
    if mentions(text, _OWN_SUBJECT_INSIDE) and first not in ("i", "we") and (found := _OBJECT_FIRST.match(text)):
        return _object_last(found)
    if first in _SUBJECTS:
        return text
    if first in _KINS and (kin := _KINS_OWN.match(text)):
        return f"my {kin['kin'].lower()}'s {text[kin.end() :]}"
    fronted = shape_of(text)
    if fronted is not None and fronted.subject_kind in ("user", "owned"):
        return text
    sentence_before = plain(sentence_before) if sentence_before else ""
    if sentence_before.count(",") > 1:
        sentence_before = _called_once(sentence_before)
    subjects = list(_LAST_SUBJECT.finditer(sentence_before))
    found = next((each for each in reversed(subjects) if each[1] in _SPEAKERS or is_finite(each[2])), None)
    if found is None:
        if mentions(text, _OWN_INSIDE) and (
            junk := _EXCLAIMED.match(text)
            or ((fronted is None or _CRIED.match(fronted.subject)) and _BEFORE_I.match(text))
        ):
            return text[junk.end() :]
        return _elliptic(text, fronted)
    if _has_own_subject(text, first, fronted) or _NOW_THAT.match(text):
        return text
    return _joined(found[1], found[2].lower(), text, sentence_before)


# "Kabaddi I enjoy very much", "olives I cannot stand": what one likes, said first. "Songs I like" is only a heading.
_OBJECT_FIRST = re.compile(
    r"(?P<what>(?!(?:the|an?|that|this|those|these|all|every\w*|some\w*|any\w*|no|which|what|who|whom|how|when|where|"
    r"why|because|if|but|and|so|as|like|things?|one|ones|man|boy|god|honestly|yes|yeah|no)\b)"
    r"[\w'’&-]+(?: (?!(?:is|are|was|were|have|has|do|does|that|which|who|when|if|because|and|"
    r"but)\b)[\w'’&-]+){0,6}?),? "
    r"(?P<who>I|we) (?P<says>(?:(?:really|absolutely|just|simply|do|quite|rather|always|still|now|actually) )*"
    r"(?P<verb>(?:do not |did not |no longer )?(?:like|love|enjoy|hate|dislike|adore|detest|loathe|despise|avoid)|"
    r"am (?:really |so |very much )?(?:liking|loving|enjoying|hating)|"
    r"can(?:not| not|'t) (?:stand|bear|abide|stomach)|could (?:do|live) without))"
    r"(?P<tail>(?:,? (?:very|so|too) much|,? (?:a|the) (?:lot|most)|,? (?:at all|any ?more|these days|as well|dearly|"
    r"most of all|"
    r"only (?:a little|a bit)|a little|a bit|too|though|now|immensely))*)[.!]*",
    re.IGNORECASE,
)
_OWN_SUBJECT_INSIDE = (" I ", " we ")
_HEADS = re.compile(r"(?:like|love|enjoy|hate|dislike|adore)$")


def _object_last(found: re.Match[str]) -> str:
    if found.end() != len(found.string):
        return found.string
    bare = (
        not found["tail"] and _HEADS.match(found["says"]) and found["what"].endswith("s") and " " not in found["what"]
    )
    if bare:
        return found.string
    what = found["what"]
    opened = (
        what[:1].lower() + what[1:]
        if is_common_noun(what.split()[0].lower()) and what[1:] == what[1:].lower()
        else what
    )
    return f"{found['who']} {found['says']} {opened}{found['tail']}"


_NOW_THAT = re.compile(r"(?:now|then|today|nowadays) (?:i|we|my|our|it|its|he|she|they|there)\b", re.IGNORECASE)
_SUBJECTS = wordset("i we my our it he she they his her its their this that there you hers theirs mine")
_SPEAKERS = ("I", "we", "We")
_BEFORE_I = re.compile(
    r"^(?!(?:if|unless|when|whenever|while|that|because|as|since|what|how|where|why|who|which|maybe|until|till|"
    r"before|after|"
    r"once|and|or|but|so|though|although|do|did|am|have|can|could|should|would|will|than|like|think|whether|said|"
    r"says|only|"
    r"not|never|hope|wish)\b)[\w']+ (?=I (?:am|have|love|like|enjoy|live|work|want|had|was|do|play|just|also|really|"
    r"hate)\b)",
    re.IGNORECASE,
)


_CRIED = re.compile(
    r"^(?!(?:all|everything|anything|something|nothing|furthest|farthest|most|best|worst|first|last|one|things?|least|"
    r"latest|earliest|highest|longest|every\w*) )[\w']+ I$",
    re.IGNORECASE,
)
_OWN_INSIDE = (" I ", " my ")
_EXCLAIMED = re.compile(
    r"^(?:(?:me too?|very true|so true|true|sounds? (?:cool|good|great|fun|nice|awesome)|yes|yeah|no|nope|ew+|ugh|"
    r"wow|cool|"
    r"nice|heck yea\w*|same here|not really|oh no|haha|exactly|agreed|awesome|great)[\s,.!]+)+(?:and |but |because )?"
    r"(?=(?:I|my) [a-z])",
    re.IGNORECASE,
)


_ORDER_TO_OTHER = re.compile(
    r"^(?:do not|never|please|always)\b.* (?:me|us)\b|^(?:let|call|ask|tell|text|email|ping|message|ring|phone|sue|"
    r"drop|give|show|send) (?:me|us)\b",
    re.IGNORECASE,
)
_RELATIVE_INSIDE = re.compile(r"\b(?:who|which|that|with|in|at|for|of)\b")


def _has_own_subject(text: str, first: str, shape: Shape | None) -> bool:
    """Whether a clause shares nothing with its sentence: "the exam is on Monday", "Ana keeps bees"."""
    if _ORDER_TO_OTHER.match(text):
        return True
    if shape is not None and shape.verb == "be" and _THING_DONE.fullmatch(shape.subject.lower()):
        return True
    opens = first in ("the", "a", "an") or (text[:1].isupper() and text[:2] != "I ")
    return opens and shape is not None and not _RELATIVE_INSIDE.search(shape.subject)


# "Weekends are precious", "sitting all day is normal".
_THING_DONE = re.compile(r"[a-z]+ing(?: \w+){1,3}|[a-z]+s")


# "I'm 34, no kids": what one is said to be without, where "no" cannot stand after "am".
_LACKED = re.compile(
    r"^no (?:\w+ )?(?:kids?|children|child|siblings?|brothers?|sisters?|sons?|daughters?|pets?|cats?|dogs?|family|car|"
    r"job|degree|allerg(?:y|ies)|parents|partner|girlfriend|boyfriend|wife|husband|grandchildren|grandkids|religion|"
    r"tattoos?|hobbies|licen[cs]e|friends)\b",
    re.IGNORECASE,
)


_COUNTS = re.compile(r"^(?:only|just) (?:an?|one|two|three|four|five|six|\d+|my|our|some) ", re.IGNORECASE)


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
            "only",
            "rarely",
            "even",
        )
    ]
    head = bare[0].lower() if bare else first
    being = next(
        (word for word in re.findall(r"\b(?:am|is|are|was|were)\b", sentence_before)[-1:]),
        "am" if subject == "I" else "is",
    )
    if first in ("only", "just") and verb in DO and " have " in sentence_before and _COUNTS.match(text):
        return f"{subject} have {text}"
    if first == "no" and verb in BE:
        return f"{subject} have {text}" if _LACKED.match(text) and subject in _SPEAKERS else text
    if "roject" in subject and first.endswith("s") and words[1:2] == ["on"]:
        return f"{subject} {text}"
    if first == "not" and verb in BE:
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


_NOT_MUCH = re.compile(
    r"^(?:not (?:too )?much|nothing(?: much)?|not a lot)\b[\s,.]*(?:really[\s,]*)?(?=just |[a-z]+ing\b)", re.IGNORECASE
)
_OF_ORIGIN = re.compile(
    r"^(?:(?:originally )?from (?!my|the|a|work|what|there|here|now)[\w' ,]{2,30}|(?:just |also |"
    r"not )*(?:a )?(?:big |huge |"
    r"massive |lifelong |great |real |die-hard |long-?time )?(?:fan|lover|admirer) of .{2,40}|"
    r"not (?:too |really |very )?(?:big on|into) .{2,40}|"
    r"(?:(?:just|also|still|really|so|super|very|totally|pretty|quite|currently) )+(?:into|fond of|keen on|obsessed "
    r"with|"
    r"mad about|crazy about|hooked on) (?!(?:it|that|this|them)\b).{2,40})$",
    re.IGNORECASE,
)
_BARE_FAN = re.compile(r"(?!not\b)(?:[a-z-]+ )?(?:fan|lover|admirer) of", re.IGNORECASE)
_KIN = wordset(
    """
    mom mum mother dad father grandma grandpa grandmother grandfather hubby husband wife sister brother son daughter
    parents boyfriend girlfriend fiance fiancee gran nan granny granddad grandad papa mama
    """
)
_KINS = frozenset(ending for kin in _KIN for ending in (f"{kin}s", f"{kin}'s"))
_KINS_OWN = re.compile(
    r"^(?P<kin>[a-z]+?)'?s (?=(?:new |old |first |best |favou?rite |next |\d+(?:st|nd|rd|"
    r"th) )*(?:birthday|anniversary|name day|"
    r"name|job|car|house|place|dog|cat|phone|number|wedding|funeral|surgery|operation|appointment|flight|diet|boss|"
    r"favou?rite [a-z]+|(?:[a-z]+ )?allergy)\b)",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"^(?:(?:just|also|still|currently|only|mostly|mainly|usually|actually) )*(?:(?:cat|dog|house|pet|baby|farm|"
    r"plant|flat)[ -])?(?P<verb>[a-z]+ing) (?P<rest>.+)$",
    re.IGNORECASE,
)
_NOT_DOING = wordset(
    """
    during nothing something anything everything interesting amazing boring being speaking king ring spring morning
    evening wedding exciting according considering including
    """
)
_DID = re.compile(
    r"^(?:(?:just|also|once|recently|finally|actually|even|never|always|already|only|mostly|usually|still|"
    r"definitely) )*"
    r"(?P<verb>[a-z]+) (?:[a-z]+ing|a|an|the|my|some|to|in|at|"
    r"for|with|up|"
    r"out|back|last|two|three|this|that|from|on|here|there|it|recently|yesterday|into|about)\b",
    re.IGNORECASE,
)
_NOT_DID = wordset(
    """
    tired married bored interested excited based called named born raised left used used-to retired divorced engaged
    allergic obsessed scared related addicted dressed made said sounded looked seemed glad was were had did supposed
    """
)


def _told_without_subject(text: str, first: str, shape: Shape | None) -> str | None:
    """ "Watching the game with my son", "went to the lake last week": what "I am" or "I" was left out of."""
    doing = _DOING.match(text)
    if doing and doing["verb"].lower() not in _NOT_DOING and not _CLAUSAL.search(doing["rest"]):
        return f"I am {text[:1].lower()}{text[1:]}" if shape is None or shape.subject_kind != "user" else None
    did = _DID.match(text)
    if did and is_past(did["verb"]) and did["verb"].lower() not in _NOT_DID and first not in BE:
        return f"I {text[:1].lower()}{text[1:]}"
    return None


_CLAUSAL = re.compile(
    r"\b(?:is|are|was|were|can|will|would|makes?|helps?|keeps?|sounds?|seems?|takes?|relaxes|has)\b", re.IGNORECASE
)


_IN_ROLE = re.compile(r"^(?:being|as) (an? .+)$", re.IGNORECASE)
_TRADE = re.compile(
    r"^(?!(?:works?|worked|working|was|am|been|being|as|became|once|my|the|an?|former)\b)(?P<what>(?P<kin>"
    r"(?:single |new |proud |stay at home )?(?:mum|mom|mother|dad|father|grandma|grandpa|granny|parent)"
    r"(?= (?:of|to) (?:a|an|one|two|three|four|five|six|\d|twins|triplets)\b))|"
    r"(?:[\w-]+ ){0,3}?[\w-]+(?= (?:at|in|for|on|with)\b))",
    re.IGNORECASE,
)
_HERE = re.compile(r"^(?:a )?([\w-]+(?: [\w-]+)?) here$", re.IGNORECASE)


def _elliptic(text: str, shape: Shape | None) -> str:
    """Chat leaves out its "I": "just moved to Berlin", "allergic to nuts", "vegan here", "love hiking"."""
    role = _IN_ROLE.match(text)
    if role and (text[:2].lower() != "as" or _is_role(re.split(r" (?:at|in|for|of|with)\b", role[1])[0])):
        return f"I am {role[1]}"
    idle = _NOT_MUCH.sub("", text)
    if idle != text:
        text = idle
        if re.match(r"just (?:on|in|at|here|back|with|home|a) ", text, re.IGNORECASE):
            return f"I am {text[:1].lower()}{text[1:]}"
    if _OF_ORIGIN.match(text):
        text = text.removesuffix(" here")
        a = "a " if _BARE_FAN.match(text) else ""
        return f"I am {a}{text[:1].lower()}{text[1:]}"
    trade = _TRADE.match(text)
    if trade and (trade["kin"] or (shape is None and is_occupation(trade["what"]))):
        return f"I am {'an' if text[0].lower() in 'aeiou' else 'a'} {text[:1].lower()}{text[1:]}"
    first = text.split(" ", 1)[0].lower()
    if first in ("on", "off") and _AWAY.match(text):
        return f"I am {text[:1].lower()}{text[1:]}"
    if first in _KINS and (kin := _KINS_OWN.match(text)):
        return f"my {kin['kin'].lower()}'s {text[kin.end() :]}"
    if first in _KIN and (shape is None or shape.verb == "be" or shape.subject.lower() == first):
        return f"my {text[:1].lower()}{text[1:]}"
    told = _told_without_subject(text, first, shape)
    if told:
        return told
    here = _HERE.match(text) if text.lower().endswith(" here") else None
    if here:
        what = here[1][:1].lower() + here[1][1:]
        one = is_occupation(what) or what.startswith(("keen ", "avid ", "passionate ", "lifelong "))
        return f"I am {'an' if what[0] in 'aeiou' else 'a'} {what}" if one else f"I am {what}"
    if shape is not None and shape.subject_kind == "named" and not _ELLIPTIC.match(text):
        return text
    if shape is not None and shape.verb == "be" and first.endswith("ing"):
        return text
    found = _ELLIPTIC.match(text)
    if not found or _IMPERATIVE_RISK.match(text):
        return text
    words = [word for word in text.split() if word.lower() not in _BEFORE_HEAD]
    head = words[0].lower() if words else ""
    lowered = text[:1].lower() + text[1:]
    if head == "been":
        return f"I have {lowered}"
    if head in _STATES or head.endswith("ing"):
        return f"I {'was' if head == 'born' else 'am'} {lowered}"
    return f"I {lowered}"


_ROLES = (
    CONDITIONS
    | DIETS
    | DISABILITIES
    | wordset(
        "mum mom mother dad father parent grandma grandpa widow widower twin carer student pensioner immigrant expat "
        "foreigner "
        "vegan beginner homeowner renter tenant landlord"
    )
)


def _is_role(what: str) -> bool:
    return is_occupation(what) or what.lower().rsplit(" ", 1)[-1] in _ROLES


_AWAY = re.compile(
    r"^(?:on (?:assignment|secondment|holiday|vacation|leave|(?:maternity|paternity|parental|sick|annual|study) leave|"
    r"tour|duty|call|crutches|a (?:business|work) trip|sabbatical)|off (?:sick|work|duty))\b",
    re.IGNORECASE,
)
_BEFORE_HEAD = wordset("just recently also still really absolutely currently only mostly not never always")
_STATES = wordset("allergic vegan vegetarian single married retired divorced born a into from")
