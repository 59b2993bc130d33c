import Consent

/// DPV's states of consent, for the records that have one.
enum ConsentState: String, Sendable, Hashable {
    case requested = "ConsentRequested"
    case given = "ConsentGiven"
    case renewed = "RenewedConsentGiven"
    case refused = "ConsentRefused"
    case deferred = "ConsentRequestDeferred"
    case withdrawn = "ConsentWithdrawn"
    case expired = "ConsentExpired"
    /// By somebody else than the person.
    case revoked = "ConsentRevoked"

    private static let byKind: [String: ConsentState] = [
        "notice.shown": .requested, "decision.asked": .requested, "decision.upgradeRequested": .requested,
        "decision.granted": .given, "identity.carriedOver": .given, "decision.renewed": .renewed,
        "decision.denied": .refused, "decision.deferred": .deferred, "decision.withdrawn": .withdrawn,
        "decision.expired": .expired, "restricted.by_policy": .revoked, "revoked.by_admin": .revoked,
    ]

    init?(_ record: AuditRecord) {
        guard let state = Self.byKind[record.kind] else { return nil }
        self = state
    }
}

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
