"""Short answers and corrections made whole from what they answer (X3): the result is a first-person sentence.

"Which city do you live in?" / "Porto." → "I live in Porto". "Are you a vegetarian?" / "No, I'm not." → "I am not a
vegetarian". "My rent is 900 a month." / "Sorry, 950 I mean." → "My rent is 950 a month".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.claims import Utterance
from models.wording.lexicon import is_occupation
from models.wording.spelling import plain, stripped
from models.wording.verbs import is_common_noun, is_finite, past_form


@dataclass(frozen=True, slots=True)
class Whole:
    """A short answer made a sentence. `confirmed`: all of its content is the question's, only the yes is the user's."""

    text: str
    confirmed: bool = False
    corrects: bool = False


_YES = re.compile(
    r"^(?:oh |ah |well |why |haha |um |hmm |uh )*(?:yes|yeah|yea|yep|yup|ya|yes please|exactly|correct|right|that's right|that is right|that's correct|that is correct|indeed|sure|sure do|absolutely|definitely|certainly|of course|i do|i am|i did|i have|i can|i was|we do|we are|we did|we have|you got it|bingo|spot on|true|that's true|that is true|aye|affirmative|precisely|totally)\b[\s,.!]*",
    re.IGNORECASE,
)
_YES_TAIL = re.compile(
    r"^(?:(?:i|we) (?:do|am|did|have|can|was|are|will|would|sure do|really do|certainly do)|exactly|correct|right|that's right|that is right|that's correct|that's true|indeed|it is|it does|they are|they do|he is|she is|you got it|very much so|very much|of course|absolutely|definitely|totally|for sure|always|sure|you are right|you're right|please|yes|yeah|i certainly do|it's true|it is true|spot on|that's it|that is it|unfortunately|sadly)?[\s,.!]*$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:oh |ah |well |um |hmm |uh |actually )*(?:no|nope|nah|not really|not at all|not anymore|not any more|never|negative|i don't|i do not|i'm not|i am not|i haven't|i have not|i didn't|i did not|i can't|i cannot|i never have|i never did|we don't|we haven't|not yet)\b[\s,.!]*",
    re.IGNORECASE,
)
_NO_TAIL = re.compile(
    r"^(?:(?:i|we|it|they|he|she)(?:'m| am| do| have| did| can| was| is| are| were|'re|'ve)? ?(?:not|n't|don't|haven't|didn't|can't|wasn't|cannot|doesn't|isn't)|never have|never did|i never have|i never did|not really|not at all|not anymore|not yet|sorry|thanks|thank you|unfortunately|sadly|never|i don't|i haven't|i'm afraid not|none|not (?:one|any)|nope|no)?[\s,.!]*$",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"^(?:me too|same here|same|so do i|so am i|i do too|i am too|me as well|as do i|likewise|i also do|me also|ditto)[\s,.!]*$",
    re.IGNORECASE,
)
_SAME_NOT = re.compile(
    r"^(?:me neither|me either|neither do i|nor do i|neither am i|neither have i|i don't either|i do not either)[\s,.!]*$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:(?:oh|ah|oops|ups|whoops|wait|no wait|no|sorry|my bad|my mistake|correction|actually|scratch that|hang on|pardon|typo|edit|apologies)[\s,.!:]+)+(?:i (?:mean|meant)|make that|make it|it's|it is|that's|that is|should be|that should be|it should be|i meant to say)?[\s,:]*(?P<new>.+?)(?:[\s,]+(?:i (?:mean|meant)|sorry|not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?:i (?:mean|meant)|make that|i meant to say|that should be|it should be|should be|\*)[\s,:]*(?P<new2>.+?)(?:[\s,]+(?:sorry|not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?P<new3>.+?)[\s,]+(?:i (?:mean|meant)|not .+)[\s.!]*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d[\d.,]*\d|(?<![\w.])\d")
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")
_AUX = r"(?:do|does|did|are|is|was|were|have|has|can|could|would|will|should)"


def made_whole(text: str, before: str, utterance: Utterance) -> Whole | None:
    """The sentence that a short answer or correction amounts to, or None where the text is no such thing."""
    words = plain(text)
    corrected = _correction(words, before, utterance)
    if corrected:
        return corrected
    asked = _asked(utterance)
    if asked is None:
        return None
    if _SAME.match(words) or _SAME_NOT.match(words):
        return _same(asked, _SAME_NOT.match(words) is not None)
    question = asked.endswith("?")
    bare = plain(asked).strip(" ?.!")
    yes = _YES.match(words)
    if yes:
        return _affirmed(bare, words[yes.end() :], question)
    no = _NO.match(words)
    if no:
        return _denied(bare, words[no.end() :])
    return _filled(bare, words) if question else None


def _asked(utterance: Utterance) -> str | None:
    """What was last said to the user: its last question, else its last sentence."""
    for role, said in reversed(utterance.context[-2:]):
        if role in ("assistant", "peer"):
            sentences = [found[0].strip() for found in _SENTENCES.finditer(said) if found[0].strip()]
            questions = [sentence for sentence in sentences if sentence.endswith("?")]
            return (questions or sentences or [None])[-1]  # type: ignore[list-item]  # an empty message has no sentence
        if role == "user":
            return None
    return None


_SWAP = {
    "you are": "I am", "are you": "am I", "you were": "I was", "your": "my", "yours": "mine", "yourself": "myself", "you": "I",
}  # fmt: skip
_SWAPPED = re.compile(r"\b(?:you are|you were|yourself|yours|your|you)\b", re.IGNORECASE)
_OBJECT_YOU = re.compile(
    r"\b(to|for|with|of|about|from|at|by|on|like|tell|told|give|gave|make|makes|call|bother|bothers|help|helps|suit|suits)\s+you\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:and|so|but|oh|well|then|ok|okay|great|nice|cool|wow|hi|hello|also|by the way|now|just to (?:check|confirm)|to confirm|let me (?:check|guess)|am i right that|is it (?:true|correct|right) that|did you say(?: that)?|it (?:sounds|seems|looks) like|sounds like|i (?:think|believe|see|guess|take it|assume|understand|hear|heard|remember)(?: that)?|you (?:said|mentioned|told me)(?: that)?|do you mean(?: that)?|does that mean(?: that)?|may i ask|can i ask|could you tell me|can you tell me|tell me|if i may ask|out of curiosity|interesting|sure)[\s,.!:]+)+",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"[\s,]+(?:right|correct|don't you|aren't you|do not you|are not you|is that right|is that correct|yes|no|huh|then|by any chance|by chance|at all|too|as well|these days|nowadays|currently|yourself|or not|already|yet|now)+$",
    re.IGNORECASE,
)


def _to_first(text: str) -> str:
    text = _OBJECT_YOU.sub(lambda found: f"{found[1]} me", text)
    return _SWAPPED.sub(lambda found: _SWAP[found[0].lower()], text)


def _statement(question: str) -> str | None:
    """A yes-no question or a statement about the user as a first-person statement: "Are you a vet" → "I am a vet"."""
    bare = _TAG.sub("", _LEAD.sub("", question)).strip(" ,")
    bare = _TAG.sub("", bare)
    found = re.match(
        rf"^({_AUX})(n't| not)? (you(?:r (?:[\w'-]+ ){{1,4}}?(?=is|are|\w+ing\b|\w+\b))?)\s*(.*)$", bare, re.IGNORECASE
    )
    if found and found[3].lower() == "you":
        aux, rest = found[1].lower(), _to_first(found[4])
        rest = re.sub(r"^(?:ever|also|still|really|actually|already|happen to|currently)\s+", "", rest)
        if re.match(r"^(?:know|think|want me|need me|mind|agree|see|mean|remember|understand)\b", rest, re.IGNORECASE):
            return None
        aux = {"are": "am", "were": "was", "is": "am", "has": "have"}.get(aux, aux)
        if aux in ("do", "does"):
            return f"I {rest}" if rest else None
        if aux == "did":
            return f"I did {rest}"
        return f"I {aux} {rest}" if rest else None
    found = re.match(r"^(is|are|was|does|do|has) (your .+)$", bare, re.IGNORECASE)
    if found:
        return _owned_statement(found[1].lower(), _to_first(found[2]))
    found = re.match(r"^(?:any|got any|got|have you got any|have you got)\s+(.+)$", bare, re.IGNORECASE)
    if found:
        return f"I have {found[1]}"
    if re.match(r"^(?:you|your)\b", bare, re.IGNORECASE):
        return _to_first(bare)
    return None


def _owned_statement(aux: str, words: str) -> str | None:
    parts = words.split()
    for index in range(2, len(parts)):
        if aux in ("do", "does") and is_finite(parts[index]):
            return f"{' '.join(parts[:index])} {aux} {' '.join(parts[index:])}"
        if aux in ("is", "are", "was", "has") and (index >= 2):
            return f"{' '.join(parts[:index])} {aux} {' '.join(parts[index:])}"
    return None


_ANY = re.compile(r"\b(?:any|a|an|some)\s+((?:[\w-]+ ){0,2}?[\w-]+)$", re.IGNORECASE)
_ANY_WORD = re.compile(r"\bany\s+")
_AT_WORK = re.compile(r"work|study|volunteer")
_ONE_NAME = re.compile(r"^[A-Z][a-z]+$")
_COUNTED = re.compile(
    r"^(?:just |only |about |around |we have |i have |i've got |have )?(?P<count>\d+|one|two|three|four|five|six|seven|eight|nine|ten|a couple|a few|several|many)(?: of them)?[\s.!]*$",
    re.IGNORECASE,
)


def _affirmed(question: str, remainder: str, asked: bool) -> Whole | None:
    statement = _statement(question)
    if statement is None:
        return None
    remainder = remainder.strip(" ,.!")
    if _YES_TAIL.match(remainder):
        choice = re.search(r"\bor\b", statement)
        return None if choice else Whole(_ANY_WORD.sub("", statement), confirmed=True)
    counted = _COUNTED.match(remainder)
    noun = _ANY.search(statement) or re.search(r"^(?:I have|I own|I keep)\s+((?:[\w-]+ ){0,2}?[\w-]+)$", statement)
    if counted and noun:
        return Whole(
            f"{statement[: noun.start(1)].removesuffix('any ').removesuffix('a ').removesuffix('an ')}{counted['count']} {noun[1]}"
        )
    if (
        re.match(r"^(?:a|an|two|three|four|some|one|my|\d+)\s+\w+", remainder, re.IGNORECASE)
        and noun
        and len(remainder.split()) <= 10
    ):
        return Whole(f"I have {remainder}") if re.match(r"^I (?:have|own|keep)\b", statement) else None
    if (
        re.match(r"^(?:in|at|since|for|to|with|every|on|from|about|called|as|near|by)\s", remainder, re.IGNORECASE)
        and len(remainder.split()) <= 8
    ):
        return Whole(f"{_ANY_WORD.sub('', statement)} {remainder}")
    if re.match(r"^(?:i|we|my|our|but|and|it|he|she|they|the|because)\b", remainder, re.IGNORECASE) or "," in remainder:
        return Whole(_ANY_WORD.sub("", statement), confirmed=True) if asked and "or" not in statement.split() else None
    if asked and len(remainder.split()) <= 3 and remainder[:1].isupper():
        return Whole(f"I have {remainder}") if statement.startswith("I have") else None
    return None


def _denied(question: str, remainder: str) -> Whole | None:
    statement = _statement(question)
    instead = re.match(r"^(in|at|on|from|for|as|to|near|with) \S", remainder.strip(" ,.!"), re.IGNORECASE)
    if statement and instead:
        head = statement.rpartition(f" {instead[1].lower()} ")[0]
        return Whole(f"{head} {remainder.strip(' ,.!')}", corrects=True) if head and len(remainder.split()) <= 6 else None
    if statement is None or not _NO_TAIL.match(remainder.strip(" ,.!")):
        return None
    if re.search(r"\bor\b", statement):
        return None
    negated = negate(statement)
    return Whole(re.sub(r"\bsome\b", "any", negated), confirmed=False) if negated else None


def negate(statement: str) -> str | None:
    """The negation of a first-person statement: "I like jazz" → "I do not like jazz", "I am a vet" → "I am not a vet"."""
    found = re.match(
        r"^(I|we|my .+?) (am|was|is|are|were|have been|have (?=\w+(?:ed|en)\b)|can|could|will|would|should|did) ?(.*)$",
        statement,
    )
    if found:
        verb = found[2].strip()
        if verb == "have been":
            return f"{found[1]} have never been {found[3]}"
        if verb == "have":
            return f"{found[1]} have never {found[3]}"
        return f"{found[1]} {verb} not {found[3]}"
    found = re.match(r"^(I|we) (.+)$", statement)
    return f"{found[1]} do not {found[2]}" if found else None


_HOW_MANY = re.compile(r"^how many ([\w -]+?) (?:do|did|have) you (?:have|got|own|keep)?\b.*$", re.IGNORECASE)
_WH = re.compile(
    rf"^(?P<prep>in|at|on|for|to|from|with|by)?\s*(?P<wh>what|which|where|who|whom|when|how|why|what's|where's|who's|when's)\s*(?P<noun>(?:kinds? of |sorts? of |types? of )?[\w' -]*?)\s*\b(?P<aux>{_AUX})\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_ANSWER_LEAD = re.compile(
    r"^(?:(?:um|uh|well|oh|hmm|so|haha|mostly|mainly|probably|just|definitely|i guess|i think|i would say|i'd say|(?:it's|it is|that's|that is|that would be)(?= (?:a|an|my|the|called|[A-Z0-9]))|at the moment|currently|right now|usually|for now|actually|honestly)[\s,]+)+",
    re.IGNORECASE,
)
_ANSWER_TAIL = re.compile(r"[\s,]+(?:always|mostly|usually|definitely|for sure|actually|mainly|every time|of course|all the way|any day)$", re.IGNORECASE)
_VAGUE = re.compile(
    r"^(?:not sure|no idea|idk|i do not know|i don't know|nothing|none|nobody|nowhere|anything|everything|whatever|maybe|it depends|depends|lots|a lot|many|all of them|both|good|fine|great|ok|okay|thanks|thank you|hi|hello|bye|cool|nice|sure|sorry|what|why|how|lol|haha|hm|hmm|wow|really|not much|nothing much|guess|you|yes|no|same|never mind|pass|let me think|good question|who knows|dunno)\b",
    re.IGNORECASE,
)


def _lowered(answer: str) -> str:
    """An answer as it stands mid-sentence: its first word loses the capital unless it is a name."""
    first = answer.split(" ", 1)[0].strip(",")
    if first in ("I", "I'm") or first.isupper() or not (first.lower() in _DETERMINERS or is_common_noun(first)):
        return f"a{answer[1:]}" if answer[:2] == "A " else answer
    return answer[:1].lower() + answer[1:]


_DETERMINERS = frozenset("a an the my two three four five six seven eight nine ten one some just about only in at on from for with as to none several both mostly".split())


def _filled(question: str, answer: str) -> Whole | None:
    """The question's gap filled with a short answer that has no sentence of its own."""
    answer = _ANSWER_TAIL.sub("", _ANSWER_LEAD.sub("", stripped(answer))).strip(" ,.!")
    words = answer.split()
    if (
        not answer
        or len(words) > 12
        or _VAGUE.match(answer)
        or re.match(
            r"^(?:i|we|my|our|you|it|he|she|they|do|what|where|how|why|when|can|is|are)\b", answer, re.IGNORECASE
        )
    ):
        return None
    if re.search(r"\b(?:is|are|was|were|am|do|does|did|have|has|had|can|will|would|should)\b", answer):
        return None
    question = _TAG.sub("", _LEAD.sub("", question)).strip()
    question = re.sub(r"\b(what|where|who|when|how)'s\b", r"\1 is", question, flags=re.IGNORECASE)
    many = _HOW_MANY.match(question)
    if many:
        answer = _lowered(answer)
        return Whole(
            f"I have {answer}" if len(words) > 1 and words[-1].rstrip("s") in many[1] else f"I have {answer} {many[1]}"
        )
    if re.match(r"^how old are you", question, re.IGNORECASE):
        return Whole(f"I am {answer}")
    if re.match(
        r"^(?:what do you do|what is your (?:job|profession|occupation)|what kind of work do you do|what do you do for (?:a living|work))\b",
        question,
        re.IGNORECASE,
    ):
        role = re.split(r" (?:at|in|for|with|on) |,", answer)[0]
        if not is_occupation(role) and not re.match(r"^(?:a|an|the|self|retired|unemployed)\b", answer, re.IGNORECASE):
            return Whole(f"I work {answer}" if re.match(r"^(?:in|at|for|as|with)\b", answer, re.IGNORECASE) else f"I work in {_lowered(answer)}")
        lead = "" if re.match(r"^(?:a|an|the|self|retired|unemployed)\b", answer, re.IGNORECASE) else "an " if answer[0].lower() in "aeiou" else "a "
        answer = _lowered(answer)
        return Whole(f"I am {lead}{answer}")
    called = re.match(
        r"^(?:what is|what are|what was) (?:its|his|her|their|the|your) ?(.*?)(?:'s|s')? ?(?:name|names|called)$|^what (?:is|are) (?:it|he|she|they|your (.+?)) (?:called|named)$",
        question,
        re.IGNORECASE,
    )
    if called:
        owner = (called[1] or called[2] or "").removeprefix("your ").strip()
        if re.match(r"^what is your (?:full |first |last )?name$", question, re.IGNORECASE):
            return Whole(f"my name is {answer}")
        plural = owner.endswith("s") or " are " in question
        return (
            Whole(f"my {owner} {'are' if plural else 'is'} called {answer}")
            if owner
            else Whole(f"{'they are' if plural else 'it is'} called {answer}")
        )
    yes_no = _statement(question)
    if yes_no:
        return _alternative(yes_no, _lowered(answer))
    found = _WH.match(question)
    if not found:
        return None
    placed = found["wh"].lower() == "where" or re.search(r"\b(?:city|town|country|place|state|name|band|movie|film|book|team|company|school|university)\b", found["noun"], re.IGNORECASE)
    return _gap(found, answer if placed else _lowered(answer))


def _alternative(statement: str, answer: str) -> Whole | None:
    """ "Do you prefer tea or coffee?" / "Coffee" → "I prefer coffee"; "Do you have any pets?" / "A dog" → "I have a dog"."""
    choice = re.match(r"^(.*?)\b([\w -]+?) or ([\w -]+)$", statement)
    if choice:
        options = re.match(
            r"^(I (?:am|have|like|prefer|drink|eat|live|work|use|play|want|own|drive|speak)(?: to| in| at| on| a| an)*)\b",
            statement,
        )
        return Whole(f"{options[1]} {answer}") if options and len(answer.split()) <= 4 else None
    if re.search(r"\ballerg(?:y|ies)\b", statement):
        return Whole(f"I am allergic to {answer}")
    if re.match(r"^I have (?:any|a|an)?\b", statement) and re.match(
        r"^(?:a|an|two|three|one|four|\d+|some|my|the|just|only|[A-Z])", answer
    ):
        return Whole(f"I have {answer}")
    if re.search(r"\ballergic\b", statement):
        return Whole(f"I am allergic to {answer}")
    if re.match(r"^I (?:speak|play|like|collect|read|use|own|watch) any\b", statement):
        return Whole(f"{' '.join(statement.split()[:2])} {answer}")
    return None


def _gap(found: re.Match[str], answer: str) -> Whole | None:
    wh, noun, aux, rest = (
        found["wh"].lower(),
        found["noun"].strip().lower(),
        found["aux"].lower(),
        found["rest"].strip(),
    )
    prep = (found["prep"] or "").lower()
    if wh in ("why", "how") and noun not in ("long", "often", "much", "tall", "far"):
        return None
    if re.match(r"^your\b", rest, re.IGNORECASE):
        owned = _to_first(rest)
        if aux in ("is", "are", "was", "were"):
            return Whole(f"{owned} {aux} {answer}")
        return None
    you = re.match(r"^you\b\s*(.*)$", rest, re.IGNORECASE)
    if not you:
        return None
    rest = re.sub(
        r"^(?:usually|currently|normally|mainly|mostly|like to|enjoy|currently|now|typically|actually)\s+(?=\w+ )",
        lambda word: word[0] if word[0].lower().startswith(("like", "enjoy")) else "",
        _to_first(you[1]),
    )
    rest = re.sub(
        r"\s+(?:these days|nowadays|now|currently|at the moment|for fun|in your free time|in my free time|in my spare time|most|the most|the best|best)$",
        "",
        rest,
    )
    aux = {"are": "am", "were": "was", "is": "am"}.get(aux, aux)
    if (
        wh == "where"
        and not re.match(r"^(?:in|at|on|near|from|outside|to|by)\b", answer, re.IGNORECASE)
        and not rest.endswith((" from", "from", " to", " in", " at", " go"))
    ):
        answer = f"{'at' if _AT_WORK.search(rest) and not _ONE_NAME.match(answer) else 'in'} {answer}"
    if wh == "where" and re.search(r"\b(?:from)$", rest):
        rest = rest.strip()
    if prep and not answer.lower().startswith(prep):
        answer = f"{prep} {answer}"
    if wh == "how" and noun == "long":
        answer = answer if re.match(r"^(?:for|since)\b", answer, re.IGNORECASE) else f"for {answer}"
    last = rest.split()[-1].lower() if rest else ""
    if last and answer.lower().startswith(f"{last} "):
        answer = answer.split(" ", 1)[1]
    verb = _with_aux(aux, rest)
    if rest in ("do", "like to do", "enjoy doing"):
        return Whole(f"I {'enjoy' if answer.split()[0].endswith('ing') else 'like'} {answer}") if rest != "do" else None
    return Whole(f"I {verb} {answer}".replace("  ", " ")) if verb else None


def _with_aux(aux: str, rest: str) -> str:
    if aux in ("do", "does"):
        return rest
    if aux == "did":
        parts = rest.split(" ", 1)
        return f"{past_form(parts[0])} {parts[1] if len(parts) > 1 else ''}".strip()
    return f"{aux} {rest}".strip()


def _same(asked: str, negative: bool) -> Whole | None:
    words = stripped(plain(asked)).strip(" ?.!")
    shared = re.match(r"^I (?:also |really |just |actually )*(?:like|love|enjoy|hate|prefer|dislike|live|work|play|read|watch|drink|eat|speak|collect|am (?:a|an|from|in|into)|have (?:a|an|two|three)|do not (?:like|eat|drink|have))\b", words)
    if not shared or len(words.split()) > 12 or " you" in words:
        return None
    return Whole(words, confirmed=True)


def _correction(words: str, before: str, utterance: Utterance) -> Whole | None:
    """A correction of one value in what the user said last: a number for a number, a name for a name."""
    found = _CORRECTS.match(words)
    if not found or len(words.split()) > 12:
        return None
    new = (found["new"] or found["new2"] or found["new3"] or "").strip(" ,.!*")
    if not new or len(new.split()) > 6 or re.match(r"^(?:i|we|my|that|it|you|he|she|they)\b", new, re.IGNORECASE):
        return None
    said = [before] if before.strip() else []
    said += [text for role, text in reversed(utterance.context[-4:]) if role == "user"][:1]
    for place in said:
        sentences = [each.strip(" .!?") for each in _SENTENCES.findall(plain(place)) if each.strip(" .!?")]
        for sentence in reversed(sentences):
            replaced = _replaced(sentence, new)
            if replaced:
                return Whole(replaced, corrects=True)
    return None


def _replaced(sentence: str, new: str) -> str | None:
    new = re.sub(r"^(?:on|in|at|to|from|for|with)\s+(?=[A-Z0-9])", "", new)
    number = _NUMBER.search(new)
    if number:
        old = list(_NUMBER.finditer(sentence))
        return f"{sentence[: old[-1].start()]}{number[0]}{sentence[old[-1].end() :]}" if len(old) == 1 or old else None
    if new[:1].isupper():
        names = list(_PROPER.finditer(sentence))
        return f"{sentence[: names[-1].start()]}{new}{sentence[names[-1].end() :]}" if names else None
    article = re.match(r"^(?:a|an|my|the|two|three|four|five|six|one|seven|eight|nine|ten)\s", f"{new} ")
    if article:
        same = re.search(
            rf"\b(?:{'a|an' if article[0].strip() in ('a', 'an') else 'my' if article[0].strip() == 'my' else 'the' if article[0].strip() == 'the' else 'one|two|three|four|five|six|seven|eight|nine|ten'})\s?[\w-]*$",
            sentence,
        )
        if same and len(new.split()) <= 3:
            return f"{sentence[: same.start()]}{new}"
        counted = re.search(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", sentence)
        if counted and len(new.split()) == 1:
            return f"{sentence[: counted.start()]}{new}{sentence[counted.end() :]}"
    return None
