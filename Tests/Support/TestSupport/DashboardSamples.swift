import AuditExport
import Authorization
import Consent
import Foundation
import SocketAPI

/// What a service with some use answers: a program that listens, one in the background, one that was denied and whose name is
/// hostile, an administrator's rule, a waiting question, kept items, and checkpoints.
public enum DashboardSamples {
    public static let hostileName = "<script>alert(1)</script>\"'&"

    public static func content(at now: Date, in language: Language = .english) throws -> DashboardContent {
        func ago(_ seconds: Double) -> String { JSONCoding.text(now.addingTimeInterval(-seconds)) }
        func decoded<Value: Decodable>(_ text: String) throws -> Value {
            try JSONCoding.decoder().decode(Value.self, from: Data(text.utf8))
        }
        let hostile = String(decoding: try JSONEncoder().encode(hostileName), as: UTF8.self)
        let health: HealthReply = try decoded(
            #"{"version":"1","mode":"enforced","processIdentifier":1,"muted":false,"log":"intact"}"#)
        let indicator: IndicatorReply = try decoded(
            """
            {"muted":false,"sessions":[
            {"session":"s1","client":"org.example.Notes","name":"Notes","resources":["microphone"],"device":"Built-in Audio",
            "processIdentifier":4711,"presence":"foreground","paused":false,"phase":"now","startedAt":"\(ago(95))",
            "sharing":"verified","recognizer":"PocketSphinx 5prealpha"},
            {"session":"s2","client":"org.example.evil","name":\(hostile),"resources":["speechRecognition"],
            "processIdentifier":4712,"presence":"background","paused":false,"phase":"now","startedAt":"\(ago(40))"}]}
            """)
        let settings: SettingsReply = try decoded(
            """
            {"muted":false,"problems":[],"entries":[
            \(entry("org.example.Minutes", "会議メモ", "speechRecognition", "authorized", ago(86_400 * 9), language,
                more: #""scope":"always","question":"review","usedAt":"\#(ago(86_400 * 2))","#)),
            \(entry("org.example.Minutes", "会議メモ", "microphone", "authorized", ago(86_400 * 9), language,
                more: #""scope":"always","restriction":"Not in meetings of the board.","#)),
            \(entry("org.example.Notes", "Notes", "speechRecognition", "authorized", ago(86_400 * 3), language,
                more: #""scope":"whileInUse","usedAt":"\#(ago(95))","#)),
            \(entry("org.example.Notes", "Notes", "microphone", "authorized", ago(86_400 * 3), language,
                more: #""scope":"whileInUse","usedAt":"\#(ago(95))","#)),
            \(entry("org.example.evil", hostile, "microphone", "denied", ago(3_600), language)),
            {"client":"org.example.Silent","name":"Never asked","resource":"microphone","status":"notDetermined"}]}
            """)
        var content = DashboardContent(health: health, indicator: indicator, settings: settings)
        content.history = try decoded(
            """
            [{"item":"i1","session":"s0","client":"org.example.Minutes","name":"会議メモ","kind":"recording",
            "date":"\(ago(86_400 * 2))","until":"\(ago(-86_400 * 28))","bytes":4812331},
            {"item":"i2","session":"s0","client":"org.example.Minutes","name":"会議メモ","kind":"transcript",
            "date":"\(ago(86_400 * 2))","bytes":18213}]
            """)
        content.anchors = DiagnosisReply.Anchors(
            size: 412, signed: 412, published: 380, witnessed: 350, quorum: "1 of 1 witnesses")
        content.publications = PublicationsReply(
            publications: [.init(size: 380, time: ago(86_400), destination: "/mnt/usb/checkpoint")],
            cosignatures: [
                .init(size: 350, witness: "witness.example", seconds: UInt64(now.timeIntervalSince1970) - 90_000)
            ])
        content.records = sessions(before: now)
        return content
    }

    private static func entry(
        _ client: String, _ name: String, _ resource: String, _ verdict: String, _ time: String, _ language: Language,
        more: String = ""
    ) -> String {
        let words = language.wording
        let lines = [
            "\(client)", words(.collected) + ": " + words.kind(.liveAudio),
            words(.purpose) + ": To write down what you say.",
            words(.kept) + ": " + words(.nothingIsKept), words(.shared) + ": " + words(.sharedWithNobody),
            words(.recognised) + ": PocketSphinx 5prealpha",
        ]
        let notice = (try? JSONCoding.encoder().encode(lines.joined(separator: "\n"))).map {
            String(decoding: $0, as: UTF8.self)
        }
        return """
            {"client":"\(client)","name":\(name.hasPrefix("\"") ? name : "\"\(name)\""),"resource":"\(resource)",\(more)
            "status":"\(verdict)","verdict":"\(verdict)","decidedAt":"\(time)","indication":"terminal",
            "usageDescription":"To write down what you say.","notice":\(notice ?? "null")}
            """
    }

    /// A week of use by two programs.
    private static func sessions(before now: Date) -> [ConsentRecord] {
        var records: [ConsentRecord] = []
        func add(_ kind: RecordKind, _ milliseconds: Int64, _ fields: [String: JSONValue]) {
            records.append(
                ConsentRecord(
                    index: UInt64(records.count), kind: kind, time: Timestamp(milliseconds: milliseconds),
                    fields: fields))
        }
        let end = Timestamp(now).milliseconds
        let programs = [
            ("org.example.Minutes", "会議メモ"), ("org.example.Notes", "Notes"), ("org.example.evil", hostileName),
        ]
        for hours in stride(from: Int64(150), through: 1, by: -7) {
            let (client, name) = programs[Int(hours) % 3]
            let start = end - hours * 3_600_000
            let length = (hours * 97 % 23 + 1) * 61_000
            let common: [String: JSONValue] = [
                "client": .string(client), "clientName": .string(name), "user": 1000,
                "session": .string("s-\(hours)"), "device": "Built-in Audio",
            ]
            add(.sessionStarted, start, common)
            let listening: [String: JSONValue] = [
                "heard": ["foreground": .integer(length)], "dropped": [:], "paused": 0, "suspended": 0,
            ]
            add(
                .sessionStopped, start + length,
                common.merging([
                    "milliseconds": .integer(length), "listening": .object(listening), "reason": "silence",
                ]) { $1 })
        }
        return records
    }
}
