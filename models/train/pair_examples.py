"""Pairs of claims to learn judging from: the authored ones, and their variants with other names and numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

RELATIONS = ("same", "refines", "replaces", "negates", "other_attribute", "compatible")
DERIVED_FILES = frozenset((*range(8, 20), 22, 23))
FOLDER = Path(__file__).parent / "pairs"

_NUMBER = re.compile(r"(?<![\w.,:-])\d{1,4}(?![\w:-]|[.,]\d)")
_YEARS = range(1900, 2100)
_PEOPLE_WORDS = """
Wiebke Lars Ayumi Tunde Jorge Helene Emma Chiara Mira Anouk Bram Cemal Dagny Eluned Farid Gesa Hamza Ilse Jonas
Kofi Leonie Marek Nadia Oskar Paloma Quinn Rosa Stefan Thea Ulrich Vera Wanda Xenia Yara Zoltan Arjun Beatriz
Callum Delphine Femi Ingrid Erik Fatou Greta Hugo Ines Jamal Katrin Luis Maeve Nils Odile Priya Ravi Sanna Tomas
Una Viktor
"""
_PEOPLE = tuple(_PEOPLE_WORDS.split())
_PLACES_WORDS = """
Graz Linz Madrid Kyoto Lima Lisbon Malmö Uppsala Durban Antwerp Boston Cardiff London Singapore Portugal Porto
Kraków Oslo Berlin Munich Seattle Dublin Leeds Utrecht Turin Accra Osaka Bergen Ghent Perth Hull Tampere Denver
Naples Basel Zagreb Split Bilbao Cork Aarhus Riga Vilnius Lyon Nantes Leipzig Bremen Toronto Quito Nairobi Hanoi
"""
_PLACES = tuple(_PLACES_WORDS.split())
_NAMED = re.compile(r"\b(?:" + "|".join((*_PEOPLE, *_PLACES)) + r")\b")


@dataclass(frozen=True, slots=True)
class PairExample:
    """What memory holds, what was said next, one of RELATIONS, the family it was written in, and its part.

    `derived`: it follows from others, or fills a template; of these each round of learning takes a share.
    """

    first: str
    second: str
    relation: str
    family: str
    part: str
    derived: bool


def authored_examples(folder: Path = FOLDER) -> list[PairExample]:
    """All authored pairs. The families of part "dev" are apart from learning, for scaling and thresholds."""
    return [
        PairExample(
            row["first"],
            row["second"],
            row["relation"],
            row["family"],
            row["split"],
            int(row["id"].split("-")[1]) in DERIVED_FILES,
        )
        for path in sorted(folder.glob("*.jsonl"))
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


def renamed(example: PairExample, random: np.random.Generator) -> PairExample:
    """The same pair of other people, places and numbers, each exchanged alike in both sentences.

    Numbers keep their order, so that what is more stays more; years, clock times and versions stay as they are.
    """
    swaps: dict[str, str] = {}
    text = f"{example.first} | {example.second}"
    for pool in (_PEOPLE, _PLACES):
        found = [name for name in dict.fromkeys(_NAMED.findall(text)) if name in pool]
        free = [name for name in pool if name not in text]
        swaps |= dict(zip(found, random.choice(free, len(found), replace=False).tolist(), strict=True))
    numbers = sorted({int(each) for each in _NUMBER.findall(text)})
    if numbers and not any(each in _YEARS for each in numbers) and numbers[0] > 1:
        shift = int(random.integers(-1, 4)) if numbers[-1] < 32 else int(random.integers(0, max(2, numbers[-1] // 3)))
        if numbers[0] + shift > 1 and not (numbers[-1] < 32 <= numbers[-1] + shift):
            swaps |= {str(each): str(each + shift) for each in numbers}
    if not swaps:
        return example
    return replace(example, first=_swapped(example.first, swaps), second=_swapped(example.second, swaps))


def _swapped(text: str, swaps: dict[str, str]) -> str:
    text = _NAMED.sub(lambda found: swaps.get(found[0], found[0]), text)
    return _NUMBER.sub(lambda found: swaps.get(found[0], found[0]), text)


def counted(examples: Iterable[PairExample]) -> dict[str, int]:
    """How many pairs of each relation."""
    labels = [example.relation for example in examples]
    return {relation: labels.count(relation) for relation in RELATIONS}


def confusion(examples: Sequence[PairExample], taken: Sequence[str]) -> dict[str, dict[str, int]]:
    """Labels against answers."""
    table = {relation: dict.fromkeys(RELATIONS, 0) for relation in RELATIONS}
    for example, answer in zip(examples, taken, strict=True):
        table[example.relation][answer] += 1
    return table
