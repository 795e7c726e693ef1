"""A clause's shape as a third-person sentence, with agreement."""

from __future__ import annotations

import re

from models.wording.grammar import Shape, in_third_person
from models.wording.lists import wordset
from models.wording.verbs import is_base, is_past, third_person

_KEPT_ADVERBS = wordset(
    """
    always never often usually sometimes rarely seldom hardly only mostly mainly regularly occasionally
    frequently generally normally typically once barely recently probably secretly both
    """
)


def sentence(shape: Shape, subject: str = "User", of_user: bool = True) -> str:
    """The clause in the third person, with agreement: Shape("I", "do not", "drink", …) → "User does not drink …"."""
    adverbs = [word for word in shape.adverbs if word.lower() in _KEPT_ADVERBS][:2]
    before, verb, after = _verb_group(shape, of_user)
    rest = in_third_person(shape.rest, of_user)
    if of_user and not before and not shape.past and rest[:4] == "and ":
        second = rest.split()[1:2]
        rest = f"and {third_person(second[0])}{rest[4 + len(second[0]) :]}" if second and is_base(second[0]) else rest
    middle = (
        [before, *adverbs, verb, after]
        if before
        else [*adverbs, verb, after]
        if shape.verb != "be"
        else [verb, *adverbs, after]
    )
    parts = [subject, *middle, rest]
    if shape.fronted and not re.match(r"(?i)as (?:a|an|the)\b", shape.fronted):
        fronted = in_third_person(shape.fronted, of_user)
        keeps_capital = re.match(r"[A-Z]\w+ [A-Z]", fronted) is not None
        parts.append(fronted if keeps_capital else fronted[:1].lower() + fronted[1:])
    return " ".join(" ".join(parts).split())


def _agree(word: str, of_user: bool) -> str:
    """The finite form in the third person; what another subject said already agrees with it."""
    return third_person(word) if of_user or word.lower() == "am" else word


def _verb_group(shape: Shape, of_user: bool) -> tuple[str, str, str]:
    """(auxiliary, what stands between it and the rest, …): adverbs go after the first part, or before a bare verb."""
    auxiliaries = list(shape.auxiliaries)
    negation = "never" if shape.never else "not" if shape.negated else ""
    form = shape.form
    if shape.used_to:
        return (
            ("never" if shape.never else "did not" if shape.negated else ""),
            f"use{'' if shape.negated and not shape.never else 'd'} to",
            form,
        )
    if auxiliaries[:1] in (["have"], ["has"]) and form.lower() == "got":
        verb = "has" if of_user else auxiliaries[0]
        return "", verb if negation != "not" else f"{verb} no", ""
    if shape.verb == "be" and not auxiliaries:
        return "", _agree(form, of_user), negation
    if shape.verb == "have" and not auxiliaries and negation == "not":
        return "", f"{form if is_past(form) else _agree(form, of_user)} no", ""
    if auxiliaries and auxiliaries[0] in ("do", "does", "did"):
        does = "did" if auxiliaries[0] == "did" else _agree(auxiliaries[0], of_user)
        if negation == "not" or does == "did":
            return f"{does} {negation}".strip(), form, ""
        return negation, _agree(form, of_user), ""
    if auxiliaries:
        first = _agree(auxiliaries[0], of_user)
        if first == "can" and negation == "not":
            return "cannot", " ".join([*auxiliaries[1:], form]), ""
        return f"{first} {negation}".strip(), " ".join([*auxiliaries[1:], form]), ""
    return ("never" if negation == "never" else ""), _agree(form, of_user), ""
