import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("The chain around a record")
struct RecordTraceTests {
    private static let session = "0a1b2c3d-0000-4000-8000-00000000000a"
    private static let other = "0a1b2c3d-0000-4000-8000-00000000000b"
    private static let item = "0a1b2c3d-0000-4000-8000-00000000000c"
    private let requester = LedgerSamples.requester
    private let key = LedgerSamples.key

    private func described(_ identifier: String, on decision: UInt64?) -> SessionDescription {
        SessionDescription(
            identifier: identifier, requester: requester, grants: [.microphone: "lease of \(identifier)"],
            decisionRecords: decision.map { [.microphone: $0] } ?? [:], device: "default")
    }

    /// genesis, asked, notice, yes, session a (with an item), session b, end of a, end of b, item erased.
    private func story(on decision: UInt64? = 3, ending end: LedgerEvent? = nil) async throws -> ConsentLog {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        let prompt = try #require(LedgerSamples.prompt)
        let (a, b) = (described(Self.session, on: decision), described(Self.other, on: decision))
        let outcome = SessionOutcome(reason: "ended", frames: 16_000)
        let before: [LedgerEvent] = [
            .asked(prompt), .noticeShown(prompt, asked: 1), .granted(prompt, .whileInUse, .full, .terminal, notice: 2),
        ]
        let after: [LedgerEvent] = [
            .sessionStarted(a),
            .dataRetained(
                session: Self.session, requester.client.identifier, user: 1000, item: Self.item, .recording, bytes: 1,
                until: nil, location: "local"),
            .sessionStarted(b), .sessionStopped(a, outcome), .sessionStopped(b, outcome),
            .dataErased(items: [Self.item], [.recording], requester.client.identifier, user: 1000, .requested),
        ]
        for event in before + (end.map { [$0] } ?? []) + after { try await log.record(event) }
        return log
    }

    private func trace(_ target: RecordTrace.Target, _ log: ConsentLog) async throws -> RecordTrace {
        try #require(RecordTrace(of: target, in: try await log.records()))
    }

    @Test("a session's chain goes from the request to the erasure, and leaves other sessions out")
    func session() async throws {
        let trace = try await trace(.session(Self.session), try await story())
        #expect(
            trace.records.map(\.kind) == [
                "decision.asked", "notice.shown", "decision.granted", "session.started", "data.retained",
                "session.stopped", "data.erased",
            ])
        #expect(trace.grounds.map(\.decision) == [3])
        #expect(trace.isGrounded)
    }

    @Test("a decision's chain contains every session that it permitted, and the end of one leads back to the notice")
    func decision() async throws {
        let log = try await story()
        let trace = try await trace(.index(3), log)
        #expect(trace.records.count { $0.kind == "session.started" } == 2)
        let last = try #require(try await log.records().last).index
        let back = try await self.trace(.index(last), log)
        #expect(back.records.map(\.kind).first == "decision.asked")
        #expect(back.records.count { $0.kind == "session.started" } == 1)
    }

    @Test("a session that names no decision is not traced to one")
    func unnamed() async throws {
        let trace = try await trace(.session(Self.session), try await story(on: nil))
        #expect(!trace.isGrounded)
        #expect(!trace.records.contains { $0.kind == "decision.granted" })
    }

    @Test(
        "a session is not traced to a record that is not a grant, or that comes after it", arguments: [1, 2, 4, 8, 99])
    func noYes(_ index: UInt64) async throws {
        #expect(try await !trace(.session(Self.session), try await story(on: index)).isGrounded)
    }

    @Test("a session is not traced to a grant that was withdrawn before it began")
    func ended() async throws {
        let ends: [LedgerEvent] = [
            .withdrawn(key, notice: nil, decision: 3, by: requester.caller), .expired(key, .unused),
            .decidedInSettings(key, .denied, nil, notice: nil, by: requester.caller),
        ]
        for end in ends { #expect(try await !trace(.session(Self.session), try await story(ending: end)).isGrounded) }
        let elsewhere = DecisionKey(user: 1001, client: key.client, resource: key.resource)
        let other = LedgerEvent.withdrawn(elsewhere, notice: nil, decision: nil, by: requester.caller)
        #expect(try await trace(.session(Self.session), try await story(ending: other)).isGrounded)
    }

    @Test("records that were erased stay in the chain, and the erasure with them")
    func erased() async throws {
        let log = try await story()
        _ = try await log.erase(RightsScope(client: requester.client.identifier))
        let trace = try await trace(.index(4), log)
        #expect(trace.records.map(\.kind) == ["session.started", "data.erased"])
        #expect(trace.records[0].isErased)
        #expect(RecordTrace(of: .session(Self.session), in: try await log.records()) == nil)
    }
}
