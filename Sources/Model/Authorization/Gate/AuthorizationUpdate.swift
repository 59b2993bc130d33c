import Foundation

/// A change with its place in the order of all, and how those whom it concerns stood right after it, whatever came since.
public struct AuthorizationUpdate: Sendable {
    public let cursor: ChangeCursor
    public let change: AuthorizationChange
    /// What decided right after the change; for a change of one key what is about that key.
    let book: DecisionBook
    let date: Date
    let moment: Moment

    public var isMuted: Bool { book.isMuted }

    /// - Returns: how the requester stood with each resource that the change may concern; empty when it concerns others.
    public func standings(for requester: Requester) -> [Resource: Standing] {
        let resources = Resource.allCases.filter { resource in
            change.key.map { $0 == requester.key(for: resource) } ?? true
        }
        let pairs = resources.map { ($0, book.standing(of: $0, for: requester, at: date, moment)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
