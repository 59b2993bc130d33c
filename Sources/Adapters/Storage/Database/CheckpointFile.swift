import Consent
import Foundation

/// The last checkpoint that was signed, in `consent.checkpoint` of the state directory: what the log has promised about
/// itself, kept apart from its database, so that a database put back to an earlier state is noticed.
public struct CheckpointFile: Sendable {
    static let name = "consent.checkpoint"

    private let file: DurableFile

    public var path: String { file.path }

    /// - Parameter directory: the log's, as `SQLiteStorage` opened it.
    /// - Throws: `StorageError`.
    public init(directory: String) throws {
        file = DurableFile(try StateDirectory(path: directory), name: Self.name, limit: SignedNote.maximumSize)
    }

    /// Blocks; for the start of the service.
    ///
    /// - Returns: the note, not verified; `nil` when none was signed yet.
    /// - Throws: `StorageError`; `corrupt` when the file holds no signed note.
    public func load() throws -> SignedNote? {
        guard let data = try file.contents() else { return nil }
        guard let note = SignedNote(data) else {
            throw StorageError(
                code: .corrupt,
                message: "\(path) holds no signed checkpoint. Restore it from a backup, or from a copy that was "
                    + "published.")
        }
        return note
    }

    /// Durable when it returns. The log's order of things: rows durable, then the checkpoint signed, then this, and only
    /// then the checkpoint is given to anybody.
    ///
    /// - Throws: `StorageError`; then the file is as it was, or as it is to be.
    public func replace(_ note: SignedNote) async throws { try await file.replaceInBackground(with: note.data) }
}
