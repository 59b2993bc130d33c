/// That a log's machine was at work at a time: a checkpoint with one extension line (C2SP tlog-checkpoint), so that its
/// signed note is evidence of the tree for any tool that reads checkpoints.
///
///     voicegate.local/log/1f2e
///     5
///     <base64 of the root>
///     voicegate-report 7 2026-11-26T09:00:00.000Z
public struct LogReport: Sendable, Hashable {
    private static let extensionName = "voicegate-report"

    public let checkpoint: Checkpoint
    /// Greater with each report, so that none counts twice.
    public let counter: Int64
    /// By the machine's clock.
    public let time: Timestamp

    public init(_ checkpoint: Checkpoint, counter: Int64, time: Timestamp) {
        self.checkpoint = checkpoint
        self.counter = counter
        self.time = time
    }

    /// - Parameter text: of a note, whose signatures are not verified.
    /// - Returns: `nil` unless the text is what `text` writes, with a counter of at least 0.
    public init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, let checkpoint = Checkpoint(text: lines[..<3].joined(separator: "\n") + "\n") else {
            return nil
        }
        let words = lines[3].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let counter = Int64(words[1]), counter >= 0, let time = Timestamp(String(words[2]))
        else {
            return nil
        }
        self.init(checkpoint, counter: counter, time: time)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// With its last newline.
    public var text: String { "\(checkpoint.text)\(Self.extensionName) \(counter) \(time.text)\n" }
}
