import Foundation

/// A translation as it lies beside a manifest.
public struct Translation: Sendable, Hashable {
    /// The folder's name without `.lproj`.
    public let language: String
    public let data: Data

    public init(language: String, data: Data) {
        self.language = language
        self.data = data
    }

    var file: String { "\(language).lproj/InfoPlist.strings" }
}
