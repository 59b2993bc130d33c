import Consent
import FleetDatabase
import FleetModel
import Foundation

/// Drops partitions of records, in one transaction with the tombstones.
///
/// Uploads and questions wait while it has `fleet.record` locked. The records to drop are read and signed before: a
/// leaf never changes, so under the lock it is enough to check that no other old records have come.
struct Retention: Sendable {
    /// The records to drop.
    struct Plan: Sendable {
        let partitions: [String]
        /// No later record is dropped, neither of partitions nor of the default one.
        let end: Timestamp
        /// The stored records by host, in order, with the leaves that an earlier retention has kept.
        fileprivate let stored: [Int64: [Range<UInt64>]]
        /// Those of them that have no tombstone yet.
        fileprivate let new: [Int64: [Range<UInt64>]]

        /// Records that are dropped for the first time, and hosts that have some.
        var records: UInt64 { new.values.joined().reduce(0) { $0 + UInt64($1.count) } }
        var hosts: Int { new.count }
    }

    /// Leaves that are in memory at once.
    private static let leafPage = 64 * TilePath.fullWidth
    /// Rows of a statement.
    private static let mostInserted = 1000

    let connection: DatabaseConnection

    /// The begin of a time's month, in UTC.
    func month(of time: Timestamp) async throws -> Timestamp {
        let rows = try await connection.query(
            "SELECT (extract(epoch FROM date_trunc('month', $1::timestamptz, 'UTC')) * 1000)::bigint", [time.text])
        return Timestamp(milliseconds: rows.first?.integer(0) ?? 0)
    }

    /// The partitions that end at or before a time, oldest first.
    func partitions(before time: Timestamp) async throws -> [String] {
        try await connection.query(
            """
            SELECT name FROM (
                SELECT quote_ident(c.relname) AS name,
                    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']*)''\\)')::timestamptz AS upper
                FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'fleet.record'::regclass) p
            WHERE upper <= $1 ORDER BY upper
            """, [time.text]
        ).compactMap { $0[0] }
    }

    /// Whether the default partition has such records: of machines whose clocks are wrong.
    func hasOthers(before time: Timestamp) async throws -> Bool {
        try await connection.query(
            "SELECT FROM fleet.record_default WHERE time < $1 LIMIT 1", [time.text]
        ).isEmpty == false
    }

    /// - Parameters:
    ///   - partitions: what `partitions(before:)` returned for `end`.
    ///   - hosts: all of them, as they were verified.
    ///   - collectorKeys: which sign tombstones.
    func plan(
        _ partitions: [String], before end: Timestamp, of hosts: [ListedHost], collectorKeys: [NoteVerifier]
    ) async throws -> Plan {
        let reader = FleetReader(connection: connection)
        return try await reader.snapshot {
            let stored = try await stored(partitions, before: end)
            var new: [Int64: [Range<UInt64>]] = [:]
            for host in hosts {
                guard let ranges = stored[host.id] else { continue }
                var rest = RangeSet(ranges)
                rest.subtract(RangeSet(try await buried(host, collectorKeys, reader)))
                if !rest.isEmpty { new[host.id] = Array(rest.ranges) }
            }
            return Plan(partitions: partitions, end: end, stored: stored, new: new)
        }
    }

    /// Records of the partitions, and older ones of the default partition, as ranges of indexes by host.
    private func stored(_ partitions: [String], before end: Timestamp) async throws -> [Int64: [Range<UInt64>]] {
        let tables =
            partitions.map { "SELECT host, index FROM fleet.\($0)" }
            + ["SELECT host, index FROM fleet.record_default WHERE time < $1"]
        // Consecutive indexes have the same difference to their rank.
        let rows = try await connection.query(
            """
            SELECT host, min(index), max(index) + 1 FROM (
                SELECT host, index, index - row_number() OVER (PARTITION BY host ORDER BY index) AS island
                FROM (\(tables.joined(separator: " UNION ALL "))) r) i
            GROUP BY host, island ORDER BY host, min(index)
            """, [end.text])
        return rows.reduce(into: [:]) { ranges, row in
            guard let host = row.integer(0), let first = row.unsigned(1), let after = row.unsigned(2) else { return }
            ranges[host, default: []].append(first..<after)
        }
    }

    /// Records that have a tombstone.
    private func buried(
        _ host: ListedHost, _ collectorKeys: [NoteVerifier], _ reader: FleetReader
    ) async throws -> [Range<UInt64>] {
        do {
            return try await reader.tombstones(of: host)
                .compactMap { Tombstone($0, of: host.origin, signedBy: collectorKeys) }
                .flatMap(\.dropped).map(\.range)
        } catch is CopyProblem {
            // Only of a host that is dropped unverified. A second tombstone for the same records does no harm.
            return []
        }
    }

    /// Records of tiles that are dropped only in part keep their leaves, without which the entry bundle of the others
    /// could not be fetched.
    ///
    /// - Parameter hosts: the ones that were planned for.
    /// - Throws: `FleetFailure` if a host has sent records of that time since. Then nothing is dropped.
    func drop(_ plan: Plan, of hosts: [ListedHost], _ signer: NoteSigner) async throws {
        let tombstones = try await tombstones(plan, of: hosts, signer)
        let stored = plan.stored.flatMap { host, ranges in ranges.map { (host: host, parts: TileParts($0)) } }
        let edges = RangeColumns(stored.flatMap { host, parts in parts.edges.map { (host, $0) } })
        let whole = RangeColumns(stored.map { ($0.host, $0.parts.whole) }.filter { !$0.1.isEmpty })
        let new = RangeColumns(plan.new.flatMap { host, ranges in ranges.map { (host, $0) } })
        try await connection.inTransaction {
            // While this waits, for a long question or a backup, all others wait for it.
            try await connection.query("SET LOCAL lock_timeout = '10s'")
            // A host may have many ranges of records. PostgreSQL would compare each of its records with each of them, instead of
            // looking each range up in the index.
            try await connection.query("SET LOCAL enable_hashjoin = off")
            try await connection.query("SET LOCAL enable_mergejoin = off")
            // One retention at a time. Nothing else writes tombstones.
            try await connection.query("LOCK TABLE fleet.tombstone IN SHARE ROW EXCLUSIVE MODE")
            // Now, too: a refusal delays no one, and what it reads is already cached.
            try await requireUnchanged(plan, hosts)
            try await insert(tombstones)
            try await copyLeaves(edges, from: plan.partitions)
            // Not fleet.host, which reports change. No deadlock: an upload locks its host's row before the records, and this
            // locks no such row after them.
            try await connection.query("LOCK TABLE fleet.record IN ACCESS EXCLUSIVE MODE")
            try await requireUnchanged(plan, hosts)
            for partition in plan.partitions {
                try await connection.query("ALTER TABLE fleet.record DETACH PARTITION fleet.\(partition)")
                try await connection.query("DROP TABLE fleet.\(partition)")
            }
            try await connection.query(
                """
                DELETE FROM fleet.record_default r USING \(RangeColumns.table) AS whole (host, first, after)
                WHERE r.host = whole.host AND r.index >= whole.first AND r.index < whole.after AND r.time < $4
                """, whole.parameters + [plan.end.text])
            try await connection.query(
                """
                UPDATE fleet.record_default r SET salt = NULL, fields = NULL, verbatim = NULL
                FROM \(RangeColumns.table) AS edge (host, first, after)
                WHERE r.host = edge.host AND r.index >= edge.first AND r.index < edge.after AND r.time < $4
                    AND (r.salt IS NOT NULL OR r.fields IS NOT NULL OR r.verbatim IS NOT NULL)
                """, edges.parameters + [plan.end.text])
            try await connection.query("INSERT INTO fleet.record (host, index, time, kind, digest) TABLE pg_temp.kept")
            // As erasure does: the grant is still in force, and names no one.
            try await connection.query(
                """
                UPDATE fleet.grant_state g SET client = NULL, user_id = NULL, resource = NULL
                FROM \(RangeColumns.table) AS dropped (host, first, after)
                WHERE g.host = dropped.host AND g.record >= dropped.first AND g.record < dropped.after
                """, new.parameters)
        }
    }

    /// A host may have enrolled, or sent old records, while the others were verified; and the first record of a month that has no
    /// partition makes one.
    private func requireUnchanged(_ plan: Plan, _ hosts: [ListedHost]) async throws {
        guard try await partitions(before: plan.end) == plan.partitions else {
            throw FleetFailure.badData(
                "The partitions of that time have changed since the machines were verified, so nothing was dropped. Try again."
            )
        }
        let sizes = [String(array: hosts.map { "\($0.id)" }), String(array: hosts.map { "\($0.stored)" })]
        // A look-up in an index for each host and partition.
        let tables =
            plan.partitions.map { (name: $0, condition: "true", parameters: sizes) }
            + [(name: "record_default", condition: "time < $3", parameters: sizes + [plan.end.text])]
        for table in tables {
            let found = try await connection.query(
                """
                SELECT planned.host FROM unnest($1::bigint[], $2::bigint[]) AS planned (host, size)
                CROSS JOIN LATERAL (
                    SELECT FROM fleet.\(table.name) r
                    WHERE r.host = planned.host AND r.index >= planned.size AND \(table.condition) LIMIT 1) new
                UNION ALL
                SELECT h.id FROM fleet.host h WHERE h.id <> ALL ($1::bigint[])
                    AND EXISTS (SELECT FROM fleet.\(table.name) r WHERE r.host = h.id AND \(table.condition))
                LIMIT 1
                """, table.parameters)
            guard let host = found.first?.integer(0) else { continue }
            throw FleetFailure.badData(
                "Machine \(host) has sent records of that time since the machines were verified, so nothing was dropped. Try again."
            )
        }
    }

    /// Into a table that is this transaction's own, so that no row is searched under the lock.
    private func copyLeaves(_ edges: RangeColumns, from partitions: [String]) async throws {
        try await connection.query(
            """
            CREATE TEMPORARY TABLE kept (
                host bigint, index bigint, time timestamptz(3), kind text, digest bytea) ON COMMIT DROP
            """)
        for partition in partitions {
            try await connection.query(
                """
                INSERT INTO pg_temp.kept SELECT r.host, r.index, r.time, r.kind, r.digest
                FROM \(RangeColumns.table) AS edge (host, first, after)
                JOIN fleet.\(partition) r ON r.host = edge.host AND r.index >= edge.first AND r.index < edge.after
                """, edges.parameters)
        }
    }

    // MARK: Tombstones

    private func tombstones(
        _ plan: Plan, of hosts: [ListedHost], _ signer: NoteSigner
    ) async throws -> [(host: Int64, note: SignedNote)] {
        var tombstones: [(host: Int64, note: SignedNote)] = []
        for host in hosts {
            guard let ranges = plan.new[host.id] else { continue }
            // Many, if the machine's clock was set often.
            for start in stride(from: 0, to: ranges.count, by: Tombstone.mostRanges) {
                let some = ranges[start..<min(start + Tombstone.mostRanges, ranges.count)]
                tombstones.append((host.id, try await note(for: some, of: host, before: plan.end, signer)))
            }
        }
        return tombstones
    }

    private func note(
        for ranges: ArraySlice<Range<UInt64>>, of host: ListedHost, before end: Timestamp, _ signer: NoteSigner
    ) async throws -> SignedNote {
        var dropped: [Tombstone.Dropped] = []
        let last = ranges.last?.upperBound ?? 0
        // One page serves all ranges in it.
        var (page, leaves): (Range<UInt64>, [UInt64: MerkleHash]) = (0..<0, [:])
        for range in ranges {
            var digest = LeafDigest()
            for index in range {
                if !page.contains(index) {
                    let start = index / TilePath.fullWidth * TilePath.fullWidth
                    page = start..<min(start + Self.leafPage, last)
                    leaves = try await self.leaves(of: host, in: page)
                }
                guard let leaf = leaves[index] else { throw CopyProblem(index, "its leaf hash is missing") }
                digest.add(leaf)
            }
            dropped.append(Tombstone.Dropped(range: range, digest: digest.value))
        }
        let tombstone = Tombstone(
            origin: host.origin, before: end, madeAt: Timestamp(Date()), dropped: dropped)
        guard let note = try signer.sign(tombstone.text) else {
            throw FleetFailure.badData("The tombstone of \(host.host) cannot be signed.")
        }
        return note
    }

    /// Of tiles, or of the records of a tile that is not full.
    private func leaves(of host: ListedHost, in page: Range<UInt64>) async throws -> [UInt64: MerkleHash] {
        let reader = FleetReader(connection: connection)
        var leaves = try await reader.leafTiles(of: host, page)
        for start in stride(from: page.lowerBound, to: page.upperBound, by: Int(TilePath.fullWidth))
        where leaves[start] == nil {
            for row in try await reader.rows(of: host, start..<start + TilePath.fullWidth) {
                leaves[row.index] = row.leafHash
            }
        }
        return leaves
    }

    private func insert(_ tombstones: [(host: Int64, note: SignedNote)]) async throws {
        for start in stride(from: 0, to: tombstones.count, by: Self.mostInserted) {
            let some = tombstones[start..<min(start + Self.mostInserted, tombstones.count)]
            let notes = some.map { String(decoding: $0.note.data, as: UTF8.self) }
            try await connection.query(
                """
                INSERT INTO fleet.tombstone (host, note)
                SELECT host, note FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS new (host, note, place)
                ORDER BY place
                """, [String(array: some.map { "\($0.host)" }), String(array: notes)])
        }
    }
}

/// A range of records that are dropped: those whose tiles are dropped as a whole, and those beside them.
private struct TileParts {
    let whole: Range<UInt64>
    let edges: [Range<UInt64>]

    init(_ range: Range<UInt64>) {
        let width = TilePath.fullWidth
        let first = min((range.lowerBound + width - 1) / width * width, range.upperBound)
        let last = max(range.upperBound / width * width, first)
        whole = first..<last
        edges = [range.lowerBound..<first, last..<range.upperBound].filter { !$0.isEmpty }
    }
}

/// Ranges of records by host, as the first three parameters of a statement.
private struct RangeColumns {
    /// Columns: host, first record, the record after the last.
    static let table = "unnest($1::bigint[], $2::bigint[], $3::bigint[])"

    let parameters: [String?]

    init(_ rows: [(host: Int64, range: Range<UInt64>)]) {
        parameters = [
            String(array: rows.map { "\($0.host)" }), String(array: rows.map { "\($0.range.lowerBound)" }),
            String(array: rows.map { "\($0.range.upperBound)" }),
        ]
    }
}
