# Two commands for a fresh machine with Python 3.11+ and make: `make demo` and `make test`.
# They make .venv and install what they need into it, from the Python index only.

# The first interpreter that runs and is new enough (a name on the path may be a shim that does not).
RECENT := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
    $$name $(RECENT) >/dev/null 2>&1 && { echo $$name; break; }; done)
BIN := .venv/bin
READY := .venv/ready
PYTEST_WORKERS ?= 2
# REQUIRE=all: a test that would be skipped for want of a system package fails instead.
REQUIRE ?=

ifeq ($(REQUIRE),all)
export AGENTL_REQUIRE_ALL := 1
endif

.PHONY: help demo test lint types floors unit soak bench docs generate clean

help:
	@echo "make demo      a payment agent is killed between effect and result, and resumed: each done exactly once"
	@echo "make test      every check and test; REQUIRE=all makes a skip a failure"
	@echo "make soak      the slow tests: every crash point, many kills"
	@echo "make bench     the measurements, one table each"
	@echo "make docs      the documentation site, into build/site"
	@echo "make generate  write the generated files again (parse tables)"

$(READY): pyproject.toml
	@test -n "$(PYTHON)" && $(PYTHON) $(RECENT) || { echo "agentl needs Python 3.11 or later"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/python -m examples.payments.demo
	@$(BIN)/python -m examples.in_doubt.demo
	@$(BIN)/python -m examples.operations.demo

test: lint types floors unit

lint: $(READY)
	$(BIN)/python -m agentl._dev.generate --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/agentl fmt --check examples stdlib

types: $(READY)
	$(BIN)/mypy

floors: $(READY)
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal -m 'not soak'

soak: $(READY)
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal -m soak

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m mkdocs build --quiet --strict

generate: $(READY)
	$(BIN)/python -m agentl._dev.generate

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
