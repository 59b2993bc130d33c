import Consent

/// A table as a CSV file (RFC 4180), with a line of its columns' names.
protocol Table: RecordFormat {
    static var columns: [String] { get }

    /// The rows that a record completes.
    mutating func rows(for record: ConsentRecord) -> [TableRow]

    /// The rows that no record completed.
    var rest: [TableRow] { get }
}

extension Table {
    var rest: [TableRow] { [] }

    mutating func begin() -> String { Self.columns.joined(separator: ",") + "\r\n" }
    mutating func add(_ record: ConsentRecord) -> String { Self.lines(rows(for: record)) }
    mutating func end(_ verification: ExportVerification) -> String { Self.lines(rest) }

    private static func lines(_ rows: [TableRow]) -> String { rows.map { $0.line(columns) }.joined() }
}

/// `accesses.csv`: a row for each session, written when it ends, and for each refused access.
struct AccessTable: Table {
    static let columns = [
        "outcome", "client", "clientName", "user", "subject", "executable", "executableSHA256", "evidence", "resource",
        "device", "startedAt", "endedAt", "milliseconds", "frames", "reason", "repeated", "sharing", "session",
        "microphoneGrant", "speechRecognitionGrant", "microphoneDecision", "speechRecognitionDecision", "startRecord",
        "endRecord", "listenedMilliseconds", "transcribedMilliseconds", "droppedMilliseconds", "pausedMilliseconds",
        "suspendedMilliseconds", "heardIn", "droppedBecause", "recognizer", "recognizerModelSHA256",
    ]
    private static let copied: [RecordField] = [
        .client, .clientName, .user, .subject, .executable, .executableSHA256, .evidence, .resource, .device, .session,
        .sharing,
    ]

    private var open = OpenSessions()

    mutating func rows(for record: ConsentRecord) -> [TableRow] {
        switch record.kind {
        case .sessionStarted:
            return open.start(record).map { [Self.row(from: $0, to: nil)] } ?? []
        case .sessionStopped:
            return [Self.row(from: open.stop(record), to: record)]
        case .accessBlocked:
            var row = TableRow()
            row.set("outcome", "refused")
            row.copy(Self.copied + [.reason, .repeated], from: record)
            row.set("startedAt", record.time.text)
            row.set("startRecord", Int64(clamping: record.index))
            return [row]
        default: return []
        }
    }

    /// Sessions without an end.
    var rest: [TableRow] { open.rest.map { Self.row(from: $0, to: nil) } }

    private static func row(from start: ConsentRecord?, to stop: ConsentRecord?) -> TableRow {
        var row = TableRow()
        let use = stop.map { Use($0) }
        row.set("outcome", stop?.isErased == true ? "erased" : outcome(use))
        for record in [start, stop].compactMap({ $0 }) {
            row.copy(copied, from: record)
            row.set("recognizer", record[.recognizer]?.nameAndVersion)
            row.set("recognizerModelSHA256", record[.recognizer]?.model)
            for resource in ["microphone", "speechRecognition"] {
                row.set(resource + "Grant", record[.grants]?[resource])
                row.set(resource + "Decision", record[.decisionRecords]?[resource].map { Int64(clamping: $0) })
            }
        }
        if let start {
            row.set("startedAt", start.time.text)
            row.set("startRecord", Int64(clamping: start.index))
        }
        if let stop {
            row.copy([.reason, .frames, .milliseconds], from: stop)
            row.set("endedAt", stop.time.text)
            row.set("endRecord", Int64(clamping: stop.index))
            if let listening = stop[.listening] { row.set(listening) }
        }
        if let use, stop?[.listening] != nil {
            row.set("listenedMilliseconds", use.listened.milliseconds)
            row.set("transcribedMilliseconds", use.transcribed.milliseconds)
        }
        return row
    }

    /// - Parameter use: `nil` without an end record.
    private static func outcome(_ use: Use?) -> String {
        guard let use else { return "no end" }
        return use.listened.times > 0 ? "listened" : use.transcribed.times > 0 ? "transcribed" : "heard nothing"
    }
}

/// `decisions.csv`: a row for each request, decision, withdrawal and expiry.
struct DecisionTable: Table {
    static let columns = ["record", "time", "kind", "consentStatus"] + copied.map(\.name) + ["erased"]
    private static let copied: [RecordField] = [
        .client, .clientName, .user, .subject, .executable, .executableSHA256, .resource, .question, .scope, .fidelity,
        .validity, .indication, .reason, .decisionRecord, .decidedByUser, .decidedByExecutable, .mutedFor,
        .noticeRecord, .noticeSHA256, .language, .dataKinds, .purpose, .retention, .recipients, .legalBasis,
        .withdrawal, .notice,
    ]

    func rows(for record: ConsentRecord) -> [TableRow] {
        guard record.isDecision else { return [] }
        var row = TableRow()
        row.copy(Self.copied, from: record)
        row.set("record", Int64(clamping: record.index))
        row.set("time", record.time.text)
        row.set("kind", record.kind.rawValue)
        row.set("consentStatus", ConsentState(ofConsentIn: record)?.rawValue)
        if record.isErased { row.set("erased", "true") }
        return [row]
    }
}

/// `csv`: both tables in one file; the first column names the table.
struct CombinedTable: Table {
    static let columns =
        ["table"] + DecisionTable.columns + AccessTable.columns.filter { !DecisionTable.columns.contains($0) }

    private var accesses = AccessTable()

    mutating func rows(for record: ConsentRecord) -> [TableRow] {
        accesses.rows(for: record).map { $0.of("access") } + DecisionTable().rows(for: record).map { $0.of("decision") }
    }

    var rest: [TableRow] { accesses.rest.map { $0.of("access") } }
}

/// A row of a table: escaped cells by column.
struct TableRow: Sendable {
    private(set) var cells: [String: String] = [:]

    mutating func set(_ column: String, _ text: String?) {
        if let text { cells[column] = SpreadsheetCell.text(text) }
    }

    mutating func set(_ column: String, _ number: Int64?) {
        if let number { cells[column] = String(number) }
    }

    /// Copies fields to the columns of their names.
    mutating func copy(_ fields: [RecordField], from record: ConsentRecord) {
        for field in fields {
            let column = field.name
            switch record.json(of: field) {
            case .string(let text): set(column, text)
            case .integer(let number): set(column, number)
            case .array(let values): set(column, values.compactMap(\.string).joined(separator: "; "))
            case .boolean(let flag): set(column, flag ? "true" : "false")
            case .null, .object, nil: break
            }
        }
    }

    mutating func set(_ listening: ListeningCounts) {
        set("droppedMilliseconds", listening.dropped.values.reduce(0, +))
        set("pausedMilliseconds", listening.paused)
        set("suspendedMilliseconds", listening.suspended)
        set("heardIn", listening.heard.keys.sorted().joined(separator: "; "))
        set("droppedBecause", listening.dropped.keys.sorted().joined(separator: "; "))
    }

    /// The row in a file with several tables.
    func of(_ table: String) -> TableRow {
        var row = self
        row.set("table", table)
        return row
    }

    func line(_ columns: [String]) -> String { columns.map { cells[$0] ?? "" }.joined(separator: ",") + "\r\n" }
}

/// A cell of a CSV file (RFC 4180) that no spreadsheet evaluates as a formula.
enum SpreadsheetCell {
    /// The first characters of formulas: OWASP's list, and the full-width forms that East Asian spreadsheets accept.
    private static let triggers: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "|", "%",
    ]

    /// The characters that are not in a cell without quotes.
    private static let quoted: Set<Unicode.Scalar> = [",", "\"", "\r", "\n", ";", "\t"]

    /// Quotes a text if needed, and puts an apostrophe before a text that a spreadsheet could evaluate.
    static func text(_ text: String) -> String {
        // Some readers end a cell or the file at a NUL.
        var text = text.unicodeScalars.contains("\0") ? text.replacing("\0", with: "\u{FFFD}") : text
        let first = text.unicodeScalars.first { $0 == "\t" || $0 == "\r" || $0 == "\n" || !isBlank($0) }
        if let first, triggers.contains(first) { text = "'" + text }
        text = showingDirections(text)
        return text.unicodeScalars.contains(where: quoted.contains)
            ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// Characters that would turn the text around them, in this cell and the next, are written as `\u{…}`.
    private static func showingDirections(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDirection) else { return text }
        return text.unicodeScalars.map { isDirection($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    /// Embeddings, overrides and isolates of UAX #9. Not the marks, which Arabic and Hebrew need.
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// Some spreadsheets remove invisible characters before they look for a formula.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .control
    }
}
