/// What became of a tool that ran to its end.
public struct ToolRun: Sendable, Hashable {
    /// The exit status; 128 and the signal's number when a signal ended it.
    public let status: Int32
    /// Standard output, as far as it was kept.
    public let output: String
    /// Standard error, the first of it, where it was kept.
    public let complaint: String
    /// It took longer than it might, and was killed.
    public let isOverdue: Bool
    /// It wrote more than is kept.
    public let isCut: Bool

    public init(status: Int32, output: String, complaint: String = "", isOverdue: Bool = false, isCut: Bool = false) {
        self.status = status
        self.output = output
        self.complaint = complaint
        self.isOverdue = isOverdue
        self.isCut = isCut
    }
}
