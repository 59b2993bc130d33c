import Authorization
import Foundation
import SocketAPI
import Speech

/// The answer to OpenAI's transcription call in the format `json`.
struct OpenAITranscription: Sendable, Encodable {
    let text: String
}

/// The answer to OpenAI's transcription call in the format `verbose_json`. Times are seconds of the file.
struct OpenAIVerboseTranscription: Sendable, Encodable {
    struct Word: Sendable, Encodable {
        let word: String
        let start: Double
        let end: Double
    }

    let task = "transcribe"
    /// In English and lower case, as Whisper writes it: `english`.
    var language: String
    /// Of the whole file.
    var duration: Double
    var text: String
    /// Absent if only words were requested.
    var segments: [OpenAISegment]?
    /// Absent unless they were requested.
    var words: [Word]?

    /// - Parameter transcripts: empty ones are left out.
    init(
        _ transcripts: [Transcript], duration: Double, language: String, granularities: Set<OpenAIGranularity>
    ) {
        let spoken = transcripts.filter { !$0.text.isEmpty }
        (self.language, self.duration) = (language, duration)
        text = spoken.map(\.text).joined(separator: " ")
        if granularities.contains(.segment) {
            segments = spoken.enumerated().map { OpenAISegment($0.element, number: $0.offset) }
        }
        if granularities.contains(.word) {
            words = spoken.flatMap(\.words).map { Word(word: $0.word, start: $0.start, end: $0.end) }
        }
    }
}

/// An utterance, with Whisper's fields. Those without a meaning for this recogniser have a constant value, that of certain
/// speech.
struct OpenAISegment: Sendable, Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, seek, start, end, text, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
        case noisyDecibels = "noisy_decibels"
    }

    /// Counted from 0.
    var id: Int
    /// The utterance's start in hundredths of a second, the unit of Whisper's windows.
    var seek: Int
    var start: Double
    var end: Double
    var text: String
    /// Empty: words are not cut into tokens.
    let tokens: [Int] = []
    /// 0: decoding is deterministic.
    let temperature = 0.0
    /// The mean of the natural logarithms of the words' confidences; a confidence counts as at least 0.0001.
    var averageLogProbability: Double
    /// 1: the text never repeats itself without speech.
    let compressionRatio = 1.0
    /// 0: without speech there is no segment.
    let noSpeechProbability = 0.0
    /// VoiceGate's own, present only if the text is unreliable: decibels of the speech above its noise.
    var noisyDecibels: Double?

    init(_ transcript: Transcript, number: Int) {
        (id, seek) = (number, Int((transcript.start * 100).rounded()))
        (start, end, text) = (transcript.start, transcript.end, transcript.text)
        let logarithms = transcript.words.map { log(min(max($0.confidence, 0.0001), 1)) }
        averageLogProbability = logarithms.isEmpty ? 0 : logarithms.reduce(0, +) / Double(logarithms.count)
        noisyDecibels = transcript.noisyDecibels
    }
}

/// An event of OpenAI's transcription stream: `{"type":"transcript.text.delta","delta":"go forward"}`. After an error the last event
/// is `{"error":…}` instead, with the detail of an `OpenAIError`.
enum OpenAITranscriptEvent: Sendable, Hashable, Encodable {
    /// More of the text, with the space before it.
    case delta(String)
    /// The whole text. The last event.
    case done(String)

    private enum CodingKeys: String, CodingKey { case type, delta, text }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .delta(let text): try encoder.encode([CodingKeys.type: "transcript.text.delta", .delta: text])
        case .done(let text): try encoder.encode([CodingKeys.type: "transcript.text.done", .text: text])
        }
    }
}

/// The form's field `timestamp_granularities[]` of OpenAI's transcription call.
enum OpenAIGranularity: String, Sendable, Codable, CaseIterable {
    case segment, word
}

/// The form's field `response_format` of OpenAI's transcription call.
enum OpenAIResponseFormat: String, Sendable, Codable, CaseIterable {
    /// `OpenAITranscription`
    case json
    /// The text and a line feed.
    case text
    /// SubRip subtitles.
    case srt
    /// `OpenAIVerboseTranscription`
    case verboseJSON = "verbose_json"
    /// WebVTT subtitles.
    case vtt
}

/// `GET /v1/models/{model}`: an engine that recognises sound files.
struct OpenAIModel: Sendable, Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, object, created, name, version, languages, aliases
        case ownedBy = "owned_by"
    }

    /// Of PocketSphinx's model or of an installed engine; `engine`: that of config.yaml.
    var id: String
    let object = "model"
    /// When its folder was last changed, in seconds since 1970.
    var created: Int
    /// Its package, or `local`.
    var ownedBy: String
    /// The engine's, as records have it; absent if unknown.
    var name: String?
    var version: String?
    /// BCP 47; absent: the engine does not declare them.
    var languages: [String]?
    /// Other names that a transcription may use.
    var aliases: [String]
}

/// `GET /v1/models`
struct OpenAIModelList: Sendable, Encodable {
    let object = "list"
    let data: [OpenAIModel]
}

/// The body of every error of OpenAI's calls, with VoiceGate's own fields.
struct OpenAIError: Sendable, Encodable {
    struct Detail: Sendable, Codable {
        var message: String
        /// `permission_error`, `invalid_request_error`, `rate_limit_error` or `server_error`.
        var type: String
        /// The field of the form that it is about.
        var param: String?
        var code: OpenAIErrorCode
        /// The code of VoiceGate's own calls: a `RefusalCode` or an `ErrorCode`.
        var reason: String
        /// As in `ErrorReply`.
        var status: AuthorizationStatus?
        var resource: Resource?
        var client: String?
        var settings: String?

        /// `param` is always present, as in OpenAI's errors.
        func encode(to encoder: any Encoder) throws {
            try encoder.encode([
                CodingKeys.message: message, .type: type, .param: param as any Encodable, .code: code, .reason: reason,
                .status: status, .resource: resource, .client: client, .settings: settings,
            ])
        }
    }

    /// As in `ErrorReply`; `status` is that of this answer.
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?
    var error: Detail

    /// - Parameters:
    ///   - reply: with the members of RFC 9457 for this answer.
    ///   - code: OpenAI's.
    ///   - parameter: the field of the form that it is about.
    init(_ reply: ErrorReply, code: OpenAIErrorCode, parameter: String? = nil) {
        (type, title, status) = (reply.type, reply.title, reply.status)
        self.detail = reply.detail
        let detail = reply.error
        error = Detail(
            message: detail.message, type: code.type, param: parameter, code: code, reason: detail.code,
            status: detail.status, resource: detail.resource, client: detail.client, settings: detail.settings)
    }
}

/// Codes of OpenAI's calls, each with its status.
enum OpenAIErrorCode: String, Sendable, Codable, CaseIterable {
    /// 403: refused by the gate, or this caller may not call it; see `reason` and `settings`.
    case permissionDenied = "permission_denied"
    /// 400: a field is missing, unknown, or has an unusable value.
    case invalidValue = "invalid_value"
    /// 400: the file is not a readable sound file.
    case invalidFile = "invalid_file"
    /// 404
    case modelNotFound = "model_not_found"
    /// 413
    case tooLarge = "too_large"
    /// 429: the largest number of sessions is running. Try again later.
    case busy
    /// 503: the recogniser failed.
    case recognizerUnavailable = "recognizer_unavailable"
    /// 503: the log cannot be written.
    case storageUnavailable = "storage_unavailable"
    /// 500
    case internalError = "internal_error"

    var type: String {
        switch self {
        case .permissionDenied: "permission_error"
        case .invalidValue, .invalidFile, .modelNotFound, .tooLarge: "invalid_request_error"
        case .busy: "rate_limit_error"
        case .recognizerUnavailable, .storageUnavailable, .internalError: "server_error"
        }
    }
}
