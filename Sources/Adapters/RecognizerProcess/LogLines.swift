/// Cuts a worker's standard error into lines. Bounded: a worker that only shouts costs neither memory nor disk.
struct LogLines {
    private static let longestLine = 2_000
    private static let mostLines = 200

    private var partial: [UInt8] = []
    private var count = 0
    /// The last line that told of an error.
    private(set) var lastError: String?

    /// - Returns: whole lines, with whether they tell of an error.
    mutating func take(_ bytes: [UInt8]) -> [(isError: Bool, text: String)] {
        var lines: [(isError: Bool, text: String)] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if partial.count < Self.longestLine { partial.append(byte) }
                continue
            }
            if let line = finish() { lines.append(line) }
        }
        return lines
    }

    private mutating func finish() -> (isError: Bool, text: String)? {
        let line = String(decoding: partial, as: UTF8.self)
        partial = []
        guard count < Self.mostLines, !line.isEmpty else { return nil }
        count += 1
        let isError = line.hasPrefix("error ")
        let text = String(line.dropFirst(isError ? 6 : line.hasPrefix("warning ") ? 8 : 0))
        if isError { lastError = text }
        return (isError, text)
    }
}
