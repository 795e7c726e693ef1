"""Pairs of claims in many fillings, attribute by attribute: what the authored pairs say once, said of much else.

An attribute's block in pair_templates.txt names its values (with finer ones after ">"), and sentences by what they do
to a claim of value V: `+` states it, `-` denies or ends it, `x` puts W in its place, `r` says more of it, `o` answers
another question about the same word, `c` is compatible. Under `single` another value replaces, under `multi` it joins,
under `attitude` a denial or its contrary turns it (R3). `B` is V without its article. A fixed seed decides which
fillings are taken.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.train.pair_examples import PairExample

SEED = 1207
PAIRS_A_RELATION = 22
BLOCKS = Path(__file__).with_suffix(".txt")
_SUBJECTS = ("User", "User", "User", "User", "Mira", "Tomas", "Femi", "Ingrid", "Luis")
_OTHERS = (
    *("User's sister", "User's boss", "User's neighbour", "User's husband", "User's ex", "User's best friend"),
    *("User's cousin", "User's daughter", "User's colleague", "User's father", "User's flatmate"),
    *("Delia", "Rashid", "Yuki", "Bram"),
)
_ARTICLE = re.compile(r"^(?:a|an|the|some|two|three) ")


@dataclass(slots=True)
class _Block:
    name: str
    kind: str
    values: list[tuple[str, list[str]]] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=dict)


def template_pairs() -> list[PairExample]:
    """All pairs, in the order of the blocks; none occurs twice."""
    blocks = _blocks()
    choose = random.Random(SEED)
    found: dict[tuple[str, str], PairExample] = {}
    for block in blocks:
        for relation, pairs in _relations(block, blocks, choose).items():
            distinct = sorted({pair for pair in pairs if pair[0] != pair[1]})
            for first, second in choose.sample(distinct, min(len(distinct), PAIRS_A_RELATION)):
                example = PairExample(first, second, relation, f"templates-{block.name}", "train", True)
                found.setdefault((first, second), example)
    return list(found.values())


def _blocks() -> list[_Block]:
    blocks: list[_Block] = []
    for line in BLOCKS.read_text(encoding="utf-8").strip().splitlines():
        sign, _, rest = line.partition(" ")
        if sign == "v:":
            for value in rest.split("|"):
                plain, _, finer = value.partition(">")
                blocks[-1].values.append((plain.strip(), [each.strip() for each in finer.split(",") if each.strip()]))
        elif len(sign) == 1:
            blocks[-1].lines[sign] = [each.strip() for each in rest.split("|")]
        else:
            blocks.append(_Block(sign, rest.strip()))
    return blocks


def _filled(pattern: str, subject: str, value: str, other: str = "") -> str:
    bare = _ARTICLE.sub("", value)
    text = re.sub(r"\bBs\b", bare if bare.endswith("s") else f"{bare}s", pattern)
    text = re.sub(r"\bS\b", subject, text)
    for mark, filling in (("V", value), ("W", other), ("B", bare)):
        text = re.sub(rf"\b{mark}\b", filling, text)
    return text[0].upper() + text[1:]


def _relations(block: _Block, blocks: Sequence[_Block], choose: random.Random) -> dict[str, list[tuple[str, str]]]:
    """Many pairs of each relation, of which a few are taken."""
    out: dict[str, list[tuple[str, str]]] = {
        each: [] for each in ("same", "refines", "replaces", "negates", "other_attribute", "compatible")
    }
    for value, finer in block.values:
        for _ in range(6):
            subject = choose.choice(_SUBJECTS)
            other = choose.choice([each for each, _ in block.values if each != value])
            for relation, pair in _pairs(block, blocks, choose, (subject, value, other, finer)):
                out[relation].append(pair)
    return out


def _pairs(
    block: _Block, blocks: Sequence[_Block], choose: random.Random, filling: tuple[str, str, str, list[str]]
) -> Iterator[tuple[str, tuple[str, str]]]:
    subject, value, other, finer = filling
    lines = block.lines
    stated = [_filled(each, subject, value) for each in lines["+"]]
    first = choose.choice(stated)
    yield "same", (first, choose.choice(stated))
    for each in [*(_filled(choose.choice(lines["+"]), subject, each) for each in finer), *_all(block, "r", filling)]:
        yield "refines", (first, each)
    denied = [*_all(block, "-", filling)]
    for each in denied:
        yield "replaces" if block.kind == "attitude" else "negates", (choose.choice(stated), each)
        if finer and block.kind != "attitude" and block.name not in ("children", "counts"):
            yield "negates", (_filled(choose.choice(lines["+"]), subject, choose.choice(finer)), each)
    for each in _all(block, "x", filling):
        yield "replaces", (choose.choice(stated), each)
    another = _filled(choose.choice(lines["+"]), subject, other)
    if block.kind == "attitude":
        yield "replaces", (choose.choice(denied), choose.choice(stated))
        yield "same", (denied[0], denied[0].replace("does not", "doesn't"))
        yield "compatible", (choose.choice(denied), another)
    if block.kind == "single":
        yield "replaces", (first, another)
    else:
        yield "compatible", (first, another)
        yield "compatible", (first, choose.choice([*_all(block, "-", (subject, other, value, []))]))
    for each in _all(block, "c", filling):
        yield "compatible", (choose.choice(stated), each)
    for each in _all(block, "o", filling):
        pair = (choose.choice(stated), each)
        yield "other_attribute", pair if choose.random() < 0.6 else (pair[1], pair[0])
    if any("S" in each.split() or "S's" in each.split() for each in lines["+"]):
        pattern, somebody = choose.choice(lines["+"]), choose.choice(_OTHERS)
        pair = (_filled(pattern, subject, value), _filled(pattern, somebody, value))
        yield "other_attribute", pair if choose.random() < 0.5 else (pair[1], pair[0])
        yield "other_attribute", (first, _filled(choose.choice(lines.get("-", lines["+"])), somebody, value))
    stranger = choose.choice([each for each in blocks if each is not block])
    yield "compatible", (first, _filled(choose.choice(stranger.lines["+"]), subject, stranger.values[0][0]))


def _all(block: _Block, sign: str, filling: tuple[str, str, str, list[str]]) -> Iterator[str]:
    subject, value, other, _ = filling
    for pattern in block.lines.get(sign, ()):
        yield _filled(pattern, subject, value, other)
