"""Measure 8: does memory find the messages that answer a question, over long histories, against BM25 over raw words.

What is ranked are messages: a fact counts as the messages that it came from. BM25 (Robertson and Zaragoza 2009) gets
every message of the user's own words; it is computed twice, with all words and with stems and no stop words, and the
better of both is the baseline of each figure.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import orjson
from numpy.typing import NDArray

from flows.evaluation.figures import Figure, mean
from flows.evaluation.histories import ASKED_AT_MS, KINDS, History, Question
from flows.job import open_state, run_process
from flows.memory import Memory
from flows.settings import ENVIRONMENT_PREFIX, load
from flows.spec import JobSpec
from state.lexical import words

CUTS: Final = (5, 10)
MARGIN: Final = 0.10
"""By how much BM25 is to be beaten."""
_TURNS: Final = {f"{ENVIRONMENT_PREFIX}MEMORY__TURNS": "36500"}
_K1: Final = 1.5
_B: Final = 0.75


@dataclass(frozen=True, slots=True)
class Answer:
    """Message ids, best first, each once, and the score of the first."""

    message_ids: tuple[str, ...]
    score: float


Answers = Sequence[tuple[Question, Answer]]


def measure(histories: Sequence[History], config: Path | None) -> Iterator[Figure]:
    """Runs the job over the histories with `memory.turns` on, and asks: facts and turns, then facts alone."""
    baselines = [[answer for each in histories for answer in ask_bm25(each, cut)] for cut in (all_words, stemmed_words)]
    with tempfile.TemporaryDirectory(prefix="factstream-eval-") as folder:
        state = str(Path(folder) / "state")
        run_histories(histories, state, config)
        with Memory(state) as memory:
            both = [answer for each in histories for answer in ask(memory, each)]
            facts = [answer for each in histories for answer in ask_facts(memory, each)]
    yield from figures("authored histories", both, baselines)
    yield from figures("authored histories, facts alone", facts, baselines, margin=None)


def run_histories(histories: Sequence[History], state: str, config: Path | None) -> None:
    """The embedded job over all messages of the histories, keeping turns."""
    with tempfile.TemporaryDirectory(prefix="factstream-eval-") as folder, patched(_TURNS):
        source = Path(folder) / "messages.jsonl"
        with source.open("wb") as out:
            out.writelines(orjson.dumps(row) + b"\n" for history in histories for row in history.rows)
        spec = JobSpec(state, str(config) if config else None, (str(source),))
        open_state(load(spec.config), state)
        run_process(spec)


def figures(
    name: str, answers: Answers, baselines: Sequence[Answers], margin: float | None = MARGIN
) -> Iterator[Figure]:
    """Evidence recall of all questions with an answer and of each kind; changed facts; questions without an answer.

    The target is `margin` above the baseline.
    """
    for kind in (None, *KINDS[:-1]):
        for cut in CUTS:
            value, count = _recall(answers, cut, kind)
            best = max(_recall(each, cut, kind)[0] for each in baselines)
            target = best + margin if kind is None and margin is not None else None
            told = f"evidence recall@{cut}" + (f", {kind}" if kind else "")
            yield Figure(8, name, told, value, count, best, target)
    first, count = _current_first(answers)
    best = max(_current_first(each)[0] for each in baselines)
    yield Figure(8, name, "changed: what holds comes before what held", first, count, best)
    best = max(_apart(each) for each in baselines)
    yield Figure(8, name, "unanswerable scored below answerable (AUC)", _apart(answers), len(answers), best)


def ask(memory: Memory, history: History) -> Answers:
    """The product's answers to a history's questions."""
    given = []
    for question in history.questions:
        found = memory.search(history.user, question.text, CUTS[-1], now_ms=ASKED_AT_MS)
        listed = dict.fromkeys(each for hit in found for each in hit.message_ids)
        given.append((question, Answer(tuple(listed), found[0].score if found else 0.0)))
    return given


def ask_facts(memory: Memory, history: History) -> Answers:
    """The product's answers from facts alone."""
    given = []
    for question in history.questions:
        found = memory.recall(history.user, question.text, CUTS[-1], now_ms=ASKED_AT_MS)
        listed = dict.fromkeys(source["message_id"] for fact in found for source in fact.sources)
        given.append((question, Answer(tuple(listed), found[0].score if found else 0.0)))
    return given


def ask_bm25(history: History, cut: Callable[[str], list[str]]) -> Answers:
    """What BM25 over the user's messages answers; `cut` takes a text apart."""
    said = history.said
    texts = [cut(row["text"]) for row in said]
    given = []
    for question in history.questions:
        scores = bm25(cut(question.text), texts)
        order = np.argsort(-scores, kind="stable")[: CUTS[-1]]
        listed = tuple(said[i]["message_id"] for i in order if scores[i] > 0.0)
        given.append((question, Answer(listed, float(scores.max(initial=0.0)))))
    return given


def all_words(text: str) -> list[str]:
    """Every word, as it is."""
    return re.findall(r"\w+", text.casefold())


def stemmed_words(text: str) -> list[str]:
    """Stems without stop words."""
    return words(text)


def bm25(query: Sequence[str], texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """The score of each text, as it is usually computed (k1 1.5, b 0.75)."""
    lengths = np.array([len(text) for text in texts], float)
    norms = _K1 * (1.0 - _B + _B * lengths / lengths.mean())
    scores = np.zeros(len(texts))
    for word in query:
        often = np.array([text.count(word) for text in texts], float)
        having = np.count_nonzero(often)
        scores += np.log(1.0 + (len(texts) - having + 0.5) / (having + 0.5)) * often * (_K1 + 1.0) / (often + norms)
    return scores


@contextmanager
def patched(variables: Mapping[str, str]) -> Iterator[None]:
    """The process's environment with some variables set."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _recall(answers: Answers, cut: int, kind: str | None) -> tuple[float, int]:
    """(The mean share of a question's evidence among the first `cut` messages, the questions.)"""
    shares = [
        len(set(question.evidence).intersection(answer.message_ids[:cut])) / len(question.evidence)
        for question, answer in answers
        if question.evidence and kind in (None, question.kind)
    ]
    return mean(shares), len(shares)


def _current_first(answers: Answers) -> tuple[float, int]:
    """(The share of changed facts of which the present message comes before every past one, the questions.)"""
    right = []
    for question, answer in answers:
        if question.stale:
            places = {ident: place for place, ident in enumerate(answer.message_ids)}
            present = min(places.get(ident, len(places)) for ident in question.evidence)
            past = min(places.get(ident, len(places)) for ident in question.stale)
            right.append(present < past)
    return mean(right), len(right)


def _apart(answers: Answers) -> float:
    """The chance that a question with an answer has a higher best score than one without (0.5: no telling)."""
    with_answer = [answer.score for question, answer in answers if question.evidence]
    without = [answer.score for question, answer in answers if not question.evidence]
    return mean([(high > low) + 0.5 * (high == low) for high in with_answer for low in without])
