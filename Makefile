# The verbs of this project. Each sets up what it needs; see Scripts/.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = .build/release
PROGRAMS = voicegate voicegated voicegate-recognizer voicegate-engine

.PHONY: build test soak run bench docs format lint deb install clean

# Release binaries in .build/release/.
build:
	Scripts/setup build
	swift build -c release

# One at a time: the integration tests measure how soon a device is closed, and each recogniser wants a core.
test:
	Scripts/setup build run test
	swift build --build-tests
	swift package generate-documentation --target VoiceGateClient --warnings-as-errors
	swift test --skip-build --no-parallel

# The random sequences, revocations, killings and power cuts in full, about an hour; then sessions for a day.
soak:
	Scripts/setup build run test
	swift build --build-tests
	VOICEGATE_RANDOM_OPERATIONS=5000000 VOICEGATE_REVOCATIONS=10000 VOICEGATE_KILL_ROUNDS=1000 \
		VOICEGATE_POWER_CUTS=1000 VOICEGATE_LOG_KILLS=1000 VOICEGATE_SOAK_MINUTES=1440 VOICEGATE_FUZZ_FACTOR=10 \
		swift test --skip-build --no-parallel \
		--filter 'RandomSequence|RevocationUnderLoad|KilledService|PowerCut|SoakTests|FuzzTests'

# The main job, from the question to the records.
run:
	Scripts/run

bench:
	Scripts/setup build run test
	swift build -c release
	Benchmarks/run

# The Swift library's pages, for DocC's own server and for any web server's root.
docs:
	Scripts/setup build
	swift package --allow-writing-to-directory .build/documentation generate-documentation --target VoiceGateClient \
		--warnings-as-errors --transform-for-static-hosting --output-path .build/documentation
	@echo "python3 -m http.server -d .build/documentation, then http://localhost:8000/documentation/voicegateclient"

format:
	swift format format --in-place --parallel --recursive Package.swift Sources Tests Examples/Swift

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples/Swift
	Scripts/lint-shell

# A Debian package in .build/package/, with Swift's libraries within the programs; CONFIGURATION=debug packages what
# `swift build` made, with those libraries beside them, for tests.
deb:
	Scripts/setup build deb
	Scripts/package --configuration $(or $(CONFIGURATION),release)

# Does not build, so that it can run as root in a checkout of somebody else: `make build && sudo make install`.
install:
	@for program in $(PROGRAMS); do \
		test -x $(RELEASE)/$$program || { echo "$(RELEASE)/$$program is missing. Run make build first." >&2; exit 1; }; \
	done
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 0755 $(PROGRAMS:%=$(RELEASE)/%) "$(DESTDIR)$(PREFIX)/bin/"

clean:
	rm -rf .build
