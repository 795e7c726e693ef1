"""Secrets in a text (P2): tokens known by their form, and passwords, keys and codes known by what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int, str]

_TELLING = (
    "pass", "pin", "code", "key", "token", "secret", "log", "user", "phrase", "pw", "kennwort", "contrase", "senha",
    "credential", "wachtwoord", "combination", "otp", "cv", "cid", "2fa", "bearer", "auth", "mnemonic", " words",
)  # fmt: skip
_TELLING_BEYOND_ASCII = (
    "contraseñ", "hasło", "lösenord", "парол", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호",
)  # fmt: skip

# What an ASCII text must hold, in lower case, for a pattern below to find anything in it.
_PASSWORD_SIGNS = ("pass", "pw", "kennwort", "contrase", "senha", "wachtwoord")
_KEY_SIGNS = ("key", "token", "secret", "credential", "auth")
_OWNER_SIGNS = ("s my ", "s our ", "s the ", "s her ", "s his ", "s their ")
_CODE_SIGNS = ("pin", "cv", "cid", "otp", "2fa", "code", "combination", "number")

_KNOWN_FORMS = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      (?:sk|pk|rk)[-_](?=[\w-]*\d)[A-Za-z0-9_-]{14,} | gh[opusr]_[A-Za-z0-9]{16,} | github_pat_\w{16,}
    | gl[a-z]{2,4}-[A-Za-z0-9_-]{16,} | xox[a-z]-[A-Za-z0-9-]{8,} | xapp-[A-Za-z0-9-]{10,}
    | (?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{12,} | AIza[A-Za-z0-9_-]{20,} | ya29\.[A-Za-z0-9_-]{16,}
    | GOCSPX-[A-Za-z0-9_-]{16,} | npm_[A-Za-z0-9]{20,} | pypi-[A-Za-z0-9_-]{16,} | hf_[A-Za-z0-9]{16,}
    | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} | do[opr]_v1_[a-f0-9]{16,} | shp[a-z]{2}_[a-fA-F0-9]{16,}
    | sq0[a-z]{3}-[A-Za-z0-9_-]{16,} | whsec_[A-Za-z0-9+/=]{16,} | lin_api_\w{16,} | dckr_pat_[\w-]{16,}
    | figd_[\w-]{16,} | key-[0-9a-f]{24,} | nvapi-[\w-]{16,} | gsk_\w{16,} | r8_\w{16,} | (?:pplx|xai)-\w{24,}
    | hv[sbr]\.[\w-]{24,} | pul-[a-f0-9]{24,} | sb[pv]_[a-f0-9]{24,} | pscale_\w{2,8}_[\w.-]{24,} | fo1_[\w-]{24,}
    | fm[12][ar]?_[\w+/=-]{24,} | dp\.[a-z]{2,4}\.[\w.-]{24,} | \w{14}\.atlasv1\.[\w-]{24,} | dapi[a-f0-9]{32}
    | (?:ntn|secret)_\w{40,} | pat\w{14}\.[a-f0-9]{40,} | AT(?:ATT|CTT|BB)[\w=-]{24,} | PMAK-[a-f0-9-]{24,}
    | gl(?:sa|c)_\w{24,} | NR(?:AK|II|JS|RA|AL)-\w{16,} | sntry[su]_[\w=+/.-]{24,} | [0-9a-f]{32}-us\d{1,2}
    | EAA[A-Za-z0-9]{24,} | EZ[AT]K[a-z0-9]{24,} | rubygems_[a-f0-9]{24,} | (?:AKC|AP)[a-zA-Z0-9]{64,}
    | xkeysib-[\w-]{24,}
    | [\w-]{3}8Q~[\w.~-]{24,} | IQoJb3JpZ2lu[\w+/=]{24,} | 1//0[\w-]{24,}
    | AGE-SECRET-KEY-1[A-Z0-9]{20,} | \d{8,10}:[A-Za-z0-9_-]{33,} | [MNO][\w-]{22,}\.[\w-]{6}\.[\w-]{25,}
    | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?
    | (?<=sig=)[A-Za-z0-9%+/]{40,}=?
    | https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/[\w/-]+
    )""",
    re.VERBOSE,
)
_PRIVATE_KEY = re.compile(
    r"----[- ]BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[- ]?----.*?(?:----[- ]END [A-Z0-9 ]{0,40}[- ]?----|\Z)",
    re.DOTALL,
)
_TWILIO = re.compile(r"\b(?:AC|SK)[0-9a-f]{32}\b(?:['\", :]{1,6}[0-9a-f]{32}\b)?")
_TELEGRAM = re.compile(r"(?<=bot)\d{8,10}:[A-Za-z0-9_-]{33,}")
_KEY_SHAPED = re.compile(r"(?<![A-Za-z0-9/.@+=_-])[A-Za-z0-9_+/-]{20,}={0,2}(?![A-Za-z0-9@])")
_NOT_A_KEY = re.compile(
    r"(?:commit|sha\d*|md5|hash|checksum|[ug]uid|digest|image|build|branch|revision|fingerprint|id|tag)s?\W{0,4}$|[/.=]$",
    re.IGNORECASE,
)
_LOGIN_OPTION = re.compile(
    r"(?:\s-u|--user)[ =](?!redacted)[^\s:\[]{1,64}:(?P<v>[^\s\[]{3,100})|"
    r"\b(?:mysql|sshpass|mongo)\b[^\n]{0,60}?\s-p ?(?P<w>[^\s\[-]\S{3,})"
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+(?P<v>(?=\S*\d)[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://(?P<v>[^\s/:@\[]{0,100}:[^\s/@]{1,200})@", re.IGNORECASE)
_URL_PARAMETER = re.compile(
    r"[?&;](?:[\w.-]{0,30}(?:token|key|secret|signature|passw(?:or)?d|auth|session)(?!word)[\w.-]{0,20}|sig|pwd)="
    r"(?P<v>[^\s&#;\[]{4,})",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"(?<![A-Za-z0-9/.@+=_-])[A-Za-z0-9_+-]{24,}={0,2}(?![A-Za-z0-9/@])")

_PASSWORD = (
    r"(?:pass(?:word|wort|wd|[- ]?code|phrase|[- ]key)s?|\bpwd?\b|(?<![A-Za-z])pass(?=\s*[=:]|\s+(?:is\s+)?[a-z]\S*\d)|"
    r"kennwort|mot de passe|contrase[ñn]a|\bsenha|wachtwoord|hasło|lösenord|парол[ья]|密码|密碼|口令|パスワード|"
    r"暗証番号|비밀번호)"
)
_KEY = r"(?:(?:(?<![A-Za-z])|(?<=api))keys?|tokens?|secrets?|credentials?|auth(?:orization)?)(?![a-z])"
_PASSWORD_WORD = re.compile(rf"(?<!redacted:){_PASSWORD}(?:[\"'`*_]{{1,2}}(?!s\b))?", re.IGNORECASE)
_KEY_WORD = re.compile(rf"(?<!redacted:){_KEY}(?:[_-][\w-]{{1,16}})?(?:[\"'`*_]{{1,2}}(?!s\b))?", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.!?\n]|[.!?](?!\s|\Z)){0,90}")
_CONNECTOR = re.compile(
    r"\s?(?:=>|:=|->|→|[=:：](?!//))\s*|['’]s\s+|(?<!\w)(?:is|was|are|ist|war|est|es|è|é|to|as|lautet)\s+"
    r"(?:now |still |just |simply |currently )?|是|は|는 ?|은 ?|\A\s+(?=\S*\d)",
    re.IGNORECASE,
)
# "The password is … and I prefer tea to beer": from here on something else is told, unless it is of the password.
_TELLS_ON = re.compile(
    r"\b(?:and|but|so|while|because)\s+(?:i|i['’]m|im|i['’]ve|we|we['’]re|my|our)\b(?!.*\b(?:set|reset|chang\w*|updat\w*|"
    r"switch\w*|turn\w*|made|put|it|pin|code|login|user\w*|pass\w*|key|token|secret)\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*\Z|[.,;!?\n\"'”]")
_GOES_ON = re.compile(r"\s+(?:and|but|if|lol|please|btw|ok|okay|i think)\b", re.IGNORECASE)
_SAID_PLAINLY = re.compile(r"pass(?:word|code|phrase) is $", re.IGNORECASE)
_ENVIRONMENT = re.compile(
    r"\b[A-Z][A-Z0-9_]{0,40}(?:SECRET|TOKEN|KEY|CREDENTIALS?)[A-Z0-9_]{0,20} ?[=:] ?[\"']?(?P<v>[^\s\"'\[<$]{8,})"
)
_VALUE = re.compile(
    r"\"[^\"\n]{3,80}\"|'[^'\n]{3,80}'|`[^`\n]{3,80}`|“[^”\n]{3,80}”|«[^»\n]{3,80}»|[^\s\"'`“”‘’«»<>\[\]]{3,200}"
)
_IS_PASSWORD = re.compile(
    rf"(?<!\S)[\"'`“]?(?P<v>[^\s\"'`”\[\]]{{4,100}})[\"'`”]?,? (?:is|was|as) (?:my|our|the|her|his|their) "
    rf"(?:[\w'-]+ ){{0,3}}(?:{_PASSWORD}|{_KEY}|pin|login)\b",
    re.IGNORECASE,
)
_THEN_IT_IS = re.compile(
    rf"(?:{_PASSWORD}|\bpin\b|\blogin\b)[^.!?\n]{{0,40}}[?.!] +(?:it|that|this)(?:['’]s| is|: ?) +[\"'`“]?"
    r"(?P<v>[^\s\"'`”\[\]]{4,100})",
    re.IGNORECASE,
)
_LOGIN_PAIR = re.compile(
    r"\b(?:log ?in|user(?: ?name)?|credentials)\b[^\n]{0,60}?\S / (?P<v>(?=\S*[\d!#$%&*?@^])[^\s/\[\]]{5,64})(?!\S)",
    re.IGNORECASE,
)
_PHRASE_IS = re.compile(
    r"(?:(?:pass|seed|recovery|secret|backup|mnemonic) ?(?:phrase|words)|mnemonic)(?: (?:is|was|are)| ?[:=]) *[\"'`“]?"
    r"(?P<v>[^\W\d_]+(?: +[^\W\d_]+){2,23})|"
    r"\b(?:12|15|18|21|24|twelve|twenty[- ]four)[ -]words?\b[^.!?\n:]{0,40}(?: (?:is|are)| ?[:=]) *[\"'`“]?"
    r"(?P<w>[^\W\d_]+(?:,? +[^\W\d_]+){10,23})",
    re.IGNORECASE,
)
_CODE_IS = re.compile(
    r"\b(?:(?:lockbox|safe|gate|door|alarm|locker|garage|entrance)\b[^.!?\n\d]{0,24}\bcode|pin|cvv2?|cvc2?|cid|"
    r"otp|2fa(?: code)?|passcode|(?:pin|door|gate|alarm|access|entry|safe|lock|unlock|security|verification|login|"
    r"backup|recovery|one-time|card|building|garage|lockbox|keypad|sms|suitcase|luggage|locker|bike)[ -]?"
    r"(?:code|combination|number|pin)|(?:code|combination) (?:for|to|of) (?:the |my |our |his |her )?(?:\w+ )?"
    r"(?:door|gate|alarm|safe|garage|locker?|building|house|flat|apartment|phone|card|account|entry|bike|suitcase))s?\b"
    r"(?:[\s:=#'’\"(]{1,4}|[^.!?\n\d\[]{0,40}?(?:\b(?:is|are|was|were|to|ist|lautet|es|est|now|as|s)\b|[:=#,])"
    r"[^.!?\n\d\[]{0,16}?)(?P<v>\d[\d -]{1,14}\d)(?![\d.,:/%]\d|%)|"
    r"(?<![\w.,$€£-])(?P<w>\d{3,10}),? (?:is|was|(?:that|this|it)(?:['’]s| is| was)) (?:my|the|our|her|his) "
    r"(?:[\w-]+ ){0,2}(?:pin|passcode|cvv|cvc|otp|code)\b",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b(?:in|since|from|on|until|till|by|of|before|after|every) $", re.IGNORECASE)
_ORDINARY = frozenset(
    """
    a above access accepted also always an and as asked at attached back bad be because being below blank broken but by
    bytes case change changed coming correct current default denied different disabled do due easy empty enabled
    encrypted enter example expired false fine follow for forgotten from get going gone good happening hard hard-coded
    hashed her here hidden him how if important in incorrect int invalid it just keep known least less like log login
    long lost me missing more my needed never new no none not null of ok okay old on one only optional or our probably
    protect protected reset really rejected required right safe saved secure set shared short simple so someone
    something still stolen stored str string strong than text that the them there they this to too true two unique
    unknown us use used very weak what when where who why with without working wrong you your
    """.split()  # noqa: SIM905  # a list of words reads better as words
)

SLOT = re.compile(
    rf"{_PASSWORD}|(?:^|[_\W])(?:pin|cvv2?|cvc|otp|ssn|iban|auth|authorization|cookie)(?:$|[_\W])|secret|"
    r"api[_-]?key|access[_-]?key|private[_-]?key|token|credential|card[_ -]?(?:number|no)|passport|"
    r"social[_ -]?security|(?:^|[_\W])(?:phone|mobile|e?-?mail|telephone|fax|account[_ -]?number|routing|"
    r"sort[_ -]?code)(?:$|[_\W])",
    re.IGNORECASE,
)
"""Names of values that are secrets or contact data whatever they look like."""


def is_told(lowered: str, ascii_only: bool) -> bool:
    """Whether the text has a word by which `told` finds something; much cheaper than looking for it."""
    for word in _TELLING:  # a plain loop: half the time of any() over a generator, and this runs on every message
        if word in lowered:
            return True
    return not ascii_only and any(word in lowered for word in _TELLING_BEYOND_ASCII)


def told(text: str, has_digit: bool, lowered: str | None = None) -> Iterator[Span]:
    """Passwords, keys, codes and phrases that the words around them give away.

    `lowered`: the text in lower case if it is ASCII; by it, patterns whose words it lacks are not tried. Beyond ASCII,
    lower case and a pattern's IGNORECASE differ on some letters, so there all are.
    """
    password = lowered is None or _has(lowered, _PASSWORD_SIGNS)
    key = lowered is None or _has(lowered, _KEY_SIGNS)
    if password:
        for start, end, direct in _values(text, _PASSWORD_WORD):
            if _is_password(text, start, end, direct):
                yield start, end, "secret"
    if lowered is None or ((password or key or _has(lowered, ("pin", "login"))) and _has(lowered, _OWNER_SIGNS)):
        for found in _IS_PASSWORD.finditer(text):
            start, end = _trimmed(text, *found.span("v"))
            if _is_password(text, start, end, direct=True):
                yield start, end, "secret"
    if lowered is None or ((password or "pin" in lowered) and _has(lowered, ("? ", ". ", "! "))):
        for found in _THEN_IT_IS.finditer(text):
            start, end = _trimmed(text, *found.span("v"))
            if any(char.isdigit() for char in text[start:end]) and _is_password(text, start, end, direct=True):
                yield start, end, "secret"
    if " / " in text:
        yield from ((*m.span("v"), "secret") for m in _LOGIN_PAIR.finditer(text))
    if lowered is None or _has(lowered, ("phrase", "mnemonic", " words")):
        for found in _PHRASE_IS.finditer(text):
            yield (*found.span(found.lastgroup or 0), "secret")
    if key and (has_digit or "=" in text):
        for start, end, direct in _values(text, _KEY_WORD):
            if _is_key(text[start:end], changes_min=3 if direct else 1):
                yield start, end, "secret"
    if key and "_" in text:
        for found in _ENVIRONMENT.finditer(text):
            value = found["v"]
            if "redacted:" not in value and not (value.islower() or value.isupper()):
                yield (*found.span("v"), "secret")
    if not has_digit:
        return
    if key:
        for found in _KEY_SHAPED.finditer(text):
            if _is_key(found[0], changes_min=3) and not _NOT_A_KEY.search(
                text[max(0, found.start() - 16) : found.start()]
            ):
                yield (*found.span(), "secret")
    if lowered is None or "bearer" in lowered or "basic" in lowered:
        yield from ((*m.span("v"), "secret") for m in _BEARER.finditer(text))
    if lowered is None or _has(lowered, _CODE_SIGNS):
        for found in _CODE_IS.finditer(text):
            start, end = found.span(found.lastgroup or 0)
            digits = sum(char.isdigit() for char in text[start:end])
            if 3 <= digits <= 10 and not _DATED.search(text[found.start() : start]):
                yield start, end, "secret"


def _has(lowered: str, signs: tuple[str, ...]) -> bool:
    return any(sign in lowered for sign in signs)


def tokens(text: str) -> Iterator[Span]:
    """Secrets that their own form gives away: keys of known makes, private keys, logins in addresses."""
    for pattern in (_KNOWN_FORMS, _PRIVATE_KEY, _TWILIO, _TELEGRAM):
        yield from ((*m.span(), "secret") for m in pattern.finditer(text))
    if " -u" in text or " -p" in text or "--user" in text:
        yield from ((*m.span(m.lastgroup or 0), "secret") for m in _LOGIN_OPTION.finditer(text))
    for pattern in (_URL_LOGIN, _URL_PARAMETER):
        yield from ((*m.span("v"), "secret") for m in pattern.finditer(text))
    for found in _GENERATED.finditer(text):
        value = found[0]
        mixed = any(char.islower() for char in value) and any(char.isupper() for char in value)
        if mixed and _is_key(value, changes_min=4) and len(set(value)) >= 12:
            yield (*found.span(), "secret")


def _values(text: str, word: re.Pattern[str]) -> Iterator[tuple[int, int, bool]]:
    """What each clause with such a word says that something is: spans, and whether no verb or sign stands between.

    A clause ends where the next such word begins, so that the work grows with the text and not with its square.
    """
    words = [found.span() for found in word.finditer(text)]
    for index, (_, begin) in enumerate(words):
        stop = words[index + 1][0] if index + 1 < len(words) else len(text)
        clause = _CLAUSE.match(text, begin, stop)
        for connector in _CONNECTOR.finditer(clause[0] if clause else ""):
            value = _VALUE.match(text, begin + connector.end())
            if value is not None:
                start, end = _trimmed(text, *value.span())
                if text[start] in "\"'`“«":
                    start, end = start + 1, end - 1
                elif text[start:end].isalpha() and _TELLS_ON.search(text, begin, begin + connector.start()):
                    break
                yield start, end, not connector[0].strip()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the punctuation that closes a clause."""
    while end > start + 1 and text[end - 1] in ".,;:)}":
        end -= 1
    return start, end


def _is_password(text: str, start: int, end: int, direct: bool) -> bool:
    """A value that is said to be a password: no ordinary word, or the one word that ends the sentence.

    `direct`: nothing says that it is one ("password hunter2"), so it must look like one.
    """
    value = text[start:end].strip("!?*_")
    if len(value) < 3 or value.casefold() in _ORDINARY or value.startswith(("[redacted", "http", "redacted:")):
        return False
    letters = value.replace("'", "").replace("’", "").replace("-", "")
    if not letters.isalpha():
        return not direct or (len(value) >= 5 and any(char.isdigit() for char in value) and not _is_date(value))
    if direct:
        return False
    quoted = text[start - 1] in "\"'`“«" or text[start - 2 : start].strip() in ("=", ":", "：")
    if quoted:
        return True
    plainly = _SAID_PLAINLY.search(text, max(0, start - 14), start) and _GOES_ON.match(text, end)
    adverb = letters.endswith("ly") and not letters.endswith("fly")
    return bool(plainly or _ENDS.match(text, end)) and not (adverb or letters.endswith(("ing", "ed")))


def _is_key(value: str, changes_min: int) -> bool:
    """Whether a token looks generated: letters and digits mixed, or digits alone where it is said to be a key."""
    if len(value) < 8 or "redacted" in value or "://" in value or _is_date(value[:10]):
        return False
    letters = sum(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    changes = sum(a.isdigit() != b.isdigit() for a, b in pairwise(value))
    if not letters:
        return changes_min == 1 and digits >= 8
    turns = sum(a.isupper() != b.isupper() for a, b in pairwise(value))
    if not digits:
        return len(value) >= 16 and letters == len(value) and 2 * turns >= 0.8 * len(value)
    return (letters >= 2 and digits >= 2 and changes >= changes_min) or (len(value) >= 20 and digits > 0 and turns >= 8)


def _is_date(value: str) -> bool:
    return (
        re.match(r"(?:19|20)\d\d(?:[-–/. ]?(?:19|20)?\d\d){0,2}$|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}$", value) is not None
    )
