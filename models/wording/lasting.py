"""What a clause tells lastingly of the user by its grammar alone, whatever its noun or verb (X3, X6).

"I have a glass eye", "I mind the boiler", "I was sworn in as a magistrate": first person, and a form that lasts. What
comes and goes, and what one has, does and is while at some task, is named here; all else may last.
"""

from __future__ import annotations

import re

from models.wording.spelling import plain, stripped
from models.wording.verbs import is_base, is_past

COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|no|any) "
SELDOM = r"(?:(?:also|still|always|usually|often|sometimes|really|mostly|now) )*"
UNSURE = re.compile(
    r"\b(?:if|would(?! rather\b)|could|might|maybe|should|when|you|your|this|that|it|these|those|here|there|not sure|"
    r"idea|problem|"
    r"question|issue|error|trouble|feeling|time|same|few|couple|bit|lot)\b(?! is (?:my|called|named) )(?!$(?<= here))",
    re.IGNORECASE,
)
_WORDS_MAX = 16
_CHARACTERS_MAX = 110


def _one_of(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MOMENT = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|just now|later|soon|so far|again|already|yet|first|"
    r"then|this (?:morning|afternoon|evening|week|weekend|month|time)|next (?:week|month|year|time)|at \d|\d(?:am|pm)|"
    r"in (?:an?|\d+) (?:minutes?|hours?|bit|moment))\b|"
    rf"\b(?:on|by|for|until|till|this|next) (?:{_WEEKDAY}|tomorrow|today|the \d)\b|\d(?:st|nd|rd|th)\b|"
    r"[$€£#/{}\[\]<>=_\\]",
    re.IGNORECASE,
)
# What one has for the time of a task or an errand, and what is nothing that one has.
_NOT_HELD = _one_of(
    """
    questions? requests? problems? issues? ideas? clue doubts? suggestions? plans? meetings? appointments? flights?
    trips? reservations? bookings? orders? tickets? interviews? exams? tests? quiz deadlines? dates? dinner lunch
    part(?:y|ies) events? calls? lists? files? documents? tables? data\\w* columns? rows? csv json class(?:es)?
    functions? scripts? codes? projects? assignments? tasks? essays? reports? papers? presentations? e?mails? messages?
    texts? paragraphs? sentences? numbers? budgets? prices? coupons? vouchers? accounts? balance bills? options?
    choices? reasons? feeling sense hunch chances? minutes? moments? seconds? hours? days? weeks? months? time while
    look try chat talk colds? cough fever headaches? crush favou?rs? concerns? complaints? quer\\w+ errors? bugs?
    arrays? strings? integers? variables? objects? tuples? vectors? matri\\w+ servers? containers? versions? drafts?
    links? pictures? images? photos? videos? pdfs? spreadsheets? lot lots bit few couple weekend vacation holiday stop
    layover connection seats? bags? rooms? nights? people guests? others? things? something stuff better more less good
    great point situation case example scenario conversation customers? client preferences? requirements? session
    lesson homework left
    """
)
_NOT_BEEN = _one_of("bit little lot mess idiot one person author owner user customer member guest passenger caller")
_NOT_AT = _one_of(
    """
    call phone train bus tram plane flight way line step road break page site website store version computer laptop mac
    machine network hurry rush mood middle meeting queue car taxi cab hotel room office shop same right wrong process
    position situation area chat channel directory folder file menu screen fence go move spot state place case
    """
)
# What one does once, or in the talk itself.
_NOT_DONE_LONG = _one_of(
    """
    want need hope wish think guess mean suppose know see understand agree believe feel find wonder remember forget get
    got try plan look(?!\\safter\\b) am are was were have has had will would can cannot could should may might must do
    did say said tell told ask hear notice assume prefer accept confirm require request order come go take leave arrive
    stay start begin end finish like love hate enjoy thank appreciate apologi[sz]e promise bet swear recommend suggest
    imagine expect intend mind care matter wait stand decide choose pick book check change cancel open close click
    press type enter add remove delete update install download upload move put set show send receive buy pay return let
    give make use run\\s(?:into|out) seem sound consider propose disagree doubt fail
    keep\\s(?:getting|seeing|having|trying)
    call cook\\sdinner read\\s(?:that|about) write\\s(?:an?|the|to) happen lose miss meet turn hold\\son
    """
)
_BECAME = _one_of(
    """
    sworn\\sin ordained appointed\\s(?:as\\s)?(?!an?\\sseat) elected knighted adopted raised fostered home-?schooled
    bapti[sz]ed christened diagnosed drafted conscripted inducted called\\sto\\sthe\\sbar named\\safter widowed orphaned
    evacuated naturali[sz]ed
    """
)
_NOT_LOST = _one_of(
    "password keys? phone wallet card ticket bag luggage order connection files? data work job temper mind way account"
)
_OF_BODY = _one_of(
    "hair eyes? skin teeth tooth nose ears? hands? feet foot legs? arms? knees? hips? back heart hearing eyesight "
    "voice "
    "accent blood beard"
)
_FEELING = _one_of("so very too killing hurting cold sore tired fine ok okay good bad broken")
_CHILD = r"an? (?:child|kid|boy|girl|teenager|teen|student|young (?:man|woman|girl|boy))"
_YEARS = "(?:teens|twenties|thirties|forties|youth|childhood)"
_SHORT = r"(?:[\w'-]+ ){0,2}?"
_LASTS = re.compile(
    rf"I am (?:also |now |still )?(?:an?|the) (?!{_SHORT}{_NOT_BEEN}\b)\S|"
    rf"I am (?:also |now |still )?(?:on|in) (?:an?|the) (?!{_SHORT}{_NOT_AT}\b)\S|"
    rf"(?:I|[Ww]e) (?:(?:also|still|only|just|both|now) )*(?:own|have(?: got)?) "
    rf"{COUNT}(?!{_SHORT}{_NOT_HELD}\b(?!-))\S|"
    rf"(?P<past>(?:.{{3,30}}? )?I was (?:[a-z]+ly )?{_BECAME}\b|"
    rf"(?:.{{3,30}}? )?(?:I|[Ww]e) (?:have )?(?:lost (?:an?|my|both|two) (?!(?:[\w'-]+ )?{_NOT_LOST}\b)|"
    r"survived|became|have become|won (?:an?|the)|founded|emigrated|fled|escaped|served in|graduated|"
    r"studied|trained (?:as|in)|qualified (?:as|in)|apprenticed|went to (?:school|university|college)|dropped out|"
    r"fought)\b)|"
    rf"(?:[Aa]s {_CHILD}|[Ii]n my {_YEARS}|[Gg]rowing up),? (?:I|we) (?P<then>[a-z]+) \S|"
    rf"(?:I|[Ww]e) (?P<young>[a-z]+) .*\b(?:as {_CHILD}|in my {_YEARS}|growing up)$|"
    rf"(?:I|[Ww]e) (?:have )?(?:bought|built|inherited|purchased|rescued) {COUNT}(?!{_SHORT}{_NOT_HELD}\b(?!-))\S|"
    r"(?:I|[Ww]e) (?:once|twice|famously) (?P<once>[a-z]+) \S|"
    r"(?:I|[Ww]e) (?:was|were|spent|lived|worked|served) .*\b(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|"
    r"many|several|some) "
    r"(?:years|decades)\b|"
    rf"[Mm]y (?:(?:left|right|natural|real|own) )?{_OF_BODY} (?:is|are) (?!{_FEELING}\b)\S|"
    rf"(?:I|[Ww]e) {SELDOM}(?!{_NOT_DONE_LONG}\b)(?P<verb>[a-z]+) \S"
)


_SLIGHTLY = re.compile(r" a (?:bit|lot|little)\b(?! of\b)")


def tells_lastingly(text: str) -> bool:
    """Whether a clause tells, by its grammar, of what one lastingly is, has, does or went through."""
    if len(text) > _CHARACTERS_MAX:
        return False
    words = _SLIGHTLY.sub("", stripped(plain(text)))
    found = _LASTS.match(words)
    if found is None or len(words.split()) > _WORDS_MAX:
        return False
    if UNSURE.search(words) or (found["past"] is None and _MOMENT.search(words)):
        return False
    past = found["once"] or found["then"] or found["young"]
    if past:
        return is_past(past)
    return found["verb"] is None or is_base(found["verb"])


_OF_SELF = re.compile(
    r"\b(?:i|i['’]?m|i['’]?ve|my|me|we|we['’]?(?:re|ve)|our)\b|"
    r"^(?:it['’]?s in|home|(?:\w+,? )?(?:the )?names?|its|his|her|"
    r"(?:(?:just|finally|also|recently) )*(?:got|moved|adopted|bought|joined|started|took|living|based|working|"
    r"named))\b",
    re.IGNORECASE,
)


def tells_of_self(text: str) -> bool:
    """Whether a short clause may tell an attribute of the user; what it tells must be looked at."""
    return len(text) <= _CHARACTERS_MAX and _OF_SELF.search(text) is not None
