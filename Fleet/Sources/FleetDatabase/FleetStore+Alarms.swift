import Consent
import FleetModel
import Foundation

extension FleetStore {
    public enum ReportAnswer: Sendable, Hashable {
        case taken
        /// No known key signed the checkpoint.
        case untrusted
        /// A different report had this counter; the next counter is greater, by `ReportRule.widestStep` at most.
        case repeated(Int64)
    }

    static let endAlarm = "UPDATE fleet.alarm SET until = now() WHERE host = $1 AND kind = $2 AND until IS NULL"

    /// An alarm that ended by itself and comes again this soon is the same one: a host that flaps, or lies, makes no crowd of
    /// alarms, each of which would be sent. It has the newest evidence; if that is what the host signed, also the first, as `former`:
    /// or a host could replace it by something harmless.
    private static let sameAlarm = "10 minutes"

    /// Opens an alarm unless it is open.
    ///
    /// - Returns: whether it was not.
    @discardableResult
    func raise(
        _ kind: AlarmKind, of host: Int64, _ detail: [String: String], in connection: isolated DatabaseConnection
    ) throws(DatabaseError) -> Bool {
        let json = JSONValue.object(detail.mapValues(JSONValue.string)).canonical
        if kind.endsByItself {
            let reopened = try connection.query(
                """
                UPDATE fleet.alarm SET until = NULL, detail = $4::jsonb || CASE
                    WHEN kind IN ('rolledBack', 'unknownKey')
                    THEN jsonb_build_object('former', coalesce(detail ->> 'former', detail::text)) ELSE '{}' END
                WHERE id = (
                    SELECT max(id) FROM fleet.alarm WHERE host = $1 AND kind = $2 HAVING bool_and(until IS NOT NULL))
                AND until > now() - $3::interval RETURNING id
                """, [String(host), kind.rawValue, Self.sameAlarm, json])
            guard reopened.isEmpty else { return true }
        }
        let opened = try connection.query(
            """
            INSERT INTO fleet.alarm (host, kind, detail) VALUES ($1, $2, $3)
            ON CONFLICT (host, kind) WHERE until IS NULL DO NOTHING RETURNING id
            """, [String(host), kind.rawValue, json])
        guard let alarm = opened.first?[0] else { return false }
        logger.warning("alarm", metadata: ["alarm": "\(alarm)", "kind": "\(kind.rawValue)", "host": "\(host)"])
        return true
    }

    /// Raises or ends an alarm that ends by itself.
    private func set(
        _ kind: AlarmKind, _ isRaised: Bool, of host: Int64, _ detail: [String: String],
        in connection: isolated DatabaseConnection
    ) throws(DatabaseError) {
        if isRaised {
            try raise(kind, of: host, detail, in: connection)
        } else {
            try connection.query(Self.endAlarm, [String(host), kind.rawValue])
        }
    }

    /// Notes that a host is alive, and raises or ends the alarms that its report is about.
    ///
    /// - Parameters:
    ///   - note: whose text is the report.
    ///   - received: by the collector's clock.
    public func take(
        _ note: SignedNote, _ report: LogReport, at received: Timestamp, interval: Int, from host: FleetHost
    ) async throws -> ReportAnswer {
        let clockOffset = report.time.milliseconds - received.milliseconds
        return try await pool.transaction(waiting: Self.shortWait) { connection in
            let identifier = String(host.identifier)
            let rows = try connection.query(
                """
                SELECT \(FleetHost.columns), last_counter, pending_note, last_report_size, last_report_next,
                    clock_offset_ms
                FROM fleet.host WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE
                """, [identifier])
            guard let row = rows.first, let current = FleetHost(row), let counter = row.integer(7) else {
                return .untrusted
            }
            let keys = try Self.verifiers(of: host.identifier, size: report.checkpoint.size, in: connection)
            guard report.checkpoint.origin == host.origin, !note.signers(among: keys).isEmpty else {
                try raise(.unknownKey, of: host.identifier, ["checkpoint": note.content], in: connection)
                return .untrusted
            }
            guard report.counter > counter, report.counter - max(0, counter) <= ReportRule.widestStep else {
                return .repeated(counter)
            }
            try connection.query(
                """
                UPDATE fleet.host SET last_report_at = now(), last_report_size = $2, last_counter = $3,
                    clock_offset_ms = $4, report_interval = $5, last_report_next = next_entry WHERE id = $1
                """,
                [
                    identifier, String(report.checkpoint.size), String(report.counter), String(clockOffset),
                    String(interval),
                ])
            try connection.query(Self.endAlarm, [identifier, AlarmKind.silent.rawValue])
            let isWrong = clockOffset.magnitude > ReportRule.clockTolerance.magnitude
            try set(
                .clockWrong, isWrong, of: host.identifier, ["milliseconds": String(clockOffset)],
                in: connection)
            // It had more records than it had sent, and has sent none since.
            let isBehind =
                row.unsigned(10) == current.nextEntry && row.unsigned(9).map { $0 > current.nextEntry } == true
            try set(
                .behind, isBehind, of: host.identifier,
                ["checkpoint": note.content, "stored": String(current.nextEntry)], in: connection)
            let signedAt = report.time.milliseconds - (row.integer(11) ?? clockOffset)
            try checkGrowth(
                report.checkpoint, note, signedAt: signedAt, current, accepted: row[8] ?? "", in: connection)
            return .taken
        }
    }

    /// Whether the checkpoint can be the same log's as the one that was accepted last; only equal and smaller sizes show that
    /// it cannot. A larger one needs a consistency proof, which `add-checkpoint` brings. A report that was signed before that
    /// checkpoint came, and was held up on its way, shows no rollback.
    ///
    /// - Parameter signedAt: milliseconds since 1970 by the collector's clock, as far as the last report showed the host's.
    private func checkGrowth(
        _ checkpoint: Checkpoint, _ report: SignedNote, signedAt: Int64, _ host: FleetHost, accepted: String,
        in connection: isolated DatabaseConnection
    ) throws {
        let size = checkpoint.size
        guard size <= host.pendingSize else { return }
        let evidence = ["checkpoint": report.content, "accepted": accepted]
        let rows = try connection.query(
            "SELECT root FROM fleet.checkpoint WHERE host = $1 AND size = $2",
            [String(host.identifier), String(size)])
        if let root = rows.first?.bytes(0), root != checkpoint.root.bytes {
            try raise(.forked, of: host.identifier, evidence, in: connection)
        }
        guard size < host.pendingSize else { return }
        let newest = try connection.query(
            """
            SELECT FROM fleet.checkpoint
            WHERE host = $1 AND size = $2 AND received_at > to_timestamp($3::double precision / 1000)
            """, [String(host.identifier), String(host.pendingSize), String(signedAt)])
        if newest.isEmpty { try raise(.rolledBack, of: host.identifier, evidence, in: connection) }
    }

    /// A pause in looking for silent hosts is an outage if it is longer: a minute has four rounds and more.
    private static let outage = "15 seconds"
    /// After an outage: a sender's longest pause, and an attempt before it that fails late.
    private static let patience = "7 minutes"
    /// Alarms of one round; the others are raised in the next one.
    private static let mostSilent = 2000

    /// Raises the alarm of each host that has not reported in time. A host that never reported is counted from its enrolment.
    /// After an outage of the database or all collectors no alarm is raised before senders can return. Call every few seconds.
    ///
    /// - Returns: how many.
    @discardableResult
    public func raiseSilent() async throws -> Int {
        // One transaction, and so one moment: a collector suspended in it calls no host silent when it wakes up.
        try await pool.transaction { connection in
            // A host may be revoked while an alarm of it is raised.
            try connection.query(
                """
                UPDATE fleet.alarm SET until = now() FROM fleet.host
                WHERE until IS NULL AND host.id = alarm.host AND revoked_at IS NOT NULL
                """)
            // The database's clock may have been ahead, and set back since.
            let isPatient = try connection.query(
                """
                INSERT INTO fleet.watch AS watch DEFAULT VALUES ON CONFLICT (is_only) DO UPDATE SET
                    done_at = now(), patient_until = CASE
                        WHEN watch.done_at < now() - $1::interval THEN now() + $2::interval
                        ELSE least(watch.patient_until, now() + $2::interval) END
                RETURNING patient_until > now()
                """, [Self.outage, Self.patience])
            guard isPatient == [["f"]] else { return 0 }
            // No row is locked: a host could keep its own locked. One that reports at this moment has the alarm until it reports again.
            let silent = try connection.query(
                """
                SELECT id, to_jsonb(last_report_at) #>> '{}' FROM fleet.host
                WHERE revoked_at IS NULL AND coalesce(last_report_at, enrolled_at)
                    + make_interval(secs => report_interval * $1::double precision) < now()
                    AND NOT EXISTS (SELECT FROM fleet.alarm WHERE alarm.host = host.id AND kind = 'silent' AND until IS NULL)
                LIMIT $2
                """, [String(ReportRule.intervals), String(Self.mostSilent)])
            for row in silent {
                guard let host = row.integer(0) else { continue }
                try raise(.silent, of: host, row[1].map { ["lastReport": $0] } ?? [:], in: connection)
            }
            return silent.count
        }
    }
}
