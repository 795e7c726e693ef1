"""The image file, compose, Kubernetes and systemd files, as far as tools can check them without running them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from flows import instances
from flows.settings import load
from tests.deploy.tools import DEPLOY, ROOT, tool

KUBERNETES_VERSIONS = ("1.32", "1.35", "1.37")
EXPOSURE_TENTHS_MAX = 20
UNITS = ("factstream.service", "factstream-serve.service")
CONFIGURATIONS = ("compose.toml", "kubernetes/base/factstream.toml", "kubernetes/example/factstream.toml")


def ran(*words: str) -> str:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def applied(kubectl: str, folder: str) -> list[dict[str, Any]]:
    """What `kubectl apply -k` would send."""
    return list(yaml.safe_load_all(ran(kubectl, "kustomize", str(DEPLOY / "kubernetes" / folder))))


@pytest.fixture
def resources(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return applied(tool(request, "kubectl"), "example")


@pytest.fixture
def pod(resources: list[dict[str, Any]]) -> dict[str, Any]:
    [stateful] = [each for each in resources if each["kind"] == "StatefulSet"]
    found: dict[str, Any] = stateful["spec"]["template"]
    return found


def test_the_image_file_is_as_its_linter_wants_it(request: pytest.FixtureRequest) -> None:
    ran(tool(request, "hadolint"), str(DEPLOY / "Dockerfile"))


def test_the_image_gets_all_that_it_copies() -> None:
    """The ignore file lets through what the image file names, and no more."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = {name for line in re.findall(r"^COPY ([^-].*) \S+$", text, re.MULTILINE) for name in line.split()}
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert copied == {line[1:] for line in ignore if line.startswith("!")}
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_installs_what_the_job_and_serve_are_tested_with() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^[\w.-]+==\S+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    assert pins("requirements.lock") <= pins("requirements-serve.lock") <= pins("requirements-dev.lock")


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_configuration_is_valid_and_has_what_probes_and_serve_need(name: str) -> None:
    settings = load(DEPLOY / name, {})
    assert (settings.metrics.job_port, settings.serve.host) == (9463, "0.0.0.0")
    assert settings.serve.tokens
    assert settings.kafka.client["bootstrap.servers"]


def test_the_compose_file_is_valid(request: pytest.FixtureRequest) -> None:
    compose = tool(request, "docker-compose")
    text = ran(compose, "-f", str(DEPLOY / "compose.yaml"), "config")
    services = yaml.safe_load(text)["services"]
    assert services.keys() == {"kafka", "job", "serve", "prometheus", "grafana"}
    for name in ("job", "serve"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    for service in services.values():
        assert all(port["host_ip"] == "127.0.0.1" for port in service.get("ports", []))
        for volume in service.get("volumes", []):
            assert volume["type"] != "bind" or Path(volume["source"]).exists(), volume
    scraped = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    targets = {target for each in scraped for config in each["static_configs"] for target in config["targets"]}
    workers = int(services["job"]["command"][-1])
    assert targets == {"serve:8640", *(f"job:{9463 + index}" for index in range(workers + 1))}


@pytest.mark.parametrize("version", KUBERNETES_VERSIONS)
def test_manifests_keep_to_the_schemas_of_kubernetes(resources: list[dict[str, Any]], version: str) -> None:
    kinds = {each["kind"] for each in resources}
    assert {"StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy", "Secret", "ConfigMap"} <= kinds
    for resource in resources:
        kubernetes_validate.validate(resource, version, strict=True)


def test_what_selects_pods_selects_these(resources: list[dict[str, Any]], pod: dict[str, Any]) -> None:
    """A selector that fits nothing is valid, and does nothing."""
    labels = pod["metadata"]["labels"]
    ports = {port["name"] for each in pod["spec"]["containers"] for port in each["ports"]}
    for resource in resources:
        spec, kind = resource.get("spec", {}), resource["kind"]
        if kind == "Service":
            assert spec["selector"].items() <= labels.items()
            assert {port["targetPort"] for port in spec["ports"]} <= ports
        elif kind in ("StatefulSet", "PodDisruptionBudget"):
            assert spec["selector"]["matchLabels"].items() <= labels.items()
        elif kind == "NetworkPolicy":
            assert spec["podSelector"]["matchLabels"].items() <= labels.items()
            assert {port["port"] for rule in spec["ingress"] for port in rule["ports"]} == ports


def test_what_a_pod_mounts_is_there(resources: list[dict[str, Any]], pod: dict[str, Any]) -> None:
    """Names of generated objects have a hash; kustomize puts it wherever it knows the name."""
    names = {(each["kind"], each["metadata"]["name"]) for each in resources}
    spec = pod["spec"]
    assert ("ServiceAccount", spec["serviceAccountName"]) in names
    for volume in spec["volumes"]:
        assert "configMap" not in volume or ("ConfigMap", volume["configMap"]["name"]) in names
        assert "secret" not in volume or ("Secret", volume["secret"]["secretName"]) in names
    [stateful] = [each for each in resources if each["kind"] == "StatefulSet"]
    claims = {each["metadata"]["name"] for each in stateful["spec"]["volumeClaimTemplates"]}
    volumes = claims | {each["name"] for each in spec["volumes"]}
    for container in spec["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
        for source in container["envFrom"]:
            assert ("Secret", source["secretRef"]["name"]) in names
    [token] = [each for each in resources if each["kind"] == "Secret" and "serve-token" in each["data"]]
    [configuration] = [each for each in resources if each["kind"] == "ConfigMap"]
    [tokens] = tomllib.loads(configuration["data"]["factstream.toml"])["serve"]["tokens"].values()
    assert Path(tokens["file"]).name in token["data"]


def test_pods_have_no_rights_that_they_do_not_need(pod: dict[str, Any]) -> None:
    """The "restricted" pod security standard, which the example's namespace enforces."""
    spec = pod["spec"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    user = re.search(r"^USER (\d+):", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert user is not None
    assert spec["securityContext"]["runAsUser"] == spec["securityContext"]["fsGroup"] == int(user[1])
    for container in spec["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"livenessProbe", "readinessProbe"} <= container.keys()
        assert container["resources"]["limits"].keys() == {"memory"}


def test_workers_and_ports_of_a_pod_agree(pod: dict[str, Any]) -> None:
    [job] = [each for each in pod["spec"]["containers"] if each["name"] == "job"]
    workers = int(job["args"][job["args"].index("--workers") + 1])
    ports = [port["containerPort"] for port in job["ports"]]
    assert ports == [9463, *(9464 + index for index in range(workers))]
    assert int(job["resources"]["requests"]["cpu"]) == workers


def test_the_configuration_knows_how_many_instances_there_are(resources: list[dict[str, Any]]) -> None:
    """S6: each pod's name ends in its ordinal, and so tells which share it owns."""
    [stateful] = [each for each in resources if each["kind"] == "StatefulSet"]
    replicas = stateful["spec"]["replicas"]
    for folder in ("base", "example"):
        settings = load(DEPLOY / "kubernetes" / folder / "factstream.toml", {})
        for ordinal in range(replicas):
            pod = f"{stateful['metadata']['name']}-{ordinal}"
            assert instances.parse(settings.kafka.instance, pod) == (ordinal + 1, replicas)


@pytest.mark.parametrize("name", UNITS)
def test_units_are_valid_and_have_little_to_attack(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    analyze = tool(request, "systemd-analyze", "systemd")
    text = (DEPLOY / "systemd" / name).read_text(encoding="utf-8")
    unit = tmp_path / name  # verify wants the program to exist
    unit.write_text(text.replace("/opt/factstream/.venv/bin/factstream", "/bin/true"), encoding="utf-8")
    ran(analyze, "verify", "--man=no", str(unit))
    ran(analyze, "security", "--offline=true", f"--threshold={EXPOSURE_TENTHS_MAX}", str(unit))
