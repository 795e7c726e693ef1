"""Make models/weights/extractor: MiniLM fine-tuned whole to read clauses. About twenty-five minutes on two CPU cores.

    python -m models.train.extractor --data ../shared/data

Learns from the authored corpus (models/train/corpus), from hand labels on public persona chats (models/train/labels),
from clauses that say what their speaker's persona says, and from task chats in which nothing durable is said. Seeds are
fixed: the same files and versions give the same weights.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import optax
from numpy.typing import NDArray

from models.heads import INTENSITY, KEEP, KEEP_AMONG_PEOPLE, SINGLE, clause_row
from models.sessions import WEIGHTS
from models.tokens import Tokens
from models.train.base import base_directory, base_weights
from models.train.build_embedder import write_tokenizer
from models.train.encoder import step
from models.train.examples import KINDS, SUBJECTS, Example
from models.train.gathering import SEED, gathered
from models.train.graph import INT8_FORMS, clause_encoder
from models.train.keep_heads import finish, write_labels

LAYERS = 3
EPOCHS = 3
STEPS_MAX = 1200
SCHEDULE_STEPS_MAX = 1620
BATCH_ROWS = 32
IDS_MAX = 64
OWN_IDS_MAX = IDS_MAX - 3
RATE = 1.5e-4
HEADS_RATE_FACTOR = 8.0
PLAIN_RATE = 4e-5
PLAIN_PEOPLE_EVERY = 3
KEEP_SMOOTHING = 0.03
KIND_WEIGHTS = {"status": 3.0, "procedure": 3.0, "opinion": 1.5}
LENGTHS = (8, 12, 16, 24, 32, 44, IDS_MAX)
FROZEN = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
Array = NDArray[np.float32]


# Predicates are the rules' matter: most have too few examples to be learned, and the head only cost the others.
NAMES: dict[str, list[str]] = {"kinds": list(KINDS), "subjects": list(SUBJECTS)}


def targets(example: Example, names: dict[str, list[str]]) -> tuple[Array, Array]:
    """The wanted outputs in one row, and the weight of each: keep twice, intensity, kinds, subjects."""
    size = SINGLE + len(names["kinds"]) + len(names["subjects"])
    wanted, counts = np.zeros(size, np.float32), np.zeros(size, np.float32)
    keep = KEEP_AMONG_PEOPLE if example.read.among_people else KEEP
    wanted[keep], counts[keep] = KEEP_SMOOTHING + (1 - 2 * KEEP_SMOOTHING) * example.keep, example.weight
    if example.intensity is not None:
        wanted[INTENSITY], counts[INTENSITY] = example.intensity, 1
    start = SINGLE
    kind_weight = max((KIND_WEIGHTS.get(kind, 1.0) for kind in example.kinds), default=0.0)
    shares = ((example.kinds, kind_weight), ({example.subject: 1.0} if example.subject else {}, 1.0))
    for group, (share, weight) in zip(("kinds", "subjects"), shares, strict=True):
        for name, value in share.items():
            wanted[start + names[group].index(str(name))] = value
        counts[start : start + len(names[group])] = weight if share else 0
        start += len(names[group])
    return wanted, counts


def loss_of(names: dict[str, list[str]]) -> Any:
    """Cross entropies of all heads, the two keep heads as one; intensity by squared error."""
    ends = np.cumsum([SINGLE, len(names["kinds"]), len(names["subjects"])])

    def loss(logits: Any, batch: Any) -> Any:
        wanted, counts = batch["wanted"], batch["counts"]
        both = slice(KEEP, KEEP_AMONG_PEOPLE + 1)
        keep = optax.sigmoid_binary_cross_entropy(logits[:, both], wanted[:, both]) * counts[:, both]
        total = keep.sum() / jnp.maximum(counts[:, both].sum(), 1)
        strength = (jax.nn.sigmoid(logits[:, INTENSITY]) - wanted[:, INTENSITY]) ** 2 * counts[:, INTENSITY]
        total += strength.sum() / jnp.maximum(counts[:, INTENSITY].sum(), 1)
        for start, end, share in zip(ends[:-1], ends[1:], (0.5, 0.2), strict=True):
            each = optax.softmax_cross_entropy(logits[:, start:end], wanted[:, start:end]) * counts[:, start]
            total += share * each.sum() / jnp.maximum(counts[:, start].sum(), 1)
        return total

    return loss


def encoded(tokens: Tokens, examples: Sequence[Example]) -> list[tuple[list[int], int]]:
    """Each example's ids, and how many of the first are the clause's own."""
    clauses = tokens.encode([example.read.text for example in examples])
    contexts = tokens.encode([example.read.context for example in examples])
    return [
        clause_row(clause[:OWN_IDS_MAX], context, example.read.among_people)
        for clause, context, example in zip(clauses, contexts, examples, strict=True)
    ]


def arrays(rows: Sequence[tuple[list[int], int]]) -> dict[str, NDArray[Any]]:
    """One padded batch; lengths are rounded up to one of a few, so that few shapes are compiled."""
    longest = max(len(ids) for ids, _ in rows)
    length = next(length for length in LENGTHS if length >= longest)
    batch = {name: np.zeros((len(rows), length), np.int32) for name in ("ids", "segments")}
    batch |= {name: np.zeros((len(rows), length), np.float32) for name in ("mask", "own")}
    for row, (ids, own) in enumerate(rows):
        batch["ids"][row, : len(ids)] = ids
        batch["segments"][row, own : len(ids)] = 1
        batch["mask"][row, : len(ids)] = 1
        batch["own"][row, :own] = 1
    return batch


def shuffled(lengths: Sequence[int], random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Batches of like lengths in random order, every example once; the last odd rows of an epoch are left out."""
    order = np.lexsort((random.random(len(lengths)), np.searchsorted(LENGTHS, lengths)))
    groups = [order[at : at + BATCH_ROWS] for at in range(0, len(order) - BATCH_ROWS + 1, BATCH_ROWS)]
    for index in random.permutation(len(groups)):
        yield groups[index]


def fit(params: dict[str, Array], tokens: Tokens, examples: Sequence[Example], rate_max: float, epochs: int) -> Any:
    """The parameters after `epochs`, or STEPS_MAX if that is less: the schedule's last steps are too small to matter.

    The schedule is for as many steps as the epochs have, SCHEDULE_STEPS_MAX at most.

    The token table stays as it was: what it says of rare words is worth more.
    """
    params = dict(params)
    frozen = {name: params.pop(name) for name in FROZEN}
    rows = encoded(tokens, examples)
    labels = [targets(example, NAMES) for example in examples]
    total = min(epochs * (len(rows) // BATCH_ROWS), SCHEDULE_STEPS_MAX)
    rate = optax.warmup_cosine_decay_schedule(0.0, rate_max, total // 12, total, rate_max / 50)
    heads = {name: "heads" if name.startswith("heads.") else "body" for name in params}
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.multi_transform(
            {
                "body": optax.adamw(rate, weight_decay=0.01),
                "heads": optax.adamw(lambda at: rate(at) * HEADS_RATE_FACTOR, weight_decay=0.01),
            },
            heads,
        ),
    )
    run, state, began = step(LAYERS, loss_of(NAMES), optimizer), optimizer.init(params), time.monotonic()
    random = np.random.default_rng(SEED)
    losses: list[float] = []
    for epoch in range(epochs):
        for group in shuffled([len(ids) for ids, _ in rows], random):
            if len(losses) == STEPS_MAX:
                break
            batch = arrays([rows[index] for index in group])
            batch["wanted"] = np.stack([labels[index][0] for index in group])
            batch["counts"] = np.stack([labels[index][1] for index in group])
            params, state, loss = run(params, frozen, state, batch)
            losses.append(float(loss))
        print(f"epoch {epoch + 1}: loss {np.mean(losses[-200:]):.4f}, {time.monotonic() - began:.0f} s", flush=True)
    return {name: np.asarray(value) for name, value in (params | frozen).items()}


def plain(examples: Sequence[Example]) -> list[Example]:
    """For a last pass: all that is said to an assistant, and a third of what is said among people.

    Chats outnumber talk with an assistant; without it plain statements to an assistant score too low.
    """
    people = [example for example in examples if example.read.among_people]
    return [example for example in examples if not example.read.among_people] + people[::PLAIN_PEOPLE_EVERY]


def start(base: Path, outputs: int) -> dict[str, Array]:
    """The pretrained parameters of the layers used, and fresh heads."""
    used = tuple(f"encoder.layer.{index}." for index in range(LAYERS))
    params = {n: v for n, v in base_weights(base).items() if n.startswith(("embeddings.", *used))}
    random = np.random.default_rng(SEED)
    params["heads.weight"] = random.normal(0, 0.02, (outputs, 384)).astype(np.float32)
    params["heads.bias"] = np.zeros(outputs, np.float32)
    return params


def main() -> None:
    """Command line of the recipe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the public sets")
    parser.add_argument("--base", type=Path, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "extractor")
    arguments = parser.parse_args()
    base = base_directory(arguments.base)
    arguments.out.mkdir(parents=True, exist_ok=True)
    write_tokenizer(base / "tokenizer.json", arguments.out / "tokenizer.json")
    tokens = Tokens(arguments.out / "tokenizer.json")
    examples = gathered(arguments.data)
    train = [example for example in examples if example.part == "train"]
    print(f"{len(train)} clauses to learn from, {len(examples) - len(train)} held apart", flush=True)
    params = fit(start(base, SINGLE + sum(map(len, NAMES.values()))), tokens, train, RATE, EPOCHS)
    params = fit(params, tokens, plain(train), PLAIN_RATE, 1)
    onnx.save(clause_encoder(params, LAYERS, INT8_FORMS), arguments.out / "model.onnx")
    write_labels(arguments.out, {"layers": LAYERS, **NAMES})
    finish(arguments.out, examples)


if __name__ == "__main__":
    main()
