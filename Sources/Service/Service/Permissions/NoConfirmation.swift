import Authorization

/// Advisory mode: the service runs as the person, and whatever it asked could be answered by the same programs.
struct NoConfirmation: Confirmation {
    func confirm(
        _ deed: ConfirmedDeed, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void
    ) async throws {}
}
