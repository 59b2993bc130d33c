import Authorization
import Foundation

extension ConsentLog {
    /// Deletes the fields of all records in the scope, except those that something in force depends on, and records that
    /// in the same transaction. The records' leaves stay, and with them every root and every proof.
    ///
    /// When it returns, the bytes are gone from the storage, its write-ahead log and its free pages.
    ///
    /// - Parameters:
    ///   - size: only records before this index; `nil`: all.
    ///   - running: sessions that have not ended.
    ///   - rehearsing: only counts what would be erased.
    /// - Throws: `ConsentError`; then nothing was erased, or the log has stopped.
    public nonisolated func erase(
        _ scope: RightsScope, upTo size: UInt64? = nil, running: Set<String> = [], rehearsing: Bool = false
    ) async throws -> ErasureResult {
        // What was in force before the reading began is exempt; what comes later is not read.
        let mutesInForce = try await mutes()
        var exemptions = ErasureExemptions(
            decisions: try await storage.decisions(), monitors: try await monitors(), sessions: running,
            mutes: mutesInForce)
        let head = await head.size
        let size = min(size ?? head, head)
        var erased: [Int64] = []
        var kept: [KeepingReason: Int] = [:]
        var keptMutes: Set<Mute> = []
        for try await (stored, record) in cursor(in: 0..<size) where !record.isErased {
            guard scope.admits(record) else {
                exemptions.stays(record)
                continue
            }
            if let exemption = exemptions.exemption(of: record) {
                exemptions.stays(record)
                kept[exemption, default: 0] += 1
                if exemption == .muteInForce, let mute = record.mute.flatMap({ mutesInForce[$0.scope] }) {
                    keptMutes.insert(mute)
                }
            } else {
                erased.append(stored.index)
            }
        }
        guard !rehearsing, !erased.isEmpty else {
            return ErasureResult(erased: erased.count, kept: kept, mutes: keptMutes, record: nil)
        }
        // Names no program, which would undo the erasure. The request, with its client, is a separate record that stays.
        let records = try ErasedRecords.json(erased).map { ranges throws(ConsentError) in
            try PreparedRecord(
                RecordContent(
                    kind: .dataErased, fields: Fields(.erasedRanges, ranges) + Fields(.reason, "requested")))
        }
        let record = try await append(records, erasing: erased).value
        return ErasureResult(erased: erased.count, kept: kept, mutes: keptMutes, record: record)
    }
}

extension RightsScope {
    /// Whether the record matches every value that is set.
    func admits(_ record: ConsentRecord) -> Bool {
        if let since, record.time < Timestamp(since) { return false }
        if let before, record.time >= Timestamp(before) { return false }
        if let client, record.text(.client) != client.rawValue { return false }
        if let user, record[.user] != user { return false }
        if let session, record[.session] != session { return false }
        if let subject, record[.subject] != subject, record[.user].map({ "\($0)" }) != subject { return false }
        return true
    }
}

/// The outcome of an erasure, or of its rehearsal.
public struct ErasureResult: Sendable, Hashable {
    /// Records whose fields are gone.
    public let erased: Int
    /// Records in the scope that stay, by reason.
    public let kept: [KeepingReason: Int]
    /// The mutes in force that need records in the scope.
    public let mutes: Set<Mute>
    /// The record of the erasure; `nil` if nothing was erased.
    public let record: UInt64?
}

/// Which records must keep their fields because something depends on them.
struct ErasureExemptions: Sendable {
    private static let ofMonitors: Set<RecordKind> = [
        .monitorRegistered, .monitorPaused, .monitorResumed, .monitorStarted,
    ]

    private let decisions: Set<StoredDecision.Key>
    private let monitors: Set<String>
    private let sessions: Set<String>
    private let mutes: Mutes
    /// Decisions of which a record stays.
    private var standing: Set<StoredDecision.Key> = []
    /// Mutes of which a record stays.
    private var standingMutes: Set<MuteScope> = []

    init(
        decisions: [StoredDecision], monitors: [MonitorRegistration], sessions: Set<String>, mutes: Mutes = Mutes()
    ) {
        self.decisions = Set(decisions.map(\.key))
        self.monitors = Set(monitors.map(\.identifier))
        self.sessions = sessions
        self.mutes = mutes
    }

    /// Call it for each record that stays, in order.
    mutating func stays(_ record: ConsentRecord) {
        if let change = record[.change] { standing.insert(change.key) }
        if record.kind == .muted, let mute = record.mute { standingMutes.insert(mute.scope) }
    }

    /// - Returns: `nil` if nothing depends on it.
    func exemption(of record: ConsentRecord) -> KeepingReason? {
        if RecordKind.neverErased.contains(record.kind) { return .logItself }
        if let session = record[.session], sessions.contains(session) { return .sessionRunning }
        if Self.ofMonitors.contains(record.kind), let monitor = record[.monitor],
            monitors.contains(monitor)
        {
            return .monitorRegistered
        }
        if record.json(of: .session) == nil, let key = Self.key(of: record), decisions.contains(key) {
            return .decisionInForce
        }
        if let change = record[.change], standing.contains(change.key) { return .endsEarlierDecision }
        // A mute is stored only in these records.
        if record.kind == .muted || record.kind == .unmuted, let scope = record.mute?.scope {
            if record.kind == .muted, mutes[scope] != nil { return .muteInForce }
            if record.kind == .unmuted, standingMutes.contains(scope) { return .endsEarlierDecision }
        }
        return nil
    }

    /// What a record that belongs to a decision decides, or asks.
    private static func key(of record: ConsentRecord) -> StoredDecision.Key? {
        guard let user = record[.user], let client = record.text(.client), let resource = record.text(.resource),
            record.kind != .accessBlocked
        else { return nil }
        return StoredDecision.Key(user: Int64(user), client: client, resource: resource)
    }
}

/// The field `records` of `data.erased`: `[[first,last],…]`, both counted in, in order.
enum ErasedRecords {
    /// More would make the record larger than a record may be.
    static let mostRanges = 16_384

    static func json(_ indexes: some Sequence<Int64>) -> [JSONValue] {
        var ranges: [(Int64, Int64)] = []
        for index in indexes {
            if let last = ranges.last, last.1 + 1 == index {
                ranges[ranges.count - 1].1 = index
            } else {
                ranges.append((index, index))
            }
        }
        return stride(from: 0, to: ranges.count, by: mostRanges).map { start in
            .array(
                ranges[start..<min(start + mostRanges, ranges.count)].map { .array([.integer($0.0), .integer($0.1)]) })
        }
    }

    /// - Returns: the valid ranges of indexes below this one.
    static func ranges(_ json: JSONValue?, before index: UInt64) -> [ClosedRange<Int>] {
        (json?.array ?? []).compactMap { range in
            guard let ends = range.array, ends.count == 2, let first = ends[0].integer, let last = ends[1].integer,
                0 <= first, first <= last, last < 1 << 53, UInt64(last) < index
            else { return nil }
            return Int(first)...Int(last)
        }
    }
}

extension ConsentRecord {
    /// Indexes of the records whose erasure this record reports; empty for records of other kinds. A record can report
    /// only the erasure of earlier ones: other ranges are left out.
    public var erasedRecords: [ClosedRange<Int>] {
        kind == .dataErased ? ErasedRecords.ranges(self[.erasedRanges], before: index) : []
    }
}
