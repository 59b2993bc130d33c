import Authorization
// The paths and the JSON of both sides.
@_exported import VoiceGateWire

/// The body of every error, by RFC 9457 as `application/problem+json`:
/// `{"type":"urn:voicegate:error:busy","title":"Too Many Requests","status":429,"detail":…,"error":{"code":"busy","message":…}}`.
extension ErrorReply: Error, CustomStringConvertible {
    public init(
        code: String, message: String, status: AuthorizationStatus? = nil, resource: Resource? = nil,
        client: String? = nil, settings: String? = nil
    ) {
        self.init(
            error: Detail(
                code: code, message: message, status: status, resource: resource, client: client, settings: settings))
    }

    public init(_ refusal: AuthorizationError) {
        self.init(
            code: refusal.code.rawValue, message: refusal.message, status: refusal.status, resource: refusal.resource,
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

extension ErrorReply {
    /// How each interface answers with a code, a `RefusalCode` or an `ErrorCode`; `nil` for one that this version does not know.
    public static func answer(with code: String) -> ErrorAnswer? {
        RefusalCode(rawValue: code)?.answer ?? ErrorCode(rawValue: code)?.answer
    }
}

extension ErrorCode {
    public var answer: ErrorAnswer {
        switch self {
        case .badRequest: (400, 70, nil)
        case .clientGone: (400, 69, nil)
        case .notAllowed: (403, 77, nil)
        case .notFound: (404, 66, nil)
        case .methodNotAllowed: (405, 66, nil)
        case .clientStalled: (408, 69, nil)
        case .deviceBusy, .outdated, .conflict: (409, 75, nil)
        case .tooEarly: (409, 75, 1)
        case .tooLarge: (413, 65, nil)
        case .badAudio: (415, 65, nil)
        case .invalidValue: (422, 64, nil)
        case .busy: (429, 75, 5)
        case .internalError: (500, 70, nil)
        case .deviceUnavailable, .recognizerUnavailable, .storageUnavailable, .serviceStalled: (503, 69, nil)
        case .unavailable: (503, 75, 1)
        }
    }
}

extension Dictionary where Key == Resource {
    /// An object's fields; those that are not a resource of this version are left out.
    init(named fields: [String: Value]) {
        self.init(
            uniqueKeysWithValues: fields.compactMap { name, value in Resource(rawValue: name).map { ($0, value) } })
    }

    var named: [String: Value] { .init(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) }) }
}
