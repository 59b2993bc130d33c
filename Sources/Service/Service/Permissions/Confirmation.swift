import Authorization
import Prompting

/// Enforced mode: the user confirms an answer or a change of settings with their password, in the session they sit at, so that
/// no process makes it alone. Root does not confirm.
///
/// In advisory mode there is none: the user's other programs could confirm in their place.
struct Confirmation: Sendable {
    var authority = PolkitAuthority()
    /// Between two calls of `whileWaiting`.
    var interval: Duration = .seconds(5)

    /// - Parameter whileWaiting: called repeatedly until the user is done.
    /// - Throws: if the user does not confirm.
    func confirm(
        _ action: PolkitAction, by caller: Caller, whileWaiting: @escaping @Sendable () async -> Void = {}
    ) async throws {
        // polkit always allows root, and a server may have no polkit.
        guard caller.user != 0 else { return }
        let interval = interval
        let waiting = Task {
            while !Task.isCancelled {
                await whileWaiting()
                try await Task.sleep(for: interval)
            }
        }
        defer { waiting.cancel() }
        try await authority.check(action, of: caller)
    }
}
