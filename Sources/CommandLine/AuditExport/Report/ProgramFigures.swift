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

/// A session as a person reads it.
struct SessionEntry: Sendable {
    let record: UInt64
    let started: Int64
    let milliseconds: Int64
    let client: String
    let device: String?
    let reason: String?

    init(_ record: AuditRecord, started: Int64) {
        self.record = record.index
        self.started = started
        milliseconds = record.number("milliseconds") ?? 0
        client = record.text("client") ?? ""
        device = record.text("device")
        reason = record.text("reason")
    }
}

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

/// What an answer is about, within a program.
struct StandingKey: Sendable, Hashable, Comparable {
    let resource: String
    let user: String

    static func < (left: StandingKey, right: StandingKey) -> Bool {
        (left.resource, left.user) < (right.resource, right.user)
    }
}

/// How often and how long something was listened to.
struct Use: Sendable, Hashable {
    var times = 0
    var milliseconds: Int64 = 0

    static func += (left: inout Use, right: Use) {
        left.times += right.times
        left.milliseconds += right.milliseconds
    }
}

/// Use by days, and by hours while it spans only a few days.
struct UseCalendar: Sendable {
    private static let hoursKept = 72
    /// Twenty years; older days are added to the oldest of these.
    private static let daysKept = 7_300

    private(set) var days: [Int: Use] = [:]
    /// `nil` once the hours span too much to be worth showing.
    private(set) var hours: [Int: Use]? = [:]

    /// - Parameter hour: hours since 1970 by the clock on the wall.
    mutating func add(_ use: Use, hour: Int) {
        let day = hour / 24 - (hour % 24 < 0 ? 1 : 0)
        days[day, default: Use()] += use
        if days.count > Self.daysKept { joinOldest() }
        guard hours != nil else { return }
        hours?[hour, default: Use()] += use
        if let first = hours?.keys.min(), let last = hours?.keys.max(), last - first > Self.hoursKept { hours = nil }
    }

    private mutating func joinOldest() {
        let sorted = days.keys.sorted()
        if let use = days.removeValue(forKey: sorted[0]) { days[sorted[1], default: Use()] += use }
    }
}
