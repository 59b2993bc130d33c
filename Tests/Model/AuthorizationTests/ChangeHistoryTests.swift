@testable import Authorization
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The history of changes", .timeLimit(.minutes(2)))
struct ChangeHistoryTests {
    private let ledger = RecordingLedger()
    private let requester = Samples.requester()
    private var key: DecisionKey { requester.key(for: .microphone) }

    private func gate() async throws -> Gate { try await Gate(ledger: ledger, agent: StandInAgent()) }

    private func decide(_ gate: Gate, _ verdict: Verdict, _ key: DecisionKey) async throws {
        let program = verdict == .authorized ? AllowedProgram(requester.caller.executable) : nil
        try await gate.decide(verdict, for: key, program: program, by: requester.caller)
    }

    private func updates(_ page: ChangeHistory.Page) throws -> [AuthorizationUpdate] {
        guard case .updates(let updates) = page else { throw Missing() }
        return updates
    }

    private struct Missing: Error {}

    @Test("reading from a position returns each later change once")
    func position() async throws {
        let gate = try await gate()
        try await decide(gate, .denied, key)
        let position = await gate.permissions(ofUser: requester.caller.user)
        #expect(position.standings(for: requester)[.microphone]?.status == .denied)
        try await gate.reset(key, by: requester.caller)
        let told = try updates(await gate.history.updates(ofUser: 1000, after: position.cursor))
        #expect(told.map(\.cursor.revision) == [2])
    }

    @Test("a position of another generation, in the future or before the oldest change is a gap")
    func gaps() async throws {
        let gate = try await gate()
        try await decide(gate, .denied, key)
        let history = gate.history
        for cursor in [
            ChangeCursor(generation: "another", revision: 0), ChangeCursor(generation: history.generation, revision: 2),
        ] {
            #expect(!history.covers(cursor, ofUser: 1000))
            guard case .gap = await history.updates(ofUser: 1000, after: cursor) else {
                Issue.record("\(cursor) is not a gap")
                continue
            }
        }
        let start = ChangeCursor(generation: history.generation, revision: 0)
        #expect(history.covers(start, ofUser: 1000))
        for _ in 0..<history.capacity {
            await gate.announce(key)
        }
        #expect(!history.covers(start, ofUser: 1000))
        #expect(history.covers(ChangeCursor(generation: history.generation, revision: 1), ofUser: 1000))
    }

    @Test("of many users those without a waiting reader give way; a reader that comes later gets a gap")
    func manyUsers() async throws {
        let gate = try await gate()
        let history = gate.history
        for _ in 0..<3 { await gate.announce(key) }
        let late = history.last(ofUser: 1000)
        let waiting = Task { await history.updates(ofUser: 1, after: history.last(ofUser: 1)) }
        while !history.hasWaitingReader(ofUser: 1) { await Task.yield() }
        for user in UInt32(2000)..<12_000 { await gate.announce(toUser: user) }
        #expect(history.users.count <= 4096)
        #expect(!history.covers(late, ofUser: 1000))
        for _ in 0..<5 { await gate.announce(key) }
        #expect(!history.covers(late, ofUser: 1000), "later changes do not count as those that it missed")
        let position = history.last(ofUser: 1000)
        await gate.announce(key)
        #expect(try updates(await history.updates(ofUser: 1000, after: position)).count == 1)
        await gate.announce(toUser: 1)
        #expect(try updates(await waiting.value).count == 1)
    }

    @Test("a waiting reader stops when its task is cancelled, and leaves nothing behind")
    func cancelled() async throws {
        let gate = try await gate()
        let history = gate.history
        let reading = Task { await history.updates(ofUser: 1000, after: history.last(ofUser: 1000)) }
        reading.cancel()
        guard case .cancelled = await reading.value else {
            Issue.record("it read something")
            return
        }
        try await decide(gate, .denied, key)
    }

    @Test(
        "ten thousand changes do not wait for a reader, and a late reader gets a gap")
    func neverRead() async throws {
        let gate = try await gate()
        let start = gate.history.last(ofUser: 1000)
        for _ in 0..<5_000 {
            try await gate.mute(.everyone, by: requester.caller)
            try await gate.unmute(.everyone, by: requester.caller)
        }
        #expect(gate.history.last(ofUser: 1000).revision == 10_000)
        guard case .gap = await gate.history.updates(ofUser: 1000, after: start) else {
            Issue.record("nothing was forgotten")
            return
        }
    }

    @Test("of 10,000 random changes each of several readers gets all, in order, or a gap")
    func random() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let gate = try await gate()
        let isOver = Flag()
        let start = gate.history.last(ofUser: 1000)
        let readers = (0..<6).map { number in
            Task { [requester] in
                await Self.read(gate, requester, from: start, pace: number, seed: seed, isOver)
            }
        }
        let expected = try await change(gate, seed: seed)
        isOver.raise()
        // Wakes those that have read everything, so that they see that it is over.
        await gate.announce(key)
        for (number, reader) in readers.enumerated() {
            let told = await reader.value
            #expect(told.isInOrder, "seed \(seed), reader \(number)")
            // One that looks between the end and the waking change does not wait for that one.
            #expect(told.last >= gate.history.last(ofUser: 1000).revision - 1, "seed \(seed), reader \(number)")
            #expect(told.count + told.missed == Int(told.last), "seed \(seed), reader \(number)")
            for (revision, statuses) in told.statuses {
                guard let right = expected[revision] else { continue }
                for (resource, status) in statuses {
                    #expect(status == right[resource], "seed \(seed), reader \(number), change \(revision)")
                }
            }
        }
        // The one that never rests reads more than the one that mostly does.
        #expect(expected.count == 10_000)
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isRaised: Bool { state.withLock { $0 } }

        func raise() { state.withLock { $0 = true } }
    }

    private struct Told: Sendable {
        var isInOrder = true
        var last: UInt64 = 0
        var count = 0
        var missed = 0
        var statuses: [UInt64: [Resource: AuthorizationStatus]] = [:]
    }

    /// - Returns: how the requester stood after each change.
    private func change(_ gate: Gate, seed: UInt64) async throws -> [UInt64: [Resource: AuthorizationStatus]] {
        var random = SeededGenerator(seed: seed)
        var expected: [UInt64: [Resource: AuthorizationStatus]] = [:]
        let keys = [key, requester.key(for: .speechRecognition), Samples.requester("a.b").key(for: .microphone)]
        while expected.count < 10_000 {
            guard let key = keys.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: try await decide(gate, .denied, key)
            case 2, 3: try await decide(gate, .authorized, key)
            case 4: try await gate.reset(key, by: requester.caller)
            case 5: try await gate.mute(.everyone, by: requester.caller)
            case 6: try await gate.unmute(.everyone, by: requester.caller)
            default:
                let rules = [PolicyRule(resource: key.resource, client: key.client, user: nil, reason: nil)]
                try await gate.apply(
                    Policy(rules: Bool.random(using: &random) ? rules : []),
                    source: PolicyProvenance(files: [:], broken: [:]))
            }
            let position = await gate.permissions(ofUser: requester.caller.user)
            guard position.cursor.revision > 0 else { continue }
            expected[position.cursor.revision] = position.standings(for: requester).mapValues(\.status)
        }
        return expected
    }

    private static func read(
        _ gate: Gate, _ requester: Requester, from start: ChangeCursor, pace: Int, seed: UInt64, _ isOver: Flag
    ) async -> Told {
        var random = SeededGenerator(seed: seed &+ UInt64(pace))
        var told = Told()
        var cursor = start
        while !(isOver.isRaised && cursor == gate.history.last(ofUser: 1000)) {
            switch await gate.history.updates(
                ofUser: 1000, after: cursor, limit: Int.random(in: 1...64, using: &random))
            {
            case .updates(let updates):
                for update in updates {
                    told.isInOrder = told.isInOrder && update.cursor.revision == cursor.revision + 1
                    cursor = update.cursor
                    told.count += 1
                    told.statuses[cursor.revision] = update.standings(for: requester).mapValues(\.status)
                }
            case .gap:
                let position = await gate.permissions(ofUser: requester.caller.user)
                told.missed += Int(position.cursor.revision - cursor.revision)
                cursor = position.cursor
            case .cancelled: return told
            }
            told.last = cursor.revision
            // Slower ones let the gate and the others run on, some for long.
            for _ in 0..<(pace * pace * Int.random(in: 0...30, using: &random)) { await Task.yield() }
        }
        return told
    }

    @Test("a cursor is parsed from its text, and other text is refused")
    func cursors() {
        let cursor = ChangeCursor(generation: "5ea8", revision: 18_446_744_073_709_551_615)
        #expect(ChangeCursor(cursor.description) == cursor)
        for text in ["", ":1", "a", "a:", "a:-1", "a:1:2", "a:18446744073709551616", "a: 1", "a:１"] {
            #expect(ChangeCursor(text) == nil, "\(text)")
        }
    }
}
