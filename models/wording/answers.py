"""Short answers and corrections made whole from what they answer (X3): the result is a first-person sentence.

"Which city do you live in?" / "Porto." → "I live in Porto". "Are you a vegetarian?" / "No, I'm not." → "I am not a
vegetarian". "My rent is 900 a month." / "Sorry, 950 I mean." → "My rent is 950 a month".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.claims import Utterance
from models.wording.questions import filled, negate, statement
from models.wording.spelling import plain, stripped


@dataclass(frozen=True, slots=True)
class Whole:
    """A short answer made a sentence. `confirmed`: all of its content is the question's, only the yes is the user's."""

    text: str
    confirmed: bool = False
    corrects: bool = False


_YES = re.compile(
    r"^(?:oh |ah |well |why |haha |um |hmm |uh )*(?:yes|yeah|yea|yep|yup|ya|yes please|exactly|correct|right|"
    r"that's right|that is right|that's correct|that is correct|indeed|sure|sure do|absolutely|definitely|"
    r"certainly|of course|i do|i am|i did|i have|i can|i was|we do|we are|we did|we have|you got it|bingo|"
    r"spot on|true|that's true|that is true|aye|affirmative|precisely|totally)\b[\s,.!]*",
    re.IGNORECASE,
)
_YES_TAIL = re.compile(
    r"^(?:(?:i|we) (?:do|am|did|have|can|was|are|will|would|sure do|really do|certainly do)|exactly|correct|"
    r"right|that's right|that is right|that's correct|that's true|indeed|it is|it does|they are|they do|he is|"
    r"she is|you got it|very much so|very much|of course|absolutely|definitely|totally|for sure|always|sure|"
    r"you are right|you're right|please|yes|yeah|i certainly do|it's true|it is true|spot on|that's it|"
    r"that is it|unfortunately|sadly)?[\s,.!]*$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:oh |ah |well |um |hmm |uh |actually )*(?:no|nope|nah|not really|not at all|not anymore|not any more|"
    r"never|negative|i don't|i do not|i'm not|i am not|i haven't|i have not|i didn't|i did not|i can't|"
    r"i cannot|i never have|i never did|we don't|we haven't|not yet)\b[\s,.!]*",
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
    r"^(?:me too|same here|same|so do i|so am i|i do too|i am too|me as well|as do i|likewise|i also do|"
    r"me also|ditto)[\s,.!]*$",
    re.IGNORECASE,
)
_SAME_NOT = re.compile(
    r"^(?:me neither|me either|neither do i|nor do i|neither am i|neither have i|i don't either|"
    r"i do not either)[\s,.!]*$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:(?:oh|ah|oops|ups|whoops|wait|no wait|no|sorry|my bad|my mistake|correction|actually|scratch that|"
    r"hang on|pardon|typo|edit|apologies)[\s,.!:]+)+(?:i meant?\b|make that|make it|it's|it is|that's|"
    r"that is|should be|that should be|it should be|i meant to say)?[\s,:]*(?P<new>.+?)(?:[\s,]+(?:i meant?|sorry|"
    r"not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?:i meant?\b(?: to say)?|make that|that should be|it should be|should be|\*)[\s,:]*(?P<new2>.+?)"
    r"(?:[\s,]+(?:sorry|not .+|instead(?: of .+)?))*[\s.!]*$|"
    r"^(?P<new3>.+?)[\s,]+(?:i meant?|not .+)[\s.!]*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d[\d.,]*\d|(?<![\w.])\d")
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")


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
    whole = filled(bare, words) if question else None
    return Whole(whole) if whole else None


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
_ADVERBIAL = re.compile(r"^(?:in|at|since|for|to|with|every|on|from|about|called|as|near|by)\s", re.IGNORECASE)
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
    if _GOES_ON.match(remainder) or "," in remainder:
        return Whole(bare, confirmed=True) if asked and not chooses else None
    if asked and length <= 3 and remainder[:1].isupper() and said.startswith("I have"):
        return Whole(f"I have {remainder}")
    return None


def _denied(question: str, remainder: str) -> Whole | None:
    """A bare no denies the statement; "no, in Graz" puts another value in its place."""
    said = statement(question)
    if said is None:
        return None
    remainder = remainder.strip(" ,.!")
    instead = re.match(r"^(in|at|on|from|for|as|to|near|with) \S", remainder, re.IGNORECASE)
    if instead:
        head = said.rpartition(f" {instead[1].lower()} ")[0]
        return Whole(f"{head} {remainder}", corrects=True) if head and len(remainder.split()) <= 6 else None
    if not _NO_TAIL.match(remainder) or re.search(r"\bor\b", said):
        return None
    negated = negate(said)
    return Whole(re.sub(r"\bsome\b", "any", negated)) if negated else None


def _same(asked: str, negative: bool) -> Whole | None:
    words = stripped(plain(asked)).strip(" ?.!")
    shared = re.match(
        r"^I (?:also |really |just |actually )*(?:like|love|enjoy|hate|prefer|dislike|live|work|"
        r"play|read|watch|drink|eat|speak|collect|am (?:a|an|from|in|into)|have (?:a|an|two|three)|"
        r"do not (?:like|eat|drink|have))\b",
        words,
    )
    if not shared or len(words.split()) > 12 or " you" in words:
        return None
    return Whole(words, confirmed=True)


def _correction(words: str, before: str, utterance: Utterance) -> Whole | None:
    """A correction of one value in what the user said last: a number for a number, a name for a name."""
    found = _CORRECTS.match(words)
    if not found or len(words.split()) > 12:
        return None
    new = (found["new"] or found["new2"] or found["new3"] or "").strip(" ,.!*")
    if (
        not new
        or len(new.split()) > 6
        or re.match(
            r"^(?:i|we|my|that|it|you|he|she|they|sorry|please|thanks|thank|never|not|mind|ok|okay)\b",
            new,
            re.IGNORECASE,
        )
    ):
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


_NUMBER_NAMES = r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
_LIKE_FOR_LIKE = (
    (re.compile(r"^an? \w"), re.compile(r"\ban? [\w-]+$")),
    (re.compile(r"^my \w"), re.compile(r"\bmy [\w-]+$")),
    (re.compile(r"^the \w"), re.compile(r"\bthe [\w-]+$")),
    (re.compile(rf"^{_NUMBER_NAMES}$"), re.compile(_NUMBER_NAMES)),
    (re.compile(rf"^{_NUMBER_NAMES} \w"), re.compile(rf"{_NUMBER_NAMES} [\w-]+$")),
)


def _replaced(sentence: str, new: str) -> str | None:
    """The sentence with its last value of the same sort replaced: a number, a name, or "a dog" for "a cat"."""
    new = re.sub(r"^(?:on|in|at|to|from|for|with)\s+(?=[A-Z0-9])", "", new)
    number = _NUMBER.search(new)
    if number or new[:1].isupper():
        values = list((_NUMBER if number else _PROPER).finditer(sentence))
        value = number[0] if number else new
        return f"{sentence[: values[-1].start()]}{value}{sentence[values[-1].end() :]}" if values else None
    for sort, place in _LIKE_FOR_LIKE:
        old = place.search(sentence) if sort.match(new) else None
        if old and len(new.split()) <= 3:
            return f"{sentence[: old.start()]}{new}{sentence[old.end() :]}"
    return None
