import Foundation
import Testing

/// What may depend on what in this package, held against `swift package dump-package`.
@Suite("Layers of the fleet", .timeLimit(.minutes(2)))
struct LayerTests {
    private static let allowed: [String: Set<String>] = [
        "CPostgreSQL": [],
        "CZlib": [],
        "FleetModel": [],
        "FleetDatabase": ["FleetModel", "CPostgreSQL"],
        "Collector": ["FleetModel", "FleetDatabase", "CZlib"],
        "Sender": ["FleetModel"],
        "FleetCommands": ["FleetModel", "FleetDatabase"],
        "voicegate-collector": ["Collector"],
        "voicegate-sender": ["Sender"],
        "voicegate-fleet": ["FleetCommands"],
    ]

    private static let package: URL = {
        // Fleet/Tests/FleetTests/LayerTests.swift
        var folder = URL(filePath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }()

    private static func targets(of folder: URL) throws -> [[String: Any]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "package", "--ignore-lock", "--package-path", folder.path, "dump-package"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(object["targets"] as? [[String: Any]])
    }

    private static func names(_ target: [String: Any], _ kind: String) -> [String] {
        ((target["dependencies"] as? [[String: [Any]]]) ?? []).compactMap { $0[kind]?.first as? String }
    }

    @Test("Each module depends only on those that it may use, and the model on no library that reaches outside")
    func directions() throws {
        let sources = try Self.targets(of: Self.package).filter {
            ($0["path"] as? String)?.hasPrefix("Sources/") == true
        }
        #expect(Set(sources.compactMap { $0["name"] as? String }) == Set(Self.allowed.keys))
        for target in sources {
            let name = try #require(target["name"] as? String)
            #expect(Set(Self.names(target, "byName")).isSubset(of: Self.allowed[name] ?? []), "\(name)")
            guard name == "FleetModel" else { continue }
            #expect(Set(Self.names(target, "product")).isSubset(of: ["ConsentModel", "Cryptography"]))
        }
    }

    @Test("The service's package knows nothing of this one")
    func service() throws {
        let manifest = try String(
            contentsOf: Self.package.deletingLastPathComponent().appending(path: "Package.swift"), encoding: .utf8)
        #expect(!manifest.contains("path: \"Fleet"))
        #expect(!manifest.contains("swift-nio-ssl"))
    }
}
