/// Admits requests of hosts: one of each host, a bounded number of all hosts, and a bounded number that wait for their turn. What
/// is beyond is told to come back, so that a thousand hosts that return at once cost the collector no memory, and a host whose
/// row is locked keeps one connection to the database for each gate.
actor HostGate {
    private let active: Int
    private let waitingLimit: Int
    private var count = 0
    private var hosts: Set<Int64> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter active: of all hosts; without it, as many as come.
    init(active: Int = .max, waiting: Int = 0) {
        self.active = active
        waitingLimit = waiting
    }

    /// - Parameter body: gets whether it has waited.
    /// - Throws: `Refusal` with 429 if another request of the host is under way, 503 if there are too many; neither takes a place.
    nonisolated func admit<Value: Sendable>(
        _ host: Int64, _ body: (_ hasWaited: Bool) async throws -> Value
    ) async throws -> Value {
        let hasWaited = try await enter(host)
        do {
            let value = try await body(hasWaited)
            await leave(host)
            return value
        } catch {
            await leave(host)
            throw error
        }
    }

    /// - Returns: whether it has waited.
    private func enter(_ host: Int64) async throws -> Bool {
        guard !hosts.contains(host) else { throw Refusal.busy(.tooManyRequests, after: 1) }
        if count >= active {
            guard waiting.count < waitingLimit else {
                // Not all at the same moment.
                throw Refusal.busy(.serviceUnavailable, after: 2 + Int.random(in: 0...8))
            }
            hosts.insert(host)
            await withCheckedContinuation { waiting.append($0) }
            return true
        }
        hosts.insert(host)
        count += 1
        return false
    }

    private func leave(_ host: Int64) {
        hosts.remove(host)
        // The place goes to the next.
        if waiting.isEmpty { count -= 1 } else { waiting.removeFirst().resume() }
    }
}
