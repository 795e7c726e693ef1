"""Redaction (P2): secrets, financial and government identifiers and contact data leave a text before anything sees it.

Each detector stands behind a cheap test (a digit, an "@", a long token, a telling word), because almost no message
holds any of these. Names, birthdays, cities, occupations, time zones, dates, prices and order numbers stay. Each
finding becomes "[redacted:KIND]"; KIND is one of KINDS. A redacted text redacted again is the same text.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import iban, luhn

KINDS = (
    "secret", "payment_card", "iban", "bank_account", "wallet", "national_id", "email", "phone", "address", "nested",
)  # fmt: skip

Span = tuple[int, int, str]

_HIDDEN = r"(?<!redacted:)"  # a placeholder's own words are no context
_DIGIT = re.compile(r"\d")
_LONG_TOKEN = re.compile(r"\S{16}")
_PASSWORD_WORDS = (
    "pass", "pwd", "pin", "code", "secret", "token", "key", "credential", "phrase", "login", "kennwort", "contrase",
    "senha", "wachtwoord", "hasło", "lösenord", "парол", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호",
)  # fmt: skip

_PREFIXED = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      (?:sk|pk|rk)[-_](?=[\w-]*\d)[A-Za-z0-9_-]{14,} | gh[opusr]_[A-Za-z0-9]{16,} | github_pat_\w{16,}
    | gl[a-z]{2,4}-[A-Za-z0-9_-]{16,} | xox[a-z]-[A-Za-z0-9-]{8,} | xapp-[A-Za-z0-9-]{10,}
    | (?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{12,} | AIza[A-Za-z0-9_-]{20,} | ya29\.[A-Za-z0-9_-]{16,}
    | GOCSPX-[A-Za-z0-9_-]{16,} | npm_[A-Za-z0-9]{20,} | pypi-[A-Za-z0-9_-]{16,} | hf_[A-Za-z0-9]{16,}
    | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} | do[opr]_v1_[a-f0-9]{16,} | shp[a-z]{2}_[a-fA-F0-9]{16,}
    | sq0[a-z]{3}-[A-Za-z0-9_-]{16,} | whsec_[A-Za-z0-9+/=]{16,} | lin_api_\w{16,} | dckr_pat_[\w-]{16,}
    | figd_[\w-]{16,} | key-[0-9a-f]{24,} | nvapi-[\w-]{16,} | gsk_\w{16,} | r8_\w{16,} | AGE-SECRET-KEY-1[A-Z0-9]{20,}
    | \d{8,10}:[A-Za-z0-9_-]{33,} | [MNO][\w-]{22,}\.[\w-]{6}\.[\w-]{25,}
    | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?
    | https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/[\w/-]+
    )""",
    re.VERBOSE,
)
_PEM = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]{0,40}-----|\Z)", re.DOTALL)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+(?P<v>[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://(?P<v>[^\s/:@\[]{0,100}:[^\s/@]{1,200})@", re.IGNORECASE)
_URL_PARAMETER = re.compile(
    r"[?&;](?:[\w.-]{0,30}(?:token|key|secret|signature|passw(?:or)?d|auth|session)[\w.-]{0,20}|sig|pwd)="
    r"(?P<v>[^\s&#;\[]{4,})",
    re.IGNORECASE,
)
_PASSWORD = (
    r"(?:pass(?:word|wort|wd|code|phrase|[- ]?key)s?|passw(?:or)?d|pwd|kennwort|mot de passe|contrase[ñn]a|senha|"
    r"wachtwoord|hasło|lösenord|парол[ья]|密码|密碼|口令|パスワード|비밀번호)"
)
_KEY = (
    r"(?:(?:api|access|secret|private|deploy|auth|encryption|signing|master|licen[cs]e|product|ssh|app|account|service)"
    r"[ _-]?keys?|keys?|(?:access|auth|refresh|session|id|bot|api|bearer|personal)?[ _-]?tokens?|(?:client[ _-]?)?"
    r"secrets?|credentials?|auth(?:orization)?)"
)
_VALUE = r"[\"'`“‘«<(]?(?P<v>[^\s\"'`”“’»<>\[\]]{3,200})"
_PASSWORD_IS = re.compile(
    rf"{_HIDDEN}(?P<word>{_PASSWORD})\b[\"'`]?(?:[^.!?\n:=\[]{{0,40}}?\s(?:is|was|are|ist|war|est|es|è|é|to|as)\s+|"
    rf"[^.!?\n:=\[]{{0,40}}?\s?(?:=>|:=|[=:：])\s*|(?:是|は|는|은)\s*)(?:now |still |just |simply |currently )?{_VALUE}",
    re.IGNORECASE,
)
_KEY_IS = re.compile(
    rf"{_HIDDEN}\b[\w.-]{{0,30}}?{_KEY}[\w.-]{{0,20}}[\"'`]?(?:[^.!?\n:=\[]{{0,40}}?\s(?:is|was|are|as|ist|est|es)\s+|"
    rf"[^.!?\n:=\[]{{0,40}}?\s?(?:=>|:=|[=:：])\s*|\s+){_VALUE}",
    re.IGNORECASE,
)
_IS_PASSWORD = re.compile(
    rf"(?<!\S)[\"'`“]?(?P<v>[^\s\"'`”\[\]]{{4,100}})[\"'`”]?,? (?:is|was|as) (?:my|our|the|her|his|their) "
    rf"(?:[\w'-]+ ){{0,3}}(?:{_PASSWORD}|{_KEY}|pin|login)\b",
    re.IGNORECASE,
)
_PHRASE_IS = re.compile(
    rf"{_HIDDEN}(?:pass|seed|recovery|secret|backup|mnemonic) ?phrase(?: (?:is|was)|[:=]) *[\"'`“]?"
    r"(?P<v>[^\W\d_]+(?: +[^\W\d_]+){2,23})",
    re.IGNORECASE,
)
_CODE_IS = re.compile(
    r"\b(?:pin|cvv2?|cvc2?|otp|2fa|tan|passcode|(?:pin|door|gate|alarm|access|entry|safe|lock|unlock|security|"
    r"verification|login|confirmation pass|backup|recovery|one-time|card|building|garage|lockbox|keypad|sms)[ -]?"
    r"(?:code|combination|number|pin))s?\b(?P<between>[^.!?\n\d\[]{0,40}?)(?P<v>\d[\d -]{1,14}\d)(?![\d.,:/%]\d|%)",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"(?<![A-Za-z0-9/.@+=_-])[A-Za-z0-9_+=-]{24,}(?![A-Za-z0-9/@])")
_NOT_A_PASSWORD = frozenset(
    """wrong incorrect not too the a an my your our required expired weak strong correct right invalid missing different
    same still no never always in on being for what that this it secure safe ok okay good bad fine easy hard long short
    simple changed reset gone lost forgotten stolen protected needed optional there here something someone so very
    really also stored saved hidden encrypted hashed known unknown set empty blank case one two only used shared
    working broken accepted rejected denied enabled disabled with without important probably like just null none true
    false string str int text bytes optional default example new old current me us him her them do be get change use
    enter log login access reset protect keep follow practice hard-coded unique below above attached coming back due
    """.split()
)

_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%'-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_EMAIL_SPELT = re.compile(
    r"(?<!\w)[\w.+-]{1,64}(?: ?[(\[{<] ?at ?[)\]}>] ?| at | ?@ ?)[\w-]{1,63}(?:(?: ?[(\[{<] ?dot ?[)\]}>] ?| dot | ?\. ?)"
    r"(?:com|org|net|edu|io|co|gov|info|me|dev|app|ai|de|uk|fr|es|it|nl|in|ca|au|eu|ch|at|jp|br|ru|pl|se|us))+\b",
    re.IGNORECASE,
)
_CARD = re.compile(r"(?<![\d.])\d(?:[ \u00a0\u202f.\-–_]{0,2}\d){11,}(?!\d)")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_WALLET = re.compile(
    r"(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40,64}|bc1[a-z0-9]{25,62}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![A-Za-z0-9])"
)
_BANK_IS = re.compile(
    r"\b(?:(?:bank |checking |savings |giro ?)?(?:account|acct|a/c|konto)[ -]?(?:number|num|no\.?|nr\.?|nummer|#)|"
    r"bank account|kontonummer|n[uú]mero de cuenta|num[ée]ro de compte|sort code|routing(?: number)?|aba(?: number)?|bsb|"
    r"credit card(?: number)?|debit card(?: number)?|card number|card no\.?)\b(?P<between>[^.!?\n\d\[]{0,40}?)"
    r"(?P<v>\d(?:[ \u00a0./-]?\d){4,19})",
    re.IGNORECASE,
)
_GOVERNMENT_IS = re.compile(
    r"(?:\b(?:passports?|social security|ssn|national insurance|ni(?: number|no\.?)|driv(?:er'?s?|ing)[ -]licen[cs]e|"
    r"tax(?:payer)? (?:id|identification|number|file number)|itin|tfn|national id(?:entity)?|identity (?:card|number)|"
    r"id (?:card|number|no\.?)|identification number|aadhaar|nhs(?: number)?|medicare(?: number)?|green card|visa number|"
    r"reisepass\w*|personalausweis\w*|ausweis\w*|steuer-?(?:id|nummer)|sozialversicherung\w*|dni|nie|cpf|rg|curp|bsn|pesel|"
    r"personnummer|codice fiscale|carta d'identità|s[ée]curit[ée] sociale|pasaporte|passeport|passaporto|health card|"
    r"sin number|social insurance)\b|护照|護照|身份证|身份證|パスポート|マイナンバー|여권|주민등록)"
    r"(?P<between>[^.!?\n\d\[]{0,40}?)(?P<v>(?=[A-Z0-9 -]*\d)[A-Z0-9][A-Z0-9 .\-]{4,22}[A-Z0-9])(?![a-z])",
    re.IGNORECASE,
)
_PHONE_IS = re.compile(
    r"(?:\b(?:phone|mobile|cell(?:phone)?|tel|telephone|whats ?app|telegram|signal|fax|sms|call|text|ring|reach|dial|"
    r"handy(?:nummer)?|telefon\w*|rufnummer|t[ée]l[ée]phone|portable|celular|m[óo]vil|tel[ée]fono|cellulare|numero|"
    r"contact(?: number)?|my number|number is)\b|电话|電話|手机|手機|携帯|전화|휴대폰)(?P<between>[^\n\d\[]{0,40}?)"
    r"(?P<v>(?<![\d.,$€£#-])\+?\(?\d(?:[ \u00a0().\-–/]{0,3}\d){5,14})(?![\d%]|[.,:/-]\d)",
    re.IGNORECASE,
)
_PHONE_GATE = re.compile(r"\d(?:[ \u00a0().\-–/]{0,3}\d){6}")
_PHONE_SHAPE = re.compile(
    r"(?<![\w.$€£#/-])(?:(?:\+?1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}|(?:\+?1[ .-])?\d{3}([ .-])\d{3}\1\d{4}|"
    r"\+\d{1,3}(?:[ \u00a0().\-–/]{0,3}\d){6,13}|0\d(?:[ .]\d\d){4}|0\d{2,5}[ /-]\d{3,4}[ -]?\d{3,5})(?!\w|[.,:/-]\d)"
)
_NOT_PHONE = re.compile(
    r"(?:order|invoice|tracking|ticket|ref(?:erence)?|confirmation|case|booking|reservation|flight|serial|model|part|sku|"
    r"isbn|issn|doi|version|build|bug|issue|item|article|product|policy|claim|customer|member(?:ship)?|id|batch|parcel|"
    r"package|shipment|commit|rfc|score|price|cost|worth|paid|population|salary|budget|coordinates?|lat|lon|bestell\w*)"
    r"s?\b[^.!?\n\d]{0,24}$|[$€£¥₹#]\s?$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])(?:[ T]?\d{0,2})?|"
    r"(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])[-/. ]\d{4}|(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d|(?:19|20)\d{6}"
)
_NATIONAL_SHAPE = re.compile(
    r"(?<![\w.-])(?:\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|"
    r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|\d{6}-[1-8]\d{6}|[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]|"
    r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d)(?![\w-])"
)
_NATIONAL_CHECKED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![\w.-])\d{8}-?[A-Z](?![\w-])"), "stdnum.es.dni"),
    (re.compile(r"(?<![\w.-])[XYZ]-?\d{7}-?[A-Z](?![\w-])"), "stdnum.es.nie"),
    (re.compile(r"(?<![\w.-])\d{17}[\dXx](?![\w-])"), "stdnum.cn.ric"),
    (re.compile(r"(?<![\w.-])\d{4} \d{4} \d{4}(?! ?\w)"), "stdnum.in_.aadhaar"),
    (re.compile(r"(?<![\w.-])[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}(?![\w-])"), "stdnum.fr.nir"),
    (re.compile(r"(?<![\w.-])\d{6}[-+]\d{4}(?![\w-])"), "stdnum.se.personnummer"),
)
_ADDRESS = re.compile(
    r"(?:\b(?:i|we)(?:'m|'re| am| are|'ve)?(?: now| just| currently| recently)? "
    r"(?:live|living|stay|staying|moved?|reside|residing)\b|\b(?:my|our)(?: \w+)? address\b|"
    r"\b(?:ship|deliver|send|mail) (?:it|them|this|everything|that) to\b)[^.!?\n]{0,40}?(?P<v>\d{1,5}[A-Za-z]?,? "
    r"(?:[A-Z][\w'’.-]*\s){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|"
    r"Terrace|Close|Crescent|Square|Parkway|Highway)\b\.?(?:,? (?:Apt|Apartment|Unit|Flat|Suite|#) ?\w+)?)",
    re.IGNORECASE,
)
SECRET_SLOT = re.compile(
    rf"{_PASSWORD}|(?:^|[_\W])(?:pin|cvv2?|cvc|otp|ssn|iban|tan|auth|authorization|cookie)(?:$|[_\W])|secret|"
    r"api[_-]?key|access[_-]?key|private[_-]?key|token|credential|card[_ -]?(?:number|no)|passport|social[_ -]?security|"
    r"(?:^|[_\W])(?:phone|mobile|e?-?mail|telephone|fax|account[_ -]?number|routing|sort[_ -]?code)(?:$|[_\W])",
    re.IGNORECASE,
)


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without what P2 names, and the kind of each piece that was replaced, in order."""
    spans = sorted(_found(text))
    if not spans:
        return text, ()
    pieces: list[str] = []
    kinds: list[str] = []
    done = 0
    for start, end, kind in _merged(spans):
        pieces.append(text[done:start])
        pieces.append(placeholder(kind))
        kinds.append(kind)
        done = end
    pieces.append(text[done:])
    return "".join(pieces), tuple(kinds)


def redact_slot(name: str, value: str) -> tuple[str, tuple[str, ...]]:
    """The same for a named value, where the name alone may tell: {"password": "swordfish"}."""
    if SECRET_SLOT.search(name) and value.strip() and not value.startswith("[redacted:"):
        return placeholder("secret"), ("secret",)
    return redact(value)


def placeholder(kind: str) -> str:
    """What stands where something of that kind stood."""
    return f"[redacted:{kind}]"


def _found(text: str) -> Iterator[Span]:
    has_digit = _DIGIT.search(text) is not None
    lowered = text.lower()
    if any(word in lowered for word in _PASSWORD_WORDS):
        yield from _passwords(text, has_digit)
    if _LONG_TOKEN.search(text):
        yield from _tokens(text)
    if "@" in text:
        yield from ((*m.span(), "email") for m in _EMAIL.finditer(text))
    if ("@" in text or "at" in lowered) and ("dot" in lowered or "@" in text or "(at)" in lowered or "[at]" in lowered):
        yield from ((*m.span(), "email") for m in _EMAIL_SPELT.finditer(text))
    if has_digit:
        yield from _numbers(text)


def _merged(spans: list[Span]) -> Iterator[Span]:
    """Spans without overlaps: overlapping ones become one, of the kind of the longest."""
    start, end, kind = spans[0]
    longest = end - start
    for next_start, next_end, next_kind in spans[1:]:
        if next_start >= end:
            yield start, end, kind
            start, end, kind, longest = next_start, next_end, next_kind, next_end - next_start
            continue
        if next_end - next_start > longest:
            kind, longest = next_kind, next_end - next_start
        end = max(end, next_end)
    yield start, end, kind


def _passwords(text: str, has_digit: bool) -> Iterator[Span]:
    for pattern in (_PASSWORD_IS, _IS_PASSWORD):
        for found in pattern.finditer(text):
            start, end = _trimmed(text, *found.span("v"))
            if _is_password(text, start, end):
                yield start, end, "secret"
    for found in _PHRASE_IS.finditer(text):
        yield (*found.span("v"), "secret")
    for found in _KEY_IS.finditer(text):
        start, end = _trimmed(text, *found.span("v"))
        if _is_random(text[start:end], chars_min=8):
            yield start, end, "secret"
    if has_digit:
        for found in _CODE_IS.finditer(text):
            if not _DATE.fullmatch(found["v"]) and 3 <= len(_digits(found["v"])) <= 10:
                yield (*found.span("v"), "secret")


def _tokens(text: str) -> Iterator[Span]:
    for pattern in (_PREFIXED, _PEM):
        yield from ((*m.span(), "secret") for m in pattern.finditer(text))
    for pattern in (_BEARER, _URL_LOGIN, _URL_PARAMETER):
        yield from ((*m.span("v"), "secret") for m in pattern.finditer(text) if not m["v"].isalpha())
    yield from ((*m.span(), "wallet") for m in _WALLET.finditer(text) if _mixed(m[0]))
    for found in _RANDOM.finditer(text):
        if _is_random(found[0], chars_min=24) and _mixed(found[0]):
            yield (*found.span(), "secret")


def _numbers(text: str) -> Iterator[Span]:
    yield from ((*m.span(), "national_id") for m in _NATIONAL_SHAPE.finditer(text))
    for pattern, module in _NATIONAL_CHECKED:
        yield from ((*m.span(), "national_id") for m in pattern.finditer(text) if _checker(module)(m[0]))
    for found in _GOVERNMENT_IS.finditer(text):
        if len(_digits(found["v"])) >= 5 and not _DATE.fullmatch(found["v"]):
            yield (*found.span("v"), "national_id")
    for found in _BANK_IS.finditer(text):
        if not _DATE.fullmatch(found["v"]):
            yield (*found.span("v"), "bank_account")
    for found in _CARD.finditer(text):
        yield from ((start, end, "payment_card") for start, end in _within(found, _is_card, lengths=range(14, 20)))
    for found in _IBAN.finditer(text):
        yield from ((start, end, "iban") for start, end in _within(found, iban.is_valid, lengths=range(15, 35)))
    yield from ((*m.span("v"), "address") for m in _ADDRESS.finditer(text))
    if _PHONE_GATE.search(text):
        yield from _phones(text)


def _phones(text: str) -> Iterator[Span]:
    for found in _PHONE_IS.finditer(text):
        start, end = found.span("v")
        if len(_digits(found["v"])) >= 7 and _may_be_phone(text, start, end):
            yield start, end, "phone"
    for found in _PHONE_SHAPE.finditer(text):
        if _may_be_phone(text, *found.span()):
            yield (*found.span(), "phone")
    for region in ("US", "GB"):
        for match in PhoneNumberMatcher(text, region, leniency=Leniency.VALID):
            if _may_be_phone(text, match.start, match.end):
                yield match.start, match.end, "phone"


def _may_be_phone(text: str, start: int, end: int) -> bool:
    return not _DATE.fullmatch(text[start:end]) and not _NOT_PHONE.search(text[max(0, start - 48) : start])


def _within(found: re.Match[str], valid: Callable[[str], bool], lengths: range) -> Iterator[tuple[int, int]]:
    """Spans inside a run of grouped characters that start and end at a group's edge and pass a checksum."""
    text, offset = found[0], found.start()
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


def _is_card(digits: str) -> bool:
    """Luhn's sum and a length and leading digits that card schemes use: one number in ten passes Luhn alone."""
    digits = _digits(digits)
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


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(char)) for char in text if char.isdigit())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the punctuation that closes a clause."""
    while end > start and text[end - 1] in ".,;:)}":
        end -= 1
    return start, end


def _is_password(text: str, start: int, end: int) -> bool:
    """A value after "password is": anything but ordinary words, and an ordinary word that ends the sentence."""
    value = text[start:end]
    if len(value) < 3 or value.casefold().strip("!?*_") in _NOT_A_PASSWORD or value.startswith(("[redacted", "http")):
        return False
    core = value.rstrip("!?")
    if not core.isalpha():
        return core.replace("'", "").replace("’", "").replace("-", "").isalpha() is False
    quoted = text[start - 1] in "\"'`“‘«" or text[start - 2 : start].strip() in ("=", ":", "：")
    ends = not text[end:].strip() or text[end] in ".,;!?\n"
    return quoted or (ends and not core.endswith(("ing", "ed", "ly")))


def _is_random(value: str, chars_min: int) -> bool:
    """Whether a token looks generated: long, letters and digits well mixed, no words joined by dashes, no UUID."""
    if len(value) < chars_min or value.startswith("[redacted") or "://" in value:
        return False
    letters = sum(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    changes = sum(a.isdigit() != b.isdigit() for a, b in zip(value, value[1:], strict=False))
    return letters >= 2 and digits >= 2 and changes >= 3 and len(set(value)) >= min(8, chars_min)


def _mixed(value: str) -> bool:
    return any(c.islower() for c in value) and any(c.isupper() for c in value) or value.startswith(("0x", "bc1"))


@cache
def _checker(module: str) -> Callable[[str], bool]:
    found: Callable[[str], bool] = importlib.import_module(module).is_valid
    return found
