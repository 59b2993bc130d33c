import Authorization
import Foundation

/// The body of every answer that is not a success: `{"error":{"code":…,"message":…}}`.
public struct ErrorReply: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    public struct Detail: Sendable, Hashable, Codable {
        /// For programs: a `RefusalCode`, or one of `ErrorReply`'s constants.
        public var code: String
        /// For people: what happened and what to do next.
        public var message: String
        /// The status that a request for permission came to.
        public var status: AuthorizationStatus?
        public var resource: Resource?
        public var client: String?
        /// The command that changes the decision.
        public var settings: String?
    }

    public var error: Detail

    public init(
        code: String, message: String, status: AuthorizationStatus? = nil, resource: Resource? = nil,
        client: String? = nil, settings: String? = nil
    ) {
        error = Detail(
            code: code, message: message, status: status, resource: resource, client: client, settings: settings)
    }

    public init(_ refusal: AuthorizationError, status: AuthorizationStatus) {
        self.init(
            code: refusal.code.rawValue, message: refusal.message, status: status, resource: refusal.resource,
            client: refusal.client.rawValue, settings: refusal.settings)
    }

    public var description: String { error.message }
}

/// Codes of errors that are no refusals of the gate. Refusals (403) bear the raw values of `RefusalCode`.
public enum ErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 400: the request's text is not what the API takes.
    case badRequest
    /// 403: this caller may not do this (answer this prompt, change settings).
    case notAllowed
    /// 409: an answer to a prompt that nobody can have read yet; the prompt goes on waiting.
    case tooEarly
    /// 404
    case notFound
    /// 405: the path takes other methods; the header `Allow` names them.
    case methodNotAllowed
    /// 409: the capture device is held by another program.
    case deviceBusy
    /// 413
    case tooLarge
    /// 415: not a sound file that can be read.
    case badAudio
    /// 422: the values do not fit together or are out of range.
    case invalidValue
    /// 503: a device, the recogniser, or the storage is not available.
    case deviceUnavailable
    case recognizerUnavailable
    case storageUnavailable
    /// 409: too many sessions.
    case busy
    /// 500
    case internalError
}

/// How JSON goes over the socket: dates as ISO 8601 in UTC with milliseconds, keys in order, so that answers can be compared.
public enum JSONCoding {
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return encoder
    }

    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: style)
        }
        return decoder
    }

    /// A time as it is in JSON.
    public static func text(_ date: Date) -> String { date.formatted(style) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
