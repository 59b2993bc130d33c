import Authorization

/// Makes sure that a person of the machine stands behind an answer or a change of settings, beyond the process that
/// sends it.
protocol Confirmation: Sendable {
    /// - Parameter whileWaiting: called again and again until the person is through.
    /// - Throws: where the person does not confirm.
    func confirm(
        _ deed: ConfirmedDeed, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void
    ) async throws
}
