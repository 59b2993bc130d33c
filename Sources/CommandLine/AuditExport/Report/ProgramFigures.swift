import Consent

/// The decisions and the sessions of one program.
struct ProgramFigures: Sendable {
    private static let mostStandings = 100
    private static let mostWords = 50

    let client: String
    private(set) var name: String?
    private(set) var executable: String?
    /// The last record that shows the four data items; it has `dataKinds` and `purpose`.
    private(set) var notice: ConsentRecord?
    private(set) var standings: [StandingKey: Standing] = [:]
    private(set) var use = Use()
    /// The starts of the first and the last session that `use` counts.
    private(set) var span: ClosedRange<Int64>?
    /// Refusals by reason.
    private(set) var refusals: [String: Int] = [:]
    /// Sessions by the field `sharing`, as found last.
    private(set) var sharing: [String: Int] = [:]
    private(set) var recipients: Set<String> = []
    private(set) var sharedTimes = 0

    init(client: String) { self.client = client }

    mutating func describe(_ record: ConsentRecord) {
        if let name = record[.clientName] { self.name = name }
        if let executable = record[.executable] { self.executable = executable }
        if record.texts(.dataKinds) != nil, record[.purpose] != nil { notice = record }
    }

    mutating func decide(_ state: ConsentState, _ record: ConsentRecord, at milliseconds: Int64) {
        guard let resource = record.text(.resource) else { return }
        let key = StandingKey(resource: resource, user: Self.user(record))
        guard standings[key] != nil || standings.count < Self.mostStandings else { return }
        standings[key] = Standing(
            state: state, scope: record.text(.scope), fidelity: record.text(.fidelity), milliseconds: milliseconds,
            record: record.index)
    }

    /// - Returns: the resources that were not granted.
    mutating func begin(_ record: ConsentRecord, at milliseconds: Int64) -> [String] {
        let user = Self.user(record)
        var without: [String] = []
        for resource in record[.grants]?.keys.sorted() ?? [] {
            let key = StandingKey(resource: resource, user: user)
            if standings[key]?.isGranted != true { without.append(resource) }
            standings[key]?.lastUse = milliseconds
        }
        return without
    }

    mutating func add(_ use: Use, from start: Int64) {
        self.use += use
        span = min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? start, start)
    }

    /// - Parameter record: of a session's end, because its network is looked at again then; of its start if it has no end.
    mutating func noteSharing(_ record: ConsentRecord) {
        if let sharing = record.text(.sharing) { self.sharing[String(sharing.prefix(40)), default: 0] += 1 }
    }

    mutating func refuse(_ record: ConsentRecord) {
        let reason =
            record.kind == .accessBlocked ? String((record[.reason] ?? "").prefix(40)) : "restricted"
        guard refusals[reason] != nil || refusals.count < Self.mostWords else { return }
        refusals[reason, default: 0] += 1 + Int(clamping: record[.repeated] ?? 0)
    }

    mutating func share(_ record: ConsentRecord) {
        sharedTimes += 1
        for recipient in record[.recipients] ?? [] where recipients.count < Self.mostWords {
            recipients.insert(recipient)
        }
    }

    private static func user(_ record: ConsentRecord) -> String {
        record[.subject] ?? record[.user].map(String.init) ?? ""
    }
}

/// The last decision for a program, a resource and a user.
struct Standing: Sendable {
    let state: ConsentState
    let scope: String?
    let fidelity: String?
    let milliseconds: Int64
    let record: UInt64
    /// The start of the last session that used it.
    var lastUse: Int64?

    var isGranted: Bool { state == .given || state == .renewed }
}

/// The resource and the user of a decision about a program.
struct StandingKey: Sendable, Hashable, Comparable {
    let resource: String
    let user: String

    static func < (left: StandingKey, right: StandingKey) -> Bool {
        (left.resource, left.user) < (right.resource, right.user)
    }
}

/// Use per day, and per hour if it spans only a few days.
struct UseCalendar: Sendable {
    private static let hoursKept = 72
    /// Twenty years; older days are added to the oldest of these.
    private static let daysKept = 7_300

    private(set) var days: [Int: Use] = [:]
    /// `nil` if the hours span more than `hoursKept`.
    private(set) var hours: [Int: Use]? = [:]

    /// - Parameter hour: hours since 1970, in local time.
    mutating func add(_ use: Use, hour: Int) {
        let day = hour.flooredDivision(by: 24).quotient
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
