# `make play` and `make test` need python3 (3.11 or newer), pip and make; the rest is installed into .venv.
.PHONY: play test lint soak bench lock clean
RUN := .venv/bin/

play: .venv/ready
	@$(RUN)foxden play happy-fox

test: .venv/ready lint
	$(RUN)pytest -n auto

lint: .venv/ready
	$(RUN)ruff check
	$(RUN)ruff format --check
	$(RUN)mypy
	$(RUN)lint-imports

soak: .venv/ready
	$(RUN)pytest -n auto -m slow

# The peers bring SciPy and more; they stay out of the environment that people play in.
# `make bench PEERS=bench,bench-jax` measures Pgx too, which needs JAX.
PEERS ?= bench
bench:
	@scripts/setup .venv-bench $(PEERS)
	.venv-bench/bin/foxden bench --plot bench.png

.venv/ready: scripts/setup pyproject.toml requirements.lock
	@scripts/setup
	@touch $@

# Registry addresses do not belong in the repository, so uv.lock is never committed.
lock: .venv/ready
	.tools/bin/uv lock --upgrade
	.tools/bin/uv export --quiet --all-extras --all-groups --no-hashes --no-emit-project \
	  --no-annotate --no-header --output-file requirements.lock

clean:
	rm -rf .venv .venv-bench .tools
