// swift-tools-version: 6.1
import PackageDescription

// What the consent log costs; see Benchmarks/README.md. `make bench` builds it.
let package = Package(
    name: "ConsentBenchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "VoiceGate", path: "../..")],
    targets: [
        .executableTarget(
            name: "consent-benchmark",
            dependencies: [
                "Floor", .product(name: "ConsentLog", package: "VoiceGate"),
                .product(name: "Cryptography", package: "VoiceGate"),
            ],
            path: "Sources/ConsentBenchmark"),
        // The least that the same bytes can cost, in C.
        .target(name: "Floor", path: "Sources/Floor", linkerSettings: [.linkedLibrary("sqlite3")]),
    ]
)
