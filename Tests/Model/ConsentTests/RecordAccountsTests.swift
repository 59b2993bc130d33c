import Authorization
import Base
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Consent

@Suite("How much of one user the log records")
struct RecordAccountsTests {
    /// 18 of them for anything, 2 kept for revocations.
    private static let quota = RecordQuota(records: 20, bytes: 1_000_000)

    private final class Clock: Sendable {
        private let milliseconds = Mutex(Int64(1_790_000_000_000))

        var now: Moment { milliseconds.withLock { Moment(boot: "b", sinceBoot: $0, wall: $0) } }

        func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
    }

    private let clock = Clock()
    private let storage = MemoryStorage()

    private func open(_ quota: RecordQuota = Self.quota) async throws -> ConsentLog {
        try await ConsentLog.open(storage: storage, quota: quota, now: { [clock] in clock.now })
    }

    private func caller(_ user: UInt32) -> Caller {
        let caller = LedgerSamples.requester.caller
        return Caller(process: caller.process, user: user, executable: caller.executable)
    }

    /// Each by a copy of a program, with another name.
    private func refusal(_ number: Int, _ user: UInt32 = 1000, _ code: RefusalCode = .missingManifest) -> LedgerEvent {
        let copy = Executable(path: "/tmp/copy\(number)", device: 0, inode: 0, sha256: "\(number)")
        let client = Client(unregistered: copy)
        return .accessBlocked(
            Requester(caller: caller(user), client: client, presence: .foreground), .microphone, code, repeated: 0)
    }

    private func key(_ number: Int, _ user: UInt32 = 1000) -> DecisionKey {
        DecisionKey(user: user, client: .unregistered(executable: "client\(number)"), resource: .microphone)
    }

    private func deny(_ key: DecisionKey, in log: ConsentLog) async throws {
        let denial = Decision(
            key: key, verdict: .denied, program: nil, terms: nil, indication: .settings, decidedAt: clock.now.date)
        try await log.record(
            .decidedInSettings(key, .denied, nil, notice: nil, by: caller(key.user)), changing: .store(denial))
    }

    private func allow(_ key: DecisionKey, in log: ConsentLog) async throws {
        let grant = Decision(
            key: key, verdict: .authorized, program: LedgerSamples.decision.program,
            terms: LedgerSamples.decision.terms, indication: .settings, decidedAt: clock.now.date)
        try await log.record(
            .decidedInSettings(key, .authorized, grant.terms, notice: nil, by: caller(key.user)),
            changing: .store(grant))
    }

    private func withdraw(_ key: DecisionKey, in log: ConsentLog) async throws {
        try await log.record(.withdrawn(key, notice: nil, decision: nil, by: caller(key.user)), changing: .remove(key))
    }

    /// - Returns: how many of the repetitions were recorded.
    private func count(_ times: Int, _ work: (Int) async throws -> Void) async -> Int {
        var recorded = 0
        for number in 0..<times {
            do {
                try await work(number)
                recorded += 1
            } catch {}
        }
        return recorded
    }

    /// Uses all that is not kept for revocations.
    private func fill(_ log: ConsentLog) async {
        let recorded = await count(30) { try await log.record(refusal($0)) }
        #expect(recorded == 18)
    }

    @Test("refusals of copies with new names are counted beyond their user's quota; other users and root go on")
    func refusals() async throws {
        let log = try await open()
        await fill(log)
        _ = try? await log.record(refusal(31, 1000, .muted))
        let ofOther = await count(10) { try await log.record(refusal($0, 2000)) }
        let ofRoot = await count(40) { try await log.record(refusal($0, 0)) }
        #expect(ofOther == 10 && ofRoot == 40)
        #expect(try await log.records().count { $0.kind == "access.blocked" } == 18 + 10 + 40)
        #expect(try await !log.records().contains { $0.kind == "access.counted" })

        let first = Timestamp(clock.now.date).text
        clock.advance(seconds: 86_400)
        try await log.record(refusal(32))
        let last = try await log.records().suffix(2)
        #expect(last.map(\.kind) == ["access.counted", "access.blocked"])
        let counted = try #require(last.first)
        #expect(counted.fields["user"] == .integer(1000) && counted.fields["refusals"] == .integer(13))
        #expect(counted.fields["reasons"] == .texts(["missingManifest", "muted"]))
        #expect(counted.fields["since"] == .string(first))
        #expect(try await log.verify().isIntact)
    }

    @Test("what was counted is recorded without room for it when the service asks, once")
    func hourly() async throws {
        let log = try await open()
        await fill(log)
        await log.recordCountedRefusals()
        await log.recordCountedRefusals()
        let counted = try await log.records().filter { $0.kind == "access.counted" }
        #expect(counted.map { $0.fields["refusals"] } == [.integer(12)])
    }

    @Test("a session is refused with the time after which it may begin; its end is recorded in any case")
    func session() async throws {
        let log = try await open()
        try await log.record(.sessionStarted(LedgerSamples.session))
        _ = await count(30) { try await log.record(refusal($0)) }
        let size = await log.head.size
        let error = await #expect(throws: RecordQuotaExceeded.self) {
            try await log.record(.sessionStarted(LedgerSamples.session))
        }
        #expect(await log.head.size == size)
        #expect(error?.user == 1000 && error?.seconds == 86_400 / 20)
        clock.advance(seconds: 86_400 / 20 - 60)
        await #expect(throws: RecordQuotaExceeded.self) { try await log.record(.sessionStarted(LedgerSamples.session)) }
        clock.advance(seconds: 60)
        try await log.record(.sessionStarted(LedgerSamples.session))
        for _ in 0..<5 {
            try await log.record(.sessionStopped(LedgerSamples.session, SessionOutcome(reason: "ended", frames: 1)))
        }
    }

    @Test("denying and asking in a loop ends; then a permission is still withdrawn and denied, and everything muted")
    func loop() async throws {
        let log = try await open()
        try await allow(key(1), in: log)
        try await allow(key(2), in: log)
        let recorded = await count(1000) { number in
            try await deny(key(3), in: log)
            try await withdraw(key(3), in: log)
        }
        #expect(recorded == 9)
        #expect(await log.head.size == 1 + 20)
        try await withdraw(key(1), in: log)
        try await deny(key(2), in: log)
        try await log.record(.muted(.user(1000), by: caller(1000)))
        await #expect(throws: RecordQuotaExceeded.self) {
            try await log.record(.unmuted(.user(1000), by: caller(1000)))
        }
        await #expect(throws: RecordQuotaExceeded.self) { try await allow(key(1), in: log) }
        // There is no permission that the denial would withdraw.
        await #expect(throws: RecordQuotaExceeded.self) { try await deny(key(1), in: log) }
        // Root decides for the user.
        try await log.record(.withdrawn(key(3), notice: nil, decision: nil, by: caller(0)), changing: .remove(key(3)))
    }

    @Test("a program's refusals leave room for denials of what was not decided")
    func reserve() async throws {
        let log = try await open()
        await fill(log)
        let denied = await count(5) { try await deny(key($0), in: log) }
        #expect(denied == 2)
    }

    @Test("a stored permission is withdrawn after a restart, too")
    func restart() async throws {
        try await allow(key(1), in: try await open())
        let log = try await open()
        await fill(log)
        let denied = await count(5) { try await deny(key($0 + 2), in: log) }
        #expect(denied == 2)
        try await withdraw(key(1), in: log)
    }

    @Test("few large records use the quota as many small ones do")
    func bytes() async throws {
        let log = try await open(RecordQuota(records: 1000, bytes: 10_000))
        let recorded = await count(100) { try await log.record(refusal($0)) }
        #expect((5...20).contains(recorded))
    }

    @Test("untrusted callers share one quota, whatever user identifiers they take")
    func untrusted() async throws {
        let log = try await open()
        let recorded = await count(40) { number in
            let base = LedgerSamples.requester.caller
            let client = Client(unregistered: base.executable)
            let caller = Caller(
                process: base.process, user: UInt32(100_000 + number), executable: base.executable,
                evidence: .untrusted("It cannot be told."))
            let requester = Requester(caller: caller, client: client, presence: .background)
            try await log.record(.accessBlocked(requester, .microphone, .untrusted, repeated: 0))
        }
        #expect(recorded == 18)
    }

    @Test("mutes by untrusted programs share a quota, except of a user who permits anything; all others are recorded")
    func mutes() async throws {
        let log = try await open()
        let base = caller(1000)
        func mute(by user: UInt32) async throws {
            let caller = Caller(
                process: base.process, user: user, executable: base.executable,
                evidence: .untrusted("It cannot be told."))
            try await log.record(.muted(.user(user), by: caller))
        }
        let recorded = await count(100) { try await mute(by: UInt32(100_000 + $0)) }
        #expect(recorded == 18)
        try await allow(key(1, 2000), in: log)
        let ofPermitting = await count(100) { _ in try await mute(by: 2000) }
        let ofTrusted = await count(100) { _ in try await log.record(.muted(.user(1000), by: base)) }
        #expect(ofPermitting == 100 && ofTrusted == 100)
    }

    @Test("users beyond those that have accounts share one")
    func manyUsers() {
        var accounts = RecordAccounts(Self.quota, granted: [])
        func isRecorded(of user: UInt32) -> Bool {
            do {
                _ = try accounts.charge(refusal(0, user), changing: nil, size: 1, at: clock.now)
                return true
            } catch {
                return false
            }
        }
        let first = (1...4096).map { isRecorded(of: $0) } + (0..<18).map { _ in isRecorded(of: 5000) }
        #expect(!first.contains(false))
        let later = [isRecorded(of: 5001), isRecorded(of: 4000)]
        #expect(later == [false, true])
        // Those that have used nothing lately give way.
        clock.advance(seconds: 86_400)
        let nextDay = isRecorded(of: 5001)
        #expect(nextDay)
    }

    @Test("a full disk names the user of whom most was recorded")
    func fullDisk() async throws {
        let log = try await open()
        _ = await count(5) { try await log.record(refusal($0)) }
        _ = await count(2) { try await log.record(refusal($0, 2000)) }
        await storage.limit(to: 8)
        let error = await #expect(throws: ConsentError.self) { try await log.record(refusal(0, 2000)) }
        #expect(error?.code == .notRecorded)
        #expect(error?.message.contains("recorded of user 1000: 5 records") == true, "\(error?.message ?? "")")
    }
}
