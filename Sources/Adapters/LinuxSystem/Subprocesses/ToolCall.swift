/// What a tool is given and what becomes of what it writes.
public struct ToolCall: Sendable, Hashable {
    public enum Stream: Sendable, Hashable {
        /// Read, within bounds.
        case kept
        case discarded
        /// This program's own.
        case inherited
    }

    /// Its standard input; text is data here, whatever it begins with.
    public var input: [UInt8]
    public var output: Stream
    /// Its standard error. Read only until its end: a child that it leaves behind may hold it open.
    public var complaints: Stream
    /// After so long it and its children are killed; `nil`: it may take its time.
    public var limit: Duration?

    public init(
        input: [UInt8] = [], output: Stream = .kept, complaints: Stream = .discarded, limit: Duration? = nil
    ) {
        self.input = input
        self.output = output
        self.complaints = complaints
        self.limit = limit
    }
}
