import Foundation

/// Numbers about all hosts.
public struct FleetStatus: Sendable {
    /// Hosts by state, as in the view `fleet.host_state`.
    public let states: [String: Int]
    /// Open alarms by kind.
    public let alarms: [String: Int]
    public let records: Int64
}

/// When a host was active last.
public struct HostActivity: Sendable {
    public let identifier: Int64
    public let name: String
    public let records: Int64
    /// Seconds since its last report; `nil`: none yet.
    public let silence: Double?
}

extension FleetStore {
    public func status() async throws -> FleetStatus {
        let (states, alarms, records) = try await pool.withConnection { connection in
            try await connection.run { connection in
                (
                    try connection.query("SELECT state, count(*) FROM fleet.host_state GROUP BY state"),
                    try connection.query("SELECT kind, count(*) FROM fleet.alarm WHERE until IS NULL GROUP BY kind"),
                    try connection.query("SELECT coalesce(sum(next_entry), 0) FROM fleet.host")
                )
            }
        }
        func counts(_ rows: [[String?]]) -> [String: Int] {
            Dictionary(rows.compactMap { row in row[0].map { ($0, Int(row.integer(1) ?? 0)) } }) { first, _ in first }
        }
        return FleetStatus(states: counts(states), alarms: counts(alarms), records: records.first?.integer(0) ?? 0)
    }

    public func hostActivity() async throws -> [HostActivity] {
        try await pool.query(
            """
            SELECT id, name, next_entry, extract(epoch FROM now() - last_report_at) FROM fleet.host
            WHERE revoked_at IS NULL ORDER BY id
            """
        ).compactMap { row in
            guard let identifier = row.integer(0), let name = row[1] else { return nil }
            return HostActivity(
                identifier: identifier, name: name, records: row.integer(2) ?? 0, silence: row[3].flatMap(Double.init))
        }
    }
}
