/// The key that signs a log's checkpoints, and those that did before it.
public struct LogKeys: Sendable {
    /// More than that are not kept: at one a month they last for over eighty years.
    public static let maximumFormer = 1000

    public let signer: NoteSigner
    /// Oldest first; their secret parts are gone.
    public let former: [NoteVerifier]

    /// - Returns: `nil` when a former key is of another log, no signing key, or there twice.
    public init?(signer: NoteSigner, former: [NoteVerifier] = []) {
        guard former.count <= Self.maximumFormer,
            former.allSatisfy({ $0.name == signer.name && $0.algorithm == .ed25519 }),
            Set(former + [signer.verifier]).count == former.count + 1
        else { return nil }
        self.signer = signer
        self.former = former
    }

    /// All keys whose signatures count, newest last.
    public var verifiers: [NoteVerifier] { former + [signer.verifier] }

    /// With a new key in place of the one that signs now, of which only the public part stays.
    ///
    /// - Returns: `nil` when there were too many already.
    public func rotated() -> LogKeys? {
        NoteSigner(name: signer.name).flatMap { LogKeys(signer: $0, former: verifiers) }
    }
}

/// Where a log's keys and its last signed checkpoint are kept, apart from the records: what the log has promised must not
/// be put back together with them.
public protocol CheckpointStore: Sendable {
    /// - Parameters:
    ///   - origin: the log's, which is the keys' name.
    ///   - hasSigned: whether a checkpoint of this log is known, so that there was a key.
    /// - Returns: the keys; new ones if there never were any.
    func keys(origin: String, hasSigned: Bool) async throws -> LogKeys

    /// Durable when it returns.
    func replace(_ keys: LogKeys) async throws

    /// - Returns: the last signed checkpoint, not verified; `nil` when none was signed yet.
    func lastCheckpoint() async throws -> SignedNote?

    /// Durable when it returns.
    func replace(_ checkpoint: SignedNote) async throws
}
