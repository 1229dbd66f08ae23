# make run: set up and open the app, to this machine only.  make test: set up and run the checks of every change.
# make test-all: the slow ones as well, and the journeys in the browser twenty times while the machine is busy.
# make serve HOST=address PORT=number: the same to everybody who reaches that address; see docs/serving.md.
PYTHON ?= python3
BIN := .venv/bin
HOST ?= 0.0.0.0
PORT ?= 8501
NAMES ?=

# For the servers of the tests, as `tokviz serve` has it; tokviz/cli/serve.py says why.
export MALLOC_ARENA_MAX := 2

# What one process of the tests has compiled serves all others, and the next run.
unexport PYTHONDONTWRITEBYTECODE

# uv installs ten times as fast as pip, which takes over where uv finds no network: pip may know of a mirror. A pip of
# the environment's own takes 3 s to make, so that of $(PYTHON) comes first, if it is there and new enough (22.3).
UV := $(shell grep '^uv' requirements-dev.txt)
pip_install = { $(PYTHON) -m pip --python $(BIN)/python install -qq --retries 1 $(1) 2>/dev/null || \
	{ $(BIN)/python -m ensurepip >/dev/null && $(BIN)/python -m pip install -qq --retries 1 $(1); }; }
install = $(BIN)/uv pip install --quiet --python $(BIN)/python --requirement $(1) 2>/dev/null || \
	$(call pip_install,--requirement $(1)) || \
	{ echo 'The packages of $(1) could not be installed. The first time this needs a network, or a mirror that pip knows.'; exit 1; }

# With a single goal, what comes from npm is installed at the same time as the rest; several goals are made one by one.
ifeq ($(word 2,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=2
endif

.PHONY: run serve test test-all lint clean
run: .venv/run
	$(BIN)/python -m tokviz serve --port $(PORT)

serve: .venv/run
	$(BIN)/python -m tokviz serve --host $(HOST) --port $(PORT) $(foreach name,$(NAMES),--name "$(name)")

# Three workers keep two cores busy while some wait. Rewriting assertions so that a failure explains itself takes 5 s in
# each worker, so only the tests that failed run again with it.
test: .venv/test .venv/npm/installed
	$(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder -m "not slow" --assert=plain --processor-time 300 || \
		{ $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; exit 1; }

# What fails in one part does not keep the others from running: together they take three quarters of an hour.
test-all: .venv/test .venv/npm/installed
	failed=0; \
	$(BIN)/python -m pytest -n 3 --dist worksteal --hypothesis-profile long -m "not alone" || failed=1; \
	$(BIN)/python -m pytest -m alone || failed=1; \
	tests/browser/twenty_times.sh $(BIN)/python || failed=1; \
	exit $$failed

lint: .venv/test .venv/npm/installed
	$(BIN)/python -m pytest tests/test_linters.py

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

.venv/run: requirements.txt
	@$(PYTHON) -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo '$(PYTHON) is not Python 3.11 or newer with venv. Install python3-venv, or name another: make PYTHON=python3.12'; exit 1; }
	$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --without-pip .venv
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(call pip_install,'$(UV)') || true
	@$(call install,$<)
	touch $@

.venv/test: requirements-dev.txt .venv/run
	@$(call install,$<)
	touch $@

# What the tests of assets take from npm, where Node is there.
.venv/npm/installed: tests/js/package.json tests/js/package-lock.json
	@mkdir -p $(@D) && cp $^ $(@D)
	@if command -v npm >/dev/null; then cd $(@D) && npm ci --loglevel error --no-fund --no-audit; fi
	touch $@
