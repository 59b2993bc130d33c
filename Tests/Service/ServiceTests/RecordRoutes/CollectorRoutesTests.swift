import Authorization
import Consent
import Foundation
import Logging
import TestSupport
import Testing

@testable import Daemon
@testable import RecordRoutes
@testable import Server

@Suite("Who receives the records", .timeLimit(.minutes(1)))
struct CollectorRoutesTests {
    private let state: StateFixture
    private var log: ConsentLog { state.log }
    private let growth = LogGrowth()

    init() async throws { state = try await StateFixture() }

    private func configuration(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile.read(state.folder.write(text, to: "config.yaml"), mustExist: true)
    }

    private func begin(_ text: String) async throws -> RecordSharing? {
        await RecordSharing.begin(
            try configuration(text).collector.map { ($0.collector, $0.url) }, recordingIn: log, growth: growth,
            logger: Logger(label: "test"))
    }

    private static func file(
        _ name: String = "Example Audit", send: String = "records", host: String = "audit.example"
    ) -> String {
        "collector: {url: \"https://\(host):8443/voicegate\", name: \(name), purpose: to find misuse, send: \(send)}"
    }

    @Test("each change of the recipient is one record, and fields are sent from the last one on")
    func changes() async throws {
        #expect(try await begin("") == nil)
        #expect(await log.head.size == 1, "nothing is recorded without a collector")
        let first = try #require(try await begin(Self.file()))
        #expect(first.policy == .records(from: 1))
        #expect(first.url == "https://audit.example:8443/voicegate")
        let again = try #require(try await begin(Self.file()))
        #expect(again.policy == .records(from: 1), "no change, no record")
        #expect(try #require(try await begin(Self.file("Other"))).policy == .records(from: 2))
        #expect(try #require(try await begin(Self.file(send: "proofs"))).policy == .proofs)
        #expect(try await begin("") == nil)
        #expect(try await begin("") == nil)
        let records = try await log.records()
        #expect(records.map(\.kind) == ["log.genesis"] + Array(repeating: "collector.changed", count: 4))
        #expect(records[2].fields["previous"]?.object?["name"]?.string == "Example Audit")
        #expect(records[2].fields["collector"]?.object?["name"]?.string == "Other")
        #expect(records[4].fields["collector"] == .null)
        // Not of earlier times: the records in between were declared to no one.
        #expect(try #require(try await begin(Self.file())).policy == .records(from: 5))
        // The same name at another address.
        #expect(try #require(try await begin(Self.file(host: "moved.example"))).policy == .records(from: 6))
        #expect(try await log.records().last?.fields["url"]?.string == "https://moved.example:8443/voicegate")
    }

    @Test("proofs are sent unless the file says records")
    func byDefault() throws {
        let file = try configuration("collector: {url: https://a.example, name: A, purpose: b}")
        #expect(file.collector?.collector == RecordCollector(name: "A", purpose: "b", send: .proofs))
    }

    @Test(
        "an address without TLS is on the loopback, and names no user and no query",
        arguments: [
            ("https://a.example", true), ("https://a.example:8443/path", true), ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true), ("http://localhost", true), ("http://a.example", false),
            ("http://127.0.0.1.a.example", false), ("http://10.0.0.1", false), ("https://", false),
            ("https://u:p@a.example", false), ("https://a.example?x", false), ("ftp://a.example", false), ("", false),
        ])
    func addresses(_ url: String, isAccepted: Bool) {
        let text = "collector: {url: \"\(url)\", name: A, purpose: b}"
        #expect((try? configuration(text))?.collector?.url == (isAccepted ? url : nil))
    }

    @Test(
        "a name or a purpose that a prompt cannot show as it is, an unknown word and an unknown key are refused",
        arguments: [
            "name: '', purpose: b", "name: A, purpose: ''", "name: \"A\\nB\", purpose: b", "name: A",
            "name: A, purpose: b, send: everything", "name: A, purpose: b, token: c", "name: \"A\\u202EB\", purpose: b",
        ])
    func refused(_ fields: String) {
        #expect(throws: ServiceError.self) { try configuration("collector: {url: \"https://a.example\", \(fields)}") }
    }

    @Test("a client that follows the growth gets the size at once, then the newest when ready, never a smaller one")
    func follow() async throws {
        growth.note(3)
        var sizes = growth.follow().makeAsyncIterator()
        #expect(await sizes.next()?.size == 3)
        for size in [4, 7, 5, 7] as [UInt64] { growth.note(size) }
        #expect(await sizes.next()?.size == 7)
        growth.note(8)
        #expect(await sizes.next()?.size == 8)
    }
}
