import Consent

/// The last word about a program, a resource and a user.
struct Standing: Sendable {
    let state: ConsentState
    let scope: String?
    let fidelity: String?
    let indication: String?
    let milliseconds: Int64
    let record: UInt64
    /// Of the last session that stood on it.
    var lastUse: Int64?

    var isYes: Bool { state == .given || state == .renewed }

    init(_ state: ConsentState, _ record: AuditRecord, at milliseconds: Int64) {
        self.state = state
        scope = record.text("scope")
        fidelity = record.text("fidelity")
        indication = record.text("indication")
        self.milliseconds = milliseconds
        self.record = record.index
    }
}
