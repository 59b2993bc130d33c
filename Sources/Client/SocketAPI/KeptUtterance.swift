/// A line of a kept transcript.
public struct KeptUtterance: Sendable, Hashable, Codable {
    public var text: String
    /// Seconds since the session's first frame.
    public var start: Double
    public var end: Double

    public init(text: String, start: Double, end: Double) {
        self.text = text
        self.start = start
        self.end = end
    }
}
