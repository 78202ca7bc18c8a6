# Armybuilder. `make run` serves it, `make test` tests it, `make help` lists the rest.

PYTHON ?= python3
HOST ?= 127.0.0.1
# Browsers allow passkeys at the name of this machine, and not at its number.
SHOWN = $(if $(filter 127.0.0.1,$(HOST)),localhost,$(HOST))
PORT ?= 8000
# Arguments for pytest or the benchmarks: make test ARGS="tests/house -x"
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
export DJANGO_SETTINGS_MODULE ?= armybuilder.settings.local

SYSTEM_RUN := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core fonts-dejavu-extra gettext
# libatomic1: what drives Chromium needs it and does not say so.
SYSTEM_TEST := chromium chromium-headless-shell poppler-utils postgresql pgbouncer nginx-light libatomic1
# Varnish compiles its configuration, so it needs gcc.
SYSTEM_COMPLETE := varnish varnish-modules
# Named with the rest, so that people who cannot install packages are told about all of them at once.
SYSTEM_PYTHON = $(if $(wildcard $(VENV_STAMP)),,$(shell $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv))

# Each step that takes long leaves a stamp behind, so that the next run starts in seconds.
VENV_STAMP := $(VENV)/.made
RUN_STAMP := $(VENV)/.run-packages
DEV_STAMP := $(VENV)/.dev-packages
MUTANTS := var/mutants/venv
WHEELS := var/wheel
MUTANTS_STAMP := $(MUTANTS)/.packages
# The last file that collecting writes.
STATIC_STAMP := $(or $(ARMYBUILDER_VAR),var)/static/staticfiles.json
# Translations as they are read; what is translated stands in the .po files beside them.
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard armybuilder/locale/*/LC_MESSAGES/django.po))
# Compiled files are kept, whatever the environment says: compiling all anew takes each process of tests seven seconds.
PYTEST := env PYTHONDONTWRITEBYTECODE= DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m pytest
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# One lock for each Python and processor; the oldest Python says what is asked for on its account, too.
LOCK := uv pip compile --quiet --universal --python-version 3.11.0 --fork-strategy fewest --generate-hashes \
	--no-header --no-emit-index-url

.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help run setup test quick complete check postgres lint measure mutants bench bench-scale format messages translations pictures lock check-locks fresh audit release wheel vendor upgrade downgrade clean system-run system-test database

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

run: setup ## Set everything up and serve on http://localhost:8000 (PORT=8001 for another port)
	@echo "Armybuilder is on http://$(SHOWN):$(PORT) (stop it with Ctrl-C)"
	@export ALLOWED_HOSTS="$(HOST),$$ALLOWED_HOSTS" MALLOC_ARENA_MAX=2; \
		$(BIN)/python manage.py db_worker --no-reload --verbosity 0 & worker=$$!; \
		$(BIN)/gunicorn armybuilder.wsgi --bind "$(HOST):$(PORT)" --workers 2 --threads 40 --max-requests 5000 --max-requests-jitter 500 \
			--timeout 60 --preload --no-control-socket --log-level warning & server=$$!; \
		trap 'kill $$worker $$server 2>/dev/null; wait; exit 0' INT TERM; \
		wait $$server; status=$$?; kill $$worker 2>/dev/null; exit $$status

setup: system-run $(RUN_STAMP) $(TRANSLATIONS) database $(STATIC_STAMP) ## Set up what `make run` needs, without serving

# Each process lists all tests and reads the games anew. A complete run has so many tests in browsers, which wait about
# as long as they compute, that a third process pays on two cores.
test: system-test $(DEV_STAMP) $(TRANSLATIONS) ## Set up what the tests need and run them (ARGS="tests/house -x")
	@$(PYTEST) -n$(if $(filter complete,$(ARMYBUILDER_TESTS)),3,2) $(ARGS)

quick: system-run $(DEV_STAMP) $(TRANSLATIONS) ## Run some tests of each file that need no browser, no paper and no brute force
	@ARMYBUILDER_TESTS=quick $(PYTEST) -m "not slow" $(ARGS)

postgres: system-test $(DEV_STAMP) $(TRANSLATIONS) ## Run the tests that lean on the database on PostgreSQL
	@.ci/with-postgres $(PYTEST) -m postgres $(ARGS)

complete: ## Run everything as continuous integration does: no samples, all mutations, and PostgreSQL
	@.ci/run

check: lint test ## Lint, test, and run each benchmark once
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m tests.bench --once

lint: system-run $(DEV_STAMP)
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/djangofmt --quiet --check templates
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check_packs

measure: $(DEV_STAMP) ## Print the figures of the code, beside those of models
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m tests.house.measure

mutants: system-run $(DEV_STAMP) $(TRANSLATIONS) $(MUTANTS_STAMP) ## Mutate the code at drawn places and print what no test notices (ARGS="--sample 40 --seed 7")
	@$(MUTANTS)/bin/python -m tests.mutants $(ARGS)

bench: system-test $(DEV_STAMP) $(TRANSLATIONS) ## Print the benchmarks (ARGS="edit" for one of them)
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m tests.bench $(ARGS)

bench-scale: system-test $(DEV_STAMP) $(TRANSLATIONS) ## Print how pages fare among 20,000 lists on SQLite and 100,000 on PostgreSQL
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m tests.bench scale $(ARGS)
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test .ci/with-postgres $(BIN)/python -m tests.bench scale $(ARGS)

format: $(DEV_STAMP) ## Put the code in its form
	$(BIN)/ruff format
	$(BIN)/djangofmt --quiet templates
	$(BIN)/ruff check --fix

messages: system-run $(DEV_STAMP) ## Bring the catalogues of translations up to date with templates and code
	@$(BIN)/python manage.py makemessages --all --extension html,txt,py,json --no-location --no-obsolete --no-wrap \
		--ignore .venv --ignore tests --verbosity 0

translations: system-run $(DEV_STAMP) ## List the sentences that each language lacks; a release lacks none in German and French
	@DJANGO_SETTINGS_MODULE=armybuilder.settings.test $(BIN)/python -m tests.house.translations

pictures: setup system-test $(DEV_STAMP) ## Take the pictures of the documentation anew from the running app
	$(BIN)/python -m tests.pictures $(ARGS)

lock: $(DEV_STAMP) ## Choose the newest packages that .ci/*.in admit and lock them
	cd .ci && ../$(BIN)/$(LOCK) --upgrade --output-file requirements.txt requirements.in
	cd .ci && ../$(BIN)/$(LOCK) --upgrade --output-file requirements-s3.txt requirements-s3.in
	cd .ci && ../$(BIN)/$(LOCK) --upgrade --output-file requirements-dev.txt requirements-dev.in
	cd .ci && ../$(BIN)/$(LOCK) --upgrade --output-file requirements-audit.txt requirements-audit.in
	cd .ci && ../$(BIN)/$(LOCK) --upgrade --output-file requirements-mutants.txt requirements-mutants.in

check-locks: $(DEV_STAMP) ## Check that every Python of this machine can install both locks
	@.ci/check-locks

fresh: ## As root, try both commands and docs/self-hosting.md in a bare Debian 12 and 13 (ARGS="--whole trixie")
	@.ci/fresh $(ARGS)

audit: ## Ask whether advisories are known for what is locked, and list it (SBOM) in var/audit
	@.ci/audit $(ARGS)

wheel: $(DEV_STAMP) $(TRANSLATIONS) ## Build a wheel with everything that serving needs into var/wheel (WHEELS=another/folder)
	@rm -rf static/node_modules
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(WHEELS) .
	@ls -l $(WHEELS)/*.whl

release: ## Set a version, commit and tag it, and write its archive, wheel, SBOM and checksums (ARGS=0.2.0)
	@.ci/release $(ARGS)

vendor: ## Copy the front-end libraries at the versions of static/package-lock.json to where they are used
	cd static && npm ci --ignore-scripts --no-audit --no-fund
	cp static/node_modules/htmx.org/dist/htmx.min.js static/vendor/htmx.min.js
	cp static/node_modules/htmx.org/LICENSE static/vendor/htmx.LICENSE
	cd static && echo 'export { encodeQR } from "qr"; export { decodeQR } from "qr/decode.js"' | node_modules/.bin/esbuild --bundle \
		--minify --format=iife --global-name=qr --target=es2022 --outfile=vendor/qr.min.js
	cp static/node_modules/qr/LICENSE-MIT static/vendor/qr.LICENSE
	cp static/node_modules/axe-core/axe.min.js tests/vendor/axe.min.js
	cp static/node_modules/axe-core/LICENSE tests/vendor/axe.LICENSE
	cp static/node_modules/lucide-static/LICENSE static/vendor/lucide.LICENSE
	for icon in static/icons/lucide/*.svg; do cp static/node_modules/lucide-static/icons/$${icon##*/} $$icon; done
	$(BIN)/python -m roster.pdf.type.build_fonts static/node_modules
	for font in static/fonts/*.woff2; do $(BIN)/pyftsubset static/node_modules/@fontsource/*/files/$${font##*/} \
		--unicodes='*' --no-hinting --layout-features=kern,tnum,lnum,ccmp,locl --flavor=woff2 --output-file=$$font; done
	for family in fira-sans sofia-sans-condensed; do \
		cp static/node_modules/@fontsource/$$family/LICENSE static/fonts/$$family.LICENSE; done
	$(BIN)/python .ci/copy-drawings
	rm -rf static/node_modules

upgrade: ## Upgrade a server's site, or say why not and leave it as it was (TO=v1.0 for a tag or commit)
	@docs/deploy/upgrade $(TO)

downgrade: ## Take the last upgrade of a server's site back, its database included
	@docs/deploy/upgrade --back

clean: ## Throw away what was made here: packages, database, caches
	rm -rf $(VENV) $(TRANSLATIONS) var .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

system-run:
	@.ci/system-packages $(SYSTEM_RUN) $(SYSTEM_PYTHON)

system-test:
	@.ci/system-packages $(SYSTEM_RUN) $(SYSTEM_TEST) $(if $(filter complete,$(ARMYBUILDER_TESTS)),$(SYSTEM_COMPLETE)) $(SYSTEM_PYTHON)

database: $(RUN_STAMP)
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py createcachetable
	@$(BIN)/python manage.py load_packs
	@$(BIN)/python manage.py load_examples

$(VENV_STAMP):
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || .ci/system-packages python3-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Armybuilder needs Python 3.11 or newer; name one with make PYTHON=python3.11" >&2; exit 1; }
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(RUN_STAMP): $(VENV_STAMP) .ci/requirements.txt
	@echo "Installing Python packages"
	@$(PIP_INSTALL) -r .ci/requirements.txt
	@touch $@

$(DEV_STAMP): $(RUN_STAMP) .ci/requirements-dev.txt
	@echo "Installing Python packages for tests and checks"
	@$(PIP_INSTALL) -r .ci/requirements-dev.txt
	@touch $@

$(MUTANTS_STAMP): $(VENV_STAMP) .ci/requirements-mutants.txt
	@echo "Installing Python packages for mutants"
	@$(PYTHON) -m venv --clear $(MUTANTS)
	@$(MUTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/requirements-mutants.txt
	@touch $@

%.mo: %.po
	@msgfmt --check-format --output-file $@ $<

$(STATIC_STAMP): $(RUN_STAMP) $(shell find static docs/pictures -type f -not -path '*/node_modules/*' 2>/dev/null)
	@$(BIN)/python manage.py collectstatic --noinput --clear --verbosity 0
	@touch $@
