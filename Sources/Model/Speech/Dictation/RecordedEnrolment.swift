import Authorization

/// A voice that is learnt from recordings which its client hands over, standing on a grant of speech recognition alone.
/// `open()` takes the grant and writes the session down, `close(_:seconds:)` ends both.
public actor RecordedEnrolment: EndableSession {
    public nonisolated let identifier: String
    public nonisolated let requester: Requester

    private let gate: Gate
    private let ledger: any Ledger
    private let keeper: any Keeper
    private nonisolated let currentPresence: @Sendable () -> Presence
    private nonisolated let sharingWatch: any SharingWatch
    private nonisolated let abandonment = Abandonment()
    private nonisolated let fidelity = SessionFidelity()
    private var parts: (record: SessionRecord, lease: Lease, tee: SessionTee)?

    /// - Parameter keeper: is asked by `open()` whether it keeps the profile, and only where that was agreed to.
    public init(
        identifier: String, requester: Requester, gate: Gate, ledger: any Ledger, keeper: any Keeper,
        presence: @escaping @Sendable () -> Presence, sharing: any SharingWatch
    ) {
        self.identifier = identifier
        self.requester = requester
        self.gate = gate
        self.ledger = ledger
        self.keeper = keeper
        currentPresence = presence
        sharingWatch = sharing
    }

    public nonisolated var presence: Presence { currentPresence() }
    public nonisolated var sharing: Sharing { sharingWatch.atStart }

    public nonisolated func abandon(_ ending: DictationEnding) { abandonment.abandon(ending) }

    /// Takes the grant and records the session.
    ///
    /// - Throws: `AuthorizationError`, `SessionAbandoned`, or the ledger's error. The session is over then.
    public func open() async throws {
        let grant = try await gate.speechRecognitionGrant(for: requester)
        do {
            try await fidelity.begin(grant.lease, requester, gate)
        } catch {
            await gate.finish(grant.lease)
            throw error
        }
        let record = SessionRecord(
            description: SessionDescription(
                identifier: identifier, requester: requester, leases: [grant.lease], device: nil, sharing: sharing),
            ledger: ledger, gate: gate, leases: [grant.lease], abandonment: abandonment, sharing: sharingWatch)
        try await record.begin()
        do {
            try record.checkGoingOn()
        } catch {
            throw await record.end(failing: error)
        }
        parts = (record, grant.lease, SessionTee(keeper, record.description, [grant.lease]))
    }

    /// Runs the work in a task that is cancelled when the permission ends or the session is abandoned.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let task = Task { try await work() }
        abandonment.onAbandon { task.cancel() }
        let registration = parts?.lease.onEnd { _ in task.cancel() }
        defer { registration?.cancel() }
        return await task.result
    }

    /// Ends what is kept of it, writes down the end and gives the grant back.
    ///
    /// - Parameters:
    ///   - ending: of the work itself; that of the permission comes before it.
    ///   - seconds: of sound that was worked on.
    /// - Returns: why it ended.
    @discardableResult
    public func close(_ ending: DictationEnding, seconds: Double) async throws -> DictationEnding {
        guard let parts else { return ending }
        self.parts = nil
        let ending = parts.lease.ending.map { DictationEnding($0) } ?? abandonment.ending ?? ending
        await parts.tee.end(ending)
        try await parts.record.end(ending, frames: Int64(seconds * 16_000))
        return ending
    }
}
