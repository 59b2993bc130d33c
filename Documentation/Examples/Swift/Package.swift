// swift-tools-version: 6.1
import PackageDescription

let library = Target.Dependency.product(name: "VoiceGateClient", package: "VoiceGateClient")
// The programs that the pages of VoiceGateClient show. `make examples` builds them.
let programs = [
    "AskForPermission", "DictateANote", "FollowPermissions", "HandleARefusal", "TestWithoutAService", "TranscribeAFile",
]

let package = Package(
    name: "VoiceGateExamples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "VoiceGateClient", path: "../../../Sources/Client")],
    targets: programs.map { .executableTarget(name: $0, dependencies: [library]) } + [
        // Modules of a program and their tests, with names that VoiceGate could use: the library brings none of its own.
        .target(name: "Dictation", dependencies: [library]),
        .target(name: "Recognition", dependencies: [library]),
        .testTarget(name: "NotesTests", dependencies: ["Dictation", "Recognition", library]),
    ]
)
