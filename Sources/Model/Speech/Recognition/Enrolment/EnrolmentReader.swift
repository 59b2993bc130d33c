/// Follows somebody who reads sentences aloud, one after the other: which one is to be read now, and which piece of the
/// sound is it.
///
/// A pause in a sentence makes two utterances of it, and what is understood is often wrong. So utterances are put together
/// until about as much was said as the sentence has words, and it counts as read when enough of them are its words.
public struct EnrolmentReader: Sendable {
    public enum Outcome: Sendable, Hashable {
        /// The sentence was read; the place of its sound, in seconds of the session.
        case read(start: Double, end: Double)
        /// Something else was understood; the same sentence is to be read again.
        case again
        /// It was not understood twice; it is left out.
        case skipped
        /// There is more to come.
        case more
    }

    private static let mostTries = 2

    public let sentences: [String]
    /// Place of the sentence that is to be read; that of the end when all were.
    public private(set) var current = 0
    private var tries = 0
    private var heard: [String] = []
    private var start: Double?

    public init(_ sentences: [String]) { self.sentences = sentences }

    public var isOver: Bool { current >= sentences.count }

    /// An utterance was understood.
    public mutating func take(_ transcript: Transcript) -> Outcome {
        guard !isOver else { return .more }
        let wanted = PhraseBook.words(of: sentences[current])
        heard += PhraseBook.words(of: transcript.text)
        guard !heard.isEmpty else { return .more }
        let begin = start ?? transcript.start
        start = begin
        let right = wanted.count - WordDistance.errors(reference: wanted, hypothesis: heard)
        // A reader who only took breath goes on; one who is at the end has said about as many words.
        guard 3 * heard.count >= 2 * wanted.count else { return .more }
        defer { (heard, start) = ([], nil) }
        // A third of the words: a voice that is understood badly is the one that this is for.
        if 3 * right >= wanted.count {
            advance()
            return .read(start: begin, end: transcript.end)
        }
        tries += 1
        guard tries >= Self.mostTries else { return .again }
        advance()
        return .skipped
    }

    private mutating func advance() {
        current += 1
        tries = 0
    }
}
