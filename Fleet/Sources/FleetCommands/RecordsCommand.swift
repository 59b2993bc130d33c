import ArgumentParser
import Base
import CommandText
import Consent
import FleetModel
import Foundation

struct RecordsCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List the records of many machines, oldest first, one per line.",
        discussion: """
            A line has the machine's name and the essentials. With --json it is the whole record. The records are as the \
            database has them: voicegate-fleet verify checks them.
            """)

    @Option(help: .init("Only records of this machine, by name or number. Can be repeated.", valueName: "name"))
    var host: [String] = []

    @Option(help: .init("Only machines of this tenant.", valueName: "name"))
    var tenant: String?

    @Option(help: .init("Only machines of this department.", valueName: "name"))
    var department: String?

    @OptionGroup var records: RecordOptions

    @Option(help: .init("Only the newest records, at most this many.", valueName: "count"))
    var limit: Int?

    @OptionGroup var options: FleetOptions

    func validate() throws {
        if let limit, !(1...10_000).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to 10000. Without --limit all records are listed.")
        }
    }

    /// What `--json` prints.
    private struct Line: Encodable {
        let host: String
        let hostID: Int64
        let record: ConsentRecord
        /// Whether the machine did not send the fields.
        let isWithheld: Bool
        /// Whether a stolen key may have signed the record, and no other key has proven it since.
        let isSuspect: Bool

        enum Keys: String, CodingKey { case host, hostID, isWithheld, isSuspect }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Keys.self)
            try members.encode(host, forKey: .host)
            try members.encode(hostID, forKey: .hostID)
            try members.encode(isWithheld, forKey: .isWithheld)
            try members.encode(isSuspect, forKey: .isSuspect)
            try record.encode(to: encoder)
        }
    }

    func run(_ context: FleetContext) async throws {
        let reader = try await context.reader()
        let filter = HostFilter(hosts: host, tenant: tenant, department: department)
        let hosts = try await reader.hosts(filter)
        let known = Dictionary(uniqueKeysWithValues: hosts.map { ($0.id, $0) })
        let width = hosts.map(\.host.count).max() ?? 0
        func time(_ date: Date?) -> String? { date.map { Timestamp($0).text } }
        let order = limit == nil ? "" : " DESC"
        let select = """
            SELECT r.host, \(FleetReader.rowColumns) FROM fleet.record r
            WHERE ($1::bigint[] IS NULL OR r.host = ANY ($1)) AND ($2::timestamptz IS NULL OR r.time >= $2)
                AND ($3::timestamptz IS NULL OR r.time < $3) AND ($4::text IS NULL OR r.fields ->> 'client' = $4)
                AND ($5::text IS NULL OR r.fields ->> 'subject' = $5 OR r.fields ->> 'user' = $5)
            ORDER BY r.time\(order), r.host\(order), r.index\(order) \(limit.map { "LIMIT \($0)" } ?? "")
            """
        let parameters = [
            filter == HostFilter() ? nil : String(array: hosts.map { "\($0.id)" }), time(records.since),
            time(records.until),
            records.client?.rawValue, records.user,
        ]
        func print(_ row: [String?]) throws {
            guard let id = row.integer(0) else { return }
            let stored = try RecordRow(row[1...])
            let record = try ConsentRecord(stored.entry())
            let isWithheld = stored.disclosure == nil && !stored.isErased
            let name = known[id]?.host ?? "\(id)"
            let isSuspect = known[id]?.suspectFrom.map { stored.index >= $0 } == true
            try context.result(
                Line(host: name, hostID: id, record: record, isWithheld: isWithheld, isSuspect: isSuspect),
                [
                    Cleaned.line(name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)) + "  "
                        + record.summary(absence: isWithheld ? "not sent" : "erased") + (isSuspect ? "  suspect" : "")
                ])
        }
        if limit != nil {
            for row in try await reader.connection.query(select, parameters).reversed() { try print(row) }
            return
        }
        try await reader.snapshot {
            // A cursor: there may be millions.
            try await reader.connection.query("DECLARE records NO SCROLL CURSOR FOR " + select, parameters)
            while true {
                let rows = try await reader.connection.query("FETCH \(FleetReader.pageSize) FROM records")
                for row in rows { try print(row) }
                if rows.count < FleetReader.pageSize { return }
            }
        }
    }
}

/// Names from outside must not draw on the terminal; the spaces of columns stay.
enum Cleaned {
    static func line(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false)
            .map { DisplayText.cleaned(String($0), limit: 400) }.joined(separator: " ")
    }
}
