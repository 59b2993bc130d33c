import Authorization
import Foundation

/// Reads records one after the other, a page at a time: a log may have millions.
struct LogCursor: AsyncSequence, Sendable {
    typealias Element = (stored: StoredRecord, record: ConsentRecord)

    fileprivate let storage: any ConsentStorage
    /// Empty: all.
    fileprivate let kinds: [String]
    fileprivate let range: Range<Int64>
    fileprivate let direction: LogDirection
    fileprivate let pageSize: Int

    func makeAsyncIterator() -> Iterator { Iterator(cursor: self, rest: range) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let cursor: LogCursor
        /// What was not read yet.
        fileprivate var rest: Range<Int64>
        private var page: ArraySlice<StoredRecord> = []

        fileprivate init(cursor: LogCursor, rest: Range<Int64>) {
            self.cursor = cursor
            self.rest = rest
        }

        /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read; the storage's errors.
        mutating func next() async throws -> Element? {
            if page.isEmpty, !rest.isEmpty { try await read() }
            guard let stored = page.popFirst() else { return nil }
            return (stored, try ConsentLog.opened(stored))
        }

        private mutating func read() async throws {
            page = try await cursor.storage.records(
                of: cursor.kinds, in: rest, cursor.direction, limit: cursor.pageSize)[...]
            guard page.count == cursor.pageSize, let last = page.last else {
                rest = rest.upperBound..<rest.upperBound
                return
            }
            switch cursor.direction {
            case .forward: rest = (last.index + 1)..<rest.upperBound
            case .backward: rest = rest.lowerBound..<last.index
            }
        }
    }
}

extension ConsentLog {
    /// - Parameters:
    ///   - kinds: empty: all.
    ///   - range: indexes; by default all.
    nonisolated func cursor(
        of kinds: [RecordKind] = [], in range: Range<UInt64> = 0..<UInt64(Int64.max),
        _ direction: LogDirection = .forward, pageSize: Int = EntryPage.size
    ) -> LogCursor {
        LogCursor(
            storage: storage, kinds: kinds.map(\.rawValue),
            range: Int64(clamping: range.lowerBound)..<Int64(clamping: range.upperBound), direction: direction,
            pageSize: pageSize)
    }

    static func opened(_ stored: StoredRecord) throws -> ConsentRecord {
        do throws(RecordProblem) {
            return try ConsentRecord(stored)
        } catch {
            throw ConsentError(
                code: .corrupt, message: "\(error.message) Run `voicegate audit verify` to check the whole log.")
        }
    }
}

/// Lets appends go first: while records are being written, a reader takes a twentieth of a processor.
struct ReaderTurns {
    private static let restPerWork = 19
    private static let longestRest = Duration.milliseconds(200)

    private let log: ConsentLog
    private var began = ContinuousClock.now
    private var count = 0

    init(log: ConsentLog) { self.log = log }

    /// Call it for each record; rests after a page of them.
    mutating func next() async throws {
        count += 1
        guard count.isMultiple(of: EntryPage.size) else { return }
        if log.isWriting {
            try await Task.sleep(for: min(began.duration(to: .now) * Self.restPerWork, Self.longestRest))
        }
        began = .now
    }
}

// MARK: Queries

/// Each throws `ConsentError` with `corrupt` at a record that cannot be read.
extension ConsentLog {
    /// The records that match the filter, oldest first.
    ///
    /// - Parameter range: indexes; by default all.
    public nonisolated func records(
        matching filter: AuditFilter = AuditFilter(), in range: Range<UInt64> = 0..<UInt64(Int64.max)
    ) async throws -> [ConsentRecord] {
        // Read from the end, because the limit keeps the last ones.
        var found: [ConsentRecord] = []
        let limit = filter.limit ?? .max
        var turns = ReaderTurns(log: self)
        guard limit > 0 else { return [] }
        for try await (_, record) in cursor(in: range, .backward) {
            try await turns.next()
            guard filter.admits(record) else { continue }
            found.append(record)
            if found.count == limit { break }
        }
        return found.reversed()
    }

    /// The last record of one of the kinds.
    public nonisolated func lastRecord(of kinds: RecordKind...) async throws -> ConsentRecord? {
        try await cursor(of: kinds, .backward, pageSize: 1).first { _ in true }.map { $0.record }
    }

    /// A page of the records that match the filter, oldest first.
    ///
    /// - Parameters:
    ///   - size: the log's size up to which is read; with proofs the checkpoint's.
    ///   - after: the `last` of the page before.
    public nonisolated func entries(
        matching filter: AuditFilter = AuditFilter(), upTo size: UInt64, withProofs: Bool = false,
        after: UInt64? = nil
    ) async throws -> EntryPage {
        var reader = SubtreeReader(storage: storage, size: size)
        var entries: [AuditEntry] = []
        let start = after.map { $0 + 1 } ?? 0
        var turns = ReaderTurns(log: self)
        for try await (stored, record) in cursor(in: min(start, size)..<size) {
            try await turns.next()
            guard filter.admits(record) else { continue }
            let proof = withProofs ? try await reader.inclusionProof(of: record.index) : nil
            entries.append(AuditEntry(stored, proof: proof?.hashes.map(\.base64)))
            if entries.count == EntryPage.size {
                return EntryPage(entries: entries, last: record.index + 1 < size ? record.index : nil)
            }
        }
        return EntryPage(entries: entries, last: nil)
    }

    /// Where checkpoints were published, oldest first.
    public nonisolated func publications() async throws -> [CheckpointPublication] {
        var found: [CheckpointPublication] = []
        for try await (_, record) in cursor(of: [.checkpointPublished]) {
            guard let size = record[.size], let destination = record[.destination] else { continue }
            found.append(CheckpointPublication(size: size, destination: destination, time: record.time))
        }
        return found
    }

    /// The mutes in force; they are stored only in these records. A mute whose record has no fields is one of everyone, until
    /// an unmute after it that ends no other: only mutes that have ended are erased.
    public nonisolated func mutes() async throws -> Mutes {
        var mutes = Mutes()
        var isUnknown = false
        for try await (_, record) in cursor(of: [.muted, .unmuted]) {
            guard let mute = record.mute else {
                isUnknown = record.kind == .muted
                continue
            }
            if record.kind == .unmuted, mutes[mute.scope] == nil { isUnknown = false }
            mutes[mute.scope] = record.kind == .muted ? mute : nil
        }
        if isUnknown { mutes[.everyone] = .unknown }
        return mutes
    }

    /// The monitors that were registered and not removed; they are stored only in these records.
    public nonisolated func monitors() async throws -> [MonitorRegistration] {
        var found: [MonitorRegistration] = []
        for try await (_, record) in cursor(of: [.monitorRegistered, .monitorRemoved]) {
            guard let identifier = record[.monitor] else { continue }
            if record.kind == .monitorRemoved {
                found.removeAll { $0.identifier == identifier }
            } else if let monitor = record.monitor(identifier) {
                found.append(monitor)
            }
        }
        return found
    }

    /// A client that a monitor has started.
    public struct StartedClient: Sendable, Hashable {
        public let monitor: MonitorRegistration
        public let process: ProcessIdentity
        /// The kernel's boot in which it was started. After a restart of the machine the process is gone, and a different process may have its identity.
        public let boot: String
    }

    /// The clients that monitors have started and whose end is not recorded, oldest first.
    public nonisolated func startedClients() async throws -> [StartedClient] {
        var found: [StartedClient] = []
        for try await (_, record) in cursor(of: [.monitorStarted, .monitorExited]) {
            guard let identifier = record[.monitor] else { continue }
            found.removeAll { $0.monitor.identifier == identifier }
            guard record.kind == .monitorStarted, let monitor = record.monitor(identifier),
                let boot = record[.boot], let process = record[.process], let startTime = record[.processStartTime]
            else { continue }
            found.append(
                StartedClient(
                    monitor: monitor, process: ProcessIdentity(processIdentifier: process, startTime: startTime),
                    boot: boot))
        }
        return found
    }

    /// What the log records of kept items; erased fields are not found.
    public nonisolated func traces(of items: Set<String>) async throws -> [String: ItemTrace] {
        var traces: [String: ItemTrace] = [:]
        var missing = items
        var kept: [(item: String, record: ConsentRecord)] = []
        // The last withdrawal of each permission.
        var withdrawals: [DecisionKey: UInt64] = [:]
        func note(_ record: ConsentRecord) {
            guard let key = record[.resource].flatMap(record.key), withdrawals[key] == nil else { return }
            withdrawals[key] = record.index
        }
        guard !missing.isEmpty else { return traces }
        for try await (_, record) in cursor(of: [.dataRetained, .dataErased, .denied, .withdrawn], .backward) {
            switch record.kind {
            case .dataErased:
                let erased = missing.intersection(record[.items] ?? [])
                for item in erased { traces[item, default: ItemTrace()].isErased = true }
            case .dataRetained:
                guard let item = record[.item], missing.remove(item) != nil else { continue }
                kept.append((item, record))
            default: note(record)
            }
            if missing.isEmpty { break }
        }
        if let first = kept.last?.record.index, missing.isEmpty {
            for try await (_, record) in cursor(of: [.denied, .withdrawn], in: 0..<first, .backward) { note(record) }
        }
        for (item, record) in kept {
            var withdrawn: Set<Resource> = []
            for resource in Resource.allCases {
                guard let last = record.key(for: resource).flatMap({ withdrawals[$0] }) else { continue }
                if try await !began(record, after: last) { withdrawn.insert(resource) }
            }
            traces[item, default: ItemTrace()].withdrawn = withdrawn
        }
        return traces
    }

    /// Whether the session that the record is of began after another record. What it heard before is of the permission
    /// that it began with, also if it was kept when that had been withdrawn already.
    private nonisolated func began(_ record: ConsentRecord, after index: UInt64) async throws -> Bool {
        guard index < record.index, let session = record[.session] else { return false }
        return try await cursor(of: [.sessionStarted], in: index + 1..<record.index, .backward, pageSize: 16)
            .contains { $0.record[.session] == session }
    }

    public nonisolated func shownNotices() async throws -> [ShownNotice] {
        var notices: [ShownNotice] = []
        for try await (_, record) in cursor(of: [.noticeShown]) { notices += [record.shownNotice].compactMap { $0 } }
        return notices
    }
}

/// A checkpoint that was sent from this machine, so that somebody else may have it.
public struct CheckpointPublication: Sendable, Hashable {
    /// Records that the log had.
    public let size: UInt64
    public let destination: String
    public let time: Timestamp
}

/// The fields of a record as the types that they were written from; `nil` if they were erased.
extension ConsentRecord {
    fileprivate func key(for resource: Resource) -> DecisionKey? {
        guard let user = self[.user], let client = self[.client] else { return nil }
        return DecisionKey(user: user, client: client, resource: resource)
    }

    /// What a record about muting is about.
    var mute: Mute? {
        guard let user = self[.user], let kind = self[.mutedFor] else { return nil }
        return Mute(MuteScope(kind, by: user), user: user, program: self[.decidedByExecutable])
    }

    fileprivate func monitor(_ identifier: String) -> MonitorRegistration? {
        guard let user = self[.user], let client = self[.client], let action = self[.action],
            let kind = self[.waitsFor].flatMap({ MonitorKind(name: $0, phrase: self[.phrase]) })
        else { return nil }
        return MonitorRegistration(
            identifier: identifier, user: user, client: client, kind: kind, action: action,
            isOnce: self[.once] == true)
    }

    fileprivate var shownNotice: ShownNotice? {
        guard let key = self[.resource].flatMap(key), let language = self[.language], let name = self[.clientName],
            let text = self[.notice], let question = self[.question],
            ![.temporaryFullFidelity, .upgradeToAlways, .review].contains(question)
        else { return nil }
        return ShownNotice(subject: .init(key: key, language: language), clientName: name, text: text)
    }
}
