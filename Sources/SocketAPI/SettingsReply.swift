import Authorization
import Foundation

/// `GET /v1/settings`: everything that was decided, for the user who asks.
public struct SettingsReply: Sendable, Hashable, Codable {
    public struct Entry: Sendable, Hashable, Codable {
        public var client: String
        public var name: String
        public var resource: Resource
        /// What the client sees; a policy may make it `restricted` whatever was decided.
        public var status: AuthorizationStatus
        /// When and how it was decided; `nil` when nobody decided yet.
        public var decidedAt: Date?
        public var indication: Indication?

        public init(
            client: String, name: String, resource: Resource, status: AuthorizationStatus, decidedAt: Date?,
            indication: Indication?
        ) {
            self.client = client
            self.name = name
            self.resource = resource
            self.status = status
            self.decidedAt = decidedAt
            self.indication = indication
        }
    }

    public var entries: [Entry]
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]

    public init(entries: [Entry], problems: [String]) {
        self.entries = entries
        self.problems = problems
    }
}
