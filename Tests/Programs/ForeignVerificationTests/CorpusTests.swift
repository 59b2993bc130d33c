import AuditBundle
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The corpus of bundles", .timeLimit(.minutes(5)))
struct CorpusTests {
    private static let corpus = Task { try BundleCorpus(seed: 17).cases }

    private func compare(_ verdicts: [String], _ expected: (BundleCorpus.Case) -> String) async throws {
        let cases = try await Self.corpus.value
        #expect(verdicts.count == cases.count)
        let wrong = zip(cases, verdicts).filter { expected($0) != $1 }.map { "\(expected($0)) \($0.name): \($1)" }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.joined(separator: "\n"))")
    }

    @Test("it breaks every rule that all verifiers check, and has several hundred bundles")
    func complete() async throws {
        let cases = try await Self.corpus.value
        let broken = Set(cases.map(\.verdict) + cases.map(\.own))
        // Witnesses are asked for by name, of VoiceGate's own verifier alone.
        let missing = Set(BundleRule.allCases.map(\.rawValue)).subtracting(broken)
        #expect(missing == [BundleRule.cosigned.rawValue])
        #expect(cases.count >= 400)
    }

    @Test("VoiceGate's own verifier gives the expected verdict for each")
    func own() async throws {
        try await compare(try await Self.corpus.value.map { try $0.input.verdict }, \.own)
    }

    @Test("the verifiers in Go and Python give the expected verdict for each", arguments: ForeignVerifier.allCases)
    func foreign(verifier: ForeignVerifier) async throws {
        let arguments = try await Self.corpus.value.map(\.input.arguments)
        try await compare(try await verifier.verdicts(arguments), \.verdict)
    }
}
