import Consent
import Cryptography
import FleetModel
import Foundation

/// A secret of 32 random bytes. Only its SHA-256 is stored, so that a copy of the database opens nothing; looking it up by
/// this hash also leaves nothing to measure that a comparison in constant time would hide.
public struct BearerToken: Sendable, Hashable {
    public let text: String

    public init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } })
        text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    public init(text: String) { self.text = text }

    public var digest: Data { Data(SHA256.hash(data: text.utf8)) }
}

extension FleetStore {
    public enum EnrolmentProblem: Error, Sendable, Hashable {
        /// Unknown, used or expired, or for a host of another name.
        case token
        /// The log or the name is enrolled.
        case enrolled
    }

    /// Uses the token up. Until the host has sent anything, the same token enrols it again with a new token: the answer
    /// may not have reached it.
    ///
    /// - Parameters:
    ///   - key: of the log whose origin is its name.
    ///   - interval: seconds between reports.
    /// - Returns: the host's own token.
    /// - Throws: `EnrolmentProblem`, `DatabaseError`.
    public func enrol(
        with enrolment: BearerToken, _ key: NoteVerifier, name: String, interval: Int
    ) async throws -> (host: Int64, token: BearerToken) {
        let token = BearerToken()
        do {
            let host = try await pool.transaction { connection in
                let found = try connection.query(
                    """
                    UPDATE fleet.enrolment_token SET used_at = now()
                    WHERE sha256 = $1 AND used_at IS NULL AND expires_at > now() AND coalesce(host_name, $2) = $2
                    RETURNING id, tenant, department
                    """, [enrolment.digest.bytea, name])
                guard let row = found.first else {
                    return try Self.enrolAgain(
                        with: enrolment, key, name: name, interval: interval, token, in: connection)
                }
                let hosts = try connection.query(
                    """
                    INSERT INTO fleet.host
                        (tenant, department, name, origin, origin_sha256, token_sha256, report_interval)
                    VALUES ($1, $2, $3, $4, sha256(convert_to($4, 'UTF8')), $5, $6) RETURNING id
                    """,
                    [row[1], row[2], name, key.name, token.digest.bytea, String(interval)])
                guard let host = hosts.first?.integer(0) else { throw CorruptRow("host", of: 0) }
                try connection.query(
                    "INSERT INTO fleet.host_key (host, vkey) VALUES ($1, $2)", [String(host), key.text])
                try connection.query(
                    "UPDATE fleet.enrolment_token SET used_by = $2 WHERE id = $1", [row[0], String(host)])
                return host
            }
            logger.notice("host enrolled", metadata: ["host": "\(host)", "name": "\(name)"])
            return (host, token)
        } catch let error as DatabaseError where error.state == DatabaseError.uniqueViolation {
            throw EnrolmentProblem.enrolled
        }
    }

    private static func enrolAgain(
        with enrolment: BearerToken, _ key: NoteVerifier, name: String, interval: Int, _ token: BearerToken,
        in connection: isolated DatabaseConnection
    ) throws -> Int64 {
        let hosts = try connection.query(
            """
            UPDATE fleet.host SET token_sha256 = $4, report_interval = $5
            FROM fleet.enrolment_token AS used, fleet.host_key
            WHERE used.sha256 = $1 AND expires_at > now() AND used_by = host.id AND host.name = $2
                AND host_key.host = host.id AND vkey = $3 AND host.revoked_at IS NULL AND pending_size = 0
                AND last_report_at IS NULL
            RETURNING host.id
            """,
            [enrolment.digest.bytea, name, key.text, token.digest.bytea, String(interval)])
        guard let host = hosts.first?.integer(0) else { throw EnrolmentProblem.token }
        return host
    }

    /// - Returns: `nil` for a token that no host has, or one that was revoked.
    public func host(token: BearerToken) async throws -> FleetHost? {
        try await pool.query(
            "SELECT \(FleetHost.columns) FROM fleet.host WHERE token_sha256 = $1 AND revoked_at IS NULL",
            [token.digest.bytea]
        ).first.flatMap(FleetHost.init)
    }

    /// - Parameter origin: SHA-256 of the log's origin.
    public func host(originDigest origin: Data) async throws -> FleetHost? {
        try await pool.query(
            "SELECT \(FleetHost.columns) FROM fleet.host WHERE origin_sha256 = $1 AND revoked_at IS NULL",
            [origin.bytea]
        ).first.flatMap(FleetHost.init)
    }

    /// A signed note of a host.
    public enum KeptNote: String, Sendable {
        case mirror = "mirror_note"
        case witness = "pending_note"
    }

    public func note(_ kept: KeptNote, of host: FleetHost) async throws -> String? {
        try await pool.query("SELECT \(kept.rawValue) FROM fleet.host WHERE id = $1", [String(host.identifier)])
            .first?[0]
    }

    /// A key becomes one of the host's, and its signatures are no longer an alarm; those of a different key still are.
    static func add(
        _ key: NoteVerifier, to host: Int64, namedBy record: UInt64?, replacing previous: String?,
        in connection: isolated DatabaseConnection
    ) throws(DatabaseError) {
        let (host, record) = (String(host), record.map(String.init))
        try connection.query(
            "INSERT INTO fleet.host_key (host, vkey, named_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [host, key.text, record])
        if let previous {
            try connection.query(
                """
                UPDATE fleet.host_key SET retired_from = $3
                WHERE host = $1 AND vkey = $2 AND vkey <> $4 AND retired_from IS NULL
                """, [host, previous, record, key.text])
        }
        let alarms = try connection.query(
            "SELECT id, detail ->> 'key', detail ->> 'checkpoint' FROM fleet.alarm WHERE host = $1 AND kind = $2 AND until IS NULL",
            [host, AlarmKind.unknownKey.rawValue])
        for alarm in alarms {
            let note = alarm[2].flatMap { SignedNote(Data($0.utf8)) }
            guard alarm[1] == key.text || note?.signature(of: key) != nil else { continue }
            try connection.query("UPDATE fleet.alarm SET until = now() WHERE id = $1", [alarm[0]])
        }
    }

    /// The keys whose signatures of a checkpoint of this size count.
    static func verifiers(
        of host: Int64, size: UInt64, in connection: isolated DatabaseConnection
    ) throws(DatabaseError) -> [NoteVerifier] {
        try connection.query(
            """
            SELECT vkey FROM fleet.host_key
            WHERE host = $1 AND revoked_at IS NULL AND (retired_from IS NULL OR $2 <= retired_from)
            """, [String(host), String(size)]
        ).compactMap { $0[0].flatMap(NoteVerifier.init(text:)) }
    }
}
