"""National identifiers in a text (P2): by their form and check digits alone, or where a telling word stands too.

A form that ordinary numbers have (nine digits in threes) counts only where the message names the identifier or its
authority, and its check digits agree; a form that nothing else has needs no word.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from functools import cache

Span = tuple[int, int, str]

_L, _R = r"(?<![A-Za-z0-9_.-])", r"(?![A-Za-z0-9_]|-[A-Za-z0-9])"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{_L}(?:{pattern}){_R}", re.IGNORECASE)


_SHAPES = re.compile(
    rf"{_L}(?:\d{{3}}-\d{{2}}-\d{{4}}|\d{{3}}\.\d{{3}}\.\d{{3}}-\d{{2}}|[A-Z]{{2}} ?\d{{2}} ?\d{{2}} ?\d{{2}} ?[A-D]|"
    r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]|\d{6}-[1-8]\d{6}|"
    r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d|\d{2} ?\d{6} ?[A-Z] ?\d{3}|756\.\d{4}\.\d{4}\.\d{2}|"
    rf"[A-Z]{{1,2}}\d{{6}}\([0-9A]\)){_R}"
)
"""US, Brazil, United Kingdom, Italy, Korea, Mexico, Germany's pensions, Switzerland, Hong Kong: forms of their own."""

_PAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z](?![A-Za-z0-9])")
_CHECKED: tuple[tuple[re.Pattern[str], str], ...] = (
    (_form(r"\d{8}-?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]"), "es.dni"),
    (_form(r"[XYZ]-?\d{7}-?[A-Z]"), "es.nie"),
    (_form(r"\d{17}[\dX]"), "cn.ric"),
    (re.compile(rf"{_L}\d{{4}} \d{{4}} \d{{4}}(?! ?\d)(?![A-Za-z_-])"), "in_.aadhaar"),
    (_form(r"[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}"), "fr.nir"),
    (_form(r"(?:19|20)?\d{6}[-+]\d{4}|(?:19\d\d|20[01]\d)\d{8}"), "se.personnummer"),
    (_form(r"\d{2} \d{3} \d{3} \d{3}"), "de.idnr"),
    (_form(r"\d{11}"), "pl.pesel"),
    (_form(r"\d{6} ?\d{5}"), "no.fodselsnummer"),
    (_form(r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}"), "be.nn"),
    (_form(r"\d{6}[-+A-F]\d{3}[0-9A-Y]"), "fi.hetu"),
)
"""What is told by its form and check digits, as stdnum knows them."""

_CHECKED_FORM = re.compile("|".join(form.pattern for form, _ in _CHECKED), re.IGNORECASE)
_NINE, _TEN = r"\d{3}([ .-]?)\d{3}\1\d{3}", r"\d{3}([ -]?)\d{3}\1\d{4}"
_TOLD_ROWS: tuple[tuple[str, str, str, str | None], ...] = (
    ("sin insur assur canad", r"\bsin\b|social insurance|assurance sociale|canad", _NINE, "ca.sin"),
    ("tfn tax ato austral", r"\btfn\b|tax file|\bato\b|austral", _NINE, "au.tfn"),
    ("medicare", r"\bmedicare\b", r"[2-6]\d{3} ?\d{5} ?\d(?:[ /]\d)?", None),
    ("medicare mbi", r"\b(?:medicare|mbi)\b", r"[1-9][A-Z][A-Z0-9]\d-?[A-Z][A-Z0-9]\d-?[A-Z]{2}\d{2}", None),
    ("bsn burger sofi citizen dutch nederl", r"\bbsn\b|burgerservice|\bsofi|citizen service|dutch|nederland",
     rf"{_NINE}|\d{{4}}\.?\d{{2}}\.?\d{{3}}", "nl.bsn"),
    ("nhs", r"\bnhs\b", _TEN, "gb.nhs"),
    ("adha adaa aad uid", r"a+dh?a+h?a?r|\buidai\b|\buid\b", r"\d{4}([ -]?)\d{4}\1\d{4}", "in_.aadhaar"),
    ("cpf receita bra", r"\bcpf\b|receita|brazil|brasil", r"\d{11}", "br.cpf"),
    ("steuer idnr id-nr finanz tax tin german", r"steuer|\bid-?nr|finanzamt|\btax id|\btin\b|german",
     r"\d{11}|\d{2}[ /]\d{3}[ /]\d{3}[ /]\d{3}", "de.idnr"),
    ("pan permanent income", r"\bpan\b|permanent account|income tax", r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]", None),
    ("person skatte swed samord", r"\bpersonn|personal (?:identity )?number|skatteverket|swed|samordning",
     r"(?:19|20)?\d{6}[-+]?\d{4}", "se.personnummer"),
    ("cpr danish danmark denmark", r"\bcpr\b|danish|danmark|denmark", r"\d{6}[- ]?\d{4}", None),
    ("pps irish ireland", r"\bpps\b|irish|ireland", r"\d{7}[A-W][A-IW]?", "ie.pps"),
    ("nric singapore fin", r"\bnric\b|singapore|\bfin number", r"[STFGM]\d{7}[A-Z]", None),
    ("ahv avs swiss schweiz", r"\bahv\b|\bavs\b|swiss|schweiz", r"756\.?\d{4}\.?\d{4}\.?\d{2}", "ch.ssn"),
    ("ein tax employer", r"\beins?\b|\btax id|employer identification", r"\d{2}-\d{7}", None),
    ("green alien uscis a-num", r"green card|\balien|\buscis\b|\ba-number", r"A[ -]?\d{3}-?\d{3}-?\d{3}", None),
    ("social ssn ss# ss itin taxpayer", r"\bsocial\b|\bssn\b|\bss ?#|\bitin\b|\btaxpayer",
     r"\d{3}([ -]?)\d{2}\1\d{4}", None),
    ("ni nat hmrc", r"\bni\b|\bnino\b|national insurance|\bnat ins|\bhmrc\b",
     r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]", None),
    ("svnr sozial renten sv-n rv-n", r"\bsvnr\b|sozialvers|rentenvers|\b(?:sv|rv)-n",
     r"\d{2} ?\d{6} ?[A-Z] ?\d{3}", None),
)  # fmt: skip
_TOLD = tuple(
    (tuple(signs.split()), re.compile(words), _form(form), module) for signs, words, form, module in _TOLD_ROWS
)
"""(signs that are cheap to look for, telling words in lower case, form, stdnum's checker): all forms in a message
that has such a word."""

_RUN = re.compile(r"\d(?:[ .+/-]?\d){5}")
_MIXED = re.compile(r"[A-Za-z][0-9]{3}|[0-9][A-Z][A-Z0-9]")


def national(text: str, lowered: str, digits: int) -> Iterator[Span]:
    """National identifiers in a text of that many digits."""
    mixed = _MIXED.search(text) is not None
    if mixed:
        yield from ((*m.span(), "national_id") for m in _PAN.finditer(text))
    run = digits >= 6 and _RUN.search(text) is not None
    if not run and not mixed:
        return
    if digits >= 6:
        yield from ((*m.span(), "national_id") for m in _SHAPES.finditer(text))
    for signs, words, form, module in _TOLD:
        if any(sign in lowered for sign in signs) and words.search(lowered):
            for found in form.finditer(text):
                if module is None or _checker(module)(found[0]):
                    yield (*found.span(), "national_id")
    if digits >= 8:
        for found in _CHECKED_FORM.finditer(text):
            if any(form.fullmatch(found[0]) and _checker(module)(found[0]) for form, module in _CHECKED):
                yield (*found.span(), "national_id")


@cache
def _checker(module: str) -> Callable[[str], bool]:
    found: Callable[[str], bool] = importlib.import_module(f"stdnum.{module}").is_valid
    return found
