import Consent

/// Who was asked, and what was answered.
extension ReportFigures {
    mutating func decide(_ record: AuditRecord, at milliseconds: Int64) {
        let entry = DecisionEntry(record, at: milliseconds)
        guard let state = entry.state else {
            program(of: record) { _ in }
            if record.recordKind == .muted || record.recordKind == .unmuted { decisions.append(entry) }
            return
        }
        if let asked = record.number("noticeRecord").flatMap({ UInt64(exactly: $0) }) { unanswered[asked] = nil }
        if record.recordKind == .restrictedByPolicy, record.text("cause") == "request" {
            refuse(record)
            return
        }
        switch state {
        case .requested:
            if record.recordKind == .noticeShown, unanswered.count < 1_000 { unanswered[record.index] = entry }
            program(of: record) { _ in }
            return
        case .given, .renewed: yeses += record.recordKind == .carriedOver ? 0 : 1
        case .refused: noes += 1
        case .deferred, .withdrawn, .expired, .revoked: break
        }
        decisions.append(entry)
        program(of: record) { program in
            // "Later" leaves things as they are, and so does a program that kept its yes. A policy bars a yes only as long
            // as it is in force, and no record says when it ends.
            if state != .deferred, state != .revoked, record.recordKind != .carriedOver {
                program.decide(state, record, at: milliseconds)
            }
        }
    }
}
