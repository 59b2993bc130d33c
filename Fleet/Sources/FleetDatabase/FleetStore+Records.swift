import Consent
import FleetModel
import Foundation
import Synchronization

/// Months whose partition this process has seen, and that are not over: retention drops no other.
final class KnownPartitions: Sendable {
    private let months = Mutex<Set<Month>>([])

    func unknown(among others: Set<Month>, now: Timestamp) -> Set<Month> {
        months.withLock { others.subtracting($0.filter { !$0.isOver(now: now) }) }
    }

    func insert(_ month: Month) { months.withLock { _ = $0.insert(month) } }
}

extension FleetStore {
    public enum StorageOutcome: Sendable, Hashable {
        /// All records of the batch are stored, by this call or by an earlier one.
        case stored
        /// Another upload has stored a part of them; the next one to store is this.
        case moved(UInt64)
        /// The host was revoked.
        case revoked
        /// The host has stored as much today as it may.
        case overQuota
    }

    /// Stores records with all that they change, in one transaction; durable when it returns.
    ///
    /// - Parameter reached: the accepted checkpoint that ends with the batch, cosigned by the mirror.
    public func store(_ batch: RecordBatch, reaching reached: (size: UInt64, note: SignedNote)?) async throws
        -> StorageOutcome
    {
        let now = Timestamp(Date())
        try await makePartitions(Set(batch.months.keys), now: now)
        let cost = batch.size + costOutside(batch.outside(now: now))
        return try await pool.transaction { connection in
            let rows = try connection.query(
                """
                SELECT next_entry, frontier, mirror_size, origin, \(Self.spentToday) FROM fleet.host
                WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE
                """, [String(batch.host)])
            guard let row = rows.first else { return .revoked }
            guard let next = row.unsigned(0), let mirror = row.unsigned(2), let origin = row[3],
                var frontier = row.bytes(1).flatMap({ Frontier(size: next, bytes: $0) })
            else { throw CorruptRow("host", of: batch.host) }
            var statements: [Statement] = []
            var update = HostUpdate(of: batch.host)
            if next < batch.end {
                guard next == batch.start else { return .moved(next) }
                let spent = row.integer(4)
                guard try !isOverQuota(batch.host, spent: spent, in: connection) else { return .overQuota }
                try connection.copy(RecordBatch.copyStatement, batch.rows.whole)
                try Self.storeTiles(of: batch, &frontier, in: connection, &statements)
                try apply(batch.effects, of: batch.host, origin: origin, in: connection, &statements)
                update.set("next_entry", String(frontier.size))
                update.set("frontier", frontier.bytes.bytea)
                statements += Self.count(cost, of: batch.host, spent: spent, &update)
            }
            if let reached, reached.size > mirror {
                update.set("mirror_size", String(reached.size))
                update.set("mirror_note", reached.note.content)
            }
            statements += update.statements
            if !statements.isEmpty { try connection.pipeline(statements) }
            return .stored
        }
    }

    /// Makes the partitions of months before records come.
    public func makePartitions(ahead now: Timestamp) async throws {
        let next = Timestamp(milliseconds: now.milliseconds + 31 * 86_400_000)
        try await makePartitions([Month(of: now), Month(of: next)], now: now)
    }

    private func makePartitions(_ months: Set<Month>, now: Timestamp) async throws {
        for month in partitions.unknown(among: months, now: now) {
            guard month.hasPartition(now: now) else { continue }
            let isMade = try await pool.query("SELECT fleet.ensure_partition($1)", [month.firstDay])
            if isMade == [["t"]] { partitions.insert(month) }
        }
    }

    /// Of an alarm's evidence, so that a receiver of webhooks takes it.
    private static let longestResources = 200
    private static let mostNamed = 100
    private static let longestRecords = 2000

    /// What records change besides their rows, in their order.
    private func apply(
        _ effects: [(record: UInt64, effect: RecordEffect)], of host: Int64, origin: String,
        in connection: isolated DatabaseConnection, _ statements: inout [Statement]
    ) throws {
        guard !effects.isEmpty else { return }
        var erased: [ClosedRange<Int>] = []
        var (unfollowed, resources): ([UInt64], Set<String>) = ([], [])
        var grants = try GrantStates(of: host, for: effects.map(\.effect), in: connection)
        for (record, effect) in effects {
            switch effect {
            case .erases(let ranges): erased += ranges
            case .namesKey(let key, let previous, let isRotation):
                guard key.name == origin, key.algorithm == .ed25519 else { continue }
                if isRotation, try Self.mayName(key, record, of: host, in: connection) {
                    try Self.add(key, to: host, namedBy: record, replacing: previous, in: connection)
                } else {
                    try raise(.unknownKey, of: host, ["key": key.text, "record": String(record)], in: connection)
                }
            case .grants(let key): grants.grant(key, record)
            case .ends(let key): grants.end(key)
            case .session(let named):
                let missing = named.filter { !grants.permits($0.key, $0.value) }.keys.map(\.resource)
                guard !missing.isEmpty else { continue }
                unfollowed.append(record)
                resources.formUnion(missing)
            }
        }
        if !unfollowed.isEmpty { try raiseUnfollowed(unfollowed, resources, of: host, in: connection) }
        statements += grants.changes(of: host)
        // All together: many records may name the same range.
        if !erased.isEmpty {
            statements += try Self.erasing(RangeSet(erased.map(Range.init)).ranges, of: host, in: connection)
        }
    }

    /// All records of the open alarm are named in it, as far as they have room.
    private func raiseUnfollowed(
        _ records: [UInt64], _ resources: Set<String>, of host: Int64, in connection: isolated DatabaseConnection
    ) throws(DatabaseError) {
        let named = records.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
        let resources = resources.sorted().joined(separator: ", ").prefix(Self.longestResources)
        let isNew = try raise(
            .unfollowed, of: host, ["records": named, "resources": String(resources)], in: connection)
        guard !isNew else { return }
        try connection.query(
            """
            UPDATE fleet.alarm SET detail = detail || jsonb_build_object('records', (detail ->> 'records') || ', ' || $2)
            WHERE host = $1 AND kind = 'unfollowed' AND until IS NULL AND length(detail ->> 'records') < $3
            """, [String(host), named, String(Self.longestRecords)])
    }

    /// Of a host, those included that count no longer. A service keeps fewer.
    private static let mostKeys = 1000

    /// Whether a record may name a key: it is accepted already, or no stolen key may have signed the record and there are not
    /// too many.
    private static func mayName(
        _ key: NoteVerifier, _ record: UInt64, of host: Int64, in connection: isolated DatabaseConnection
    ) throws(DatabaseError) -> Bool {
        try connection.query(
            """
            SELECT bool_or(vkey = $2 AND revoked_at IS NULL)
                OR bool_and(coalesce(revoked_from > $3, true)) AND count(*) < $4
            FROM fleet.host_key WHERE host = $1
            """, [String(host), key.text, String(record), String(mostKeys)]) == [["t"]]
    }

    private static func erasing(
        _ records: RangeSet<Int>.Ranges, of host: Int64, in connection: isolated DatabaseConnection
    ) throws -> [Statement] {
        let ranges = [
            String(host), String(array: records.map { "\($0.lowerBound)" }),
            String(array: records.map { "\($0.upperBound - 1)" }),
        ]
        // No service erases these; a machine that was taken may try.
        let kept = String(array: RecordKind.neverErased.map(\.rawValue))
        var statements = [
            Statement(
                """
                UPDATE fleet.record SET salt = NULL, fields = NULL, verbatim = NULL, erased = true
                FROM unnest($2::bigint[], $3::bigint[]) AS part (first, last)
                WHERE host = $1 AND index BETWEEN part.first AND part.last AND NOT erased AND kind <> ALL ($4)
                """, ranges + [kept]),
            Statement(
                """
                UPDATE fleet.grant_state SET client = NULL, user_id = NULL, resource = NULL
                FROM unnest($2::bigint[], $3::bigint[]) AS part (first, last)
                WHERE host = $1 AND record BETWEEN part.first AND part.last
                """, ranges),
        ]
        let former = try formerHosts(of: host, in: connection)
        if !former.isEmpty {
            // None of their records says that they are erased: they count as not sent.
            statements.append(
                Statement(
                    """
                    UPDATE fleet.record AS former SET salt = NULL, fields = NULL, verbatim = NULL
                    FROM fleet.record AS own, unnest($2::bigint[], $3::bigint[]) AS part (first, last)
                    WHERE own.host = $1 AND own.index BETWEEN part.first AND part.last AND own.kind <> ALL ($4)
                        AND former.host = ANY ($5)
                        AND former.index = own.index AND former.time = own.time AND former.digest = own.digest
                    """, ranges + [kept, String(array: former.map(String.init))]))
        }
        return statements
    }

    /// The revoked hosts as which this host's log was enrolled before. Anybody can name a log's origin: of one of its keys this
    /// host must have shown the secret part.
    private static func formerHosts(
        of host: Int64, in connection: isolated DatabaseConnection
    ) throws(DatabaseError) -> [Int64] {
        try connection.query(
            """
            SELECT DISTINCT former.id FROM fleet.host AS own
            JOIN fleet.host AS former ON former.origin_sha256 = own.origin_sha256 AND former.id <> own.id
            JOIN fleet.host_key AS shown ON shown.host = own.id AND shown.named_by IS NULL
            JOIN fleet.host_key AS known ON known.host = former.id AND known.vkey = shown.vkey
            WHERE own.id = $1
            """, [String(host)]
        ).compactMap { $0.integer(0) }
    }
}

/// The grants of a host that are in force, as far as some records ask about them.
private struct GrantStates {
    /// By record; `nil`: the grant's fields are not known, so that it may permit anything.
    private var grants: [UInt64: GrantKey?] = [:]
    /// Not in the database yet.
    private var granted: [(record: UInt64, key: GrantKey?)] = []
    /// Whose grants in the database end before those.
    private var ended: Set<GrantKey> = []

    init(of host: Int64, for effects: [RecordEffect], in connection: isolated DatabaseConnection) throws {
        let named: [UInt64] = effects.flatMap { effect -> [UInt64] in
            guard case .session(let named) = effect else { return [] }
            return named.values.compactMap { $0 }
        }
        guard !named.isEmpty else { return }
        let rows = try connection.query(
            "SELECT record, client, user_id, resource FROM fleet.grant_state WHERE host = $1 AND record = ANY($2)",
            [String(host), String(array: Set(named).map(String.init))])
        for row in rows {
            guard let record = row.unsigned(0) else { continue }
            let key = row[3].map { GrantKey(client: row[1], user: row.integer(2), resource: $0) }
            // An assignment of `nil` would remove the record instead.
            grants.updateValue(key, forKey: record)
        }
    }

    mutating func grant(_ key: GrantKey?, _ record: UInt64) {
        grants.updateValue(key, forKey: record)
        granted.append((record, key))
    }

    /// Ends the grants of all earlier records.
    mutating func end(_ key: GrantKey) {
        for (record, granted) in grants where granted == key { grants[record] = nil }
        granted.removeAll { $0.key == key }
        ended.insert(key)
    }

    /// As two statements at most: a statement for each costs more than the record's row.
    func changes(of host: Int64) -> [Statement] {
        var statements: [Statement] = []
        if !ended.isEmpty {
            statements.append(
                Statement(
                    """
                    DELETE FROM fleet.grant_state AS former
                    USING jsonb_to_recordset($2) AS ended (client text, user_id bigint, resource text)
                    WHERE former.host = $1 AND fleet.grant_key(former.client, former.user_id, former.resource)
                            = fleet.grant_key(ended.client, ended.user_id, ended.resource)
                        AND former.resource = ended.resource AND former.client IS NOT DISTINCT FROM ended.client
                        AND former.user_id IS NOT DISTINCT FROM ended.user_id
                    """, [String(host), JSONValue.array(ended.map { .object(Self.columns(of: $0)) }).canonical]))
        }
        if !granted.isEmpty {
            let rows = granted.map { grant in
                var columns = Self.columns(of: grant.key)
                columns["record"] = .integer(Int64(clamping: grant.record))
                return JSONValue.object(columns)
            }
            statements.append(
                Statement(
                    """
                    INSERT INTO fleet.grant_state (host, record, client, user_id, resource)
                    SELECT $1, record, client, user_id, resource FROM jsonb_to_recordset($2)
                        AS new (record bigint, client text, user_id bigint, resource text)
                    """, [String(host), JSONValue.array(rows).canonical]))
        }
        return statements
    }

    private static func columns(of key: GrantKey?) -> [String: JSONValue] {
        var columns: [String: JSONValue] = [:]
        columns["client"] = key?.client.map(JSONValue.string)
        columns["user_id"] = key?.user.map(JSONValue.integer)
        columns["resource"] = key.map { .string($0.resource) }
        return columns
    }

    func permits(_ key: GrantKey, _ record: UInt64?) -> Bool {
        guard let record, let granted = grants[record] else { return false }
        return granted == nil || granted == key
    }
}
