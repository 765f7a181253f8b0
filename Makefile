# make run   everything from nothing to the page on 127.0.0.1, which loads the demo corpus into an empty home
# make test  the same set-up and every test but those of a browser, which are make e2e
# make check the unit tests: half a minute
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501

# Where images set it, each process of ours would compile every file again: a second of each server.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test e2e again check lint ruff mypy pyright audit format bench map mutants demo clean

run: $(VENV)/.runtime
	$(BIN)/python -m streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

demo: $(VENV)/.runtime
	$(BIN)/python cli.py demo

# In the order of tests/conftest.py: xdist's own puts the files of few tests, which are the longest, at the end.
# Three for two processors: a worker waits a third of its time for a browser or a server.
test: $(VENV)/.dev $(VENV)/.system
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not browser"

e2e: $(VENV)/.dev $(VENV)/.system
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder tests/e2e

again: $(VENV)/.dev
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

check: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not browser" tests/unit tests/test_*.py

# The type checkers take nearly all of it, a core each.
lint: $(VENV)/.dev
	$(MAKE) --jobs 2 mypy pyright ruff audit

ruff: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

mypy: $(VENV)/.dev
	$(BIN)/mypy

# With its warnings off, it does not ask PyPI for a newer version of itself.
pyright: $(VENV)/.dev
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --pythonpath $(BIN)/python

# Known vulnerabilities of what is installed; without the advisory service it says so and passes.
audit: $(VENV)/.dev
	$(BIN)/python -m lab audit

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	$(BIN)/python -m lab speed

# docs/map.md, drawn from the imports.
map: $(VENV)/.dev
	$(BIN)/python -m lab map

# Whether the tests of what checks citations and guards doors fail when it is changed: ten to twenty minutes.
mutants: $(VENV)/.mutants
	$(BIN)/python -m lab mutants

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@ $(VENV)/.runtime

$(VENV)/.mutants: $(VENV)/.dev requirements-mutants.txt
	$(BIN)/python -m pip install --quiet -r requirements-mutants.txt
	touch $@

# A browser and a PostgreSQL server for the tests that need them; without root or apt those tests say why they skip.
$(VENV)/.system: | $(BIN)/python
	sh lab/system_packages.sh
	touch $@

clean:
	find . -name __pycache__ -not -path './$(VENV)/*' -exec rm -rf {} +
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache artifacts
