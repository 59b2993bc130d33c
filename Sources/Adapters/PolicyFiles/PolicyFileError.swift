/// Why a policy file cannot be used.
public struct PolicyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case unreadable
        case notYAML
        /// More or deeper than a policy needs, or with anchors.
        case tooComplex
        /// A key that no rule has; it may be a misspelt one.
        case unknownKey
        /// A key by which somebody meant to allow something.
        case grants
        case missingKey
        case wrongType
        case invalidValue
        /// The kernel does not let us watch the folder.
        case notWatched
    }

    public let code: Code
    /// In the file, from 1, where known.
    public let line: Int?
    /// A sentence that says what is wrong and what to do.
    public let message: String

    public init(code: Code, line: Int? = nil, message: String) {
        self.code = code
        self.line = line
        self.message = message
    }

    public var description: String { line.map { "Line \($0): \(message)" } ?? message }
}
