# Two commands for everyone: `make demo` and `make test`. The rest is for those who work on heliast.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test test-long test-optimised test-engines check fuzz bench start coverage coverage-quick reproduce docs wheel format clean help

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "heliast needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(READY)

demo: $(READY)   ## the main job on bundled data; writes report.html
	@$(BIN)/heliast demo

# Compiled kernels are kept from run to run, in a folder named by their source.
export NUMBA_CACHE_DIR ?= $(CURDIR)/build/numba/$(shell cat src/heliast/_kernels/*.py | cksum | cut -d ' ' -f 1)

test: $(READY)   ## all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile --durations=20

LONG ?= tests/attacks tests/contracts tests/faults tests/fuzz tests/verbs
test-long: $(READY) ## many more of the same faults, attacks and bad inputs; LONG="tests/faults" takes a part
	$(BIN)/python -m pytest -n 2 --dist loadfile -m long $(LONG)

test-optimised: $(READY) ## all tests under python -O, which takes the asserts of src away
	PYTHONOPTIMIZE=1 $(BIN)/python -m pytest -n 2 --dist loadfile

test-engines: $(READY) ## the same work on Dask, Ray and Spark; MLflow, JupyterLab; started by the tests; installs them
	$(BIN)/python -m pip install --quiet --editable '.[engines]'
	test -x build/servers/bin/jupyter || { $(PYTHON) -m venv build/servers && build/servers/bin/pip install --quiet mlflow jupyterlab; }
	HELIAST_ENGINES=required HELIAST_MLFLOW="$(CURDIR)/build/servers/bin/mlflow" \
	  HELIAST_JUPYTER="$(CURDIR)/build/servers/bin/jupyter" \
	  $(BIN)/python -m pytest -m engines tests/fitting/engines tests/pipeline

check: $(READY)  ## lint, types, import contract, borders, size
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/borders.py
	$(BIN)/python tools/size.py

format: $(READY) ## put the code in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)  ## speed against peers, as ratios measured side by side; what compiling takes
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m pip install --quiet --no-deps confidenceinterval  # it pins an old setuptools
	$(BIN)/python -m benchmarks.kernels
	$(BIN)/python -m benchmarks.speed

start: $(READY)  ## how long the first answer takes: builds the wheel, installs it, runs it as another user
	$(BIN)/python -m benchmarks.start

fuzz: $(READY)   ## 36,100 bad inputs through the command line
	$(BIN)/python -m tests.fuzz

coverage: $(READY) ## do the intervals cover? the map of every measure and design; an hour or two
	$(BIN)/python -m benchmarks.coverage

coverage-quick: $(READY) ## the same with fewer tables, in build/coverage; a quarter of an hour
	$(BIN)/python -m benchmarks.coverage --quick

reproduce: $(READY) ## every number of the source documents again: docs/reproduced.md; some minutes
	$(BIN)/python -m reproduction --store build/reproduced --page docs/reproduced.md || test $$? -eq 1

docs: $(READY)   ## the pages of docs/ as a site in build/docs
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs build/docs
	@echo build/docs/index.html

wheel: $(READY)  ## wheel and sdist of the last commit in dist/, built twice: the same bytes
	$(BIN)/python tools/wheel.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache build dist report.html
