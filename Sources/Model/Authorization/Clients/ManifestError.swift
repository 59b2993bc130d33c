/// Why a manifest cannot be used.
public struct ManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Larger than `Manifest.sizeLimit`; nothing was parsed.
        case tooLarge
        /// Neither an XML nor a binary property list.
        case notPropertyList
        /// More levels or entries than a manifest has.
        case tooComplex
        /// The top level is not a dictionary.
        case notDictionary
        case missingKey
        case wrongType
        case invalidValue
    }

    public let code: Code
    /// The key it is about, where it is about one.
    public let key: String?
    /// The file, where known.
    public let path: String?
    /// What is wrong and what to do, as sentences.
    public let message: String

    public init(code: Code, key: String? = nil, path: String? = nil, message: String) {
        self.code = code
        self.key = key
        self.path = path
        self.message = message
    }

    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
