import Authorization
import Prompting

/// Enforced mode: the person confirms with their password, in the session they sit at. Root confirms nothing.
struct PolkitConfirmation: Confirmation {
    var authority = PolkitAuthority()
    /// How often whoever waits is told that the person is at it.
    var interval: Duration = .seconds(5)

    func confirm(
        _ deed: ConfirmedDeed, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void
    ) async throws {
        // polkit would say yes to root in any case, and a server may have no polkit.
        guard caller.user != 0 else { return }
        let interval = interval
        let telling = Task {
            while !Task.isCancelled {
                await whileWaiting()
                try await Task.sleep(for: interval)
            }
        }
        defer { telling.cancel() }
        switch deed {
        case .answer: try await authority.check(.answer, of: caller)
        case .settings: try await authority.check(.settings, of: caller)
        }
    }
}
