import Consent
import FleetDatabase
import FleetModel
import Foundation

/// Drops partitions of records, in one transaction with the tombstones.
struct Retention: Sendable {
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
    func dropped(
        _ partitions: [String], before end: Timestamp, _ hosts: [ListedHost]
    ) async throws -> [Int64: [Range<UInt64>]] {
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

    /// Records of a machine's incomplete tile keep their leaves, because no tile has them; their fields go.
    func drop(
        _ partitions: [String], before end: Timestamp, _ hosts: [ListedHost], _ signer: NoteSigner
    ) async throws {
        let reader = FleetReader(connection: connection)
        try await connection.inTransaction {
            // What waits for this holds up everybody else: a long question, a backup.
            try await connection.query("SET LOCAL lock_timeout = '10s'")
            // First, so that no upload holds a part of it meanwhile; uploads wait, and reading too. In the order of an upload,
            // which locks its host's row and then the records.
            try await connection.query("LOCK TABLE fleet.host IN EXCLUSIVE MODE")
            try await connection.query("LOCK TABLE fleet.record IN ACCESS EXCLUSIVE MODE")
            let dropped = try await dropped(partitions, before: end, hosts)
            // A machine may have enrolled, or sent old records, while the others were verified.
            let sizes = Dictionary(uniqueKeysWithValues: hosts.map { ($0.id, $0.stored) })
            if let (host, _) = dropped.first(where: { host, ranges in
                ranges.contains { $0.upperBound > sizes[host] ?? 0 }
            }) {
                throw FleetFailure.badData(
                    "Machine \(host) has sent records of that time since the machines were verified, so nothing was dropped. Try again."
                )
            }
            for host in hosts {
                guard let ranges = dropped[host.id] else { continue }
                // Many, if the machine's clock was set often.
                for start in stride(from: 0, to: ranges.count, by: Tombstone.mostRanges) {
                    let some = ranges[start..<min(start + Tombstone.mostRanges, ranges.count)]
                    let note = try await note(for: some, of: host, before: end, signer, reader)
                    try await connection.query(
                        "INSERT INTO fleet.tombstone (host, before, note) VALUES ($1, $2, $3)",
                        ["\(host.id)", end.text, String(decoding: note.data, as: UTF8.self)])
                }
            }
            for partition in partitions {
                try await connection.query("ALTER TABLE fleet.record DETACH PARTITION fleet.\(partition)")
                try await connection.query(
                    """
                    INSERT INTO fleet.record (host, index, time, kind, digest)
                    SELECT r.host, r.index, r.time, r.kind, r.digest FROM fleet.\(partition) r
                    JOIN fleet.host h ON h.id = r.host WHERE r.index >= h.next_entry / 256 * 256
                    """)
                try await connection.query("DROP TABLE fleet.\(partition)")
            }
            try await connection.query(
                """
                DELETE FROM fleet.record_default r USING fleet.host h
                WHERE h.id = r.host AND r.time < $1 AND r.index < h.next_entry / 256 * 256
                """, [end.text])
            try await connection.query(
                "UPDATE fleet.record_default SET salt = NULL, fields = NULL, verbatim = NULL WHERE time < $1",
                [end.text])
        }
    }

    private func note(
        for ranges: ArraySlice<Range<UInt64>>, of host: ListedHost, before end: Timestamp, _ signer: NoteSigner,
        _ reader: FleetReader
    ) async throws -> SignedNote {
        var dropped: [Tombstone.Dropped] = []
        // One tile serves all ranges in it.
        var (page, leaves): (Range<UInt64>, [UInt64: MerkleHash]) = (0..<0, [:])
        for range in ranges {
            var digest = LeafDigest()
            for index in range {
                if !page.contains(index) {
                    let start = index / FleetReader.pageSize * FleetReader.pageSize
                    page = start..<start + FleetReader.pageSize
                    leaves = try await self.leaves(of: host, in: page, reader)
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

    /// Of a tile, or of its records if it is not full.
    private func leaves(
        of host: ListedHost, in page: Range<UInt64>, _ reader: FleetReader
    ) async throws -> [UInt64: MerkleHash] {
        let tile = try await reader.leafTiles(of: host, page)
        guard tile.isEmpty else { return tile }
        return try await reader.rows(of: host, page).reduce(into: [:]) { $0[$1.index] = $1.leafHash }
    }
}
