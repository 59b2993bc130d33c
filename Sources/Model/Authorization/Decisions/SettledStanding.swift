import Foundation

/// How a client stands with a resource as settings show it: what was decided, and what stands above that. Whether its
/// program has changed since is not part of it, because the client need not run.
public struct SettledStanding: Sendable, Hashable {
    public let key: DecisionKey
    /// What the client sees, whatever its program is now.
    public let status: AuthorizationStatus
    /// A yes or a no that is kept.
    public let decision: Decision?
    /// The policy that restricts it now.
    public let restriction: PolicyRule?
    /// A process has a yes for one session; the stored status does not know of it.
    public let isAllowedOnce: Bool
    /// What the person has not answered: a prompt that is shown now, or a question that waits for a quiet moment.
    public let question: Question?
    /// When a yes ends if it is not used until then.
    public let expiresAt: Date?
    /// When the person is asked whether an always is to stay.
    public let reviewAt: Date?
}
