# The targets of this project. Each installs what it needs; see Scripts/.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = .build/release
SWIFT_SOURCES = Package.swift Sources Tests Fleet Documentation/Examples/Swift Benchmarks/ConsentBenchmark
BUILD_TESTS = Scripts/build-debug --build-tests
BUILD_FLEET_TESTS = $(BUILD_TESTS) --package-path Fleet
# The modules whose tests need no system: Tests/Model.
MODEL_TESTS = $(notdir $(wildcard Tests/Model/*))
empty =
space = $(empty) $(empty)

.PHONY: build fleet-build test check soak run fleet examples bench docs format lint deb install uninstall clean

# Release binaries in .build/release/.
build:
	Scripts/setup build
	Scripts/build-release

# The programs of many machines, with their tests, in .build/debug/.
fleet-build:
	Scripts/setup build fleet
	$(BUILD_FLEET_TESTS)

# All tests. FILTER='regular expression' chooses some by "Module.Suite/test()".
test:
	Scripts/setup build run test fleet
	Scripts/setup database || echo "The tests with a real PostgreSQL are skipped. To run them, install it: Scripts/setup database"
	Tests/Support/Tools/setup-python >/dev/null
	Tests/Support/Tools/setup-engine
	$(BUILD_FLEET_TESTS)
	$(BUILD_TESTS)
	Scripts/build-examples
	Scripts/test $(if $(FILTER),--filter '$(FILTER)')

# What to run at each save: format, layers and the model's tests.
check: lint
	Scripts/test --filter '^($(subst $(space),|,$(MODEL_TESTS))|ProjectTests)\.'

# The random sequences, interleavings, revocations, kills, power cuts and requests in full, some hours; then sessions for
# a day.
soak:
	Scripts/setup build run test fleet database
	$(BUILD_FLEET_TESTS)
	$(BUILD_TESTS)
	VOICEGATE_RANDOM_OPERATIONS=5000000 VOICEGATE_REVOCATIONS=10000 VOICEGATE_KILL_ROUNDS=1000 \
		VOICEGATE_POWER_CUTS=1000 VOICEGATE_LOG_KILLS=1000 VOICEGATE_SOAK_ROUNDS=4 VOICEGATE_SOAK_MINUTES=1440 VOICEGATE_FUZZ_EXAMPLES=2500 \
		VOICEGATE_FLEET_KILLS=100 VOICEGATE_FLEET_FAILOVERS=10 \
		Scripts/test --jobs 1 --minutes 2880 \
		--filter 'RandomSequence|GateExploration|GateUsers|OneUserAgainstAnother|RevocationUnderLoad|KilledService|PowerCut|PhraseTests|GrammarSession|SoakTests|FuzzTests|FaultTests'

# A demonstration, from the request to the records.
run:
	Scripts/run

# Many machines: a collector with PostgreSQL, and three services that dictate; one is killed, one is rolled back.
fleet:
	Scripts/fleet

# The programs and tests of Documentation/Examples/Swift, as a package that uses the library; `make test` builds the programs with the
# debug build.
examples:
	Scripts/setup build
	swift test --package-path Documentation/Examples/Swift --scratch-path .build/examples

bench:
	Scripts/setup build run test fleet database
	Scripts/build-release
	swift build -c release --package-path Fleet --scratch-path .build/fleet
	swift build -c release --package-path Benchmarks/ConsentBenchmark --scratch-path .build/benchmarks
	Benchmarks/run

# The Swift library's pages, for DocC's own server and for any web server's root.
docs:
	Scripts/setup build
	Scripts/docs
	@echo "python3 -m http.server -d .build/documentation, then http://localhost:8000/documentation/voicegateclient"

format:
	swift format format --in-place --parallel --recursive $(SWIFT_SOURCES)

# The format, the scripts, the words, the recorded number of code lines, and that each module imports only what Package.swift declares.
lint:
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	Scripts/lint-shell
	Scripts/lint-words
	Tests/Support/Tools/write-api --check
	Tests/Support/Tools/write-records --check
	Sources/Base/generate-texts --check
	Scripts/code-lines
	$(BUILD_TESTS) --explicit-target-dependency-import-check error

# A Debian package in .build/package/, of the output of `make build`; CONFIGURATION=debug packages that of `swift build`, for
# tests.
deb:
	Scripts/setup build deb
	Scripts/package --configuration $(or $(CONFIGURATION),release)

# Programs, manual pages, completions and the user's systemd units. Does not build, so that root can run it in another
# user's checkout: `make build && sudo make install`.
install:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" BUILT=$(RELEASE) Scripts/install

# Removes what `make install` has put there.
uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install --remove

clean:
	rm -rf .build
