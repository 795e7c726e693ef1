"""The shipped extraction encoder on the parts held apart: `python -m models.train.evaluate --data ../shared/data`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.heads import ClauseReader
from models.readings import Reading
from models.train.calibration import expected_calibration_error
from models.train.examples import SOFT_KEEP, Example, corpus_examples, labelled_examples, task_examples

KEEP_THRESHOLD = 0.5


def keep_line(name: str, examples: Sequence[Example], readings: Sequence[Reading]) -> str:
    """Precision, recall, F1 and calibration of keep; clauses whose label is "weak" are left out."""
    sure = [
        (e.keep > KEEP_THRESHOLD, r.confidence) for e, r in zip(examples, readings, strict=True) if e.keep != SOFT_KEEP
    ]
    wanted, scores = np.array([keep for keep, _ in sure]), np.array([score for _, score in sure])
    found = scores >= KEEP_THRESHOLD
    hits = int((wanted & found).sum())
    precision, recall = hits / max(1, int(found.sum())), hits / max(1, int(wanted.sum()))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    error = expected_calibration_error(scores, wanted.astype(np.float64))
    return f"{name}: {len(sure)} clauses, P {precision:.3f} R {recall:.3f} F1 {f1:.3f}, calibration error {error:.3f}"


def head_lines(examples: Sequence[Example], readings: Sequence[Reading]) -> list[str]:
    """Accuracy of kind (also by kind) and subject on clauses that hold a claim."""
    claimed = [(e, r) for e, r in zip(examples, readings, strict=True) if e.keep > KEEP_THRESHOLD and e.kinds]
    lines = [f"kind: {_share([r.kind in e.kinds for e, r in claimed])}"]
    for kind in sorted({max(e.kinds, key=lambda k: e.kinds[k]) for e, _ in claimed}):
        of_kind = [r.kind in e.kinds for e, r in claimed if kind == max(e.kinds, key=lambda k: e.kinds[k])]
        lines.append(f"  {kind}: {_share(of_kind)}")
    lines.append(f"subject: {_share([r.subject == e.subject for e, r in claimed if e.subject])}")
    return lines


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)}/{len(right)} = {sum(right) / max(1, len(right)):.3f}"


def report(data: Path, directory: Path | None) -> list[str]:
    """All lines, one measure each."""
    clauses = ClauseReader(directory)
    lines = [f"model {clauses.version}"]
    for name, source in (("corpus", corpus_examples()), ("chats", labelled_examples(data))):
        test = [example for example in source if example.part == "test"]
        readings = clauses.read([example.read for example in test])
        lines += [keep_line(name, test, readings), *head_lines(test, readings)]
    tasks = [example for example in task_examples(data) if example.part == "test"]
    kept = [reading.confidence >= KEEP_THRESHOLD for reading in clauses.read([example.read for example in tasks])]
    lines.append(f"tasks: {sum(kept)} of {len(kept)} clauses kept where none should be")
    return lines


def main() -> None:
    """Command line of the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the public sets")
    parser.add_argument("--weights", type=Path, help="folder with model.onnx, tokenizer.json and labels.json")
    arguments = parser.parse_args()
    print("\n".join(report(arguments.data, arguments.weights)))


if __name__ == "__main__":
    main()
