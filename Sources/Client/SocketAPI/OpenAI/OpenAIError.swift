import Authorization

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
