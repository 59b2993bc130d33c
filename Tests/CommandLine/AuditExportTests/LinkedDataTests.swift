import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@testable import AuditExport

/// Documents go through PyPI's PyLD, a JSON-LD processor of other authors.
@Suite(.timeLimit(.minutes(5))) struct LinkedDataTests {
    private static let tools = Checkout.root.path + "/Tests/Support/Tools"

    private func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String], errors: String) {
        let program = try RunningProgram(
            arguments, environment: ProcessInfo.processInfo.environment, isForeground: false)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }

    /// - Returns: what the check prints.
    private func check(
        _ document: String, _ tool: String = "check-linked-data", _ rules: String = "linked-data-terms.txt"
    ) async throws -> (status: Int32, lines: [String], errors: String) {
        let setup = try await run([Self.tools + "/setup-python"])
        let python = try #require(setup.status == 0 ? setup.lines.last : nil, "\(setup.errors)")
        let folder = try TemporaryFolder()
        let file = try folder.write(document, to: "consent.jsonld")
        return try await run([python, Self.tools + "/" + tool, Self.tools + "/" + rules, file])
    }

    private func checkShapes(_ document: String) async throws -> (status: Int32, lines: [String], errors: String) {
        try await check(document, "check-shapes", "consent-shapes.ttl")
    }

    private static let document = Exports.text(LinkedData(log: Exports.origin), of: SampleLog.story().records)

    @Test("a document expands without loading anything, and every word in it is a term of its vocabulary")
    func terms() async throws {
        let answer = try await check(Self.document)
        #expect(answer.status == 0, "\(answer.lines.filter { $0.hasPrefix("no term") }) \(answer.errors)")
        for term in [
            "ConsentRecord", "ConsentGiven", "ConsentRefused", "ConsentWithdrawn", "hasNotice", "hasPersonalData",
            "hasPurpose", "hasStorageCondition", "hasRecipientThirdParty", "DataProcessingRecord",
            "RightExerciseRecord",
            "Erase", "Store", "Share",
        ] { #expect(answer.lines.contains("used: https://w3id.org/dpv#\(term)"), "\(term)") }
    }

    @Test("there is a node for each record that DPV has terms for, and for no other")
    func nodes() async throws {
        let others: [RecordKind] = [.genesis, .used, .muted, .unmuted]
        let expected = SampleLog.story().records.count { !others.contains($0.kind) }
        // And the four kinds of data.
        #expect(try await check(Self.document).lines.contains("nodes: \(expected + 4)"))
    }

    /// What happens to permissions without an answer of the person, and each answer.
    private static let events: [(kind: RecordKind, fields: [String: JSONValue], status: String?)] = [
        ("identity.carriedOver", ["reason": "updated"], nil),
        ("restricted.by_policy", ["cause": "request", "indication": "policy"], nil),
        ("restricted.by_policy", ["cause": "policy", "indication": "policy"], "dpv:ConsentRevoked"),
        ("revoked.by_admin", ["cause": "policy", "indication": "policy"], "dpv:ConsentRevoked"),
        ("decision.expired", [:], "dpv:ConsentExpired"),
        ("decision.denied", ["indication": "administrator"], nil),
        ("decision.granted", ["indication": "administrator", "scope": "always"], nil),
        ("decision.granted", ["indication": "scriptedAgent", "scope": "once"], nil),
        ("decision.withdrawn", ["indication": "administrator"], "dpv:ConsentRevoked"),
        ("decision.withdrawn", ["indication": "settings"], "dpv:ConsentWithdrawn"),
        ("decision.denied", ["indication": "desktop"], "dpv:ConsentRefused"),
        ("decision.deferred", ["indication": "agent"], "dpv:ConsentRequestDeferred"),
    ]

    private static func log(of events: [(kind: RecordKind, fields: [String: JSONValue], status: String?)]) -> SampleLog
    {
        var log = SampleLog()
        for (place, event) in events.enumerated() {
            let fields = log.who(.notes).merging(event.fields) { $1 }
            log.add(event.kind, at: SampleLog.start + Int64(place), fields.merging(["resource": "microphone"]) { $1 })
        }
        return log
    }

    @Test("a consent is claimed only if a person answered; other changes of a permission are separate events")
    func statuses() throws {
        let text = Exports.text(LinkedData(log: Exports.origin), of: Self.log(of: Self.events).records)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let graph = try #require(object?["@graph"] as? [[String: Any]]).filter { $0["dct:type"] != nil }
        #expect(graph.count == Self.events.count)
        for (node, event) in zip(graph, Self.events) {
            let status = (node["dpv:hasConsentStatus"] as? [String: String])?["@id"]
            #expect(status == event.status, "\(event.kind.rawValue)")
            #expect(node["@type"] as? String == (status == nil ? "dpv:DataProcessingRecord" : "dpv:ConsentRecord"))
            let way = event.fields["indication"]?.string
            let isAnswer = ["settings", "desktop", "agent"].contains(way)
            #expect((node["dpv:isIndicatedAtTime"] != nil) == isAnswer, "\(event.kind.rawValue) \(way ?? "")")
            #expect(node["dpv:hasLegalBasis"] == nil)
        }
    }

    @Test("Documentation/Records.md names the status or the type of each kind of record")
    func documentation() throws {
        let page = try String(contentsOf: Checkout.root.appending(path: "Documentation/Records.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").map { $0.split(separator: "|") }.filter { $0.count == 5 }.flatMap {
            row in
            row[0].matches(of: /`([A-Za-z_.]+)`/).map {
                (kind: RecordKind(rawValue: String($0.1)), term: row[3].split(separator: " ").first ?? "")
            }
        }
        #expect(rows.count == RecordKind.all.count { !$0.rawValue.hasPrefix("monitor.") })
        var log = SampleLog()
        for row in rows { log.add(row.kind, at: SampleLog.start, ["indication": "desktop"]) }
        for (row, record) in zip(rows, log.records) {
            let node = LinkedRecord(record: record, log: Exports.origin).node?.object ?? [:]
            let status = (node["dpv:hasConsentStatus"] ?? node["dpv:hasNoticeStatus"])?.object?["@id"]?.string
            let term = status ?? node["@type"]?.string ?? "dpv:"
            #expect(term == "dpv:" + row.term, "\(row.kind.rawValue)")
        }
    }

    @Test(
        "documents have the fields of ISO/IEC TS 27560 as SHACL shapes ask for them; one that claims too much has not")
    func shapes() async throws {
        let good = try await checkShapes(Self.document)
        #expect(good.status == 0 && good.lines.last?.hasPrefix("conforms: ") == true, "\(good)")
        let events = try await checkShapes(
            Exports.text(LinkedData(log: Exports.origin), of: Self.log(of: Self.events).records))
        #expect(events.status == 0 && events.lines.last == "conforms: \(Self.events.count)", "\(events)")
        let text = Exports.text(LinkedData(log: Exports.origin), of: Self.log(of: [Self.events[4]]).records)
        let claimed = text.replacing("dpv:ConsentExpired", with: "dpv:ConsentGiven")
        #expect(try await checkShapes(claimed).lines.last == "does not conform: 1")
    }

    @Test("a word that is not a term is found, and so is a document that would load its context")
    func wrongWords() async throws {
        let wrong = try await check(Self.document.replacing("dpv:hasPurpose", with: "dpv:hasReason"))
        #expect(wrong.status == 1)
        #expect(wrong.lines.contains("no term: https://w3id.org/dpv#hasReason"))
        let remote = try await check(#"{"@context":"https://w3id.org/dpv/context","@type":"ConsentRecord"}"#)
        #expect(remote.status == 65)
        #expect(remote.errors.contains("wants to load"))
    }

    @Test("names and texts of programs stay text")
    func hostile() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.document.utf8)) as? [String: Any]
        let graph = try #require(object?["@graph"] as? [[String: Any]])
        let titles = graph.compactMap { ($0["dpv:hasEntity"] as? [String: Any])?["dct:title"] as? String }
        #expect(titles.contains(SampleLog.hostileName))
    }
}
