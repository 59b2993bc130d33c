import Authorization
import Foundation
import Speech

/// The answer to OpenAI's transcription call in the format `json`.
public struct OpenAITranscription: Sendable, Hashable, Codable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// The answer to OpenAI's transcription call in the format `verbose_json`. Times are seconds of the file.
public struct OpenAIVerboseTranscription: Sendable, Hashable, Codable {
    public struct Word: Sendable, Hashable, Codable {
        public var word: String
        public var start: Double
        public var end: Double

        public init(_ word: TranscribedWord) {
            self.word = word.word
            start = word.start
            end = word.end
        }
    }

    /// Always `transcribe`.
    public var task: String
    /// In English and lower case, as Whisper writes it: `english`.
    public var language: String
    /// Of the whole file.
    public var duration: Double
    public var text: String
    /// Absent if only words were requested.
    public var segments: [OpenAISegment]?
    /// Absent unless they were requested.
    public var words: [Word]?

    /// - Parameter transcripts: empty ones are left out.
    public init(
        _ transcripts: [Transcript], duration: Double, language: String, granularities: Set<OpenAIGranularity>
    ) {
        let spoken = transcripts.filter { !$0.text.isEmpty }
        task = "transcribe"
        self.language = language
        self.duration = duration
        text = spoken.map(\.text).joined(separator: " ")
        if granularities.contains(.segment) {
            segments = spoken.enumerated().map { OpenAISegment($0.element, number: $0.offset) }
        }
        if granularities.contains(.word) { words = spoken.flatMap(\.words).map(Word.init) }
    }
}

/// An utterance, with Whisper's fields. Those without a meaning for this recogniser have a constant value, that of certain
/// speech.
public struct OpenAISegment: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, seek, start, end, text, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
        case noisyDecibels = "noisy_decibels"
    }

    /// Counted from 0.
    public var id: Int
    /// The utterance's start in hundredths of a second, the unit of Whisper's windows.
    public var seek: Int
    public var start: Double
    public var end: Double
    public var text: String
    /// Empty: words are not cut into tokens.
    public var tokens: [Int]
    /// 0: decoding is deterministic.
    public var temperature: Double
    /// The mean of the natural logarithms of the words' confidences; a confidence counts as at least 0.0001.
    public var averageLogProbability: Double
    /// 1: the text never repeats itself without speech.
    public var compressionRatio: Double
    /// 0: without speech there is no segment.
    public var noSpeechProbability: Double
    /// VoiceGate's own, present only if the text is unreliable: decibels of the speech above its noise.
    public var noisyDecibels: Double?

    public init(_ transcript: Transcript, number: Int) {
        id = number
        seek = Int((transcript.start * 100).rounded())
        start = transcript.start
        end = transcript.end
        text = transcript.text
        tokens = []
        temperature = 0
        let logarithms = transcript.words.map { log(min(max($0.confidence, 0.0001), 1)) }
        averageLogProbability = logarithms.isEmpty ? 0 : logarithms.reduce(0, +) / Double(logarithms.count)
        compressionRatio = 1
        noSpeechProbability = 0
        noisyDecibels = transcript.noisyDecibels
    }
}

/// An event of OpenAI's transcription stream: `{"type":"transcript.text.delta","delta":"go forward"}`. After an error the last event
/// is `{"error":…}` instead, with the detail of an `OpenAIError`.
public enum OpenAITranscriptEvent: Sendable, Hashable, Encodable {
    /// More of the text, with the space before it.
    case delta(String)
    /// The whole text. The last event.
    case done(String)

    private enum CodingKeys: String, CodingKey { case type, delta, text }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .delta(let text): try encoder.encode([CodingKeys.type: "transcript.text.delta", .delta: text])
        case .done(let text): try encoder.encode([CodingKeys.type: "transcript.text.done", .text: text])
        }
    }
}

/// The form's field `timestamp_granularities[]` of OpenAI's transcription call.
public enum OpenAIGranularity: String, Sendable, Codable, Hashable, CaseIterable {
    case segment, word
}

/// The form's field `response_format` of OpenAI's transcription call.
public enum OpenAIResponseFormat: String, Sendable, Codable, Hashable, CaseIterable {
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
public struct OpenAIModel: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, object, created, name, version, languages, aliases
        case ownedBy = "owned_by"
    }

    /// Of PocketSphinx's model or of an installed engine; `engine`: that of config.yaml.
    public var id: String
    /// Always `model`.
    public var object: String
    /// When its folder was last changed, in seconds since 1970.
    public var created: Int
    /// Its package, or `local`.
    public var ownedBy: String
    /// The engine's, as records have it; absent if unknown.
    public var name: String?
    public var version: String?
    /// BCP 47; absent: the engine does not declare them.
    public var languages: [String]?
    /// Other names that a transcription may use.
    public var aliases: [String]

    public init(
        id: String, created: Int, ownedBy: String, name: String?, version: String?, languages: [String]?,
        aliases: [String]
    ) {
        self.id = id
        object = "model"
        self.created = created
        self.ownedBy = ownedBy
        self.name = name
        self.version = version
        self.languages = languages
        self.aliases = aliases
    }
}

/// `GET /v1/models`
public struct OpenAIModelList: Sendable, Hashable, Codable {
    /// Always `list`.
    public var object: String
    public var data: [OpenAIModel]

    public init(_ models: [OpenAIModel]) {
        object = "list"
        data = models
    }
}

/// The body of every error of OpenAI's calls, with VoiceGate's own fields.
public struct OpenAIError: Sendable, Hashable, Codable {
    public struct Detail: Sendable, Hashable, Codable {
        public var message: String
        /// `permission_error`, `invalid_request_error`, `rate_limit_error` or `server_error`.
        public var type: String
        /// The field of the form that it is about.
        public var param: String?
        public var code: OpenAIErrorCode
        /// The code of VoiceGate's own calls: a `RefusalCode` or an `ErrorCode`.
        public var reason: String
        /// As in `ErrorReply`.
        public var status: AuthorizationStatus?
        public var resource: Resource?
        public var client: String?
        public var settings: String?

        /// `param` is always present, as in OpenAI's errors.
        public func encode(to encoder: any Encoder) throws {
            try encoder.encode([
                CodingKeys.message: message, .type: type, .param: param as any Encodable, .code: code, .reason: reason,
                .status: status, .resource: resource, .client: client, .settings: settings,
            ])
        }
    }

    /// As in `ErrorReply`; `status` is that of this answer.
    public var type: String?
    public var title: String?
    public var status: Int?
    public var detail: String?
    public var error: Detail

    /// - Parameters:
    ///   - reply: with the members of RFC 9457 for this answer.
    ///   - code: OpenAI's.
    ///   - parameter: the field of the form that it is about.
    public init(_ reply: ErrorReply, code: OpenAIErrorCode, parameter: String? = nil) {
        (type, title, status) = (reply.type, reply.title, reply.status)
        self.detail = reply.detail
        let detail = reply.error
        error = Detail(
            message: detail.message, type: code.type, param: parameter, code: code, reason: detail.code,
            status: detail.status, resource: detail.resource, client: detail.client, settings: detail.settings)
    }
}

/// Codes of OpenAI's calls, each with its status.
public enum OpenAIErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
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

    public var type: String {
        switch self {
        case .permissionDenied: "permission_error"
        case .invalidValue, .invalidFile, .modelNotFound, .tooLarge: "invalid_request_error"
        case .busy: "rate_limit_error"
        case .recognizerUnavailable, .storageUnavailable, .internalError: "server_error"
        }
    }
}
