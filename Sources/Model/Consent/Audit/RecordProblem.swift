/// A place where the stored log does not fit.
public struct RecordProblem: Error, Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case recordMissing
        case recordUnexpected
        case leafAltered
        case indexWrong
        /// The record's `previous` is not the root of the tree before it.
        case linkWrong
        case disclosureAltered
        case disclosureMissing
        case disclosureUnexpected
        case treeHeadWrong
        case decisionWrong
    }

    public let kind: Kind
    /// The record that does not fit; `nil` when it is none of the records.
    public let index: Int64?
    /// What is wrong with it: "its leaf does not have …".
    public let reason: String

    init(_ kind: Kind, _ index: Int64?, _ reason: String) {
        self.kind = kind
        self.index = index
        self.reason = reason
    }

    /// A sentence.
    public var message: String {
        if let index { "Record \(index) does not fit: \(reason)." } else { "The log does not fit: \(reason)." }
    }
}
