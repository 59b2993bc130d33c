import Authorization
import Foundation
import SocketAPI
import Speech
import TestSupport
import Testing

@testable import Service

@Suite("The OpenAPI description matches the API", .timeLimit(.minutes(2)))
struct DescriptionTests {
    private struct Document: Decodable {
        struct Components: Decodable { let schemas: [String: Schema] }
        struct Schema: Decodable { var `enum`: [String]? }

        let components: Components
    }

    private static func words<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) -> (String, [String]) where Word.RawValue == String { (name, type.allCases.map(\.rawValue)) }

    private static var enumerations: [(String, [String])] {
        [
            words("AuthorizationStatus", AuthorizationStatus.self), words("Resource", Resource.self),
            words("Scope", Scope.self), words("Fidelity", Fidelity.self), words("Answer", Answer.self),
            words("DataKind", DataKind.self), words("Presence", Presence.self), words("Sharing", Sharing.self),
            words("TaskHint", TaskHint.self), words("MonitorAction", MonitorAction.self),
            words("KeepingReason", KeepingReason.self), words("DictationEnding", DictationEnding.self),
            words("IndicatorPhase", IndicatorPhase.self), words("PauseReason", PauseReason.self),
            words("ErrorCode", ErrorCode.self), words("RefusalCode", RefusalCode.self),
            words("SettingsChoice", SettingsChange.Choice.self),
            words("WaitingQuestion", SettingsEntry.WaitingQuestion.self),
            words("MonitorState", MonitorsReply.State.self), words("MonitorEventKind", MonitorEvent.Kind.self),
            words("OpenAIErrorCode", OpenAIErrorCode.self),
            words("Indication", Indication.self), words("Verdict", Verdict.self), words("Upgrade", Upgrade.self),
            words("HeardOutcome", EnrolmentEvent.HeardOutcome.self), words("ServiceMode", HealthReply.Mode.self),
            words("LogState", HealthReply.LogState.self),
            words("AgentPlace", DiagnosisReply.Agent.self), words("AgentKind", AgentKind.self),
            words("EngineState", EngineReply.State.self), words("EngineTask", EngineTask.self),
            words("ModelState", ModelReply.State.self), words("SessionControl", SessionControl.self),
            words("OpenAIResponseFormat", OpenAIResponseFormat.self),
            words("OpenAIGranularity", OpenAIGranularity.self),
            words("FallbackReason", EngineFallback.Reason.self),
        ]
    }

    @Test("each enumeration has the cases of its type, and there is no other")
    func enumerations() throws {
        let data = Data(PackageResources.openapi_json)
        let schemas = try JSONDecoder().decode(Document.self, from: data).components.schemas
        let described = schemas.compactMapValues(\.enum).mapValues(Set.init)
        #expect(described == Dictionary(uniqueKeysWithValues: Self.enumerations.map { ($0.0, Set($0.1)) }))
    }

    /// What is read from the log alone, for which the answers of a running service are checked, and what is part of a path,
    /// a query or a form.
    private static let others = [
        "AuditRecord", "AuditEntry", "VerificationReport", "OpenAITranscriptionForm", "OpenAIGranularity",
        "OpenAIResponseFormat", "AgentKind", "SessionControl",
    ]

    @Test("each type is encoded as described, and no described field is without a type")
    func encodings() async throws {
        struct Line: Encodable {
            let sample: DescriptionSample
            enum CodingKeys: CodingKey { case schema, value }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(sample.schema, forKey: .schema)
                try sample.value.encode(to: container.superEncoder(forKey: .value))
            }
        }
        let encoder = JSONCoding.encoder()
        let lines = try DescriptionSample.all.map {
            String(decoding: try encoder.encode(Line(sample: $0)), as: UTF8.self) + "\n"
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(lines.joined(), to: "samples.jsonl")
        let description = try folder.write(Data(PackageResources.openapi_json), to: "openapi.json")
        let found = try await PythonTools.run("check-description", [description, file]).filter { line in
            !Self.others.contains { line == "unseen: \($0)" || line.hasPrefix("unseen: \($0).") }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test("openapi.json, API.md and the Python library are current: else run Tests/Support/Tools/write-api")
    func page() throws {
        let check = try Process.run(
            Checkout.root.appending(path: "Tests/Support/Tools/write-api"), arguments: ["--check"])
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
    }

    @Test("the Debian package and the Python library have the version of the programs")
    func version() throws {
        let changelog = try String(contentsOf: Checkout.root.appending(path: "debian/changelog"), encoding: .utf8)
        #expect(changelog.hasPrefix("voicegate (\(ServiceVersion.current)) "))
        let project = try String(contentsOf: Checkout.root.appending(path: "Python/pyproject.toml"), encoding: .utf8)
        #expect(project.contains("\nversion = \"\(ServiceVersion.current)\"\n"))
    }
}
