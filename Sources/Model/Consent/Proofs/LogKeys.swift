import Foundation

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

    /// With a new key in place of the one that signs now, of which only the public part stays. The oldest goes when there
    /// are too many.
    public func rotated() -> LogKeys? {
        NoteSigner(name: signer.name).flatMap {
            LogKeys(signer: $0, former: verifiers.suffix(Self.maximumFormer))
        }
    }
}

/// The keys that a log's own records name, and how long each could sign.
struct KeyHistory: Sendable {
    /// Oldest first; `since` is the index of the key's record.
    private var entries: [(key: NoteVerifier, since: UInt64)] = []

    /// The key that signs; `nil` if the log names none.
    var current: NoteVerifier? { entries.last?.key }

    /// The key before the current one.
    var previous: NoteVerifier? { entries.dropLast().last?.key }

    func contains(_ key: NoteVerifier) -> Bool { entries.contains { $0.key == key } }

    /// Oldest first, each once.
    var keys: [NoteVerifier] {
        entries.map(\.key).reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
    }

    /// How many records the log had when the key was replaced; `nil` for the current one, and one that it does not name.
    func retirement(of key: NoteVerifier) -> UInt64? {
        entries.lastIndex { $0.key == key }.flatMap { entries.dropFirst($0 + 1).first?.since }
    }

    mutating func append(_ key: NoteVerifier, at index: UInt64) { entries.append((key, index)) }

    /// The keys whose signatures of a checkpoint of this many records count: a key signs nothing that contains the record
    /// of its replacement.
    func verifiers(of size: UInt64) -> [NoteVerifier] {
        entries.map(\.key).filter { size <= retirement(of: $0) ?? .max }
    }
}

/// Where a log's keys and its last signed checkpoint are kept, apart from the records: what the log has promised must not
/// be put back together with them.
public protocol CheckpointStore: Sendable {
    /// - Parameter origin: the log's, which is the keys' name.
    /// - Returns: `nil` when there are none.
    func keys(origin: String) async throws -> StoredKeys?

    /// Durable when it returns.
    func replace(_ keys: LogKeys) async throws

    /// - Returns: the last signed checkpoint, or whatever is in its place; `nil` when there is none.
    func lastCheckpoint() async throws -> Data?

    /// Durable when it returns.
    func replace(_ checkpoint: SignedNote) async throws
}

/// What is in the place of a log's keys.
public struct StoredKeys: Sendable {
    /// `nil`: no keys of this log.
    public let keys: LogKeys?
    /// Whether they came from a backup or another machine.
    public let isCopy: Bool

    public init(_ keys: LogKeys?, isCopy: Bool = false) {
        self.keys = keys
        self.isCopy = isCopy
    }
}
