# `make play` and `make test` need python3 (3.11 or newer), pip and make; they install the rest.
.PHONY: play test test-python test-client compiled browser lint lint-style lint-types lint-client dist docs docs-serve soak soak-tests soak-siege soak-fuzz soak-kills soak-tables bench screenshots lab-examples lock clean
DEV := .venv-dev/bin/

# Keep bytecode, whatever the environment says: later starts are faster.
export PYTHONDONTWRITEBYTECODE =

play: .venv/ready
	@.venv/bin/foxden serve --open --port 0

test: .venv-dev/ready
	@$(MAKE) --no-print-directory --jobs 3 $(SYNC) LIVE='>&3 2>&3' \
	  test-python lint-types lint-style lint-client test-client 3>&1

# Group the output of parallel targets where make can, except that of the longest.
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync)

test-python: compiled browser
	@MAKEFLAGS= $(DEV)pytest -n auto $(LIVE)

test-client: .venv-dev/ready
	scripts/npm test

# Compile every game before the tests start, or each test process would compile it again.
compiled: .venv-dev/ready
	$(DEV)python -m tests.compiling

# Install the browser before the tests start: parallel installs would collide.
browser: .venv-dev/ready
	$(DEV)python -m tests.web.browser

# The next install rebuilds the client if its sources changed.
CLIENT := hatch_build.py $(shell find web -path web/node_modules -prune -o -type f -print)

lint: lint-style lint-types lint-client

lint-style: .venv-dev/ready
	$(DEV)ruff check
	$(DEV)ruff format --check
	$(DEV)lint-imports

lint-types: .venv-dev/ready
	$(DEV)mypy

lint-client: .venv-dev/ready
	scripts/npm run check

# A wheel with the built client, so installing it needs neither node nor a compiler, and an sdist.
dist: .venv-dev/ready
	rm -rf dist
	.tools/bin/uv build --quiet

# The documentation as a site, in site/; a broken link or an unlisted page fails. Nothing is fetched.
docs: .venv-dev/ready
	$(DEV)python -m scripts.docs_pages
	$(DEV)zensical build --clean --strict

docs-serve: .venv-dev/ready
	$(DEV)python -m scripts.docs_pages
	$(DEV)zensical serve --open

# The long tests, one command each; run them on an otherwise idle machine.
soak: soak-tests soak-siege soak-fuzz soak-kills soak-tables

soak-tests: .venv-dev/ready
	$(DEV)pytest -n auto -m slow

# Floods from one address while honest players play; SIEGE is the seconds of each, ATTACKS names
# some of them, such as half_open.
SIEGE ?= 20
ATTACKS ?=
soak-siege: .venv-dev/ready
	$(DEV)python -m tests.soak.siege --seconds $(SIEGE) $(ATTACKS)

# Random messages and requests; FUZZ is how many.
FUZZ ?= 1000000
soak-fuzz: .venv-dev/ready
	$(DEV)python -m tests.soak.fuzz --count $(FUZZ)

# Kills the server in full play on each store; KILLS is how often.
KILLS ?= 2000
soak-kills: .venv-dev/ready
	$(DEV)python -m tests.soak.kills --store sqlite --kills $(KILLS)
	$(DEV)python -m tests.soak.kills --store postgres --workers 3 --kills $(KILLS)

# 500 tables; MINUTES is how long.
MINUTES ?= 60
soak-tables: .venv-dev/ready
	$(DEV)python -m tests.soak.tables --tables 500 --minutes $(MINUTES)

# `make bench PEERS=bench,bench-jax` measures Pgx too, which needs JAX.
PEERS ?= bench
bench:
	@scripts/setup .venv-bench --editable ".[$(PEERS)]"
	.venv-bench/bin/foxden bench --plot bench.png

# The pictures in docs/screenshots, from real matches on a real server in a real browser.
screenshots: .venv-dev/ready
	$(DEV)python scripts/screenshots

# The reports in docs/results/lab, from the questions beside them: about ten minutes of one core.
lab-examples: .venv-dev/ready
	$(DEV)python -m scripts.lab_examples

# Playing has its own environment: packages that tests and peers bring in slow every start (Numba,
# for one, loads SciPy if it is installed).
.venv/ready: scripts/setup pyproject.toml requirements.lock $(CLIENT)
	@scripts/setup .venv --editable .
	@touch $@

.venv-dev/ready: scripts/setup pyproject.toml requirements.lock $(CLIENT)
	@scripts/setup .venv-dev --group dev --editable .
	@touch $@

# Registry addresses do not belong in the repository, so uv.lock is never committed.
lock: .venv-dev/ready
	.tools/bin/uv lock --upgrade
	.tools/bin/uv export --quiet --all-extras --all-groups --no-hashes --no-emit-project \
	  --no-annotate --no-header --output-file requirements.lock

clean:
	rm -rf .cache build site web/node_modules src/foxden/static .venv .venv-dev .venv-bench .tools
