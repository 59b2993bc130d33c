import Authorization

/// Learns a voice from recordings that a client supplies, with a grant of speech recognition alone.
public actor RecordedEnrolment: ClientSession {
    public nonisolated let context: SessionContext
    private var parts: (record: SessionRecord, tee: SessionTee)?

    /// - Parameter context: its keeper is asked by `open()` only if the user agreed to the profile.
    public init(_ context: SessionContext) { self.context = context }

    /// Takes the grant and records the start.
    ///
    /// - Throws: `AuthorizationError`, `SessionAbandoned`, or the ledger's error. The session is over then.
    public func open() async throws {
        let grant = try await context.speechRecognitionGrant()
        let record = SessionRecord(context, [grant.lease], device: nil)
        try await record.begin()
        parts = (record, SessionTee(record))
    }

    /// Runs the work in a task that is cancelled when the permission ends or the session is abandoned.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let task = Task { try await work() }
        var registrations = [context.abandoned.onSet { _ in task.cancel() }]
        registrations += parts?.record.leases.map { $0.onEnd { _ in task.cancel() } } ?? []
        defer { for registration in registrations { registration.cancel() } }
        return await task.result
    }

    /// Ends what is kept, records the end and gives the grant back.
    ///
    /// - Parameters:
    ///   - ending: of the work; an ended permission takes precedence.
    ///   - seconds: of sound that was processed.
    /// - Returns: why the session ended.
    @discardableResult
    public func close(_ ending: DictationEnding, seconds: Double) async throws -> DictationEnding {
        guard let parts else { return ending }
        self.parts = nil
        let ending = parts.record.leaseEnding ?? context.abandoned.reason ?? ending
        await parts.tee.end(ending)
        try await parts.record.end(ending.rawValue, ListeningAccount([.heard(.foreground): Int64(seconds * 16_000)]))
        return ending
    }
}
