import Authorization
import Base
import Consent
import Foundation

/// A format that is written at the end, from the figures about all records.
struct FiguresFormat: RecordFormat {
    private var figures: ReportFigures
    private let scope: ExportScope
    private let text: @Sendable (ReportPage) -> String

    init(scope: ExportScope, text: @escaping @Sendable (ReportPage) -> String) {
        self.scope = scope
        self.text = text
        figures = ReportFigures(clock: LocalClock(timeZone: scope.timeZone), isWhole: scope.isWhole)
    }

    mutating func add(_ record: ConsentRecord) -> String {
        figures.add(record)
        return ""
    }

    mutating func end(_ verification: ExportVerification) -> String {
        text(
            ReportPage(
                figures: figures.finished(at: Timestamp(scope.madeAt).milliseconds), scope: scope,
                verification: verification))
    }
}

extension FiguresFormat {
    /// `html`: one self-contained page to read and print, with figures and the newest entries of long lists.
    static func report(_ scope: ExportScope) -> FiguresFormat { FiguresFormat(scope: scope) { $0.document.html } }
}

/// The page, composed of its sections.
struct ReportPage {
    let figures: ReportFigures
    let scope: ExportScope
    let verification: ExportVerification
    let words: ReportWording
    /// The words of notices.
    let noticeWords: Wording

    init(figures: ReportFigures, scope: ExportScope, verification: ExportVerification) {
        self.figures = figures
        self.scope = scope
        self.verification = verification
        words = scope.language.reportWording
        noticeWords = scope.language.wording
    }

    var document: Markup {
        page(
            words(.title),
            """
            <a class="skip" href="#report">\(words(.skip))</a>
            \(masthead)
            \(contents)
            <main id="report" tabindex="-1">
            \(summary)\(timeline)\(answers)\(programs)\(keeping)\(sharing)\(questions)\(proof)\(appendix)
            </main>
            """)
    }

    /// A page that loads and runs nothing, with its footer.
    func page(_ title: String, _ body: Markup) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="\(scope.language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.contentSecurityPolicy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <link rel="icon" href="data:,">
        <title>\(title) · VoiceGate</title>
        <style>\(Self.styles)</style>
        </head>
        <body>
        \(body)
        <footer><p>\(words.footer(log: scope.log))</p></footer>
        </body>
        </html>

        """
    }

    /// Also for print, narrow screens and dark mode. Inline, because the page loads nothing.
    private static let styles = Markup(stringLiteral: String(decoding: PackageResources.report_css, as: UTF8.self))

    /// The page loads and runs nothing, whatever a record contains.
    private static let contentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

    private var masthead: Markup {
        let facts: [(String, Markup?)] = [
            (words(.coversName), coverage), (words(.madeName), "\(dateTime(scope.madeAt))"),
            (words(.timesName), "\(timeZone)"),
        ]
        return """
            <header>
            <p class="kicker">VoiceGate</p>
            <h1>\(words(.title))</h1>
            <p class="span">\(span)</p>
            \(definitions("facts", facts))
            </header>
            """
    }

    private var span: String {
        guard let first = figures.first, let last = figures.last else { return words(.emptyLog) }
        let (start, end) = (words.date(moment(first).date), words.date(moment(last).date))
        return start == end ? start : words.span(first: start, last: end)
    }

    /// The scope of the export.
    private var coverage: Markup {
        if scope.isWhole { return "\(words(.everything))" }
        var parts: [Markup] = []
        if let client = scope.filter.client { parts.append("\(words(.onlyProgram)) \(Markup.name(client.rawValue))") }
        if let subject = scope.filter.subject { parts.append("\(words(.onlySubject)) \(Markup.name(subject))") }
        if let since = scope.filter.since { parts.append("\(words.since(time: dateTime(since)))") }
        if let until = scope.filter.until { parts.append("\(words.until(time: dateTime(until)))") }
        return parts.joined("<br>")
    }

    private var timeZone: String {
        let seconds = figures.clock.timeZone.secondsFromGMT(for: scope.madeAt)
        let minutes = abs(seconds) / 60
        let offset = "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60):\(String(minutes % 60 + 100).dropFirst())"
        return "\(figures.clock.timeZone.identifier) (\(offset))"
    }

    private var contents: Markup {
        let entries = ReportSection.allCases.map { section in
            "<li><a href=\"#\(section.rawValue)\">\(words.section(section))</a></li>" as Markup
        }
        return "<nav aria-label=\"\(words(.contents))\"><ul>\(entries)</ul></nav>"
    }

    // MARK: Shared by the sections

    func section(_ section: ReportSection, _ body: Markup) -> Markup {
        """
        <section aria-labelledby="\(section.rawValue)">
        <h2 id="\(section.rawValue)">\(words.section(section))</h2>
        \(body)
        </section>

        """
    }

    func moment(_ milliseconds: Int64) -> LocalMoment { figures.clock.moment(milliseconds) }
    func dateTime(_ date: Date) -> String { words.dateTime(figures.clock.moment(date)) }
    func time(_ milliseconds: Int64) -> Markup { "<time>\(words.dateTime(moment(milliseconds)))</time>" }

    /// A list of names and values, without those that have none.
    func definitions(_ style: String, _ items: [(String, Markup?)]) -> Markup {
        let rows = items.compactMap { name, value in
            value.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>" as Markup }
        }
        return "<dl class=\"\(style)\">\(rows)</dl>"
    }

    /// The program's name, or its identifier if it has none.
    func name(_ client: String) -> Markup {
        if client.isEmpty { return "\(words(.unknownProgram))" }
        return .name(figures.programs[client]?.name ?? client)
    }

    func resource(_ name: String?) -> String? {
        guard let name else { return nil }
        return Resource(rawValue: name).map(noticeWords.resource) ?? DisplayText.cleaned(name, limit: 40)
    }

    /// A wide table that scrolls by itself, also by keyboard, instead of the page; on a narrow screen each row becomes a
    /// block with its heads. The roles say that it is a table even then.
    ///
    /// - Parameter total: of the list that the rows are the newest of.
    func table(
        _ caption: String, _ heads: [ReportText], _ rows: [[Markup]], isNumber: Set<Int> = [], of total: Int? = nil
    ) -> Markup {
        table(caption, heads: heads.map { words($0) }, rows, isNumber: isNumber)
            + (onPaper(rows.count, of: total) ?? "")
    }

    func table(_ caption: String, heads: [String], _ rows: [[Markup]], isNumber: Set<Int> = []) -> Markup {
        let head = heads.enumerated().map { column, text in
            "<th scope=\"col\" role=\"columnheader\"\(number(column, isNumber))>\(text)</th>" as Markup
        }
        let body = rows.map { row in
            let cells = zip(row, heads).enumerated().map { column, cell in
                column == 0
                    ? "<th scope=\"row\" role=\"rowheader\">\(cell.0)</th>" as Markup
                    : "<td role=\"cell\" data-head=\"\(cell.1)\"\(number(column, isNumber))>\(cell.0)</td>"
            }
            return "<tr role=\"row\">\(cells)</tr>\n" as Markup
        }
        return """
            <div class="wide" role="region" tabindex="0" aria-label="\(caption)"><table role="table"><caption>\(caption)\
            </caption><thead role="rowgroup"><tr role="row">\(head)</tr></thead><tbody role="rowgroup">
            \(body)</tbody></table></div>
            """
    }

    /// Of a long list a print has the first entries (report.css), and this note.
    func onPaper(_ count: Int, of total: Int?) -> Markup? {
        guard count > Self.mostOnPaper else { return nil }
        return
            "<p class=\"note paper\">\(words.leftOut(count: words.count((total ?? count) - Self.mostOnPaper), file: "records.jsonl"))</p>"
    }

    private static let mostOnPaper = 8

    private func number(_ column: Int, _ numbers: Set<Int>) -> Markup? {
        numbers.contains(column) ? " class=\"n\"" : nil
    }

    /// - Parameter file: the file of a bundle that has all entries.
    func note(leftOut count: Int, _ file: String) -> Markup? {
        count > 0 ? note(words.leftOut(count: words.count(count), file: file)) : nil
    }
    func note(morePrograms count: Int) -> Markup? {
        count > 0 ? note(words.morePrograms(count: words.count(count))) : nil
    }
    func note(_ text: String) -> Markup { "<p class=\"note\">\(text)</p>" }
}

/// The parts of the page, in order; raw values are the anchors.
enum ReportSection: String, Sendable, Hashable, CaseIterable {
    case summary
    case timeline
    case answers
    case programs
    case keeping
    case sharing
    case questions
    case proof
    case appendix
}

/// The most important figures.
extension ReportPage {
    var summary: Markup {
        let numbers: [(String, Markup?)] = [
            (words(.timesListened).lowercased(), "\(words.count(figures.use.listened.times))"),
            (words(.listened).lowercased(), "\(words.duration(figures.use.listened.milliseconds))"),
            (words(.filesTranscribed).lowercased(), "\(words.count(figures.use.transcribed.times))"),
            (words(.transcribed).lowercased(), "\(words.duration(figures.use.transcribed.milliseconds))"),
            (words(.programsSeen), "\(words.count(figures.programs.count + figures.otherPrograms.count))"),
            (words(.grantsAndDenials), "\(words.count(figures.grants)) / \(words.count(figures.denials))"),
            (words(.itemsKept), "\(words.count(figures.kept.keptNow))"),
            (words(.openQuestions), "\(words.count(figures.questions))"),
        ]
        return section(
            .summary,
            """
            \(definitions("figures", numbers))
            <ul class="verdicts">\(verdicts)</ul>
            """)
    }

    private var verdicts: [Markup] {
        let (kept, open) = (figures.kept.keptNow, figures.questions)
        let proof: Markup =
            switch verification.report.map({ $0.problem }) {
            case nil: verdict("open", .proof, words(.notChecked))
            case .some(nil): verdict("good", .proof, words(.fits))
            case .some(let problem?): verdict("bad", .proof, words(.doesNotFit), " \(problem.message)")
            }
        return [
            proof,
            kept == 0
                ? verdict("good", .keeping, words(.nothingIsKeptNow))
                : verdict("open", .keeping, words.isKeptNow(count: words.count(kept))),
            open == 0
                ? verdict("good", .questions, words(.noQuestions))
                : verdict("open", .questions, words.someQuestions(count: words.count(open))),
        ]
    }

    private func verdict(_ style: String, _ section: ReportSection, _ text: String, _ more: Markup? = nil) -> Markup {
        "<li class=\"\(style)\"><a href=\"#\(section.rawValue)\">\(text)</a>\(more)</li>"
    }
}

/// The number of records of each kind.
extension ReportPage {
    /// Not in a print.
    var appendix: Markup {
        let rows = figures.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { kind, count in
            let identifier = DisplayText.cleaned(kind, limit: 60)
            return [
                "\(words.kind(kind) ?? identifier)" as Markup, "<code>\(identifier)</code>", "\(words.count(count))",
            ]
        }
        return section(
            .appendix,
            "<p>\(words.appendixIntro(count: words.count(figures.records)))</p>"
                + table(
                    words.section(.appendix), [.whatColumn, .kindNameColumn, .numberColumn], rows,
                    isNumber: [2]))
    }
}
