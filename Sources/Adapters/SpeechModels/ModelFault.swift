/// What is wrong with a file of a model.
public struct ModelFault: Sendable, Hashable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, Codable {
        case missing, changed, added
    }

    /// Its path in the model's folder.
    public let file: String
    public let kind: Kind

    public init(file: String, kind: Kind) {
        self.file = file
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .missing: "\(file) is missing"
        case .changed: "\(file) was changed"
        case .added: "\(file) does not belong to it"
        }
    }
}
