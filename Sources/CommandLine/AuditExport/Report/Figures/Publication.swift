import Consent

/// A checkpoint that left the machine.
struct Publication: Sendable {
    let milliseconds: Int64
    /// Records that it covers.
    let size: Int64
    /// Where it went, as the person named it.
    let destination: String

    init?(_ record: AuditRecord, at milliseconds: Int64) {
        guard let size = record.number("size") else { return nil }
        self.milliseconds = milliseconds
        self.size = size
        destination = record.text("destination") ?? ""
    }
}
