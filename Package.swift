// swift-tools-version: 6.1
import PackageDescription

// The rooms and the directions between them are explained in CONTRIBUTING.md.
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let niocore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioposix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let niohttp1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["VoiceGateClient"], path: "Examples/Swift/" + name)
}

let package = Package(
    name: "VoiceGate",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "voicegated", targets: ["voicegated"]),
        .executable(name: "voicegate", targets: ["voicegate"]),
        .executable(name: "voicegate-recognizer", targets: ["voicegate-recognizer"]),
        .executable(name: "voicegate-engine", targets: ["voicegate-engine"]),
        .library(name: "VoiceGateClient", targets: ["VoiceGateClient"]),
        // ALSA finds a PCM type's code by this library's path; see Audio/README.md.
        .library(name: "asound_module_pcm_voicegate", type: .dynamic, targets: ["VirtualMicrophone"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The model.
        .target(name: "Authorization"),
        .target(name: "ManifestLint", dependencies: ["Authorization"]),
        .target(name: "Consent", dependencies: ["Authorization", crypto]),
        .target(name: "AuditBundle", dependencies: ["Authorization", "Consent", "SystemFiles", crypto]),
        .target(name: "Capture", dependencies: ["Authorization"]),
        .target(name: "Recognition", dependencies: ["Authorization", "Capture"]),
        .target(name: "Indicator", dependencies: ["Authorization"]),
        .target(name: "Monitors", dependencies: ["Authorization"]),
        .target(name: "Wyoming"),
        .target(name: "TextForm"),
        .target(name: "Dictation", dependencies: ["Authorization", "Capture", "Recognition"]),
        .target(name: "AuditExport", dependencies: ["Authorization", "Consent", "CLinux", crypto]),

        .target(name: "Retention", dependencies: ["Authorization", crypto]),
        .target(
            name: "SpeechModels", dependencies: [crypto], path: "Models", sources: ["SpeechModels"],
            resources: [.embedInCode("catalogue.json")]),

        // Adapters.
        .target(name: "ALSACapture", dependencies: ["Authorization", "Capture", "CALSA", logging]),
        .target(name: "RecognizerProtocol", dependencies: ["Capture", "Recognition", "Wyoming"]),
        .target(
            name: "RecognizerProcess",
            dependencies: ["Authorization", "Capture", "Recognition", "RecognizerProtocol", "CLinux", logging]),
        .target(
            name: "PocketSphinxRecognition",
            dependencies: [
                "Capture", "Recognition", "RecognizerProtocol", "CPocketSphinx", "CSpeexDSP", "CLinux", "SoundFiles",
            ]),
        .target(
            name: "WyomingEngine",
            dependencies: ["Authorization", "Capture", "Recognition", "Wyoming", "CLinux", niocore, nioposix]),
        .target(name: "EngineLauncher", dependencies: ["CLinux"]),
        .target(
            name: "EngineConformance",
            dependencies: ["Capture", "Recognition", "RecognizerProtocol", "SoundFiles", "Wyoming", "CLinux"]),
        .target(name: "SoundFiles", dependencies: ["Capture", "CSoundFile"]),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "Authorization", "Consent", "Retention", "CSQLite", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(name: "KeptFiles", dependencies: ["Retention", "SystemFiles"]),
        .target(name: "SystemFiles", dependencies: ["CLinux"]),
        .target(name: "LinuxProcesses", dependencies: ["Authorization", "CLinux", "SystemFiles", crypto]),
        .target(name: "Subprocesses", dependencies: ["CLinux"]),
        .target(name: "Prompting", dependencies: ["Authorization", "CLinux", "Subprocesses", "SystemFiles"]),
        .target(name: "Polkit", dependencies: ["Authorization", "Subprocesses"]),
        .target(
            name: "PolicyFiles", dependencies: ["Authorization", "CLinux", "SystemFiles", "Yams", crypto, logging]),

        // The edges.
        .target(
            name: "SocketAPI", dependencies: ["Authorization", "Consent", "Recognition", "Dictation", "Indicator"]),
        .target(
            name: "Service",
            dependencies: [
                "Authorization", "Consent", "Capture", "Recognition", "Dictation", "Indicator", "ALSACapture",
                "Monitors", "RecognizerProcess", "Retention", "KeptFiles", "SQLiteStorage", "LinuxProcesses",
                "Prompting", "Polkit",
                "PolicyFiles", "SocketAPI", "SpeechModels", "SystemFiles", "Wyoming", "WyomingEngine", "Yams",
                "CLinux",
                logging, crypto,
                niocore, nioposix, niohttp1,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [
                .embedInCode("Clients/CommandLine.plist"), .embedInCode("Clients/CommandLine.ja.strings"),
                .embedInCode("Clients/CommandLine.ko.strings"), .embedInCode("OpenAPI/openapi.json"),
            ]),
        .target(name: "VoiceGateClient", dependencies: ["SocketAPI", niocore, nioposix, niohttp1]),
        .target(
            name: "Commands",
            dependencies: [
                "VoiceGateClient", "SocketAPI", "Prompting", "LinuxProcesses", "ManifestLint", "SystemFiles", "CLinux",
                "CNcurses", "AuditExport", "Consent", "AuditBundle", "EngineConformance", "Subprocesses",
                "TextForm", "Yams", crypto,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Mains that hold nothing.
        .executableTarget(name: "voicegated", dependencies: ["Service"]),
        .executableTarget(name: "voicegate", dependencies: ["Commands"]),
        .executableTarget(name: "voicegate-engine", dependencies: ["EngineLauncher"]),
        .executableTarget(name: "voicegate-recognizer", dependencies: ["PocketSphinxRecognition"]),

        // The examples of the library's pages, a folder each.
        example("AskForPermission"),
        example("DictateANote"),
        example("FollowPermissions"),
        example("HandleARefusal"),
        example("TranscribeAFile"),

        // C, as little as possible.
        .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
        .target(name: "CLinux"),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(
            name: "CPocketSphinx",
            cSettings: [
                // Not by pkg-config: its answer also links PulseAudio, X11 and D-Bus through libsphinxad.
                .unsafeFlags([
                    "-I/usr/include/pocketsphinx", "-I/usr/include/x86_64-linux-gnu/sphinxbase",
                    "-I/usr/include/aarch64-linux-gnu/sphinxbase",
                ])
            ],
            linkerSettings: [
                .linkedLibrary("pocketsphinx"), .linkedLibrary("sphinxbase"), .linkedLibrary("flite_cmulex"),
                .linkedLibrary("flite"),
            ]),
        .target(name: "CSpeexDSP", linkerSettings: [.linkedLibrary("speexdsp")]),
        .target(
            name: "CSoundFile", linkerSettings: [.linkedLibrary("sndfile"), .linkedLibrary("samplerate")]),
        .target(
            name: "VirtualMicrophone", path: "Audio/VirtualMicrophone",
            exclude: ["voicegate-virtual.conf.template"],
            linkerSettings: [
                .linkedLibrary("asound"),
                // ALSA unloads plugins, which Swift's runtime does not bear: the plugin stays plain C, and loaded.
                .unsafeFlags([
                    "-nostartfiles", "-Xlinker", "--as-needed", "-Xlinker", "-z", "-Xlinker", "nodelete",
                ]),
            ]),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "Authorization", "Consent", "Capture", "Recognition", "Prompting", "CLinux", "CSoundFile", crypto,
            ],
            path: "Tests/TestSupport"),
        .testTarget(name: "AuthorizationTests", dependencies: ["Authorization", "TestSupport"]),
        .testTarget(name: "ManifestLintTests", dependencies: ["ManifestLint", "TestSupport"]),
        .testTarget(name: "ConsentTests", dependencies: ["Consent", "TestSupport"]),
        .testTarget(name: "AuditBundleTests", dependencies: ["AuditBundle", "TestSupport"]),
        .testTarget(name: "IndicatorTests", dependencies: ["Indicator", "TestSupport"]),
        .testTarget(name: "CaptureTests", dependencies: ["Capture", "TestSupport"]),
        .testTarget(name: "RecognitionTests", dependencies: ["Recognition", "TestSupport"]),
        .testTarget(
            name: "RetentionTests",
            dependencies: [
                "Consent", "Retention", "KeptFiles", "SQLiteStorage", "TestSupport", crypto,
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(name: "SpeechModelsTests", dependencies: ["SpeechModels", "TestSupport"]),
        .testTarget(name: "MonitorsTests", dependencies: ["Monitors", "TestSupport"]),
        .testTarget(name: "WyomingTests", dependencies: ["Wyoming", "TestSupport"]),
        .testTarget(
            name: "WyomingEngineTests", dependencies: ["WyomingEngine", "TestSupport", "ProgramSupport"]),
        .testTarget(name: "DictationTests", dependencies: ["Dictation", "ALSACapture", "TestSupport", logging]),
        .testTarget(name: "ALSACaptureTests", dependencies: ["ALSACapture", "TestSupport"]),
        .testTarget(
            name: "RecognizerProcessTests",
            dependencies: ["RecognizerProcess", "RecognizerProtocol", "Wyoming", "TestSupport", "voicegate-recognizer"]),
        .testTarget(
            name: "EngineConformanceTests",
            dependencies: [
                "EngineConformance", "TestSupport", "ProgramSupport", "voicegate-recognizer", "voicegate-engine",
            ]
        ),
        .testTarget(name: "SoundFilesTests", dependencies: ["SoundFiles", "TestSupport"]),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: [
                "SQLiteStorage", "TestSupport", "ledger-writer", .product(name: "GRDB", package: "GRDB.swift"), crypto,
            ], exclude: ["Fixtures"]),
        // What the consent log costs; see Benchmarks/README.md.
        .executableTarget(
            name: "consent-benchmark", dependencies: ["Authorization", "Consent", "SQLiteStorage", crypto],
            path: "Benchmarks/ConsentBenchmark"),
        // Appends until it is killed or loses its power; the storage's tests see to that.
        .executableTarget(
            name: "ledger-writer", dependencies: ["SQLiteStorage", "TestSupport", "FaultyDisk"],
            path: "Tests/LedgerWriter"),
        .target(name: "FaultyDisk", path: "Tests/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "LinuxProcessesTests", dependencies: ["LinuxProcesses", "SystemFiles", "TestSupport", crypto]),
        .testTarget(name: "TextFormTests", dependencies: ["TextForm"]),
        .testTarget(name: "SubprocessesTests", dependencies: ["Subprocesses", "TestSupport"]),
        .testTarget(name: "PromptingTests", dependencies: ["Prompting", "Subprocesses", "TestSupport"]),
        .testTarget(name: "PolkitTests", dependencies: ["Polkit", "TestSupport"]),
        .testTarget(name: "PolicyFilesTests", dependencies: ["PolicyFiles", "TestSupport", "Yams", crypto]),
        .testTarget(name: "SocketAPITests", dependencies: ["SocketAPI", "TestSupport"]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "Capture", "Dictation", "Indicator", "Recognition", "SocketAPI", "TestSupport", niohttp1,
            ]),
        .testTarget(name: "CommandsTests", dependencies: ["Commands", "AuditExport", "Consent", "TestSupport"]),
        .testTarget(
            name: "AuditExportTests", dependencies: ["AuditExport", "Consent", "TestSupport", "ProgramSupport", crypto]),
        // The built programs as processes: what drives them, what they do together, and the mission page row by row.
        .target(
            name: "ProgramSupport",
            dependencies: ["TestSupport", "CLinux"], path: "Tests/ProgramSupport"),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Consent", "VoiceGateClient", "SocketAPI", "TestSupport", "ProgramSupport", "CLinux", "voicegated",
                "voicegate", "voicegate-recognizer",
            ]),
        .testTarget(
            name: "MissionTests",
            dependencies: [
                "Authorization", "VoiceGateClient", "SocketAPI", "TestSupport", "ProgramSupport", "voicegated",
                "voicegate", "voicegate-recognizer",
            ]),
        // The Debian package, its unit and its rule.
        .testTarget(
            name: "PackagingTests",
            dependencies: [
                "TestSupport", "ProgramSupport", "voicegated", "voicegate", "voicegate-recognizer", "voicegate-engine",
            ]),
        // Bundles checked by the programs of Documentation/verify.
        .testTarget(
            name: "ForeignVerificationTests",
            dependencies: ["Consent", "TestSupport", "ProgramSupport", "voicegated", "voicegate"]),
    ]
)
