# The two commands of the README are `make run` and `make test`; each installs what it needs and says so.

SWIFT ?= swift
# The standard library goes into the binary on Linux, so that it starts fast and runs without a toolchain. Linked so, a
# program exports every public symbol, which costs half a megabyte and a quarter of the start; nobody links against it.
# lld, which comes with the toolchain, leaves out what nothing calls, such as what only an app asks of the library.
# Functions of the same code are one, which saves a fortieth. Hashes that the compiler keeps for itself differ with the folder of a build: the linker leaves them out too.
# Packed, the places that depend on where the program is loaded take a fiftieth of the room. A glibc older than 2.36
# cannot read them, and says so.
PACKED = $(shell getconf GNU_LIBC_VERSION 2>/dev/null | \
  awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
LINUX_RELEASE_FLAGS = --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker Packaging/discard.ld \
  -Xlinker -s $(PACKED)
# Code made small costs a twentieth of the time and saves a megabyte.
RELEASE_FLAGS = $(SWIFT_BUILD_OPTIONS) -c release --product carryover -Xswiftc -Osize $(if $(filter Linux,$(shell uname -s)),$(LINUX_RELEASE_FLAGS))
# Part of a release where the C library can be inside.
STATIC := $(if $(filter Linux,$(shell uname -s)),.build/static)
# What `carryover version` says of the build: recursive, so that only a release asks git.
COMMIT = $(shell git describe --always --exclude '*' --abbrev=40 --dirty=-changed 2>/dev/null)
DAY = $(if $(SOURCE_DATE_EPOCH),$(shell python3 -c 'import datetime as d; print(d.datetime.fromtimestamp($(SOURCE_DATE_EPOCH), \
  d.timezone.utc).date())'),$(shell TZ=UTC0 git log -1 --date=format-local:%Y-%m-%d --format=%cd 2>/dev/null))
BUILD = CARRYOVER_COMMIT="$(COMMIT)" CARRYOVER_DATE="$(DAY)" CARRYOVER_COMPILER="$(shell $(SWIFT) --version 2>/dev/null | head -1)"
# Where `make install` puts the command, its manual and its completions; DESTDIR stands for the root of the system.
PREFIX ?= /usr/local
PACKAGING := python3 -B Packaging
# Any warning fails these builds, and they build the examples; a client's own build never sees the switches.
STRICT := CARRYOVER_WARNINGS=error CARRYOVER_EXAMPLES=1
SOURCES := Package.swift Sources Tests Fuzz/Sources Examples/EmbeddedApp/Package.swift Examples/EmbeddedApp/Sources
# Faults the command that the tests' build has made.
FAULTS := python3 -B Tests/Faults --binary .build/debug/carryover
# Tries it on pseudo-terminals.
TERMINALS := python3 -B Tests/Terminals --binary .build/debug/carryover
# Starts the example of an app in its three versions, and kills it.
EMBEDDED := python3 -B Tests/Embedded .build/debug/EmbeddedApp
# Tries the manual, the completions, installing, the archives and the action.
PACKAGES := python3 -B Tests/Packaging
# Makes the web site; a link that leads nowhere fails it.
SITE := NO_MKDOCS_2_WARNING=1 .build/site-tools/bin/mkdocs build --strict --quiet -f Site/mkdocs.yml
# How many minutes `make fuzz` gives each reader of what strangers made.
MINUTES ?= 5
# How long `make test-all` presses random keys: half on the review by itself, half on the command.
RANDOM_SECONDS ?= 60

.PHONY: help run test check test-all test-faults test-terminals fuzz build release install uninstall man dist fleet lint format \
	apple record site bench setup-test setup-test-all clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: ## Open the bundled sample, on a copy; without a terminal, migrate it and roll it back. CARRYOVER=… instead of building
	@CARRYOVER="$(CARRYOVER)" Scripts/run-sample.sh

test: setup-test ## Build, run the tests that need no strace or pip, then make check: minutes
	$(STRICT) $(SWIFT) build --build-tests
	$(STRICT) $(SWIFT) test --skip-build
	@$(MAKE) --no-print-directory check

check: setup-test lint ## Check the format, the sources' structure, the samples, the documentation, and the code for Apple's systems
	$(STRICT) $(SWIFT) build --build-tests
	python3 -B Scripts/house.py
	$(SWIFT) package dump-package | python3 -B Scripts/check-library.py
	python3 -B Examples/make-samples.py --check
	Scripts/check-outside.sh
	python3 -B Tests/Documentation
	python3 -B Scripts/check-apple.py
	Scripts/docs.sh --if-possible

test-all: export CARRYOVER_TESTS = all
test-all: export CARRYOVER_RANDOM_SECONDS = $(RANDOM_SECONDS)
test-all: setup-test-all ## What make test leaves out, but for the full matrices: a quarter of an hour
	$(STRICT) $(SWIFT) build --build-tests
	$(STRICT) $(SWIFT) test --skip-build --skip CarryoverTests
	$(EMBEDDED)
	$(FAULTS) --short
	$(TERMINALS)
	python3 -B Tests/Recipes
	python3 -B Tests/Diff .build/debug/carryover
	python3 -B Tests/Audit .build/debug/carryover
	python3 -B Tests/Audit/shards.py .build/debug/carryover
	python3 -B Tests/Watch .build/debug/carryover --short
	$(PACKAGES)
	$(SITE)
	python3 -B Fuzz --short --if-possible

test-faults: setup-test-all ## Every fault: in memory with cuts of power, then the command at every system call; half an hour
	$(STRICT) $(SWIFT) build --build-tests
	CARRYOVER_FAULTS=all $(STRICT) $(SWIFT) test --skip-build --filter 'DurabilityTests|SwappedLinkTests'
	$(FAULTS)
	python3 -B Tests/Audit .build/debug/carryover 20000 50

test-terminals: setup-test-all ## The command on terminals of every kind: all signals everywhere, ten minutes of random keys
	$(STRICT) $(SWIFT) build --product carryover
	$(TERMINALS) --long

fuzz: setup-fuzz ## Fuzz every reader of untrusted input, MINUTES each
	python3 -B Fuzz --minutes $(MINUTES)

build: ## Build for debugging
	$(STRICT) $(SWIFT) build

release: setup-build ## Build the command for use. SWIFT_BUILD_OPTIONS=… go to swift build
	@Scripts/static-libyaml.sh .build/archives
	$(BUILD) $(SWIFT) build $(RELEASE_FLAGS) --pkg-config-path .build/archives

install: ## Install what make release has built: PREFIX=/usr/local, below DESTDIR if that is set
	@$(PACKAGING) install --prefix "$(PREFIX)" --destination "$(DESTDIR)"

uninstall: ## Remove what make install has installed in PREFIX
	@$(PACKAGING) uninstall --prefix "$(PREFIX)" --destination "$(DESTDIR)"

man: ## Write the manual pages of the release into .build/man
	@$(PACKAGING) man .build/man

dist: setup-dist release ## Make archives, Debian package, checksums in .build/dist; MINISIGN_KEY=… signs, TAG=v… checks a release
	$(if $(STATIC),$(PACKAGING) static $(STATIC))
	$(PACKAGING) dist .build/dist $(STATIC:%=--static %/carryover) $(if $(MINISIGN_KEY),--key "$(MINISIGN_KEY)") $(if $(TAG),--tag "$(TAG)")

fleet: setup-fleet ## Test carryover-fleet, on two workers and a loopback S3; minutes
	$(STRICT) $(SWIFT) build --product carryover
	cd fleet && CARRYOVER_BINARY=../.build/debug/carryover ../.build/fleet/bin/python -B -m pytest

lint: ## Check the format of the sources
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format: ## Format the sources
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

apple: setup-apple ## On a Mac, build and test everything, in the simulator too; ends with a list of what passed
	@Scripts/apple.sh

record: setup-test ## Make again what is recorded or generated: recipes, screens, snippets, outputs in pages; look at the difference
	CARRYOVER_WRITE_RECIPES=1 $(STRICT) $(SWIFT) test --filter BuiltInTests
	$(SWIFT) format -i --configuration .swift-format Sources/CarryoverVendors/*/*Recipe.swift
	CARRYOVER_RECORD_SCREENS=1 CARRYOVER_WRITE_SNIPPETS=1 $(STRICT) $(SWIFT) test --filter 'ScreensTests|ArticlesTests'
	python3 -B Tests/Documentation --record

site: setup-site ## Make the web site and the libraries' documentation in .build/site; a link that leads nowhere fails it
	for product in CarryoverRestore CarryoverRouter CarryoverEncryption; do $(STRICT) $(SWIFT) build --target $$product || exit; done
	$(STRICT) $(SWIFT) build --product carryover
	Scripts/docs.sh
	$(SITE)

bench: release ## Measure what a start, a key, a large file and an audit cost, against the budget
	python3 -B Benchmarks

# The sample of each finding is made, not committed.
setup-test:
	@Scripts/setup.sh test
	@python3 -B Examples/make-samples.py --findings

setup-test-all: setup-test
	@Scripts/setup.sh test-all

setup-%:
	@Scripts/setup.sh $*

clean: ## Remove what was built
	rm -rf .build
