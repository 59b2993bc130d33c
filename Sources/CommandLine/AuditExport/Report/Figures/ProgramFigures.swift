import Consent

/// What became of one program's questions and sessions.
struct ProgramFigures: Sendable {
    private static let mostStandings = 100
    private static let mostWords = 50

    let client: String
    private(set) var name: String?
    private(set) var executable: String?
    private(set) var practices: Practices?
    private(set) var standings: [StandingKey: Standing] = [:]
    private(set) var use = Use()
    /// Sessions that read a file and no microphone.
    private(set) var files = 0
    private(set) var first: Int64?
    private(set) var last: Int64?
    /// Refusals by their reasons.
    private(set) var refusals: [String: Int] = [:]
    /// Sessions by what was known about sharing.
    private(set) var sharing: [String: Int] = [:]
    private(set) var recipients: Set<String> = []
    private(set) var sharedTimes = 0

    init(client: String) { self.client = client }

    mutating func describe(_ record: AuditRecord) {
        if let name = record.text("clientName") { self.name = name }
        if let executable = record.text("executable") { self.executable = executable }
        if let practices = Practices(record) { self.practices = practices }
    }

    mutating func decide(_ state: ConsentState, _ record: AuditRecord, at milliseconds: Int64) {
        guard let resource = record.text("resource") else { return }
        let key = StandingKey(resource: resource, user: Self.user(record))
        guard standings[key] != nil || standings.count < Self.mostStandings else { return }
        standings[key] = Standing(state, record, at: milliseconds)
    }

    /// - Returns: the resources for which there was no yes.
    mutating func begin(_ record: AuditRecord, at milliseconds: Int64) -> [String] {
        first = min(first ?? milliseconds, milliseconds)
        last = max(last ?? milliseconds, milliseconds)
        if let sharing = record.text("sharing") { self.sharing[String(sharing.prefix(40)), default: 0] += 1 }
        if !record.usesMicrophone { files += 1 }
        let user = Self.user(record)
        var without: [String] = []
        for resource in record.fields["grants"]?.object?.keys.sorted() ?? [] {
            let key = StandingKey(resource: resource, user: user)
            if standings[key]?.isYes != true { without.append(resource) }
            standings[key]?.lastUse = milliseconds
        }
        return without
    }

    mutating func add(_ use: Use) { self.use += use }

    mutating func refuse(_ record: AuditRecord) {
        let reason =
            record.recordKind == .accessBlocked ? String((record.text("reason") ?? "").prefix(40)) : "restricted"
        guard refusals[reason] != nil || refusals.count < Self.mostWords else { return }
        refusals[reason, default: 0] += 1 + Int(clamping: record.number("repeated") ?? 0)
    }

    mutating func share(_ record: AuditRecord) {
        sharedTimes += 1
        for recipient in record.texts("recipients") ?? [] where recipients.count < Self.mostWords {
            recipients.insert(recipient)
        }
    }

    private static func user(_ record: AuditRecord) -> String {
        record.text("subject") ?? record.number("user").map(String.init) ?? ""
    }
}
