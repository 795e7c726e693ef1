"""Contact data in a text (P2): e-mail addresses, telephone numbers, and where exactly somebody lives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from phonenumbers import Leniency, PhoneNumberMatcher

from operators.redact_numbers import count_digits, is_date

Span = tuple[int, int, str]

PHONE_RUNS_MAX = 200  # a text with more numbers is a table: past these only announced and plain forms are looked for
_REGIONS = ("US", "GB")  # national forms that are told without a country code; others need telling words or a "+"
_LETTERS = r"\u00c0-\u024f\u0370-\u052f"  # beyond ASCII, scripts with spaces: others would swallow their neighbours
_EMAIL = re.compile(
    rf"(?<![A-Za-z0-9_{_LETTERS}.+%-])[A-Za-z0-9_{_LETTERS}.+%'-]{{1,64}}@"
    rf"(?:[A-Za-z0-9_{_LETTERS}-]{{1,63}}\.){{1,8}}[A-Za-z{_LETTERS}]{{2,24}}"
)
_EMAIL_SPELT = re.compile(
    r"(?<![\w.+-])(?:[\w+-]{1,30} \. )?[\w.+-]{1,64}?(?: ?[(\[{<] ?at ?[)\]}>] ?| at |_at_| ?@ ?)[\w-]{1,63}?"
    r"(?:(?: ?[(\[{<] ?dot ?[)\]}>] ?| dot |_dot_| ?\. ?)(?:com|org|net|edu|io|co|gov|info|me|dev|app|ai|de|uk|fr|es|"
    r"it|nl|in|ca|au|eu|ch|at|jp|br|ru|pl|se|us))+\b",
    re.IGNORECASE,
)
_PHONE_IS = re.compile(
    r"(?:\b(?:phone|mobile|cell(?:phone)?|tel|telephone|whats ?app|telegram|signal|fax|sms|call|text|ring|reach|dial|"
    r"handy(?:nummer)?|telefon\w*|rufnummer|t[ée]l[ée]phone|portable|celular|m[óo]vil|tel[ée]fono|cellulare|n[uú]mero|"
    r"contact|my number|number is)\b|电话|電話|手机|手機|携帯|전화|휴대폰)[^\n\d\[]{0,40}?"
    r"(?P<v>(?<![\d.,$€£#-])\+?\(?\d(?:[ \u00a0().\-–/]{0,3}\d){5,14})(?![\d%]|[.,:/-]\d)",
    re.IGNORECASE,
)
_PHONE_SIGNS = (
    "phone", "mobil", "cell", "tel", "whats", "signal", "fax", "sms", "call", "text", "ring", "reach", "dial", "handy",
    "rufnummer", "port", "cel", "vil", "mero", "携帯", "contact", "number", "电话", "電話", "手机", "手機", "전화",
    "휴대폰",
)  # fmt: skip
_PHONE_RUN = re.compile(r"(?<![A-Za-z0-9_.])\+?\(?\d(?:[ \u00a0().\-–/]{0,3}\d){6,30}")
_PHONE_SHAPE = re.compile(
    r"(?<![A-Za-z0-9_.$€£#/-])(?:(?:\+?1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}|(?:\+?1[ .-])?\d{3}([.-])\d{3}\1\d{4}|"
    r"\+\d{1,3}(?:[ \u00a0().\-–/]{0,3}\d){6,13}|0\d(?:[ .]\d\d){4}|0\d{2,5}[ /-]\d{3,4}[ -]?\d{3,5})"
    r"(?![A-Za-z0-9_]|[.,:/-]\d)"
)
_NOT_PHONE = re.compile(
    r"(?:order|invoice|tracking|ticket|ref(?:erence)?|confirmation|case|booking|reservation|flight|serial|model|part|sku|"
    r"isbn|issn|doi|version|build|bug|issue|item|article|product|policy|claim|customer|member(?:ship)?|id|batch|parcel|"
    r"package|shipment|commit|rfc|score|price|cost|worth|paid|population|salary|budget|coordinates?|lat|lon|bestell\w*)"
    r"s?\b[^.!?\n\d]{0,24}$|[$€£¥₹#\[]\s?$",
    re.IGNORECASE,
)
_ADDRESS_WORDS = (
    "live", "living", "stay", "move", "resid", "address", "ship", "deliver", "send", "mail", "wohn", "lebe", "habite",
    "adresse", "vivo", "direcc", "abito", "indirizzo", "woon",
)  # fmt: skip
_ADDRESS = re.compile(
    r"(?:\b(?:i|we)(?:'m|'re| am| are|'ve)?(?: now| just| currently| recently)? "
    r"(?:live|living|stay|staying|moved?|reside|residing)\b|\b(?:my|our)(?: \w+)? address\b|"
    r"\b(?:ship|deliver|send|mail) (?:\w+ ){1,4}to\b)[^.!?\n]{0,40}?\b(?P<v>\d{1,5}[A-Za-z]?,? "
    r"(?!minute|min\b|mile|km\b|block|hour|day|week|month|year|people|of\b|in\b|on\b|at\b|different|other|more|st\b|th\b)"
    r"(?:(?:[A-Za-z]|\d{1,3}(?:st|nd|rd|th)\b)[\w'’.-]* ){1,3}"
    r"(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|"
    r"terrace|close|crescent|square|parkway)\b\.?(?:,? (?:apt|apartment|unit|flat|suite|#)\.? ?\w+)?)|"
    r"\b(?:ich|wir) (?:wohne|wohnen|lebe|leben)\b[^.!?\n]{0,40}?"
    r"(?P<w>[A-ZÄÖÜ][\wäöüß-]*(?:stra(?:ß|ss)e|str\.|weg|allee|platz|gasse) \d{1,4} ?[a-z]?\b)|"
    r"\b(?:j['’]habite|mon adresse)\b[^.!?\n]{0,30}?(?P<x>\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|"
    r"chemin|allée|impasse|quai|cours) (?:[\w'’-]+ ?){1,4})|"
    r"\b(?:vivo|mi direcci[óo]n|abito|il mio indirizzo)\b[^.!?\n]{0,30}?(?P<y>(?:calle|avenida|plaza|paseo|via|viale|"
    r"piazza|corso) (?:[\w'’-]+ ){1,4}\d{1,4}\b)|"
    r"\bik woon\b[^.!?\n]{0,30}?(?P<z>[A-Z][\w-]*(?:straat|laan|weg|plein|gracht|kade) \d{1,4}\b)",
    re.IGNORECASE,
)


def emails(text: str) -> Iterator[Span]:
    """E-mail addresses, written or spelt out ("jo at example dot org")."""
    yield from ((*m.span(), "email") for m in _EMAIL.finditer(text))
    yield from ((*m.span(), "email") for m in _EMAIL_SPELT.finditer(text))


def phones(text: str, lowered: str) -> Iterator[Span]:
    """Telephone numbers: announced as such, of an unmistakable form, or valid where phonenumbers says so."""
    announced = any(sign in lowered for sign in _PHONE_SIGNS)
    for found in _PHONE_IS.finditer(text) if announced else ():
        start, end = found.span("v")
        if count_digits(found["v"], ascii_only=False) >= 7 and _may_be_phone(text, start, end):
            yield start, end, "phone"
    for found in _PHONE_SHAPE.finditer(text):
        if _may_be_phone(text, *found.span()):
            yield (*found.span(), "phone")
    for run in islice(_PHONE_RUN.finditer(text), PHONE_RUNS_MAX):
        if is_date(run[0]) or text[run.end() : run.end() + 1].isalnum():
            continue
        if run[0].isdecimal() and run[0][0] != "0" and not announced:
            continue
        for region in _regions(run[0]):
            for match in PhoneNumberMatcher(run[0], region, leniency=Leniency.VALID):
                start, end = run.start() + match.start, run.start() + match.end
                if _may_be_phone(text, start, end):
                    yield start, end, "phone"


def _regions(run: str) -> tuple[str, ...]:
    """The regions whose numbers may be in a run: a call of the matcher takes half a millisecond."""
    digits = [char for char in run if char.isdecimal()]
    if len(digits) < 10:
        return ()
    return _REGIONS if len(digits) > 11 else ("GB",) if digits[0] == "0" else ("US",)


def addresses(text: str, lowered: str) -> Iterator[Span]:
    """Street and number of whoever says that they live there; a city alone is no contact data."""
    if any(word in lowered for word in _ADDRESS_WORDS):
        for found in _ADDRESS.finditer(text):
            yield (*found.span(found.lastgroup or 0), "address")


def _may_be_phone(text: str, start: int, end: int) -> bool:
    return not is_date(text[start:end]) and not _NOT_PHONE.search(text[max(0, start - 48) : start])
