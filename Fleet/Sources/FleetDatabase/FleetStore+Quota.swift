import FleetModel

extension FleetStore {
    /// Of a host's row: what it has stored on the present day; null: nothing yet.
    static let spentToday = "CASE quota_day WHEN \(today) THEN quota_bytes END"
    private static let today = "(now() AT TIME ZONE 'UTC')::date"

    /// Records outside of the months' partitions that a host may store on a day: they are moved when their month comes, and
    /// deleted one by one, while everybody waits.
    private static let mostOutside = 1000

    /// Bytes as which records count that are outside of the months' partitions.
    func costOutside(_ records: Int) -> Int {
        min(records, Self.mostOutside) * (dailyBytes / Self.mostOutside + 1)
    }

    /// Whether a host stores nothing more today, which is an alarm. One batch at most exceeds the limit.
    func isOverQuota(
        _ host: Int64, spent: Int64?, in connection: isolated DatabaseConnection
    ) throws(DatabaseError) -> Bool {
        guard let spent, spent >= dailyBytes else { return false }
        try raise(.overQuota, of: host, ["bytes": String(spent), "limit": String(dailyBytes)], in: connection)
        return true
    }

    /// Counts bytes that a host stores. The first ones of a day end the alarm.
    static func count(
        _ bytes: Int, of host: Int64, spent: Int64?, _ update: inout HostUpdate
    ) -> [Statement] {
        update.set("quota_day", to: today)
        update.set("quota_bytes", String((spent ?? 0) + Int64(bytes)))
        return spent == nil ? [Statement(endAlarm, [String(host), AlarmKind.overQuota.rawValue])] : []
    }
}
