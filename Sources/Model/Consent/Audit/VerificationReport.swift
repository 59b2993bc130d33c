/// What a full reading of the log found.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// Records that fit, counted from the first; all of them when there is no problem.
    public let records: UInt64
    /// base64 of the tree's root over those records.
    public let root: String
    /// Records whose fields were erased, with a record of it.
    public let erasedRecords: Int
    /// The first thing that does not fit, or `nil` when all is well.
    public let problem: RecordProblem?

    public var isIntact: Bool { problem == nil }
}
