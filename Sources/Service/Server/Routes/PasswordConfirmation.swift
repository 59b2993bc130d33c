import Authorization
import Prompting
import Synchronization

/// Enforced mode: the user confirms with their password, in their own session, an answer or a change of settings that
/// permits more, so that no process makes it alone. Root does not confirm.
///
/// In advisory mode there is none: the user's other programs could confirm in their place.
package struct PasswordConfirmation: Sendable {
    /// Users with a question. One at a time, so that no further one covers it, and polkit can ask other users.
    private static let asked = Mutex<Set<UInt32>>([])

    var authority = PolkitAuthority()

    /// - Parameters:
    ///   - language: of the dialog.
    ///   - whileWaiting: called every five seconds until the user is done.
    /// - Returns: what the dialog said; `nil` for root, who is not asked.
    /// - Throws: if the user does not confirm; `busy` while a different question of the user is open.
    @discardableResult
    package func confirm(
        _ act: ConfirmedAct, in language: Language, by caller: Caller,
        whileWaiting: @escaping @Sendable () async -> Void = {}
    ) async throws -> String? {
        // polkit always allows root, and a server may have no polkit.
        guard caller.user != 0 else { return nil }
        guard Self.asked.withLock({ $0.insert(caller.user).inserted }) else {
            throw RouteError(.busy, "A question for your password is open already. Answer or close it, then try again.")
        }
        defer { _ = Self.asked.withLock { $0.remove(caller.user) } }
        let waiting = Task {
            while !Task.isCancelled {
                await whileWaiting()
                try await Task.sleep(for: .seconds(5))
            }
        }
        defer { waiting.cancel() }
        let text = act.text(in: language)
        try await authority.check(act, saying: text, of: caller)
        return text
    }
}
