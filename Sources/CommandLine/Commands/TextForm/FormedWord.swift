/// A word as it is written, with the marks that touch it.
public struct FormedWord: Sendable, Hashable {
    /// What stands between it and what came before: nothing, a space, or one or two line ends.
    public var before: String
    /// Empty where only line ends were said.
    public var text: String
    /// The words it was made of, by their places in what was said.
    public var source: Range<Int>

    public init(before: String, text: String, source: Range<Int>) {
        self.before = before
        self.text = text
        self.source = source
    }
}
