import Consent
import FleetDatabase
import FleetModel
import Foundation

/// Drops partitions of records, in one transaction with the tombstones. What has to be read for that is read before, because
/// uploads, reports and questions wait for the transaction.
struct Retention: Sendable {
    /// Leaves that are read at once.
    private static let pageSize = 64 * TilePath.fullWidth

    let connection: DatabaseConnection

    /// The partitions that end at or before a time, oldest first, and where the newest of them ends.
    ///
    /// - Returns: `nil` if there are none.
    func partitions(before time: Timestamp) async throws -> (names: [String], end: Timestamp)? {
        let rows = try await connection.query(
            """
            SELECT name, (extract(epoch FROM upper) * 1000)::bigint FROM (
                SELECT quote_ident(c.relname) AS name,
                    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']*)''\\)')::timestamptz AS upper
                FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'fleet.record'::regclass) p
            WHERE upper <= $1 ORDER BY upper
            """, [time.text])
        guard let end = rows.last?.integer(1) else { return nil }
        return (rows.compactMap { $0[0] }, Timestamp(milliseconds: end))
    }

    /// Records of the partitions, and older ones of the default partition, as ranges of indexes by machine.
    func dropped(_ partitions: [String], before end: Timestamp) async throws -> [Int64: [Range<UInt64>]] {
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

    /// Records of tiles that are dropped in part keep their leaves, so that the tile's bundle is whole; their fields go.
    ///
    /// - Parameter planned: what `dropped` returned.
    /// - Throws: `FleetFailure` if a machine has sent records of that time since.
    func drop(
        _ partitions: [String], _ planned: [Int64: [Range<UInt64>]], before end: Timestamp, _ hosts: [ListedHost],
        _ signer: NoteSigner
    ) async throws {
        var tombstones: [(host: Int64, note: SignedNote)] = []
        for host in hosts {
            // Many ranges, if the machine's clock was set often.
            let ranges = planned[host.id] ?? []
            for start in stride(from: 0, to: ranges.count, by: Tombstone.mostRanges) {
                let some = ranges[start..<min(start + Tombstone.mostRanges, ranges.count)]
                tombstones.append((host.id, try await note(for: some, of: host, before: end, signer)))
            }
        }
        let ranges = planned.flatMap { host, ranges in ranges.map { (host: host, range: $0) } }
        let parts = ranges.map { (host: $0.host, parts: TileParts($0.range)) }
        let edges = RangeParameters(parts.flatMap { host, parts in parts.edges.map { (host, $0) } })
        let whole = RangeParameters(parts.map { ($0.host, $0.parts.whole) })
        let all = RangeParameters(ranges.map { ($0.host, $0.range) })
        try await connection.inTransaction {
            // What waits for this holds up everybody else: a long question, a backup.
            try await connection.query("SET LOCAL lock_timeout = '10s'")
            // First, so that no upload holds a part of it meanwhile; uploads wait, and reading too. In the order of an upload,
            // which locks its host's row and then the records.
            try await connection.query("LOCK TABLE fleet.host IN EXCLUSIVE MODE")
            try await connection.query("LOCK TABLE fleet.record IN ACCESS EXCLUSIVE MODE")
            try await requireNothingNew(in: partitions, before: end, hosts)
            for (host, note) in tombstones {
                try await connection.query(
                    "INSERT INTO fleet.tombstone (host, before, note) VALUES ($1, $2, $3)",
                    ["\(host)", end.text, String(decoding: note.data, as: UTF8.self)])
            }
            for partition in partitions {
                try await connection.query("ALTER TABLE fleet.record DETACH PARTITION fleet.\(partition)")
                try await connection.query(
                    """
                    INSERT INTO fleet.record (host, index, time, kind, digest)
                    SELECT r.host, r.index, r.time, r.kind, r.digest FROM \(RangeParameters.table) AS edge (host, first, after)
                    JOIN fleet.\(partition) r ON r.host = edge.host AND r.index >= edge.first AND r.index < edge.after
                    """, edges.values)
                try await connection.query("DROP TABLE fleet.\(partition)")
            }
            try await connection.query(
                """
                DELETE FROM fleet.record_default r USING \(RangeParameters.table) AS whole (host, first, after)
                WHERE r.host = whole.host AND r.index >= whole.first AND r.index < whole.after AND r.time < $4
                """, whole.values + [end.text])
            try await connection.query(
                "UPDATE fleet.record_default SET salt = NULL, fields = NULL, verbatim = NULL WHERE time < $1",
                [end.text])
            // As if the fields of a grant had not been sent.
            try await connection.query(
                """
                UPDATE fleet.grant_state AS grants SET client = NULL, user_id = NULL, resource = NULL
                FROM \(RangeParameters.table) AS gone (host, first, after)
                WHERE grants.host = gone.host AND record >= gone.first AND record < gone.after
                """, all.values)
        }
    }

    /// A machine may have enrolled, or sent old records, while the others were verified.
    private func requireNothingNew(
        in partitions: [String], before end: Timestamp, _ hosts: [ListedHost]
    ) async throws {
        let known = [
            "{\(hosts.map { "\($0.id)" }.joined(separator: ","))}",
            "{\(hosts.map { "\($0.stored)" }.joined(separator: ","))}",
        ]
        let tables = partitions.map { ($0, "true", known) } + [("record_default", "time < $3", known + [end.text])]
        for (table, condition, parameters) in tables {
            let found = try await connection.query(
                """
                SELECT h.id FROM fleet.host h LEFT JOIN unnest($1::bigint[], $2::bigint[]) AS known (host, size)
                    ON known.host = h.id
                CROSS JOIN LATERAL (
                    SELECT FROM fleet.\(table) r
                    WHERE r.host = h.id AND r.index >= coalesce(known.size, 0) AND \(condition) LIMIT 1) new
                LIMIT 1
                """, parameters)
            guard let host = found.first?.integer(0) else { continue }
            throw FleetFailure.badData(
                "Machine \(host) has sent records of that time since the machines were verified, so nothing was dropped. Try again."
            )
        }
    }

    private func note(
        for ranges: ArraySlice<Range<UInt64>>, of host: ListedHost, before end: Timestamp, _ signer: NoteSigner
    ) async throws -> SignedNote {
        var dropped: [Tombstone.Dropped] = []
        // One page serves all ranges in it.
        var (page, leaves): (Range<UInt64>, [UInt64: MerkleHash]) = (0..<0, [:])
        for range in ranges {
            var digest = LeafDigest()
            for index in range {
                if !page.contains(index) {
                    let start = index / Self.pageSize * Self.pageSize
                    page = start..<start + Self.pageSize
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

    /// Of tiles, and of the records behind the last full one.
    private func leaves(of host: ListedHost, in page: Range<UInt64>) async throws -> [UInt64: MerkleHash] {
        let reader = FleetReader(connection: connection)
        var leaves = try await reader.leafTiles(of: host, page)
        let rest = max(page.lowerBound, host.stored / TilePath.fullWidth * TilePath.fullWidth)
        guard rest < page.upperBound else { return leaves }
        for row in try await reader.rows(of: host, rest..<page.upperBound) { leaves[row.index] = row.leafHash }
        return leaves
    }
}

/// A range of records by tiles: what is in tiles that it covers, and what is not.
struct TileParts: Hashable {
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

/// Ranges of records by machine, as the first three parameters of a statement.
private struct RangeParameters {
    static let table = "unnest($1::bigint[], $2::bigint[], $3::bigint[])"

    let values: [String?]

    init(_ ranges: [(host: Int64, range: Range<UInt64>)]) {
        func array(_ number: ((host: Int64, range: Range<UInt64>)) -> String) -> String {
            "{\(ranges.map(number).joined(separator: ","))}"
        }
        values = [
            array { "\($0.host)" }, array { "\($0.range.lowerBound)" }, array { "\($0.range.upperBound)" },
        ]
    }
}
