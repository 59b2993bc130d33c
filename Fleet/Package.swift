// swift-tools-version: 6.1
import PackageDescription

// The programs of many machines: sender, collector and questions. A separate package, so that the service's build
// does not pay for TLS and PostgreSQL. `make fleet-build` builds it into the service's folder, .build.
let consent = Target.Dependency.product(name: "ConsentModel", package: "VoiceGate")
let consentLog = Target.Dependency.product(name: "ConsentLog", package: "VoiceGate")
let formats = Target.Dependency.product(name: "AuditFormats", package: "VoiceGate")
let words = Target.Dependency.product(name: "CommandText", package: "VoiceGate")
let socketAPI = Target.Dependency.product(name: "SocketAPI", package: "VoiceGate")
let linux = Target.Dependency.product(name: "LinuxSystem", package: "VoiceGate")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let cryptography = Target.Dependency.product(name: "Cryptography", package: "VoiceGate")
let niocore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioposix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let niossl = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let niohttp1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func module(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/Programs/\(name)")
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies + [consent, "FleetSupport"], path: "Tests/\(name)Tests")
}

let package = Package(
    name: "VoiceGateFleet",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "voicegate-collector", targets: ["voicegate-collector"]),
        .executable(name: "voicegate-sender", targets: ["voicegate-sender"]),
        .executable(name: "voicegate-fleet", targets: ["voicegate-fleet"]),
    ],
    dependencies: [
        .package(name: "VoiceGate", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CPostgreSQL", path: "Sources/C/CPostgreSQL", linkerSettings: [.linkedLibrary("pq")]),
        .target(name: "CZlib", path: "Sources/C/CZlib", linkerSettings: [.linkedLibrary("z")]),

        // Pure: tiles, states of hosts, alarms.
        module("FleetModel", [consent, cryptography]),
        module(
            "FleetDatabase", ["FleetModel", "CPostgreSQL", consent, cryptography, logging],
            resources: [.embedInCode("Migrations")]),
        module(
            "Collector",
            [
                "FleetModel", "FleetDatabase", "CZlib", consent, words, socketAPI, cryptography, logging, niocore,
                nioposix,
                niossl,
                httpClient, lifecycle, arguments, yams,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
            ]),
        module(
            "Sender",
            [
                "FleetModel", consent, socketAPI, linux, logging, niocore, nioposix, niossl, niohttp1, httpClient,
                lifecycle, arguments,
            ]),
        module(
            "FleetCommands",
            ["FleetModel", "FleetDatabase", consent, formats, words, socketAPI, linux, arguments]),

        program("voicegate-collector", ["Collector"]),
        program("voicegate-sender", ["Sender"]),
        program("voicegate-fleet", ["FleetCommands"]),

        tests("FleetModel", ["FleetModel"]),
        tests("FleetDatabase", ["FleetModel", "FleetDatabase", cryptography]),
        tests(
            "Collector",
            [
                "FleetModel", "FleetDatabase", "Collector", cryptography, logging, yams, httpClient, niocore, nioposix,
                niossl,
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        tests(
            "Sender",
            ["FleetModel", "Sender", "voicegate-sender", consentLog, cryptography, niocore, nioposix, niohttp1, niossl]),
        // The built programs as processes: faults, foreign tools.
        tests(
            "Fleet",
            [
                "FleetModel", "FleetDatabase", formats, cryptography, httpClient, logging, "voicegate-collector",
                "voicegate-sender", "voicegate-fleet",
            ]),

        // A private PostgreSQL, and simulated hosts with real logs.
        .target(
            name: "FleetSupport", dependencies: ["FleetModel", "FleetDatabase", consent, cryptography, logging],
            path: "Tests/Support/FleetSupport"),
    ]
)
