import Consent
import Foundation
import Logging

/// The collector's data in PostgreSQL. Any number of collectors share one database: an operation that two of them must
/// not interleave is a transaction that locks the host's row.
public struct FleetStore: Sendable {
    public let pool: DatabasePool
    let logger: Logger
    /// Bytes that a host may store on a day, by UTC.
    let dailyBytes: Int
    public static let mostDailyBytes = 1 << 50
    /// For a host's row, of requests that can be repeated soon: one that waits keeps a connection from all hosts.
    static let shortWait = "500ms"
    let partitions = KnownPartitions()

    public init(_ pool: DatabasePool, dailyBytes: Int = mostDailyBytes, logger: Logger) {
        self.pool = pool
        self.dailyBytes = dailyBytes
        self.logger = logger
    }

    /// - Throws: `DatabaseError` if there is no database, `Migrator.Problem` if its schema is different, `Volatile`.
    public func check() async throws {
        try await pool.withConnection { connection in
            try await Migrator().check(connection)
            guard try await connection.query("SHOW fsync") == [["on"]] else { throw Volatile() }
        }
    }

    /// A power cut may undo commits of this server.
    public struct Volatile: Error, Sendable, CustomStringConvertible {
        public let description =
            "PostgreSQL runs with fsync = off: a power cut would lose records that were acknowledged. Turn it on in "
            + "postgresql.conf, and reload it."
    }
}

/// A host's row, as far as the protocols need it.
public struct FleetHost: Sendable, Hashable {
    public let identifier: Int64
    public let name: String
    public let origin: String
    /// Seconds between reports.
    public let interval: Int
    /// Records that are stored.
    public let nextEntry: UInt64
    /// Of the newest accepted checkpoint.
    public let pendingSize: UInt64
    /// Of the newest checkpoint whose records are all stored.
    public let mirrorSize: UInt64

    static let columns = "id, name, origin, report_interval, next_entry, pending_size, mirror_size"

    init?(_ row: [String?]) {
        guard row.count >= 7, let identifier = row.integer(0), let name = row[1], let origin = row[2],
            let interval = row.integer(3), let next = row.unsigned(4), let pending = row.unsigned(5),
            let mirror = row.unsigned(6)
        else { return nil }
        self.identifier = identifier
        self.name = name
        self.origin = origin
        self.interval = Int(interval)
        nextEntry = next
        pendingSize = pending
        mirrorSize = mirror
    }
}

extension [String?] {
    /// A column of a row in text format; `nil`: NULL, or no such value.
    public func integer(_ column: Int) -> Int64? { self[column].flatMap { Int64($0) } }
    public func unsigned(_ column: Int) -> UInt64? { self[column].flatMap { UInt64($0) } }
    public func bytes(_ column: Int) -> Data? { self[column].flatMap { Data(bytea: $0) } }
}

/// A row that is not as this program writes it.
public struct CorruptRow: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ table: String, of host: Int64) { description = "A row of fleet.\(table) of host \(host) cannot be read." }
}
