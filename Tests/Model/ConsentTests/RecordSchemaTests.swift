import Foundation
import TestSupport
import Testing

@testable import Consent

/// Documentation/consent-record.schema.json, asked by a validator of other authors.
@Suite("The schema of records")
struct RecordSchemaTests {
    private let schema = Checkout.root.appending(path: "Documentation/consent-record.schema.json").path

    private struct Finding: Decodable {
        let kind: String
        let change: String
        let message: String
    }

    private func findings(_ arguments: [String]) async throws -> [Finding] {
        try await PythonTools.run("check-records", arguments).map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    /// The samples as a real log writes and shows them.
    private func samples() async throws -> [ConsentRecord] {
        let log = try await ConsentLog.open(storage: MemoryStorage(), context: RecordSamples.context)
        for (event, change) in RecordSamples.events() { try await log.record(event, changing: change) }
        for content in RecordSamples.ownContents { try await log.append(content, changing: nil) }
        return try await log.records()
    }

    private func write(_ records: [ConsentRecord], in folder: TemporaryFolder) throws -> String {
        try folder.write(records.map(\.line).joined(separator: "\n") + "\n", to: "records.jsonl")
    }

    @Test("every kind of record, in every shape that it has, passes")
    func passes() async throws {
        let records = try await samples()
        #expect(Set(records.map(\.kind)) == Set(RecordKind.all))
        let folder = try TemporaryFolder()
        let found = try await findings([schema, try write(records, in: folder)])
        #expect(found.isEmpty, "\(found.map { "\($0.kind) \($0.message)" }.joined(separator: "\n"))")
    }

    @Test("the schema knows the kinds that this version writes, and no others")
    func kinds() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: schema)))
        let properties = (json as? [String: Any])?["properties"] as? [String: Any]
        let kinds = (properties?["kind"] as? [String: Any])?["enum"] as? [String]
        #expect(Set(kinds ?? []) == Set(RecordKind.all.map(\.rawValue)))
    }

    /// What a record may lack.
    private static let optional: Set<String> = [
        "unit", "responsibleProcess", "request", "change.executablePath", "change.record", "decisionRecord",
        "engine", "fidelityRecord", "previousKey", "lastSigned", "decisionRecords.microphone",
        "decisionRecords.speechRecognition",
        "grants.speechRecognition", "timeZone", "scope.before", "scope.client", "scope.session", "scope.since",
        "scope.subject",
        "scope.user", "once", "files./etc/voicegate/policy.d/a.yaml", "brokenFiles./b", "deviceHeld",
        // Only if there is one.
        "collector", "confirmation",
        // Unknown fields of an engine are left out.
        "recognizer", "recognizer.name", "recognizer.version", "recognizer.modelSHA256", "from.name", "from.version",
        "from.modelSHA256", "from.recipient", "to.name", "to.version", "to.modelSHA256",
        // Kinds without a time are left out.
        "listening.heard.foreground", "listening.heard.backgroundMode", "listening.heard.always",
        "listening.heard.phrase", "listening.heard.sound", "listening.dropped.background", "listening.dropped.overrun",
        "listening.dropped.permissionEnded", "listening.dropped.sessionEnded",
    ]

    /// Kinds that have the same fields, or of which one's words are among the other's.
    private static let alike: Set<[String]> = [
        ["monitor.paused", "monitor.failed"], ["monitor.removed", "monitor.failed"],
        ["monitor.resumed", "monitor.triggered"], ["monitor.triggered", "monitor.resumed"],
        ["service.muted", "service.unmuted"], ["service.unmuted", "service.muted"],
        ["session.paused", "session.resumed"], ["session.resumed", "session.paused"],
        ["session.paused", "recognizer.failed"], ["session.resumed", "recognizer.failed"],
    ]

    private func isHarmless(_ finding: Finding) -> Bool {
        Self.optional.contains { finding.change == "without fields.\($0)" }
            || finding.kind.hasPrefix("session.") && finding.change == "without fields.action"
            || Self.alike.contains { finding.kind == $0[0] && finding.change == "as \($0[1])" }
    }

    @Test("a record with a field that is missing, strange or of another type, or under another kind, does not pass")
    func bites() async throws {
        // One of each shape is enough: the refusals differ by a word.
        var shapes: Set<[String]> = []
        let records = try await samples().filter { record in
            let shape = [record.kind.rawValue] + record.fields.map { "\($0.key)\($0.value == .null)" }.sorted()
            return shapes.insert(shape).inserted
        }
        let folder = try TemporaryFolder()
        let passing = try await findings(["--mutate", schema, try write(records, in: folder)])
        let unexpected = Set(passing.filter { !isHarmless($0) }.map { "\($0.kind): \($0.change)" })
        #expect(unexpected.isEmpty, "\(unexpected.sorted().joined(separator: "\n"))")
    }
}
