import Speech

/// The words that were called stable in the utterance that is being spoken.
struct StableWords: Sendable {
    private var bytes: [UInt8] = []

    /// - Throws: `unexpected` when the partial takes one of them back, or calls half a word stable.
    mutating func check(_ partial: PartialTranscript) throws(ProtocolError) {
        let text = Array(partial.text.utf8)
        guard text.starts(with: bytes), partial.stablePrefix >= bytes.count,
            Self.endsWord(text, at: bytes.count), Self.endsWord(text, at: partial.stablePrefix)
        else { throw ProtocolError(code: .unexpected, message: "It takes back words that it called stable.") }
        bytes = Array(text[..<partial.stablePrefix])
    }

    private static func endsWord(_ text: [UInt8], at end: Int) -> Bool {
        end == 0 || end == text.count || text[end] == UInt8(ascii: " ")
    }
}
