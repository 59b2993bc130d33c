import Authorization
import Foundation
import HTTPTypes
import SocketAPI
import Speech
import TestSupport
import Testing

@testable import Server
@testable import SpeechRoutes

@Suite("The OpenAPI description matches the API", .timeLimit(.minutes(2)))
struct DescriptionTests {
    private struct Document: Decodable {
        struct Components: Decodable { let schemas: [String: Schema] }
        struct Schema: Decodable {
            enum CodingKeys: String, CodingKey {
                case closed = "enum"
                case open = "x-extensible-enum"
            }

            var closed: [String]?
            var open: [String]?
        }

        let components: Components
    }

    private func served() throws -> Data { Data(try APIDescription.bytes().readableBytesView) }

    private static func words<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) -> (String, [String]) where Word.RawValue == String { (name, type.allCases.map(\.rawValue)) }

    /// Those of the model, of OpenAI and of a query; `generate-swift` writes the others.
    private static var enumerations: [(String, [String])] {
        [
            words("AuthorizationStatus", AuthorizationStatus.self), words("Resource", Resource.self),
            words("Scope", Scope.self), words("Fidelity", Fidelity.self), words("Answer", Answer.self),
            words("DataKind", DataKind.self), words("Presence", Presence.self), words("Sharing", Sharing.self),
            words("TaskHint", TaskHint.self), words("MonitorAction", MonitorAction.self),
            words("KeepingReason", KeepingReason.self), words("DictationEnding", DictationEnding.self),
            words("IndicatorPhase", IndicatorPhase.self), words("PauseReason", PauseReason.self),
            words("RefusalCode", RefusalCode.self), words("MuteScope", MuteScope.Kind.self),
            words("WaitingQuestion", Question.Kind.self), words("OpenAIErrorCode", OpenAIErrorCode.self),
            words("Indication", Indication.self), words("Verdict", Verdict.self), words("Upgrade", Upgrade.self),
            words("EngineTask", EngineTask.self), words("SessionControl", SessionControl.self),
            words("OpenAIResponseFormat", OpenAIResponseFormat.self),
            words("OpenAIGranularity", OpenAIGranularity.self),
            words("RecordSending", RecordCollector.Sending.self),
        ]
    }

    @Test("each enumeration has the cases of its type")
    func enumerations() throws {
        let data = try served()
        let schemas = try JSONDecoder().decode(Document.self, from: data).components.schemas
        for (name, words) in Self.enumerations {
            #expect((schemas[name]?.open ?? schemas[name]?.closed).map(Set.init) == Set(words), "\(name)")
        }
    }

    /// A program that checks answers must go on when a later version adds a field, a word or an event.
    @Test("answers are open: no schema of one forbids further fields, words or events")
    func open() throws {
        let data = try served()
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let schemas = try #require((root["components"] as? [String: Any])?["schemas"] as? [String: Any])
        func names(_ value: Any?) -> Set<String> {
            let text = value.flatMap {
                try? JSONSerialization.data(withJSONObject: $0, options: .withoutEscapingSlashes)
            }
            return Set(
                String(decoding: text ?? Data(), as: UTF8.self).matches(of: /schemas\/(\w+)/).map { String($0.1) })
        }
        let operations = (root["paths"] as? [String: [String: [String: Any]]] ?? [:]).values.flatMap(\.values)
        var answers = names(operations.map { $0["responses"] ?? [:] })
        answers.formUnion(names((root["components"] as? [String: Any])?["responses"]))
        while true {
            let more = answers.union(answers.reduce(into: Set()) { $0.formUnion(names(schemas[$1])) })
            if more == answers { break }
            answers = more
        }
        #expect(answers.count > 50 && answers.contains("OtherEvent"))
        for name in answers {
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: try #require(schemas[name])), as: UTF8.self)
            let (objects, open) = (text.matches(of: /"properties":\{/), text.matches(of: /"additionalProperties":true/))
            #expect(open.count >= objects.count && !text.contains(#""additionalProperties":false"#), "\(name)")
            #expect(!text.contains(#""enum":"#) && !text.contains("oneOf"), "\(name)")
            #expect(text.matches(of: /"const":/).isEmpty || text.contains("OtherEvent"), "\(name)")
        }
        for operation in operations {
            let statuses = Set((operation["responses"] as? [String: Any] ?? [:]).keys)
            #expect(statuses.isSuperset(of: ["403", "500", "503"]), "\(operation["operationId"] ?? "")")
        }
    }

    @Test("the fields of answers' heads are described, and the limits of fields are those that the service publishes")
    func fieldsAndLimits() throws {
        let data = try served()
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let components = try #require(root["components"] as? [String: [String: Any]])
        let text = String(decoding: data, as: UTF8.self)
        for name: HTTPField.Name in [.checkpointSize, .recordSpan, .shouldRetry, .retryAfter] {
            #expect(text.contains("\"\(name.rawName)\":{"), "\(name)")
        }
        let request = components["schemas"]?["DictationRequest"] as? [String: Any]
        let fields = try #require(request?["properties"] as? [String: [String: Any]])
        let limits = ServiceQuotas(servesOneUser: true, sessions: 8).limits(bytesOfFile: FileSessions.largestFile)
        #expect(fields["contextPhrases"]?["maxItems"] as? Int == limits.contextPhrases)
        #expect(fields["alternatives"]?["maximum"] as? Int == limits.alternatives)
        #expect(limits.connectionsOfProgram > 0 && limits.sessionsOfClient <= limits.sessions)
    }

    @Test("each type that is written by hand, and each event, is encoded as described with every field")
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
        let samples = try DescriptionSample.all.map {
            String(decoding: try encoder.encode(Line(sample: $0)), as: UTF8.self) + "\n"
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(samples.joined(), to: "samples.jsonl")
        let description = try folder.write(try served(), to: "openapi.json")
        let lines = try await PythonTools.run("check-description", [description, file])
        // Schemas without a sample.
        let others = lines.compactMap { $0.wholeMatch(of: /unseen: (\w+)/)?.output.1 }
        let found = lines.filter { line in
            !others.contains { line == "unseen: \($0)" || line.hasPrefix("unseen: \($0).") }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test("API.md and the values of Swift and Python are those of openapi.json: else run Tests/Support/Tools/write-api")
    func page() throws {
        let check = try Process.run(
            Checkout.root.appending(path: "Tests/Support/Tools/write-api"), arguments: ["--check"])
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
    }

    @Test("the Debian package and the Python library have the version of the programs")
    func version() throws {
        let changelog = try String(
            contentsOf: Checkout.root.appending(path: "Packaging/debian/changelog"), encoding: .utf8)
        #expect(changelog.hasPrefix("voicegate (\(ServiceVersion.current)) "))
        let project = try String(
            contentsOf: Checkout.root.appending(path: "Sources/Client/Python/pyproject.toml"), encoding: .utf8)
        #expect(project.contains("\nversion = \"\(ServiceVersion.current)\"\n"))
    }
}
