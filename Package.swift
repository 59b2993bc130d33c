// swift-tools-version: 6.1
import PackageDescription

// The folders of Sources/ are layers; which may depend on which is in CONTRIBUTING.md and is checked by LayerTests.
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let niocore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioposix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let niohttp1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioembedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

func module(
    _ name: String, in layer: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", exclude: exclude,
        resources: resources)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/Programs/\(name)")
}

func cModule(
    _ name: String, flags: [CSetting]? = nil, links libraries: [String] = [], exclude: [String] = []
) -> Target {
    .target(
        name: name, path: "Sources/C/\(name)", exclude: exclude, cSettings: flags,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(
    _ name: String, in layer: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(layer)/\(name)Tests",
        exclude: exclude)
}

let programs: [Target.Dependency] = [
    "voicegated", "voicegate", "voicegate-recognizer", "voicegate-recognizer-onnx", "voicegate-recognizer-vosk",
    "voicegate-engine",
]

let package = Package(
    name: "VoiceGate",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "voicegated", targets: ["voicegated"]),
        .executable(name: "voicegate", targets: ["voicegate"]),
        .executable(name: "voicegate-recognizer", targets: ["voicegate-recognizer"]),
        .executable(name: "voicegate-recognizer-onnx", targets: ["voicegate-recognizer-onnx"]),
        .executable(name: "voicegate-recognizer-vosk", targets: ["voicegate-recognizer-vosk"]),
        .executable(name: "voicegate-engine", targets: ["voicegate-engine"]),
        .library(name: "VoiceGateClient", targets: ["VoiceGateClient"]),
        // For Benchmarks/ConsentBenchmark.
        .library(name: "ConsentLog", targets: ["Base", "Authorization", "Consent", "Storage"]),
        // For Fleet.
        .library(name: "Cryptography", targets: ["Cryptography"]),
        .library(name: "ConsentModel", targets: ["Base", "Authorization", "Consent"]),
        .library(name: "AuditFormats", targets: ["AuditBundle", "AuditExport"]),
        .library(name: "SocketAPI", targets: ["SocketAPI"]),
        .library(name: "LinuxSystem", targets: ["LinuxSystem"]),
        .library(name: "CommandText", targets: ["CommandText"]),
        // ALSA finds a PCM type's code by this library's path; see Audio/README.md.
        .library(name: "asound_module_pcm_voicegate", type: .dynamic, targets: ["VirtualMicrophone"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        module("Base", in: "Base"),
        module("Cryptography", in: "Base", ["CCrypto"]),
        module(
            "Texts", in: "Base",
            resources: [.embedInCode("en.strings"), .embedInCode("ja.strings"), .embedInCode("ko.strings")]),

        module("Authorization", in: "Model", ["Base", "Texts"]),
        module("Consent", in: "Model", ["Base", "Authorization", "Cryptography"]),
        module("Speech", in: "Model", ["Base", "Authorization"]),
        module("RecognizerProtocol", in: "Model", ["Base", "Authorization", "Speech"]),

        module("ALSACapture", in: "Adapters", ["Base", "Authorization", "Speech", "LinuxSystem", "CALSA", logging]),
        module("LinuxSystem", in: "Adapters", ["Base", "Authorization", "CLinux", "Cryptography"]),
        module(
            "Storage", in: "Adapters",
            ["Base", "Authorization", "Consent", "LinuxSystem", "CSQLite", "Cryptography", grdb]),
        module("Retention", in: "Adapters", ["Base", "Authorization", "LinuxSystem", "Storage", "Cryptography", grdb]),
        module("SystemBus", in: "Adapters", ["Base", "Authorization", "LinuxSystem", "CSystemBus"]),
        module("Prompting", in: "Adapters", ["Base", "Authorization", "LinuxSystem", "CLinux", "SystemBus"]),
        module(
            "PolicyFiles", in: "Adapters", ["Base", "Authorization", "LinuxSystem", "CLinux", "Yams", "Cryptography"]),
        module(
            "RecognizerProcess", in: "Adapters",
            ["Authorization", "Speech", "RecognizerProtocol", "LinuxSystem", "CLinux", logging]),
        module(
            "WyomingEngine", in: "Adapters",
            ["Authorization", "Speech", "RecognizerProtocol", "CLinux", niocore, nioposix]),
        module(
            "Engines", in: "Adapters", ["Base", "Authorization", "Speech", "LinuxSystem", "Cryptography"],
            // A link to Models/catalogue.json: resources lie in the folder of their target.
            resources: [.embedInCode("catalogue.json")]),
        module("EngineInstallation", in: "Adapters", ["Base", "Engines", "LinuxSystem", "CArchive", "Cryptography"]),

        module("RecognizerWorker", in: "Recognizers", ["Speech", "RecognizerProtocol", "SoundFiles", "CLinux"]),
        module(
            "PocketSphinxRecognition", in: "Recognizers",
            ["Speech", "RecognizerProtocol", "RecognizerWorker", "SoundFiles", "CPocketSphinx", "CSpeexDSP", "CLinux"]),
        module("ONNXRecognition", in: "Recognizers", ["Speech", "RecognizerWorker", "CSherpaONNX"]),
        module("VoskRecognition", in: "Recognizers", ["Base", "Speech", "RecognizerWorker", "CVosk"]),
        module("SoundFiles", in: "Recognizers", ["Base", "Speech", "CSoundFile", "CFFmpeg"]),

        module("VoiceGateWire", in: "Client"),
        // The library for other programs, which brings no module of the service: LayerTests.
        module("VoiceGateClient", in: "Client", ["VoiceGateWire", niocore, nioposix, niohttp1]),
        module("SocketAPI", in: "Client", ["Base", "Texts", "Authorization", "Consent", "Speech", "VoiceGateWire"]),
        module(
            "CommandClient", in: "Client",
            ["Authorization", "Consent", "Speech", "SocketAPI", "VoiceGateClient", niocore, niohttp1]),

        module(
            "Server", in: "Service",
            [
                "Base", "Authorization", "Consent", "Retention", "Speech", "LinuxSystem", "Storage", "Prompting",
                "SocketAPI", logging, niocore, nioposix, niohttp1, hummingbird, lifecycle,
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ],
            resources: [
                .embedInCode("Clients/CommandLine.plist"), .embedInCode("Clients/CommandLine.ja.strings"),
                .embedInCode("Clients/CommandLine.ko.strings"), .embedInCode("OpenAPI/openapi.json"),
            ]),
        // The areas: none imports another, but for the sessions that some have in common.
        module(
            "Sessions", in: "Service",
            [
                "Base", "Authorization", "Speech", "LinuxSystem", "Prompting", "SystemBus", "SocketAPI", "Server",
                logging,
                hummingbird, lifecycle,
            ]),
        module(
            "PermissionRoutes", in: "Service",
            [
                "Authorization", "Retention", "Speech", "LinuxSystem", "Prompting", "PolicyFiles", "SocketAPI",
                "Server", hummingbird, lifecycle,
            ]),
        module(
            "SpeechRoutes", in: "Service",
            [
                "Base", "Authorization", "Speech", "RecognizerProtocol", "LinuxSystem", "WyomingEngine", "Engines",
                "SocketAPI", "Server", "Sessions", logging, niocore, nioposix, hummingbird, lifecycle,
            ]),
        module(
            "EngineRouting", in: "Service",
            [
                "Authorization", "Speech", "LinuxSystem", "Storage", "RecognizerProcess", "Engines", "SocketAPI",
                "Server", logging, hummingbird,
            ]),
        module(
            "RecordRoutes", in: "Service",
            [
                "Base", "Authorization", "Consent", "Retention", "Speech", "LinuxSystem", "Storage", "SocketAPI",
                "Server", "Cryptography", logging, hummingbird, lifecycle,
            ]),
        module(
            "Monitors", in: "Service",
            [
                "Base", "Authorization", "Consent", "Speech", "LinuxSystem", "Prompting", "SocketAPI", "Server",
                "Sessions", logging, hummingbird, lifecycle,
            ]),
        // The only one that sees all adapters.
        module(
            "Daemon", in: "Service",
            [
                "Base", "Authorization", "Consent", "Retention", "Speech", "ALSACapture", "LinuxSystem", "Storage",
                "Prompting", "PolicyFiles", "RecognizerProcess", "WyomingEngine", "Engines", "SocketAPI", "Server",
                "SystemBus", "Sessions", "PermissionRoutes", "SpeechRoutes", "EngineRouting", "RecordRoutes",
                "Monitors", "CLinux",
                "Yams", logging, "Cryptography", niocore, nioposix, hummingbird, lifecycle, arguments,
            ]),

        module(
            "ManifestLint", in: "CommandLine", ["Base", "Authorization"],
            resources: [.embedInCode("vocabulary.json")]),
        // Words of text output and of arguments, also those of voicegate-fleet.
        module(
            "CommandText", in: "CommandLine",
            ["Base", "Authorization", "Consent", "SocketAPI", "Prompting", "LinuxSystem"]),
        module("AuditBundle", in: "CommandLine", ["Base", "Consent", "LinuxSystem", "AuditExport", "Cryptography"]),
        module(
            "AuditExport", in: "CommandLine",
            ["Base", "Texts", "Authorization", "Consent", "SocketAPI", "LinuxSystem", "CLinux", "Cryptography"],
            resources: [
                .embedInCode("Report/report.css"), .embedInCode("Dashboard/dashboard.html"),
                .embedInCode("Dashboard/dashboard.css"), .embedInCode("Dashboard/dashboard.js"),
                .embedInCode("Dashboard/icon.svg"),
            ]),
        module(
            "Commands", in: "CommandLine",
            [
                "Base", "Texts", "Authorization", "Consent", "Speech", "SocketAPI", "CommandClient", "Prompting",
                "LinuxSystem", "SystemBus",
                "ManifestLint", "CommandText", "AuditBundle", "AuditExport", "Engines", "EngineInstallation", "CLinux",
                "Yams", "Cryptography", arguments, niocore, nioposix, niohttp1,
            ]),

        program("voicegated", ["Daemon"]),
        program("voicegate", ["Commands"]),
        program("voicegate-recognizer", ["PocketSphinxRecognition"]),
        program("voicegate-recognizer-onnx", ["ONNXRecognition", "RecognizerWorker"]),
        program("voicegate-recognizer-vosk", ["VoskRecognition", "RecognizerWorker"]),
        program("voicegate-engine", ["CLinux"]),

        cModule("CALSA", links: ["asound"]),
        cModule("CArchive", links: ["archive"]),
        cModule("CCrypto", links: ["crypto"]),
        cModule("CLinux", exclude: ["sandbox.outcomes"]),
        cModule("CSQLite", links: ["sqlite3"]),
        // Of libsystemd, which every Debian has.
        cModule("CSystemBus", links: ["systemd"]),
        cModule(
            "CPocketSphinx",
            flags: [
                // Not by pkg-config: its answer also links PulseAudio, X11 and D-Bus through libsphinxad.
                .unsafeFlags([
                    "-I/usr/include/pocketsphinx", "-I/usr/include/x86_64-linux-gnu/sphinxbase",
                    "-I/usr/include/aarch64-linux-gnu/sphinxbase",
                ])
            ],
            links: ["pocketsphinx", "sphinxbase", "flite_cmulex", "flite"]),
        // Its libraries, of the system, are loaded at run time.
        cModule("CFFmpeg"),
        // These load their libraries at run time, which an engine brings with it.
        cModule("CSherpaONNX"),
        cModule("CVosk"),
        cModule("CSpeexDSP", links: ["speexdsp"]),
        cModule("CSoundFile", links: ["sndfile", "samplerate"]),
        .target(
            name: "VirtualMicrophone", path: "Audio/VirtualMicrophone",
            exclude: ["voicegate-virtual.conf.template"],
            linkerSettings: [
                .linkedLibrary("asound"),
                // ALSA unloads plugins, which Swift's runtime does not support: the plugin stays plain C, and loaded.
                .unsafeFlags([
                    "-nostartfiles", "-Xlinker", "--as-needed", "-Xlinker", "-z", "-Xlinker", "nodelete",
                ]),
            ]),

        tests("Cryptography", in: "Base", ["Cryptography"]),
        tests("Texts", in: "Base", ["Texts"]),

        tests("Authorization", in: "Model", ["Base", "Authorization"]),
        tests("Consent", in: "Model", ["Base", "Consent", "Cryptography"]),
        tests("Retention", in: "Adapters", ["Base", "Consent", "Retention", "Storage", "Cryptography", grdb]),
        tests("Speech", in: "Model", ["Base", "Speech", "ALSACapture", logging]),
        tests("RecognizerProtocol", in: "Model", ["RecognizerProtocol"]),

        tests("ALSACapture", in: "Adapters", ["ALSACapture"]),
        tests("LinuxSystem", in: "Adapters", ["LinuxSystem", "sandbox-probe", "Cryptography"]),
        tests("Storage", in: "Adapters", ["Storage", "ledger-writer", grdb, "Cryptography"]),
        tests("SystemBus", in: "Adapters", ["Base", "Authorization", "LinuxSystem", "SystemBus", "ProgramSupport"]),
        tests("Prompting", in: "Adapters", ["Prompting", "ProgramSupport"]),
        tests("PolicyFiles", in: "Adapters", ["PolicyFiles", "Yams", "Cryptography"]),
        tests(
            "RecognizerProcess", in: "Adapters", ["RecognizerProcess", "RecognizerProtocol", "voicegate-recognizer"]),
        tests("WyomingEngine", in: "Adapters", ["WyomingEngine", "ProgramSupport"]),
        tests("Engines", in: "Adapters", ["Engines", "LinuxSystem", "ProgramSupport", "Cryptography"]),
        tests(
            "EngineInstallation", in: "Adapters",
            ["EngineInstallation", "Engines", "LinuxSystem", "CArchive", "Cryptography"]),

        tests("SoundFiles", in: "Recognizers", ["SoundFiles"]),
        tests(
            "PocketSphinxRecognition", in: "Recognizers",
            ["PocketSphinxRecognition", "RecognizerWorker", "RecognizerProtocol", "Speech"]),

        tests(
            "ONNXRecognition", in: "Recognizers",
            [
                "Base", "ONNXRecognition", "RecognizerProcess", "ProgramSupport", "Speech", logging,
                "voicegate-recognizer-onnx",
            ]),
        tests(
            "VoskRecognition", in: "Recognizers",
            [
                "Base", "VoskRecognition", "RecognizerWorker", "RecognizerProcess", "ProgramSupport", "Speech", logging,
                "voicegate-recognizer-vosk",
            ]),

        tests("SocketAPI", in: "Client", ["Consent", "SocketAPI"]),
        tests(
            "VoiceGateClient", in: "Client",
            ["VoiceGateClient", "VoiceGateWire", "Authorization", "Speech", "SocketAPI"]),
        tests("CommandClient", in: "Client", ["CommandClient", "Authorization", "Consent", "SocketAPI"]),
        tests(
            "Service", in: "Service",
            [
                "Base", "Server", "Sessions", "PermissionRoutes", "SpeechRoutes", "EngineRouting", "RecordRoutes",
                "Monitors", "Daemon", "Speech", "SocketAPI", "Prompting", "RecognizerProcess", "Engines", "Storage",
                "ProgramSupport", logging, niocore, nioembedded, niohttp1,
            ]),

        tests("ManifestLint", in: "CommandLine", ["ManifestLint"]),
        tests("AuditBundle", in: "CommandLine", ["AuditBundle"]),
        tests(
            "AuditExport", in: "CommandLine", ["AuditExport", "AuditBundle", "Consent", "SocketAPI", "ProgramSupport"]),
        tests(
            "Commands", in: "CommandLine",
            [
                "Base", "Commands", "CommandText", "CommandClient", "VoiceGateClient", "LinuxSystem", "Speech",
                "AuditExport", "Consent", "SocketAPI", "ProgramSupport",
            ]),

        // The built programs as processes: what they do together, and the mission page row by row.
        tests("Integration", in: "Programs", ["Consent", "ProgramSupport", "program-forger"] + programs),
        tests(
            "Mission", in: "Programs", ["Authorization", "VoiceGateClient", "SocketAPI", "ProgramSupport"] + programs),
        // The Debian package, its unit and its rule.
        tests("Packaging", in: "Programs", ["ProgramSupport"] + programs),
        // Bundles checked by the programs of Documentation/verify.
        tests(
            "ForeignVerification", in: "Programs",
            ["Consent", "Cryptography", "AuditBundle", "AuditExport", "ProgramSupport"] + programs),

        // The project itself: the layers of Package.swift.
        tests("Project", in: "Programs", ["ProgramSupport"]),

        .target(
            name: "TestSupport",
            dependencies: [
                "Base", "Authorization", "Consent", "SocketAPI", "AuditExport", "CLinux", "CSoundFile",
                "Cryptography",
            ],
            path: "Tests/Support/TestSupport"),
        .target(
            name: "ProgramSupport", dependencies: ["TestSupport", "CLinux", "SystemBus"],
            path: "Tests/Support/ProgramSupport"),
        .target(name: "FaultyDisk", path: "Tests/Support/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        // Appends until it is killed or loses its power, for the storage's tests.
        .executableTarget(
            name: "ledger-writer", dependencies: ["Storage", "TestSupport", "FaultyDisk"],
            path: "Tests/Support/LedgerWriter"),
        // Writes logs of many machines, for the tests and measurements of Fleet.
        .executableTarget(
            name: "log-maker", dependencies: ["Base", "Authorization", "Consent", "TestSupport"],
            path: "Tests/Support/LogMaker"),
        // Takes the name of another program, for the tests of identity.
        .executableTarget(name: "program-forger", path: "Tests/Support/ProgramForger"),
        // Tries to reach outside of the sandbox, for the system's tests.
        .executableTarget(name: "sandbox-probe", dependencies: ["CLinux"], path: "Tests/Support/SandboxProbe"),
    ]
)
