import Consent

/// Sessions that began and did not end yet, in bounded number: of too many the oldest is let go.
struct OpenSessions {
    static let limit = 10_000

    private var records: [String: AuditRecord] = [:]
    /// Identifiers in the order in which they began; some may have ended.
    private var order: [String] = []

    /// - Returns: a session that is let go because there are too many.
    mutating func start(_ record: AuditRecord) -> AuditRecord? {
        guard let session = record.text("session") else { return nil }
        if records.updateValue(record, forKey: session) == nil { order.append(session) }
        if order.count > 2 * Self.limit { order.removeAll { records[$0] == nil } }
        guard records.count > Self.limit else { return nil }
        while let oldest = order.first {
            order.removeFirst()
            if let record = records.removeValue(forKey: oldest) { return record }
        }
        return nil
    }

    /// - Returns: the record of its beginning, `nil` when that is not known.
    mutating func stop(_ record: AuditRecord) -> AuditRecord? {
        record.text("session").flatMap { records.removeValue(forKey: $0) }
    }

    /// What did not end, in the order of the log.
    var rest: [AuditRecord] { records.values.sorted { $0.index < $1.index } }
}
