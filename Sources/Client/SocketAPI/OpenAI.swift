import Authorization
import Foundation
import Speech

/// What OpenAI's transcription call answers with as `json`.
public struct OpenAITranscription: Sendable, Hashable, Codable {
    public var text: String

    public init(text: String) { self.text = text }
}

/// What OpenAI's transcription call answers with as `verbose_json`. Times in seconds of the file.
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
    /// In English and small letters, as Whisper writes it: `english`.
    public var language: String
    /// Of the whole file.
    public var duration: Double
    public var text: String
    /// Absent where only words were asked for.
    public var segments: [OpenAISegment]?
    /// Absent unless they were asked for.
    public var words: [Word]?

    /// - Parameter transcripts: those without words are left out.
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

/// An utterance, with the fields that Whisper has. Some of them have no meaning for this recogniser; those are always
/// the same, and the same as of speech that nobody has to doubt.
public struct OpenAISegment: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, seek, start, end, text, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
    }

    /// Counted from 0.
    public var id: Int
    /// Hundredths of a second before the utterance; Whisper counts its own window so.
    public var seek: Int
    public var start: Double
    public var end: Double
    public var text: String
    /// Empty: words are not cut into tokens.
    public var tokens: [Int]
    /// 0: nothing is left to chance.
    public var temperature: Double
    /// The mean of the natural logarithms of the words' confidences; a confidence counts as at least 0.0001.
    public var averageLogProbability: Double
    /// 1: a text is only what was heard, and never repeats itself for want of speech.
    public var compressionRatio: Double
    /// 0: where no voice was heard there is no segment.
    public var noSpeechProbability: Double

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
    }
}

/// An event of OpenAI's transcription stream: `{"type":"transcript.text.delta","delta":"go forward"}`.
public enum OpenAITranscriptEvent: Sendable, Hashable, Encodable {
    /// More of the text, with the blank that parts it from what came before.
    case delta(String)
    /// The whole text. The last event.
    case done(String)

    private enum CodingKeys: String, CodingKey { case type, delta, text }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .delta(let text):
            try container.encode("transcript.text.delta", forKey: .type)
            try container.encode(text, forKey: .delta)
        case .done(let text):
            try container.encode("transcript.text.done", forKey: .type)
            try container.encode(text, forKey: .text)
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
    /// The text and a line's end.
    case text
    /// SubRip subtitles.
    case srt
    /// `OpenAIVerboseTranscription`
    case verboseJSON = "verbose_json"
    /// WebVTT subtitles.
    case vtt
}

/// `GET /v1/models/{model}`: what recognises.
public struct OpenAIModel: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, object, created, language, aliases
        case ownedBy = "owned_by"
    }

    public var id: String
    /// Always `model`.
    public var object: String
    /// When its folder was last changed, in seconds since 1970.
    public var created: Int
    /// The Debian package that it is of, or `local`.
    public var ownedBy: String
    /// BCP 47, as far as it is known.
    public var language: String?
    /// Other names that a transcription may ask for it by.
    public var aliases: [String]

    public init(id: String, created: Int, ownedBy: String, language: String?, aliases: [String]) {
        self.id = id
        object = "model"
        self.created = created
        self.ownedBy = ownedBy
        self.language = language
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

/// The body of every answer to OpenAI's calls that is no success, with what VoiceGate says of it besides.
public struct OpenAIError: Sendable, Hashable, Codable {
    public struct Detail: Sendable, Hashable, Codable {
        public var message: String
        /// `permission_error`, `invalid_request_error`, `rate_limit_error` or `server_error`.
        public var type: String
        /// The form's field that is meant.
        public var param: String?
        public var code: OpenAIErrorCode
        /// The code of VoiceGate's own calls: a `RefusalCode` or an `ErrorCode`.
        public var reason: String
        /// As in `ErrorReply`.
        public var status: AuthorizationStatus?
        public var resource: Resource?
        public var client: String?
        public var settings: String?

        /// `param` is there in any case, as OpenAI has it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(message, forKey: .message)
            try container.encode(type, forKey: .type)
            try container.encode(param, forKey: .param)
            try container.encode(code, forKey: .code)
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(status, forKey: .status)
            try container.encodeIfPresent(resource, forKey: .resource)
            try container.encodeIfPresent(client, forKey: .client)
            try container.encodeIfPresent(settings, forKey: .settings)
        }
    }

    public var error: Detail

    public init(_ reply: ErrorReply, code: OpenAIErrorCode, parameter: String? = nil) {
        let told = reply.error
        error = Detail(
            message: told.message, type: code.type, param: parameter, code: code, reason: told.code,
            status: told.status, resource: told.resource, client: told.client, settings: told.settings)
    }
}

/// Codes of OpenAI's calls, each with its status.
public enum OpenAIErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 403: the gate, or a rule of who may call what. `reason` and `settings` say more.
    case permissionDenied = "permission_denied"
    /// 400: a field that is missing, unknown, or has no value that is taken.
    case invalidValue = "invalid_value"
    /// 400: the file is no sound that can be read.
    case invalidFile = "invalid_file"
    /// 404
    case modelNotFound = "model_not_found"
    /// 413
    case tooLarge = "too_large"
    /// 429: as many sessions run as may. Worth another try.
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
