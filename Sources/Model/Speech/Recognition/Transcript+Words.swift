extension Transcript {
    /// The same place with nothing said.
    public var withoutWords: Transcript { Transcript(text: "", start: start, end: end, words: []) }
}
