import Consent
import Foundation

/// Keys and last checkpoint in their files beside the database.
public struct CheckpointFiles: CheckpointStore {
    private let keyFile: LogKeyFile
    private let checkpointFile: CheckpointFile
    private let replacesLostKey: Bool

    /// - Parameters:
    ///   - directory: the log's, as `SQLiteStorage` opened it.
    ///   - replacesLostKey: the administrator said that a lost key is to be replaced.
    /// - Throws: `StorageError`.
    public init(directory: String, replacesLostKey: Bool = false) throws {
        keyFile = try LogKeyFile(directory: directory)
        checkpointFile = try CheckpointFile(directory: directory)
        self.replacesLostKey = replacesLostKey
    }

    public func keys(origin: String, hasSigned: Bool) async throws -> LogKeys {
        try keyFile.loadOrCreate(name: origin, hasSigned: hasSigned, replacesLost: replacesLostKey)
    }

    public func replace(_ keys: LogKeys) async throws { try await keyFile.replace(keys) }

    public func lastCheckpoint() async throws -> SignedNote? { try checkpointFile.load() }

    public func replace(_ checkpoint: SignedNote) async throws { try await checkpointFile.replace(checkpoint) }
}

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

/// The keys of the log's checkpoints, in `consent.key` of the state directory, with mode 0600.
///
/// A line a key: those before the last one are verifier keys, the last one is the secret key that signs.
public struct LogKeyFile: Sendable {
    static let name = "consent.key"

    private let file: DurableFile

    /// Where the keys are.
    public var path: String { file.path }

    /// - Parameter directory: the log's, as `SQLiteStorage` opened it.
    /// - Throws: `StorageError`.
    public init(directory: String) throws {
        file = DurableFile(try StateDirectory(path: directory), name: Self.name, limit: 256 * 1024)
    }

    /// The keys, or new ones where there never were any. Blocks; for the start of the service.
    ///
    /// - Parameters:
    ///   - name: of the keys: the log's origin.
    ///   - hasSigned: whether a checkpoint of this log is known, so that there was a key.
    ///   - replacesLost: the administrator said that a lost key is to be replaced (`--replace-lost-key`). Whoever holds the
    ///     old verifier key has to be told; what was signed before keeps verifying with that one.
    /// - Throws: `StorageError`: `keyLost` when the file is gone though checkpoints were signed, `corrupt` when it cannot be
    ///   read as keys of this name.
    public func loadOrCreate(name: String, hasSigned: Bool, replacesLost: Bool = false) throws -> LogKeys {
        if let keys = try load(name: name) { return keys }
        guard !hasSigned || replacesLost else {
            throw StorageError(
                code: .keyLost,
                message: "The key of the consent log's checkpoints, \(path), is not there, though it has signed some. "
                    + "Restore it from the backup, or start voicegated with --replace-lost-key and give the new "
                    + "verifier key to everybody who has the old one.")
        }
        guard let keys = NoteSigner(name: name).flatMap({ LogKeys(signer: $0) }) else {
            throw StorageError(code: .corrupt, message: "The consent log has no name that a key can have: \(name)")
        }
        try file.replace(with: Self.data(keys))
        return keys
    }

    /// - Returns: `nil` when there is no file.
    /// - Throws: `StorageError`.
    public func load(name: String) throws -> LogKeys? {
        guard let data = try file.contents() else { return nil }
        guard let keys = Self.keys(data), keys.signer.name == name else {
            throw StorageError(
                code: .corrupt,
                message: "\(path) does not hold the keys of this consent log. Restore it from the backup, or put it "
                    + "aside and start voicegated with --replace-lost-key.")
        }
        return keys
    }

    /// Durable when it returns; then the former secret key is not in the file any more.
    ///
    /// - Throws: `StorageError`; then the file is as it was, or as it is to be.
    public func replace(_ keys: LogKeys) async throws { try await file.replaceInBackground(with: Self.data(keys)) }

    private static func data(_ keys: LogKeys) -> Data {
        let lines = keys.former.map(\.text) + [keys.signer.secretText]
        return Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func keys(_ data: Data) -> LogKeys? {
        guard data.last == 0x0A, let text = String(validating: data, as: UTF8.self) else { return nil }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let signer = lines.last.flatMap(NoteSigner.init(secretText:)) else { return nil }
        let former = lines.dropLast().compactMap(NoteVerifier.init(text:))
        guard former.count == lines.count - 1 else { return nil }
        return LogKeys(signer: signer, former: former)
    }
}
