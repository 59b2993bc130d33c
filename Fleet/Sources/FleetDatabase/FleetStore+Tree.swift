import Consent
import FleetModel
import Foundation

extension FleetStore {
    /// The proof that a host's tree of one size begins with the tree of another, from its tiles and records.
    ///
    /// - Parameter size: at most `host.nextEntry`.
    /// - Returns: `nil` if a tile or record that it needs is not there.
    public func consistency(of host: FleetHost, from old: UInt64, to size: UInt64) async throws -> [MerkleHash]? {
        guard size <= host.nextEntry, let plan = ProofPlan.consistency(from: old, to: size) else { return nil }
        var tree = SubtreeReader(ofCopy: size) { try await hashes(ofTile: $1, level: $0, of: host) }
        do { return try await tree.hashes(of: plan) } catch is CopyProblem { return nil }
    }

    /// As many as are stored.
    private func hashes(ofTile position: UInt64, level: Int, of host: FleetHost) async throws -> [MerkleHash] {
        let rows = try await pool.query(
            "SELECT hashes FROM fleet.tile WHERE host = $1 AND level = $2 AND position = $3",
            [String(host.identifier), String(level), String(position)])
        if let tile = rows.first?.bytes(0) { return MerkleHash.list(tile) }
        guard level == 0 else { return [] }
        let start = position * TilePath.fullWidth
        return try await leafHashes(of: host, in: start..<min(start + TilePath.fullWidth, host.nextEntry)) ?? []
    }
}

/// A checkpoint of a mirror that another witness has not cosigned yet.
public struct UncosignedCheckpoint: Sendable {
    public let host: FleetHost
    public let note: SignedNote
    /// What the witness has of the log, as far as is known.
    public let known: UInt64
}

extension FleetStore {
    /// - Parameter limit: hosts at once.
    public func uncosigned(by witness: NoteVerifier, limit: Int) async throws -> [UncosignedCheckpoint] {
        try await pool.query(
            """
            SELECT \(FleetHost.columns), mirror_note, coalesce(size, 0) FROM fleet.host
            LEFT JOIN fleet.upstream ON upstream.host = id AND vkey = $1
            WHERE revoked_at IS NULL AND mirror_size > 0
                AND (size IS NULL OR size < mirror_size OR cosigned_at IS NULL)
            ORDER BY greatest(cosigned_at, tried_at) NULLS FIRST LIMIT $2
            """, [witness.text, String(limit)]
        ).compactMap { row in
            guard let host = FleetHost(row), let note = row[7].flatMap({ SignedNote(Data($0.utf8)) }) else {
                return nil
            }
            return UncosignedCheckpoint(host: host, note: note, known: row.unsigned(8) ?? 0)
        }
    }

    /// A witness has refused a checkpoint: others are sent first.
    public func markTried(_ checkpoint: UncosignedCheckpoint, by witness: NoteVerifier) async throws {
        try await pool.query(
            """
            INSERT INTO fleet.upstream (host, vkey, size, tried_at) VALUES ($1, $2, $3, now())
            ON CONFLICT (host, vkey) DO UPDATE SET tried_at = now()
            """, [String(checkpoint.host.identifier), witness.text, String(checkpoint.known)])
    }

    /// What a witness has of a log, and the checkpoint with its cosignature, if it gave one.
    public func keep(
        _ size: UInt64, of host: FleetHost, by witness: NoteVerifier, _ cosigned: SignedNote?
    ) async throws {
        try await pool.transaction { connection in
            let identifier = String(host.identifier)
            try connection.query(
                """
                INSERT INTO fleet.upstream (host, vkey, size, note, cosigned_at)
                VALUES ($1, $2, $3, $4::text, CASE WHEN $4 IS NOT NULL THEN now() END)
                ON CONFLICT (host, vkey) DO UPDATE SET size = EXCLUDED.size, cosigned_at = EXCLUDED.cosigned_at,
                    note = coalesce(EXCLUDED.note, upstream.note)
                """, [identifier, witness.text, String(size), cosigned?.content])
            guard let cosignature = cosigned?.signature(of: witness) else { return }
            let rows = try connection.query(
                "SELECT mirror_note FROM fleet.host WHERE id = $1 AND mirror_size = $2 FOR NO KEY UPDATE",
                [identifier, String(size)])
            guard let note = rows.first?[0].flatMap({ SignedNote(Data($0.utf8)) })?.adding(cosignature) else { return }
            try connection.query(
                "UPDATE fleet.host SET mirror_note = $2 WHERE id = $1", [identifier, note.content])
        }
    }
}
