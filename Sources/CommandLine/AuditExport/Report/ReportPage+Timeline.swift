import Authorization
import Consent

/// When programs listened: a strip of bars for each program, and the same as a table.
extension ReportPage {
    private static let mostStrips = 24
    private static let mostRows = 200

    var timeline: Markup {
        guard let timeline = Timeline(figures.calendar) else {
            return section(.timeline, "<p>\(words(.nobodyListened))</p>")
        }
        let intro: Markup =
            "<p class=\"lead\">\(words.timelineIntro(timeline.unit, tallest: words.duration(tallest(timeline))))</p>"
        return section(
            .timeline,
            """
            \(listeners.isEmpty ? nil : intro)
            \(strips(timeline))
            \(note(morePrograms: listeners.count - Self.mostStrips))
            <details class="twin"><summary>\(words(.sameAsTable))</summary>\(usageTable(timeline))</details>
            <h3>\(words(.latestSessions))</h3>
            \(latestSessions)
            """)
    }

    private func tallest(_ timeline: Timeline) -> Int64 {
        timeline.columns(figures.calendar).values.map(\.listened.milliseconds).max() ?? 0
    }

    private var listeners: [ProgramFigures] { programsByUse.filter { $0.use.listened.times > 0 } }

    /// - Parameter prefix: of the identifiers of the strips, which a page has once.
    func strips(_ timeline: Timeline, prefix: String = "") -> Markup {
        let total = timeline.columns(figures.calendar)
        let tallest = tallest(timeline)
        let shown = listeners
        guard !shown.isEmpty else { return "<p>\(words(.nobodyListened))</p>" }
        var strips: [Markup] = []
        if shown.count != 1 {
            strips.append(strip("\(words(.allPrograms))", prefix + "all", figures.use, total, timeline, tallest))
        }
        for (position, program) in shown.prefix(Self.mostStrips).enumerated() {
            let columns = timeline.columns(figures.calendars[program.client] ?? UseCalendar())
            strips.append(strip(name(program.client), "\(prefix)s\(position)", program.use, columns, timeline, tallest))
        }
        return "<div class=\"strips\">\(strips)</div>"
    }

    /// Those that listened longest first, then those that transcribed most.
    var programsByUse: [ProgramFigures] {
        func order(_ use: Use) -> (Int64, Int, Int64, Int) {
            (use.listened.milliseconds, use.listened.times, use.transcribed.milliseconds, use.transcribed.times)
        }
        return figures.programs.values.sorted {
            let (left, right) = (order($0.use), order($1.use))
            return left == right ? $0.client < $1.client : right < left
        }
    }

    private func strip(
        _ name: Markup, _ identifier: String, _ use: Use, _ columns: [Int: Use], _ timeline: Timeline, _ tallest: Int64
    ) -> Markup {
        let count = timeline.range.count
        let columns = columns.filter { $0.value.listened.times > 0 }
        let bars = columns.sorted { $0.key < $1.key }.map { column, use in
            let height = max(Int(Double(use.listened.milliseconds) / Double(max(tallest, 1)) * 96), 3)
            let place = (column - timeline.range.lowerBound) * 10 + 1
            return """
                <rect x="\(place)" y="\(100 - height)" width="8" height="\(height)"><title>\(barText(column, timeline, use))\
                </title></rect>
                """ as Markup
        }
        let summary = words.use(use)
        return """
            <figure class="strip">
            <figcaption><span class="who">\(name)</span> <span class="much">\(summary)</span></figcaption>
            <svg viewBox="0 0 \(count * 10) 100" preserveAspectRatio="none" role="img" \
            aria-labelledby="\(identifier)t \(identifier)d"><title id="\(identifier)t">\(name.plain)</title>\
            <desc id="\(identifier)d">\(description(columns, timeline, summary))</desc>
            <line x1="0" x2="\(count * 10)" y1="99.5" y2="99.5"/>\(bars)</svg>
            \(axis(timeline, count))
            </figure>

            """
    }

    private func axis(_ timeline: Timeline, _ count: Int) -> Markup {
        let first = timeline.range.lowerBound
        let labels = [first, first + count / 2, first + count - 1].map { column in
            "<span>\(words.label(timeline.start(column), timeline.unit))</span>" as Markup
        }
        return "<div class=\"axis\" aria-hidden=\"true\">\(labels)</div>"
    }

    private func description(_ columns: [Int: Use], _ timeline: Timeline, _ summary: String) -> String {
        func order(_ column: (key: Int, value: Use)) -> (Int64, Int) {
            (column.value.listened.milliseconds, -column.key)
        }
        guard let most = columns.max(by: { order($0) < order($1) }) else { return summary }
        return words.stripDescription(use: ReportWording.begin(summary), most: barText(most.key, timeline, most.value))
    }

    private func barText(_ column: Int, _ timeline: Timeline, _ use: Use) -> String {
        words.bar(label: words.label(timeline.start(column), timeline.unit), use: words.listened(use.listened))
    }

    func usageTable(_ timeline: Timeline) -> Markup {
        var rows: [(column: Int, row: [Markup])] = []
        for program in programsByUse {
            for (column, use) in timeline.columns(figures.calendars[program.client] ?? UseCalendar()) {
                let label = words.label(timeline.start(column), timeline.unit)
                let counts = [use.listened, use.transcribed].flatMap { count -> [Markup] in
                    ["\(words.count(count.times))", "\(words.duration(count.milliseconds))"]
                }
                rows.append((column, ["\(label)", name(program.client)] + counts))
            }
        }
        rows.sort { ($1.column, $0.row[1].html) < ($0.column, $1.row[1].html) }
        return table(
            words(.usageCaption),
            [.whenColumn, .programColumn, .timesListened, .listened, .filesTranscribed, .transcribed],
            rows.prefix(Self.mostRows).map(\.row), isNumber: [2, 3, 4, 5])
            + (note(leftOut: rows.count - Self.mostRows, "accesses.csv") ?? "")
    }

    /// What allowed the session to listen, in words.
    private func grounds(_ record: ConsentRecord) -> String {
        guard let heard = record[.listening]?.heard else { return "" }
        let names = heard.filter { $0.value > 0 }.keys.sorted()
        return names.map { ListeningGround(rawValue: $0).map(words.ground) ?? String($0.prefix(40)) }
            .joined(separator: ", ")
    }

    var latestSessions: Markup {
        let rows = figures.sessions.elements.map { record, started -> [Markup] in
            let use = Use(record)
            return [
                time(started), name(record.text(.client) ?? ""), length(use.listened), length(use.transcribed),
                "\(record[.listening].map { words.duration($0.notHeard) } ?? "")",
                "\(grounds(record))",
                record[.device].map { Markup.name($0, limit: 40) } ?? "\(words(.soundFile))",
                record[.recognizer]?.nameAndVersion.map { Markup.name($0, limit: 60) } ?? "",
                "\(record[.reason].map { words.ending($0) ?? $0 } ?? "")",
            ]
        }
        return table(
            words(.latestSessions),
            [
                .whenColumn, .programColumn, .listened, .transcribed, .notHeardColumn, .allowedByColumn,
                .deviceColumn, .engineColumn, .endedColumn,
            ], rows, isNumber: [2, 3, 4], of: figures.sessions.count)
            + (note(leftOut: figures.sessions.leftOut, "accesses.csv") ?? "")
    }

    private func length(_ count: Use.Count) -> Markup {
        count.times > 0 ? "\(words.duration(count.milliseconds))" : ""
    }
}

/// The columns of the timeline: hours, days, weeks, months or years, so that their number stays readable.
struct Timeline {
    enum Unit: Sendable, Hashable, CaseIterable {
        case hour
        case day
        case week
        case month
        case year
    }

    let unit: Unit
    /// The first and the last column, counted in units.
    let range: ClosedRange<Int>

    init(_ unit: Unit, _ range: ClosedRange<Int>) { (self.unit, self.range) = (unit, range) }

    /// - Returns: `nil` without sessions.
    init?(_ calendar: UseCalendar) {
        if let hours = calendar.hours, let first = hours.keys.min(), let last = hours.keys.max() {
            unit = .hour
            // Whole days, so that the time of day is easy to see.
            range = first.flooredDivision(by: 24).quotient * 24...last.flooredDivision(by: 24).quotient * 24 + 23
            return
        }
        guard let first = calendar.days.keys.min(), let last = calendar.days.keys.max() else { return nil }
        switch last - first {
        case ...69: unit = .day
        case ...489: unit = .week
        case ...2_190: unit = .month
        default: unit = .year
        }
        // At least twelve columns, so that none is too wide; the last one is the newest.
        let end = Self.column(last, unit)
        range = min(Self.column(first, unit), end - 11)...end
    }

    func columns(_ calendar: UseCalendar) -> [Int: Use] {
        if unit == .hour { return (calendar.hours ?? [:]).filter { range.contains($0.key) } }
        var columns: [Int: Use] = [:]
        for (day, use) in calendar.days { columns[Self.column(day, unit), default: Use()] += use }
        return columns.filter { range.contains($0.key) }
    }

    /// The start of a column.
    func start(_ column: Int) -> LocalMoment {
        switch unit {
        case .hour: LocalMoment(local: Int64(column) * 3_600_000)
        case .day: LocalMoment(CivilDate(daysSince1970: Int64(column)))
        case .week: LocalMoment(CivilDate(daysSince1970: Int64(column * 7 - 3)))
        case .month: LocalMoment(CivilDate(year: Int64(column / 12), month: Int64(column % 12 + 1), day: 1))
        case .year: LocalMoment(CivilDate(year: Int64(column), month: 1, day: 1))
        }
    }

    private static func column(_ day: Int, _ unit: Unit) -> Int {
        let date = CivilDate(daysSince1970: Int64(day))
        return switch unit {
        case .hour: day * 24
        case .day: day
        // Weeks begin on Monday; the first day of 1970 was a Thursday.
        case .week: (day + 3).flooredDivision(by: 7).quotient
        case .month: Int(date.year * 12 + date.month - 1)
        case .year: Int(date.year)
        }
    }
}
