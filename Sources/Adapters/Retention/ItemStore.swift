import Authorization
import Base
import Cryptography
import Foundation
import Storage

/// All data that the service keeps. Nothing counts as kept before it is recorded, and nothing outlasts its end.
public actor ItemStore {
    private let table: SQLiteStorage
    private let folder: KeptFolder
    private let ledger: any Ledger
    private let moment: @Sendable () -> Moment
    /// Items that this store is writing. Others that are being written were left by a service that was killed.
    private var writing: Set<String> = []
    /// Withdrawals that could not be stored; retried.
    private var unmarked: [UUID: ItemSelection] = [:]
    /// Keeping and erasing run one after the other, so that each is recorded once and in order.
    private var lastTurn: Task<Void, any Error>?
    /// Items whose erasure is in the log while they are still in the table: not recorded again.
    private var recorded: Set<String> = []
    /// Whether what is kept was compared with the log.
    private var isCompared = false
    /// Emits when the next end may have changed.
    public nonisolated let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    public init(
        table: SQLiteStorage, folder: KeptFolder, ledger: any Ledger, moment: @escaping @Sendable () -> Moment
    ) {
        self.table = table
        self.folder = folder
        self.ledger = ledger
        self.moment = moment
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Makes `changes` emit.
    public nonisolated func wake() { changed.yield() }

    /// Begins an item; it cannot be read before `keep`.
    public func begin(
        _ kind: DataKind, of session: SessionDescription, for time: KeepingTime
    ) async throws -> ItemWriter {
        let item = KeptItem(
            identifier: UUID().uuidString.lowercased(), session: session.identifier,
            client: session.requester.client.identifier,
            user: session.requester.caller.user, kind: kind, resources: Set(session.grants.keys), time: time, bytes: 0,
            began: moment())
        writing.insert(item.identifier)
        do {
            try await table.begin(item)
            return ItemWriter(item: item, output: try await folder.create(item.identifier))
        } catch {
            await drop(item)
            throw error
        }
    }

    /// Completes an item: its file is durable first, then its key, then the record, and then it is kept.
    ///
    /// - Throws: also `erased`, when the person revoked the permission meanwhile; nothing is left then.
    @discardableResult
    public func keep(_ writer: ItemWriter) async throws -> KeptItem {
        var item = writer.item
        do {
            let (bytes, key) = try await writer.finish()
            item.bytes = bytes
            item.began = moment()
            // Whatever erases it meanwhile is recorded behind its keeping.
            try await inTurn { [item] in try await self.complete(item, key: key) }
        } catch {
            await drop(item)
            throw error
        }
        writing.remove(item.identifier)
        try? await table.note(item.began, anchoring: [])
        wake()
        return item
    }

    private func complete(_ item: KeptItem, key: Data) async throws {
        try await markWithdrawn()
        guard try await table.seal(item, key: key) else { throw RetentionError.erased }
        try await ledger.record(
            .dataRetained(
                session: item.session, item.client, user: item.user, item: item.identifier, item.kind,
                bytes: item.bytes, until: item.end, location: folder.location(of: item.identifier)), changing: nil)
        try await markWithdrawn()
        guard try await table.keep(item.identifier) else { throw RetentionError.erased }
    }

    /// Gives up an item that is being written. One that was recorded already is erased with a record.
    public func drop(_ item: KeptItem) async {
        let identifier = item.identifier
        // The next sweep repeats a step that fails here: no key outlives the writing.
        writing.remove(identifier)
        guard let entry = try? await table.entries().first(where: { $0.item.identifier == identifier }),
            entry.state == .writing
        else { return }
        guard entry.item.bytes == 0 else {
            _ = try? await erase(ItemSelection(identifiers: [identifier]), for: .incomplete)
            return
        }
        try? await folder.remove([identifier])
        try? await table.remove([identifier])
    }

    /// Writes down that something is not kept.
    public func recordUnkept(_ kind: DataKind, of session: SessionDescription, _ reason: String) async {
        // The disk that has no room for the data may have none for this either.
        _ = try? await ledger.record(
            .dataNotKept(
                session: session.identifier, session.requester.client.identifier, user: session.requester.caller.user,
                kind, reason: reason), changing: nil)
    }

    /// What is kept now, oldest first; without what has ended, even if it is not erased yet.
    public func items(_ selection: ItemSelection) async throws -> [KeptItem] {
        // What is withdrawn before and while the table is read.
        let before = unmarked.values
        let kept = try await table.entries().filter { $0.state == .kept }.map(\.item)
        let now = moment()
        return kept.filter { item in
            let isWithdrawn = [before, unmarked.values].joined().contains { $0.contains(item) }
            return selection.contains(item) && !item.isOver(at: now) && !isWithdrawn
        }
    }

    /// Opens an item and reads it to its end once, so that a reader gets all of it or nothing.
    ///
    /// - Throws: `RetentionError` with `unknown` or `damaged`.
    public func open(_ identifier: String, user: UInt32) async throws -> KeptContent {
        guard let item = try await items(ItemSelection(identifiers: [identifier], user: user)).first,
            let key = try await table.key(of: identifier)
        else { throw RetentionError.unknown(identifier) }
        let content = KeptContent(item: item, key: SymmetricKey(data: key), folder: folder)
        var bytes: Int64 = 0
        for try await chunk in content { bytes += Int64(chunk.count) }
        guard bytes == item.bytes else { throw RetentionError.damaged(identifier) }
        return content
    }

    /// Milliseconds until the next item ends; `nil`: none ends by itself.
    public func nextEnd() async throws -> Int64? {
        let kept = try await table.entries().filter { $0.state == .kept }
        let now = moment()
        return kept.compactMap { $0.item.remaining(at: now) }.min()
    }

    /// Erases what has come to its end, what could not be erased before, and what a service left that was killed while it
    /// wrote. Call it before anything is kept: until it succeeds once, nothing may be.
    public func sweep() async throws {
        let now = moment()
        let lastSeen = try await table.lastSeen()
        // Before the entries: no file that has come meanwhile is taken for a stranger.
        let names = try await folder.names()
        let entries = try await table.entries()
        let left = Set(
            entries.filter { $0.state == .writing }.map(\.item.identifier).filter { !writing.contains($0) })
        let moved = entries.map(\.item).filter { $0.began.boot != now.boot }
        try await table.note(now, anchoring: moved.map { $0.anchored(to: now, lastSeen: lastSeen) })
        try await markWithdrawn()
        try await table.beginErasing(for: .incomplete) {
            $0.state == .writing && left.contains($0.item.identifier)
        }
        if !isCompared { try await inTurn { try await self.compareWithRecords(entries) } }
        // By the time of this moment: what was kept meanwhile began after that of the sweep's beginning.
        try await table.beginErasing(for: .retentionEnded) { [moment] in
            $0.state == .kept && $0.item.isOver(at: moment())
        }
        try await finishErasing()
        let known = Set(entries.map(\.item.identifier))
        try await folder.remove(names.filter { !known.contains($0) })
    }

    /// The table is changed before or after the log: what was recorded as erased is not recorded again, and what was
    /// heard with a withdrawn permission is erased.
    private func compareWithRecords(_ entries: [KeptEntry]) async throws {
        let identifiers = Set(entries.map(\.item.identifier))
        // A log that cannot be read must not keep from erasing what has come to its end.
        guard let traces = identifiers.isEmpty ? [:] : try? await ledger.traces(of: identifiers) else { return }
        recorded.formUnion(traces.filter(\.value.isErased).keys)
        try await table.beginErasing(for: .withdrawn) { entry in
            guard entry.state == .kept, let trace = traces[entry.item.identifier] else { return false }
            return !trace.withdrawn.isDisjoint(with: entry.item.resources)
        }
        isCompared = true
    }

    /// Erases at once what is chosen, also what is being written, and records it.
    ///
    /// - Returns: how many items they were.
    @discardableResult
    public func erase(_ selection: ItemSelection, for reason: ErasureReason) async throws -> Int {
        do {
            let count = try await mark(selection, reason)
            try await finishErasing()
            return count
        } catch {
            // A started erasure does not wait until a different item ends.
            wake()
            throw error
        }
    }

    /// A permission is being withdrawn, and its record is submitted: what was heard with it cannot be read when this
    /// returns. Its files and the record of its erasure follow. The first sweep does this for a record
    /// that an interruption separated from it.
    public func withdraw(_ key: DecisionKey) async {
        // Not in the caller's task: what a cancelled task writes, the table would refuse.
        let marking = Task { try await mark(ItemSelection(key), .withdrawn) }
        if case .failure = await marking.result {
            unmarked[UUID()] = ItemSelection(key)
            wake()
        }
        // After a failure the waiter for changes retries.
        Task { do { try await finishErasing() } catch { wake() } }
    }

    /// Retries withdrawals that could not be stored.
    private func markWithdrawn() async throws {
        while let (identifier, selection) = unmarked.first {
            try await mark(selection, .withdrawn)
            unmarked[identifier] = nil
        }
    }

    @discardableResult
    private func mark(_ selection: ItemSelection, _ reason: ErasureReason) async throws -> Int {
        try await table.beginErasing(for: reason) { selection.contains($0.item) }
    }

    /// Removes the files of what is being erased, records it, and forgets it.
    private func finishErasing() async throws { try await inTurn { try await self.finishErasingNow() } }

    private func inTurn(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let before = lastTurn
        let task = Task {
            _ = await before?.result
            try await work()
        }
        lastTurn = task
        try await task.value
    }

    private func finishErasingNow() async throws {
        let erasing = try await table.entries().filter { $0.state == .erasing }
        guard !erasing.isEmpty else { return }
        // What still has its key is not erased.
        try await table.emptyWriteAheadLog()
        try await folder.remove(erasing.map(\.item.identifier))
        let unrecorded = erasing.filter { !recorded.contains($0.item.identifier) }
        try await forget(erasing.map(\.item.identifier).filter(recorded.contains))
        for (_, entries) in Dictionary(grouping: unrecorded, by: ErasedGroup.init).sorted(by: { $0.key < $1.key }) {
            guard let first = entries.first else { continue }
            let identifiers = entries.map(\.item.identifier)
            let kinds = DataKind.allCases.filter { kind in entries.contains { $0.item.kind == kind } }
            try await ledger.record(
                .dataErased(
                    items: identifiers, kinds, first.item.client, user: first.item.user, first.reason ?? .requested),
                changing: nil)
            recorded.formUnion(identifiers)
            try await forget(identifiers)
        }
        wake()
    }

    private func forget(_ identifiers: [String]) async throws {
        guard !identifiers.isEmpty else { return }
        try await table.remove(identifiers)
        recorded.subtract(identifiers)
    }
}

/// Items that one record of their erasure can name.
private struct ErasedGroup: Hashable, Comparable {
    let client: String
    let user: UInt32
    let reason: String

    init(_ entry: KeptEntry) {
        client = entry.item.client.rawValue
        user = entry.item.user
        reason = entry.reason?.rawValue ?? ""
    }

    static func < (left: ErasedGroup, right: ErasedGroup) -> Bool {
        (left.client, left.user, left.reason) < (right.client, right.user, right.reason)
    }
}
