import Consent
import FleetModel
import Foundation

extension FleetStore {
    /// What `add-checkpoint` answers (https://c2sp.org/tlog-witness).
    public enum CheckpointAnswer: Sendable, Hashable {
        /// With this signature below it, the checkpoint is stored.
        case cosigned(NoteSignature)
        /// The log is not enrolled.
        case unknownOrigin
        /// No known key signed it, or the signature of one is false.
        case untrusted
        /// `old` is not the size of the last accepted checkpoint, which is this.
        case conflict(UInt64)
        /// The proof does not lead from the last accepted checkpoint to this one.
        case inconsistent
        /// The host has stored as much today as it may.
        case overQuota
    }

    /// Whether a key that may count has signed the checkpoint; `add` has the last word.
    public func hasSigned(_ note: SignedNote, _ host: FleetHost) async throws -> Bool {
        let keys = try await pool.withConnection { connection in
            try await connection.run { try Self.verifiers(of: host.identifier, size: 0, in: $0) }
        }
        return !note.signers(among: keys).isEmpty
    }

    /// Accepts a host's next checkpoint as a witness: its answer is durable.
    ///
    /// - Parameters:
    ///   - host: whose origin the checkpoint has.
    ///   - isSender: whether it showed its token. The word of a stranger raises no alarm unless the signatures alone prove it.
    ///   - time: seconds since 1970.
    public func add(
        _ request: CheckpointRequest, of host: FleetHost, isSender: Bool, cosigner: NoteSigner, at time: UInt64
    ) async throws -> CheckpointAnswer {
        let (checkpoint, host) = (request.checkpoint, host.identifier)
        return try await pool.transaction(waiting: Self.shortWait) { connection in
            let rows = try connection.query(
                """
                SELECT pending_size, pending_note, \(Self.spentToday) FROM fleet.host
                WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE
                """, [String(host)])
            guard let row = rows.first, let pending = row.unsigned(0) else { return .unknownOrigin }
            let keys = try Self.verifiers(of: host, size: checkpoint.size, in: connection)
            let signers = request.note.signers(among: keys)
            guard !signers.isEmpty else {
                if isSender {
                    try raise(.unknownKey, of: host, ["checkpoint": request.note.content], in: connection)
                }
                return .untrusted
            }
            guard request.old == pending else { return .conflict(pending) }
            let last = try Self.head(of: host, size: pending, in: connection)
            guard request.isConsistent(with: last) else {
                let isProven = checkpoint.size == pending && checkpoint.root != last.root
                if isSender || isProven {
                    try raise(
                        .forked, of: host, ["checkpoint": request.note.content, "accepted": row[1] ?? ""],
                        in: connection)
                }
                return .inconsistent
            }
            let spent = row.integer(2)
            guard try !isOverQuota(host, spent: spent, in: connection) else { return .overQuota }
            let cosignature = try cosigner.cosign(checkpoint.text, at: time)
            let known = checkpoint.size == pending ? row[1].flatMap { SignedNote(Data($0.utf8)) } : nil
            // The same checkpoint again, which anybody may have kept, changes nothing.
            guard known == nil || isSender else { return .cosigned(cosignature) }
            // A key that signs beside its predecessor is known when the record is stored that names it.
            let own = request.note.signatures.filter { signature in
                isSender && signature.name == checkpoint.origin
                    || signers.contains { request.note.signature(of: $0) == signature }
            }
            guard let base = known ?? SignedNote(text: checkpoint.text, signatures: own),
                let note = (own + [cosignature]).reduce(base, { $0?.adding($1) })?.content
            else { return .untrusted }
            var update = HostUpdate(of: host)
            update.set("pending_size", String(checkpoint.size))
            update.set("pending_note", note)
            var statements = [
                Statement(
                    """
                    INSERT INTO fleet.checkpoint (host, size, root, note) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (host, size) DO UPDATE SET note = EXCLUDED.note
                    """, [String(host), String(checkpoint.size), checkpoint.root.bytes.bytea, note])
            ]
            let bytes = max(0, note.utf8.count - (known?.data.count ?? 0))
            statements += Self.count(bytes, of: host, spent: spent, &update)
            statements += update.statements
            // The same checkpoint again shows nothing: anybody may have kept it.
            if checkpoint.size > pending {
                statements.append(Statement(Self.endAlarm, [String(host), AlarmKind.rolledBack.rawValue]))
            }
            try connection.pipeline(statements)
            return .cosigned(cosignature)
        }
    }

    /// What the accepted checkpoint of this size says; the empty tree for 0.
    ///
    /// - Throws: `CorruptRow` if there is none.
    static func head(
        of host: Int64, size: UInt64, in connection: isolated DatabaseConnection
    ) throws -> TreeHead {
        guard size > 0 else { return TreeHead(size: 0, root: .empty) }
        let rows = try connection.query(
            "SELECT root FROM fleet.checkpoint WHERE host = $1 AND size = $2", [String(host), String(size)])
        guard let root = rows.first?.bytes(0).flatMap(MerkleHash.init(bytes:)) else {
            throw CorruptRow("checkpoint", of: host)
        }
        return TreeHead(size: size, root: root)
    }

    /// The accepted checkpoint of this size, at which an upload may end.
    public func checkpoint(of host: FleetHost, size: UInt64) async throws -> (head: TreeHead, note: SignedNote)? {
        let rows = try await pool.query(
            "SELECT root, note FROM fleet.checkpoint WHERE host = $1 AND size = $2",
            [String(host.identifier), String(size)])
        guard let row = rows.first else { return nil }
        guard let root = row.bytes(0).flatMap(MerkleHash.init(bytes:)),
            let note = row[1].flatMap({ SignedNote(Data($0.utf8)) })
        else { throw CorruptRow("checkpoint", of: host.identifier) }
        return (TreeHead(size: size, root: root), note)
    }
}

extension SignedNote {
    /// The whole note as text.
    var content: String { String(decoding: data, as: UTF8.self) }
}
