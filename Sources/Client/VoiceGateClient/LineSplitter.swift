/// Cuts a stream of bytes into lines, each no longer than a bound.
struct LineSplitter {
    /// Bytes of the longest line that is taken, without its end.
    let limit: Int
    private var bytes: [UInt8] = []
    /// Where the unread part begins, and where the search for a line's end goes on.
    private var start = 0
    private var searched = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ chunk: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// - Returns: the next line that is complete, without its end; `nil` when more bytes are needed.
    /// - Throws: `ClientError` when the line is longer than the bound.
    mutating func next() throws -> ArraySlice<UInt8>? {
        let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
        guard (end ?? bytes.count) - start <= limit else {
            throw ClientError.violation("a line is longer than \(limit) bytes")
        }
        guard let end else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }

    /// What is left behind the last line's end.
    var rest: ArraySlice<UInt8> { bytes[start...] }
}
