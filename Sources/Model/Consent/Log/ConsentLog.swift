import Authorization
import Base
import Dispatch
import Foundation
import Synchronization

/// The consent log: an append-only list of records, each a leaf of one Merkle tree, and the decisions they made.
///
/// One log owns its storage. Appends are written in the order in which they were asked for; each is durable when it
/// returns. Those that wait while a write goes on are written together by the next one (group commit). The log runs on its
/// own thread, which the storage may block: an append wakes that thread, and it wakes the caller.
public actor ConsentLog: Ledger {
    private static let mostAtOnce = 1024

    private let thread = LogThread()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    let storage: any ConsentStorage
    private nonisolated let context: RecordContext
    private nonisolated let now: @Sendable () -> Moment
    private var clock: ClockWatch
    private(set) var tree: Frontier
    /// Set once a write left the disk in an unknown state; ends all appending.
    private var failure: (any Error)?
    private nonisolated let queue = Mutex(AppendQueue())
    private nonisolated let accounts: Mutex<RecordAccounts>
    /// `nil` until `beginSigning`.
    var notary: LogNotary?
    /// An element after records became durable; those that are not taken meanwhile are one. For one reader.
    public nonisolated let growth: AsyncStream<Void>
    private let growthReport: AsyncStream<Void>.Continuation
    /// The signing that was asked for last.
    var lastSigning: Task<Void, Never>?

    /// Opens the log and writes its first record when there is none. After `ConsentError.Code.failed` this needs a
    /// storage that was opened again, too.
    ///
    /// - Parameters:
    ///   - context: what all records have in common; the subjects' pseudonyms are the log's own.
    ///   - quota: of the records of each user but root.
    ///   - now: the wall clock and the monotonic one.
    /// - Throws: `ConsentError` with `corrupt` when the records do not end where the tree does. This is a quick look at
    ///   the end; `verify()` reads everything.
    public static func open(
        storage: any ConsentStorage, context: RecordContext = RecordContext(), quota: RecordQuota = .unlimited,
        now: @escaping @Sendable () -> Moment = { Moment(wallAlone: Date()) }
    ) async throws -> ConsentLog {
        let tree = try await storage.checkedTree()
        let last = try await storage.records(of: [], in: 0..<Int64.max, .backward, limit: 1).last.map(opened)
        var context = context
        context.subjects = SubjectPseudonyms(
            key: try await storage.secret("subjects", size: SubjectPseudonyms.keySize))
        // One that cannot be read grants nothing.
        let granted = try await storage.decisions().compactMap(\.decision).filter { $0.verdict == .authorized }
        let log = ConsentLog(
            storage: storage, context: context, accounts: RecordAccounts(quota, granted: granted.map(\.key)),
            tree: tree, clock: ClockWatch(last: last?.time), now: now)
        if tree.size == 0 { try await log.begin() }
        return log
    }

    private init(
        storage: any ConsentStorage, context: RecordContext, accounts: RecordAccounts, tree: Frontier,
        clock: ClockWatch, now: @escaping @Sendable () -> Moment
    ) {
        self.accounts = Mutex(accounts)
        self.storage = storage
        self.context = context
        self.tree = tree
        self.clock = clock
        self.now = now
        (growth, growthReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Size and root as of the last append.
    public var head: TreeHead { tree.head }

    /// By the wall's clock, which the records' times are by.
    var time: Timestamp { Timestamp(milliseconds: now().wall) }

    /// Whether the wall's clock shows less than the last record.
    var clockWentBack: Bool {
        var watch = clock
        return watch.jump(at: now()).map { $0.milliseconds < 0 } ?? false
    }

    public nonisolated func decisions() async throws -> [Decision] { try Self.opened(await storage.decisions()) }

    /// - Throws: `ConsentError` with `corrupt`.
    static func opened(_ rows: [StoredDecision]) throws -> [Decision] {
        try rows.map { row in
            guard let decision = row.decision else {
                throw ConsentError(
                    code: .corrupt,
                    message: "A stored decision cannot be read. Run `voicegate audit verify` to see what was changed.")
            }
            return decision
        }
    }

    /// The ticket's error is `RecordQuotaExceeded` if the log takes no such record of the event's user now.
    public nonisolated func submit(_ event: LedgerEvent, changing change: DecisionChange?) -> Ticket {
        do {
            let record = try prepared(event, changing: change)
            let counted = try accounts.withLock {
                try $0.charge(event, changing: change, size: record.size, at: now())
            }
            if let counted { _ = append([try prepared(.refusalsCounted(counted), changing: nil)]) }
            return append([record])
        } catch {
            let ticket = Ticket()
            ticket.complete(.failure(error))
            return ticket
        }
    }

    /// Records the refusals that were counted since the last call; for each hour, and for the end.
    public nonisolated func recordCountedRefusals() async {
        for counted in accounts.withLock({ $0.takeCounted() }) {
            // A log that cannot be written refuses the next permission.
            _ = try? await record(.refusalsCounted(counted), changing: nil)
        }
    }

    private nonisolated func prepared(
        _ event: LedgerEvent, changing change: DecisionChange?
    ) throws -> PreparedRecord {
        let change = change.map(StoredChange.init)
        return try PreparedRecord(RecordContent(event, changing: change, in: context), changing: change)
    }

    /// Appends one record.
    @discardableResult
    nonisolated func append(_ content: RecordContent, changing change: StoredChange?) async throws -> UInt64 {
        try await append([try PreparedRecord(content, changing: change)]).value
    }

    /// Appends behind all earlier appends. Runs to its end even when the caller is cancelled: half an append would leave
    /// an unknown outcome.
    ///
    /// - Returns: the ticket of the first record.
    nonisolated func append(_ records: [PreparedRecord], erasing erased: [Int64] = []) -> Ticket {
        let append = PendingAppend(records: records, erased: erased)
        // Immediate: it begins with the hop to the log's thread.
        if queue.withLock({ $0.add(append) }) { Task.immediate { await writeWaiting() } }
        return append.ticket
    }

    /// Whether records are being written.
    nonisolated var isWriting: Bool { queue.withLock { $0.isWriting } }

    private func begin() async throws {
        var generator = SystemRandomNumberGenerator()
        let identifier = withUnsafeBytes(of: (generator.next(), generator.next())) { Data($0) }
        try await append(.genesis(identifier: identifier), changing: nil)
    }

    private func writeWaiting() async {
        while let batch = queue.withLock({ $0.next(atMost: Self.mostAtOnce) }) {
            await settle(batch)
            // Other work for the log's thread goes first.
            await Task.yield()
        }
    }

    /// Writes the appends and completes their tickets. If they cannot be written together, each is tried alone, in order:
    /// one that has no room does not keep its neighbours from being recorded.
    private func settle(_ batch: [PendingAppend]) async {
        do {
            var index = try await write(batch)
            for append in batch {
                append.ticket.complete(.success(index))
                index += UInt64(append.records.count)
            }
        } catch let error as ConsentError where error.code == .notRecorded && batch.count > 1 {
            for append in batch { await settle([append]) }
        } catch {
            for append in batch { append.ticket.complete(.failure(error)) }
        }
    }

    /// - Returns: the index of the first record.
    private func write(_ batch: [PendingAppend]) async throws -> UInt64 {
        if let failure { throw ConsentError.failed(failure) }
        let moment = now()
        var watch = clock
        let jump = try watch.jump(at: moment).map { try PreparedRecord(.clockJumped($0)) }
        let first = tree.size + (jump == nil ? 0 : 1)
        var grown = tree
        var records: [StoredRecord] = []
        var nodes: [TreeNode] = []
        var changes: [StoredChange] = []
        let time = Timestamp(milliseconds: moment.wall).text
        for prepared in [jump].compactMap({ $0 }) + batch.flatMap(\.records) {
            let index = Int64(clamping: grown.size)
            let record = prepared.placed(at: index, time: time)
            records.append(record)
            nodes += grown.append(.leaf(record.leaf), level: 0)
            if let change = prepared.change { changes.append(change.made(by: index)) }
        }
        do {
            try await storage.append(
                StoredBatch(
                    records: records, nodes: nodes, changes: changes, erased: batch.flatMap(\.erased),
                    tree: StoredTree(grown)))
        } catch {
            if (error as? any StorageFailure)?.leavesOutcomeUnknown == false { throw notRecorded(error) }
            failure = error
            throw ConsentError.failed(error)
        }
        tree = grown
        clock = watch
        growthReport.yield()
        return first
    }

    /// Most writes that fail so have no room on the disk.
    private func notRecorded(_ error: any Error) -> ConsentError {
        let largest = accounts.withLock(\.largest).map { user, records, bytes in
            " Since the service started, most of the log was recorded of user \(user): \(records) records, "
                + "\(bytes / 1000) kB."
        }
        return ConsentError(
            code: .notRecorded, message: "The record was not written: \(error)" + (largest ?? ""), underlying: error)
    }
}

extension ConsentError {
    fileprivate static func failed(_ error: any Error) -> ConsentError {
        ConsentError(
            code: .failed,
            message: "The consent log stopped after a failed write. Restart the service: \(error)",
            underlying: error)
    }
}

/// A serial queue as an actor's executor.
private final class LogThread: SerialExecutor {
    private let queue = DispatchQueue(label: "voicegate.log")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Records that a caller waits for: written together or not at all.
struct PendingAppend: Sendable {
    let records: [PreparedRecord]
    /// Records whose disclosures go with it.
    let erased: [Int64]
    /// Gets the index of the first record, once all of it is durable.
    let ticket = Ticket()
}

/// Appends in the order in which they were asked for.
private struct AppendQueue {
    private var waiting: [PendingAppend] = []
    private(set) var isWriting = false

    /// - Returns: whether the caller must start the writer.
    mutating func add(_ append: PendingAppend) -> Bool {
        waiting.append(append)
        defer { isWriting = true }
        return !isWriting
    }

    /// The appends to write together; one that is larger alone is still written whole. One that erases is taken alone,
    /// because it can fail after its records are durable. `nil` ends the writer.
    mutating func next(atMost limit: Int) -> [PendingAppend]? {
        guard let first = waiting.first else {
            isWriting = false
            return nil
        }
        var count = first.records.count
        let end = waiting.indices.dropFirst().first {
            count += waiting[$0].records.count
            return count > limit || !first.erased.isEmpty || !waiting[$0].erased.isEmpty
        }
        let batch = Array(waiting[..<(end ?? waiting.endIndex)])
        waiting.removeFirst(batch.count)
        return batch
    }
}

/// A record without index and time; made by the caller, so that the single writer has little to do.
struct PreparedRecord: Sendable {
    let kind: RecordKind
    let disclosure: Data
    let digest: String
    let change: StoredChange?
    /// Bytes, with the leaf.
    var size: Int { disclosure.count + 200 }

    init(_ content: RecordContent, changing change: StoredChange? = nil) throws(ConsentError) {
        let disclosure = content.members.disclosure()
        guard disclosure.count <= JSONValue.maximumSize else {
            throw ConsentError(code: .tooLarge, message: "The record is larger than 1 MiB and was not written.")
        }
        kind = content.kind
        self.disclosure = Data(disclosure)
        digest = Disclosure.digest(of: self.disclosure)
        self.change = change
    }

    /// - Parameter time: `Timestamp.text`.
    func placed(at index: Int64, time: String) -> StoredRecord {
        StoredRecord(
            index: index, kind: kind.rawValue,
            leaf: RecordLeaf.data(index: index, kind: kind, time: time, digest: digest), disclosed: disclosure)
    }
}
