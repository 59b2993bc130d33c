import Foundation

/// The key that signs a log's checkpoints, and those that did before it.
public struct LogKeys: Sendable {
    /// More than that are not kept: at one a month they last for over eighty years.
    public static let maximumFormer = 1000

    public let signer: NoteSigner
    /// Oldest first; their secret parts are gone.
    public let former: [NoteVerifier]
    /// Replaces `signer` once the log names it. It is stored before that record, so that no interruption loses it.
    public let next: NoteSigner?
    /// Whether `signer` is the log's first key, and was stored before the log names it.
    public let isUnnamed: Bool

    /// - Returns: `nil` when a former or the next key is of another log, no signing key, or there twice.
    public init?(signer: NoteSigner, former: [NoteVerifier] = [], next: NoteSigner? = nil) {
        let others = former + [next?.verifier].compactMap { $0 }
        guard former.count <= Self.maximumFormer,
            others.allSatisfy({ $0.name == signer.name && $0.algorithm == .ed25519 }),
            Set(others + [signer.verifier]).count == others.count + 1
        else { return nil }
        self.signer = signer
        self.former = former
        self.next = next
        isUnnamed = false
    }

    /// The log's first key, before the log names it.
    public init(unnamed signer: NoteSigner) {
        (self.signer, former, next, isUnnamed) = (signer, [], nil, true)
    }

    /// All keys whose signatures count, newest last.
    public var verifiers: [NoteVerifier] { former + [signer.verifier] }

    /// With a new key as the next one.
    public func preparingNext() -> LogKeys? {
        NoteSigner(name: signer.name).flatMap { LogKeys(signer: signer, former: former, next: $0) }
    }

    /// With the next key in place of the one that signs, of which only the public part stays. The oldest goes when there
    /// are too many.
    ///
    /// - Parameter named: the keys that the log names; none of them is disowned, whatever was in the file.
    public func completed(naming named: [NoteVerifier] = []) -> LogKeys? {
        guard let next else { return nil }
        let former = (named + verifiers).reduce(into: [NoteVerifier]()) { former, key in
            if key != next.verifier, !former.contains(key) { former.append(key) }
        }
        return LogKeys(signer: next, former: former.suffix(Self.maximumFormer))
    }

    /// Without a next key that the log does not name.
    var withoutNext: LogKeys? { LogKeys(signer: signer, former: former) }
}

/// The keys that a log's own records name, and how long each could sign.
struct KeyHistory: Sendable {
    /// Oldest first; `since` is the index of the key's record.
    private var entries: [(key: NoteVerifier, since: UInt64)] = []
    /// The place of the first key since the log was last restored or its key was lost.
    private var restart = 0

    /// The key that signs; `nil` if the log names none.
    var current: NoteVerifier? { entries.last?.key }

    func contains(_ key: NoteVerifier) -> Bool { entries.contains { $0.key == key } }

    /// Oldest first, each once.
    var keys: [NoteVerifier] {
        entries.map(\.key).reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
    }

    /// How many records the log had when the key was replaced; `nil` for the current one, and one that it does not name.
    func retirement(of key: NoteVerifier) -> UInt64? {
        entries.lastIndex { $0.key == key }.flatMap { entries.dropFirst($0 + 1).first?.since }
    }

    mutating func append(_ key: NoteVerifier, at index: UInt64, _ reason: KeyRotation?) {
        if reason == .restored || reason == .lost { restart = entries.count }
        entries.append((key, index))
    }

    /// The keys whose signatures of a checkpoint of this many records count: a key signs nothing that contains the record
    /// of its replacement.
    func verifiers(of size: UInt64) -> [NoteVerifier] {
        entries.map(\.key).filter { size <= retirement(of: $0) ?? .max }
    }

    /// Those of `verifiers(of:)` that were named since the log was last restored: what earlier ones signed was accepted
    /// then.
    func verifiersSinceRestart(of size: UInt64) -> [NoteVerifier] {
        entries[restart...].map(\.key).filter { size <= retirement(of: $0) ?? .max }
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
    /// Whether a copy of them would not be noticed until they are stored again.
    public let isUnmarked: Bool

    public init(_ keys: LogKeys?, isCopy: Bool = false, isUnmarked: Bool = false) {
        self.keys = keys
        self.isCopy = isCopy
        self.isUnmarked = isUnmarked
    }
}
