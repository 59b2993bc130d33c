import Consent
import Foundation

/// The log's keys, and its last signed checkpoint, in their files beside the database: what the log has promised is kept
/// apart from its database, so that a database put back to an earlier state is noticed.
public struct CheckpointFiles: CheckpointStore {
    static let checkpointName = "consent.checkpoint"

    private let keyFile: LogKeyFile
    private let checkpointFile: DurableFile
    private let replacesLostKey: Bool

    /// - Parameters:
    ///   - directory: the log's, as `SQLiteStorage` opened it.
    ///   - replacesLostKey: whether the administrator allowed to replace a lost key.
    /// - Throws: `StorageError`.
    public init(directory: String, replacesLostKey: Bool = false) throws {
        keyFile = try LogKeyFile(directory: directory)
        checkpointFile = DurableFile(
            try StateDirectory(path: directory), name: Self.checkpointName, limit: SignedNote.maximumSize)
        self.replacesLostKey = replacesLostKey
    }

    public func keys(origin: String, hasSigned: Bool) async throws -> LogKeys {
        try keyFile.loadOrCreate(name: origin, hasSigned: hasSigned, replacesLost: replacesLostKey)
    }

    public func replace(_ keys: LogKeys) async throws { try await keyFile.replace(keys) }

    public func lastCheckpoint() async throws -> SignedNote? {
        guard let data = try checkpointFile.contents() else { return nil }
        guard let note = SignedNote(data) else {
            throw StorageError(
                code: .corrupt,
                message:
                    "\(checkpointFile.path) contains no signed checkpoint. Restore it from a backup, or from a copy "
                    + "that was published.")
        }
        return note
    }

    /// The order of the log: rows durable, checkpoint signed, then this, and only then the checkpoint is handed out.
    public func replace(_ checkpoint: SignedNote) async throws {
        try await checkpointFile.replaceInBackground(with: checkpoint.data)
    }
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

    /// The keys, or new ones if there never were any. Blocks; call it before the service serves.
    ///
    /// - Parameters:
    ///   - name: of the keys: the log's origin.
    ///   - hasSigned: whether a checkpoint of this log is known, so that there was a key.
    ///   - replacesLost: whether the administrator allowed to replace a lost key (`--replace-lost-key`). What was signed
    ///     before verifies only with the old verifier key.
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
