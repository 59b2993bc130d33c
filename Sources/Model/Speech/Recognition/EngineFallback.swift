/// An engine outside of the service that a session goes on without.
public struct EngineFallback: Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
        /// Nobody answers there.
        case unreachable
        /// It is served by somebody else than the service's user, root, or whom the administrator allows.
        case foreign
        /// It answered with an error.
        case refused
        /// It did not answer in time.
        case hung
        /// It closed the connection before it had answered.
        case died
        /// Its answer is not the protocol, or too long.
        case garbage
    }

    /// As the notice names it, such as `wyoming:unix:///run/user/1000/whisper.sock`.
    public let engine: String
    public let reason: Reason
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(engine: String, reason: Reason, message: String) {
        self.engine = engine
        self.reason = reason
        self.message = message
    }
}
