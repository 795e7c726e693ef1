"""All clauses that the extraction encoder and its heads learn from, in one order."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.train.examples import (
    Example,
    corpus_examples,
    labelled_conversations,
    labelled_examples,
    revised,
    task_examples,
    template_examples,
)
from models.train.persona_labels import weak_examples
from models.train.span_labels import span_labelled_examples

SEED = 20261130
IRC_SHARE = 0.08


def gathered(data: Path) -> list[Example]:
    """All examples; of the long technical chats a fixed share, so that they do not drown the rest."""
    random = np.random.default_rng(SEED)
    tasks = [
        example
        for example in task_examples(data)
        if example.part != "train" or not example.read.among_people or random.random() < IRC_SHARE
    ]
    hand = [*labelled_examples(data), *span_labelled_examples(data)]
    return [
        *corpus_examples(),
        *revised(hand, list(labelled_examples(data, "revised"))),
        *labelled_examples(data, "clauses"),
        *weak_examples(data, labelled_conversations()),
        *template_examples(),
        *tasks,
    ]
