// swift-tools-version: 6.1
import PackageDescription

// The programs that the pages of VoiceGateClient show. `make examples` builds them.
let package = Package(
    name: "VoiceGateExamples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "VoiceGate", path: "../..")],
    targets: [
        "AskForPermission", "DictateANote", "FollowPermissions", "HandleARefusal", "TestWithoutAService",
        "TranscribeAFile",
    ]
    .map {
        .executableTarget(name: $0, dependencies: [.product(name: "VoiceGateClient", package: "VoiceGate")])
    }
)
