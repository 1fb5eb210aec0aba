# Every target does its own set-up into .venv and says what it is doing; see tools/set_up.py.
# PYTHON chooses the interpreter: make test PYTHON=python3.12. ARGS goes to the program: make demo ARGS=--headless

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
SOURCES := $(wildcard climbing_rig test tools launch examples bench urdf setup.py)
SHELL := /bin/bash
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help set-up demo test lint format bench colcon-check lock clean

help: ## What there is to make
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

set-up: ## .venv with all libraries, ROS 2 and compiled kernels
	@tools/set_up.sh

# With job control the demo alone gets the terminal's Ctrl-C, ends in its own way, and make reports its exit code. (What
# follows it keeps the shell from becoming the demo instead of starting it.)
demo: set-up ## A climber on a scanned wall, in the browser
	@[ ! -t 0 ] || set -m; $(BIN)/climbing_rig demo $(ARGS); exit $$?

test: lint ## Linters, types and the whole test suite
	@$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadscope $(ARGS)

lint: set-up ## Linters and types alone
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/python tools/check_types.py

format: set-up ## Rewrites the sources in the one format
	@$(BIN)/ruff check --fix-only $(SOURCES)
	@$(BIN)/ruff format $(SOURCES)

bench: set-up ## Runs every benchmark there is in bench/
	@ls bench/*.py >/dev/null 2>&1 || echo "there are no benchmarks in bench/ yet"
	@for script in $(wildcard bench/*.py); do $(BIN)/python $$script $(ARGS) || exit; done

colcon-check: ## With ROS 2 and colcon: builds the package in a scratch workspace and tries what it installs
	@python3 tools/colcon_check.py

lock: ## Newest versions into requirements/*.txt
	@tools/lock.sh

clean: ## Removes .venv and everything else that was made
	rm -rf .venv build install log dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
