import Foundation
import TestSupport
import Testing

/// What is written in more than one file of the project.
@Suite("Pages of the project")
struct PageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    }

    @Test("each suite, transcript and story that Attacks.md names exists")
    func suites() throws {
        var declared: Set<String> = []
        for folder in ["Tests", "Fleet/Tests"] {
            let root = Checkout.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
                // A module counts, too: Fleet's suites are named by it where several try an attack.
                declared.formUnion(path.split(separator: "/").map { String($0.prefix { $0 != "." }) })
                guard path.hasSuffix(".swift") else { continue }
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                declared.formUnion(text.matches(of: /struct ([A-Za-z]+Tests)\b/).map { String($0.1) })
            }
        }
        let page = try Self.text("Documentation/Attacks.md")
        let named = Set(page.matches(of: /`([A-Z][A-Za-z]*Tests)/).map { String($0.1) })
        #expect(named.count > 50)
        #expect(named.subtracting(declared).sorted() == [])
        let texts = page.matches(of: /`((Transcripts|Stories)\/[A-Za-z0-9]+\.txt)/).map { "Tests/\($0.1)" }
        #expect(texts.count > 5)
        #expect(texts.filter { !FileManager.default.fileExists(atPath: Checkout.root.appending(path: $0).path) } == [])
    }

    @Test("the version is the same in the program, the packages and the change log")
    func version() throws {
        let version = try #require(
            try Self.text("Sources/Client/SocketAPI/Diagnosis.swift").firstMatch(
                of: /static let current = "([0-9.]+)"/)?.1)
        #expect(try Self.text("Packaging/debian/changelog").hasPrefix("voicegate (\(version)) "))
        #expect(try Self.text("Sources/Client/Python/pyproject.toml").contains("\nversion = \"\(version)\"\n"))
        #expect(try Self.text("CHANGELOG.md").firstMatch(of: /(?m)^## (.+)$/)?.1 == version)
    }
}
