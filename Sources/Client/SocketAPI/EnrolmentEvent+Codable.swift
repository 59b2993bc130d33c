import Speech

extension EnrolmentEvent: Codable {
    private enum Kind: String, Codable {
        case started, sentence, heard, learning, learnt, ended
    }

    private enum CodingKeys: String, CodingKey {
        case type, session, sentences, number, text, outcome, share, profile, kept, unused, reason, message
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .started:
            self = .started(
                session: try container.decode(String.self, forKey: .session),
                sentences: try container.decode(Int.self, forKey: .sentences))
        case .sentence:
            self = .sentence(
                number: try container.decode(Int.self, forKey: .number),
                text: try container.decode(String.self, forKey: .text))
        case .heard:
            self = .heard(
                number: try container.decode(Int.self, forKey: .number),
                text: try container.decode(String.self, forKey: .text),
                outcome: try container.decode(HeardOutcome.self, forKey: .outcome))
        case .learning: self = .learning(share: try container.decode(Double.self, forKey: .share))
        case .learnt:
            self = .learnt(
                try container.decode(VoiceProfileReply.self, forKey: .profile),
                kept: try container.decode(Bool.self, forKey: .kept),
                unused: try container.decode([Int].self, forKey: .unused))
        case .ended:
            self = .ended(
                try container.decode(DictationEnding.self, forKey: .reason),
                message: try container.decodeIfPresent(String.self, forKey: .message))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .started(let session, let sentences):
            try container.encode(Kind.started, forKey: .type)
            try container.encode(session, forKey: .session)
            try container.encode(sentences, forKey: .sentences)
        case .sentence(let number, let text):
            try container.encode(Kind.sentence, forKey: .type)
            try container.encode(number, forKey: .number)
            try container.encode(text, forKey: .text)
        case .heard(let number, let text, let outcome):
            try container.encode(Kind.heard, forKey: .type)
            try container.encode(number, forKey: .number)
            try container.encode(text, forKey: .text)
            try container.encode(outcome, forKey: .outcome)
        case .learning(let share):
            try container.encode(Kind.learning, forKey: .type)
            try container.encode((share * 1000).rounded() / 1000, forKey: .share)
        case .learnt(let profile, let kept, let unused):
            try container.encode(Kind.learnt, forKey: .type)
            try container.encode(profile, forKey: .profile)
            try container.encode(kept, forKey: .kept)
            try container.encode(unused, forKey: .unused)
        case .ended(let reason, let message):
            try container.encode(Kind.ended, forKey: .type)
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(message, forKey: .message)
        }
    }
}
