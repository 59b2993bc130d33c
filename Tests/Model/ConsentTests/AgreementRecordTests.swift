import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("Records of a grant's terms")
struct AgreementRecordTests {
    private let key = LedgerSamples.key

    private func decision(_ agreed: Agreement) -> Decision {
        var terms = Samples.terms()
        terms.agreed = agreed
        return Decision(
            key: key, verdict: .authorized, program: AllowedProgram(LedgerSamples.requester.caller.executable),
            terms: terms, indication: .terminal, decidedAt: Date(timeIntervalSince1970: 0))
    }

    /// A log with a grant after the sample's prompt.
    private func log(_ agreed: Agreement, _ storage: MemoryStorage) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: storage)
        let prompt = try #require(LedgerSamples.prompt)
        try await log.record(
            .granted(prompt, .whileInUse, .full, .terminal, notice: 0), changing: .store(decision(agreed)))
        return log
    }

    @Test("the stored terms say all that was shown, and the record has the digest of that")
    func stored() async throws {
        var shown = try #require(LedgerSamples.prompt?.notice.agreement)
        shown.retention = "30 days"
        shown.recipients = ["Example"]
        shown.backgroundModes = [.audio]
        shown.launchCommand = ["/bin/a", "b"]
        shown.phrases = ["next page", "前へ"]
        shown.kept = [.transcript: .untilWithdrawn]
        (shown.engine, shown.model) = ("wyoming:unix:///e", "aa")
        shown.collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)
        let storage = MemoryStorage()
        let log = try await log(shown, storage)
        #expect(try await log.decisions().first?.terms?.agreed == shown)

        let record = try ConsentLog.opened(try #require(await storage.stored.last))
        let prompt = try #require(LedgerSamples.prompt)
        #expect(record.fields["agreementSHA256"]?.string == prompt.notice.agreement.sha256)
        #expect(prompt.notice.agreement.sha256 != shown.sha256)
        for key in ["purpose", "kinds", "usageDescription", "phrases"] {
            var members = try #require(shown.json.object)
            members[key] = .integer(1)
            #expect(Agreement(json: .object(members)) == nil, "\(key)")
        }
    }
}
