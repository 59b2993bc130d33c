import Authorization
import Consent

/// What a record says of a permission, by DPV's names of consent statuses.
enum ConsentState: String, Sendable, Hashable {
    case requested = "ConsentRequested"
    case given = "ConsentGiven"
    case renewed = "RenewedConsentGiven"
    case refused = "ConsentRefused"
    case deferred = "ConsentRequestDeferred"
    case withdrawn = "ConsentWithdrawn"
    case expired = "ConsentExpired"
    /// By an administrator, not by the user.
    case revoked = "ConsentRevoked"

    private static let byKind: [RecordKind: ConsentState] = [
        .noticeShown: .requested, .asked: .requested, .upgradeRequested: .requested,
        .granted: .given, .carriedOver: .given, .renewed: .renewed,
        .denied: .refused, .deferred: .deferred, .withdrawn: .withdrawn,
        .expired: .expired, .restrictedByPolicy: .revoked, .revokedByAdministrator: .revoked,
    ]

    init?(_ record: ConsentRecord) {
        guard let state = Self.byKind[record.kind] else { return nil }
        self = state
    }

    /// The status of a consent, which only a person gives and refuses. An administrator and a script decide in a person's
    /// place, a package manager replaces a program, a policy refuses a request: these are neither consent nor refusal.
    ///
    /// - Returns: `nil` also for a record without consent.
    init?(ofConsentIn record: ConsentRecord) {
        guard let state = ConsentState(record), record.kind != .carriedOver else { return nil }
        switch state {
        case .given, .renewed, .refused, .deferred: guard record.isAnsweredByPerson else { return nil }
        case .withdrawn:
            self = record.isAnsweredByPerson || record.json(of: .indication) == nil ? .withdrawn : .revoked
            return
        case .revoked: if record[.cause] == "request" { return nil }
        case .requested, .expired: break
        }
        self = state
    }
}

extension ConsentRecord {
    /// Whether the person whom the data is about indicated it: at a prompt, or in their settings.
    var isAnsweredByPerson: Bool {
        switch self[.indication].flatMap(Indication.init(rawValue:)) {
        case .terminal, .agent, .desktop, .settings: true
        case .scriptedAgent, .administrator, nil: false
        }
    }

    /// Since 1970.
    var milliseconds: Int64 { time.milliseconds }

    /// Whether it is about a request, a decision, or a change to a decision.
    var isDecision: Bool {
        ["decision.", "restricted.", "revoked."].contains(where: kind.rawValue.hasPrefix)
            || [.noticeShown, .carriedOver, .muted, .unmuted].contains(kind)
    }
}

/// Sessions that have started but not ended. Above the limit, the oldest is removed.
struct OpenSessions {
    static let limit = 10_000

    private var records: [String: ConsentRecord] = [:]
    /// Identifiers in order of their start; some may have ended.
    private var order: [String] = []

    /// - Returns: the session that was removed because of the limit.
    mutating func start(_ record: ConsentRecord) -> ConsentRecord? {
        guard let session = record[.session] else { return nil }
        if records.updateValue(record, forKey: session) == nil { order.append(session) }
        if order.count > 2 * Self.limit { order.removeAll { records[$0] == nil } }
        guard records.count > Self.limit else { return nil }
        while let oldest = order.first {
            order.removeFirst()
            if let record = records.removeValue(forKey: oldest) { return record }
        }
        return nil
    }

    /// - Returns: the record of its start, if known.
    mutating func stop(_ record: ConsentRecord) -> ConsentRecord? {
        record[.session].flatMap { records.removeValue(forKey: $0) }
    }

    /// Sessions without an end, in log order.
    var rest: [ConsentRecord] { records.values.sorted { $0.index < $1.index } }
}
