import Foundation

/// All denials in force. It wins over every grant.
public struct Policy: Sendable, Hashable {
    public let rules: [PolicyRule]

    public init(rules: [PolicyRule] = []) {
        self.rules = rules
    }

    /// The rule that restricts this at the given time, or `nil` when none does.
    public func restriction(of key: DecisionKey, at date: Date) -> PolicyRule? {
        rules.first { $0.covers(key, at: date) }
    }
}
