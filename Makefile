# `make` alone lists the targets. Everything runs in .venv, which `make setup` builds.
.DEFAULT_GOAL := help
.PHONY: help setup check fix test demo clean
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.setup-done
DEMO_STORE ?= demo-store
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(STAMP) ## virtual environment, packages, and Tesseract where it may be installed

$(STAMP): pyproject.toml constraints.txt deployments/setup.sh
	PYTHON=$(PYTHON) sh deployments/setup.sh
	@touch $@

check: $(STAMP) ## lint, format, types, layers; changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(STAMP) ## apply what the linters can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: $(STAMP) ## the whole test suite
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest --numprocesses=2 --dist=loadfile

demo: $(STAMP) ## ingest the samples, search them, prove the index
	sh deployments/demo.sh $(BIN)/microtome tests/samples $(DEMO_STORE)

clean: ## remove what the targets made, the virtual environment too
	rm -rf .venv $(DEMO_STORE) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
