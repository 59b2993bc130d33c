import Authorization
import Foundation

/// The consent log: an append-only list of records, each a leaf of one Merkle tree, and the decisions they made.
///
/// One log owns its storage. Appends run one after the other, in the order in which they were asked for; each is durable
/// when it returns.
public actor ConsentLog: Ledger {
    let storage: any ConsentStorage
    private let now: @Sendable () -> Date
    private var randomness: any RandomNumberGenerator
    private var tree: Frontier
    /// Set once a write left the disk in an unknown state; ends all appending.
    private var failure: (any Error)?
    /// The append that was asked for last. Storage calls suspend the actor, so an order has to be kept by hand.
    private var lastAppend: Task<UInt64, any Error>?

    /// Opens the log and writes its first record when there is none. After `ConsentError.Code.failed` this needs a
    /// storage that was opened anew, too.
    ///
    /// - Throws: `ConsentError` with `corrupt` when the records do not end where the tree does. This is a quick look at
    ///   the end; `verify()` reads everything.
    public static func open(
        storage: any ConsentStorage, now: @escaping @Sendable () -> Date = { Date() },
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws -> ConsentLog {
        let tree = try await storage.checkedTree()
        let log = ConsentLog(storage: storage, tree: tree, now: now, randomness: randomness)
        if tree.size == 0 { try await log.begin() }
        return log
    }

    private init(
        storage: any ConsentStorage, tree: Frontier, now: @escaping @Sendable () -> Date,
        randomness: any RandomNumberGenerator & Sendable
    ) {
        self.storage = storage
        self.tree = tree
        self.now = now
        self.randomness = randomness
    }

    /// Size and root as of the last append.
    public var head: TreeHead { tree.head }

    public func isMuted() async throws -> Bool {
        try await lastRecord(of: .muted, .unmuted)?.kind == RecordKind.muted.rawValue
    }

    public func decisions() async throws -> [Decision] {
        try await storage.decisions().map { stored in
            guard let decision = stored.decision else {
                throw ConsentError(
                    code: .corrupt,
                    message: "A stored decision cannot be read. Run `voicegate audit verify` to see what was changed.")
            }
            return decision
        }
    }

    @discardableResult
    public func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64 {
        let change = change.map(StoredChange.init)
        return try await append(RecordContent(event, changing: change), changing: change)
    }

    /// Appends when all earlier appends are done. Runs to its end even when the caller is cancelled: half an append
    /// would leave an outcome that nobody knows.
    func append(_ content: RecordContent, changing change: StoredChange?) async throws -> UInt64 {
        let before = lastAppend
        let task = Task {
            _ = await before?.result
            return try await write(content, changing: change)
        }
        lastAppend = task
        return try await task.value
    }

    private func begin() async throws {
        let identifier = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &randomness) })
        let fields: [String: JSONValue] = ["log": .string(Hexadecimal.encode(identifier)), "hash": .string("SHA-256")]
        _ = try await append(RecordContent(kind: .genesis, fields: fields), changing: nil)
    }

    private func write(_ content: RecordContent, changing change: StoredChange?) async throws -> UInt64 {
        if let failure { throw ConsentError.failed(failure) }
        let index = tree.size
        let disclosures = content.fields.sorted { $0.key < $1.key }.map {
            Disclosure(name: $0.key, value: $0.value, using: &randomness)
        }
        guard disclosures.allSatisfy({ $0.encoded.utf8.count <= JSONValue.maximumSize }) else {
            throw ConsentError(
                code: .tooLarge, message: "A field of the record is larger than 1 MiB and was not written.")
        }
        let leaf = RecordLeaf(
            index: Int64(clamping: index), kind: content.kind, time: Timestamp(now()), previous: tree.root,
            disclosures: disclosures
        ).data
        let leafHash = MerkleHash.leaf(leaf)
        var grown = tree
        grown.append(leafHash)
        let record = StoredRecord(
            index: Int64(clamping: index), leaf: leaf, leafHash: leafHash.bytes,
            disclosures: disclosures.map { Data($0.encoded.utf8) })
        do {
            try await storage.append(record, tree: StoredTree(grown), change: change)
        } catch {
            if (error as? any StorageFailure)?.leavesOutcomeUnknown == false { throw ConsentError.notRecorded(error) }
            failure = error
            throw ConsentError.failed(error)
        }
        tree = grown
        return index
    }
}

extension ConsentError {
    fileprivate static func notRecorded(_ error: any Error) -> ConsentError {
        ConsentError(code: .notRecorded, message: "The record was not written: \(error)", underlying: error)
    }

    fileprivate static func failed(_ error: any Error) -> ConsentError {
        ConsentError(
            code: .failed,
            message: "The consent log stopped after a failed write; restart the service to open it anew: \(error)",
            underlying: error)
    }
}
