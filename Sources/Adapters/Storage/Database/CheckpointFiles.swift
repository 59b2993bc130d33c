import Consent

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
