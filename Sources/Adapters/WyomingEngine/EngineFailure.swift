import Speech

/// Why an engine outside of the service gave no text.
public struct EngineFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: EngineFallback.Reason
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: EngineFallback.Reason, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
