import Foundation

/// A signed checkpoint that is kept, not yet checked.
public struct StoredCheckpoint: Sendable, Hashable {
    public let size: Int64
    /// The signed note.
    public let note: Data

    public init(size: Int64, note: Data) {
        self.size = size
        self.note = note
    }
}
