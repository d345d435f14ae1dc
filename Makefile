# The commands of the project; each makes its environment by itself: .build for the wheel, .demo for the demo, .venv for
# all else.
PYTHON ?= python3
BIN := .venv/bin

# Where it is set, every process of the tests would compile the program and all tests anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo play test style tests quick slow nightly check bench bench-growth chaos fuzz messages pictures fixture wheel sbom constraints clean

demo: .demo/ready  ## play whole matches through real mail servers on this machine
	.demo/bin/pbem demo

GAME ?= zipline
play: .demo/ready  ## play against a robot, here in the terminal, with no email; `make play GAME=pippip` another game
	.demo/bin/pbem play $(GAME)

# Style, types and imports are checked beside the tests, and told below them.
test: .venv/ready  ## style, types, imports, and all tests but the slow ones
	@told=$$(mktemp); $(MAKE) --no-print-directory style >"$$told" 2>&1 & styled=$$!; \
	$(MAKE) --no-print-directory tests; tested=$$?; \
	wait $$styled; styled=$$?; cat "$$told"; rm "$$told"; [ $$tested = 0 ] && [ $$styled = 0 ]

style: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

tests: .venv/ready
	$(BIN)/pytest -n auto --dist worksteal -m "not slow and not nightly"

quick: .venv/ready  ## one case of every test that needs no database
	$(BIN)/pytest -n auto --quick

slow: .venv/ready .venv/node/ready  ## the slow tests: costly ones, real servers, browsers, the wheel in a new environment
	# A module is one worker's, so that the servers that its tests share are started once. There are three workers more
	# than cores, since some wait for servers; their order is that of tests/conftest.py.
	$(BIN)/pytest -n $$(($$(nproc) + 3)) --dist loadfile --no-loadscope-reorder -m "slow and not nightly" --durations 20

nightly: .venv/ready  ## what CI has no time for: every example, a year of matches, all stories on PostgreSQL, a thousand kills
	PBEM_THOROUGH=1 $(BIN)/pytest -n auto --dist worksteal -m "nightly or not servers"
	# Two stories look into the file, or at numbers that a sequence leaves out.
	$(BIN)/pytest -n auto tests/stories --postgresql -k "still_answers and not bounces and not restored"
	$(BIN)/python -m tests.bench.chaos

check: test slow  ## everything that CI runs

bench: .venv/ready  ## how fast it is on this machine: the line beside a bare transport, deadlines, hostile messages; ten minutes
	$(BIN)/python -m tests.bench

bench-growth: .venv/ready  ## how it grows: large databases, memory, the archive; half an hour
	$(BIN)/python -m tests.bench --growth

chaos: .venv/ready  ## a season through servers that are killed a thousand times; twenty minutes
	$(BIN)/python -m tests.bench.chaos

fuzz: .venv/ready  ## spoil messages for ten minutes and see that none comes to a wrong end
	$(BIN)/python -m tests.fuzz --minutes 10

# Neither dates nor places, so that the file changes only when a sentence does.
messages: .venv/ready  ## write templates/messages.pot, the catalogue of all sentences that players read
	$(BIN)/python -m tests.support.catalogue

pictures: .venv/ready  ## draw the email and the page that the README shows, with Debian's chromium
	$(BIN)/python -m tests.support.pictures

fixture: .venv/ready  ## leave a filled database of this version in tests/db/fixtures, at each release
	$(BIN)/python -m tests.support.fixture

wheel: .build/ready  ## build dist/pbem-….whl, to be installed where the service runs
	rm -f dist/pbem-*.whl
	.build/bin/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

sbom: .venv/ready  ## write dist/pbem-….cdx.json: what a service installs, with versions, hashes and licences
	$(BIN)/python -m tests.support.sbom

# Names, versions and hashes, no addresses: pip finds the packages wherever this machine gets them.
CHOOSE := $(BIN)/uv pip compile --generate-hashes --no-emit-index-url --no-annotate --universal --python-version 3.11 \
	--no-header --quiet
constraints: .venv/ready  ## choose the newest versions anew: for all, the demo, the wheel, the service, and each of its extras
	$(BIN)/pip install --quiet --upgrade uv
	$(CHOOSE) pyproject.toml --all-extras --upgrade --output-file constraints.txt
	$(CHOOSE) pyproject.toml --constraints constraints.txt --extra demo --extra editable --output-file demo-constraints.txt
	echo hatchling | $(CHOOSE) - --constraints constraints.txt --output-file build-constraints.txt
	$(CHOOSE) pyproject.toml --constraints constraints.txt --output-file deploy/requirements.txt
	# What the service has already is left out.
	for extra in dns metrics pictures postgresql robots; do \
		$(CHOOSE) pyproject.toml --constraints constraints.txt --extra $$extra --output-file deploy/extras/$$extra.txt \
			$$(sed -n 's/^\([a-z0-9.-]*\)==.*/--no-emit-package \1/p' deploy/requirements.txt) || exit; \
	done
	cd tests/support/html_validate && npm install --package-lock-only --ignore-scripts --no-audit --no-fund --silent
	$(BIN)/python -m tests.support.validator

# The lists are complete, so there is nothing to resolve. Python compiles what it imports, a small part of all there is.
# uv would be quicker, but knows nothing of where pip is told to find packages.
INSTALL := bin/pip install --disable-pip-version-check --no-compile --no-deps

.build/ready: build-constraints.txt
	$(PYTHON) -m venv .build
	.build/$(INSTALL) --quiet --require-hashes --requirement build-constraints.txt
	@touch $@

.demo/ready: pyproject.toml demo-constraints.txt
	@echo "Making .demo, with what a host needs and the demo's servers: 42 packages, about 10 seconds and 105 MB."
	$(PYTHON) -m venv .demo
	.demo/$(INSTALL) --require-hashes --requirement demo-constraints.txt
	.demo/$(INSTALL) --no-build-isolation --editable .
	@touch $@

.venv/ready: pyproject.toml constraints.txt tests/support/axe.txt
	@echo "Making .venv, with all that the tests need: 79 packages, about 25 seconds and 600 MB."
	$(PYTHON) -m venv .venv
	.venv/$(INSTALL) --require-hashes --requirement constraints.txt --requirement tests/support/axe.txt
	.venv/$(INSTALL) --no-build-isolation --editable .
	@touch $@

# html-validate, for the tests alone; nothing of it runs while it is put there.
.venv/node/ready: .venv/ready tests/support/html_validate/package-lock.json
	mkdir -p .venv/node
	cp tests/support/html_validate/package.json tests/support/html_validate/package-lock.json .venv/node
	cd .venv/node && npm ci --ignore-scripts --no-audit --no-fund --silent
	touch $@

clean:
	rm -rf .build .demo .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
