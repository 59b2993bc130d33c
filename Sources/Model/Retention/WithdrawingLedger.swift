import Authorization

/// A ledger that takes what was kept with a permission along when the permission goes. The keys are erased before the
/// withdrawal is recorded, so that no interruption leaves them behind; files and the record of the erasure follow.
public struct WithdrawingLedger: Ledger {
    private let ledger: any Ledger
    private let items: ItemStore

    public init(_ ledger: any Ledger, items: ItemStore) {
        self.ledger = ledger
        self.items = items
    }

    public func decisions() async throws -> [Decision] { try await ledger.decisions() }

    public func recollection() async throws -> LedgerRecollection { try await ledger.recollection() }

    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] {
        try await ledger.traces(of: items)
    }

    public func isMuted() async throws -> Bool { try await ledger.isMuted() }

    public func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64 {
        guard let key = Self.withdrawn(by: event) else { return try await ledger.record(event, changing: change) }
        await items.withdraw(key)
        defer { finish() }
        return try await ledger.record(event, changing: change)
    }

    /// After a failure the waiter for changes retries.
    private func finish() {
        Task { [items] in
            do { try await items.finishErasing() } catch { items.wake() }
        }
    }

    private static func withdrawn(by event: LedgerEvent) -> DecisionKey? {
        switch event {
        case .withdrawn(let key, _, _, _), .decidedInSettings(let key, .denied, _, _, _): key
        case .denied(let prompt, _, _): prompt.requester.key(for: prompt.resource)
        default: nil
        }
    }
}
