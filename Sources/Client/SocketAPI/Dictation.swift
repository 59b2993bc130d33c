import Authorization
import Foundation
import Speech

/// A line of a dictation's stream: `{"type":"partial","time":1.2,"text":"so far","stablePrefix":0,"stableText":""}`.
extension TimedDictationEvent: Codable {
    private enum Kind: String, Codable {
        case started, speechStarted, partial, final, level, sound, paused, resumed, overrun, noSound, ended, progress
    }

    private enum CodingKeys: String, CodingKey {
        case type, time, session, device, grants, at, text, stableText, start, end, words, decibels, samples, reason
        case lostFrames, cause, message, seconds, duration
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let event: DictationEvent =
            switch try fields.known(.type) as Kind {
            case .started:
                .started(
                    session: try fields[.session], device: try fields.decodeIfPresent(String.self, forKey: .device),
                    grants: .init(named: try fields[.grants]))
            case .speechStarted: .speechStarted(at: try fields[.at])
            case .partial: .partial(try PartialTranscript(from: decoder))
            case .final: .final(try Transcript(from: decoder))
            case .level: .level(try fields[.decibels])
            case .sound: .sound(Frames.samples(of: [UInt8](try fields[.samples] as Data)))
            case .paused: .paused(reason: try fields[.reason])
            case .resumed: .resumed(reason: try fields[.reason])
            case .overrun:
                .overrun(
                    lostFrames: try fields[.lostFrames],
                    cause: try fields.decodeIfPresent(LossCause.self, forKey: .cause) ?? .overrun)
            case .noSound: .noSound(decibels: try fields[.decibels])
            case .progress:
                .progress(
                    seconds: try fields[.seconds], duration: try fields.decodeIfPresent(Double.self, forKey: .duration))
            case .ended: .ended(try fields[.reason], message: try fields.decodeIfPresent(String.self, forKey: .message))
            }
        self.init(time: try fields[.time], event: event)
    }

    public func encode(to encoder: any Encoder) throws {
        func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
        try encoder.encode([CodingKeys.time: milliseconds(time)])
        let fields: KeyValuePairs<CodingKeys, (any Encodable)?>
        switch event {
        case .started(let session, let device, let grants):
            fields = [.type: Kind.started, .session: session, .device: device, .grants: grants.named]
        case .speechStarted(let at): fields = [.type: Kind.speechStarted, .at: at]
        case .partial(let partial):
            fields = [.type: Kind.partial, .stableText: partial.stableText]
            try partial.encode(to: encoder)
        case .final(let transcript):
            fields = [.type: Kind.final]
            try transcript.encode(to: encoder)
        case .level(let decibels): fields = [.type: Kind.level, .decibels: decibels]
        case .sound(let samples): fields = [.type: Kind.sound, .samples: Data(Frames.bytes(of: samples))]
        case .paused(let reason): fields = [.type: Kind.paused, .reason: reason]
        case .resumed(let reason): fields = [.type: Kind.resumed, .reason: reason]
        case .overrun(let lostFrames, let cause):
            fields = [
                .type: Kind.overrun, .lostFrames: lostFrames, .cause: cause == .overrun ? nil : cause,
            ]
        case .noSound(let decibels): fields = [.type: Kind.noSound, .decibels: decibels]
        case .progress(let seconds, let duration):
            fields = [
                .type: Kind.progress, .seconds: milliseconds(seconds), .duration: duration.map(milliseconds),
            ]
        case .ended(let reason, let message): fields = [.type: Kind.ended, .reason: reason, .message: message]
        }
        try encoder.encode(fields)
    }
}

/// With the media type `mediaType`, the body of `POST /v1/audio/transcriptions` is this as JSON in one line, then the file.
extension TranscriptionRequest {
    public static let mediaType = "application/x-voicegate-transcription"
    /// Bytes of the line.
    public static let longestLine = 1_048_576

    public var isEmpty: Bool { self == TranscriptionRequest() }
}

extension TranscriptionReply {
    public init(segments: [Transcript]) {
        self.init(text: segments.map(\.text).filter { !$0.isEmpty }.joined(separator: " "), segments: segments)
    }
}
