// swift-tools-version: 6.1
import PackageDescription

// The library for other programs as its own package, from a checkout: it resolves swift-nio, and nothing that only the service
// needs. The service's package has the same product, for a program that names the repository.
let package = Package(
    name: "VoiceGateClient",
    platforms: [.macOS(.v15)],
    products: [.library(name: "VoiceGateClient", targets: ["VoiceGateClient"])],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
    targets: [
        .target(name: "VoiceGateWire", path: "VoiceGateWire"),
        .target(
            name: "VoiceGateClient",
            dependencies: [
                "VoiceGateWire",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "VoiceGateClient"),
    ]
)
