import Consent
import FleetModel
import Foundation

/// Consecutive records that are stored in one transaction. They are verified: the batch does not look at proofs.
public struct RecordBatch: Sendable {
    static let copyStatement = """
        COPY fleet.record (host, index, time, kind, digest, salt, fields, verbatim) FROM STDIN (FORMAT binary)
        """

    public let start: UInt64
    let host: Int64
    private(set) var leafHashes: [MerkleHash] = []
    private(set) var rows = CopyData()
    /// With the index of the record.
    private(set) var effects: [(record: UInt64, effect: RecordEffect)] = []
    /// Ranges of records whose fields are erased: the host's row is locked while they are.
    private var erasures = 0
    /// How many records are of each month.
    private(set) var months: [Month: Int] = [:]

    public init(of host: FleetHost, start: UInt64) {
        self.host = host.identifier
        self.start = start
    }

    public var end: UInt64 { start + UInt64(leafHashes.count) }
    public var isEmpty: Bool { leafHashes.isEmpty }
    /// Records that are in the default partition.
    func outside(now: Timestamp) -> Int { months.filter { !$0.key.hasPartition(now: now) }.values.reduce(0, +) }
    /// Bytes that it keeps.
    public var size: Int { rows.count + leafHashes.count * MerkleHash.size }
    /// Whether it should be stored before more is appended: one transaction holds up the host's other requests.
    public var isFull: Bool { size >= Self.enough || erasures >= Self.enoughErasures }

    private static let enough = 2 << 20
    private static let enoughErasures = 16_384

    /// - Parameter record: the one at `end`.
    public mutating func append(_ record: ReceivedRecord, _ leafHash: MerkleHash) {
        leafHashes.append(leafHash)
        months[Month(of: record.leaf.time), default: 0] += 1
        if let effect = record.effect {
            effects.append((record.index, effect))
            if case .erases(let ranges) = effect { erasures += ranges.count }
        }
        rows.beginRow(fields: 8)
        rows.appendNumber(host)
        rows.appendNumber(record.leaf.index)
        rows.appendTime(milliseconds: record.leaf.time.milliseconds)
        rows.appendBytes(record.leaf.kind.rawValue.utf8)
        rows.appendBytes(record.digest)
        if let disclosed = record.disclosed {
            rows.appendBytes(disclosed.salt)
            rows.appendJSON(disclosed.fields)
            if let text = disclosed.verbatim { rows.appendBytes(text) } else { rows.appendNull() }
        } else {
            for _ in 0..<3 { rows.appendNull() }
        }
    }
}

/// A month in UTC, which is a partition of the records.
struct Month: Sendable, Hashable {
    let year: Int64
    let month: Int64

    init(of time: Timestamp) {
        let date = CivilDate(daysSince1970: time.milliseconds.flooredDivision(by: 86_400_000).quotient)
        (year, month) = (date.year, date.month)
    }

    /// As PostgreSQL reads a date.
    var firstDay: String { "\(year)-\(month < 10 ? "0" : "")\(month)-01" }

    /// Whether it gets a partition: an older record, or one after the next month, is in the default partition, so a host
    /// with a wrong clock makes no partitions.
    func hasPartition(now: Timestamp) -> Bool {
        year >= 2024 && number <= Month(of: now).number + 1
    }

    func isOver(now: Timestamp) -> Bool { number < Month(of: now).number }

    /// Consecutive.
    private var number: Int64 { year * 12 + month }
}
