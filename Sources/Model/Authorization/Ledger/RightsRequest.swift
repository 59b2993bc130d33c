/// A person's request to see or to erase what is recorded about them (GDPR, articles 15 and 17).
public struct RightsRequest: Sendable, Hashable {
    public enum Right: String, Sendable, Codable, Hashable, CaseIterable {
        case access
        case erasure
    }

    /// UUID; the answer and what was erased name it.
    public let identifier: String
    public let right: Right
    public let scope: RightsScope
    public let caller: Caller

    public init(identifier: String, right: Right, scope: RightsScope, by caller: Caller) {
        self.identifier = identifier
        self.right = right
        self.scope = scope
        self.caller = caller
    }
}
