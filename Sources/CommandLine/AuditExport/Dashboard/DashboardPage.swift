import Authorization
import Consent
import Foundation
import LinuxSystem
import SocketAPI

/// The dashboard as HTML. `dashboard.html` is its template; `report.css`, `dashboard.css` and `dashboard.js` are separate
/// files, so that the page needs no exception from its policy.
public struct DashboardPage {
    let content: DashboardContent
    let language: Language
    let now: Date
    /// The field `token` of every form.
    let formToken: String
    /// Draws the timelines, from the same figures as in the report.
    let day: ReportPage
    let week: ReportPage

    var words: ReportWording { week.words }

    public init(
        _ content: DashboardContent, language: Language, now: Date = Date(), timeZone: TimeZone = .local,
        formToken: String
    ) {
        (self.content, self.language, self.now, self.formToken) = (content, language, now, formToken)
        let clock = LocalClock(timeZone: timeZone)
        func page(since hours: Int) -> ReportPage {
            var figures = ReportFigures(clock: clock, isWhole: false)
            let start = Timestamp(now).milliseconds - Int64(hours) * 3_600_000
            for record in content.records where record.milliseconds >= start { figures.add(record) }
            return ReportPage(
                figures: figures,
                scope: ExportScope(
                    log: "", size: 0, language: language, madeAt: now, timeZone: timeZone, version: ""),
                verification: ExportVerification(report: content.verification?.report))
        }
        (day, week) = (page(since: 24), page(since: 7 * 24))
    }

    /// The files that the page loads, by path, with their types.
    public static func asset(_ path: String) -> (type: String, bytes: [UInt8])? {
        switch path {
        case "/report.css": ("text/css; charset=utf-8", PackageResources.report_css)
        case "/dashboard.css": ("text/css; charset=utf-8", PackageResources.dashboard_css)
        case "/dashboard.js": ("text/javascript; charset=utf-8", PackageResources.dashboard_js)
        case "/icon.svg": ("image/svg+xml", PackageResources.icon_svg)
        default: nil
        }
    }

    public func document(_ message: DashboardMessage? = nil) -> String {
        let sections: [(String, String, Markup?)] = [
            ("now", text(.now), listeners), ("questions", text(.questions), questions),
            ("timeline", words.section(.timeline), timeline), ("permissions", text(.permissions), permissions),
            ("kept", text(.kept), kept), ("trust", text(.trust), trust), ("problems", text(.problems), problems),
            ("export", text(.export), export),
        ]
        let shown = sections.filter { $0.2 != nil }
        return Self.filled(
            language,
            [
                "state": state,
                "message": message.map { "<p class=\"message\" role=\"status\">\(text($0.text))</p>" },
                "links": shown.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" as Markup }.joined(),
                // Empty ones too, so that they can be filled later.
                "sections": sections.map(section).joined(),
            ])
    }

    private func section(_ name: String, _ title: String, _ body: Markup?) -> Markup {
        let live: Markup = name == "export" ? "" : " data-live"
        guard let body else { return "<section id=\"\(name)\"\(live) hidden></section>\n" }
        return """
            <section id="\(name)"\(live) aria-labelledby="\(name)-title">
            <h2 id="\(name)-title">\(title)</h2>
            \(body)
            </section>

            """
    }

    /// A page with a message and a way back.
    public static func notice(_ notice: DashboardNotice, language: Language) -> String {
        let text = DashboardWording(language: language)
        let (title, reason, isInside): (String, String, Bool) =
            switch notice {
            case .usedAddress: (text(.refused), text(.usedAddress), false)
            case .notThisPage: (text(.refused), text(.notThisPage), false)
            case .wrongRequest: (text(.refused), text(.wrongRequest), true)
            case .failed(let reason): (text(.failed), reason, true)
            }
        let back: Markup = isInside ? "<p><a class=\"button\" href=\"/\">\(text(.back))</a></p>" : ""
        return filled(
            language, ["state": "<div class=\"state\"><h1>\(title)</h1></div>", "sections": "<p>\(reason)</p>\(back)"])
    }

    /// Asks before records are erased.
    ///
    /// - Parameter planned: what the erasure would do.
    public static func confirmation(
        erasing client: String, _ planned: RecordErasureReply, language: Language, formToken: String
    ) -> String {
        let text = DashboardWording(language: language)
        let stays = planned.kept.reduce(0) { $0 + $1.records }
        let isEmpty = planned.records == 0 && planned.items == 0
        let what =
            isEmpty
            ? text(.nothingToErase)
            : text.confirmErasure(
                records: text.erasedRecords(count: planned.records), items: text.erasedItems(count: planned.items))
        return confirmation(
            .name(client), [what] + (stays > 0 ? [text.erasureStays(count: stays)] : []),
            isEmpty ? nil : Form("erase-records", ["client": client], formToken), language)
    }

    /// Asks before kept items are erased.
    ///
    /// - Parameter item: `nil`: all.
    /// - Returns: `nil` if the item is not there, or if there is none.
    public func confirmation(erasingKept item: String?) -> String? {
        let items = content.history.filter { item == nil || $0.item == item }
        guard let first = items.first else { return nil }
        let form = item.map { Form("erase-item", ["item": $0], formToken) } ?? Form("erase-history", [:], formToken)
        return Self.confirmation(
            item == nil ? "\(text(.eraseAll))" : .name(first.name), [text.confirmErasureOfKept(count: items.count)],
            form,
            language)
    }

    /// - Parameter form: `nil`: there is nothing to do.
    private static func confirmation(
        _ title: Markup, _ sentences: [String], _ form: Form?, _ language: Language
    ) -> String {
        let text = DashboardWording(language: language)
        let what = sentences.map { "<p>\($0)</p>" as Markup }.joined()
        let button = form?.button(text(.erasePermanently), "strong")
        return filled(
            language,
            [
                "state": "<div class=\"state\"><h1>\(title)</h1></div>",
                "sections": """
                \(what)<div class="actions">\(button)<a class="button" href="/">\(text(.cancel))</a></div>
                """,
            ])
    }

    private static let template = String(decoding: PackageResources.dashboard_html, as: UTF8.self)

    /// The template with its `{{names}}` replaced; those without a value are empty.
    private static func filled(_ language: Language, _ values: [String: Markup?]) -> String {
        let (words, text) = (language.reportWording, DashboardWording(language: language))
        let common: [String: Markup?] = [
            "language": "\(language.rawValue)", "title": "\(text(.title))",
            "skip": "\(words(.skip))", "contents": "\(words(.contents))",
            "lost": "\(text(.lost))", "footer": "\(text(.footer))",
        ]
        let values = common.merging(values) { $1 }
        var result = ""
        var rest = template[...]
        while let start = rest.range(of: "{{"), let end = rest.range(of: "}}") {
            result += rest[..<start.lowerBound]
            result += values[String(rest[start.upperBound..<end.lowerBound])]??.html ?? ""
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    var text: DashboardWording { DashboardWording(language: language) }
    func time(_ date: Date) -> String { words.dateTime(week.figures.clock.moment(date)) }
}

/// A form that does one thing.
struct Form {
    private let action: String
    private let fields: [String: String]
    private let token: String

    init(_ action: String, _ fields: [String: String] = [:], _ token: String) {
        (self.action, self.fields, self.token) = (action, fields, token)
    }

    /// - Parameters:
    ///   - target: continues the label for readers who hear the buttons alone.
    ///   - style: a class of the button.
    func button(_ label: String, _ style: String = "", for target: String = "") -> Markup {
        let hidden = fields.sorted { $0.key < $1.key }.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" as Markup
        }
        let identifier = ([action] + fields.sorted { $0.key < $1.key }.map(\.value)).joined(separator: "-")
        let more: Markup = target.isEmpty ? "" : " <span class=\"vh\">\(target)</span>"
        return """
            <form method="post" action="/\(action)"><input type="hidden" name="token" value="\(token)">\(hidden)\
            <button id="\(identifier)" class="\(style)">\(label)\(more)</button></form>
            """
    }
}
