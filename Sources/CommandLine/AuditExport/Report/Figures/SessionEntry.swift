import Consent

/// A session as a person reads it.
struct SessionEntry: Sendable {
    let record: UInt64
    let started: Int64
    let milliseconds: Int64
    let client: String
    let device: String?
    let reason: String?

    init(_ record: AuditRecord, started: Int64) {
        self.record = record.index
        self.started = started
        milliseconds = record.number("milliseconds") ?? 0
        client = record.text("client") ?? ""
        device = record.text("device")
        reason = record.text("reason")
    }
}
