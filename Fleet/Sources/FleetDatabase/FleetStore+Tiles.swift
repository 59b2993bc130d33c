import Consent
import FleetModel
import Foundation

extension FleetStore {
    /// The leaf hashes of stored records, from their rows.
    ///
    /// - Parameter range: at most 256 records.
    /// - Returns: `nil` if some are not there.
    func leafHashes(of host: FleetHost, in range: Range<UInt64>) async throws -> [MerkleHash]? {
        guard !range.isEmpty else { return [] }
        return try await pool.withConnection { connection in
            try await connection.run { try Self.leaves(of: host.identifier, in: range, in: $0)?.map(MerkleHash.leaf) }
        }
    }

    /// The tree of the records from the last multiple of 256 to this one; see `Frontier.sinceAlignment`.
    ///
    /// - Returns: `nil` if some are not there.
    public func preceding(_ record: UInt64, of host: FleetHost) async throws -> Frontier? {
        let aligned = record / EntryPackage.alignment * EntryPackage.alignment
        guard record > aligned else { return Frontier() }
        // An upload begins behind what is stored, mostly: then no leaf is rebuilt.
        let rows = try await pool.query(
            "SELECT frontier FROM fleet.host WHERE id = $1 AND next_entry = $2",
            [String(host.identifier), String(record)])
        if let row = rows.first {
            guard let whole = row.bytes(0).flatMap({ Frontier(size: record, bytes: $0) }) else {
                throw CorruptRow("host", of: host.identifier)
            }
            return whole.sinceAlignment
        }
        guard let leaves = try await leafHashes(of: host, in: aligned..<record) else { return nil }
        return leaves.reduce(into: Frontier()) { $0.append($1) }
    }

    /// - Returns: what is served at the path; `nil`: nothing.
    public func tile(_ path: TilePath, of host: FleetHost) async throws -> Data? {
        let start = path.position.multipliedReportingOverflow(by: TilePath.fullWidth)
        guard !start.overflow, start.partialValue < UInt64(Int64.max) - TilePath.fullWidth else { return nil }
        let range = start.partialValue..<start.partialValue + path.width
        guard let level = path.level else {
            guard range.upperBound <= host.nextEntry else { return nil }
            return try await pool.withConnection { connection in
                try await connection.run { connection in
                    try Self.leaves(of: host.identifier, in: range, in: connection)?.reduce(into: Data()) {
                        $0.append(UInt8(truncatingIfNeeded: $1.count >> 8))
                        $0.append(UInt8(truncatingIfNeeded: $1.count))
                        $0.append($1)
                    }
                }
            }
        }
        if level == 0, path.width < TilePath.fullWidth {
            guard range.upperBound <= host.nextEntry else { return nil }
            if let hashes = try await leafHashes(of: host, in: range) { return Self.bytes(of: hashes) }
        }
        // A full tile has the hashes of its partial ones.
        let rows = try await pool.query(
            "SELECT substring(hashes FOR $4) FROM fleet.tile WHERE host = $1 AND level = $2 AND position = $3",
            [
                String(host.identifier), String(level), String(path.position),
                String(path.width * UInt64(MerkleHash.size)),
            ])
        let tile = rows.first?.bytes(0)
        return tile?.count == Int(path.width) * MerkleHash.size ? tile : nil
    }

    /// Grows the tree by the batch's leaves, and stores the tiles that became full or longer.
    static func storeTiles(
        of batch: RecordBatch, _ frontier: inout Frontier, in connection: isolated DatabaseConnection,
        _ statements: inout [Statement]
    ) throws {
        let aligned = batch.start / TilePath.fullWidth * TilePath.fullWidth
        var pending = batch.leafHashes[...]
        if batch.start > aligned, batch.end >= aligned + TilePath.fullWidth {
            guard let leaves = try leaves(of: batch.host, in: aligned..<batch.start, in: connection) else {
                throw CorruptRow("record", of: batch.host)
            }
            pending = leaves.map(MerkleHash.leaf) + pending
        }
        var full = CopyData()
        var position = aligned / TilePath.fullWidth
        while pending.count >= TilePath.fullWidth {
            full.beginRow(fields: 4)
            full.appendNumber(batch.host)
            full.appendNumber(Int16(0))
            full.appendNumber(Int64(clamping: position))
            full.appendBytes(bytes(of: pending.prefix(Int(TilePath.fullWidth))))
            pending = pending.dropFirst(Int(TilePath.fullWidth))
            position += 1
        }
        if full.rows > 0 {
            try connection.copy(
                "COPY fleet.tile (host, level, position, hashes) FROM STDIN (FORMAT binary)", full.whole)
        }
        var grown: [TileNode: Data] = [:]
        for hash in batch.leafHashes {
            for node in frontier.append(hash, level: 0) {
                grown[TileNode(node), default: Data()].append(node.hash.bytes)
            }
        }
        for (tile, hashes) in grown {
            statements.append(
                Statement(
                    """
                    INSERT INTO fleet.tile (host, level, position, hashes) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (host, level, position) DO UPDATE SET hashes = tile.hashes || EXCLUDED.hashes
                    """, [String(batch.host), String(tile.level), String(tile.position), hashes.bytea]))
        }
    }

    /// The tile of which a node of each eighth level is a hash.
    private struct TileNode: Hashable {
        let level: Int
        let position: UInt64

        init(_ node: TreeNode) {
            level = node.level / TreeNode.spacing
            position = node.position / TilePath.fullWidth
        }
    }

    private static func bytes(of hashes: some Sequence<MerkleHash>) -> Data {
        hashes.reduce(into: Data()) { $0.append($1.bytes) }
    }

    /// The leaves of stored records, rebuilt from their rows.
    ///
    /// - Returns: `nil` if some are not there.
    private static func leaves(
        of host: Int64, in range: Range<UInt64>, in connection: isolated DatabaseConnection
    ) throws -> [Data]? {
        let rows = try connection.query(
            """
            SELECT index, kind, (extract(epoch FROM time) * 1000)::bigint, digest FROM fleet.record
            WHERE host = $1 AND index >= $2 AND index < $3 ORDER BY index
            """, [String(host), String(range.lowerBound), String(range.upperBound)])
        guard rows.count == range.count else { return nil }
        return try rows.map { row in
            guard let index = row.integer(0), let kind = row[1], let time = row.integer(2), let digest = row.bytes(3)
            else { throw CorruptRow("record", of: host) }
            return RecordLeaf(
                index: index, kind: RecordKind(rawValue: kind), time: Timestamp(milliseconds: time), digestBytes: digest
            ).data
        }
    }
}
