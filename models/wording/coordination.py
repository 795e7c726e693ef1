"""Where one clause ends and the next begins inside a sentence: coordination, by the words on both sides of a seam.

A seam is a comma, a bracket or a conjunction. It parts two clauses if what follows has a subject of its own ("and I
live…"), a predicate that shares the subject ("and work nights"), or a complement that shares "I am" (", married with
twins"). Lists of objects stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from models.wording.lists import wordset
from models.wording.verbs import AMBIGUOUS, AUXILIARIES, gerund_base, is_adverb, is_base, is_finite, is_past, lemma

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[&%€$£]")
_SAYS = re.compile(r"[^\W_]")
_REACH_CHARACTERS = 90


@dataclass(frozen=True, slots=True)
class _Seam:
    """A possible cut: the words before it in the clause, the conjunction (may be ""), and what follows."""

    left: str
    left_words: list[str]
    joiner: str
    comma: bool
    right: str
    right_words: list[str]


def seams(text: str, start: int, end: int, words: frozenset[str] | None = None) -> Iterator[tuple[int, int]]:
    """The spans of the clauses in the sentence [start, end), trimmed of the seams between them.

    `words`: its words in lower case, letters only, where the caller has them: most sentences have none that joins.
    """
    if words is not None and words.isdisjoint(_JOINERS) and not any(mark in text for mark in ",()&"):
        yield from _piece(text, start, end)
        return
    at = shared = start
    beside = _aside_of(text, start, end)
    for found in _BREAK.finditer(text, start, end):
        if found.start() <= at or found.start() in beside:
            continue
        right = text[found.end() : end]
        mark = found[0]
        joiner = mark.strip(" ,").lower()
        joiner = "and" if joiner in _AND_SHORT else joiner
        left = text[at : found.start()]
        if " " in left.strip() and (_is_remark(text[found.start() : end].lstrip(" ,(")) or _is_remark(right)):
            yield from _piece(text, at, found.start())
            return
        if joiner in _NEVER_PART or not right.strip(" .!?)"):
            continue
        left_words = _words(left)
        own = left_words[:1] in (["my"], ["our"]) or (len(left_words) == 1 and left.lstrip(" ,")[:1].isupper())
        if shared < at and not own and (left_words[:1] in _ARTICLES or not any(_verbal(word) for word in left_words)):
            left = text[shared : found.start()]  # "I'm 34, a dyer near Hull, and …": all share the one "I'm"
            left_words = _words(left)
        else:
            shared = at
        seam = _Seam(left, left_words, joiner, "," in mark, right, _words(right[:_REACH_CHARACTERS]))
        if seam.left_words and seam.right_words and _parts(seam):
            yield from _piece(text, at, found.start())
            at = found.end()
    yield from _piece(text, at, end)


_AND_SHORT = ("n", "nd", "an")
# "My neighbour, Mrs Petersen, is a pharmacist"; "Copperleaf, our project at work, is built with Flutter".
APPOSED = re.compile(
    r"(?P<what>(?:my|our|the) (?:[\w-]+ ){0,3}?[\w-]+|(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2}), (?P<who>"
    r"(?:(?-i:[A-Z])[\w'’.-]+(?: (?-i:[A-Z])[\w'’-]+){0,2})|(?:my|our|the|an?) (?:[\w'’-]+ ){0,5}?[\w'’-]+), "
    r"(?=(?:also |just |still |now |really )?(?P<verb>[a-z]+(?:n['’]t)?)\b)",
    re.IGNORECASE,
)


def _aside_of(text: str, start: int, end: int) -> tuple[int, ...]:
    """Where the two commas stand around what only names the subject once more; none where there is no such thing."""
    if text.count(",", start, end) < 2:
        return ()
    found = APPOSED.match(text, start, end)
    if found is None or not is_apposed(found):
        return ()
    return (found.end("what"), found.end("who"))


def is_apposed(found: re.Match[str]) -> bool:
    """Whether one of both is a name and the other a noun phrase without a verb, and a verb follows."""
    what, who = found["what"], found["who"]
    named = what.split()[0].lower() in _DETERMINERS, who.split()[0].lower() in _DETERMINERS
    inner = [word for word in f"{what} {who}".lower().split() if word in AUXILIARIES]
    told = is_finite(found["verb"]) or is_past(found["verb"])
    return named[0] != named[1] and not inner and told and found["verb"] not in ("and", "or")


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space and separating marks at its edges."""
    while start < end and (text[start].isspace() or text[start] in ",;:-–—•*("):
        if text[start] == "*" and text[start + 1 : start + 2].isalnum() and "*" not in text[start + 1 : end]:
            break  # "*brother" puts a word right; in "* item" and "**bold**" the star says nothing
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;:-–—("):
        end -= 1
    return start, end


def _piece(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start, end = trimmed(text, start, end)
    runs_on = _NEW_SUBJECT.search(text, start, end) is not None
    for found in _RUN_ON.finditer(text, start, end) if runs_on else ():
        before = text[start : found.end()].lower().split()
        said = any(_verbal(word) for word in before)
        if len(before) > 1 and (before[0] in _REMARKS or (len(before) > 2 and said)):
            yield start, found.end() - 1
            start = found.end()
    for at in _told_next(text, start, end) if runs_on else ():
        yield start, at
        start = at + 1
    if _SAYS.search(text, start, end):
        yield start, end


def _told_next(text: str, start: int, end: int) -> Iterator[int]:
    """Where, without any mark, the next thing is told: "i live in leeds i work as a nurse i have two kids"."""
    for found in _TOLD_NEXT.finditer(text, start + 1, end):
        before = _words(text[start : found.start()])
        if len(before) < _TOLD_WORDS_MIN or before[0] in _SUBORDINATORS or not _TELLS_OR_THINKS.isdisjoint(before):
            continue
        if before[-1] in _LEADS_ON and before[-2:-1] not in _OF_A_TIME:
            continue
        if before[-1] not in _MAY_END_CLAUSE and is_finite(before[-1]) and not before[-1].isdigit():
            continue
        if any(_verbal(word) for word in before[:-1]):
            yield found.start()
            start = found.start() + 1


# "My flatmate Bo, who paints and sings": all of it is told of one person, until somebody else is spoken of.
TOLD_OF_KIN = re.compile(
    r"(?:(?:and|but|so) )?(?P<who>(?:my|our) (?:[\w'’-]+ ){0,3}?[\w'’-]+), who (?=[a-z])", re.IGNORECASE
)


_TOLD_WORDS_MIN = 2
_NOT_NEXT = (
    r"(?!(?:a lot|a bit|a few|to|the most|it|that|them|very|so|and|or|but|when|with|in|at|on|for|most|best|about|from|"
    r"every|"
    r"each|daily|often|always|now|here|there|today|more|less|too|again|because|since|as|if|while|during|after|before|"
    r"not|is|"
    r"are|was|were|would|could|will|can|i|we|my|you|by|of|up|out)\b)"
)
_TOLD_NEXT = re.compile(
    r"(?<=\w) (?=(?:(?:i|we) (?:(?:also|just|really|still|currently|now|mostly|never|dont|don['’]t|do not) )*(?:"
    r"(?:am|was|are|were) (?:an?|from|\d\d|born|raised|married|single|divorced|retired|vegan|vegetarian|allergic)\b|"
    rf"(?:have|own|keep|got|drive|play|speak|love|like|hate|enjoy|adore|study|teach|collect) {_NOT_NEXT}[\w'’-]+|"
    r"(?:live|work|study|grew up|was born|moved|volunteer|come|commute) (?:in|at|as|for|on|from|to|with|near) "
    r"(?!(?:in|at|as|for|on|from|to|with|near|and|or|but|now|i|we|my|when|because|well|too)\b)[\w'’-]+)|"
    r"(?:im|i['’]m|we['’]re) (?:also |just |still )*(?:an?|from|\d\d|born|married|single|divorced|retired|vegan|"
    r"vegetarian|"
    r"allergic|based)\b|(?:ive|i['’]ve|we['’]ve) (?:got|an?|two|three|four|five|\d) |"
    r"my (?:[a-z-]+ )?[a-z-]+ (?:is|are|was|works|lives|plays|teaches) (?!not sure|that\b|so\b)|my names? (?:is "
    r")?[a-z]))",
    re.IGNORECASE,
)
# What the next "I" belongs to: "the day I was born", "what I have", "I think I have".
_LEADS_ON = wordset(
    """
    that what which who whom whose where when why how if because and but or so than as like while since after before
    until
    till whenever wherever everything anything something nothing all thing things place places way time times day days
    night
    year moment one ones people person someone somebody anyone everyone whatever once though although unless whether not
    never only every each some any no the a an my our your his her their this these those both in on at to from with
    for of
    by about into over under near around without through between then now ever always also just really do did does am
    are is
    was were be been can could would should will may might must have had has i we you he she it they im i'm reason
    first last
    only more most much many few sure lucky glad sorry happy certain afraid aware positive convinced proud sad cause
    cuz coz bc plus yet even lol yes no yeah ok well hi hello hey
    """
)
_OF_A_TIME = (["last"], ["this"], ["next"])
_TELLS_OR_THINKS = wordset(
    """
    told tell tells said say says think thinks thought know knows knew hope hoped wish believe feel felt guess heard
    hear
    realised realized realise realize noticed mean means remember forget forgot suppose bet swear promise
    """
)
_MAY_END_CLAUSE = wordset("work cook farm walk train play swim run nurse coach box dance drive teach start end")
# What ends a sentence in talk and says nothing of its own: "nice to meet you all", "time flies", "funny huh".
_DEGREES = (
    r"(?:(?:a )?(?:bit|little|tad) (?:of a )?|so |very |really |super |kinda |pretty |quite |rather |too |such a )"
)
_MOOD = (
    r"(?:nervous|excited|scared|stressed|worried|anxious|relieved|embarrassed|overwhelmed|proud|gutted|buzzing|"
    r"thrilled|"
    r"confusing|chaos|chaotic|crazy|mad|funny|weird|hilarious|annoying|exhausting|brutal|hectic|madness|mess|nightmare|"
    r"blast|wild|amazing|great|awesome|fun|tough|rough|hard|lovely|nice|cool|sad|loud|noisy)"
)
_REMARK = re.compile(
    rf"(?:(?:its|it's|it’s|it is|thats|that's|that is|what a) (?:{_DEGREES}|all |just |always |a |an |total |complete |"
    rf"absolute |pure |utter )*{_MOOD}|{_DEGREES}{_MOOD}|"
    r"(?:so )?(?:nice|lovely|great|good|pleased|glad|happy|pleasure) (?:to (?:meet|be here|see|finally|join)|"
    r"meeting)\b.*|"
    r"(?:how )?time flies(?: by)?|who(?:'d| would|d)(?: have|'?ve| of)? (?:thought|thunk|guessed)(?: it| that)?|"
    r"(?:funny|weird|crazy|wild|small world|strange|odd)(?: that| enough| how that works)?,? (?:huh|eh|right|innit|no)|"
    r"go figure|imagine that|small world|lucky me|poor me|long story|who knew|believe it or not|fingers crossed|"
    r"still (?:unpacking|settling in|adjusting|getting used to (?:it|that)|processing(?: it)?|in shock)|"
    r"so yeah|so there(?: you go| you have it)?|so that's that|anyways?|anyway,? (?:back to|where were we)\b.*|"
    r"so no (?!one\b)[\w' -]{2,40}|been (?:at it|doing (?:it|this|that))\b.*|"
    r"(?:please |pls )?(?:be )?careful with\b.*|so (?:please |pls )?(?:be )?careful\b.*|remind me (?:to|of|about)\b.*)"
    r"(?: (?:lol|haha\w*|tbh|ngl|though|tho|now|really|here|huh|eh|rn|i guess|i know))*"
    r"[\s.!?…)]*(?:lol|haha\w*|xd|[:;=][\w()-]+)?$",
    re.IGNORECASE,
)
_REMARK_STARTS = wordset(
    """
    its it's it’s it thats that's that what a bit little so very really super kinda pretty quite rather too such nice
    lovely great good pleased glad happy pleasure how time who who'd whod
    who'd've funny weird crazy wild small strange odd go
    imagine lucky poor long believe fingers still anyway anyways please pls be careful remind
    been
    """
)


def _is_remark(right: str) -> bool:
    """Whether what is left of a sentence only comments on it."""
    first = right.split(None, 1)[0].lower().rstrip(",.!?") if right[:1].isalpha() else ""
    return first in _REMARK_STARTS and _REMARK.match(_SOFT.sub("", right)) is not None


# What has no letters at the end of a sentence: emoji and the like.
_SOFT = re.compile(r"[^\w.!?…)(:;=]+$")
_REMARKS = wordset("that thats that's oh wow doing yes yeah no how")
_NEW_SUBJECT = re.compile(r" (?:i|i'm|im|i've|ive|my|we)\s", re.IGNORECASE)
# Chat without marks: "I feel you I manage a shop", "doing great I like to fish". What may end before the next "I".
_RUN_ON = re.compile(
    r"\b(?:you|fun|too|now|today|that(?: is|'s|s| sounds| must be)(?: so| really| too| very| pretty)? (?:cool|"
    r"awesome|great|nice|good|funny|alright|hectic|sad|crazy|neat|amazing|interesting|bad|tough|rough|hard|sweet|"
    r"wonderful|lovely|exciting|perfect|weird|terrible|beautiful|fantastic|hilarious)) "
    r"(?=(?:i|all i|i'm|im|i've|ive|my|we)\s)|"
    r"\b(?:good|great|cool|nice|fine|here|well|much|haha|okay|same|boring|awesome|outside|there) "
    r"(?=(?:i'm|im|i've|ive|my|we|i (?:am|have|had|do|did|love|like|hate|enjoy|work|live|just|also|was|play|got|used|"
    r"go|went|usually|never|always|can|want|need|read|watch|make|teach|study|manage|own|grew|moved|really|only))\s)",
    re.IGNORECASE,
)


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


_AFTER_COMMA = (
    r"\s*(?:(?:and|but|so|or|yet|then|plus|while|whereas|although|though|because|cause|cuz|coz|bc|since|"
    r"which|who|where|when|as|except|also|even though|and also|but also|and so|and then|so then|with|nd|n|"
    r"an(?= i\b))\b\s*)?"
)
# Each way begins with one of few characters: the search skips from one of these to the next.
_BREAK = re.compile(
    rf"[\s,()](?:(?<=,)(?!(?<=\d,)\d){_AFTER_COMMA}|(?<=[()])\s*|(?<=\s)\s*(?:,{_AFTER_COMMA}|[()]\s*|"
    r"(?:and also|but also|and then|even though|and|but|so|yet(?!\s+(?:but|and)\b)|plus|while|whereas|although|though|"
    r"because|cause|cuz|coz|bc|since|as|&|or|nd|n|an(?= i\b)|(?:btw|by the way)"
    r"(?=\s+(?:i|i['’]?m|i['’]?ve|my|we)\s))\s+))",
    re.IGNORECASE,
)
_JOINERS = wordset(
    "and but even so yet plus while whereas although though because cause cuz coz bc since as or btw way nd n an"
)
_SUBJECTS = wordset(
    """
    i i'm im i've ive i'll i'd we we're we've we'll we'd my our he she he's she's they they're they've it it's
    its his her their you you're this that's there there's there're mine ours you've hers someone everyone
    everybody nobody people these those hes shes theyre thats
    """
)
_SUBORDINATORS = wordset(
    """
    whenever because cause cuz coz since as although though while whereas if when unless after before until that who
    which where whether than
    """
)
_DETERMINERS = wordset(
    """
    a an the my our your his her its their this that these those some any no every each another both many few
    several all most much more two three four five six seven eight nine ten
    """
)
_PREPOSITIONS = wordset(
    """
    in on at to from with for of by about into over under near around after before during since until till
    without through between against like as than up out off down
    """
)
_COMPLEMENT = (
    _DETERMINERS
    | _PREPOSITIONS
    | wordset(
        """
    it them him me us myself not never always full part mostly really very too here there home abroad nights
    days weekends every shifts remotely hard well often alone together lots a lot one two
    """
    )
)
_STATES = wordset(
    """
    married unmarried single divorced engaged widowed retired vegan vegetarian pregnant allergic unemployed originally
    born based currently gay straight bisexual lesbian trans nonbinary deaf blind diabetic disabled dyslexic
    left-handed right-handed half living working studying father mother mom mum dad parent male female freelance
    self-employed lactose gluten celiac coeliac asthmatic autistic epileptic colourblind colorblind scared
    afraid terrified interested passionate obsessed fluent lucky proud pescatarian teetotal sober catholic
    muslim jewish christian hindu buddhist atheist
    """
)
_SHORT_ANSWERS = wordset(
    """
    yes yeah yep yup no nope nah sure oh well right correct exactly indeed
    """
)
_ECHOES = wordset(
    """
    i'm not do don't am have haven't did didn't can can't was wasn't does doesn't is isn't are aren't will won't
    would wouldn't dont cant didnt
    """
)
_BE_AFTER_NOUN = wordset(
    """
    is are was were isn't aren't has doesn't can't
    """
)
_GOVERNS_BASE = wordset(
    """
    can can't cannot will would could i'll i'd let help should must might may don't dont didn't
    """
)
_ARTICLES = (["a"], ["an"])
_COPULAS = re.compile(r"\b(?:i am|i'm|im|i was|we are|we're|he is|she is|he's|she's|they are|they're)\b", re.IGNORECASE)
_FRONTED = re.compile(
    r"^(?:in|on|at|for|during|after|before|by|outside|besides|these days|nowadays|most|every|each|when not|"
    r"as a|as an|back|side by side|on the side|alongside|meanwhile|apart from|aside from|other than)\b[^,]{0,40}?"
    r"\b(?:i|we|my)\b",
    re.IGNORECASE,
)


_GOVERNS_NOUN = _PREPOSITIONS | {"between", "both", "than", "that"}

_RELATIVES = wordset("which who whom whose where that when")
_NEVER_PART = _RELATIVES | {"with"}
_NEEDS_SUBJECT = frozenset(
    (
        "so",
        "yet",
        "as",
        "since",
        "because",
        "cause",
        "bc",
        "cuz",
        "coz",
        "while",
        "though",
        "although",
        "even though",
        "whereas",
        "or",
        "btw",
        "by the way",
    )
)
_POSSESSED = wordset("my our his her their its that's mine")
_POINTING = wordset("this these those people it you")
_THIRD_AFTER_NAME = wordset("is has lives works likes loves was isn't wants can't doesn't")
_THIRD_BE = wordset("is are was were has have")
_OPENS_PREDICATE = wordset(
    "don't dont can't cant never not no please always keep what how do does can could is are any would which"
)
# "…, and address me as Doc": orders that say "me" right after their verb.
_TOLD_ME = wordset(
    "call address give send tell show remind ask email text message notify spare warn refer ring phone ping sue drop"
)
_OPENS_WISH = wordset("no call ask nothing none skip avoid")
_OPENS_ORDER = wordset("don't dont never always please do")


def _parts(seam: _Seam) -> bool:
    first = seam.right_words[0]
    if first in _SAYS_WHAT and _WHAT_PLACE.match(seam.right):
        return False
    if seam.joiner in ("(", ")"):
        return first in _SUBJECTS and len(seam.right_words) > 1
    if _opens_question(seam) or _opens_consequence(seam):
        return True
    if first in _RELATIVES or seam.joiner in _NEVER_PART:
        return False
    if " who " in seam.left and first not in _NOMINATIVES and TOLD_OF_KIN.match(seam.left):
        return False
    if _opens_full_clause(seam) or _opens_order(seam):
        return True
    if seam.joiner in _NEEDS_SUBJECT:
        return False
    if seam.left_words[0] in _SUBORDINATORS and seam.joiner != "but":
        return False
    return _shares_subject(seam)


# "I live in Barranco, that's a district of Lima": says where the place is.
_SAYS_WHAT = wordset("that that's thats it it's its which")
_WHAT_PLACE = re.compile(
    r"(?:that|it|which)(?: is|['’]?s) (?:(?:actually|just|basically) )?(?:an?|the|one of the) (?:[\w-]+ "
    r"){0,2}?(?:neighbou?rhood|suburb|"
    r"district|part|town|city|village|hamlet|area|borough|quarter|region|island|municipality)s? (?:of|in|near|"
    r"outside|on) ",
    re.IGNORECASE,
)
_ORDERED = wordset(
    """
    answer reply respond keep give use call address tell write speak explain send remind email text message ping show
    list format skip avoid treat assume put make stop stick translate summarise summarize convert ask add include
    quote cite check let hold spare bear forgive excuse ignore drop pretend pick choose suggest recommend
    """
)
_BEFORE_ORDER = wordset("please pls kindly just only always never then don't dont do not")
_ORDERS_SURELY = wordset("please pls kindly never don't dont do")
_NO_CLAUSE_BEFORE_SO = wordset("i'm im am is are was do think hope said say and or if not")


_ASKING = wordset(
    "which where what what's where's how's when how who why should can could do does is are would will any"
)


def _opens_question(seam: _Seam) -> bool:
    """What is asked for a reason: "I'm coeliac, so which of these can I eat?"."""
    right = seam.right_words
    if seam.joiner != "so" or right[0] not in _ASKING or seam.left_words[-1] in _NO_CLAUSE_BEFORE_SO:
        return False
    return len(right) > 2 and any(_verbal(word) for word in seam.left_words)


_NO_CONSEQUENCE = wordset("that far much many to i we my our")


def _opens_consequence(seam: _Seam) -> bool:
    """What follows from what is told, with a verb of its own: "I'm a coder, so sitting all day is normal"."""
    right = seam.right_words
    if seam.joiner != "so" or not seam.comma or right[0] in _NO_CONSEQUENCE or not right[0].isalpha():
        return False
    told = any(_verbal(word) for word in seam.left_words)
    return told and any(word in _BE_AFTER_NOUN or word.endswith("n't") for word in right[1:9])


def _opens_order(seam: _Seam) -> bool:
    """What the other is told to do: "I'm on a boat, so keep it short", "I'm Bo, never email me after nine"."""
    right = seam.right_words
    told = seam.comma and right[0] in _TOLD_ME and right[1:2] == ["me"] and seam.left_words[0] not in _SUBORDINATORS
    if told and _FRAME.match(seam.left) is None and any(map(_verbal, seam.left_words)):
        return True
    if seam.joiner not in ("", "so", "and"):
        return False
    at = 0
    while at < len(right) - 2 and right[at] in _BEFORE_ORDER:
        at += 1
    if right[at] not in _ORDERED or len(right) < at + 2:
        return False
    if seam.joiner == "so":
        return seam.left_words[-1] not in _NO_CLAUSE_BEFORE_SO
    return right[0] in _ORDERS_SURELY and any(word in ("me", "us", "my") for word in right[at + 1 : at + 6])


_NOMINATIVES = wordset("i i'm im i've i'll i'd we we're we've he she they he's she's they're")
_NAMING = ("name", "names", "name's")


def _opens_full_clause(seam: _Seam) -> bool:
    """A subject and something after it: "and I live", ", my rent", "but these days I'm", "and Emma works"."""
    right = seam.right_words
    first = _first_of_substance(right)
    word = right[first]
    if seam.joiner in ("as", "or") and not (len(right) > 1 and word in ("i", "i'm", "my", "we")):
        return False
    if seam.joiner in ("and", "but", "", "&") and seam.left_words[-1] in _GOVERNS_NOUN and word not in _NOMINATIVES:
        return False
    if seam.joiner == "since" and right[:2] in (["i", "was"], ["we", "were"]):
        return False
    if seam.joiner == "as" and "as" in seam.left_words[-3:]:
        return False
    if seam.comma and right[1:3] == ["and", "i"] and seam.right[:1].isupper():
        return True
    if seam.comma and word in _KINS_NAMED and any(each in BE_FORMS for each in right[2:4]):
        return True
    if word in _SUBJECTS:
        return _has_verb(seam, first) and not _answers(seam, first) and not _subject_pair(seam)
    inverted = word in AUXILIARIES and right[first + 1 : first + 2] and right[first + 1] in _SUBJECTS
    if _FRONTED.match(seam.right) or inverted:
        return True
    if seam.right[:1].isupper() and len(right) > 2 and seam.joiner in ("and", "but", "so", "", "while", "whereas"):
        return any(word in _THIRD_AFTER_NAME for word in right[1:3]) or (seam.comma and _is_third_person(right[1]))
    if word == "please" and len(right) > 2:
        return _FRAME.match(seam.left) is None
    if seam.joiner in ("and", "but", "so") and _noun_and_be(right, first):
        return not _subject_pair(seam)
    if (seam.joiner == "so" and word in _OPENS_WISH) or (word == "let" and right[first + 1 :][:1] == ["me"]):
        return len(right) > 1
    if word in ("the", "a", "an") and (
        (seam.comma and seam.joiner == "") or seam.joiner == "so" or (word == "the" and _the_project_does(seam))
    ):
        return _noun_and_verb(right) and any(_verbal(each) for each in seam.left_words)
    if seam.joiner and word in ("the", "a", "one", "both", "most", "some", "all", "what", "there's"):
        return any(word in _THIRD_BE for word in right[1 : 8 if seam.joiner == "plus" else 5]) and not _subject_pair(
            seam
        )
    if seam.joiner == "and" and seam.left_words[0] not in _SUBJECTS:
        if word in _OPENS_ORDER:
            return len(right) > 1
        if right[first + 1 : first + 2] == ["me"] and _subjectless(seam.left_words):
            return word in _TOLD_ME
    return seam.joiner in ("", "but") and word in _OPENS_PREDICATE and len(right) > 1


_DATED_VERBS = wordset("launches ships goes opens starts ends closes comes lands")


def _the_project_does(seam: _Seam) -> bool:
    """ "… and the beta launches in May": after "and", a verb that no list of things has."""
    return seam.joiner in ("and", "but") and not _DATED_VERBS.isdisjoint(seam.right_words[1:5])


def _subjectless(words: list[str]) -> bool:
    """Whether nobody is named in the words as the one who does something."""
    return _SUBJECTS.isdisjoint(words)


# What says when an order holds, and is no clause of its own: "in future, please …", "when you quote prices, please …".
_FRAME = re.compile(
    r"\W*(?:(?:and|so|ok|okay|also|hey|hi),? )?(?:(?:from (?:now|here|today) on(?:wards)?|"
    r"in (?:the )?future|going forward|"
    r"henceforth|next time|by default|as a rule|at all times)\W*$|(?:when|whenever|each time|every time|"
    r"before|after) )",
    re.IGNORECASE,
)


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and is_finite(word) and lemma(word) != word


# Verbs that say, after ", the NOUN", that a sentence of its own has begun; others may be nouns of a list.
_SPLICED_VERBS = wordset(
    """
    is are was were has isn't aren't wasn't can can't will won't doesn't didn't taught
    told gave suits starts ends closes launches ships
    left came went took began ran fell brought stood opens costs needs goes comes keeps says said wants gets means
    makes helps died broke called lets
    let doubled showed asked helped moved
    """
)
_NOT_BETWEEN = wordset("i we you he she it they that which who where when and or my")


def _noun_and_verb(right: list[str]) -> bool:
    """ "The class is on Wednesdays": an article, its noun, and a verb that nothing else is the subject of."""
    for index, word in enumerate(right[:9]):
        if word in _NOT_BETWEEN:
            return False
        if index > 1 and word in _SPLICED_VERBS:
            return True
    return False


_CRIES = wordset("yes no yeah well the then man boy god gosh dude mate bro jeez phew wow omg lol hey oh fyi btw")


def _first_of_substance(right: list[str]) -> int:
    """The index of the first word that is no adverb or interjection before a subject."""
    first = 0
    while first < len(right) - 1 and (
        is_adverb(right[first]) or (right[first] in _CRIES and not _SUBJECTS.isdisjoint(right[first + 1 : first + 3]))
    ):
        first += 1
    return first


# ", my name's Rob", ", dad's name is Samir"
_NOUNS_IS = wordset("name's job's birthday's hobby's surname's age's")
_KINS_NAMED = wordset(
    "mum's mom's dad's wife's husband's sister's brother's son's daughter's nan's gran's grandma's grandpa's mother's "
    "father's"
)
BE_FORMS = wordset("is are was were")
_SUBJECT_END = re.compile(r"[,;()]")


def _has_verb(seam: _Seam, first: int) -> bool:
    right, word = seam.right_words, seam.right_words[first]
    if word in _POSSESSED:
        if right[first + 1 : first + 2] and right[first + 1] in _NOUNS_IS:
            return len(right) > first + 2
        here = len(_words(_SUBJECT_END.split(seam.right, maxsplit=1)[0]))
        following = right[first + 2 : first + 10] or right[first + 1 :]
        if first + 1 < here < len(right) and right[here] in _SUBJECTS:
            following = right[first + 2 : here]
        if any((is_past(each) or each in _PUT) and after in _COMPLEMENT for each, after in pairwise(following)):
            return True
        return any(_verbal(each) or each.endswith("'s") for each in following)
    if word in _POINTING:
        return any(_verbal(each) for each in right[first + 1 : first + 4])
    return len(right) > first + 1 or "'" in word or word == "im"


def _answers(seam: _Seam, first: int) -> bool:
    """ "No, I'm not" is one answer, not two clauses."""
    return (
        len(seam.right_words) - first <= 3
        and len(seam.left_words) <= 2
        and seam.left_words[0] in _SHORT_ANSWERS
        and seam.right_words[-1] in _ECHOES
    )


def _noun_and_be(right: list[str], first: int) -> bool:
    """ "geography is not my strong suit": a bare noun and its verb."""
    word = right[first]
    return len(right) > first + 2 and right[first + 1] in _BE_AFTER_NOUN and word not in _PREPOSITIONS | _DETERMINERS


def _subject_pair(seam: _Seam) -> bool:
    """Whether the left side is only the first half of a subject, as in "my wife and my sister live…"."""
    joined = seam.joiner in ("and", "&", "or") and len(seam.left_words) <= 4
    if seam.left_words[0] in _NAMING or seam.left_words[1:2] == ["names"]:
        return False
    return joined and not any(_verbal(word) for word in seam.left_words)


_PUT = wordset("put set let cut")
_VERBAL = wordset("i'm im i've ive we're we've he's she's it's they're don't can't")


def _verbal(word: str) -> bool:
    return word in _VERBAL or is_finite(word) or word.endswith("n't")


_TIMES = wordset("once twice")
# "We took in a cat and named her Olive".
_GIVES_NAME = wordset("named called christened dubbed")
_NAMED_WHOM = wordset("it him her them")
_SHARED_NEGATION = wordset("not never don't dont can't cant didn't won't am was have had do did cannot")


def _shares_subject(seam: _Seam) -> bool:
    """A predicate without its subject: "and work nights", ", married with twins", "but don't drink"."""
    right, left_words = seam.right_words, seam.left_words
    if seam.right[:1].isupper() and seam.joiner and seam.left[-1:].islower() and not seam.left.isupper():
        return False
    if right[0] in _TIMES and right[1:2] in (["a"], ["per"], ["an"]):
        return False  # ", twice a week"
    first = 0
    while first < len(right) - 1 and is_adverb(right[first]) and right[first] not in ("not", "never"):
        first += 1
    word, following = right[first], right[first + 1 : first + 3]
    verb_at = next((index for index, each in enumerate(left_words) if _verbal(each)), None)
    if verb_at is None:
        return False
    if word in _GIVES_NAME and following[:1] and following[0] in _NAMED_WHOM:
        return True
    if word in _SHARED_NEGATION and seam.joiner != "or":
        return seam.joiner in ("but", "and", "") and bool(following)
    if verb_at == len(left_words) - 1 and seam.joiner in ("and", "or"):
        return False
    if _copular_list(seam, word, following):
        return True
    if word in _ATTITUDES and following and seam.joiner in ("but", "and") and not _ATTITUDES.isdisjoint(left_words):
        return following[0].endswith("ing") or not _infinitive(left_words)
    if word == "been" and seam.comma and seam.joiner == "":
        return bool(following)
    if _infinitive(left_words) or word.endswith("ing"):
        return False
    return _finite_verb(word, following, left_words)


_ATTITUDES = wordset("like love hate enjoy prefer dislike adore loathe detest")
_AGE_DIGITS = 2
_PROGRESSIVES = wordset("living working studying looking planning learning raising training")
_ENDS = wordset("until till til through")
_NOT_A_ROLE = wordset("with by at")


def _copular_list(seam: _Seam, word: str, following: list[str]) -> bool:
    """ "I'm 34, married with twins, a nurse": each complement of "I am" is a clause of its own."""
    if seam.joiner not in ("", "and", "but") or not _COPULAS.search(seam.left):
        return False
    if word in _STATES or (word.isdigit() and (not following or following[0] in ("years", "and"))):
        return True
    if word.isdigit() and seam.right.lstrip()[len(word) :][:1] == "," and not seam.left_words[-1][-1].isdigit():
        return len(word) == _AGE_DIGITS
    if word == "type" and following[:1] in (["1"], ["2"], ["one"], ["two"]):
        return True
    if word in ("a", "an", "from", "in", "into"):
        if word == "in" and not _ENDS.isdisjoint(seam.left_words):
            return False  # "I'm abroad till May, in Crete"
        complement = seam.left[_last_copula(seam.left) :].split()
        if not complement:
            return False
        if word in ("a", "an") and complement[-1][:1].isupper() and following[1:2] in (["of"], ["in"], ["near"]):
            return False
        return not (word in ("a", "an") and complement[0].lower() in _NOT_A_ROLE)
    return bool(following) and (word in _PROGRESSIVES or (seam.joiner == "" and _lists_deeds(seam, word, following)))


_OPENS_LIKING = re.compile(r"\b(?:into|of|in|on|at|about|with|like|such|to|[a-z]+ing)\b")


def _lists_deeds(seam: _Seam, word: str, following: list[str]) -> bool:
    """ "I'm 27, unmarried, doing an apprenticeship": no list of what one is into."""
    complement = seam.left[_last_copula(seam.left) :].lower()
    return (
        following[0] not in ("and", "or", "but")
        and gerund_base(word) is not None
        and _OPENS_LIKING.search(complement) is None
    )


def _last_copula(left: str) -> int:
    end = 0
    for found in _COPULAS.finditer(left):
        end = found.end()
    return end


def _infinitive(left_words: list[str]) -> bool:
    """Whether the left side ends in an infinitive the right side may continue: "I like to read and write"."""
    return any(word == "to" and is_base(following) for word, following in pairwise(left_words)) or any(
        word in _GOVERNS_BASE for word in left_words
    )


_PAST_PREDICATES = wordset("used grew moved got was had went studied graduated worked lived started came made")


def _finite_verb(word: str, following: list[str], left_words: list[str]) -> bool:
    if "project" in left_words[:3] and word.endswith("s") and following[:1] == ["on"]:
        return True  # "… and ships on May 3"
    if not is_finite(word) or (word in AUXILIARIES and not following):
        return False
    if is_past(word):
        return word in _PAST_PREDICATES or any(is_past(each) for each in left_words)
    if lemma(word) != word:
        owned = left_words[0] in _OWNED_SUBJECTS
        return owned and word.endswith("s") and bool(following)
    if word in AMBIGUOUS:
        return bool(following) and following[0] in _COMPLEMENT
    return bool(following) or word not in ("like", "love")


_OWNED_SUBJECTS = wordset("my our he she it his her he's she's it's")
