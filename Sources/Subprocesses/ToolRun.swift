/// What became of a tool that ran to its end.
public struct ToolRun: Sendable, Hashable {
    /// The exit status; 128 and the signal's number when a signal ended it.
    public let status: Int32
    /// Standard output, as far as it was read.
    public let output: String

    public init(status: Int32, output: String) {
        self.status = status
        self.output = output
    }
}
