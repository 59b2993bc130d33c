import Authorization
// The paths and the JSON of both sides.
@_exported import VoiceGateWire

/// The body of every error, by RFC 9457 as `application/problem+json`:
/// `{"type":"urn:voicegate:error:busy","title":"Too Many Requests","status":429,"detail":…,"error":{"code":"busy","message":…}}`.
public struct ErrorReply: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    public struct Detail: Sendable, Hashable, Codable {
        /// For programs: a `RefusalCode` or an `ErrorCode`.
        public var code: String
        /// For people: what happened and what to do next.
        public var message: String
        /// The status after a request for permission.
        public var status: AuthorizationStatus?
        public var resource: Resource?
        public var client: String?
        /// The command that changes the decision.
        public var settings: String?
    }

    /// `urn:voicegate:error:` and the code; set by `setProblem`, as the three after it.
    public var type: String?
    /// The HTTP status in words.
    public var title: String?
    /// The HTTP status.
    public var status: Int?
    /// The message of `error`.
    public var detail: String?
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

    /// Sets the members of RFC 9457.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - title: the same in words.
    public mutating func setProblem(status: Int, title: String) {
        type = "urn:voicegate:error:" + error.code
        (self.status, self.title, detail) = (status, title, error.message)
    }
}

/// Codes of errors that are not refusals by the gate, which have the raw values of `RefusalCode`.
public enum ErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 400: the request cannot be read.
    case badRequest
    /// 403: this caller may not do this.
    case notAllowed
    /// 409: an answer to a prompt that was shown too briefly to be read; the prompt still waits.
    case tooEarly
    /// 409: what a decision is about has changed since it was shown. Read it again.
    case outdated
    /// 408: the client let the service wait too long for the rest of its request.
    case clientStalled
    /// 400: the client closed the connection, or its sending side, in the middle of its request.
    case clientGone
    /// 503: the service did not read the request in time; nothing is wrong with it.
    case serviceStalled
    /// 404
    case notFound
    /// 405: the header `Allow` names the path's methods.
    case methodNotAllowed
    /// 409: another program uses the capture device.
    case deviceBusy
    /// 413
    case tooLarge
    /// 415: not a readable sound file.
    case badAudio
    /// 422: values are out of range or contradict each other.
    case invalidValue
    /// 503: a device, the recogniser, or the storage is not available.
    case deviceUnavailable
    case recognizerUnavailable
    case storageUnavailable
    /// 409: in conflict with what there is: something is in use, or there are as many of it as there may be.
    case conflict
    /// 429: as many run as may run at a time. `Retry-After` has seconds.
    case busy
    /// 503: the service takes no more connections now, or it stops. `Retry-After` has seconds.
    case unavailable
    /// 500
    case internalError
}

extension Dictionary where Key == Resource {
    /// An object's fields; those that are not a resource of this version are left out.
    init(named fields: [String: Value]) {
        self.init(
            uniqueKeysWithValues: fields.compactMap { name, value in Resource(rawValue: name).map { ($0, value) } })
    }

    var named: [String: Value] { .init(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) }) }
}
