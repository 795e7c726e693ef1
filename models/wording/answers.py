"""Short answers and corrections made whole from what they answer (X3): the result is a first-person sentence.

"Which city do you live in?" / "Porto." → "I live in Porto". "Are you a vegetarian?" / "No, I'm not." → "I am not a
vegetarian". "My rent is 900 a month." / "Sorry, 950 I mean." → "My rent is 950 a month".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from models.claims import Utterance
from models.wording.antecedents import done_as_said, resolved
from models.wording.coordination import seams
from models.wording.lists import mentions, wordset
from models.wording.nowadays import kept_now
from models.wording.questions import filled, negate, statement
from models.wording.spelling import plain, stripped
from models.wording.verbs import is_base, is_common_noun, is_noun, is_past, lemma


@dataclass(frozen=True, slots=True)
class Whole:
    """A short answer made a sentence. `confirmed`: all of its content is the question's, only the yes is the user's.

    `rest` is what the answer goes on to state in words of its own ("yes, I teach at a school").
    """

    text: str
    confirmed: bool = False
    corrects: bool = False
    rest: str = ""


_EXCLAIMS = (
    r"(?:(?:yes|yeah|yep|yup|no|nope|oh|ah|hey|haha|wow|really|nice|cool|awesome|great|that is (?:so )?(?:cool|great|"
    r"funny|awesome|nice)|i know,? right)[\s,.!?]+)*"
)
_YES = re.compile(
    r"^(?:oh |ah |well |why |haha |um |hmm |uh )*(?:yes|yeah|yea|yep|yup|ya|yes please|exactly|correct|right|"
    r"that'?s right|that is right|that'?s correct|that is correct|indeed|sure|sure do|absolutely|definitely|"
    r"certainly|of course|i do|i am|i did|i have|i can|i was|we do|we are|we did|we have|you got it|bingo|"
    r"spot on|true|that'?s true|that is true|aye|affirmative|precisely|totally|(?:(?:i am|i'm) )?(?:a|')?fraid so|"
    r"guilty(?: as charged)?|i (?:must )?(?:confess|admit)(?: (?:it|so|that i do))?)\b(?! not\b)[\s,.!]*",
    re.IGNORECASE,
)
_YES_TAIL = re.compile(
    r"^(?:(?:i|we) (?:do|am|did|have|can|was|are|will|would|sure do|really do|certainly do)|exactly|correct|"
    r"right|that'?s right|that is right|that'?s correct|that's true|indeed|it is|it does|they are|they do|he is|"
    r"she is|you got it|very much so|very much|of course|absolutely|definitely|totally|for sure|always|sure|"
    r"you are right|you're right|please|yes|yeah|i certainly do|it's true|it is true|spot on|that's it|"
    r"that is it|unfortunately|sadly)?[\s,.!]*$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:oh |ah |well |um |hmm |uh |actually )*(?:no|nope|nah|not really|not at all|not anymore|not any more|"
    r"never|negative|i don't|i do not|i'm not|i am not|i haven't|i have not|i didn't|i did not|i can't|"
    r"i cannot|i never have|i never did|we don't|we haven't|not yet|(?:(?:i am|i'm) )?(?:a|')?fraid not|"
    r"(?:alas|(?:oh )?(?:god|lord|heavens|goodness|gosh)),? no)\b[\s,.!]*",
    re.IGNORECASE,
)
_NO_TAIL = re.compile(
    r"^(?:(?:i|we|it|they|he|she)(?:'m| am| do| have| did| can| was| is| are| were|'re|'ve)? ?(?:not|n't|don't|"
    r"haven't|didn't|can't|wasn't|cannot|doesn't|isn't)|never have|never did|i never have|i never did|"
    r"not really|not at all|not anymore|not yet|sorry|thanks|thank you|unfortunately|sadly|never|i don't|"
    r"i haven't|i'm afraid not|none|not (?:one|any)|nope|no)?[\s,.!]*$",
    re.IGNORECASE,
)
_SAME = re.compile(
    rf"^{_EXCLAIMS}(?:me too|me as well|me also|same here|same|same with me|same for me|likewise|ditto|mine too|mine "
    r"(?:is|are) too|(?:so|as) (?:do|am|did|have|was|can|would) (?:i|we)|(?:i|we) (?:do|am|did|have|was|can|used to|"
    r"would) (?:too|as well)|(?:i|we) also do|i am the same(?: way)?)(?: actually| haha| lol| so much| then)?[\s,.!]*$",
    re.IGNORECASE,
)
_SAME_NOT = re.compile(
    rf"^{_EXCLAIMS}(?:me neither|me either|(?:neither|nor) (?:do|am|have|did|can|was) (?:i|we)|"
    r"(?:i|we) (?:do|am|have|did|can|was) not either|i cannot either)(?: actually| haha| lol| then)?[\s,.!]*$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:(?:oh|ah|oops|ups|whoops|wait|no wait|no|sorry|my bad|my mistake|correction|actually|scratch that|"
    r"hang on|pardon(?: me)?|excuse me|typo|edit|apologies)[\s,.!:]+)+(?:i meant?\b|make that|make it|"
    r"it's|it is|that's|"
    r"that is|should be|that should be|it should be|i meant to say)?[\s,:]*(?P<new>.+?)(?:[\s,]+(?:i meant?|sorry|"
    r"not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?:i meant?\b(?: to say)?|make that|that should be|it should be|should be|\*)[\s,:]*(?P<new2>.+?)"
    r"(?:[\s,]+(?:sorry|oops|typo|my bad|my mistake|i meant?|lol|of course|not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?P<new3>.+?)[\s,]+(?:i meant?|not .+)[\s.!]*$|"
    r"^(?P<new5>[\w'-]+)\*(?: lol| sorry| oops)*[\s.!]*$|^(?P<new4>(?:the )?[\w'-]+),? (?:sorry|oops|typo|"
    r"my bad|my mistake)[\s.!]*$",
    re.IGNORECASE,
)
_CORRECTION_WORDS_MAX = 12
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d[\d.,]*\d|(?<![\w.])\d")
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")


def made_whole(text: str, before: str, utterance: Utterance) -> Whole | None:
    """The sentence that a short answer or correction amounts to, or None where the text is no such thing."""
    words = plain(text)
    corrected = _correction(words, before, utterance)
    if corrected:
        return corrected
    lowered = words.lower()
    echoed = _it_is_me(words, before) or _answering_oneself(words, lowered, before)
    if echoed:
        return echoed
    now = kept_now(words, before, utterance)
    if now:
        return Whole(now)
    asked = _asked_in(_said_to(utterance))
    if asked is None:
        return None
    if len(words) <= _SAME_CHARACTERS_MAX and mentions(lowered, _SAME_GATE):
        negative = _SAME_NOT.match(words) is not None
        if negative or _SAME.match(words):
            return _same(asked.sentences, negative, utterance)
    if asked.asks_back:
        return _in_turn(asked, words) if len(before.split()) <= _BEFORE_ANSWER_WORDS_MAX else None
    liked = _liked_as_asked(asked.bare, words) if lowered.rstrip(" .!").endswith(("it", "them")) else None
    if liked:
        return liked
    if asked.question and (nth := _NTH_OF_TWO.match(words)):
        chosen = _one_of_two(asked.bare, nth)
        return Whole(chosen) if chosen else None
    first = _FIRST_LETTERS.match(lowered.lstrip("'"))
    if first and first[0] in _YES_OR_NO_STARTS:
        yes = _YES.match(words)
        if yes and (not _ECHOES.match(words) or yes.end() == len(words) or words[yes.end() - 2] in ",.!"):
            return _affirmed(asked.bare, words[yes.end() :], asked.question)
        no = _NO.match(words)
        if no:
            return _denied(asked.bare, words[no.end() :], asked.question)
    if asked.question and not before.strip() and (how := _HOW_OFTEN.match(stripped(words))):
        qualified = _qualified(asked.bare, how)
        if qualified:
            return qualified
    whole = filled(asked.bare, words) if asked.question else None
    whole = _with_what(whole, utterance) if whole else None
    return Whole(whole) if whole else None


_ASKED_OF_LIKING = re.compile(
    r"^(?:(?:so|and|oh|well),? )*(?:do you (?:still |really |also |actually )*(?:like|love|enjoy|hate|eat|drink|play|"
    r"watch)|"
    r"how do you (?:like|find|feel about)|how are you (?:liking|finding|enjoying)|what do you think of) "
    r"(?P<what>(?!it\b|that\b|this\b|them\b|me\b|my\b|to\b|any|living|being)[\w' -]{2,40})$",
    re.IGNORECASE,
)
_LIKES_IT = re.compile(
    r"^(?:oh |yes,? |yeah,? |no,? |honestly,? |well,? )*(?:I )?(?P<verb>(?:(?:absolutely|really|do|just|quite|kind "
    r"of) )*"
    r"(?:love|like|enjoy|adore|hate|loathe|detest|dislike|do not (?:like|care for|mind)|cannot (?:stand|bear))) (?:it|"
    r"them)"
    r"(?: (?:so much|a lot|here|there|very much))?[\s.!]*$",
    re.IGNORECASE,
)


def _liked_as_asked(question: str, words: str) -> Whole | None:
    """ "Do you like spicy food?" / "love it" → "I love spicy food"."""
    said = _LIKES_IT.match(words)
    asked = _ASKED_OF_LIKING.match(question) if said else None
    if said is None or asked is None:
        return None
    what = re.sub(r" (?:so far|much|at all|these days|now)$", "", re.sub(r"\byour\b", "my", asked["what"]))
    return Whole(f"I {said['verb'][:1].lower()}{said['verb'][1:]} {what}")


_NTH_OF_TWO = re.compile(
    r"^(?:the )?(?:(?P<first>former|first(?: one)?)|(?P<last>latter|second(?: one)?|last(?: "
    r"one)?))[\s.!]*$",
    re.IGNORECASE,
)
_OF_TWO = re.compile(
    r"(?P<first>[\w'-]+(?: [\w'-]+)?) or (?P<last>(?:(?:in|at|a|an|the) )?[\w'-]+(?: [\w'-]+)?)$", re.IGNORECASE
)


def _one_of_two(question: str, nth: re.Match[str]) -> str | None:
    """ "Do you live in Bern or Basel?" / "the latter" → "I live in Basel"."""
    found = _OF_TWO.search(question)
    said = statement(question) if found else None
    if found is None or said is None:
        return None
    last = found["last"]
    first = " ".join(found["first"].split()[-len(last.split()) :])
    return said.replace(f"{first} or {last}", first if nth["first"] else last)


_SELF_ANSWER = re.compile(
    r"^(?:but )?(?:I|we) (?:(?:actually|sadly|unfortunately|really|also|still) )*(?P<aux>do|am|have|did|can|"
    r"was)(?: too)?"
    r"(?P<no> not)?(?: (?:have|know|like) (?:any|it|them))?[\s,.!]*$",
    re.IGNORECASE,
)
_SELF_ANSWER_GATE = ("do", "am", "have", "did", "can", "was", "not", "any", "it", "them", "!", ".")
_SELF_ASKED = {
    "do": ("do",),
    "am": ("are",),
    "have": ("have", "do", "did"),
    "did": ("did",),
    "can": ("can",),
    "was": ("were",),
}


# "Guess who has a birthday today? Me!"
_WHO_IS_IT = re.compile(
    r"(?:^|[.!?] )(?:(?:hey|so|and|well|now|just),? )*guess who(?P<is> is|['’]s)? (?:(?:just|also|finally) "
    r")*(?P<verb>[a-z]+)"
    r"(?P<rest> [^?!]+)?\?+\s*$",
    re.IGNORECASE,
)
_IT_IS_ME = re.compile(
    r"^(?:it is )?(?:me|moi|I (?:do|did|am|have)|this (?:guy|girl|gal|one|lady|man|woman)|yours truly)[\s.!]*$", re.I
)


def tells_it_is_me(words: str, message: str) -> bool:
    """Whether a clause answers the "guess who …?" of its own message with the speaker."""
    return "uess who" in message and _IT_IS_ME.match(plain(words)) is not None


def _it_is_me(words: str, before: str) -> Whole | None:
    """ "Guess who's moving to Rome? Me!" → "I am moving to Rome"."""
    if "uess who" not in before or not _IT_IS_ME.match(words):
        return None
    found = _WHO_IS_IT.search(before)
    if found is None:
        return None
    verb, rest = found["verb"].lower(), plain(found["rest"] or "")
    if found["is"] or verb == "is":
        return Whole(f"I am {f'{verb} {rest}' if found['is'] else rest}")
    return Whole(f"I {'have' if verb == 'has' else verb if is_past(verb) else lemma(verb)} {rest}")


def _answering_oneself(words: str, lowered: str, before: str) -> Whole | None:
    """ "Do you have siblings? I don't." → "I do not have siblings": what one asks the other and says of oneself."""
    if (
        len(words) > _SAME_CHARACTERS_MAX
        or not before.rstrip().endswith("?")
        or not lowered.startswith(("i ", "but i "))
    ):
        return None
    found = _SELF_ANSWER.match(words)
    asked = _asked_in(before) if found else None
    if found is None or asked is None or not asked.sentence.endswith("?"):
        return None
    if asked.bare.lower().split(" ", 1)[0] not in _SELF_ASKED[found["aux"].lower()]:
        return None
    said = statement(asked.bare)
    if said is None or re.search(r"\bor\b", said):
        return None
    whole = negate(said) if found["no"] else _ANY_WORD.sub("", said)
    return Whole(whole) if whole else None


_HOW_OFTEN = re.compile(
    r"^(?:yes |yeah )?(?:just |only |about |maybe |usually |at least |probably |mostly )*(?P<how>sometimes|often|"
    r"usually|"
    r"occasionally|on occasion|every (?:now and then|once in a while|(?:single |other )?(?:day|week|weekend|month|year|"
    r"morning|evening|night|summer|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?: .{2,30})?|all the time|"
    r"most (?:days|nights|weekends|mornings|evenings)|once in a while|now and then|from time to time|daily|weekly|"
    r"(?:once|twice|(?:two|three|four|five|six|\d) times) (?:a|per|every) (?:day|week|month|year)|on (?:the )?weekends|"
    r"when I can|whenever I can|(?P<rarely>rarely|seldom|hardly ever|not (?:very |too |that )?often|not much|"
    r"not a lot|not (?:too |very )?much))$",
    re.IGNORECASE,
)
_BEFORE_VERB = frozenset(("sometimes", "often", "usually", "occasionally", "rarely", "seldom"))


def _qualified(question: str, how: re.Match[str]) -> Whole | None:
    """ "Do you go to concerts?" / "On occasion." → "I go to concerts on occasion"; "rarely" stands before the verb."""
    said = statement(question)
    if said is None or not _DOES.match(said) or re.search(r"\b(?:or|any favou?rite)\b", said):
        return None
    bare = re.sub(r" (?:often|a lot|much|very much|regularly)$", "", _ANY_WORD.sub("", said))
    word = f"{how['how'][:1].lower()}{how['how'][1:]}"
    if how["rarely"] and word not in _BEFORE_VERB:
        denied = negate(said)
        return Whole(f"{denied} {'often' if 'often' in word or word == 'hardly ever' else 'much'}") if denied else None
    return Whole(f"I {word} {bare[2:]}" if word in _BEFORE_VERB else f"{bare} {word}")


_DOES = re.compile(
    r"I (?!am\b|like\b|love\b|enjoy\b|prefer\b|hate\b|was\b|have\b|had\b|can\b|did\b|own\b|know\b|will\b|"
    r"want\b)[a-z]+\b"
)
_OBJECT_LEFT_OUT = re.compile(
    r"^I have been (?P<deed>learning|playing|studying|collecting|making|teaching|using|reading|watching|practi[cs]ing|"
    r"doing|at)(?: (?:it|that|this|them|those|so))? (?P<time>(?:for|since)\b.*)$"
)


def _with_what(whole: str, utterance: Utterance) -> str | None:
    """ "I have been learning since March" with what the user said that they learn; None where they did not say it."""
    found = _OBJECT_LEFT_OUT.match(whole) if whole.startswith("I have been ") else None
    if not found:
        return whole
    said = next((plain(text) for role, text in reversed(utterance.context) if role == "user"), "")
    deed = done_as_said(said, None if found["deed"] in ("doing", "at") else found["deed"])
    return f"I have {deed} {found['time']}" if deed else None


_SAME_GATE = ("too", "well", "also", "same", "likewise", "ditto", "so ", "as ", "neither", "nor ", "either")
_FIRST_LETTERS = re.compile(r"[a-z]+")
_YES_OR_NO_STARTS = wordset(
    """
    oh ah well why haha um hmm uh actually yes yeah yea yep yup ya exactly correct right that indeed sure absolutely
    definitely certainly of thats i we you bingo spot true aye affirmative precisely totally no nope nah not never
    negative
    afraid fraid guilty alas god lord heavens goodness gosh
    """
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the user answers: the sentences of the message, the one that asks (else the last), and its plain words."""

    sentences: tuple[str, ...]
    sentence: str
    question: bool
    bare: str
    asks_back: bool


@lru_cache(maxsize=64)
def _asked_in(said: str) -> _Asked | None:
    """What a message asks; each clause of the answer to it looks here."""
    sentences = tuple(sentence for found in _SENTENCES.findall(said) if (sentence := found.strip()))
    if not sentences:
        return None
    asking = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), sentences[-1])
    question = (
        asking.endswith("?")
        or asking.lower().rstrip(" .!").endswith((", you", ", and you"))
        or _ASKS_UNMARKED.match(asking) is not None
    )
    bare = _CHECKS.sub("", plain(asking).strip(" ?.!"))
    if question:
        bare = _last_question(bare)
    return _Asked(sentences, asking, question, bare, question and _ASKS_BACK.match(bare) is not None)


_CHECKS = re.compile(
    r"^(?:(?:just |let me )?(?:to )?(?:check|confirm|be sure|make sure|clarify|double-check|recap)(?: (?:that|if|"
    r"whether))?|"
    r"(?:am i|i am|are we) right (?:that|in thinking|in saying)(?: that)?|correct me if i am wrong|if i (?:remember|"
    r"understand|"
    r"recall)(?: (?:you )?(?:right|rightly|correctly))?|is it (?:right|true|correct) that|let me get this "
    r"straight)[,:]* "
    r"(?=(?:you|your)\b)",
    re.IGNORECASE,
)
_ASKS_UNMARKED = re.compile(
    r"^(?:(?:so|and|but|well|oh|hey|hi|cool|nice|wow|ok|okay|awesome|great|haha|lol)[\s,]+)*(?:(?:what|where|which|"
    r"who|when|"
    r"how)(?:['’]?s)?(?: [\w'-]+){0,3}? (?:you|your)\b(?! (?:mean|said)\b)|(?:do|did|are|were|have) you\b|"
    r"(?:(?:please )?tell me|remind me|i (?:wonder(?:ed)?|was wondering)|i['’]d (?:like|love) to (?:know|ask))"
    r"(?: about)? (?:what|where|which|who|when|how|if|whether)\b|(?:got "
    r")?any [a-z]+)",
    re.IGNORECASE,
)
_SAME_CHARACTERS_MAX = 60
_BEFORE_ANSWER_WORDS_MAX = 3
_ECHOES = re.compile(r"^(?:oh |ah |well |why |haha |um |hmm |uh )*(?:i|we) ", re.IGNORECASE)


def _said_to(utterance: Utterance) -> str:
    """The message that the user's answers: the last one, if it is somebody else's."""
    role, said = utterance.context[-1] if utterance.context else ("", "")
    if role not in ("assistant", "peer", "user") and len(utterance.context) > 1:
        role, said = utterance.context[-2]
    return said if role in ("assistant", "peer") else ""


_ASKS = re.compile(
    r"(?<=\w )(?:(?:so |and |but )?(?:what|which|where|when|who|how)\b(?: [\w'-]+){0,4}? (?:do|does|did|are|is|was|"
    r"were|have|can|would) (?:you|your)\b|(?:do|did|are|were|have|can|is|does) (?:you|your)\b|"
    r"ever (?:been|had|tried|seen|read|played)\b)",
    re.IGNORECASE,
)


def _last_question(asked: str) -> str:
    """The question in a sentence that runs on without marks: "I have two you do you have any" → "do you have any"."""
    last = None
    for found in _ASKS.finditer(asked):
        before = asked[: found.start()].lower().split()
        if len(before) > 2 and before[-1] not in _BEFORE_QUESTION and _WH_WORDS.isdisjoint(before[-6:]):
            last = found
    return asked[last.start() :] if last else asked


_WH_WORDS = wordset("what which where when who how why whose what's")
_BEFORE_QUESTION = wordset(
    """
    what which where when who how that if whether kind sort type many much long often of to in on at for with old music
    food books movies work games sports job things ever also not and or so than
    """
)
_ASKS_BACK = re.compile(
    r"^(?:.*[\s,.])?(?:(?:what|how) about (?:you|yours|yourself)|and (?:you|yours|yourself)|[hw]bu)$|"
    r"^(?:.*,\s*)?(?:you|yours|yourself)$",
    re.IGNORECASE,
)
_ASKED_OF = re.compile(
    r"^(?P<head>my favou?rite [\w' -]+? (?:is|are)(?: probably)?|I (?:also |really |mostly |just )*(?:live in|am from|"
    r"work (?:as|for|at|in)|like to|love to|like|love|enjoy|prefer|collect|play|watch|have|am)) (?P<what>.+)$",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(
    r"^(?:i|we|my|our|you|it|he|she|they|not|no|yes|nothing|none|me|mine|same|that|this)\b|\b(?:am|is|are|was|were|do|"
    r"did|have|has|had|will|would|can|too)\b",
    re.IGNORECASE,
)
_ANSWER_WORDS_MAX = 6


def _in_turn(asked: _Asked, words: str) -> Whole | None:
    """ "I live in Rome. What about you?" / "Ghent" → "I live in Ghent": the answer takes the place of theirs."""
    told = _BACK_TAIL.sub("", stripped(plain(asked.sentence)).strip(" ?.!"))
    if len(told.split()) < 3:
        previous = max(0, asked.sentences.index(asked.sentence) - 1)
        told = stripped(plain(asked.sentences[previous])).strip(" ?.!")
    answer = re.sub(r"^(?:just|only|probably|definitely|mostly|mainly) (?=\w)", "", stripped(words))
    found = _ASKED_OF.match(told)
    if not found or not answer or len(answer.split()) > _ANSWER_WORDS_MAX or _OWN_WORDS.search(answer):
        return None
    head, what = found["head"], found["what"].lower()
    first = answer.split()[0].lower()
    if not head.endswith(" to") and is_base(first) and not is_noun(first):
        return None
    if re.search(r" (?:have|am)$", head) and not re.match(
        r"(?:a|an|two|three|four|\d+|just|my|only)\b", answer.lower()
    ):
        return None
    if head.endswith(" am") and (answer[:1].isdigit() != what[:1].isdigit() or not re.match(r"an?\b|\d", what)):
        return None
    return Whole(f"{head} {answer[:1].lower()}{answer[1:]}" if answer[:2] in ("A ", "My") else f"{head} {answer}")


_BACK_TAIL = re.compile(
    r"[\s,.!]+(?:(?:so )?(?:(?:what|how) about|and) (?:you|yours|yourself)|you|yourself|hbu|wbu)$", re.IGNORECASE
)


def without_question_back(text: str, asks: bool = False) -> str:
    """The text without the question that it ends in: "I am 46 how about you" → "I am 46".

    `asks`: a question mark follows, so that any question to the other may be its end ("I love rock, who is your …").
    """
    if asks and (found := _OTHER_QUESTION.search(text)) and " " in text[: found.start()]:
        return text[: found.start()]
    if not text.lower().endswith(_BACK_ENDS):
        return text
    shorter = _BACK_QUESTION.sub("", text)
    return shorter if " " in shorter else text


_YES_OR_NO = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|yea|no|nope|nah|not really|maybe so|never mind)[\s,.!]+)+(?=(?:i|we|my|our|me and|just a|"
    r"only a|not (?:yet|anymore|really))\b)(?!i (?:do|am|did|have|can|was)(?: not)?[\s.!]*$)",
    re.IGNORECASE,
)


def without_yes_or_no(text: str) -> str:
    """The text without the yes or no before a statement of its own: "no I am from Rome" → "I am from Rome"."""
    if text[:1] in "yYnN" and (found := _YES_OR_NO.match(text)):
        return text[found.end() :]
    return text


_OTHER_QUESTION = re.compile(
    r"(?:,? (?:and|so|but)|,| (?=(?:do|did|can|have|are) you\b))? ?\b(?:(?:who|what|where|how|which)(?:s|'s)?"
    r"(?: [\w'-]+){0,3}? (?:your|you)\b|(?:do|did|can|have|are|is) (?:you|your)\b|ever been\b)[^,.!]*$",
    re.IGNORECASE,
)
_BACK_ENDS = ("you", "yours", "yourself", "hbu", "wbu")
_BACK_QUESTION = re.compile(
    r"(?:[\s,.!]+(?:(?:and|so|but) )?(?:what|how)(?: about| 'bout| bout| are| is| do)? (?:you|yours|yourself)|"
    r"[\s,.!]+and (?:you|yours|yourself)|\s*[,.!]\s*you|[\s,.!]+[hw]bu)$",
    re.IGNORECASE,
)


_ANY = re.compile(r"\b(?:any|a|an|some)\s+((?:[\w-]+ ){0,2}?[\w-]+)$", re.IGNORECASE)
_ANY_WORD = re.compile(r"\bany\s+")
_COUNTED = re.compile(
    r"^(?:just |only |about |around |we have |i have |i've got |have )?(?P<count>\d+|one|two|three|four|five|"
    r"six|seven|eight|nine|ten|a couple|a few|several|many)(?: of them)?[\s.!]*$",
    re.IGNORECASE,
)


_HAVING = re.compile(r"^(?:I have|I own|I keep)\b")
_HAD = re.compile(r"^(?:I have|I own|I keep)\s+((?:[\w-]+ ){0,2}?[\w-]+)$")
_ARTICLES = re.compile(r"\b(?:any|an?) $")
_COUNTED_THING = re.compile(r"^(?:a|an|two|three|four|some|one|my|\d+)\s+\w+", re.IGNORECASE)
_ADVERBIAL = re.compile(
    r"^(?:(?:in|at|since|for|to|with|every|on|from|about|called|as|near|by|only when|only in|mostly|when|whenever|"
    r"once a|"
    r"twice a|all)\s|(?:sometimes|often|usually|occasionally|daily|rarely|a lot)\b)",
    re.IGNORECASE,
)
_SUBJECT_AND_VERB = 2
# "Do you smoke?" / "Yes, ten a day".
_RATE = re.compile(
    r"^(?:(?:about|around|maybe|roughly|some|at least|at most|up to|only|just) )*(?:\d[\d.,-]*|an?|half an?|one|two|"
    r"three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|a couple|a few)\b"
    r"(?: [\w'-]+){0,3}? (?:an?|per|each|every) (?:day|night|morning|evening|week|weekend|month|year|hour)$",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:but|not|no|never|used to|years ago|depends|if|kind of|sort of|long ago|or)\b", re.IGNORECASE
)
_GOES_ON = re.compile(r"^(?:i|we|my|our|but|and|it|he|she|they|the|because)\b", re.IGNORECASE)


def _affirmed(question: str, remainder: str, asked: bool) -> Whole | None:
    """A yes and what follows it: "yes, three" counts, "yes, in Leeds" adds, "yes, exactly" only confirms."""
    said = statement(question)
    if said is None:
        return None
    remainder = remainder.strip(" ,.!")
    chooses = re.search(r"\bor\b", said) is not None
    bare = _ANY_WORD.sub("", said)
    if _YES_TAIL.match(remainder):
        return None if chooses else Whole(bare, confirmed=True)
    counted, noun, length = _COUNTED.match(remainder), _ANY.search(said) or _HAD.search(said), len(remainder.split())
    if counted and noun:
        return Whole(f"{_ARTICLES.sub('', said[: noun.start(1)])}{counted['count']} {noun[1]}")
    if noun and length <= 10 and _COUNTED_THING.match(remainder):
        return Whole(f"I have {remainder}") if _HAVING.match(said) else None
    if length <= 8 and _ADVERBIAL.match(remainder):
        return Whole(f"{bare} {remainder}")
    if length <= 8 and _RATE.match(remainder):
        return Whole(f"{bare} {remainder}" if len(bare.split()) == _SUBJECT_AND_VERB else f"{bare}, {remainder}")
    if _GOES_ON.match(remainder) or "," in remainder:
        return Whole(bare, confirmed=True, rest=remainder) if asked and not chooses else None
    if asked and length <= 3 and remainder[:1].isupper() and said.startswith("I have"):
        return Whole(f"I have {remainder}")
    if asked and not chooses and length <= 10 and not _TAKES_BACK.search(remainder):
        return Whole(bare, confirmed=True, rest=remainder)
    return None


def _denied(question: str, remainder: str, asked: bool) -> Whole | None:
    """A bare no denies the statement; "no, in Graz" puts another value in its place; "no, I rent" denies and states."""
    said = statement(question)
    if said is None:
        return None
    remainder = remainder.strip(" ,.!")
    instead = re.match(r"^(in|at|on|from|for|as|to|near|with) \S", remainder, re.IGNORECASE)
    if instead:
        head = said.rpartition(f" {instead[1].lower()} ")[0]
        return Whole(f"{head} {remainder}", corrects=True) if head and len(remainder.split()) <= 6 else None
    bare = _NO_TAIL.match(remainder) is not None
    states = asked and not bare and _STATES_SELF.match(remainder) is not None
    if not (bare or states) or re.search(r"\bor\b", said):
        return None
    if states and said.split()[1:2] == plain(remainder).split()[1:2]:
        return None
    negated = negate(said)
    return Whole(re.sub(r"\bsome\b", "any", negated), rest=remainder if states else "") if negated else None


_STATES_SELF = re.compile(
    r"^(?:i|i'm|im|i've|my|we) (?!do\b|did\b|guess|think|wish|hope|mean|know)\w+ \w", re.IGNORECASE
)
_SHARES = re.compile(
    r"^(?:I (?!think|guess|know|mean|agree|wish|hope|see|understand|bet|heard|forgot|wonder|suppose|believe|said|"
    r"need to "
    r"go|have to|am (?:sorry|glad|happy|fine|good|great|ok|okay|sure|doing|well|called)\b|am [A-Z]|was just)|"
    r"my favou?rite [\w' -]+ (?:is|are) |[A-Za-z][\w' -]{2,40} (?:is|are) my (?:all[- ]time |absolute |"
    r"very )*favou?rite)"
)
_NEGATIVE = re.compile(r"\b(?:not|never|no|cannot|hate|dislike)\b")
_HANGS = re.compile(
    r"\b(?:you|your|it|its|them|they|their|there|that|those|these|this|he|she|him|her|his|one|ones|too|either)\b|"
    r"\b(?:I|my) .* I (?!have|am)",
    re.IGNORECASE,
)
_SHARED_WORDS_MAX = 14


def _same(sentences: tuple[str, ...], negative: bool, utterance: Utterance) -> Whole | None:
    """ "Me too": the last thing that the other said of themselves, if it stands alone."""
    told = [*_told_of_self(sentences)]
    if negative:
        told = [(words, sentence) for words, sentence in told if _NEGATIVE.search(words)]
    for words, _ in told:
        if not _HANGS.search(words):
            return Whole(words, confirmed=True)
    for words, sentence in told[:2]:
        meant = _as_the_other_means(words, sentence, utterance)
        if meant:
            return Whole(meant, confirmed=True)
    return None


def _told_of_self(sentences: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What the other said of themselves, the last first: the clause, and the sentence it stands in."""
    for sentence in reversed([each for each in sentences if not each.endswith("?")]):
        spelled = plain(sentence)
        for start, end in reversed(list(seams(spelled, 0, len(spelled)))):
            words = _LEADS.sub("I ", stripped(spelled[start:end]))
            words = re.sub(r"^My\b", "my", words)
            first = words.split(" ", 1)[0]
            if first != "I" and is_common_noun(first):
                words = f"{words[:1].lower()}{words[1:]}"
            if _SHARES.match(words) and len(words.split()) <= _SHARED_WORDS_MAX:
                yield words, sentence


_SWAPPED_ROLES = {"user": "peer", "peer": "user", "assistant": "user"}


def _as_the_other_means(words: str, sentence: str, utterance: Utterance) -> str | None:
    """What the other said of themselves, with their pronouns replaced by what the user spoke of before."""
    if _OF_YOU.search(words):
        return None
    said = _said_to(utterance)
    turned = tuple((_SWAPPED_ROLES.get(role, role), text) for role, text in utterance.context[:-1][-3:])
    before = said[: max(0, said.find(sentence))]
    meant = resolved(words, before, replace(utterance, text=said, context=turned))
    return meant if meant and not _HANGS.search(meant) and len(meant.split()) <= _SHARED_WORDS_MAX else None


_OF_YOU = re.compile(r"\b(?:your?|yours|yourself|my|mine|our)\b", re.IGNORECASE)
_LEADS = re.compile(r"^I (?:(?:also|really|just|actually|especially) )+|^I (?=am also )")


_CORRECTING = ("*", "i mean", "not ", " sorry", " oops", " typo", " my bad", " my mistake")
_CORRECTION_STARTS = (
    "oh", "ah", "oops", "ups", "whoops", "wait", "no", "sorry", "my bad", "my mistake", "correction", "actually",
    "scratch", "hang on", "pardon", "typo", "edit", "apologies", "make that", "that should", "it should", "should", "*",
)  # fmt: skip


_NONE_OF = re.compile(r"no (?!wait\b|sorry\b|actually\b|i mean|make\b|it\b|that\b)[a-z]+ [a-z]", re.IGNORECASE)


_CRY = (
    r"(?:(?:oh|ah|aa?rgh|gah|ugh|bah|eek|oops|ups|whoops|er|erm|um|uh|hm+|d['’]?oh|duh|da[mn]n|dang|darn|drat|blast|"
    r"crap|"
    r"shoot|lol|haha|no|nope|wait|sorry|hang on|hold on|my bad|silly me)[\s,.!:…-]+)*"
)
_ANEW = re.compile(
    rf"^{_CRY}(?P<new>\d[\d.,:]*(?<=\d)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ][a-z]+)?)(?:[\s,.!]+(?P=new))?"
    r"(?:[,!.…]+ (?P<excuse>[^\W\d][^\d,]*))?[\s,.!…]*$",
    re.IGNORECASE,
)
_EXCUSE_WORDS_MAX = 5
_NO_EXCUSE = re.compile(
    r"(?:please|pls|thanks|thank you|thx|cheers|actually|for|and|but|of|at|in|on|with|to|per|or|if|so|what|how|is|are|"
    r"maybe|right|ok|okay)\b|.*\?",
    re.IGNORECASE,
)


def value_anew(words: str) -> str | None:
    """The number that a clause says once more, with a cry or an excuse at most: "gah, 1978, clumsy thumbs"."""
    if len(words) > _ANEW_CHARACTERS_MAX or _HAS_NUMBER.search(words) is None:
        return None
    found = _ANEW.match(words)
    excuse = (found["excuse"] or "") if found else ""
    if found is None or len(excuse.split()) > _EXCUSE_WORDS_MAX or (excuse and _NO_EXCUSE.match(excuse)):
        return None
    return found["new"].lower()


_ANEW_CHARACTERS_MAX = 60
_HAS_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|teen\b|ty\b", re.IGNORECASE
)


def _put_anew(new: str, before: str, utterance: Utterance) -> Whole | None:
    """What the user said just before with its only number of that sort put right; None where others spoke since."""
    role, last = utterance.context[-1] if utterance.context else ("", "")
    said = f"{last}\n{before}" if role == "user" else before
    for sentence in reversed([stripped(plain(each)) for each in _SENTENCES.findall(said) if each.strip(" .!?")]):
        sort = _NUMBER if new[0].isdigit() else _A_NUMBER
        old = [each for each in sort.finditer(sentence) if not new[0].isdigit() or len(each[0]) == len(new)]
        if len(old) == 1 and old[0][0].lower() != new and " " in sentence:
            return Whole(f"{sentence[: old[0].start()]}{new}{sentence[old[0].end() :]}", corrects=True)
    return None


def _correction(words: str, before: str, utterance: Utterance) -> Whole | None:
    """A correction of one value in what the user said last: a number for a number, a name for a name."""
    anew = value_anew(words)
    whole = _put_anew(anew, before, utterance) if anew else None
    if whole:
        return whole
    lowered = words.lower()
    may = mentions(lowered, _CORRECTING) or lowered.startswith(_CORRECTION_STARTS)
    may = may and _NONE_OF.match(words) is None
    found = _CORRECTS.match(words) if may and len(words.split()) <= _CORRECTION_WORDS_MAX else None
    if not found:
        return None
    new = (found["new"] or found["new2"] or found["new3"] or found["new4"] or found["new5"] or "").strip(" ,.!*")
    if (
        not new
        or len(new.split()) > 6
        or re.match(
            r"^(?:i|we|my|that|it|you|he|she|they|sorry|please|thanks|thank|never|not|mind|ok|okay)\b|.* (?:is|"
            r"are|was|were)\b",
            new,
            re.IGNORECASE,
        )
    ):
        return None
    said = [before] if before.strip() else []
    said += [text for role, text in reversed(utterance.context[-4:]) if role == "user"][:1]
    for place in said:
        sentences = [stripped(each) for each in _SENTENCES.findall(plain(place)) if each.strip(" .!?")]
        for sentence in reversed(sentences):
            replaced = _replaced(sentence, new) or (_respelled(sentence, new) if "*" in words else None)
            if replaced:
                return Whole(replaced, corrects=True)
    return None


_NUMBER_NAMES = (
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|"
    r"eigh|"
    r"nine)ty(?:[- ][a-z]+)?)\b"
)
_ORDINALS = (
    r"\b(?:(?:[a-z]+ty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|"
    r"[a-z]+teenth|[a-z]+tieth|\d+(?:st|nd|rd|th))\b"
)
_DAYS = r"(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)"
_MONTHS = r"(?i:\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
_A_NUMBER = re.compile(_NUMBER_NAMES)
_AN_ORDINAL = re.compile(_ORDINALS)
_ORDINAL_WORDS_MAX = 3
_LIKE_FOR_LIKE = (
    (re.compile(r"^an? \w"), re.compile(r"\ban? [\w-]+$")),
    (re.compile(r"^my \w"), re.compile(r"\bmy [\w-]+$")),
    (re.compile(r"^the \w"), re.compile(r"\bthe [\w-]+$")),
    (re.compile(rf"^{_DAYS}$"), re.compile(_DAYS)),
    (re.compile(rf"^{_MONTHS}$"), re.compile(_MONTHS)),
    (re.compile(rf"^{_NUMBER_NAMES}$"), re.compile(_NUMBER_NAMES)),
    (re.compile(rf"^{_NUMBER_NAMES} \w"), re.compile(rf"{_NUMBER_NAMES} [\w-]+$")),
)


_RESPELLED_MIN = 0.6


def _respelled(sentence: str, new: str) -> str | None:
    """The sentence with the word that a starred one spells anew: "i live in Brusels" / "*Brussels"."""
    if " " in new or len(new) < _RESPELLED_CHARACTERS_MIN:
        return None
    known = {word.lower(): word for word in re.findall(r"[\w'’-]+", sentence)}
    alike = difflib.get_close_matches(new.lower(), [word for word in known if word != new.lower()], 1, _RESPELLED_MIN)
    return re.sub(rf"\b{re.escape(known[alike[0]])}\b", new, sentence) if alike else None


_RESPELLED_CHARACTERS_MIN = 4


def _replaced(sentence: str, new: str) -> str | None:
    """The sentence with its last value of the same sort replaced: a number, a name, or "a dog" for "a cat"."""
    new = re.sub(r"^(?:on|in|at|to|from|for|with)\s+(?=[A-Z0-9])", "", new)
    nth = _AN_ORDINAL.search(new)
    if nth and len(new.split()) <= _ORDINAL_WORDS_MAX:
        ranks = list(_AN_ORDINAL.finditer(sentence))
        return f"{sentence[: ranks[-1].start()]}{nth[0]}{sentence[ranks[-1].end() :]}" if ranks else None
    number = _NUMBER.search(new)
    if number and not _NUMBER.search(sentence) and len(new.split()) == 1:
        words = list(_A_NUMBER.finditer(sentence))
        return f"{sentence[: words[-1].start()]}{new}{sentence[words[-1].end() :]}" if words else None
    if number or new[:1].isupper():
        values = list((_NUMBER if number else _PROPER).finditer(sentence))
        value = number[0] if number else new
        return f"{sentence[: values[-1].start()]}{value}{sentence[values[-1].end() :]}" if values else None
    for sort, place in _LIKE_FOR_LIKE:
        old = place.search(sentence) if sort.match(new) else None
        if old and len(new.split()) <= 3:
            return f"{sentence[: old.start()]}{new}{sentence[old.end() :]}"
    return None
