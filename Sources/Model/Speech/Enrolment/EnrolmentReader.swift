/// Follows a speaker who reads sentences aloud: which sentence is next, and where each is in the sound.
///
/// A pause within a sentence ends an utterance, and recognition makes errors. Therefore utterances are joined until they have
/// about as many words as the sentence, which counts as read if enough of them match.
public struct EnrolmentReader: Sendable {
    public enum Outcome: Sendable, Hashable {
        /// The sentence was read, at these seconds of the session.
        case read(start: Double, end: Double)
        /// The words did not match; the same sentence must be read again.
        case again
        /// The words did not match twice; the sentence is left out.
        case skipped
        /// The sentence is incomplete.
        case more
    }

    private static let mostTries = 2

    public let sentences: [String]
    /// The index of the next sentence; the number of sentences after the last.
    public private(set) var current = 0
    private var tries = 0
    private var heard: [String] = []
    private var start: Double?

    public init(_ sentences: [String]) { self.sentences = sentences }

    public var isOver: Bool { current >= sentences.count }

    public mutating func take(_ transcript: Transcript) -> Outcome {
        guard !isOver else { return .more }
        let wanted = PhraseBook.words(of: sentences[current])
        heard += PhraseBook.words(of: transcript.text)
        guard !heard.isEmpty else { return .more }
        let begin = start ?? transcript.start
        start = begin
        let right = wanted.count - WordDistance.errors(reference: wanted, hypothesis: heard)
        // With too few words the speaker only paused.
        guard 3 * heard.count >= 2 * wanted.count else { return .more }
        defer { (heard, start) = ([], nil) }
        // A third of the words suffices: adaptation is for voices that are recognised badly.
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

/// The sentences for an enrolment, about two minutes: each phone of English in several contexts, and only words of the
/// dictionary of Debian's model.
public enum EnrolmentText {
    public static let english = [
        "The quick boat drifted past the old stone bridge before noon.",
        "My younger sister always chooses the yellow chair by the window.",
        "Please measure three cups of flour and a small pinch of salt.",
        "Thunder shook the valley, and the children ran toward the house.",
        "He bought a pair of leather shoes and a dark blue coat.",
        "Would you rather walk along the beach or visit the museum?",
        "The judge asked both lawyers to choose their words with care.",
        "A large brown dog was sleeping under the kitchen table.",
        "They plan to finish the new railway station early next year.",
        "Fresh orange juice and toast is what she has for breakfast.",
        "I cannot remember where I put the keys to the garage.",
        "The voice on the radio said that snow would fall tonight.",
        "Our teacher drew a huge circle on the board with white chalk.",
        "Every Thursday we joined the others for a game of cards.",
        "The ship's crew watched the coast vanish behind the thick fog.",
        "Could someone show me how this strange machine works?",
        "Half of the apples in the basket were already too soft to eat.",
        "His usual answer was a loud laugh and a shake of the head.",
        "We heard birds singing in the woods long before the sun rose.",
        "The engine made an awful noise, so we pulled over and stopped.",
        "She wrote down the address on a piece of paper and left.",
        "Nothing is more pleasant than a quiet evening with a good book.",
        "The boy pointed at the huge poster and shouted with joy.",
        "After the long journey they were glad to sit by a warm fire.",
    ]
}
