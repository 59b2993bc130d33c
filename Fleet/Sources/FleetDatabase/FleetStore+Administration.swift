import Consent
import FleetModel
import Foundation

/// An alarm to send.
public struct Alarm: Sendable {
    public let number: Int64
    /// JSON: what it is, and its evidence by name.
    public let message: String
}

extension FleetStore {
    public enum AdministrationProblem: Error, Sendable, Hashable, CustomStringConvertible {
        case unknownHost(String)
        case unknownKey(String)
        case revokedKey
        case noAlarm

        public var description: String {
            switch self {
            case .unknownHost(let name):
                "“\(name)” is not a host, or names several. Name it by its number: voicegate-collector hosts"
            case .unknownKey(let key): "The host has no key “\(key)”."
            case .revokedKey: "The key was revoked. Replace it on the machine, and accept the new one."
            case .noAlarm: "The host has no such open alarm."
            }
        }
    }

    /// - Returns: a token that one machine can enrol with.
    public func newEnrolmentToken(
        tenant: String, department: String, host: String?, hours: Int
    ) async throws -> BearerToken {
        let token = BearerToken()
        try await pool.transaction { connection in
            try connection.query("INSERT INTO fleet.tenant (name) VALUES ($1) ON CONFLICT DO NOTHING", [tenant])
            try connection.query(
                """
                INSERT INTO fleet.enrolment_token (sha256, tenant, department, host_name, expires_at)
                SELECT $1, id, $3, $4, now() + make_interval(hours => $5) FROM fleet.tenant WHERE name = $2
                """, [token.digest.bytea, tenant, department, host, String(hours)])
        }
        return token
    }

    /// - Returns: the columns of each host for an administrator: number, tenant, department, name, state, records, last report.
    public func hosts() async throws -> [[String]] {
        try await pool.query(
            """
            SELECT host.id, tenant.name, department, host.name, state, next_entry, coalesce(last_report_at::text, 'never')
            FROM fleet.host JOIN fleet.tenant ON tenant.id = tenant JOIN fleet.host_state ON host_state.host = host.id
            ORDER BY tenant.name, department, host.name, host.id
            """
        ).map { row in row.map { $0 ?? "" } }
    }

    /// - Parameter name: of the host, or its number: what is a number is not a name, because a machine may name itself as another
    ///   one is numbered. A revoked host has only its number.
    private static func identifier(
        of name: String, orRevoked: Bool = false, in connection: isolated DatabaseConnection
    ) throws -> Int64 {
        let rows = try connection.query(
            """
            SELECT id FROM fleet.host
            WHERE CASE WHEN $1 ~ '^[0-9]+$' THEN id::text = $1 AND (revoked_at IS NULL OR $2)
                ELSE name = $1 AND revoked_at IS NULL END
            FOR NO KEY UPDATE
            """, [name, orRevoked ? "t" : "f"])
        guard rows.count == 1, let host = rows[0].integer(0) else { throw AdministrationProblem.unknownHost(name) }
        return host
    }

    /// The host's token and keys count no longer; its records stay.
    public func revoke(host name: String) async throws {
        try await pool.transaction { connection in
            let host = String(try Self.identifier(of: name, in: connection))
            try connection.query("UPDATE fleet.host SET revoked_at = now() WHERE id = $1", [host])
            try connection.query(
                "UPDATE fleet.host_key SET revoked_at = now() WHERE host = $1 AND revoked_at IS NULL", [host])
            // It names users, and is asked for no more.
            try connection.query("DELETE FROM fleet.grant_state WHERE host = $1", [host])
            try connection.query(
                "UPDATE fleet.alarm SET until = now() WHERE host = $1 AND until IS NULL", [host])
        }
    }

    /// A key was stolen: its signatures count no longer, nor those of keys that records name which it has signed since then, and
    /// these records are marked.
    ///
    /// - Parameter since: what was signed before was received before.
    /// - Parameter name: may be a revoked host's number: a stolen machine may have been revoked first.
    /// - Returns: the first marked index.
    public func revoke(key: NoteVerifier, of name: String, since: Timestamp) async throws -> Int64 {
        try await pool.transaction { connection in
            let host = String(try Self.identifier(of: name, orRevoked: true, in: connection))
            let rows = try connection.query(
                """
                UPDATE fleet.host_key SET revoked_at = coalesce(revoked_at, now()), revoked_from = (
                    SELECT coalesce(max(size), 0) FROM fleet.checkpoint
                    WHERE checkpoint.host = $1 AND received_at < $3::timestamptz)
                WHERE host = $1 AND vkey = $2 RETURNING revoked_from
                """, [host, key.text, since.text])
            guard let first = rows.first?.integer(0) else { throw AdministrationProblem.unknownKey(key.text) }
            try connection.query(
                """
                UPDATE fleet.host_key SET revoked_at = coalesce(revoked_at, now()), revoked_from = named_by
                WHERE host = $1 AND named_by >= $2 AND vkey <> $3
                """, [host, String(first), key.text])
            return first
        }
    }

    /// An administrator vouches for a key that the log itself cannot: the former one was lost, or the log was restored.
    public func accept(_ key: NoteVerifier, of name: String) async throws {
        try await pool.transaction { connection in
            let host = try Self.identifier(of: name, in: connection)
            try Self.add(key, to: host, namedBy: nil, replacing: nil, in: connection)
            // A log that was restored goes on with the key that it had.
            let accepted = try connection.query(
                """
                UPDATE fleet.host_key SET retired_from = NULL
                WHERE host = $1 AND vkey = $2 AND revoked_at IS NULL RETURNING host
                """, [String(host), key.text])
            guard !accepted.isEmpty else { throw AdministrationProblem.revokedKey }
        }
    }

    /// An administrator has looked into an alarm that does not end by itself. Its evidence stays.
    public func close(_ kind: AlarmKind, of name: String) async throws {
        try await pool.transaction { connection in
            let host = String(try Self.identifier(of: name, in: connection))
            let rows = try connection.query(Self.endAlarm + " RETURNING id", [host, kind.rawValue])
            guard !rows.isEmpty else { throw AdministrationProblem.noAlarm }
        }
    }

    /// Alarms that were not sent to the webhook: those that were not tried yet first, then those that were tried longest ago.
    public func unnotified(limit: Int) async throws -> [Alarm] {
        try await pool.query(
            """
            SELECT alarm.id, jsonb_build_object(
                'alarm', alarm.id, 'kind', kind, 'host', alarm.host, 'name', host.name, 'tenant', tenant.name,
                'since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'detail', jsonb_strip_nulls(detail))
            FROM fleet.alarm
            JOIN fleet.host ON host.id = host JOIN fleet.tenant ON tenant.id = tenant
            WHERE notified_at IS NULL ORDER BY tried_at NULLS FIRST, alarm.id LIMIT $1
            """, [String(limit)]
        ).compactMap { row in
            guard let number = row.integer(0), let message = row[1].flatMap({ JSONValue(jsonb: $0.utf8) }) else {
                return nil
            }
            return Alarm(number: number, message: message.canonical)
        }
    }

    public func markTried(_ alarm: Alarm) async throws {
        try await pool.query("UPDATE fleet.alarm SET tried_at = now() WHERE id = $1", [String(alarm.number)])
    }

    public func markNotified(_ alarm: Alarm) async throws {
        try await pool.query("UPDATE fleet.alarm SET notified_at = now() WHERE id = $1", [String(alarm.number)])
    }

    /// As whom a key cosigns.
    public enum CosignerRole: String, Sendable {
        case witness, mirror
        /// Another organisation's witness.
        case upstream
    }

    /// Records the keys whose cosignatures are in the database, for those who check them.
    public func register(_ key: NoteVerifier, as role: CosignerRole) async throws {
        try await pool.query(
            "INSERT INTO fleet.cosigner (vkey, role) VALUES ($1, $2) ON CONFLICT DO NOTHING", [key.text, role.rawValue])
    }

    /// Thins out the checkpoints that are older than two hours to the first of each hour: an upload ends at a newer one.
    public func pruneCheckpoints() async throws {
        try await pool.query(
            """
            DELETE FROM fleet.checkpoint USING fleet.host, (
                SELECT host, size, row_number() OVER (PARTITION BY host, date_trunc('hour', received_at) ORDER BY size) AS place
                FROM fleet.checkpoint
                WHERE received_at BETWEEN now() - interval '3 days' AND now() - interval '2 hours') AS ranked
            WHERE place > 1 AND checkpoint.host = ranked.host AND checkpoint.size = ranked.size
                AND host.id = ranked.host AND ranked.size NOT IN (pending_size, mirror_size)
            """)
    }

    /// Runs the body if no other collector runs it at the moment. It takes connections besides the one that this keeps.
    public func alone(_ duty: String, _ body: @Sendable () async throws -> Void) async throws {
        try await pool.query("INSERT INTO fleet.duty (name) VALUES ($1) ON CONFLICT DO NOTHING", [duty])
        try await pool.withConnection { connection in
            // The row is free when this returns, also if the body throws.
            try await connection.inTransaction {
                let free = try await connection.query(
                    "SELECT FROM fleet.duty WHERE name = $1 FOR UPDATE SKIP LOCKED", [duty])
                if !free.isEmpty { try await body() }
            }
        }
    }
}
