import Authorization
import Foundation
import Speech

/// A voice profile and its quality, measured by errors in sentences that it was not learnt from.
public struct VoiceProfileReply: Sendable, Hashable, Codable {
    /// Identifier of the kept item; `nil` if it is not kept.
    public var item: String?
    public var client: String
    /// When it was learnt, and when it is erased; `nil`: when the permission is withdrawn.
    public var date: Date
    public var until: Date?
    /// The number of sentences that were read.
    public var sentences: Int
    /// The number of words in them.
    public var words: Int
    /// Seconds of sound.
    public var seconds: Double
    /// The number of wrong words without the profile.
    public var errorsBefore: Int
    /// The number of wrong words with it.
    public var errorsAfter: Int
    /// The number of sentences with fewer errors than before.
    public var better: Int
    /// The number of sentences with more.
    public var worse: Int
    /// `false`: it was learnt with another acoustic model than the service uses now, so it is not used.
    public var fitsModel: Bool
}

extension VoiceProfileReply {
    public init(
        item: String?, client: ClientIdentifier, date: Date, until: Date?, gain: AdaptationGain, seconds: Double,
        fitsModel: Bool
    ) {
        self.init(
            item: item, client: client.rawValue, date: date, until: until, sentences: gain.sentences, words: gain.words,
            seconds: seconds, errorsBefore: gain.errorsBefore, errorsAfter: gain.errorsAfter, better: gain.better,
            worse: gain.worse, fitsModel: fitsModel)
    }
}

/// `GET /v1/voice-profile`: the kept profiles of the user's voice; at most one for each client is used.
public struct VoiceProfilesReply: Sendable, Hashable, Codable {
    public var profiles: [VoiceProfileReply]
    /// Why this client cannot learn a voice now, and what to do about it.
    public var problem: String?
    /// What a profile has no effect on, because another engine than PocketSphinx recognises it; absent: it is used for
    /// dictations and files.
    public var note: String?

    public init(profiles: [VoiceProfileReply], problem: String? = nil, note: String? = nil) {
        self.profiles = profiles
        self.problem = problem
        self.note = note
    }
}

/// `POST /v1/voice-profile`: learns the user's voice from sentences they read aloud. Every field may be absent. Answered with
/// a stream of `EnrolmentEvent`, one a line; `POST /v1/dictation/SESSION/end` ends the reading early.
public struct EnrolmentRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// The sentences to read, 8 to 200 of at most 1,000 characters; absent: two minutes of English.
    public var sentences: [String]?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?

    public init(device: String? = nil, sentences: [String]? = nil, ask: Bool? = nil) {
        self.device = device
        self.sentences = sentences
        self.ask = ask
    }
}

/// A line of the body of `POST /v1/voice-profile/recordings`: a sentence, and a sound file in which it is read.
public struct EnrolmentRecording: Sendable, Hashable, Codable {
    public var text: String
    /// WAV, FLAC or Ogg as it is on disk; in Base64.
    public var sound: Data

    public init(text: String, sound: Data) {
        self.text = text
        self.sound = sound
    }
}

/// A line of an enrolment's stream, told apart by `type`.
public enum EnrolmentEvent: Sendable, Hashable {
    /// It listens, or works on recordings: the session's identifier and the number of sentences.
    case started(session: String, sentences: Int)
    /// The sentence to read now; the first is 1.
    case sentence(number: Int, text: String)
    /// The recognised text, and whether it is the sentence.
    case heard(number: Int, text: String, outcome: HeardOutcome)
    /// The share of the learning that is done, 0…1. It does not listen any more.
    case learning(share: Double)
    /// The profile. `kept`: whether it clearly improves recognition; if not, it is discarded.
    case learnt(VoiceProfileReply, kept: Bool, unused: [Int])
    /// The last one. `message`: what went wrong, and what to do next.
    case ended(DictationEnding, message: String?)

    public enum HeardOutcome: String, Sendable, Codable, Hashable, CaseIterable {
        /// The sentence was read.
        case read
        /// Something else was heard; read the same sentence again.
        case again
        /// Something else was heard twice; the sentence is skipped.
        case skipped
    }
}

extension EnrolmentEvent: Codable {
    private enum Kind: String, Codable {
        case started, sentence, heard, learning, learnt, ended
    }

    private enum CodingKeys: String, CodingKey {
        case type, session, sentences, number, text, outcome, share, profile, kept, unused, reason, message
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try fields.known(.type) as Kind {
            case .started: .started(session: try fields[.session], sentences: try fields[.sentences])
            case .sentence: .sentence(number: try fields[.number], text: try fields[.text])
            case .heard:
                .heard(number: try fields[.number], text: try fields[.text], outcome: try fields[.outcome])
            case .learning: .learning(share: try fields[.share])
            case .learnt: .learnt(try fields[.profile], kept: try fields[.kept], unused: try fields[.unused])
            case .ended:
                .ended(try fields[.reason], message: try fields.decodeIfPresent(String.self, forKey: .message))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        let fields: KeyValuePairs<CodingKeys, (any Encodable)?> =
            switch self {
            case .started(let session, let sentences):
                [.type: Kind.started, .session: session, .sentences: sentences]
            case .sentence(let number, let text):
                [.type: Kind.sentence, .number: number, .text: text]
            case .heard(let number, let text, let outcome):
                [.type: Kind.heard, .number: number, .text: text, .outcome: outcome]
            case .learning(let share):
                [.type: Kind.learning, .share: (share * 1000).rounded() / 1000]
            case .learnt(let profile, let kept, let unused):
                [.type: Kind.learnt, .profile: profile, .kept: kept, .unused: unused]
            case .ended(let reason, let message):
                [.type: Kind.ended, .reason: reason, .message: message]
            }
        try encoder.encode(fields)
    }
}
