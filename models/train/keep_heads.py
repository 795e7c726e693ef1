"""The last step of the extractor's recipe: its two keep heads fitted anew on the encoder as shipped, and calibrated.

    python -m models.train.keep_heads --data ../shared/data

What is worth keeping differs: to an assistant much is said only for the task, among people it is said to be known. So
each has a linear head of its own on the quantised encoder's mean over the clause, fitted by Newton's method (ridge
logistic regression, one optimum). The encoder and the other heads stay as they are: run on the weights as shipped, this
gives the weights as shipped, in about a minute on one CPU core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.heads import KEEP, KEEP_AMONG_PEOPLE, ClauseReader, clause_row
from models.sessions import WEIGHTS
from models.tokens import Tokens, batches_of_one_length
from models.train.calibration import calibrations, counts
from models.train.examples import Example
from models.train.gathering import gathered
from models.train.logistic import fitted

OWN_IDS_MAX = 61
SMOOTHING = 0.03
# How much a clause of each source counts. Authored chats among people who know each other are few, and all they say of
# experiences, plans and feelings is labelled; the older labels of first meetings are narrower, so that among people
# their "nothing" is no sure word.
SOURCE_WEIGHTS = {
    "chats": 5.0, "people": 2.0, "traps": 1.0, "clauses": 1.0, "labels": 0.5, "spans": 0.5, "templates": 4.0,
    "personas": 0.3, "tasks": 0.25,
}  # fmt: skip
NARROW = ("labels", "spans", "clauses")
NARROW_NOTHING = 0.25
Array = NDArray[np.float64]


def pooled(directory: Path, examples: Sequence[Example]) -> Array:
    """The encoder's mean over each clause's own tokens, a row an example."""
    model = onnx.load(directory / "model.onnx")
    model.graph.output.append(helper.make_tensor_value_info("pooled", TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    tokens = Tokens(directory / "tokenizer.json")
    clauses = tokens.encode([example.read.text for example in examples])
    contexts = tokens.encode([example.read.context for example in examples])
    rows = [
        clause_row(clause[:OWN_IDS_MAX], context, example.read.among_people)
        for clause, context, example in zip(clauses, contexts, examples, strict=True)
    ]
    found: dict[int, Array] = {}
    for group in batches_of_one_length([len(ids) for ids, _ in rows]):
        ids = np.array([rows[index][0] for index in group], np.int64)
        places, lengths = np.arange(ids.shape[1])[None, :], np.array([rows[index][1] for index in group])[:, None]
        own = (places < lengths).astype(np.float32) / lengths.astype(np.float32)
        feeds = {"input_ids": ids, "token_type_ids": (places >= lengths).astype(np.int64), "own": own}
        found |= dict(zip(group, session.run(["pooled"], feeds)[0].astype(np.float64), strict=True))
    return np.stack([found[index] for index in range(len(rows))])


def _weight(example: Example) -> float:
    unsure = example.source in NARROW and example.keep < 0.5 and example.read.among_people
    return SOURCE_WEIGHTS[example.source] * (NARROW_NOTHING if unsure else 1.0)


def finish(directory: Path, examples: Sequence[Example]) -> None:
    """Fits both keep heads of the model in `directory` on the training part, and scales their scores on dev."""
    train = [example for example in examples if example.part == "train"]
    rows = pooled(directory, train)
    wanted = np.array([SMOOTHING + (1 - 2 * SMOOTHING) * example.keep for example in train])
    weights = np.array([_weight(example) for example in train])
    people = np.array([example.read.among_people for example in train])
    heads = {
        column: fitted(rows[chosen], wanted[chosen], weights[chosen])
        for column, chosen in ((KEEP, ~people), (KEEP_AMONG_PEOPLE, people))
    }
    _write_heads(directory / "model.onnx", heads)
    labels = json.loads((directory / "labels.json").read_text(encoding="utf-8"))
    identity = {"slope": 1.0, "offset": 0.0}
    write_labels(directory, labels | {"keep": identity, "keep_among_people": identity})
    dev = [example for example in examples if example.part == "dev" and counts(example)]
    scores = [reading.confidence for reading in ClauseReader(directory).read([example.read for example in dev])]
    write_labels(directory, labels | calibrations(scores, dev))


def _write_heads(path: Path, heads: dict[int, tuple[Array, float]]) -> None:
    """Puts the fitted weights and biases in the place of those columns of the model's heads."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.name in ("heads.weight", "heads.bias"):
            values = numpy_helper.to_array(tensor).copy()
            for column, (slopes, bias) in heads.items():
                values[..., column] = slopes if values.ndim > 1 else bias
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    onnx.save(model, path)


def write_labels(out: Path, labels: dict[str, Any]) -> None:
    """The heads' labels and the scale of the keep scores, beside the weights."""
    (out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Command line of the last step alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the public sets")
    parser.add_argument("--weights", type=Path, default=WEIGHTS / "extractor", help="folder of the model to finish")
    arguments = parser.parse_args()
    finish(arguments.weights, gathered(arguments.data))


if __name__ == "__main__":
    main()
