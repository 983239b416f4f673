# These commands create .venv and work in it. They need make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_THERIAC := $(INSTALL) --no-deps --no-build-isolation --editable .
# A game in a package of its own: all tests of games include it.
INSTALL_HEARTS := $(INSTALL) --no-deps --no-build-isolation --editable examples/hearts
RESOLVE := $(VENV)/uv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-header --no-annotate
LOCK := $(RESOLVE) --group build pyproject.toml
# Each version of PyTorch has many builds, which no lock can list. This version is installed in the build
# that pip finds: for the CPU only (200 MB) where the index offers one, else with CUDA, from PyPI.
TORCH := torch==2.13.0
# Use the machine's Node if it is new enough, else install Node from PyPI into .venv.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web --no-update-notifier
PAGE := src/theriac/server/page/index.html
# One thread per process: several processes run the tests.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest
# The tests that look for counterexamples, and look longer in `make test-long`.
PROPERTIES := src/theriac/testing tests/engine tests/fuzz tests/test_ptx.py tests/server/test_api.py \
	tests/server/test_fuzz_socket.py tests/page tests/new_game
PAGE_SOURCES := $(shell find web src/theriac/games/*/board -name node_modules -prune -o -type f -print)

# Several processes run the tests, and each would compile every source again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play page setup test test-long check check-code check-types check-page test-page wire format \
	package docs docs-serve bench faults gallery docker-steps mutants lock clean
.DELETE_ON_ERROR:

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 19

play: setup $(PAGE) ## Play in the browser, against bots or with friends
	@$(BIN)/theriac serve --open

page: $(PAGE) ## Build the page that the server serves

setup: $(VENV)/.play ## Install Theriac into .venv and compile the rules
	@$(BIN)/theriac setup

test: $(VENV)/.dev $(PAGE) ## Run every check and every test
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check test-page
	@$(BIN)/theriac setup
	$(PYTEST) --numprocesses=3 --dist=worksteal $(ARGS)

test-long: $(VENV)/.dev setup ## Search for counterexamples at random, for hours (ARGS="-k poison")
	HYPOTHESIS_PROFILE=long $(PYTEST) --numprocesses=auto --dist=worksteal $(PROPERTIES) $(ARGS)

check: check-types check-code check-page ## Run the static checks

check-types: $(VENV)/.dev
	$(BIN)/mypy

check-code: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

check-page: $(VENV)/.modules
	$(NPM) run check

test-page: $(VENV)/.modules
	$(NPM) test

wire: $(VENV)/.dev ## Write the schema of the socket's messages and the page's types
	$(BIN)/python -m tools.wire

format: $(VENV)/.dev ## Format all code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

package: $(VENV)/.play $(VENV)/.node ## Build the sdist and the wheel into dist
	@rm -rf dist
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m hatchling build -t sdist
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz

docs: $(VENV)/.dev ## Build the documentation site into build/docs/html
	$(BIN)/python -m docs.site

docs-serve: $(VENV)/.dev ## Build the documentation site and serve it on this machine
	$(BIN)/python -m docs.site --serve

bench: $(VENV)/.bench $(VENV)/.node setup ## Measure the speed beside OpenSpiel and boardgame.io (ARGS=--quick)
	$(BIN)/python -m bench.games $(ARGS)
	$(BIN)/python -m bench.hearts $(ARGS)
	$(BIN)/python -m bench.search $(ARGS)
	$(BIN)/python -m bench.replay $(ARGS)
	$(BIN)/python -m bench.server $(ARGS)

faults: $(VENV)/.dev setup ## Kill servers a thousand times, lose messages, fill disks (hours)
	THERIAC_FAULTS=long $(BIN)/pytest --numprocesses=2 -rP tests/faults $(ARGS)

gallery: $(VENV)/.dev $(PAGE) setup ## Play every game in a browser and take pictures at every size (ARGS=--out=FOLDER)
	$(BIN)/python -m tools.gallery $(ARGS)

docker-steps: $(VENV)/.dev ## Run the steps of the Dockerfile without Docker, as root on Linux (ten minutes)
	$(BIN)/python -m tools.docker_steps $(ARGS)

mutants: $(VENV)/.dev ## Break every clause once and show which test notices (ARGS=POI)
	$(BIN)/python -m tools.mutants $(ARGS)

lock: | $(BIN)/python ## Resolve all dependencies again and write the *.lock files
	@$(BIN)/python -m venv $(VENV)/uv && $(VENV)/uv/bin/pip install --quiet uv
	$(LOCK) --output-file requirements.lock
	$(LOCK) --extra dev --constraint requirements.lock --output-file requirements-dev.lock
	$(LOCK) --extra bench --constraint requirements-dev.lock --output-file requirements-bench.lock
	$(RESOLVE) --group node --output-file requirements-node.lock

clean: ## Remove .venv and everything else that these commands create
	rm -rf web/node_modules bench/boardgame_io/node_modules src/theriac/server/page tests/page/shots
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@for name in $(PYTHONS); do \
		if $$name -c '$(NEW_ENOUGH)' 2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
		found=$$(python3 --version 2>/dev/null || python --version 2>/dev/null || echo none); \
		echo "Theriac needs Python 3.11 or newer; found $$found." >&2; exit 1; \
	fi; \
	echo "Making $(VENV) with $$($$python --version)"; \
	$$python -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.play: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing Theriac (a minute or less)"
	@$(INSTALL) --no-deps --require-hashes --requirement requirements.lock
	@$(INSTALL_THERIAC)
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml examples/hearts/pyproject.toml | $(BIN)/python
	@echo "Installing Theriac and the tools that check it (a few minutes or less)"
	@$(INSTALL) --no-deps --require-hashes --requirement requirements-dev.lock
	@$(INSTALL) $(TORCH)
	@$(INSTALL_THERIAC)
	@$(INSTALL_HEARTS)
	@touch $@

$(VENV)/.bench: requirements-bench.lock pyproject.toml examples/hearts/pyproject.toml | $(BIN)/python
	@echo "Installing the benchmark dependencies"
	@$(INSTALL) --no-deps --require-hashes --requirement requirements-bench.lock
	@$(INSTALL_THERIAC)
	@$(INSTALL_HEARTS)
	@touch $@

$(VENV)/.node: requirements-node.lock | $(BIN)/python
	@if ! node web/node-version.js 2>/dev/null || ! npm --version >/dev/null 2>&1; then \
		echo "Installing Node"; \
		$(INSTALL) --no-deps --require-hashes --requirement requirements-node.lock; \
	fi
	@touch $@

$(VENV)/.modules: web/package-lock.json $(VENV)/.node
	@echo "Installing the build dependencies of the page"
	@$(NPM) ci --silent
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(VENV)/.modules
	@echo "Building the page"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@
