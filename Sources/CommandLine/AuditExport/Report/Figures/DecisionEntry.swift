import Consent

/// A question and what was answered, as a person reads it.
struct DecisionEntry: Sendable {
    let record: UInt64
    let milliseconds: Int64
    let client: String
    let name: String?
    let resource: String?
    let state: ConsentState?
    let kind: String
    let question: String?
    let scope: String?
    let indication: String?
    let reason: String?
    let notice: String?
    let noticeHash: String?
    let language: String?
    let isErased: Bool

    init(_ record: AuditRecord, at milliseconds: Int64) {
        self.record = record.index
        self.milliseconds = milliseconds
        client = record.text("client") ?? ""
        name = record.text("clientName")
        resource = record.text("resource")
        state = ConsentState(record)
        kind = record.kind
        question = record.text("question")
        scope = record.text("scope")
        indication = record.text("indication")
        reason = record.text("reason")
        notice = record.text("notice")
        noticeHash = record.text("noticeSHA256")
        language = record.text("language")
        isErased = record.isErased
    }
}
