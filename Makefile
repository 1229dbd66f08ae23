# make run: set up and open the app, to this machine only.  make test: set up and run the checks of every change.
# make test-all: the slow ones as well, and the journeys in the browser twenty times while the machine is busy.
# make serve HOST=address PORT=number: the same to everybody who reaches that address; see docs/serving.md.
PYTHON ?= python3
BIN := .venv/bin
HOST ?= 0.0.0.0
PORT ?= 8501
NAMES ?=

.PHONY: run serve test test-all lint clean
run: .venv/run
	$(BIN)/streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

serve: .venv/run
	$(BIN)/streamlit run app.py --server.address $(HOST) --server.port $(PORT) \
		--browser.serverAddress $(HOST:0.0.0.0=127.0.0.1) $(foreach name,$(NAMES),--server.allowedHosts "$(name)")

test: lint
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not slow"

test-all: lint
	$(BIN)/python -m pytest -n 3 --dist worksteal --hypothesis-profile long
	tests/browser/twenty_times.sh $(BIN)/python

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

.venv/run: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --requirement requirements.txt
	touch $@

.venv/test: requirements-dev.txt .venv/run
	$(BIN)/pip install --quiet --requirement requirements-dev.txt
	touch $@
