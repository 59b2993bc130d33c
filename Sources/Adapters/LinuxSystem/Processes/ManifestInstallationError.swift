/// Why a manifest was not installed or removed.
public struct ManifestInstallationError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another manifest with this identifier comes first.
        case taken
        case failed
    }

    public let code: Code
    /// A sentence.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
