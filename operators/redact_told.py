"""Numbers that the words before them tell (P2): membership and policy numbers, vehicles, codes that open a door."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_NUMBER_SIGNS = (
    "member", "policy", "customer", "client", "patient", "employ", "staff", "personnel", "student", "matri", "insur",
    "loyalty", "library", "flyer", "donor", "record", "permit", "visa", "passport", "licen", "tax ref", "utr",
    "versicher", "mitglied", "kunden", "personalnummer", "steuer", "st.-nr", "finanzamt", "adhérent", "póliza",
    "poliza",
    "socio", "ust-id", "tax office", "tax number", "beneficiary", "subscriber", "enrol",
)  # fmt: skip
_NUMBER_IS = re.compile(
    r"\b(?:(?:(?:insurance |travel )?polic(?:y|ies)|member(?:ship)?|customer|client|patient|employee|staff|personnel|"
    r"student|matriculation|enrol?ment|(?:health )?insurance|insured|subscriber|beneficiary|loyalty|library|"
    r"frequent flye?r|"
    r"donor|(?:medical|health|hospital) record|(?:residence|work) permit|visa|passport|tax|"
    r"(?:driv\w*'?s? )?licen[cs]e)(?: card)?"
    r"(?:[ -](?:number|num|no|nr|id|code|reference|ref)\b\.?| ?#|(?=(?: is|:)? (?:[A-Z]{1,4}-?\d{4}|\d{6})))|"
    r"(?:loyalty|library|membership) card|\butr\b|"
    r"(?:\w{0,12}versicher\w{0,12}?|mitglieds?|kunden|personal|patienten|matrikel)-?(?:nummer|nr\b\.?)|"
    r"num[ée]ro (?:d['’]adh[ée]rent|client|d['’]assur[ée])|n[úu]mero de (?:p[óo]liza|socio|cliente|afiliado))"
    r"(?:(?: at| with| of| for) (?:\w+ ){1,3}?)?"
    r"(?: (?:is|was|ist|lautet|es|est|reads)\b|['’]s\b|[:=,])?(?: now)? *[\"'“(#]?"
    r"(?P<v>(?:[A-Z]{1,4} (?=\d{3}))?(?=[A-Z]{0,4}[-/.]?\d|"
    r"[A-Z0-9./-]*\d{3})[A-Z0-9][A-Z0-9./-]*[A-Z0-9](?:[ ](?=[A-Z]?[\d/.-]*\d)[A-Z0-9./-]*[A-Z0-9]|"
    r"[ ][A-Z](?![\w'’])){0,4})(?![\w%€$£])",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:19|20)\d\d(?:[-–/ ](?:19|20)?\d\d)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")

_STEUERNUMMER_SIGNS = ("steuer", "st.-nr", "st-nr", "finanzamt", "tax office", "tax number", "ust-id")
_STEUERNUMMER = re.compile(
    r"(?<![\w/.-])(?:\d{2,3} ?/ ?\d{3,4} ?/ ?\d{4,5}|\d{13}|\d{10,11}|0?\d{2,3} \d{3,4} \d{4,5}|"
    r"DE ?\d{3} ?\d{3} ?\d{3})(?![\w/]|[.-]\d)",
    re.IGNORECASE,
)

_VIN = re.compile(r"(?<![A-Za-z0-9-])(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9-])", re.IGNORECASE)
_VIN_TOLD = re.compile(
    r"\bvin\b|chassis|\bframe n|vehicle id|fahrgestell|\bfin\b|bastidor|n° de s[ée]rie|t[ée]laio", re.IGNORECASE
)
_FRAME_IS = re.compile(
    r"\b(?:vin|(?:chassis|frame|vehicle identification) (?:number|no\.?)|fahrgestellnummer)\b"
    r"(?:\s(?:is|of|ist)|[:=])*[^.!?\n\d]{0,16}?\b(?P<v>(?=[A-Z]*\d)[A-Z0-9]{6,17})\b",
    re.IGNORECASE,
)
_VIN_VALUES = {
    **{digit: int(digit) for digit in "0123456789"},
    **dict(zip("ABCDEFGH", range(1, 9), strict=True)),
    **dict(zip("JKLMN", range(1, 6), strict=True)),
    "P": 7,
    "R": 9,
    **dict(zip("STUVWXYZ", range(2, 10), strict=True)),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)

_OPENS_SIGNS = (
    "door", "gate", "garage", "alarm", "keypad", "lock", "safe", "entry", "entrance", "building", "digicode", "tür",
    "tur", "porte", "puerta", "portail", "portal", "interphone", "code", "código",
)  # fmt: skip
_PLACE = (
    r"(?:door|gate|garage|alarm|keypad|lock(?:er|box)?|safe|entry|entrance|building|block|house|flat|lobby|gym|shed|"
    r"haust[üu]r|t[üu]r|alarmanlage|porte|portail|immeuble|puerta|portal|alarma|casa)"
)
_OPENS_VALUE = r"(?P<v>#?(?=[A-Z]{0,2}\d)[A-Z0-9]{3,8}[#*]?|\d(?:[ -]\d){2,7})(?![\w%€$£]|[.,:/-]\d)"
_CODE_OF = re.compile(
    rf"\b(?:{_PLACE}[ -]?(?:pass)?codes?|t[üu]rcode|digicode|{_PLACE} (?:\w+ )?combination|"
    r"(?:c[oó]d(?:e|igo)|combination)\s(?:for|to|of|at|f[üu]r|de|del|zu[rm]?)\s"
    rf"(?:(?:the|my|our|his|her|la|el|l['’]|le|die|das|den|der|unsere?|meine?|mi|\w+)\s?){{0,3}}{_PLACE})\b"
    r"[^.!?\n\d]{0,24}?(?:\b(?:is|was|to|ist|est|es|c['’]est)\b|['’]s|[:=])?\s*[\"'“(]?" + _OPENS_VALUE,
    re.IGNORECASE,
)
_KEYED = (
    r"\b(?:press|type|enter|punch(?: in)?|dial|takes|tap|key in|code|combination|(?:disarmed|opened|unlocked) (?:by|"
    r"with))\b"
    r"(?: (?:is|in|the code|code|by|changed to)){0,2}:? [\"'“]?"
)
_KEYED_AT = re.compile(rf"{_KEYED}{_OPENS_VALUE}(?=[^.!?\n]{{0,60}}\b{_PLACE}\b)", re.IGNORECASE)
_PLACE_KEYED = re.compile(rf"\b{_PLACE}\b[^.!?\n\d]{{0,40}}?{_KEYED}{_OPENS_VALUE}", re.IGNORECASE)
_DIAL = re.compile(
    r"\b(?:combination|safe|lock)\b[^.!?\n\d]{0,40}?(?P<v>(?:(?:left|right) (?:to )?)?\d{1,2}"
    r"(?:,? (?:then )?(?:(?:left|right) (?:to )?)?\d{1,2}){2,3})(?![\d%]|[.,:/-]\d)",
    re.IGNORECASE,
)
_LAST_FOUR = re.compile(
    r"\b(?:ssn|social(?: security)?|card|account|passport)\b[^.!?\n\d]{0,24}?\blast (?:four|"
    r"4)\b[^.!?\n\d]{0,16}?(?P<v>\d{4})\b",
    re.IGNORECASE,
)
_CODE_THEN = re.compile(
    r"code[\"'”]?(?:['’]s|\s?[:=])?(?:\s(?:is|ist|est|es|c['’]est|now))*\s?[\"'“(]?$", re.IGNORECASE
)
_COUNTED = re.compile(r" (?!(?:and|or|then|to|for|at|on|if|when|but|so|please|btw|in|from|with)\b)\w", re.IGNORECASE)


def told_numbers(text: str, lowered: str) -> Iterator[Span]:
    """Numbers of a person's membership, policy, account with somebody, studies, vehicle, and codes of doors."""
    if any(sign in lowered for sign in _NUMBER_SIGNS):
        for found in _NUMBER_IS.finditer(text):
            value = found["v"]
            digits = sum(char.isdigit() for char in value)
            if digits >= 4 and not _YEARS.fullmatch(value):
                yield (*found.span("v"), "member_id")
        if any(sign in lowered for sign in _STEUERNUMMER_SIGNS):
            yield from ((*m.span(), "national_id") for m in _STEUERNUMMER.finditer(text))
    if "last four" in lowered or "last 4" in lowered:
        yield from ((*m.span("v"), "national_id") for m in _LAST_FOUR.finditer(text))
    if any(sign in lowered for sign in _OPENS_SIGNS):
        yield from _codes(text)


def vehicles(text: str) -> Iterator[Span]:
    """Vehicle identification numbers: by their check digit, or where the message says that it is one."""
    told = _VIN_TOLD.search(text) is not None
    for found in _VIN.finditer(text):
        if told or _is_vin(found[0].upper()):
            yield (*found.span(), "vehicle")
    if told:
        yield from ((*m.span("v"), "vehicle") for m in _FRAME_IS.finditer(text))


def _codes(text: str) -> Iterator[Span]:
    """What opens a door or quiets an alarm; a year, and what counts something, is none unless it is called a code."""
    if "combination" in text.lower():
        yield from ((*m.span("v"), "secret") for m in _DIAL.finditer(text))
    for pattern in (_CODE_OF, _KEYED_AT, _PLACE_KEYED):
        for found in pattern.finditer(text):
            start, end = found.span("v")
            called = _CODE_THEN.search(text, found.start(), start) is not None
            if called or not (_YEARS.fullmatch(found["v"]) or (pattern is not _CODE_OF and _COUNTED.match(text, end))):
                yield start, end, "secret"


def _is_vin(number: str) -> bool:
    """The check digit of ISO 3779 as North America and China demand it, the ninth place."""
    rest = sum(_VIN_VALUES[char] * weight for char, weight in zip(number, _VIN_WEIGHTS, strict=True)) % 11
    return number[8] == "0123456789X"[rest]
