"""Recording and alert rules: what promtool says of them, and that they name only what exists (S7)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows import metrics
from tests.deploy.tools import DEPLOY, ROOT, tool

PROMETHEUS = DEPLOY / "prometheus"
DASHBOARD = DEPLOY / "grafana" / "dashboards" / "factstream.json"
SUFFIXES = ("_bucket", "_sum", "_count")


def rules(name: str) -> list[dict[str, Any]]:
    groups = yaml.safe_load((PROMETHEUS / name).read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def promtool(request: pytest.FixtureRequest, *words: str) -> subprocess.CompletedProcess[str]:
    # Its test databases are small and many: on a disk, most of the time would go into syncing them.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    environment = {**os.environ, "TMPDIR": memory} if memory else None
    words = (tool(request, "promtool", "prometheus"), *words)
    return subprocess.run(words, cwd=PROMETHEUS, env=environment, capture_output=True, text=True, check=False)


def test_every_alert_fires_when_it_should_and_alone(request: pytest.FixtureRequest) -> None:
    """S7."""
    done = promtool(request, "test", "rules", "tests.yml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_and_configuration_are_valid(request: pytest.FixtureRequest) -> None:
    for check in (("rules", "recording.yml", "alerts.yml"), ("config", "prometheus.yml")):
        done = promtool(request, "check", *check)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_configuration_for_kubernetes_is_valid(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Debian's build knows no Kubernetes: how targets are found is taken out, what is made of them is checked."""
    shipped = yaml.safe_load((PROMETHEUS / "kubernetes.yml").read_text(encoding="utf-8"))
    shipped["rule_files"] = [str(PROMETHEUS / name) for name in shipped["rule_files"]]
    for each in shipped["scrape_configs"]:
        assert each.pop("kubernetes_sd_configs") == [{"role": "pod"}]
        each["static_configs"] = [{"targets": ["10.0.0.1:9463"]}]
    path = tmp_path / "prometheus.yml"
    path.write_text(yaml.safe_dump(shipped), encoding="utf-8")
    done = promtool(request, "check", "config", str(path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_test_an_explanation_and_a_remedy() -> None:
    tests = (PROMETHEUS / "tests.yml").read_text(encoding="utf-8")
    guide = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    for rule in rules("alerts.yml"):
        assert f'alertname="{rule["alert"]}"' in tests, f"{rule['alert']} has no test in tests.yml"
        assert f"`{rule['alert']}`" in guide, f"docs/operations.md does not tell what to do on {rule['alert']}"
        assert rule["annotations"].keys() == {"summary", "description"}
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_rules_and_dashboard_name_only_metrics_that_exist() -> None:
    """A renamed metric would leave an alert silent for ever."""
    known = {metrics.PREFIX + name for name in (*metrics.COUNTERS, *metrics.GAUGES, *metrics.OF_JOB)}
    known |= {f"{metrics.PREFIX}{name}{suffix}" for name in metrics.HISTOGRAMS for suffix in SUFFIXES}
    recorded = {rule["record"] for rule in rules("recording.yml")}
    for path in (PROMETHEUS / "recording.yml", PROMETHEUS / "alerts.yml", PROMETHEUS / "tests.yml", DASHBOARD):
        text = path.read_text(encoding="utf-8")
        aggregated = set(re.findall(r"\b[a-z_]+:factstream_[a-z_]+:[a-z0-9_]+", text))
        assert aggregated <= recorded, path.name
        assert set(re.findall(r"(?<!:)\bfactstream_[a-z_]+\b(?!:)", text)) <= known, path.name


@pytest.mark.parametrize("path", [Path("grafana/provisioning"), Path("prometheus")], ids=str)
def test_every_file_is_yaml(path: Path) -> None:
    files = [each for pattern in ("*.yml", "*.yaml") for each in (DEPLOY / path).rglob(pattern)]
    assert files
    assert all(isinstance(yaml.safe_load(each.read_text(encoding="utf-8")), dict) for each in files)
