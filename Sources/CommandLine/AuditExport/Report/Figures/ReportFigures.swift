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
