import Authorization
import Foundation
import Testing

@testable import PolicyFiles

@Suite("A policy file")
struct PolicyDocumentTests {
    private func rules(_ text: String) throws -> [PolicyRule] { try PolicyDocument(parsing: Data(text.utf8)).rules }

    private func failure(_ text: String) -> PolicyFileError? {
        #expect(throws: PolicyFileError.self) { try rules(text) }
    }

    @Test("each rule has its resource, client, user and reason")
    func complete() throws {
        let found = try rules(
            """
            # The building's rules.
            deny:
              - {resource: microphone, client: org.example.notes, user: root, reason: Not in R&D.}
              - resource: speechRecognition
                client: "*"
                user: 1000
              - resource: all
                user: "*"
            """)
        #expect(
            found == [
                PolicyRule(
                    resource: .microphone, client: ClientIdentifier(rawValue: "org.example.notes"), user: 0,
                    reason: "Not in R&D."),
                PolicyRule(resource: .speechRecognition, client: nil, user: 1000, reason: nil),
                PolicyRule(resource: nil, client: nil, user: nil, reason: nil),
            ])
    }

    @Test("no rules are written as an empty list")
    func none() throws {
        #expect(try rules("deny: []").isEmpty)
        #expect(failure("")?.code == .missingKey)
        #expect(failure("# only a comment\n")?.code == .missingKey)
        #expect(failure("{}")?.code == .missingKey)
    }

    @Test(
        "a misspelt key is an error with its line",
        arguments: [("denny: []", 1), ("deny:\n- resource: all\n  cliend: \"*\"", 3), ("deny: []\nrules: []", 2)])
    func unknownKey(text: String, line: Int) throws {
        let error = try #require(failure(text))
        #expect(error.code == .unknownKey)
        #expect(error.line == line)
    }

    @Test(
        "an unknown value is an error",
        arguments: [
            "deny: [{resource: mic}]", "deny: [{resource: all, client: 'a b'}]",
            "deny: [{resource: all, client: org.*}]",
            "deny: [{resource: all, user: no-such-user-here}]", "deny: [{resource: all, user: -1}]",
            "deny: [{resource: all, user: 4294967296}]",
        ])
    func invalid(text: String) { #expect(failure(text)?.code == .invalidValue) }

    @Test(
        "a value of the wrong type is an error",
        arguments: [
            "deny: all", "deny:", "deny: {resource: all}", "deny: [all]", "- deny", "hello",
            "deny: [{resource: [all]}]",
        ])
    func wrongType(text: String) { #expect(failure(text)?.code == .wrongType) }

    @Test("a rule without a resource is an error")
    func noResource() { #expect(failure("deny: [{client: org.example.a}]")?.code == .missingKey) }

    @Test(
        "a file that is not YAML is an error",
        arguments: [
            "deny: [", "\tdeny: []", "deny: []\ndeny: []", "deny: []\n---\ndeny: []", "%%%", "deny: [{resource: *all}]",
            "\0",
        ])
    func notYAML(text: String) { #expect(failure(text)?.code == .notYAML) }

    @Test("a file that is not text is an error")
    func bytes() {
        let error = #expect(throws: PolicyFileError.self) { try PolicyDocument(parsing: Data([0xFF, 0xFE, 0x64, 0])) }
        #expect(error?.code == .notYAML)
    }

    @Test("deep, long or self-referring files are refused before they are parsed")
    func bombs() {
        #expect(failure("deny: " + String(repeating: "[", count: 30_000))?.code == .tooComplex)
        #expect(failure(String(repeating: "- ", count: 30_000))?.code == .tooComplex)
        #expect(failure(String(repeating: "? ", count: 30_000))?.code == .tooComplex)
        var laughs = "a: &a [lol, lol, lol]\n"
        for level in 1..<40 { laughs += "b\(level): &b\(level) [*b\(level - 1), *b\(level - 1)]\n" }
        #expect(failure(laughs)?.code == .tooComplex)
        #expect(failure("deny: [&a {resource: all}, *a]")?.code == .tooComplex)
        #expect(failure("deny: [{resource: all,&a client: b}]")?.code == .tooComplex)
        // The deepest that the bounds let through must not end the process.
        #expect(failure("deny: " + String(repeating: "[", count: 490)) != nil)
        #expect(failure(String(repeating: "- ", count: 240)) != nil)
        let many = "deny:\n" + String(repeating: "- resource: all\n", count: PolicyDocument.ruleLimit + 1)
        #expect(failure(many)?.code == .tooComplex)
    }
}
