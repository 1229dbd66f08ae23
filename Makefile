# make run: set up and open the app.  make test: set up and run every check.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8501

.PHONY: run test clean
run: .venv/run
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n 2 --dist worksteal

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

.venv/run: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --requirement requirements.txt
	touch $@

.venv/test: requirements-dev.txt .venv/run
	$(BIN)/pip install --quiet --requirement requirements-dev.txt
	touch $@
