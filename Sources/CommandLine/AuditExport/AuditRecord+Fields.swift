import Consent

/// Fields as an export reads them. What is missing or of another type counts as not there: fields can be erased, and a
/// later version may write others.
extension AuditRecord {
    func text(_ name: String) -> String? { fields[name]?.string }
    func number(_ name: String) -> Int64? { fields[name]?.integer }
    func texts(_ name: String) -> [String]? { fields[name]?.array?.compactMap(\.string) }
    func has(_ name: String) -> Bool { fields[name] != nil }

    var recordKind: RecordKind { RecordKind(rawValue: kind) }

    /// Milliseconds since 1970; 0 for a time that cannot be read, which a log never holds.
    var milliseconds: Int64 { Timestamp(time)?.milliseconds ?? 0 }

    /// Whether it is about what a person was asked, answered or took back, or what became of an answer.
    var isDecision: Bool {
        kind.hasPrefix("decision.") || kind.hasPrefix("restricted.") || kind.hasPrefix("revoked.")
            || [.noticeShown, .carriedOver, .muted, .unmuted].contains(recordKind)
    }

    /// Whether its session reads a microphone and not a file.
    var usesMicrophone: Bool { text("device") != nil || fields["grants"]?.object?["microphone"] != nil }
}
