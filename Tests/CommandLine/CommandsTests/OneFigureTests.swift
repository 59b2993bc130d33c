import Authorization
import CommandText
import Consent
import Foundation
import SocketAPI
import Testing

@testable import AuditExport
@testable import Commands

/// One log, read by everything that shows figures of use.
@Suite("How long programs listened and what they transcribed is the same everywhere") struct OneFigureTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let notes = "org.example.Notes"
    private static let openAI = "org.example.openai"
    private static let monitored = "org.example.monitored"

    /// A session's end record; `heard` in milliseconds.
    private struct Session {
        let client: String
        let device: String?
        let heard: [String: Int64]
        var dropped: [String: Int64] = [:]
        var paused: Int64 = 0
        var reason = "ended"
        var hasEnd = true
    }

    private static let sessions = [
        // Failed before it opened; heard nothing; in the background without permission; muted before it heard anything.
        Session(client: notes, device: "mic", heard: [:], reason: "failed"),
        Session(client: notes, device: "mic", heard: [:], dropped: ["sessionEnded": 200], reason: "silence"),
        Session(client: notes, device: "mic", heard: [:], dropped: ["background": 5_000], reason: "background"),
        Session(client: notes, device: "mic", heard: [:], paused: 900, reason: "muted"),
        // Heard a part; muted after a while.
        Session(
            client: notes, device: "mic", heard: ["foreground": 3_000], dropped: ["background": 10_000], paused: 60_000),
        Session(client: notes, device: "mic", heard: ["foreground": 800, "always": 200], reason: "muted"),
        // Files: transcribed, and unreadable.
        Session(client: notes, device: nil, heard: ["foreground": 600_000]),
        Session(client: notes, device: nil, heard: [:], reason: "failed"),
        // As the OpenAI API's transcriptions are recorded, two of them.
        Session(client: openAI, device: nil, heard: ["foreground": 90_000]),
        Session(client: openAI, device: nil, heard: ["foreground": 30_000]),
        // VoiceGate listened for a client's monitor.
        Session(client: monitored, device: "mic", heard: ["phrase": 7_000], reason: "triggered"),
        // A crash: it has no end.
        Session(client: notes, device: "mic", heard: ["foreground": 1_000_000], hasEnd: false),
        Session(client: openAI, device: nil, heard: ["foreground": 1_000_000], hasEnd: false),
    ]

    private static func use(listened: (Int, Int64) = (0, 0), transcribed: (Int, Int64) = (0, 0)) -> Use {
        var use = Use()
        use.listened = Use.Count(times: listened.0, milliseconds: listened.1)
        use.transcribed = Use.Count(times: transcribed.0, milliseconds: transcribed.1)
        return use
    }

    private static let expected = [
        notes: use(listened: (2, 4_000), transcribed: (1, 600_000)), openAI: use(transcribed: (2, 120_000)),
        monitored: use(listened: (1, 7_000)),
    ]
    private static let total = use(listened: (3, 11_000), transcribed: (3, 720_000))

    private static func records() -> [ConsentRecord] {
        var records: [ConsentRecord] = []
        func add(_ kind: RecordKind, _ time: Int64, _ fields: [String: JSONValue]) {
            records.append(
                ConsentRecord(
                    index: UInt64(records.count), kind: kind, time: Timestamp(milliseconds: time), fields: fields))
        }
        var time = Timestamp(now).milliseconds - 6 * 3_600_000
        for (number, session) in sessions.enumerated() {
            let grants = ["speechRecognition"] + (session.device == nil ? [] : ["microphone"])
            let common: [String: JSONValue] = [
                "client": .string(session.client), "user": 1000, "session": .string("session-\(number)"),
                "device": session.device.map(JSONValue.string) ?? .null, "sharing": "declared",
                "grants": .object(Dictionary(uniqueKeysWithValues: grants.map { ($0, .string("lease-\(number)")) })),
            ]
            add(.sessionStarted, time, common)
            time += 900_000
            guard session.hasEnd else { continue }
            let listening: [String: JSONValue] = [
                "heard": .object(session.heard.mapValues { .integer($0) }),
                "dropped": .object(session.dropped.mapValues { .integer($0) }), "paused": .integer(session.paused),
                "suspended": 0,
            ]
            let length = session.heard.values.reduce(0, +) + session.dropped.values.reduce(session.paused, +)
            add(
                .sessionStopped, time,
                common.merging([
                    "reason": .string(session.reason), "milliseconds": .integer(length),
                    "frames": .integer(length * 16), "listening": .object(listening),
                ]) { $1 })
        }
        return records
    }

    private static func scope(_ language: Language) -> ExportScope {
        ExportScope(
            log: "voicegate.local/log/0f", size: 100, language: language, madeAt: now, timeZone: .gmt, version: "1")
    }

    private static func text(_ format: some RecordFormat) -> String {
        var format = format
        var text = format.begin()
        for record in records() { text += format.add(record) }
        return text + format.end(ExportVerification(report: nil))
    }

    /// The value beside a name in a list of names and values.
    private static func value(_ name: String, in page: some StringProtocol) -> String? {
        let parts = String(page).components(separatedBy: "<dt>\(name)</dt><dd>")
        return parts.count == 2 ? parts[1].components(separatedBy: "</dd>").first : nil
    }

    private func cells(_ use: Use, _ words: ReportWording) -> [String] {
        [use.listened, use.transcribed].flatMap { [words.count($0.times), words.duration($0.milliseconds)] }
    }

    @Test("the function counts microphones that were heard, and files, of each client")
    func function() throws { #expect(Use.ofClients(Self.records()) == Self.expected) }

    @Test("the report: at a glance, in the table, and of each program", arguments: Language.allCases)
    func report(language: Language) throws {
        let words = language.reportWording
        let page = Self.text(FiguresFormat.report(Self.scope(language)))
        let columns = [ReportText.timesListened, .listened, .filesTranscribed, .transcribed].map { words($0) }
        #expect(columns.map { Self.value($0.lowercased(), in: page) } == cells(Self.total, words).map(Optional.some))
        // All happened in one day, so that the table of days would have a row for each; it has one for each hour.
        for (client, use) in Self.expected {
            let card = try #require(
                page.components(separatedBy: "<article ").dropFirst().first { $0.contains(">\(client)<") })
            let sentence = words.use(use)
            #expect(card.contains(sentence) || card.contains(sentence.prefix(1).uppercased() + sentence.dropFirst()))
            #expect(card.contains(words(.neverListened)) == (use.listened.times == 0))
        }
        let strips = page.matches(of: #/<span class="much">([^<]*)<\/span>/#).map { String($0.1) }
        #expect(
            strips == [Self.total, Self.use(listened: (1, 7_000))].map(words.use) + [
                words.use(Self.expected[Self.notes] ?? Use())
            ])
        for column in columns {
            #expect(page.contains("role=\"columnheader\" class=\"n\">\(column)</th>"), "\(column)")
        }
    }

    @Test("the dashboard", arguments: Language.allCases)
    func dashboard(language: Language) throws {
        let words = language.reportWording
        let health = try JSONCoding.decoder().decode(
            HealthReply.self,
            from: Data(#"{"version":"1","mode":"advisory","processIdentifier":1,"muted":false,"log":"intact"}"#.utf8))
        var content = DashboardContent(
            health: health, indicator: IndicatorReply(sessions: []), settings: SettingsReply(entries: [], problems: []))
        content.records = Self.records()
        let page = DashboardPage(content, language: language, now: Self.now, timeZone: .gmt, formToken: "t").document()
        let shown = page.matches(of: #/<span class="much">([^<]*)<\/span>/#).map { String($0.1) }
        let once = [Self.total, Self.expected[Self.monitored], Self.expected[Self.notes]].compactMap(\.self).map(
            words.use)
        // The last day and the last week.
        #expect(shown == once + once)
    }

    @Test("the record of processing activities", arguments: Language.allCases)
    func register(language: Language) throws {
        let words = language.reportWording
        let page = Self.text(FiguresFormat.register(Self.scope(language)))
        let columns = [ReportText.timesListened, .listened, .filesTranscribed, .transcribed].map { words($0) }
        for (client, use) in Self.expected {
            let entry = try #require(
                page.components(separatedBy: "<article ").dropFirst().first { $0.contains(">\(client)<") })
            #expect(columns.map { Self.value($0, in: entry) } == cells(use, words).map(Optional.some))
        }
    }

    @Test("the spreadsheet")
    func spreadsheet() throws {
        let lines = Self.text(AccessTable()).split(separator: "\r\n")
        let columns = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let rows = lines.dropFirst().map { line in
            Dictionary(
                uniqueKeysWithValues: zip(
                    columns, line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)))
        }
        var uses: [String: Use] = [:]
        for row in rows {
            let (listened, transcribed) = (row["listenedMilliseconds"] ?? "", row["transcribedMilliseconds"] ?? "")
            uses[row["client"] ?? "", default: Use()] += Self.use(
                listened: (row["outcome"] == "listened" ? 1 : 0, Int64(listened) ?? 0),
                transcribed: (row["outcome"] == "transcribed" ? 1 : 0, Int64(transcribed) ?? 0))
        }
        #expect(uses == Self.expected)
        let outcomes = Dictionary(grouping: rows) { $0["outcome"] ?? "" }.mapValues(\.count)
        #expect(outcomes == ["listened": 3, "transcribed": 3, "heard nothing": 5, "no end": 2])
    }

    @Test("linked data")
    func linked() throws {
        struct Node: Decodable {
            let session: Process?
            enum CodingKeys: String, CodingKey { case session = "dpv:hasProcess" }
        }
        struct Process: Decodable {
            let type: String?
            let duration: Duration?
            enum CodingKeys: String, CodingKey {
                case type = "dct:type"
                case duration = "dpv:hasDuration"
            }
        }
        struct Duration: Decodable {
            struct Extent: Decodable {
                let value: String
                enum CodingKeys: String, CodingKey { case value = "@value" }
            }
            let extent: Extent
            enum CodingKeys: String, CodingKey { case extent = "dct:extent" }
        }
        struct Document: Decodable {
            let graph: [Node]
            enum CodingKeys: String, CodingKey { case graph = "@graph" }
        }
        let text = Self.text(LinkedData(log: "log"))
        let processes = try JSONDecoder().decode(Document.self, from: Data(text.utf8)).graph.compactMap(\.session)
        func count(_ type: String) -> Use.Count {
            let found = processes.filter { $0.type == type }
            let seconds = found.compactMap { $0.duration.flatMap { Double($0.extent.value.dropFirst(2).dropLast()) } }
            return Use.Count(times: found.count, milliseconds: Int64(seconds.reduce(0, +) * 1000))
        }
        #expect(count("listened") == Self.total.listened && count("transcribed") == Self.total.transcribed)
    }

    @Test("the lines of records")
    func lines() throws {
        let lines = Self.records().filter { $0.kind == "session.stopped" }.map { $0.summary(timeZone: .gmt) }
        #expect(
            lines.compactMap {
                $0.firstMatch(of: #/(listened|transcribed) [0-9.]+ (s|min)( [0-9]+ s)?/#).map { String($0.0) }
            } == [
                "listened 3.0 s", "listened 1.0 s", "transcribed 10 min", "transcribed 1 min 30 s",
                "transcribed 30 s", "listened 7.0 s",
            ])
        #expect(lines.count { $0.contains("heard nothing") } == 5)
    }

    @Test("status, of a whole day, and of less if there are more records", arguments: Language.allCases)
    func status(language: Language) throws {
        let records = Self.records()
        let recent = RecentUse(records, isWhole: true, now: Self.now)
        #expect(recent.clients == Self.expected)
        let lines = StatusText.lines(recent, language: language)
        #expect(
            Array(lines.dropFirst())
                == Self.expected.sorted { $0.key < $1.key }.map {
                    "  \($0.key): \(language.reportWording.use($0.value))"
                })
        let newest = RecentUse(Array(records.suffix(3)), isWhole: false, now: Self.now)
        #expect(newest.clients == [Self.monitored: Self.use(listened: (1, 7_000))])
        #expect(Timestamp(newest.since) == records.suffix(3).first?.time)
    }
}
