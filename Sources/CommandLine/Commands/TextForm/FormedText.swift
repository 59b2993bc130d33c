/// An utterance as it is written.
public struct FormedText: Sendable, Hashable {
    /// What stands between it and the utterance before: nothing or a space.
    public var separator: String
    /// May hold line ends where they were said, also at both of its ends.
    public var text: String

    public init(separator: String, text: String) {
        self.separator = separator
        self.text = text
    }
}
