"""Make models/weights/embedder again: all-MiniLM-L6-v2 with 8-bit products scaled row by row. Seconds on a CPU."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx

from models.sessions import WEIGHTS
from models.train.base import LAYERS, base_directory, base_weights
from models.train.graph import INT8_FORMS, sentence_encoder


def write_tokenizer(source: Path, target: Path) -> None:
    """Copy the tokenizer without its truncation and padding: this job cuts nothing off."""
    tokenizer = json.loads(source.read_text(encoding="utf-8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    target.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")


def build(base: Path, out: Path) -> None:
    """Write model.onnx and tokenizer.json into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(sentence_encoder(base_weights(base), LAYERS, INT8_FORMS), out / "model.onnx")
    write_tokenizer(base / "tokenizer.json", out / "tokenizer.json")


def main() -> None:
    """Command line of the recipe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "embedder")
    arguments = parser.parse_args()
    build(base_directory(arguments.base), arguments.out)


if __name__ == "__main__":
    main()
