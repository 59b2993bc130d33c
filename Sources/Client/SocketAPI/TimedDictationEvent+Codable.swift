import Authorization
import Speech

/// A line of a dictation's stream: `{"type":"partial","time":1.2,"text":"so far","stablePrefix":0}`.
extension TimedDictationEvent: Codable {
    private enum Kind: String, Codable {
        case started, speechStarted, partial, final, level, paused, resumed, overrun, noisy, ended, progress, fallback
    }

    private enum CodingKeys: String, CodingKey {
        case type, time, session, device, grants, at, text, stablePrefix, start, end, words, decibels, reason
        case lostFrames, message, seconds, duration
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let event: DictationEvent
        switch try container.decode(Kind.self, forKey: .type) {
        case .started:
            let grants = try container.decode([String: String].self, forKey: .grants)
            event = .started(
                session: try container.decode(String.self, forKey: .session),
                device: try container.decodeIfPresent(String.self, forKey: .device),
                grants: Dictionary(
                    uniqueKeysWithValues: grants.compactMap { key, value in Resource(rawValue: key).map { ($0, value) }
                    }
                ))
        case .speechStarted:
            event = .speechStarted(at: try container.decode(Double.self, forKey: .at))
        case .partial:
            event = .partial(try PartialTranscript(from: decoder))
        case .final:
            event = .final(try Transcript(from: decoder))
        case .level:
            event = .level(try container.decode(Double.self, forKey: .decibels))
        case .paused:
            event = .paused(reason: try container.decode(PauseReason.self, forKey: .reason))
        case .resumed:
            event = .resumed(reason: try container.decode(PauseReason.self, forKey: .reason))
        case .overrun:
            event = .overrun(lostFrames: try container.decode(Int64.self, forKey: .lostFrames))
        case .noisy:
            event = .noisy(decibels: try container.decode(Double.self, forKey: .decibels))
        case .fallback:
            event = .fallback(try EngineFallback(from: decoder))
        case .progress:
            event = .progress(
                seconds: try container.decode(Double.self, forKey: .seconds),
                duration: try container.decodeIfPresent(Double.self, forKey: .duration))
        case .ended:
            event = .ended(
                try container.decode(DictationEnding.self, forKey: .reason),
                message: try container.decodeIfPresent(String.self, forKey: .message))
        }
        self.init(time: try container.decode(Double.self, forKey: .time), event: event)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode((time * 1000).rounded() / 1000, forKey: .time)
        switch event {
        case .started(let session, let device, let grants):
            try container.encode(Kind.started, forKey: .type)
            try container.encode(session, forKey: .session)
            try container.encodeIfPresent(device, forKey: .device)
            try container.encode(
                Dictionary(uniqueKeysWithValues: grants.map { ($0.key.rawValue, $0.value) }), forKey: .grants)
        case .speechStarted(let at):
            try container.encode(Kind.speechStarted, forKey: .type)
            try container.encode(at, forKey: .at)
        case .partial(let partial):
            try container.encode(Kind.partial, forKey: .type)
            try partial.encode(to: encoder)
        case .final(let transcript):
            try container.encode(Kind.final, forKey: .type)
            try transcript.encode(to: encoder)
        case .level(let decibels):
            try container.encode(Kind.level, forKey: .type)
            try container.encode(decibels, forKey: .decibels)
        case .paused(let reason):
            try container.encode(Kind.paused, forKey: .type)
            try container.encode(reason, forKey: .reason)
        case .resumed(let reason):
            try container.encode(Kind.resumed, forKey: .type)
            try container.encode(reason, forKey: .reason)
        case .overrun(let lostFrames):
            try container.encode(Kind.overrun, forKey: .type)
            try container.encode(lostFrames, forKey: .lostFrames)
        case .noisy(let decibels):
            try container.encode(Kind.noisy, forKey: .type)
            try container.encode((decibels * 10).rounded() / 10, forKey: .decibels)
        case .fallback(let fallback):
            try container.encode(Kind.fallback, forKey: .type)
            try fallback.encode(to: encoder)
        case .progress(let seconds, let duration):
            try container.encode(Kind.progress, forKey: .type)
            try container.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
            try container.encodeIfPresent(duration.map { ($0 * 1000).rounded() / 1000 }, forKey: .duration)
        case .ended(let reason, let message):
            try container.encode(Kind.ended, forKey: .type)
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(message, forKey: .message)
        }
    }
}
