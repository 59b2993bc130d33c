import Foundation
import Glibc
import TestSupport
import Testing
import Yams

@testable import PolicyFiles

@Suite("The administrator's permissions for external engines")
struct EnginePermissionsTests {
    private static let taken: [(String, Set<String>)] = [
        (
            "allow:\n  - tcp://whisper.example:10300\n  - unix:///run/w\n",
            ["tcp://whisper.example:10300", "unix:///run/w"]
        ),
        ("allow: unix:///run/w", ["unix:///run/w"]), ("{}", []),
    ]
    private static let refused = [
        "", "[]", "allow: []", "allow: {a: b}", "deny: []", "allowed: [unix:///w]", "allow: [[a]]", "a: [",
    ]

    private static func schema() throws -> SchemaEvaluator {
        try SchemaEvaluator(Data(contentsOf: Checkout.root.appending(path: "Packaging/engines.schema.json")))
    }

    @Test("no file allows nothing")
    func absent() throws { #expect(try EnginePermissions(path: "/nonexistent/engines.yaml").allowed.isEmpty) }

    @Test("its entries are allowed verbatim, and it fits the schema", .enabled(if: geteuid() == 0, "needs root's file"))
    func allowed() throws {
        let folder = try TemporaryFolder()
        for (text, expected) in Self.taken {
            let path = try folder.write(text, to: "engines.yaml")
            chmod(path, 0o644)
            #expect(try EnginePermissions(path: path).allowed == expected)
            let value = try #require(try Yams.load(yaml: text))
            #expect(try Self.schema().accepts(value), "\(text)")
        }
    }

    @Test("an invalid list is an error", .enabled(if: geteuid() == 0, "needs root's file"), arguments: refused)
    func wrong(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "engines.yaml")
        chmod(path, 0o644)
        #expect(throws: PolicyFileError.self) { try EnginePermissions(path: path) }
    }

    @Test("a file that users other than root can write allows nothing and is an error")
    func untrusted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("allow: unix:///run/w", to: "engines.yaml")
        for mode: mode_t in [0o664, 0o646] {
            chmod(path, mode)
            #expect(failure(PolicyFileError.self) { try EnginePermissions(path: path) }?.code == .unreadable)
        }
    }
}
