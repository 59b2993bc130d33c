import Authorization
import Foundation

/// `GET /v1/settings`: everything that was decided, for the user who asks.
public struct SettingsReply: Sendable, Hashable, Codable {
    public var entries: [SettingsEntry]
    /// Whether the person has muted everything; every status is `restricted` then.
    public var muted: Bool
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]

    public init(entries: [SettingsEntry], muted: Bool = false, problems: [String]) {
        self.entries = entries
        self.muted = muted
        self.problems = problems
    }
}
