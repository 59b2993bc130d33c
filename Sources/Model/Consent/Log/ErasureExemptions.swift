import Authorization

/// Which records must keep their fields for as long as something stands on them.
struct ErasureExemptions: Sendable {
    private static let ofLog: Set<RecordKind> = [
        .genesis, .keyRotated, .checkpointPublished, .recovery, .dataErased,
        .requestReceived, .requestAnswered,
    ]
    private static let ofMonitors: Set<RecordKind> = [.monitorRegistered, .monitorPaused, .monitorResumed]

    private let decisions: Set<StoredDecision.Key>
    private let monitors: Set<String>
    private let sessions: Set<String>
    /// Decisions of which a record stays.
    private var standing: Set<StoredDecision.Key> = []

    init(decisions: [StoredDecision], monitors: [MonitorRegistration], sessions: Set<String>) {
        self.decisions = Set(decisions.map(\.key))
        self.monitors = Set(monitors.map(\.identifier))
        self.sessions = sessions
    }

    /// To be told of each record that stays, in order.
    mutating func stays(_ record: ConsentRecord) {
        if let change = Self.change(in: record) { standing.insert(change.key) }
    }

    /// - Returns: `nil` when nothing stands on it.
    func exemption(of record: ConsentRecord) -> ErasureExemption? {
        if Self.ofLog.contains(record.kind) { return .logItself }
        if let session = record.fields["session"]?.string, sessions.contains(session) { return .sessionRunning }
        if Self.ofMonitors.contains(record.kind), let monitor = record.fields["monitor"]?.string,
            monitors.contains(monitor)
        {
            return .monitorRegistered
        }
        if record.fields["session"] == nil, let key = Self.key(of: record), decisions.contains(key) {
            return .decisionInForce
        }
        if let change = Self.change(in: record), standing.contains(change.key) { return .endsEarlierDecision }
        return nil
    }

    private static func change(in record: ConsentRecord) -> StoredChange? {
        record.fields["change"].flatMap(StoredChange.init(json:))
    }

    /// What a record that belongs to a decision decides, or asks.
    private static func key(of record: ConsentRecord) -> StoredDecision.Key? {
        guard let user = record.fields["user"]?.integer, let client = record.fields["client"]?.string,
            let resource = record.fields["resource"]?.string, record.kind != .accessBlocked
        else { return nil }
        return StoredDecision.Key(user: user, client: client, resource: resource)
    }
}
