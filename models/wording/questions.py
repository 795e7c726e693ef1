"""Questions to the user as first-person sentences: what a yes affirms, a no denies, and a short answer fills (X3)."""

from __future__ import annotations

import re
from functools import lru_cache

from models.wording.lexicon import is_occupation
from models.wording.lists import wordset
from models.wording.spelling import stripped
from models.wording.verbs import (
    AMBIGUOUS,
    COMMON,
    is_adverb,
    is_base,
    is_common_noun,
    is_finite,
    is_past,
    lemma,
    past_form,
)

_AUX = r"(?:do|does|did|are|is|was|were|have|has|can|could|would|will|should)"
_SWAP = {
    "you are": "I am", "are you": "am I", "you were": "I was", "your": "my", "yours": "mine",
    "yourself": "myself", "you": "I",
}  # fmt: skip
_SWAPPED = re.compile(r"\b(?:you are|you were|yourself|yours|your|you)\b", re.IGNORECASE)
_OBJECT_YOU = re.compile(
    r"\b(to|for|with|of|about|from|at|by|on|like|tell|told|give|gave|make|makes|call|bother|bothers|help|helps|"
    r"suit|suits)\s+you\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:and|so|but|oh|well|then|ok|okay|great|nice|cool|wow|hi|hello|hey|lol|haha|ah|aw+|yes|yeah|yea|yep|no|"
    r"true|"
    r"awesome|i see|me too|same here|by chance|also|by the way|now|just to (?:check|"
    r"confirm)|to confirm|let me (?:check|guess)|am i right that|is it (?:true|correct|right) that|"
    r"did you say(?: that)?|it (?:sounds|seems|looks) like|sounds like|i (?:think|believe|see|guess|take it|"
    r"assume|understand|hear|heard|remember|bet|know|(?:am|was) sure)(?: that)?|[a-z][a-z ,]{2,30}:|you (?:said|"
    r"mentioned|told me)(?: that)?|"
    r"do you mean(?: that)?|does that mean(?: that)?|(?:may|can|could|might) i (?:just )?ask(?: you)?|"
    r"(?:could|can|would|will) you (?:please )?tell me|(?:do|would) you mind (?:if i ask|telling me|me asking)|"
    r"(?:i )?mind (?:if i ask|me asking|telling me)|(?:i am |i was )?(?:just )?(?:curious|wondering)(?: about)?|"
    r"i (?:would|should) (?:like|love) to (?:know|ask)|i wonder(?:ed)?|do tell(?: me)?|remind me|"
    r"tell me|if i may ask|out of curiosity|interesting|sure)[\s,.!:]+)+",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"[\s,]+(?:right|correct|don't you|aren't you|do not you|are not you|is that right|is that correct|yes|no|"
    r"huh|then|by any chance|by chance|at all|too|as well|these days|nowadays|currently|yourself|or not|"
    r"already|yet|now)+$",
    re.IGNORECASE,
)


def _to_first(text: str) -> str:
    text = _OBJECT_YOU.sub(lambda found: f"{found[1]} me", text)
    return _SWAPPED.sub(lambda found: _SWAP[found[0].lower()], text)


# Questions about the talk itself ("do you want me to go on?") say nothing of the user when answered.
_ABOUT_THE_TALK = re.compile(
    r"^(?:know|think|mind|agree|see|mean|remember|understand|(?:want|need|like|prefer) (?:me|us))\b", re.IGNORECASE
)


@lru_cache(maxsize=64)
def _core(question: str) -> str:
    """A question without what leads to it and the tag at its end; each clause of an answer comes back for it."""
    return _TAG.sub("", _LEAD.sub("", question))


_ASKS_YOU = re.compile(
    rf"^({_AUX})(n't| not)? (you(?:r (?:[\w'-]+ ){{1,4}}?(?=is|are|\w+ing\b|\w+\b))?)\s*(.*)$", re.IGNORECASE
)


@lru_cache(maxsize=64)
def statement(question: str) -> str | None:
    """A yes-no question or a statement about the user as a first-person statement: "Are you a vet" → "I am a vet"."""
    bare = _core(question).strip(" ,")
    bare = _TAG.sub("", bare)
    found = _ASKS_YOU.match(bare)
    if found and found[3].lower() == "you":
        aux, rest = found[1].lower(), _to_first(found[4])
        rest = re.sub(r"^(?:ever|also|still|really|actually|already|happen to|currently)\s+", "", rest)
        asks_favour = aux in ("could", "would", "will", "should") or (aux == "can" and "me" in rest.split())
        if _ABOUT_THE_TALK.match(rest) or asks_favour or rest.startswith("please "):
            return None
        aux = {"are": "am", "were": "was", "is": "am", "has": "have"}.get(aux, aux)
        if aux in ("do", "does"):
            return f"I {rest}" if rest else None
        if aux == "did":
            return _did(rest) if rest else None
        return f"I {aux} {rest}" if rest else None
    found = re.match(r"^(is|are|was|does|do|has) (your .+)$", bare, re.IGNORECASE)
    if found:
        return _of_owned_thing(found[1].lower(), _to_first(found[2]))
    found = re.match(
        r"^ever (been|had|tried|seen|read|played|done|lived|gone|visited|owned)\b\s*(.*)$", bare, re.IGNORECASE
    )
    if found:
        return f"I have {found[1].lower()} {_to_first(found[2])}".strip()
    found = re.match(r"^(?:any|got any|got|have you got any|have you got)\s+(.+)$", bare, re.IGNORECASE)
    if found:
        return f"I have {found[1]}"
    if re.match(
        r"^(?:you|your)\b(?! (?:can|could|would|should|will|may|might|must|want me|need to|have to|mean)\b)",
        bare,
        re.IGNORECASE,
    ):
        said = _to_first(bare)
        word = said.split()[1].lower() if said.startswith("I ") and len(said.split()) > 1 else ""
        stands = not word or is_finite(word) or is_adverb(word) or is_past(word)
        return said if stands and word not in ("married", "engaged", "divorced", "retired") else f"I am {said[2:]}"
    return None


def _did(rest: str) -> str:
    """ "Always want to teach", which one did → "I always wanted to teach"."""
    words = rest.split()
    at = next((index for index, word in enumerate(words) if not is_adverb(word)), 0)
    return " ".join(["I", *words[:at], past_form(words[at].lower()), *words[at + 1 :]])


def _of_owned_thing(aux: str, words: str) -> str | None:
    parts = words.split()
    for index in range(2, len(parts)):
        if aux in ("do", "does") and is_finite(parts[index]):
            return f"{' '.join(parts[:index])} {aux} {' '.join(parts[index:])}"
        if aux in ("is", "are", "was", "has") and (index >= 2):
            return f"{' '.join(parts[:index])} {aux} {' '.join(parts[index:])}"
    return None


def negate(statement: str) -> str | None:
    """The negation of a first-person statement: "I like jazz" → "I do not like jazz"."""
    found = re.match(
        r"^(I|we|my .+?) (am|was|is|are|were|have been|have (?=\w+(?:ed|en)\b)|can|could|will|would|should|did) ?(.*)$",
        statement,
    )
    past = None if found else re.match(r"^(I|we) ((?:[a-z]+ly |always |ever )?)([a-z]+)(.*)$", statement)
    if past and is_past(past[3]):
        return f"{past[1]} did not {lemma(past[3])}{past[4]}"
    if found:
        verb = found[2].strip()
        if verb == "have been":
            return f"{found[1]} have never been {found[3]}"
        if verb == "have":
            return f"{found[1]} have never {found[3]}"
        return f"{found[1]} {verb} not {found[3]}"
    found = re.match(r"^(I|we) (.+)$", statement)
    return f"{found[1]} do not {found[2]}" if found else None


_HOW_MANY = re.compile(
    r"^how many (?P<what>[\w -]+?) (?:(?:do|did) you (?:(?:have|got|own|keep)\b.*|(?P<does>[a-z]+)(?P<rest>(?: .+)?))|"
    r"have you (?:got\b)?.*)$",
    re.IGNORECASE,
)
_WH = re.compile(
    rf"^(?P<prep>in|at|on|for|to|from|with|by)?\s*(?P<wh>what|which|where|who|whom|when|how|why|what's|where's|"
    rf"who's|when's)\s*(?P<noun>(?:kinds? of |sorts? of |"
    rf"types? of )?[\w' -]*?)\s*\b(?P<aux>{_AUX})\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_ANSWER_LEAD = re.compile(
    r"^(?:(?:um|uh|well|oh|hmm|so|haha|mostly|mainly|probably|just|definitely|i guess|i think|i would say|"
    r"i'd say|(?:it's|it is|that's|that is|that would be)(?= (?:a|an|my|the|called|[A-Z0-9]))|at the moment|"
    r"currently|right now|usually|for now|actually|honestly|originally|personally)[\s,]+)+",
    re.IGNORECASE,
)
_ANSWER_TAIL = re.compile(
    r"[\s,]+(?:always|mostly|usually|definitely|for sure|actually|mainly|every time|"
    r"sadly|unfortunately|luckily|badly|admittedly|obviously|of course|all the way|any day|myself|(?<=\d )here)$",
    re.IGNORECASE,
)
_TAIL_ENDS = ("ly", "self", "always", "for sure", "every time", "of course", "all the way", "any day", "here")
_VAGUE = re.compile(
    r"^(?:not sure|no idea|idk|i do not know|i don't know|nothing|none|nobody|nowhere|anything|everything|"
    r"whatever|maybe|it depends|depends|lots|a lot|many|all of them|both|good|fine|great|ok|okay|thanks|"
    r"thank you|hi|hello|bye|cool|nice|sure|sorry|what|why|how|lol|haha|hm|hmm|wow|really|not much|"
    r"nothing much|someone|somebody|guess|you|yes|no|same|never mind|pass|let me think|good question|who knows|"
    r"not|dunno)\b",
    re.IGNORECASE,
)


def _lowered(answer: str) -> str:
    """An answer as it stands mid-sentence: its first word loses the capital unless it is a name."""
    first = answer.split(" ", 1)[0].strip(",")
    if first in ("I", "I'm") or first.isupper() or not (first.lower() in _DETERMINERS or is_common_noun(first)):
        return f"a{answer[1:]}" if answer[:2] == "A " else answer
    return answer[:1].lower() + answer[1:]


_DETERMINERS = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "one",
        "some",
        "just",
        "about",
        "only",
        "in",
        "at",
        "on",
        "from",
        "for",
        "with",
        "as",
        "to",
        "none",
        "several",
        "both",
        "mostly",
    ]
)


_OWN_SENTENCE = re.compile(
    r"^(?:i|we|my|our|you|it|he|she|they|do|what|where|how|why|when|can|is|are)\b|"
    r"\b(?:is|are|was|were|am|do|does|did|have|has|had|can|will|would|should)\b|\b(?:i|we) [a-z]",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:city|town|country|place|state|name|band|movie|film|book|team|company|school|university)\b", re.IGNORECASE
)
_ANSWER_WORDS_MAX = 12
_ASKS_PASTIME = re.compile(
    r"^what do you (?:usually |like to |normally )*do (?:for fun|(?:in|with) your|to (?:relax|unwind)|on|at|when|"
    r"outside|after)\b",
    re.IGNORECASE,
)
_ASKS_WAY = re.compile(
    r"^how do you (?:usually |normally )?(?:get|travel|commute|relax|unwind|keep|stay)\b", re.IGNORECASE
)
_FAVOUR = re.compile(r"\b(?:me|us) to\b", re.IGNORECASE)
_HOPES = re.compile(r"\b(?:to|do|doing|planning|hoping|enjoy|like|prefer|rather)$", re.IGNORECASE)
_DEED_DONE = re.compile(
    r"^(?:(?:just|also|once|recently|finally|actually|already|even) )*(?P<verb>[a-z]+) (?:to|a|an|the|my|some|in|at|"
    r"for|with|up|out|back|off|about|[A-Z\d].*)(?: |$)"
)
_NO_DEED = wordset(
    """
    retired married divorced engaged based called named born raised used tired bored interested allergic made mixed
    fried baked boiled grilled roasted smoked stuffed pickled left lost broken supposed
    """
)
_OBJECTS = wordset("us me them it him her")


def _tells(answer: str, words: list[str]) -> bool:
    """Whether the answer has a verb of its own: "moved to Leeds", "used to play", "Sunita serves us"."""
    if len(words) < 2:
        return False
    if words[0].lower() == "born" or (words[0].lower() == "used" and words[1] == "to"):
        return True
    done = _DEED_DONE.match(f"{answer[:1].lower()}{answer[1:]}")
    if done and is_past(done["verb"]) and done["verb"] not in _NO_DEED:
        return True
    return len(words) > 2 and words[2].lower() in _OBJECTS and words[1].endswith("s") and lemma(words[1]) in COMMON


def _takes_complement(words: list[str]) -> bool:
    """Whether a verb in its base form leads: "drive a van for a bakery", not "drive" or "travel and books"."""
    head = words[0].lower()
    takes = len(words) > 1 and head in COMMON and (head not in AMBIGUOUS or words[1].lower() in _TAKES)
    return takes and not is_past(head)


# Pasts that are no participles: where one stands, the answer has a sentence of its own.
_HAPPENED = frozenset(
    ("fell", "went", "came", "took", "ate", "ran", "broke", "drove", "gave", "knew", "saw", "wrote", "blew")
)


def filled(question: str, answer: str) -> str | None:
    """The question's gap filled with a short answer that has no sentence of its own, or None."""
    answer = _ANSWER_LEAD.sub("", stripped(answer))
    if answer.lower().endswith(_TAIL_ENDS):
        answer = _ANSWER_TAIL.sub("", answer)
    answer = answer.strip(" ,.!")
    words = answer.split()
    if not answer or len(words) > _ANSWER_WORDS_MAX or _VAGUE.match(answer) or _OWN_SENTENCE.search(answer):
        return None
    if len(words) > 3 and not _HAPPENED.isdisjoint(words):
        return None
    if _tells(answer, words) or (len(words) > 1 and is_past(words[0]) and lemma(words[0]) in question.lower().split()):
        return None
    question = _asked_directly(_WHERE_YOU.sub(r"\1 are you", _core(question).strip()))
    deed, pastime = _takes_complement(words), _ASKS_PASTIME.match(question)
    if deed and (pastime or _ASKS_JOB.match(question) or _ASKS_WAY.match(question)):
        return f"I {_lowered(answer)}"
    if pastime:
        question = "what do you like to do"
        if len(words) > 1 and words[0].lower() in AMBIGUOUS:
            return None
    question = _WHAT_ELSE.sub("what do you like to ", question)
    if "'s" in question.lower():
        question = _WH_S.sub(r"\1 is", question)
    many = _HOW_MANY.match(question)
    if many:
        counted = len(words) > 1 and words[-1].rstrip("s") in many["what"]
        does, rest = many["does"] or "have", many["rest"] or ""
        return f"I {does} {_lowered(answer)}" + ("" if counted else f" {many['what']}") + rest
    if question.lower().startswith("how old are you"):
        return f"I am {answer}"
    if _ASKS_JOB.match(question):
        return _job(answer)
    named = _ASKS_NAME.match(question)
    if named:
        return _named(question, (named[1] or named[2] or "").removeprefix("your ").strip(), answer)
    favourite = _FAVOURITE.match(question)
    if favourite:
        return f"my {favourite[1].lower()} is {_lowered(answer)}"
    yes_no = statement(question)
    if yes_no:
        return _alternative(yes_no, _lowered(answer))
    found = _WH.match(question)
    if not found:
        return None
    if answer.split(" ", 1)[0] in _PLACING:
        answer = f"{answer[:1].lower()}{answer[1:]}"
    keeps_capital = found["wh"].lower() == "where" or _NAMING.search(found["noun"])
    return _gap(found, answer if keeps_capital else _lowered(answer))


_INDIRECT = re.compile(
    r"^(?P<wh>(?:(?:in|at|on|for|to|from|with) )?(?:what|which|where|who|when|how (?:many|long|often|much|old))"
    r"(?: (?!(?:you|your|do|does|did|is|are|was|were|am|have|has|had|can|could|would|will|should|"
    r"might)\b)[\w'-]+){0,4}?) (?P<who>you|your (?:[\w'-]+ ){1,3}?)"
    r"(?P<rest>(?<=you) .+|(?:is|are|was|were)\b.*)$",
    re.IGNORECASE,
)


def _asked_directly(question: str) -> str:
    """The question inside "may I ask which language you speak?": "which language do you speak"."""
    found = _INDIRECT.match(question)
    if found is None:
        return question
    who, rest = found["who"].strip(), found["rest"].strip()
    verb, _, others = rest.partition(" ")
    if verb.lower() in ("are", "were", "is", "was", "have", "can", "will"):
        return f"{found['wh']} {verb} {who} {others}".strip()
    if who.lower() != "you" or not (is_finite(verb) or is_base(verb) or is_adverb(verb)):
        return question
    if is_past(verb) and lemma(verb) != verb:
        return f"{found['wh']} did you {lemma(verb)} {others}".strip()
    return f"{found['wh']} do you {rest}"


_PLACING = frozenset(("In", "At", "On", "From", "Near", "To", "With", "For", "Just", "Outside", "By"))
_WHERE_YOU = re.compile(r"^(where(?: exactly)?) (?:you|are ya|u)(?= (?:from|at|based|located)\b)", re.IGNORECASE)
_WHAT_ELSE = re.compile(
    r"^what(?: (?:else|other things) do (?:you )?(?:usually |normally )?|(?: else)? do (?:usually |"
    r"normally )?)(?:like to )?(?=do\b)",
    re.IGNORECASE,
)
_WH_S = re.compile(r"\b(what|where|who|when|how)'s\b", re.IGNORECASE)
_FAVOURITE = re.compile(r"^(?:any |your |and |what about (?:your )?)?(favou?rite [\w ]{2,30})$", re.IGNORECASE)
_ASKS_JOB = re.compile(
    r"^(?:what do you do|what is your (?:job|profession|occupation)|what kind of work do you do|"
    r"what do you do for (?:a living|work))\b(?! (?:for fun|in your|with your|to (?:relax|unwind)|on|at|when|outside|"
    r"after))",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"^(?:what is|what are|what was) (?:its|his|her|their|the|your) ?(.*?)(?:'s|s')? ?(?:name|names|called)$|"
    r"^what (?:is|are) (?:it|he|she|they|your (.+?)) (?:called|named)$",
    re.IGNORECASE,
)
_ROLE_LEAD = re.compile(r"^(?:a|an|the|self|retired|unemployed)\b", re.IGNORECASE)


# The ends of words for those who do something: "call handler", "data analyst", "fishmonger".
_DOER = re.compile(r"^(?:[\w-]+ ){1,2}\w{2,}(?:er|or|ist|yst|ian|man|woman|hand)$", re.IGNORECASE)


def _job(answer: str) -> str | None:
    role = re.split(r" (?:at|in|for|with|on) |,", answer)[0]
    if _ROLE_LEAD.match(answer):
        article = "a " if role.lower().startswith("retired ") else ""
        return f"I am {article}{_lowered(answer)}"
    if is_occupation(role) or _DOER.search(role):
        return f"I am {'an' if answer[0].lower() in 'aeiou' else 'a'} {_lowered(answer)}"
    if re.match(r"as an? ", answer, re.IGNORECASE) and not is_occupation(role.split(" ", 2)[-1]):
        return None
    placed = re.match(r"^(?:in|at|for|as|with)\b", answer, re.IGNORECASE)
    return f"I work {answer}" if placed else f"I work in {_lowered(answer)}"


def _named(question: str, owner: str, answer: str) -> str:
    if re.match(r"^what is your (?:full |first |last )?name$", question, re.IGNORECASE):
        return f"my name is {answer}"
    plural = owner.endswith("s") or " are " in question
    if owner:
        return f"my {owner} {'are' if plural else 'is'} called {answer}"
    return f"{'they are' if plural else 'it is'} called {answer}"


def _alternative(statement: str, answer: str) -> str | None:
    """ "Do you prefer tea or coffee?" / "Coffee" → "I prefer coffee"; "Any pets?" / "A dog" → "I have a dog"."""
    if statement.startswith("I have been ") and _TIMES.match(answer):
        return None if " or " in statement else f"{statement} {answer[:1].lower()}{answer[1:]}"
    choice = re.match(r"^(.*?)\b([\w -]+?) or ([\w -]+)$", statement)
    if choice:
        options = re.match(
            r"^(I (?:am|have|like|prefer|drink|eat|live|work|use|play|want|own|drive|speak)(?: to| in| at| on|"
            r" a| an)*)\b",
            statement,
        )
        return f"{options[1]} {answer}" if options and len(answer.split()) <= 4 else None
    placed = _IN_A_PLACE.match(statement)
    if placed and _ONE_NAME.match(answer) and answer.lower() not in placed["place"].lower():
        return f"{placed['head']} {answer}"
    pastime = re.match(r"^I have (?:any )?(?P<what>hobbies|interests|passions|pastimes)\b", statement)
    if pastime and not re.match(r"^(?:a few|lots|many|some)\b", answer):
        return f"my {pastime['what']} are {answer}"
    if re.search(r"\ballerg(?:y|ies)\b", statement):
        return f"I am allergic to {answer}"
    if re.match(r"^I have (?:any|a|an)?\b", statement) and re.match(
        r"^(?:a|an|two|three|one|four|\d+|some|my|the|just|only|[A-Z])", answer
    ):
        return f"I have {answer}"
    if re.search(r"\ballergic\b", statement):
        return f"I am allergic to {answer}"
    if re.match(r"^I (?:speak|play|like|collect|read|use|own|watch) any\b", statement):
        return f"{' '.join(statement.split()[:2])} {answer}"
    return None


_IN_A_PLACE = re.compile(
    r"^(?P<head>I (?:am|live|work|am living|am based|grew up|was born) (?:in|from)) (?P<place>.+)$", re.IGNORECASE
)
_TIMES = re.compile(
    r"^(?:just |only |about )?(?:once|twice|(?:two|three|four|five|six|ten|a few|many|several|\d+|a couple of|"
    r"a dozen) times|"
    r"a long time ago|years ago|when I was (?:a (?:kid|child|student|teenager)|young|little|\d+|in \w+))\b",
    re.IGNORECASE,
)
_AT_WORK = re.compile(r"work|study|volunteer")
_ONE_NAME = re.compile(r"^[A-Z][a-z]+$")


def _gap(found: re.Match[str], answer: str) -> str | None:
    wh, noun, aux, rest = (
        found["wh"].lower(),
        found["noun"].strip().lower(),
        found["aux"].lower(),
        found["rest"].strip(),
    )
    prep = (found["prep"] or "").lower()
    if wh in ("why", "how") and noun not in ("long", "often", "much", "tall", "far"):
        return None
    if _FAVOUR.search(rest):
        return None
    deed = _takes_complement(answer.split())
    if re.match(r"^your\b", rest, re.IGNORECASE):
        owned = _to_first(rest)
        if deed:
            answer = f"to {answer}"
        if aux in ("is", "are", "was", "were"):
            return f"{owned} {aux} {answer}"
        return None
    you = re.match(r"^you\b\s*(.*)$", rest, re.IGNORECASE)
    hoped = _HOPED.match(rest) if deed else None
    if hoped:
        return f"I {_with_aux(_AUX_OF_I.get(aux, aux), hoped['hope'])} {answer}{hoped['when']}"
    if not you or (deed and not _HOPES.search(rest)):
        return None
    rest = re.sub(
        r"^(?:usually|currently|normally|mainly|mostly|like to|enjoy|currently|now|typically|actually)\s+(?=\w+ )",
        lambda word: word[0] if word[0].lower().startswith(("like", "enjoy")) else "",
        _to_first(you[1]),
    )
    rest = re.sub(
        r"\s+(?:these days|nowadays|now|currently|at the moment|for fun|in your free time|in my free time|"
        r"in my spare time|most|the most|the best|best)$",
        "",
        rest,
    )
    aux = _AUX_OF_I.get(aux, aux)
    if (
        wh == "where"
        and not re.match(r"^(?:in|at|on|near|from|outside|to|by)\b", answer, re.IGNORECASE)
        and not rest.endswith((" from", "from", " to", " in", " at", " go"))
    ):
        answer = f"{'at' if _AT_WORK.search(rest) and not _ONE_NAME.match(answer) else 'in'} {answer}"
    if wh == "where" and rest.endswith((" go", " travel", " move")) and not _TOWARDS.match(answer):
        answer = f"to {answer}"
    if prep and not answer.lower().startswith(prep):
        answer = f"{prep} {answer}"
    if wh == "how" and noun == "long":
        answer = answer if re.match(r"^(?:for|since)\b", answer, re.IGNORECASE) else f"for {answer}"
    last = rest.split()[-1].lower() if rest else ""
    if last and answer.lower().startswith(f"{last} "):
        answer = answer.split(" ", 1)[1]
    inside = _PHRASE_AFTER.match(rest) if wh in ("what", "which") and not prep else None
    if inside and aux in ("do", "does", "did"):
        return f"I {_with_aux(aux, inside['verb'])} {answer} {inside['phrase']}"
    if rest == "do" and _SPORT.search(noun):
        return f"I do {answer}"
    verb = _with_aux(aux, rest)
    if rest == "like to do" and (liked := _as_deed(answer)) != answer:
        return f"I like {liked}" if liked else None
    if rest in ("do", "like to do", "enjoy doing"):
        return f"I {'enjoy' if answer.split()[0].endswith('ing') else 'like'} {answer}" if rest != "do" else None
    return f"I {verb} {answer}".replace("  ", " ") if verb else None


_AUX_OF_I = {"are": "am", "were": "was", "is": "am"}
_HOPED = re.compile(
    r"^you (?P<hope>(?:want|hope|plan|intend|like|love|prefer|hoping|planning) to) do\b(?P<when>.*)$", re.IGNORECASE
)
_TOWARDS = re.compile(r"^(?:to|in|into|on|home|abroad|back|somewhere|anywhere|up|down|over|out)\b", re.IGNORECASE)
# "Which language do you speak at home?": the answer stands before "at home".
_PHRASE_AFTER = re.compile(
    r"^(?P<verb>(?!do\b|like\b|live\b|work\b|go\b|come\b)[a-z]+) (?P<phrase>(?:at|in|on|with|for|during) [\w' -]+)$",
    re.IGNORECASE,
)
_SPORT = re.compile(r"\b(?:sports?|exercise|martial arts?|yoga)$")
_IS_SO = wordset("rewarding interesting exciting amazing boring tiring relaxing challenging fun great")
_TAKES = wordset("to the a an my with in at for some out around on up along every")


def _as_deed(answer: str) -> str:
    """An answer to what one likes to do: "tend to the farm" → "to tend …"; a thing stays; "" what is no answer."""
    words = answer.lower().split()
    if words[0] in _IS_SO or is_past(words[0]):
        return ""
    alone = len(words) == 1 and words[0] in COMMON and words[0] not in AMBIGUOUS
    return f"to {answer}" if alone or _takes_complement(words) else answer


def _with_aux(aux: str, rest: str) -> str:
    if aux in ("do", "does") or (aux == "did" and not rest):
        return rest
    if aux == "did":
        parts = rest.split(" ", 1)
        return f"{past_form(parts[0])} {parts[1] if len(parts) > 1 else ''}".strip()
    return f"{aux} {rest}".strip()
