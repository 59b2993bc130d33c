import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@testable import AuditExport

/// Documents go through PyPI's PyLD, a JSON-LD processor of other authors.
@Suite(.timeLimit(.minutes(5))) struct LinkedDataTests {
    private static let tools =
        Checkout.root.path + "/Tests/Support/Tools"

    private func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String], errors: String) {
        let program = try RunningProgram(
            arguments, environment: ProcessInfo.processInfo.environment, isForeground: false)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }

    /// - Returns: what the check prints.
    private func check(_ document: String) async throws -> (status: Int32, lines: [String], errors: String) {
        let setup = try await run([Self.tools + "/setup-python"])
        let python = try #require(setup.status == 0 ? setup.lines.last : nil, "\(setup.errors)")
        let folder = try TemporaryFolder()
        let file = try folder.write(document, to: "consent.jsonld")
        return try await run(
            [python, Self.tools + "/check-linked-data", Self.tools + "/linked-data-terms.txt", file])
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
        ] {
            #expect(answer.lines.contains("used: https://w3id.org/dpv#\(term)"), "\(term)")
        }
    }

    @Test("there is a node for each record that DPV has terms for, and for no other")
    func nodes() async throws {
        let others = ["log.genesis", "decision.used", "service.muted", "service.unmuted"]
        let expected = SampleLog.story().records.count { !others.contains($0.kind) }
        // And the four kinds of data.
        #expect(try await check(Self.document).lines.contains("nodes: \(expected + 4)"))
    }

    @Test("a word that is no term is found, and so is a document that would load its context")
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
