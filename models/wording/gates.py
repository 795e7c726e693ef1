"""What a clause must not be to be written at all (X6), and what makes it less or more sure (X12)."""

from __future__ import annotations

import re

from models.wording.lists import mentions, wordset

_TRANSIENT = re.compile(
    r"\b(?:order|tracking|ticket|invoice|booking|reservation|confirmation|reference|case|serial|account|claim|policy|"
    r"transaction|flight|parcel|package|shipment|delivery|job) (?:number|no\.?|id|code|ref(?:erence)?|#)|#\d{3,}|"
    r"\b(?:order|tracking|ticket|invoice|booking|reservation|claim|parcel|shipment|case|"
    r"quote) [A-Z]{0,4}[-/]?\d[\dA-Z/-]{2,}|"
    r"\b(?:am|was|were|been|being|got) (?:over)?(?:charged|quoted|billed|invoiced|refunded)\b|"
    r"\bpa(?:id|y|ying) .*\d.* for (?:the |my |an? )?(?:express|delivery|shipping|postage|order|parcel|"
    r"ticket|repair)\b|"
    r"\b(?:the |my )?(?:quote|estimate|total|bill|invoice|price|fee|charge)s? (?:was|is|came to|comes to|were|"
    r"of)\b.*\d|"
    r"\bfor (?:lunch|dinner|breakfast|supper|brunch) (?:today|tonight|yesterday|this)|"
    r"\b(?:had|ate|having|eating|made|cooked|cooking) .{1,40} (?:for (?:lunch|dinner|breakfast|supper|"
    r"brunch))\b(?! every)|"
    r"\b(?:error|exception|stack ?trace|traceback|segfault|null pointer|undefined|404|500 error|bug in|"
    r"compil\w+|debugg\w+|"
    r"crash(?:es|ed|ing)?|npm|pip install|localhost|syntax)\b|"
    r"\b(?:a bit of (?:a )?|slight |splitting |bad |terrible |little )*(?:headache|stomach ?ache|sore throat|"
    r"runny nose|hangover|"
    r"tummy ache|nosebleed)\b(?! (?:disorder|condition))(?!s? (?:every|all the time|since|for years|frequently|often))",
    re.IGNORECASE,
)
_DEGREE = (
    r"(?:a bit |so |really |very |just |feeling |kind of |pretty |quite |super |still |too |a little |always |also )*"
)
_COURTESY = re.compile(
    rf"^I (?:am|feel|was) {_DEGREE}(?:hungry|thirsty|tired|sleepy|cold|hot|bored|busy|sick|ill|stuck|confused|"
    rf"lost|late|ready|back|here|done|"
    r"fine|good|great|ok|okay|well|sorry|sure|glad|not sure|happy|curious|impressed|excited|thankful|grateful)"
    r"(?: (?:today|right now|now|at the moment|this morning|tonight|this evening|again|then|thanks|too|yet|"
    r"with that|for now))*$|"
    rf"^I (?:am|was) {_DEGREE}(?:sure|glad|sorry|happy|certain|curious|afraid|surprised|impressed|grateful|"
    rf"thankful|pleased|jealous|lucky|not sure) "
    r"(?:that|you|it|we|they|he|she|to (?:hear|know|meet|help|see|talk|be)|about (?:that|it)|for (?:you|that)|"
    r"of (?:that|it)|if|what|how)\b.*|"
    rf"^I (?:am|was) {_DEGREE}(?:sure|sorry|certain|curious|surprised|impressed|not sure) (?:i|my)\b.*|"
    r"^I (?:hope|wish) (?:you|it|that|your|they|so)\b.*|^I (?:bet(?! on\b)|guess|suppose|assume|imagine)\b.*|"
    r"^I (?:can|could) (?:imagine|understand|see|relate|tell|agree|hear)\b.*|^I (?:will|would|"
    r"shall) (?:have to |need to |definitely |be sure to |probably )*"
    r"(?:try|check|give (?:it|that|you)|look (?:into|at|it)|keep|let you|do that|remember|be (?:there|back|"
    r"your)|take|see|think about|make sure|say|miss you|ask)\b.*|"
    r"^I (?:will|would|can|could|do|did|am|was|have|should|might|may|must|want to|hope so|think so|guess so|"
    r"used to|plan to|try to|need to|love to|promise|tried)(?: not)?$|"
    r"^I (?:have )?(?:only |never )?heard (?:of|about|that|good|great|so|a lot|many|it)\b.*|"
    r"^I (?:agree|see|understand|know(?! (?:a lot (?:about|of (?!people))|how to|several|every|all the|basic|two|"
    r"three|sign)\b)|get it|get that|do not know|mean it|appreciate (?:it|that|you)|hear you|"
    r"remember that|forgot|wonder|have to go|must go|"
    r"need to go|had no idea|did not know|do not mind|do not think so|do not blame|"
    r"love that for)\b(?:[\s,]*(?:that|it|right|too|what you mean|"
    r"that feeling|the feeling|with you|completely|totally|how you feel|how that (?:is|feels)|exactly|either|"
    r"if|why|what|how|you|a lot))*(?: .{0,25})?$|"
    r"^I (?:think|believe|find) (?:it|that|this|they|you|he|she|so)(?: (?:is|are|would be|sounds|could be|"
    r"will be|was|should)\b(?!(?: [\w-]+){1,3} (?:to|how|when|for) [a-z]+ [a-z]).*)?$|"
    r"^I (?:would|could) (?:not|never) (?:have the|be able|know|dare|last|survive|manage|trust)\b.*|"
    r"^I (?:think I |)(?:should|am going to|have to|need to|must|will) (?:head|get going|run|log off|sign off|go)"
    r"(?: (?:out|off|now|to bed|soon))*$|"
    r"^(?:I|we) (?:have|am|are) (?:half a|a good|half of a|in two) minds?\b.*|"
    r"^I (?:have|had) (?:a lot of |so much |lots of )?fun\b.*|^we (?:should|could|"
    r"can|have) (?:a lot in common|.*together)\b.*",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^I (?:want|need|would (?:like|love)|am (?:looking|trying|hoping)|wish|have|"
    r"will need) (?:you )?to (?:please )?(?:book|reserve|order|schedule|cancel|check|know|ask|rebook|confirm|"
    r"make (?:a |an )?(?:reservation|appointment|booking|payment|order|change)|return|exchange|track|look up|"
    r"find out|figure out|see (?:a|the|some)|hear|transfer|send|pay|rent (?:a|the)|get (?:a )?(?:refund|"
    r"tickets?|info\w*|help|quote)|"
    r"find (?:a|an|some|out|the) (?:restaurant|hotel|flight|place|movie|bus|doctor|dentist|therapist|salon|"
    r"event|song|apartment to)|change my (?:order|flight|password|booking|reservation|address)|reset|log in|"
    r"sign in)\b|"
    r"^I (?:want|need|would like) (?:a|an|the|some|two|three|\d+) (?:table|ticket|tickets|refund|room|"
    r"reservation|flight|taxi|cab|ride|recipe|list|summary|example|answer|link|quote)\b|^I (?:have|"
    r"would have) a (?:question|request|problem)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:might|(?:I|we|he|she|it|they|you) may|maybe|perhaps|possibly|not sure (?:if|whether)|toying with|"
    r"probably(?= (?:not|go|get|be|will)\b)|will probably|could be|i guess|who knows|not certain|potentially|"
    r"apparently)\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"^(?:correction|small correction|actually|no,|to be clear|let me correct|for the record)\b", re.IGNORECASE
)
_EMPHATIC = re.compile(
    r"\b(?:have|has) never\b|\bnot (?:a|an|the|my) .+ (?:any ?more|at all)$|\bnever (?:had|lived|been|owned|"
    r"worked|was)\b|\bno longer\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"^(?:I|we|We|my|My|our)\b")


def states_self(text: str) -> bool:
    """Whether a clause is about the user, and not a wish about what the assistant does."""
    return _SELF.match(text) is not None and not ("you" in text.lower() and _WISHES_OF_YOU.match(text))


_WISHES_OF_YOU = re.compile(
    r"^I (?:want|need|would (?:like|prefer|appreciate|rather|love)|expect|prefer|do not want|no longer (?:want|need|"
    r"wish|expect)|do not need|do not mind|"
    r"like it|do not like it|am (?:ok|fine|happy) with|allow)\b.*\byou\b",
    re.IGNORECASE,
)


# What introduces a quotation that was masked, or something not said: "my boss wrote", "she told me this".
_SPEECH = re.compile(
    r"\b(?:wrote|said|says|writes|replied|texted(?: me)?|told me|asked me|messaged me)"
    r"(?: (?:this|that|the following|back))?$",
    re.IGNORECASE,
)


_LOWER_WORDS = re.compile(r"[a-z]+")
_SPEECH_WORDS = wordset("wrote said says writes replied texted told asked messaged")
_PASSING_WORDS = wordset(
    """
    order tracking ticket invoice booking reservation confirmation reference case serial account claim policy
    transaction flight quote quotes estimate estimates total bill bills price prices fee fees charge charges
    parcel package shipment delivery job charged quoted billed invoiced refunded overcharged paid pay paying
    lunch dinner breakfast supper brunch error exception stack stacktrace traceback segfault null undefined bug
    compile compiles compiled compiling compiler debug debugging debugged crash crashes crashed crashing npm pip
    localhost syntax headache headaches stomach stomachache sore runny hangover tummy nosebleed number
    """
)
_HEDGES = (
    "might", "may", "perhaps", "possibly", "not sure", "toying", "probably", "could be", "i guess", "who knows",
    "not certain", "potentially", "apparently",
)  # fmt: skip


# What comes after "I" in what _COURTESY and _TASK match.
_PASSING_VERBS = wordset(
    """
    am feel was hope wish bet guess suppose assume imagine can could will would shall do did have had should might may
    must want used plan try need love promise tried only never heard agree see understand know get mean appreciate hear
    remember forgot wonder think believe find
    """
)


_IRONIC = re.compile(
    r"\U0001F644|(?<=\s)/s\W*$|"
    r"^\W*oh,? (?:yeah|yes|sure|great|joy|goody|how)\b(?=.*\b(?:just|so|really|absolutely) LOV)"
)


def ironic(message: str) -> bool:
    """Whether a message marks its praise as the opposite: rolled eyes, "/s", "oh yeah, I just LOVE …"."""
    return ("\U0001f644" in message or "/s" in message or "LOV" in message) and _IRONIC.search(message) is not None


def passing(text: str) -> bool:
    """Whether a plain clause is an order, a price, a passing symptom, debugging, courtesy or a task."""
    said = _LOWER_WORDS.findall(text.lower())
    may = said[:1] == ["we"] or (said[:1] == ["i"] and not _PASSING_VERBS.isdisjoint(said[1:2]))
    if may and (_COURTESY.match(text) or _TASK.match(text)):
        return True
    words = set(said)
    return ((not words.isdisjoint(_PASSING_WORDS) or "#" in text) and _TRANSIENT.search(text) is not None) or (
        not words.isdisjoint(_SPEECH_WORDS) and _SPEECH.search(text) is not None
    )


# "I just LOVE scrubbing ovens": a chore praised in capitals is mostly not meant.
_SARCASTIC = re.compile(r"\bjust LOVE (?:it when|how|when|[a-z]+ing)\b")


# "That's wrong, I never served": what takes back what was said, right before what denies it.
_TAKES_BACK = re.compile(
    r"(?:\b(?:that|this|it)(?: is|['’]?s| was)?(?: \w+)? (?:wrong|incorrect|untrue|false|nonsense|rubbish|"
    r"not (?:true|right|correct|so)|a (?:typo|mistake|slip|lie|joke|misunderstanding))|"
    r"\b(?:(?:oops|whoops|ups|argh)[,! ]*(?:no|wait)?|no[, ]+wait|wait[, ]+no|"
    r"not true|wrong|my mistake|my bad|correction|typo|correct(?: that| myself)?|scratch that|strike that|"
    r"i (?:misspoke|was wrong|was mistaken|was joking|lied|made (?:that|it) up|take (?:that|it) back)))"
    r"(?: (?:earlier|before|last time|of mine))?[\s,.:;!–—-]*(?:(?:and|but|because|actually|sorry|in fact)[\s,]*)*$",
    re.IGNORECASE,
)
_BACK_CHARACTERS = 80


def confidence_of(text: str, spelled: str, confidence: float, before: str = "") -> float:
    """The confidence after the clause's own words: hedges lower it to at most 0.6, corrections raise it to 0.93.

    `before` is what stands before the clause in its message: what takes back what was said.
    """
    lowered = text.lower()
    if mentions(lowered, _HEDGES) and _HEDGED.search(text):
        return min(confidence, 0.6)
    if " LOVE " in spelled and _SARCASTIC.search(spelled):
        return min(confidence, 0.6)
    denies = "never" in lowered or "not " in lowered or "no longer" in lowered
    opened = before + spelled[: spelled.find(text)] if denies and text in spelled else before
    taken_back = denies and opened and _TAKES_BACK.search(opened[-_BACK_CHARACTERS:]) is not None
    if taken_back or _CORRECTION.match(spelled) or (denies and _EMPHATIC.search(text)):
        return max(confidence, 0.93)
    return confidence
