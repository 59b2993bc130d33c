import Authorization
import Consent

/// The four data items as a notice showed them.
struct Practices: Sendable, Hashable {
    let kinds: [String]
    let purpose: String
    /// `nil`: nothing is kept.
    let retention: String?
    /// Empty: nobody. `nil`: the program does not say.
    let recipients: [String]?
    let language: String?
    let record: UInt64

    init?(_ record: AuditRecord) {
        guard let kinds = record.texts("dataKinds"), let purpose = record.text("purpose") else { return nil }
        self.kinds = kinds
        self.purpose = purpose
        retention = record.text("retention")
        recipients = record.texts("recipients")
        language = record.text("language")
        self.record = record.index
    }
}
