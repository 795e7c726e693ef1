"""Programs that the checks of deploy/ need; a missing one skips loudly, with CI=true it fails."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def tool(request: pytest.FixtureRequest, name: str, package: str = "") -> str:
    """The path of a program of this environment, or of the system's from Debian's `package`."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is not None:
        return found
    remedy = (
        f"apt-get install {package}" if package else "python -m pip install --require-hashes -r requirements-dev.lock"
    )
    reason = f"{name} is missing: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\n!!! CHECKS OF deploy/ SKIPPED: {reason}\n", flush=True)
    pytest.skip(reason)
