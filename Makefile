# `make` lists the targets. Documentation for contributors is in CONTRIBUTING.md.

SHELL = bash
.SHELLFLAGS = -eo pipefail -c

SWIFT ?= swift
# Further options for `swift build` and `swift test`.
SWIFT_FLAGS ?=
# STRICT=1 makes warnings errors, in a build folder of its own.
STRICT ?=
PREFIX ?= /usr/local
DESTDIR ?=

STRICT_FOLDER = .build-strict
STRICT_FLAGS = --scratch-path $(STRICT_FOLDER) -Xswiftc -warnings-as-errors \
	--explicit-target-dependency-import-check error
DEBUG_FLAGS = $(if $(STRICT),$(STRICT_FLAGS)) $(SWIFT_FLAGS)
# Linked with Swift's own libraries, so that the program runs where no Swift is installed.
RELEASE_FLAGS = -c release --static-swift-stdlib $(SWIFT_FLAGS)
RELEASE = .build/release
# Without optimization and debug information, the build takes a third of the time or less.
DEMO_FOLDER = .build-demo
DEMO_FLAGS = --scratch-path $(DEMO_FOLDER) -c release -Xswiftc -Onone -Xswiftc -gnone $(SWIFT_FLAGS)
PACKAGE = build/package
SWIFT_FILES = Scripts/swift-files.sh

# Of the tests that damage archives, of random archives, of fuzzing, and of runs that are killed.
COUNT = 2000
SEED = 1
KILLS = 50
# Of the calls that are made to fail, one in so many is.
EVERY = 1
TARGET = Archive
SECONDS = 300
FUZZ_COVERAGE = edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table
FUZZ_CORPUS = build/fuzz/corpus-$(TARGET)
FUZZ_SEEDS_Binary = binary
FUZZ_SEEDS_XML = xml
FUZZ_SEEDS_Nib = nib
FUZZ_SEEDS_Typedstream = typedstream
FUZZ_SEEDS_XMLStore = xmlstore
FUZZ_SEEDS_BinaryStore = binarystore
FUZZ_SEEDS_SQLiteStore = sqlitestore
FUZZ_SEEDS = $(or $(FUZZ_SEEDS_$(TARGET)),archive)
FUZZ_DICTIONARY = $(FUZZ_SEEDS)
# The size of the largest input: a database has several pages at least.
FUZZ_SIZE_SQLiteStore = 32768
FUZZ_SIZE = $(or $(FUZZ_SIZE_$(TARGET)),8192)
# Options of the benchmark: BENCH='--notes 10000 --archives 0 --rounds 3'.
BENCH =
# Swift's own report of a crash can hang under a sanitizer.
SANITIZED = SWIFT_BACKTRACE=enable=no

.DEFAULT_GOAL = help
.PHONY: help setup build release test mutations conformance differential kill-test faults asan tsan fuzz fuzz-seeds bench strict lint format docs check \
	samples demo package deb tarball install install-files uninstall clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install the C libraries that are missing (Debian, Ubuntu), and the hook of commits.
	@Scripts/setup.sh

build: setup ## Build for debugging.
	$(SWIFT) build $(DEBUG_FLAGS)

release: setup ## Build the program for use: .build/release/archive-convert.
	$(SWIFT) build $(RELEASE_FLAGS) --product archive-convert

test: setup ## Run the tests; set up what is missing first.
	@Scripts/test.sh $(SWIFT) test $(DEBUG_FLAGS)

mutations: setup ## Damage each archive of the tests in COUNT (2000) ways.
	$(SANITIZED) CONVERT_MUTATIONS=$(COUNT) $(SWIFT) test -c release --scratch-path .build-mutations \
		-Xswiftc -enable-testing $(SWIFT_FLAGS) --filter Mutation

conformance: release ## Measure the program by the cases of Conformance/README.md.
	Conformance/run.py --reader archive-convert --program $(RELEASE)/archive-convert -v

differential: setup ## Convert COUNT (2000) random archives and stores, from SEED (1) on.
	$(SWIFT) build $(RELEASE_FLAGS) --product differential
	.build/release/differential --count $(COUNT) --seed $(SEED) --keep build/differential

kill-test: release ## Kill runs over FOLDER at KILLS (50) random moments, and go on with them.
	Scripts/kill-test.sh $(RELEASE)/archive-convert $(FOLDER) $(KILLS)

faults: release ## Make each system call of a conversion fail (or every EVERYth), one in each run.
	$(SWIFT) build $(RELEASE_FLAGS) --product killed-converter
	Scripts/faults/run.sh $(RELEASE) $(EVERY)

asan: setup ## Run the tests under AddressSanitizer.
	$(SANITIZED) ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --scratch-path .build-asan \
		--sanitize=address $(SWIFT_FLAGS)

tsan: setup ## Run the tests under ThreadSanitizer.
	$(SANITIZED) TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/tsan-suppressions.txt \
		$(SWIFT) test --scratch-path .build-tsan --sanitize=thread $(SWIFT_FLAGS)

fuzz: setup ## Fuzz TARGET (see Fuzz/README.md) for SECONDS (300).
	CONVERT_FUZZ=1 $(SWIFT) build -c release --scratch-path .build-fuzz --sanitize=fuzzer \
		--sanitize=address -Xswiftc -sanitize-coverage=$(FUZZ_COVERAGE) --product Fuzz$(TARGET)
	@mkdir -p $(FUZZ_CORPUS) build/fuzz/found
	$(SANITIZED) ASAN_OPTIONS=quarantine_size_mb=16 .build-fuzz/release/Fuzz$(TARGET) \
		-max_total_time=$(SECONDS) -timeout=5 -rss_limit_mb=512 -max_len=$(FUZZ_SIZE) \
		-print_final_stats=1 -artifact_prefix=build/fuzz/found/$(TARGET)- \
		-dict=Fuzz/dictionaries/$(FUZZ_DICTIONARY).dict \
		$(FUZZ_CORPUS) Fuzz/seeds/$(FUZZ_SEEDS) Fuzz/crashes

fuzz-seeds: setup ## Make the seeds of the fuzz targets again.
	CONVERT_FUZZ=1 $(SWIFT) run --scratch-path .build-fuzz make-fuzz-seeds Fuzz/seeds

bench: release ## Measure conversions beside other programs: Documentation/performance.md.
	$(SWIFT) build -c release --package-path Benchmarks $(SWIFT_FLAGS)
	Benchmarks/.build/release/benchmark --convert $(RELEASE)/archive-convert --package Benchmarks \
		--folder build/bench $(BENCH)

strict: setup ## Build everything with warnings as errors.
	$(SWIFT) build --build-tests $(STRICT_FLAGS) $(SWIFT_FLAGS)

lint: ## Check the format of the Swift files.
	$(SWIFT_FILES) | xargs -0 $(SWIFT) format lint --strict --parallel

format: ## Put the Swift files into the format.
	$(SWIFT_FILES) | xargs -0 $(SWIFT) format --in-place --parallel

docs: strict ## Check links, the page on the command line, and doc comments (with DocC).
	Scripts/check-links.sh
	Scripts/check-options.sh $(STRICT_FOLDER)/debug/archive-convert
	Scripts/check-doc-comments.sh $(STRICT_FOLDER)

check: ## Everything a change has to pass: lint, strict, docs, test.
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory docs
	$(MAKE) --no-print-directory test STRICT=1

samples: setup ## Make the sample archives, the examples' mapping models and the conformance suite again.
	$(SWIFT) run $(DEBUG_FLAGS) make-sample-archives SampleArchives
	$(SWIFT) run $(DEBUG_FLAGS) make-conformance-cases Conformance/cases
	$(SWIFT) run $(DEBUG_FLAGS) make-example-mappings Examples/Migrations

demo: setup ## Convert the sample archives into build/samples.sqlite, with a program built in a hurry.
	$(SWIFT) build $(DEMO_FLAGS) --product archive-convert
	@mkdir -p build
	@rm -f build/samples.sqlite
	$(DEMO_FOLDER)/release/archive-convert SampleArchives -o build/samples.sqlite

package: release ## Put the program, its man page and its completions into build/package.
	$(SWIFT) build $(RELEASE_FLAGS) --product generate-manual
	rm -rf $(PACKAGE)
	mkdir -p $(PACKAGE)
	cp $(RELEASE)/archive-convert $(PACKAGE)/archive-convert
	Scripts/man-page.sh $(PACKAGE)/archive-convert $(RELEASE)/generate-manual \
		> $(PACKAGE)/archive-convert.1
	for shell in bash zsh fish; do \
		$(PACKAGE)/archive-convert --generate-completion-script $$shell | sed '1{/^#!/d;}' \
			> $(PACKAGE)/archive-convert.$$shell || exit 1; \
	done

deb: package ## Write a Debian package to build, with the program of this machine's kind.
	Packaging/deb.sh

tarball: package ## Write the program, as a tar archive with its checksum, and the sources to build.
	Packaging/tarball.sh

install: ## Install as archive-convert under PREFIX (/usr/local); DESTDIR is heeded.
	@if command -v $(SWIFT) > /dev/null; then $(MAKE) --no-print-directory package; \
	elif [ -f $(PACKAGE)/archive-convert.fish ]; then echo "Installing what $(PACKAGE) holds."; \
	else echo "There is no swift here: run 'make package' as the user who has it." >&2; exit 1; fi
	@$(MAKE) --no-print-directory install-files

install-files:
	install -d $(INSTALLED_FOLDERS)
	install -m 755 $(PACKAGE)/archive-convert $(BIN)/archive-convert
	strip $(BIN)/archive-convert || true
	install -m 644 $(PACKAGE)/archive-convert.1 $(MAN)/archive-convert.1
	install -m 644 $(PACKAGE)/archive-convert.bash $(BASH_COMPLETIONS)/archive-convert
	install -m 644 $(PACKAGE)/archive-convert.zsh $(ZSH_COMPLETIONS)/_archive-convert
	install -m 644 $(PACKAGE)/archive-convert.fish $(FISH_COMPLETIONS)/archive-convert.fish

uninstall: ## Remove what install put under PREFIX.
	rm -f $(BIN)/archive-convert $(MAN)/archive-convert.1 $(BASH_COMPLETIONS)/archive-convert \
		$(ZSH_COMPLETIONS)/_archive-convert $(FISH_COMPLETIONS)/archive-convert.fish

clean: ## Remove everything that was built.
	rm -rf .build .build-* build Benchmarks/.build

# Where zsh looks for completions; Debian's own packages use vendor-completions.
ZSH_FOLDER = site-functions
# The program is not installed as convert, since ImageMagick has a command of that name.
BIN = "$(DESTDIR)$(PREFIX)/bin"
MAN = "$(DESTDIR)$(PREFIX)/share/man/man1"
BASH_COMPLETIONS = "$(DESTDIR)$(PREFIX)/share/bash-completion/completions"
ZSH_COMPLETIONS = "$(DESTDIR)$(PREFIX)/share/zsh/$(ZSH_FOLDER)"
FISH_COMPLETIONS = "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
INSTALLED_FOLDERS = $(BIN) $(MAN) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
