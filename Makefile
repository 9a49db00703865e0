# The two commands of the README are `make run` and `make test`; each installs what it needs and says so.

SWIFT ?= swift
# The standard library goes into the binary on Linux, so that it starts fast and runs without a toolchain. Linked so, a
# program exports every public symbol, which costs half a megabyte and a quarter of the start; nobody links against it.
# lld, which comes with the toolchain, leaves out what nothing calls, such as what only an app asks of the library.
# Hashes that the compiler keeps for itself differ with the folder of a build: the linker leaves them out too.
# libyaml goes into the binary where the system has its archive: in that folder, -lyaml finds nothing else.
# Packed, the places that depend on where the program is loaded take a fiftieth of the room. A glibc older than 2.36
# cannot read them, and says so.
PACKED = $(shell getconf GNU_LIBC_VERSION 2>/dev/null | \
  awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
LINUX_RELEASE_FLAGS = --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker Packaging/discard.ld \
  -Xlinker -L.build/archives $(PACKED)
# Code made small costs a twentieth of the time and saves a megabyte.
RELEASE_FLAGS = $(SWIFT_BUILD_OPTIONS) -c release --product carryover -Xswiftc -Osize $(if $(filter Linux,$(shell uname -s)),$(LINUX_RELEASE_FLAGS))
# Names of functions are for crash reports: Packaging puts them into a file of their own, which the build id finds.
STRIPPED := $(if $(filter Linux,$(shell uname -s)),-Xlinker -S -Xlinker --build-id=sha1)
# Part of a release where the C library can be inside.
STATIC := $(if $(filter Linux,$(shell uname -s)),static)
# The SDK of swift.org, as `swift sdk list` names it.
MUSL_SDK ?= x86_64-swift-linux-musl
# What `carryover version` says of the build: recursive, so that only a release asks git.
COMMIT = $(shell git describe --always --exclude '*' --abbrev=40 --dirty=-changed 2>/dev/null)
DAY = $(if $(SOURCE_DATE_EPOCH),$(shell python3 -c 'import datetime as d; print(d.datetime.fromtimestamp($(SOURCE_DATE_EPOCH), \
  d.timezone.utc).date())'),$(shell TZ=UTC0 git log -1 --date=format-local:%Y-%m-%d --format=%cd 2>/dev/null))
BUILD = CARRYOVER_COMMIT="$(COMMIT)" CARRYOVER_DATE="$(DAY)" CARRYOVER_COMPILER="$(shell $(SWIFT) --version 2>/dev/null | head -1)"
# Where `make install` puts the command, its manual and its completions; DESTDIR stands for the root of the system.
PREFIX ?= /usr/local
# What make release-check-only checks.
DIST ?= .build/dist
PACKAGING := python3 -B Packaging
# Any warning fails these builds, and they build the examples; a client's own build never sees the switches.
STRICT := CARRYOVER_WARNINGS=error CARRYOVER_EXAMPLES=1
SOURCES := Package.swift Sources Tests Fuzz/Sources Examples/EmbeddedApp/Package.swift Examples/EmbeddedApp/Sources
# Faults the command that the tests' build has made.
FAULTS := python3 -B Tests/Faults --binary .build/debug/carryover
# Tries it on pseudo-terminals.
TERMINALS := python3 -B Tests/Terminals --binary .build/debug/carryover
# Starts the example of an app in its three versions, and kills it.
EMBEDDED := python3 -B Tests/Embedded --binary .build/debug/EmbeddedApp
# Tries the manual, the completions, installing and the archives.
PACKAGES := python3 -B Tests/Packaging
# Makes the web site; a link that leads nowhere fails it.
SITE := NO_MKDOCS_2_WARNING=1 .build/site-tools/bin/mkdocs build --strict --quiet -f Site/mkdocs.yml
# How many minutes `make fuzz` gives each reader of what strangers made.
MINUTES ?= 5
# How long `make test-all` presses random keys: half on the review by itself, half on the command.
RANDOM_SECONDS ?= 60

.PHONY: help run test test-all test-faults test-terminals embedded fuzz build release static install uninstall man musl dist \
	release-check release-check-only test-dist check fleet lint format screens recipes findings \
	apple keys snippets docs site bench test-next-launch setup setup-test \
	setup-test-all setup-dist setup-test-dist setup-site setup-fleet clean

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
	python3 -B Scripts/check-apple.py
	Scripts/docs.sh --if-possible

test-all: export CARRYOVER_TESTS = all
test-all: export CARRYOVER_RANDOM_SECONDS = $(RANDOM_SECONDS)
test-all: setup-test-all ## What make test leaves out, but for the full matrices: a quarter of an hour
	$(STRICT) $(SWIFT) build --build-tests
	$(STRICT) $(SWIFT) test --skip-build --filter 'CommandTests|RandomReviewTests'
	$(EMBEDDED)
	$(FAULTS) --short
	$(TERMINALS)
	python3 -B Tests/Recipes
	python3 -B Tests/Audit .build/debug/carryover
	python3 -B Tests/Audit/shards.py .build/debug/carryover
	$(PACKAGES)
	$(SITE)
	python3 -B Fuzz --short --if-possible

test-faults: setup-test-all ## Every fault: in memory with cuts of power, then the command at every system call; half an hour
	$(STRICT) $(SWIFT) build --build-tests
	CARRYOVER_FAULTS=all $(STRICT) $(SWIFT) test --skip-build --filter DurabilityTests
	$(FAULTS)
	python3 -B Tests/Audit .build/debug/carryover 20000 50

test-terminals: setup-test-all ## The command on terminals of every kind: all signals everywhere, ten minutes of random keys
	$(STRICT) $(SWIFT) build --product carryover
	$(TERMINALS) --long

test-next-launch: setup ## Compare the next launch with the new SDK itself, in CLIENT; HELPER=… adds its example migrators
	$(STRICT) $(SWIFT) build --product carryover
	python3 -B Tests/NextLaunch $(CLIENT) $(HELPER)

embedded: setup-test-all ## The example of an app that embeds the library: upgraded over every version
	$(STRICT) $(SWIFT) build --product EmbeddedApp
	$(STRICT) $(SWIFT) build --product LibraryProbe
	$(EMBEDDED)

fuzz: setup ## Fuzz every reader of untrusted input, MINUTES each
	@Scripts/setup.sh fuzz
	python3 -B Fuzz --minutes $(MINUTES)

build: ## Build for debugging
	$(STRICT) $(SWIFT) build

release: setup ## Build the command for use. SWIFT_BUILD_OPTIONS=… go to swift build
	@mkdir -p .build/archives
	@archive=$$(cc -print-file-name=libyaml.a); [ "$$archive" = libyaml.a ] || ln -sf "$$archive" .build/archives
	$(BUILD) $(SWIFT) build $(RELEASE_FLAGS) $(STRIPPED)

install: ## Install what make release has built: PREFIX=/usr/local, below DESTDIR if that is set
	@$(PACKAGING) install --prefix "$(PREFIX)" --destination "$(DESTDIR)"

uninstall: ## Remove what make install has installed in PREFIX
	@$(PACKAGING) uninstall --prefix "$(PREFIX)" --destination "$(DESTDIR)"

man: ## Write the manual pages of the release into .build/man
	@$(PACKAGING) man .build/man

static: setup-dist release ## Link what make release has built with every library inside, into .build/static; on Debian
	$(PACKAGING) static .build/static

musl: ## Link with musl, by Swift's static SDK for Linux: MUSL=… has ncurses, SQLite and libyaml for it. Untested
	$(BUILD) $(SWIFT) build -c release --product carryover -Xswiftc -Osize --swift-sdk $(MUSL_SDK) \
	  -Xcc -I"$(MUSL)/include" -Xlinker -L"$(MUSL)/lib"

dist: setup-dist release $(STATIC) ## Make archives, packages, image, formula, bills of materials, checksums; MINISIGN_KEY=… signs
	$(PACKAGING) dist .build/dist $(STATIC:%=--static .build/%/carryover) $(if $(MINISIGN_KEY),--key "$(MINISIGN_KEY)")

release-check: dist ## Run make dist, then make release-check-only
	@$(MAKE) --no-print-directory release-check-only

release-check-only: ## Check DIST=.build/dist: files, versions, days, commits; MINISIGN_PUBLIC_KEY=… signature, TAG=… real release
	$(PACKAGING) check "$(DIST)" $(if $(MINISIGN_PUBLIC_KEY),--key "$(MINISIGN_PUBLIC_KEY)") $(if $(TAG),--tag "$(TAG)")

test-dist: setup-test-dist dist ## Test what make dist makes: reproducible, installed and purged in a new Debian; as root
	$(PACKAGES) --binary .build/release/carryover --dist .build/dist
	python3 -B Tests/Packaging/again.py .build/dist

fleet: setup-fleet ## Test carryover-fleet, on two workers and a loopback S3; minutes
	$(STRICT) $(SWIFT) build --product carryover
	cd fleet && CARRYOVER_BINARY=../.build/debug/carryover ../.build/fleet/bin/python -B -m pytest

lint: ## Check the format of the sources
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format: ## Format the sources
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

apple: ## On a Mac, build and test everything, in the simulator too; ends with a list of what passed
	@Scripts/setup.sh apple
	python3 -B Scripts/apple.py

screens: setup-test ## Record every screen again
	CARRYOVER_RECORD_SCREENS=1 $(STRICT) $(SWIFT) test --filter ScreensTests

recipes: setup-test ## Make the Swift of the built-in recipes again, from the files in Recipes
	CARRYOVER_WRITE_RECIPES=1 $(STRICT) $(SWIFT) test --filter BuiltInTests
	$(SWIFT) format -i --configuration .swift-format Sources/CarryoverVendors/*/*Recipe.swift

findings: setup ## Make Documentation/Findings.md again
	$(STRICT) $(SWIFT) build --product carryover
	.build/debug/carryover explain --markdown > Documentation/Findings.md

keys: setup ## Make Documentation/Keys.md again
	$(STRICT) $(SWIFT) build --product carryover
	.build/debug/carryover config keys --markdown > Documentation/Keys.md

snippets: setup-test ## Put the code that the tests compile into the articles again
	CARRYOVER_WRITE_SNIPPETS=1 $(STRICT) $(SWIFT) test --filter ArticlesTests

docs: setup ## Make the libraries' documentation; a link that leads nowhere fails it
	$(STRICT) $(SWIFT) build --target CarryoverRestore
	$(STRICT) $(SWIFT) build --target CarryoverRouter
	$(STRICT) $(SWIFT) build --target CarryoverEncryption
	Scripts/docs.sh

site: docs setup-site ## Make the web site of the documentation in .build/site; a link that leads nowhere fails it
	$(STRICT) $(SWIFT) build --product carryover
	$(SITE)

bench: release ## Measure what a start, a key, a large file and an audit cost, against the budget
	python3 -B Benchmarks

setup: ## Install what building needs
	@Scripts/setup.sh build

setup-test: ## Install what make test needs, and make the sample of each finding
	@Scripts/setup.sh test
	@python3 -B Examples/make-samples.py --findings

setup-test-all: setup-test ## Install what every other test needs
	@Scripts/setup.sh test-all

setup-site:
	@Scripts/setup.sh site

setup-dist:
	@Scripts/setup.sh dist

setup-test-dist:
	@Scripts/setup.sh test-dist

setup-fleet:
	@Scripts/setup.sh fleet

clean: ## Remove what was built
	rm -rf .build
