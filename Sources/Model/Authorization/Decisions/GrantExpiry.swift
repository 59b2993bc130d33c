/// When a yes that nobody uses ends.
public struct GrantExpiry: Sendable, Hashable {
    /// Milliseconds without a session; 90 days unless configured.
    public var unusedLimit: Int64

    public init(unusedDays: Int = 90) { unusedLimit = Int64(unusedDays) * 86_400_000 }

    /// Why the yes has ended at the moment, or `nil` while it holds.
    public func reason(for terms: Terms, at moment: Moment) -> ExpiryReason? {
        guard let elapsed = moment.elapsed(since: terms.usedAt) else { return .clockSetBack }
        return elapsed >= unusedLimit ? .unused : nil
    }
}
