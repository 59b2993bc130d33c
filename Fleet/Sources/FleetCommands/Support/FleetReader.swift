import Consent
import FleetDatabase
import FleetModel
import Foundation

/// What a role may see of a collector's database.
struct FleetReader: Sendable {
    let connection: DatabaseConnection

    /// Rows of one page; one tile. A row may have a megabyte.
    static let pageSize: UInt64 = 256

    static let rowColumns = """
        r.index, (extract(epoch FROM r.time) * 1000)::bigint, r.kind, r.digest, r.salt, \
        r.fields::text, r.verbatim, r.erased
        """

    // MARK: Machines

    /// - Throws: `FleetFailure` if a name that was given is unknown.
    func hosts(_ filter: HostFilter = HostFilter()) async throws -> [ListedHost] {
        let rows = try await connection.query(
            """
            SELECT h.host_id, h.tenant, h.department, h.host, h.origin, h.state, \(Self.text("h.since")),
                \(Self.text("h.enrolled_at")), \(Self.text("h.revoked_at")), h.records, h.signed,
                \(Self.text("h.last_report_at")), h.clock_offset_ms, f.next_entry, f.mirror_note,
                h.suspect_from
            FROM fleet_api.hosts h JOIN fleet.host f ON f.id = h.host_id
            WHERE ($1::text[] IS NULL OR h.host_id::text = ANY ($1) OR h.host = ANY ($1) AND h.host !~ '^[0-9]+$')
                AND ($2::text IS NULL OR h.tenant = $2) AND ($3::text IS NULL OR h.department = $3)
            ORDER BY h.tenant, h.host, h.host_id
            """,
            [filter.hosts.isEmpty ? nil : String(array: filter.hosts), filter.tenant, filter.department])
        let hosts = rows.compactMap(ListedHost.init)
        if let name = filter.hosts.first(where: { name in
            !hosts.contains { Int64(name) == nil ? $0.host == name : "\($0.id)" == name }
        }) {
            throw FleetFailure.noInput(
                "No machine \(name) is known, or you may not see it. To list them: voicegate-fleet hosts")
        }
        return hosts
    }

    /// The keys that have signed for the machine, oldest first.
    func keys(of host: ListedHost) async throws -> [NoteVerifier] {
        try await connection.query(
            "SELECT vkey FROM fleet.host_key WHERE host = $1 ORDER BY added_at, named_by", ["\(host.id)"]
        ).compactMap { $0[0].flatMap(NoteVerifier.init(text:)) }
    }

    /// For each key that was stolen, the first record that only it may have signed since it was stolen.
    func revokedKeys(of host: ListedHost) async throws -> [NoteVerifier: UInt64] {
        let rows = try await connection.query(
            "SELECT vkey, revoked_from FROM fleet.host_key WHERE host = $1 AND revoked_from IS NOT NULL",
            ["\(host.id)"])
        return rows.reduce(into: [:]) { keys, row in
            if let key = row[0].flatMap(NoteVerifier.init(text:)) { keys[key] = row.unsigned(1) ?? 0 }
        }
    }

    /// The collector's own keys, which cosign and sign tombstones.
    func collectorKeys() async throws -> [NoteVerifier] {
        try await connection.query("SELECT vkey FROM fleet.cosigner WHERE role <> 'upstream' ORDER BY since")
            .compactMap { $0[0].flatMap(NoteVerifier.init(text:)) }
    }

    func alarms(of hosts: [ListedHost], onlyOpen: Bool) async throws -> [FleetAlarm] {
        try await connection.query(
            """
            SELECT host_id, host, kind, \(Self.text("since")), \(Self.text("until")), detail FROM fleet_api.alarms
            WHERE host_id = ANY ($1::bigint[]) AND (until IS NULL OR NOT $2::boolean) ORDER BY since
            """, [String(array: hosts.map { "\($0.id)" }), onlyOpen ? "t" : "f"]
        ).compactMap(FleetAlarm.init)
    }

    // MARK: The copy of a log

    func tombstones(of host: ListedHost) async throws -> [SignedNote] {
        try await connection.query("SELECT note FROM fleet.tombstone WHERE host = $1 ORDER BY id", ["\(host.id)"])
            .map { row in
                guard let note = row[0].flatMap({ SignedNote(Data($0.utf8)) }) else {
                    throw CopyProblem(nil, "A tombstone cannot be read")
                }
                return note
            }
    }

    /// Roots of accepted checkpoints by their sizes.
    func earlierRoots(of host: ListedHost, upTo size: UInt64) async throws -> [UInt64: MerkleHash] {
        let rows = try await connection.query(
            "SELECT size, root FROM fleet.checkpoint WHERE host = $1 AND size <= $2", ["\(host.id)", "\(size)"])
        return rows.reduce(into: [:]) { roots, row in
            guard let size = row.unsigned(0), let root = row.bytes(1) else { return }
            roots[size] = MerkleHash(bytes: root)
        }
    }

    /// The largest checkpoint that a witness of another organisation has cosigned.
    func cosigned(of host: ListedHost) async throws -> String? {
        let notes = try await connection.query(
            "SELECT note FROM fleet.upstream WHERE host = $1 AND note IS NOT NULL", ["\(host.id)"]
        ).compactMap { $0[0] }
        return notes.max { Self.size($0) < Self.size($1) }
    }

    private static func size(_ note: String) -> UInt64 {
        SignedNote(Data(note.utf8)).flatMap { Checkpoint(text: $0.text) }?.size ?? 0
    }

    func rows(of host: ListedHost, _ range: Range<UInt64>) async throws -> [RecordRow] {
        try await connection.query(
            "SELECT \(Self.rowColumns) FROM fleet.record r WHERE host = $1 AND index >= $2 AND index < $3 ORDER BY index",
            ["\(host.id)", "\(range.lowerBound)", "\(range.upperBound)"]
        ).map { try RecordRow($0[...]) }
    }

    /// The leaf hashes that full tiles have, by index.
    func leafTiles(of host: ListedHost, _ range: Range<UInt64>) async throws -> [UInt64: MerkleHash] {
        let rows = try await connection.query(
            """
            SELECT position, hashes FROM fleet.tile
            WHERE host = $1 AND level = 0 AND position >= $2 AND position < $3
            """, ["\(host.id)", "\(range.lowerBound / 256)", "\((range.upperBound + 255) / 256)"])
        var hashes: [UInt64: MerkleHash] = [:]
        for row in rows {
            guard let position = row.unsigned(0), let bytes = row.bytes(1) else { continue }
            for (place, hash) in MerkleHash.list(bytes).enumerated() { hashes[position * 256 + UInt64(place)] = hash }
        }
        return hashes
    }

    /// The tree over a copy, for proofs.
    func tree(of host: ListedHost, size: UInt64) -> SubtreeReader {
        SubtreeReader(ofCopy: size) { level, position in
            let stored = try await connection.query(
                "SELECT hashes FROM fleet.tile WHERE host = $1 AND level = $2 AND position = $3",
                ["\(host.id)", "\(level)", "\(position)"])
            if let bytes = stored.first?.bytes(0) { return MerkleHash.list(bytes) }
            guard level == 0 else { return [] }
            return try await rows(of: host, position * 256..<(position + 1) * 256).map(\.leafHash)
        }
    }

    /// Everything that the body reads is of one moment.
    func snapshot<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", body)
    }

    // MARK: Forms

    /// SQL that gives a time as records have it.
    private static func text(_ time: String) -> String {
        "to_char(\(time) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
    }
}

extension RecordRow {
    /// - Parameter row: `FleetReader.rowColumns`
    /// - Throws: `CopyProblem` if its columns are not those of a record.
    init(_ row: ArraySlice<String?>) throws {
        let row = Array(row)
        guard let index = row.unsigned(0), let time = row.integer(1), let kind = row[2], let digest = row.bytes(3)
        else {
            throw CopyProblem(row.unsigned(0), "its row cannot be read")
        }
        var disclosure = row[6].map { Data($0.utf8) }
        if disclosure == nil, let salt = row.bytes(4), let text = row[5] {
            guard let fields = JSONValue(jsonb: text.utf8)?.object else {
                throw CopyProblem(index, "its fields cannot be read")
            }
            disclosure = Disclosure(fields, salt: salt).text
        }
        self.init(
            index: index, kind: RecordKind(rawValue: kind), time: Timestamp(milliseconds: time), digest: digest,
            disclosure: disclosure, isErased: row[7] == "t")
    }
}

/// A machine, as `--json` prints it.
struct ListedHost: Sendable, Encodable {
    let id: Int64
    let tenant: String
    let department: String
    let host: String
    let origin: String
    let state: String
    let since: String?
    let enrolledAt: String?
    let revokedAt: String?
    /// Records that are stored and proven; that the machine signed.
    let records: UInt64
    let signed: UInt64?
    let lastReportAt: String?
    let clockOffsetMilliseconds: Int64?
    /// The first record that a stolen key may have signed, and no other key has proven since.
    let suspectFrom: UInt64?
    /// All rows, also those behind the newest checkpoint whose records are all stored.
    let stored: UInt64
    /// That checkpoint.
    let checkpoint: String?

    init?(_ row: [String?]) {
        guard let id = row.integer(0), let tenant = row[1], let host = row[3], let origin = row[4],
            let state = row[5], let records = row.unsigned(9), let stored = row.unsigned(13)
        else { return nil }
        (self.id, self.tenant, self.host, self.origin, self.state) = (id, tenant, host, origin, state)
        (self.records, self.stored) = (records, stored)
        department = row[2] ?? ""
        (since, enrolledAt, revokedAt, lastReportAt) = (row[6], row[7], row[8], row[11])
        signed = row.unsigned(10)
        clockOffsetMilliseconds = row.integer(12)
        checkpoint = row[14]
        suspectFrom = row.unsigned(15)
    }
}

/// Something wrong with a machine's log, as `--json` prints it.
struct FleetAlarm: Sendable, Encodable {
    let hostID: Int64
    let host: String
    let kind: String
    let since: String
    let until: String?
    /// The evidence as JSON.
    let detail: String

    init?(_ row: [String?]) {
        guard let id = row.integer(0), let host = row[1], let kind = row[2], let since = row[3], let detail = row[5]
        else {
            return nil
        }
        (hostID, self.host, self.kind, self.since, until, self.detail) = (id, host, kind, since, row[4], detail)
    }
}
