import Authorization
import Prompting

/// Makes sure that a person of the machine stands behind an answer or a change of settings, beyond the process that
/// sends it.
protocol Confirmation: Sendable {
    /// - Parameter whileWaiting: called again and again until the person is through.
    /// - Throws: where the person does not confirm.
    func confirm(
        _ deed: ConfirmedDeed, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void
    ) async throws
}

/// What a person is made to confirm.
enum ConfirmedDeed: Sendable, Hashable {
    case answer
    case settings
}

/// Advisory mode: the service runs as the person, and whatever it asked could be answered by the same programs.
struct NoConfirmation: Confirmation {
    func confirm(
        _ deed: ConfirmedDeed, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void
    ) async throws {}
}

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
