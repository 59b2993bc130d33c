import Authorization
import Consent
import Foundation

/// The figures of a report, collected record by record in bounded memory.
struct ReportFigures: Sendable {
    static let mostPrograms = 500

    let clock: LocalClock
    private(set) var records = 0
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var kinds: [String: Int] = [:]
    var programs: [String: ProgramFigures] = [:]
    /// Programs beyond the limit, which are only counted.
    var otherPrograms: Set<String> = []
    var calendars: [String: UseCalendar] = [:]
    var calendar = UseCalendar()
    var use = Use()
    var sessions = Newest<(record: ConsentRecord, started: Int64)>(20)
    var decisions = Newest<ConsentRecord>(60)
    var grants = 0
    var denials = 0
    var kept = KeptItems()
    var oddities: [Oddity.Kind: Newest<Oddity>] = [:]
    /// The last one, with its `size`.
    var publication: ConsentRecord?
    var open = OpenSessions()
    /// Notices that no decision has followed yet, by their records.
    var unanswered: [UInt64: ConsentRecord] = [:]
    /// Records without their fields, until an erasure lists them.
    private var erased: [ConsentRecord] = []
    /// The last session whose record was erased: what was allowed before may have been used.
    private var lastErasedSession: Int64?
    /// False if a decision was erased, because it may have been a grant.
    var knowsAllDecisions: Bool

    /// - Parameter isWhole: whether all records of the log are included.
    init(clock: LocalClock, isWhole: Bool) {
        self.clock = clock
        knowsAllDecisions = isWhole
    }

    mutating func add(_ record: ConsentRecord) {
        let milliseconds = record.milliseconds
        records += 1
        let kind = record.kind.rawValue
        if kinds[kind] != nil || kinds.count < 200 { kinds[kind, default: 0] += 1 }
        // The service's record of a clock jump has its full length.
        let back =
            record.kind == .clockJump
            ? -(record[.milliseconds] ?? 0) : (last ?? milliseconds) - milliseconds
        if last != nil, back > 0 { note(.clock, record, detail: "\((back + 999) / 1000)") }
        first = first ?? milliseconds
        last = milliseconds
        if record.isErased {
            if erased.count < KeptItems.limit { erased.append(record) }
            if record.isDecision { knowsAllDecisions = false }
            if record.kind == .sessionStarted { lastErasedSession = milliseconds }
        }
        if record.isDecision { decide(record, at: milliseconds) } else { happen(record, at: milliseconds) }
    }

    mutating func note(_ kind: Oddity.Kind, _ record: ConsentRecord, detail: String? = nil) {
        note(
            kind,
            Oddity(
                record: record.index, milliseconds: record.milliseconds, client: record.text(.client), detail: detail))
    }

    private mutating func note(_ kind: Oddity.Kind, _ oddity: Oddity) {
        oddities[kind, default: Newest(20)].append(oddity)
    }

    mutating func program(of record: ConsentRecord, _ change: (inout ProgramFigures) -> Void) {
        guard let client = record.text(.client).map({ String($0.prefix(255)) }) else { return }
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

    private mutating func happen(_ record: ConsentRecord, at milliseconds: Int64) {
        switch record.kind {
        case .sessionStarted: begin(record, at: milliseconds)
        case .sessionStopped: end(record, at: milliseconds)
        case .accessBlocked: program(of: record) { $0.refuse(record) }
        case .dataRetained: kept.retain(record)
        case .dataErased: kept.erase(record, at: milliseconds)
        case .dataShared: program(of: record) { $0.share(record) }
        case .checkpointPublished: if record[.size] != nil { publication = record }
        default: break
        }
    }
}

/// Requests and decisions.
extension ReportFigures {
    mutating func decide(_ record: ConsentRecord, at milliseconds: Int64) {
        guard let state = ConsentState(record) else {
            program(of: record) { _ in }
            if record.kind == .muted || record.kind == .unmuted { decisions.append(record) }
            return
        }
        if let asked = record[.noticeRecord] { unanswered[asked] = nil }
        if record.kind == .restrictedByPolicy, record[.cause] == "request" {
            program(of: record) { $0.refuse(record) }
            return
        }
        switch state {
        case .requested:
            if record.kind == .noticeShown, !record.isErased, unanswered.count < 1_000 {
                unanswered[record.index] = record
            }
            program(of: record) { _ in }
            return
        case .given, .renewed: grants += record.kind == .carriedOver ? 0 : 1
        case .refused: denials += 1
        case .deferred, .withdrawn, .expired, .revoked: break
        }
        decisions.append(record)
        program(of: record) { program in
            // "Later" and an update of the program do not change the decision. A policy overrides it only while the policy
            // is in force, and no record states when it ends.
            if state != .deferred, state != .revoked, record.kind != .carriedOver {
                program.decide(state, record, at: milliseconds)
            }
        }
    }
}

/// Open questions after the last record.
extension ReportFigures {
    /// Milliseconds after which a permission in use should have been reviewed.
    static let reviewAfter: Int64 = 30 * 86_400_000

    /// - Parameter now: the time of the report, in milliseconds since 1970.
    func finished(at now: Int64) -> ReportFigures {
        var figures = self
        for record in open.rest {
            figures.note(.withoutEnd, record)
            figures.program(of: record) { $0.noteSharing(record) }
        }
        // An erasure with its record is not a question.
        for record in erased where !kept.erasedRecords.contains(where: { $0.contains(Int(record.index)) }) {
            figures.note(.erased, record, detail: record.kind.rawValue)
        }
        for item in kept.overdue(at: now).reversed() {
            figures.note(.keptTooLong, item, detail: item.text(.dataKind))
        }
        for program in programs.values.sorted(by: { $0.client < $1.client }) {
            // A permission for one use is over.
            for (key, standing) in program.standings.sorted(by: { $0.key < $1.key })
            where standing.isGranted && standing.scope != Scope.once.rawValue {
                figures.ask(about: standing, key, of: program.client)
            }
        }
        for record in unanswered.values.sorted(by: { $0.index < $1.index }) {
            figures.note(.unanswered, record, detail: record.text(.resource))
        }
        return figures
    }

    var questions: Int { oddities.values.reduce(0) { $0 + $1.count } }

    private mutating func ask(about standing: Standing, _ key: StandingKey, of client: String) {
        func oddity(_ milliseconds: Int64, _ detail: String) -> Oddity {
            Oddity(record: standing.record, milliseconds: milliseconds, client: client, detail: detail)
        }
        guard let lastUse = standing.lastUse else {
            if let lastErasedSession, standing.milliseconds <= lastErasedSession { return }
            return note(.unusedGrant, oddity(standing.milliseconds, key.resource))
        }
        let unasked = lastUse - standing.milliseconds
        if unasked > Self.reviewAfter { note(.longUnasked, oddity(lastUse, String(unasked / 86_400_000))) }
    }
}

/// Sessions.
extension ReportFigures {
    mutating func begin(_ record: ConsentRecord, at milliseconds: Int64) {
        var without: [String] = []
        program(of: record) { without = $0.begin(record, at: milliseconds) }
        if knowsAllDecisions {
            for resource in without { note(.withoutGrant, record, detail: resource) }
        }
        if let dropped = open.start(record) { note(.withoutEnd, dropped) }
    }

    mutating func end(_ record: ConsentRecord, at milliseconds: Int64) {
        let started = open.stop(record)?.milliseconds ?? milliseconds - max(record[.milliseconds] ?? 0, 0)
        let use = Use(record)
        program(of: record) { program in
            program.noteSharing(record)
            if !use.isEmpty { program.add(use, from: started) }
        }
        guard !use.isEmpty else { return }
        sessions.append((record, started))
        self.use += use
        let hour = clock.hour(started)
        calendar.add(use, hour: hour)
        if let client = record.text(.client), programs[client] != nil {
            calendars[client, default: UseCalendar()].add(use, hour: hour)
        }
    }
}

/// An open question for the reader of the report.
struct Oddity: Sendable {
    enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A session without a grant before it.
        case withoutGrant
        /// A session without a recorded end.
        case withoutEnd
        /// Data past its retention period without a recorded erasure.
        case keptTooLong
        /// A permission that was never used.
        case unusedGrant
        /// A use long after the last request.
        case longUnasked
        /// A prompt without an answer.
        case unanswered
        /// A record that is older than its predecessor, or a clock jump that the service recorded.
        case clock
        /// Erased fields.
        case erased
    }

    let record: UInt64
    let milliseconds: Int64
    let client: String?
    /// A resource, a kind, or a number of days or seconds.
    let detail: String?
}

/// The newest elements of a sequence, and the number of all elements.
struct Newest<Element: Sendable>: Sendable {
    private(set) var count = 0
    private let limit: Int
    private var ring: [Element] = []

    init(_ limit: Int) { self.limit = limit }

    mutating func append(_ element: Element) {
        if ring.count < limit { ring.append(element) } else { ring[count % limit] = element }
        count += 1
    }

    /// Newest first.
    var elements: [Element] {
        let split = count > limit ? count % limit : 0
        return (ring[split...] + ring[..<split]).reversed()
    }

    var leftOut: Int { count - ring.count }
}
