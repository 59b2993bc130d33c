import Base
import Foundation
import Synchronization

@testable import Authorization

/// The records that are durable, whatever becomes of the gate.
final class HeldDisk: Sendable {
    struct Entry: Sendable {
        let event: LedgerEvent
        let change: DecisionChange?
    }

    /// What a replay of the records gives.
    struct Replay: Sendable {
        var decisions: [DecisionKey: Decision] = [:]
        var mutes = Mutes()

        mutating func apply(_ entry: Entry, at index: Int) {
            switch entry.event {
            case .muted(let scope, let caller): mutes[scope] = Mute(scope, by: caller)
            case .unmuted(let scope, _): mutes[scope] = nil
            default: break
            }
            if let change = entry.change { decisions[change.key] = change.made(by: UInt64(index)).decision }
        }
    }

    private let state = Mutex<(entries: [Entry], replay: Replay)>(([], Replay()))

    init(decisions: [Decision], mutes: Mutes) {
        state.withLock {
            $0.replay = Replay(decisions: .init(uniqueKeysWithValues: decisions.map { ($0.key, $0) }), mutes: mutes)
        }
    }

    var entries: [Entry] { state.withLock { $0.entries } }
    var replay: Replay { state.withLock { $0.replay } }

    func append(_ entry: Entry) -> UInt64 {
        state.withLock {
            $0.replay.apply(entry, at: $0.entries.count)
            $0.entries.append(entry)
            return UInt64($0.entries.count - 1)
        }
    }
}

/// A ledger whose writes are durable, or fail, when the test says so; in the order of their submission.
final class HeldLedger: Ledger {
    struct Failure: Error {}

    private struct Write {
        let entry: HeldDisk.Entry
        let ticket: Ticket
    }

    let disk: HeldDisk
    private let waiting = Mutex<[Write]>([])

    private let hiddenMutes: Mutex<Bool>

    /// - Parameter hidesMutes: until `showMutes`, what is muted cannot be read.
    init(_ disk: HeldDisk, hidesMutes: Bool) {
        self.disk = disk
        hiddenMutes = Mutex(hidesMutes)
    }

    var waitingCount: Int { waiting.withLock { $0.count } }
    var waitingEntries: [HeldDisk.Entry] { waiting.withLock { $0.map(\.entry) } }

    func decisions() async throws -> [Decision] { Array(disk.replay.decisions.values) }

    func mutes() async throws -> Mutes {
        if hiddenMutes.withLock({ $0 }) { throw Failure() }
        return disk.replay.mutes
    }

    func showMutes() { hiddenMutes.withLock { $0 = false } }

    func submit(_ event: LedgerEvent, changing change: DecisionChange?) -> Ticket {
        let ticket = Ticket()
        waiting.withLock { $0.append(Write(entry: HeldDisk.Entry(event: event, change: change), ticket: ticket)) }
        return ticket
    }

    /// Makes the oldest write durable.
    ///
    /// - Returns: what it wrote.
    func complete() -> HeldDisk.Entry {
        let write = waiting.withLock { $0.removeFirst() }
        write.ticket.complete(.success(disk.append(write.entry)))
        return write.entry
    }

    /// Makes the oldest write fail.
    ///
    /// - Returns: what it would have written.
    func fail() -> HeldDisk.Entry {
        let write = waiting.withLock { $0.removeFirst() }
        write.ticket.complete(.failure(Failure()))
        return write.entry
    }
}

/// A person who sees and answers a prompt when the test says so.
final class HeldAgent: Agent {
    struct Gone: Error {}

    private struct State {
        var looking: [(prompt: Prompt, continuation: CheckedContinuation<Bool, Never>)] = []
        var shown: [(prompt: Prompt, continuation: CheckedContinuation<AgentReply, any Error>)] = []
        var withdrawn: Set<String> = []
    }

    private let state = Mutex(State())

    /// Prompts that wait until it is known whether they can be shown.
    var looking: [Prompt] { state.withLock { $0.looking.map(\.prompt) } }
    /// Prompts that are shown now.
    var shown: [Prompt] { state.withLock { $0.shown.map(\.prompt) } }

    func canAsk(_ prompt: Prompt) async -> Bool {
        await withCheckedContinuation { continuation in
            state.withLock { $0.looking.append((prompt, continuation)) }
        }
    }

    func ask(_ prompt: Prompt) async throws -> AgentReply {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWithdrawn = state.withLock { state in
                    if state.withdrawn.contains(prompt.cookie) { return true }
                    state.shown.append((prompt, continuation))
                    return false
                }
                if isWithdrawn { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            take(prompt)?.resume(throwing: CancellationError())
        }
    }

    /// The first of `looking` can be shown.
    func look() { state.withLock { $0.looking.removeFirst() }.continuation.resume(returning: true) }

    func answer(_ answer: Answer, to prompt: Prompt) {
        take(prompt)?.resume(returning: AgentReply(answer: answer, indication: .terminal))
    }

    private func take(_ prompt: Prompt) -> CheckedContinuation<AgentReply, any Error>? {
        state.withLock { state in
            state.withdrawn.insert(prompt.cookie)
            guard let place = state.shown.firstIndex(where: { $0.prompt.cookie == prompt.cookie }) else { return nil }
            return state.shown.remove(at: place).continuation
        }
    }

    /// Ends what still waits.
    func leave() {
        while !looking.isEmpty { look() }
        for prompt in shown { take(prompt)?.resume(throwing: Gone()) }
    }
}

/// Ends only by cancellation: in explored runs no timeout passes.
@Sendable func sleepUntilCancelled(_: Duration) async throws {
    let end = Latch<Void>()
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in end.onSet { continuation.resume() } }
    } onCancel: {
        end.set()
    }
    throw CancellationError()
}
