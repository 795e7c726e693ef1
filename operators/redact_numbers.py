"""Financial and government identifiers in a text (P2): by checksum, by form, or by what is said of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from stdnum import iban, luhn

from operators.redact_national import national

Span = tuple[int, int, str]

_CARD = re.compile(r"(?<![\d.])\d(?:[ \u00a0\u202f.\-–_]{0,2}\d){11,}")
_CARD_SHAPE = re.compile(r"(?<![A-Za-z0-9_.-])\d{4}([ .-])\d{4}\1\d{4}\1\d{4}(?![A-Za-z0-9_-])")
_CARD_WORDS = ("card", "visa", "amex", "maestro", "charge it")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_WALLET = re.compile(
    r"(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40,64}|(?:bc|ltc|tb)1[a-z0-9]{25,62}|addr1[a-z0-9]{40,100}|4[1-9A-HJ-NP-Za-km-z]{94}|"
    r"(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![A-Za-z0-9])"
)
_BANK_WORDS = (
    "account",
    "acct",
    "a/c",
    "konto",
    "cuenta",
    "compte",
    "sort code",
    "routing",
    "aba ",
    "bsb",
    "card",
    "acc ",
    "s/c",
)
_BANK_IS = re.compile(
    r"\b(?:(?:bank |checking |savings |giro ?)?(?:account|acct?|a/c|konto)[ -]?(?:number|num|no\.?|nr\.?|nummer|#)|"
    r"(?:bank|checking|savings|current|giro|deposit) (?:account|acct?)|n[uú]mero de cuenta|num[ée]ro de compte|"
    r"sort code|s/c|routing(?: number)?|aba(?: number)?|bsb|"
    r"card (?:number|no\.?)|(?:account|acct):? (?=\d{6})|(?:credit|debit|bank) card)(?:\b|(?<=[ #.:]))"
    r"[^.!?\n\d\[]{0,40}?(?P<v>\d(?:[ \u00a0./-]?\d){4,19})",
    re.IGNORECASE,
)
_BANK_BRANCH = re.compile(r"\b(?:sort code|s/c|bsb|routing|aba)\b")
_BANK_NUMBER = re.compile(r"(?<![\w.,$€£#/-])(?:\d{6,17}|\d{2}-\d{2}-\d{2}|\d{3}-\d{3})(?![\w%]|[.,:/-]\d)")
_BRANCH_AND_ACCOUNT = re.compile(r"(?<![\w.,/-])\d{2}-\d{2}-\d{2}[ ,/;]{1,3}\d{8}(?![\w.,/-]\d|\w)")
_GOVERNMENT_WORDS = (
    "passport", "social sec", "ssn", "insurance", "ni n", "licen", "tax", "itin", "tfn", "identi", "id ", "aadhaar",
    "nhs", "medicare", "green card", "visa", "reisepass", "ausweis", "steuer", "sozialvers", "dni", "nie", "cpf",
    "curp", "bsn", "pesel", "personnummer", "codice fiscale", "pasaporte", "passeport", "passaporto", "health card",
    "sécurité soc", "securite soc", "sécu", "vitale", "carnet", "permis", "patente", "führerschein", "rijbewijs",
    "paspoort", "paszport", "dl", "dmv", "rijksregister", "henkilö", "fødsel", "personnr",
    "护照", "護照", "身份证", "身份證", "パスポート", "マイナンバー", "여권", "주민등록",
)  # fmt: skip
_GOVERNMENT_IS = re.compile(
    r"(?:\b(?:passports?|social security|ssn|national insurance|ni (?:number|no\.?)|driv(?:er'?s?|ing)[ -]licen[cs]e|"
    r"tax(?:payer)? (?:id|identification|number|file number)|itin|tfn|national id(?:entity)?|identity (?:card|number)|"
    r"id (?:card|number|no\.?)|identification number|aadhaar|nhs(?: number)?|medicare(?: number)?|green card|"
    r"visa number|reisepass\w*|(?:personal)?ausweis\w*|steuer-?(?:id|nummer)|sozialversicherung\w*|dni|nie|cpf|curp|"
    r"bsn|pesel|personnummer|personnr|codice fiscale|carta d'identità|s[ée]curit[ée] sociale|num[ée]ro de s[ée]cu|"
    r"n° de s[ée]cu|carte vitale|pasaporte|passeport|passaporto|paspoort\w*|paszport\w*|health card|social insurance|"
    r"dl(?= ?[#:])|(?:license|licence) (?:number|no|#)|dmv\b[^.!?\n\d]{0,24}licen[cs]e|führerschein\w*|"
    r"permis de conduire|carn[ée]t? de conducir|patente di guida|rijbewijs\w*|rijksregister\w*|henkilötunnus|"
    r"fødselsnummer)\b|护照|護照|身份证|身份證|パスポート|マイナンバー|여권|주민등록)"
    r"(?:[^.!?\n\d\[]|\bno\.|\bnr\.){0,40}?(?<![A-Za-z0-9])"
    r"(?P<v>(?=[A-Z.-]{0,6}\d)[A-Z0-9][A-Z0-9.-]*(?: (?=[A-Z.-]{0,6}\d)[A-Z0-9][A-Z0-9.-]*){0,6}(?: [A-D](?!\w))?)",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])(?:[ T]?\d{0,2})?|"
    r"(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])[-/. ]\d{4}|"
    r"(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
)


def identifiers(text: str, lowered: str, digits: int) -> Iterator[Span]:
    """Identifiers in a text of that many digits; fewer than four make none."""
    yield from national(text, lowered, digits)
    if any(word in lowered for word in _GOVERNMENT_WORDS):
        for found in _GOVERNMENT_IS.finditer(text):
            if _is_numbered(found["v"]):
                yield (*found.span("v"), "national_id")
    if any(word in lowered for word in _BANK_WORDS):
        for found in _BANK_IS.finditer(text):
            if not is_date(found["v"]):
                yield (*found.span("v"), "bank_account")
        if digits >= 8 and _BANK_BRANCH.search(lowered):
            yield from ((*m.span(), "bank_account") for m in _BANK_NUMBER.finditer(text) if not is_date(m[0]))
    if 14 <= digits < 200:
        yield from ((*m.span(), "bank_account") for m in _BRANCH_AND_ACCOUNT.finditer(text))
    if any(word in lowered for word in _CARD_WORDS):
        yield from ((*m.span(), "payment_card") for m in _CARD_SHAPE.finditer(text))
    if digits < 6:
        return
    yield from ((*m.span(), "wallet") for m in _WALLET.finditer(text))
    if digits < 8:
        return
    for found in _CARD.finditer(text):
        yield from ((start, end, "payment_card") for start, end in _within(found, _is_card, range(14, 20)))
    for found in _IBAN.finditer(text):
        yield from ((start, end, "iban") for start, end in _within(found, _is_iban, range(15, 35)))


def count_digits(text: str, ascii_only: bool) -> int:
    """How many digits a text holds, of any script unless `ascii_only`."""
    if ascii_only:
        return len(text) - len(text.encode().translate(None, b"0123456789"))
    return sum(char.isdigit() for char in text)


def is_date(text: str) -> bool:
    """Whether a run of digits and separators is a date, or two years."""
    return _DATE.fullmatch(text) is not None


def _is_numbered(value: str) -> bool:
    """Whether what follows a telling word is an identifier: five digits, or letters and three digits in capitals."""
    digits = count_digits(value, ascii_only=False)
    return not is_date(value) and (digits >= 5 or (digits >= 3 and len(value) >= 7 and value.isupper()))


def _within(run: re.Match[str], valid: Callable[[str], bool], lengths: range) -> Iterator[tuple[int, int]]:
    """Spans inside a run of grouped characters that start and end at a group's edge and pass a check."""
    text, offset = run[0], run.start()
    places = [index for index, char in enumerate(text) if char.isalnum()]
    compact = "".join(text[index] for index in places)
    first = 0
    while first < len(places):
        if first == 0 or places[first] - places[first - 1] > 1:
            for length in reversed(lengths):
                last = first + length - 1
                at_edge = last == len(places) - 1 or (last < len(places) and places[last + 1] - places[last] > 1)
                if at_edge and valid(compact[first : last + 1]):
                    yield offset + places[first], offset + places[last] + 1
                    first = last
                    break
        first += 1


def _is_card(number: str) -> bool:
    """Luhn's sum, and a length and leading digits that card schemes use: one number in ten passes Luhn alone."""
    digits = number if number.isascii() else "".join(str(unicodedata.digit(char)) for char in number)
    if digits[0] not in "234568":
        return False
    head, size = int(digits[:4]), len(digits)
    scheme = (
        (digits[0] == "4" and size in (16, 19))
        or ((51 <= head // 100 <= 55 or 2221 <= head <= 2720) and size == 16)
        or (head // 100 in (34, 37) and size == 15)
        or (head // 100 in (36, 38, 39) and size in (14, 16))
        or (3528 <= head <= 3589 and size == 16)
        or ((head == 6011 or head // 10 in range(644, 660) or head // 100 in (62, 60, 81)) and 16 <= size <= 19)
        or (head // 100 in (50, *range(56, 59), 63, 67) and size == 16)
    )
    return scheme and luhn.is_valid(digits)


def _is_iban(text: str) -> bool:
    valid: bool = iban.is_valid(text, check_country=False)
    return valid
