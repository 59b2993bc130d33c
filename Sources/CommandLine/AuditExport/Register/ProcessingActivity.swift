import Authorization
import Base
import Consent

/// One entry of the record of processing activities (GDPR, Art. 30(1)): a program, as it declared itself and as it was used.
struct ProcessingActivity {
    let program: ProgramFigures
    private let kept: KeptItems
    private let words: ReportWording
    private let noticeWords: Wording
    private let clock: LocalClock
    private let language: Language

    init(_ program: ProgramFigures, _ page: ReportPage) {
        self.program = program
        (kept, words, noticeWords, clock) = (page.figures.kept, page.words, page.noticeWords, page.figures.clock)
        language = page.scope.language
    }

    /// The columns with what the regulation asks for, in its order; then what happened.
    func value(_ column: RegisterColumn) -> String {
        let notice = program.notice
        switch column {
        case .activity: return DisplayText.cleaned(program.name ?? program.client, limit: 80)
        case .client: return program.client
        case .controller:
            let controller = notice?[.controller]
            let known = [controller?.name, controller?.address, controller?.contact].compactMap { $0 }
            return known.isEmpty
                ? text(.notDeclared) : known.map { DisplayText.cleaned($0, limit: 200) }.joined(separator: ", ")
        case .purposes:
            return notice?[.purpose].map { DisplayText.cleaned($0, limit: 400) } ?? text(.notDeclared)
        case .subjects: return text.users(count: Set(program.standings.keys.map(\.user)).count)
        case .data:
            let kinds = notice?.texts(.dataKinds) ?? []
            return kinds.isEmpty
                ? text(.notDeclared)
                : kinds.prefix(20).map { DataKind(rawValue: $0).map(noticeWords.kind) ?? $0 }
                    .joined(separator: noticeWords(.listSeparator))
        case .recipients: return recipients
        case .transfers:
            return program.sharing.keys.allSatisfy { $0 == "verified" } && !program.sharing.isEmpty
                ? text(.noTransfer) : text(.transferUnknown)
        case .retention:
            guard let notice else { return text(.notDeclared) }
            return notice[.retention].map { DisplayText.cleaned($0, limit: 200) } ?? noticeWords(.nothingIsKept)
        case .security: return text(.securityText)
        case .firstUse: return program.span.map { words.dateTime(clock.moment($0.lowerBound)) } ?? ""
        case .lastUse: return program.span.map { words.dateTime(clock.moment($0.upperBound)) } ?? ""
        case .timesListened: return words.count(program.use.listened.times)
        case .listened: return words.duration(program.use.listened.milliseconds)
        case .filesTranscribed: return words.count(program.use.transcribed.times)
        case .transcribed: return words.duration(program.use.transcribed.milliseconds)
        case .keptNow: return "\(kept.items.count { $0.text(.client) == program.client })"
        case .refused: return "\(program.refusals.values.reduce(0, +))"
        case .basis:
            let granted = program.standings.filter(\.value.isGranted).sorted { $0.key < $1.key }
            return granted.isEmpty
                ? text(.noConsent)
                : granted.map { key, standing in
                    let resource = Resource(rawValue: key.resource).map(noticeWords.resource) ?? key.resource
                    return text.consent(
                        resource: resource, day: words.date(clock.moment(standing.milliseconds).date),
                        record: Int(clamping: standing.record))
                }.joined(separator: "; ")
        }
    }

    private var text: RegisterWording { RegisterWording(language: language) }

    /// Those that are declared, and those to whom VoiceGate itself sent something.
    private var recipients: String {
        let declared = program.notice?[.recipients]
        let all = (declared ?? []) + program.recipients.sorted().filter { !(declared ?? []).contains($0) }
        if all.isEmpty { return declared == nil ? noticeWords(.sharingNotDeclared) : noticeWords(.sharedWithNobody) }
        return all.map { DisplayText.cleaned($0, limit: 100) }.joined(separator: noticeWords(.listSeparator))
    }
}

/// The rows of the register's page for each activity.
enum RegisterColumn: CaseIterable {
    case activity, client, controller, purposes, subjects, data, recipients, transfers, retention, security, basis
    case firstUse, lastUse, timesListened, listened, filesTranscribed, transcribed, keptNow, refused
}

extension FiguresFormat {
    /// `art30`: the register as a page to read and print.
    static func register(_ scope: ExportScope) -> FiguresFormat { FiguresFormat(scope: scope) { $0.register.html } }
}

extension ReportPage {
    /// The programs that had a permission or used one, longest use first.
    var activities: [ProcessingActivity] {
        programsByUse.filter { !$0.standings.isEmpty || !$0.use.isEmpty }.map { ProcessingActivity($0, self) }
    }

    fileprivate var register: Markup {
        let text = RegisterWording(language: scope.language)
        let cards = activities.enumerated().map { position, activity -> Markup in
            let rows = RegisterColumn.allCases.dropFirst(2).map { column -> (String, Markup?) in
                (text.name(of: column), "\(activity.value(column))")
            }
            return """
                <article aria-labelledby="a\(position)"><h2 id="a\(position)">\(Markup.name(activity.value(.activity)))</h2>
                <p class="id">\(Markup.name(activity.program.client, limit: 255))</p>
                \(definitions("rows", rows))</article>

                """
        }
        let facts: [(String, Markup?)] = [
            (words(.madeName), "\(dateTime(scope.madeAt))"), (words(.logName), "<code>\(scope.log)</code>"),
        ]
        return page(
            text(.title),
            """
            <header><p class="kicker">VoiceGate</p><h1>\(text(.title))</h1>
            <p class="span">\(text(.subtitle))</p>\(definitions("facts", facts))</header>
            <main id="register">
            <p>\(text(.intro))</p>
            \(cards.isEmpty ? "<p>\(words(.noPrograms))</p>" : cards.joined())
            </main>
            """)
    }
}
