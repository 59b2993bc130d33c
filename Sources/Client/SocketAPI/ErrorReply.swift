import Authorization

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
