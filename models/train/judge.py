"""Make models/weights/judge: MiniLM fine-tuned whole to judge pairs of claims. About half an hour on two CPU cores.

    python -m models.train.judge --keep parameters.npz
    python -m models.train.judge --start parameters.npz

Learns from the authored pairs (models/train/pairs) and from templates (models/train/pair_templates.py). The families
of part dev stay apart for the temperature; the test part is only measured. Seeds are fixed: the same files and versions
give the same weights. With --start it goes on from an earlier run's parameters, gently and for few epochs: so pairs
written since are learned in a fraction of the time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import optax
from numpy.typing import NDArray

from models.judge import OTHER, PairJudge, pair_rows
from models.sessions import WEIGHTS
from models.tokens import Tokens
from models.train.base import base_directory, base_weights
from models.train.encoder import step
from models.train.graph import INT8_FORMS, clause_encoder
from models.train.pair_examples import RELATIONS, PairExample, authored_examples, renamed
from models.train.pair_templates import template_pairs

LAYERS = 3
BATCH_ROWS = 32
SMOOTHING = 0.05
MARKS = 4
SEED = 20261130
LENGTHS = (16, 20, 26, 36, 96)
FROZEN = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
SEGMENTS = "embeddings.token_type_embeddings.weight"


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast is learned; of derived pairs and templates an epoch takes a share."""

    epochs: int
    rate: float
    fresh_rate_factor: float
    derived_share: float


FROM_PRETRAINED = Course(5, 1.5e-4, 8.0, 0.5)
GOING_ON = Course(2, 1.0e-4, 2.0, 0.2)
Array = NDArray[np.float32]
Rows = Sequence[tuple[list[int], list[int]]]


def start(base: Path, layers: int, random: np.random.Generator) -> dict[str, Array]:
    """The pretrained parameters of the layers used, a fresh head, and marks that start out nearly alike."""
    used = tuple(f"encoder.layer.{index}." for index in range(layers))
    params = {n: v for n, v in base_weights(base).items() if n.startswith(("embeddings.", *used))}
    known = params[SEGMENTS][0]
    fresh = [known + random.normal(0, 0.02, known.shape).astype(np.float32) for _ in range(MARKS - 1)]
    params[SEGMENTS] = np.stack([known, *fresh])
    params["heads.weight"] = random.normal(0, 0.02, (len(RELATIONS), len(known))).astype(np.float32)
    params["heads.bias"] = np.zeros(len(RELATIONS), np.float32)
    return params


def loss(logits: Any, batch: Any) -> Any:
    """Cross entropy with smoothed labels: relations of neighbouring meaning are partly taste."""
    wanted = optax.smooth_labels(jax.nn.one_hot(batch["wanted"], len(RELATIONS)), SMOOTHING)
    return jnp.mean(optax.softmax_cross_entropy(logits, wanted))


def arrays(rows: Rows) -> dict[str, NDArray[Any]]:
    """One padded batch; lengths are rounded up to one of a few, so that few shapes are compiled."""
    longest = max(len(ids) for ids, _ in rows)
    length = next(length for length in LENGTHS if length >= longest)
    batch = {name: np.zeros((len(rows), length), np.int32) for name in ("ids", "segments")}
    mask = np.zeros((len(rows), length), np.float32)
    for row, (ids, marks) in enumerate(rows):
        batch["ids"][row, : len(ids)] = ids
        batch["segments"][row, : len(ids)] = marks
        mask[row, : len(ids)] = 1
    return {**batch, "mask": mask, "own": mask}


def shuffled(lengths: Sequence[int], random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Batches of like lengths in random order, every example once; the last odd rows of an epoch are left out."""
    order = np.lexsort((random.random(len(lengths)), np.searchsorted(LENGTHS, lengths)))
    groups = [order[at : at + BATCH_ROWS] for at in range(0, len(order) - BATCH_ROWS + 1, BATCH_ROWS)]
    for index in random.permutation(len(groups)):
        yield groups[index]


def optimizer_of(params: dict[str, Array], steps: int, course: Course) -> optax.GradientTransformation:
    """Adam with warm-up and cosine decay; what starts fresh learns faster."""
    rate = optax.warmup_cosine_decay_schedule(0.0, course.rate, steps // 12, steps, course.rate / 50)
    parts = {name: "fresh" if name.startswith("heads.") or name == SEGMENTS else "body" for name in params}
    rates = {"body": rate, "fresh": lambda at: rate(at) * course.fresh_rate_factor}
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.multi_transform({part: optax.adamw(rates[part], weight_decay=0.01) for part in rates}, parts),
    )


def fit(
    params: dict[str, Array],
    tokens: Tokens,
    examples: Sequence[PairExample],
    course: Course,
    layers: int,
    random: np.random.Generator,
) -> dict[str, Array]:
    """The parameters after all epochs. The token table stays as it was: what it says of rare words is worth more.

    An epoch takes every pair written by hand and a share of the derived ones; from the second on with other names and
    numbers.
    """
    frozen = {name: params.pop(name) for name in FROZEN}
    by_hand = sum(not example.derived for example in examples)
    steps = course.epochs * int((by_hand + (len(examples) - by_hand) * course.derived_share) // BATCH_ROWS)
    optimizer = optimizer_of(params, steps, course)
    run, state, began = step(layers, loss, optimizer), optimizer.init(params), time.monotonic()
    for epoch in range(course.epochs):
        taken = [
            renamed(example, random) if epoch else example
            for example in examples
            if not example.derived or random.random() < course.derived_share
        ]
        rows = pair_rows(tokens, [(example.first, example.second) for example in taken])
        wanted = np.array([RELATIONS.index(example.relation) for example in taken])
        losses = []
        for group in shuffled([len(ids) for ids, _ in rows], random):
            batch = {**arrays([rows[index] for index in group]), "wanted": wanted[group]}
            params, state, value = run(params, frozen, state, batch)
            losses.append(float(value))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, {time.monotonic() - began:.0f} s", flush=True)
    return {name: np.asarray(value) for name, value in (params | frozen).items()}


def temperature_of(logits: NDArray[np.float64], wanted: NDArray[np.int64]) -> float:
    """What the logits are divided by, so that the probability means what it says: the best of a fine grid."""
    grid = np.round(np.arange(0.4, 4.0, 0.02), 2)
    misfits = [_misfit(logits / each, wanted) for each in grid]
    return float(grid[int(np.argmin(misfits))])


def _misfit(logits: NDArray[np.float64], wanted: NDArray[np.int64]) -> float:
    """Cross entropy over the five relations that count, where both claims standing is one."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    merged = np.concatenate([shares[:, :4], shares[:, 4:].sum(axis=1, keepdims=True)], axis=1)
    return float(-np.log(np.maximum(merged[np.arange(len(wanted)), np.minimum(wanted, 4)], 1e-9)).mean())


def write_labels(out: Path, layers: int, temperature: float) -> None:
    """The relations in the order of the outputs, and the temperature, beside the weights."""
    labels = {"layers": layers, "relations": RELATIONS, "temperature": temperature}
    (out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


def calibrate(out: Path, layers: int, examples: Sequence[PairExample]) -> None:
    """Fits the temperature of the weights as shipped, 8 bits and all, on the families kept apart."""
    write_labels(out, layers, 1.0)
    apart = [example for example in examples if example.part == "dev"]
    logits = PairJudge(out).logits([(example.first, example.second) for example in apart])
    wanted = np.array([RELATIONS.index(example.relation) for example in apart], np.int64)
    write_labels(out, layers, temperature_of(logits, wanted))


def report(out: Path, examples: Sequence[PairExample]) -> None:
    """Prints how many pairs of each part are judged as labelled, by relation."""
    judge = PairJudge(out)
    for part in ("dev", "test"):
        held = [example for example in examples if example.part == part]
        taken = judge.judge([(example.first, example.second) for example in held])
        right: dict[str, list[bool]] = {}
        for example, judged in zip(held, taken, strict=True):
            label = OTHER if example.relation in RELATIONS[4:] else example.relation
            right.setdefault(label, []).append(judged.relation == label)
        hits = [hit for each in right.values() for hit in each]
        print(f"{part}: {sum(hits)}/{len(hits)} = {np.mean(hits):.3f}")
        print("  " + ", ".join(f"{label} {np.mean(each):.3f}" for label, each in sorted(right.items())))


def main() -> None:
    """Command line of the recipe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--start", type=Path, help="parameters (.npz) of an earlier run, to go on from")
    parser.add_argument("--keep", type=Path, help="where to keep this run's parameters (.npz)")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "judge")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokens = Tokens(WEIGHTS / "embedder" / "tokenizer.json")
    examples = authored_examples()
    train = [*(example for example in examples if example.part == "train"), *template_pairs()]
    print(f"{len(train)} pairs to learn from, {len(examples)} authored in all", flush=True)
    random = np.random.default_rng(SEED)
    if arguments.start is None:
        params, course = start(base_directory(arguments.base), arguments.layers, random), FROM_PRETRAINED
    else:
        params, course = dict(np.load(arguments.start)), GOING_ON
    params = fit(params, tokens, train, course, arguments.layers, random)
    if arguments.keep is not None:
        np.savez(arguments.keep, **params)  # type: ignore[arg-type]  # numpy types every keyword as its option allow_pickle
    onnx.save(clause_encoder(params, arguments.layers, INT8_FORMS), arguments.out / "model.onnx")
    calibrate(arguments.out, arguments.layers, examples)
    report(arguments.out, examples)


if __name__ == "__main__":
    main()
