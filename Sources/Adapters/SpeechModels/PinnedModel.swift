import Foundation

/// A model that the person added: the files are right when they are as they were then.
public struct PinnedModel: Sendable, Hashable, Codable {
    public let id: String
    /// Where it was copied from, and when.
    public let origin: String
    public let date: Date
    /// SHA-256 of each file in hexadecimal, by its path in the model's folder.
    public let files: [String: String]
}
