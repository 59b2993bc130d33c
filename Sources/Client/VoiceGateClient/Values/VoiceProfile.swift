import Foundation
import VoiceGateWire

/// Learning the user's voice from sentences that they read aloud. Every field may be absent.
public struct EnrolmentRequest: Sendable, Hashable, Encodable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// The sentences to read, 8 to 200 of at most 1,000 characters; absent: two minutes of English.
    public var sentences: [String]?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?

    /// - Parameters:
    ///   - device: ALSA's PCM name.
    ///   - sentences: to read.
    ///   - ask: whether the user may be asked.
    public init(device: String? = nil, sentences: [String]? = nil, ask: Bool? = nil) {
        self.device = device
        self.sentences = sentences
        self.ask = ask
    }
}

/// A sentence, and a sound file in which it is read.
public struct EnrolmentRecording: Sendable, Hashable, Encodable {
    /// The sentence.
    public var text: String
    /// WAV, FLAC or Ogg as it is on disk.
    public var sound: Data

    /// - Parameters:
    ///   - text: the sentence.
    ///   - sound: a sound file's bytes.
    public init(text: String, sound: Data) { (self.text, self.sound) = (text, sound) }
}

/// A kept profile of the user's voice and its quality, measured by errors in sentences that it was not learnt from.
public struct VoiceProfile: Sendable, Hashable, Decodable {
    /// When it was learnt.
    public var date: Date
    /// When it is erased; `nil`: when the permission is withdrawn.
    public var until: Date?
    /// The sentences that it was learnt from.
    public var sentences: Int
    /// Errors without it.
    public var errorsBefore: Int
    /// Errors with it.
    public var errorsAfter: Int
    /// `false`: it was learnt with another model than the service uses now, so it is not used.
    public var fitsModel: Bool
}

/// An event of an enrolment. Later versions may add some: a `switch` has a `default`.
public enum EnrolmentEvent: Sendable, Hashable {
    /// It listens, or works on recordings: the session's identifier and the number of sentences.
    case started(session: String, sentences: Int)
    /// The sentence to read now; the first is 1.
    case sentence(number: Int, text: String)
    /// The recognised text, and whether it is the sentence.
    case heard(number: Int, text: String, outcome: Outcome)
    /// The share of the learning that is done, 0…1. It does not listen any more.
    case learning(share: Double)
    /// The profile. `kept`: whether it clearly improves recognition; if not, it is discarded.
    case learnt(VoiceProfile, kept: Bool)
    /// The last one. `message`: what went wrong, and what to do next.
    case ended(DictationEnding, message: String?)

    /// Whether what was heard is the sentence.
    public struct Outcome: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The sentence was read.
        public static let read = Outcome(rawValue: "read")
        /// Something else was heard; read the same sentence again.
        public static let again = Outcome(rawValue: "again")
        /// Something else was heard twice; the sentence is skipped.
        public static let skipped = Outcome(rawValue: "skipped")
    }
}

extension EnrolmentEvent: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, session, sentences, number, text, outcome, share, profile, kept, reason, message
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try fields[.type] as String {
            case "started": .started(session: try fields[.session], sentences: try fields[.sentences])
            case "sentence": .sentence(number: try fields[.number], text: try fields[.text])
            case "heard":
                .heard(number: try fields[.number], text: try fields[.text], outcome: try fields[.outcome])
            case "learning": .learning(share: try fields[.share])
            case "learnt": .learnt(try fields[.profile], kept: try fields[.kept])
            case "ended":
                .ended(try fields[.reason], message: try fields.decodeIfPresent(String.self, forKey: .message))
            default: throw UnknownEvent()
            }
    }
}
