import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

struct ConsentLogTests {
    private let storage = MemoryStorage()

    private func open() async throws -> ConsentLog { try await ConsentLog.open(storage: storage) }

    @Test("a new log begins with its genesis, and an old one is not begun again")
    func genesis() async throws {
        _ = try await open()
        let log = try await open()
        #expect(try await log.records().map(\.kind) == ["log.genesis"])
        #expect(await log.head.size == 1)
    }

    @Test("a leaf names no person, no program and nothing that was said in a notice")
    func leafIsBlind() async throws {
        _ = try await ConsentLog.told(storage)
        for record in await storage.stored {
            let leaf = String(decoding: record.leaf, as: UTF8.self)
            for word in ["Notes", "notes", "1000", "Dictation", "session-1"] { #expect(!leaf.contains(word)) }
        }
    }

    @Test("an opened log continues at its end, with its decisions")
    func reopening() async throws {
        let head = try await ConsentLog.told(storage).head
        let log = try await open()
        #expect(await log.head == head)
        #expect(try await log.decisions().contains(LedgerSamples.storedDecision))
        try await log.withdraw(LedgerSamples.key)
        #expect(try await !log.decisions().contains(LedgerSamples.storedDecision))
        #expect(try await log.verify().isIntact)
    }

    @Test("records submitted during a write are written together by the next write, in the order of submission")
    func together() async throws {
        let log = try await open()
        let before = await storage.calls
        await storage.hold(true)
        let tickets = (0..<50).map { _ in log.submit(.sessionStarted(LedgerSamples.session), changing: nil) }
        await storage.hold(false)
        for (place, ticket) in tickets.enumerated() { #expect(try await ticket.value == UInt64(place + 1)) }
        #expect(await storage.calls - before <= 2)
    }

    private func prepared(_ reasons: String...) throws -> [PreparedRecord] {
        try reasons.map {
            try PreparedRecord(
                RecordContent(
                    .recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: $0), changing: nil))
        }
    }

    @Test("an append for which there is no room fails alone: those before and behind it are durable, in order")
    func noRoom() async throws {
        let log = try await open()
        await storage.limit(to: 4)
        await storage.hold(true)
        // Takes the writer, so that the others wait together.
        let first = log.append(try prepared("first"))
        while await storage.calls < 2 { await Task.yield() }
        let before = log.append(try prepared("before"))
        let large = log.append(try prepared("large", "large", "large"))
        let behind = log.append(try prepared("behind"))
        await storage.hold(false)
        #expect(try await [first.value, before.value] == [1, 2])
        #expect(await code { try await large.value } == .notRecorded)
        #expect(try await behind.value == 3)
        #expect(try await log.records().compactMap { $0.fields["reason"]?.string } == ["first", "before", "behind"])
        #expect(try await log.verify().isIntact)
    }

    @Test("an append that erases is written alone, between its neighbours")
    func erasureAlone() async throws {
        let log = try await open()
        await storage.hold(true)
        let first = log.append(try prepared("first"))
        while await storage.calls < 2 { await Task.yield() }
        let before = [log.append(try prepared("a")), log.append(try prepared("b"))]
        let erasure = log.append(try prepared("erasure"), erasing: [0])
        let behind = [log.append(try prepared("c")), log.append(try prepared("d"))]
        await storage.hold(false)
        for (place, ticket) in ([first] + before + [erasure] + behind).enumerated() {
            #expect(try await ticket.value == UInt64(place + 1))
        }
        // The genesis, then the batches.
        #expect(await storage.batches == [1, 1, 2, 1, 2])
    }

    @Test("appends that are asked for at once run one after the other")
    func order() async throws {
        let log = try await open()
        let indexes = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<50 { group.addTask { try await log.record(.sessionStarted(LedgerSamples.session)) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(indexes == Set(1...50))
        #expect(await storage.mostAtOnce == 1)
        #expect(try await log.verify().isIntact)
    }

    @Test("a cancelled caller's append is still written whole")
    func cancellation() async throws {
        let log = try await open()
        let task = Task { try await log.record(.sessionStarted(LedgerSamples.session)) }
        task.cancel()
        #expect(try await task.value == 1)
        #expect(await log.head.size == 2)
    }

    @Test("a refused append leaves the log as it was, and the next one succeeds")
    func refused() async throws {
        let log = try await ConsentLog.told(storage)
        let head = await log.head
        await storage.refuse(.init(leavesOutcomeUnknown: false))
        #expect(await code { try await log.start() } == .notRecorded)
        #expect(await log.head == head)
        await storage.refuse(nil)
        #expect(try await log.record(.sessionStarted(LedgerSamples.session)) == head.size)
        #expect(try await log.verify().isIntact)
    }

    @Test("after a write with an unknown outcome nothing is appended until the log is opened again")
    func failed() async throws {
        let log = try await ConsentLog.told(storage)
        await storage.refuse(.init(leavesOutcomeUnknown: true))
        #expect(await code { try await log.start() } != nil)
        await storage.refuse(nil)
        let calls = await storage.calls
        #expect(await code { try await log.start() } == .failed)
        #expect(await storage.calls == calls)
        let reopened = try await open()
        try await reopened.start()
        #expect(try await reopened.verify().isIntact)
    }

    @Test("a record too large to be kept is refused, and nothing is written")
    func tooLarge() async throws {
        let log = try await open()
        let reason = String(repeating: "x", count: 1 << 20)
        let large = LedgerEvent.recognizerFailed(session: "s", client: LedgerSamples.identifier, reason: reason)
        #expect(await code { try await log.record(large) } == .tooLarge)
        #expect(await storage.stored.count == 1)
    }

    @Test("records are read by time, client and number, the last ones first chosen")
    func filter() async throws {
        let clock = CountingClock()
        let log = try await ConsentLog.open(storage: storage, now: clock.next)
        for turn in 1...600 {
            let client = ClientIdentifier.unregistered(executable: turn.isMultiple(of: 2) ? "even" : "odd")
            try await log.record(.recognizerFailed(session: "\(turn)", client: client, reason: "died"))
        }
        let even = ClientIdentifier.unregistered(executable: "even")
        #expect(try await log.records().count == 601)
        #expect(try await log.records(matching: AuditFilter(limit: 3)).map(\.index) == [598, 599, 600])
        #expect(try await log.records(matching: AuditFilter(limit: 2, client: even)).map(\.index) == [598, 600])
        #expect(try await log.records(matching: AuditFilter(client: even)).count == 300)
        let since = Date(timeIntervalSince1970: 599)
        #expect(try await log.records(matching: AuditFilter(since: since)).map(\.index) == [599, 600])
        #expect(try await log.records(matching: AuditFilter(limit: 0)).isEmpty)
    }

    @Test("records bounded to a user contain no other user's, and of the service only those that verification needs")
    func bounded() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        for user in [1000, 1001, nil] as [UInt32?] {
            try await log.record(
                .recognizerFailed(session: "s", client: LedgerSamples.identifier, user: user, reason: "died"),
                changing: nil)
        }
        #expect(try await log.records(matching: AuditFilter(owner: 1000)).map(\.index) == [0, 1])
        #expect(try await log.records(matching: AuditFilter(subject: "1001", owner: 1000)).isEmpty)
        let about = AuditFilter(client: LedgerSamples.identifier, owner: 1001)
        #expect(try await log.records(matching: about).map(\.index) == [2])
        let page = try await log.entries(matching: AuditFilter(owner: 1000), upTo: 4)
        #expect(try page.entries.map { try ConsentRecord($0).index } == [0, 1])
        #expect(try await log.records(matching: AuditFilter(owner: 0)).map(\.index) == [0])
    }
}
