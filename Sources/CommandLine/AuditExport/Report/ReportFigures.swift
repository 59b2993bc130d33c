import Authorization
import Consent
import Foundation

/// All that a report shows, gathered record by record in bounded memory.
struct ReportFigures: Sendable {
    static let mostPrograms = 500

    let clock: LocalClock
    private(set) var records = 0
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var kinds: [String: Int] = [:]
    var programs: [String: ProgramFigures] = [:]
    /// Programs beyond those that are told apart.
    var otherPrograms: Set<String> = []
    var calendars: [String: UseCalendar] = [:]
    var calendar = UseCalendar()
    var use = Use()
    var sessions = Newest<SessionEntry>(20)
    var decisions = Newest<DecisionEntry>(60)
    var yeses = 0
    var noes = 0
    var refusals = 0
    var kept = KeptItems()
    var oddities: [Oddity.Kind: Newest<Oddity>] = [:]
    /// The last one.
    var publication: Publication?
    var open = OpenSessions()
    /// Notices that no decision has followed yet, by their records.
    var unanswered: [UInt64: DecisionEntry] = [:]
    /// False once a decision was erased: a yes may have been in it.
    var knowsAllDecisions: Bool

    /// - Parameter isWhole: whether no record was left out, so that what is missing is missing from the log.
    init(clock: LocalClock, isWhole: Bool) {
        self.clock = clock
        knowsAllDecisions = isWhole
    }

    mutating func add(_ record: AuditRecord) {
        let milliseconds = record.milliseconds
        records += 1
        if kinds[record.kind] != nil || kinds.count < 200 { kinds[record.kind, default: 0] += 1 }
        // The service's own record of a jump names its whole length.
        let back =
            record.recordKind == .clockJump
            ? -(record.number("milliseconds") ?? 0) : (last ?? milliseconds) - milliseconds
        if last != nil, back > 0 { note(.clock, record, milliseconds, detail: "\((back + 999) / 1000)") }
        first = first ?? milliseconds
        last = milliseconds
        if record.isErased {
            note(.erased, record, milliseconds, detail: record.kind)
            if record.isDecision { knowsAllDecisions = false }
        }
        if record.isDecision { decide(record, at: milliseconds) } else { happen(record, at: milliseconds) }
    }

    mutating func note(_ kind: Oddity.Kind, _ record: AuditRecord, _ milliseconds: Int64, detail: String? = nil) {
        let oddity = Oddity(
            record: record.index, milliseconds: milliseconds, client: record.text("client"), detail: detail)
        oddities[kind, default: Newest(20)].append(oddity)
    }

    mutating func program(of record: AuditRecord, _ change: (inout ProgramFigures) -> Void) {
        guard let client = record.text("client").map({ String($0.prefix(255)) }) else { return }
        if programs[client] == nil {
            guard programs.count < Self.mostPrograms else {
                if otherPrograms.count < 10_000 { otherPrograms.insert(client) }
                return
            }
            programs[client] = ProgramFigures(client: client)
        }
        programs[client]?.describe(record)
        if programs[client] != nil { change(&programs[client, default: ProgramFigures(client: client)]) }
    }

    /// An access that was refused, by whatever.
    mutating func refuse(_ record: AuditRecord) {
        refusals += 1 + Int(clamping: record.number("repeated") ?? 0)
        program(of: record) { $0.refuse(record) }
    }

    private mutating func happen(_ record: AuditRecord, at milliseconds: Int64) {
        switch record.kind {
        case "session.started": begin(record, at: milliseconds)
        case "session.stopped": end(record, at: milliseconds)
        case "access.blocked": refuse(record)
        case "data.retained": kept.retain(record, at: milliseconds)
        case "data.erased": kept.erase(record, at: milliseconds)
        case "data.shared": program(of: record) { $0.share(record) }
        case "checkpoint.published": publication = Publication(record, at: milliseconds) ?? publication
        default: break
        }
    }
}

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

/// What is left to ask when all records are read.
extension ReportFigures {
    /// Milliseconds after which a yes that goes on being used should have been asked about again.
    static let reviewAfter: Int64 = 30 * 86_400_000

    /// - Parameter now: when the report is made, milliseconds since 1970.
    func finished(at now: Int64) -> ReportFigures {
        var figures = self
        for record in open.rest { figures.note(.withoutEnd, record, record.milliseconds) }
        for item in kept.overdue(at: now).reversed() {
            figures.note(.keptTooLong, item.record, item.kept, item.client, detail: item.kind)
        }
        for program in programs.values.sorted(by: { $0.client < $1.client }) {
            for (key, standing) in program.standings.sorted(by: { $0.key < $1.key }) where standing.isYes {
                figures.ask(about: standing, key, of: program.client)
            }
        }
        for entry in unanswered.values.sorted(by: { $0.record < $1.record }) {
            figures.note(.unanswered, entry.record, entry.milliseconds, entry.client, detail: entry.resource)
        }
        return figures
    }

    /// How many there are in all.
    var questions: Int { oddities.values.reduce(0) { $0 + $1.count } }

    private mutating func ask(about standing: Standing, _ key: StandingKey, of client: String) {
        guard let lastUse = standing.lastUse else {
            note(.unusedYes, standing.record, standing.milliseconds, client, detail: key.resource)
            return
        }
        if lastUse - standing.milliseconds > Self.reviewAfter {
            let days = (lastUse - standing.milliseconds) / 86_400_000
            note(.longUnasked, standing.record, lastUse, client, detail: String(days))
        }
    }

    private mutating func note(
        _ kind: Oddity.Kind, _ record: UInt64, _ milliseconds: Int64, _ client: String, detail: String?
    ) {
        let oddity = Oddity(record: record, milliseconds: milliseconds, client: client, detail: detail)
        oddities[kind, default: Newest(20)].append(oddity)
    }
}

/// Who listened.
extension ReportFigures {
    mutating func begin(_ record: AuditRecord, at milliseconds: Int64) {
        var without: [String] = []
        program(of: record) { without = $0.begin(record, at: milliseconds) }
        if knowsAllDecisions {
            for resource in without { note(.withoutYes, record, milliseconds, detail: resource) }
        }
        if let dropped = open.start(record) { note(.withoutEnd, dropped, dropped.milliseconds) }
    }

    mutating func end(_ record: AuditRecord, at milliseconds: Int64) {
        let length = max(record.number("milliseconds") ?? 0, 0)
        let started = open.stop(record)?.milliseconds ?? milliseconds - length
        let use = Use(times: 1, milliseconds: length)
        sessions.append(SessionEntry(record, started: started))
        self.use += use
        program(of: record) { $0.add(use) }
        let hour = clock.hour(started)
        calendar.add(use, hour: hour)
        if let client = record.text("client"), programs[client] != nil {
            calendars[client, default: UseCalendar()].add(use, hour: hour)
        }
    }
}

/// Something that a reader should ask about.
struct Oddity: Sendable {
    enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A session without a yes before it.
        case withoutYes
        /// A session that began and has no end.
        case withoutEnd
        /// Data whose time is over and that no record says was erased.
        case keptTooLong
        /// A yes that nothing used.
        case unusedYes
        /// A use long after the person was last asked.
        case longUnasked
        /// A question that nobody answered.
        case unanswered
        /// A record whose time is before that of the one before it, or a jump that the service saw.
        case clock
        /// Fields that are gone.
        case erased
    }

    let record: UInt64
    let milliseconds: Int64
    let client: String?
    /// What it is about: a resource, a kind, a number of days or seconds.
    let detail: String?
}

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

/// A checkpoint that left the machine.
struct Publication: Sendable {
    let milliseconds: Int64
    /// Records that it covers.
    let size: Int64
    /// Where it went, as the person named it.
    let destination: String

    init?(_ record: AuditRecord, at milliseconds: Int64) {
        guard let size = record.number("size") else { return nil }
        self.milliseconds = milliseconds
        self.size = size
        destination = record.text("destination") ?? ""
    }
}
