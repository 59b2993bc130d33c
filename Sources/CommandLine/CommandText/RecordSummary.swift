import Authorization
import Base
import Consent
import Foundation
import LinuxSystem

extension ConsentRecord {
    /// One line: index, time, kind and essentials. `--json` has all fields.
    ///
    /// - Parameter absence: why it has no fields, if it has none.
    public func summary(timeZone: TimeZone = .local, absence: String = "erased") -> String {
        let time = DayAndTime.text(time.date, timeZone: timeZone)
        let index = String(repeating: " ", count: max(0, 4 - "\(index)".count)) + "\(index)"
        let word = kind.rawValue
        let kind = word.padding(toLength: max(18, word.count), withPad: " ", startingAt: 0)
        let line = "\(index)  \(time)  \(kind)  " + (details + (isErased ? [absence] : [])).joined(separator: " · ")
        // Fields come from programs and must not draw on the terminal. The spaces of the columns stay.
        return line.split(separator: " ", omittingEmptySubsequences: false)
            .map { DisplayText.cleaned(String($0), limit: 400) }.joined(separator: " ")
    }

    /// The essentials, such as the client, the resource and how it was decided.
    public var details: [String] {
        let grounds = self[.decisionRecords]?.values.sorted() ?? []
        let details =
            [string(.client), string(.resource), string(.device)] + detailsOfKind + [
                string(.reason),
                self[.repeated].flatMap { $0 > 0 ? "\($0) more before it" : nil },
                string(.session).map { "session \($0.prefix(8))" },
                grounds.isEmpty ? nil : "on \(grounds.map(String.init).joined(separator: ", "))",
            ]
        return details.compactMap { $0 }
    }

    private var detailsOfKind: [String?] {
        switch kind {
        case .granted, .renewed, .denied, .deferred, .withdrawn:
            let indication = string(.indication).flatMap(Indication.init(rawValue:))
            return [string(.scope), indication.map(\.words)]
        case .noticeChanged:
            return ["the notice was \(short(.previousNoticeSHA256)), is \(short(.noticeSHA256))"]
        case .restrictedByPolicy, .revokedByAdministrator:
            return ["by policy" + (self[.rule]?[.reason].map { ": \($0)" } ?? "")]
        case .refusalsCounted:
            return [self[.refusals].map { "\($0) refusals" }, string(.since).map { "since \($0)" }]
        case .sessionStarted:
            return [
                usesMicrophone || isErased ? nil : "a sound file",
                self[.recognizer]?.nameAndVersion.map { "recognised by \($0)" },
            ]
        case .sessionStopped: return self[.listening].map { [heard($0)] + notHeard($0) } ?? []
        case .engineChanged:
            return [
                self[.tasks]?.joined(separator: ", "),
                "from \(self[.fromEngine]?.nameAndVersion ?? "an unknown one") "
                    + "to \(self[.toEngine]?.nameAndVersion ?? "an unknown one")",
            ]
        case .collectorChanged:
            // Absent if the fields were erased or withheld.
            if json(of: .collector) == .null { return ["nothing is sent any more"] }
            return [
                self[.collector].map { "\($0.send.rawValue) go to \($0.name)" }, self[.url],
            ]
        case .policyChanged:
            let broken = self[.brokenFiles]?.keys.sorted() ?? []
            return [
                self[.rules].map { $0.count == 1 ? "1 denial" : "\($0.count) denials" },
                broken.isEmpty ? nil : "unusable: " + broken.joined(separator: ", "),
            ]
        case .dataRetained:
            return [
                string(.dataKind), self[.bytes].map { "\($0) bytes" }, string(.until).map { "until \($0)" },
                "item \(short(.item))",
            ]
        case .dataNotKept: return [string(.dataKind)]
        case .dataErased:
            return [
                beginnings(.items).map { "items \($0)" },
                self[.erasedRanges]?.array.map { "records " + Self.ranges($0) },
            ]
        case .dataShared:
            return [self[.recipients].map { "with " + $0.joined(separator: ", ") }]
        case .requestReceived, .requestAnswered:
            return [string(.right), string(.outcome), "request \(short(.request))"]
        case .exportMade: return [string(.format), "SHA-256 \(short(.sha256))"]
        case .checkpointPublished: return [self[.size].map { "\($0) records" }, string(.destination)]
        case .recovery:
            return [
                beginnings(.sessions).map { "sessions without an end: \($0)" },
                string(.checkpoint).map { "the checkpoint was \($0)" }, string(.key).map { "the key was \($0)" },
            ]
        case .muted, .unmuted:
            return [
                self[.mutedFor] == .everyone ? "for all users" : nil,
                string(.decidedByExecutable).map { "by \($0)" },
            ]
        case .clockJump: return [self[.milliseconds].map(Self.jump)]
        default: return []
        }
    }

    /// How long a session listened or what it transcribed, and how much of it in the background.
    private func heard(_ listening: ListeningCounts) -> String {
        let grounds = listening.heard.filter { $0.key != ListeningGround.foreground.rawValue }.sorted {
            $0.key < $1.key
        }
        let others = grounds.map { "\(Self.duration($0.value)) by \($0.key)" }
        return useSentence + (others.isEmpty ? "" : " (" + others.joined(separator: ", ") + ")")
    }

    /// What a session's end record counts, such as "listened 3.8 s".
    public var useSentence: String {
        let use = Use(self)
        if use.listened.times > 0 { return "listened " + Self.duration(use.listened.milliseconds) }
        return use.transcribed.times > 0
            ? "transcribed " + Self.duration(use.transcribed.milliseconds) : "heard nothing"
    }

    private func notHeard(_ listening: ListeningCounts) -> [String] {
        let dropped = listening.dropped.sorted { $0.key < $1.key }.map { ("dropped", $0.value, " (\($0.key))") }
        return (dropped + [("paused", listening.paused, ""), ("suspended", listening.suspended, "")])
            .filter { $0.1 > 0 }.map { "\($0.0) \(Self.duration($0.1))\($0.2)" }
            + (self[.deviceHeld] == true ? ["the device did not close"] : [])
    }

    static func jump(_ milliseconds: Int64) -> String {
        let day: UInt64 = 86_400_000
        let days = milliseconds.magnitude < day ? 0 : (milliseconds.magnitude + day / 2) / day
        func count(_ number: UInt64, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
        let length =
            switch days {
            case 0: duration(Int64(milliseconds.magnitude))
            case ..<365: count(days, "day")
            default: count(days / 365, "year") + " " + count(days % 365, "day")
            }
        return (milliseconds < 0 ? "back by " : "forward by ") + length
    }

    private static func duration(_ milliseconds: Int64) -> String { DurationUnits.english.text(milliseconds) }

    /// The beginning of a digest or an identifier.
    private func short(_ field: Field<String>) -> String { String((string(field) ?? "").prefix(8)) }

    private func beginnings(_ field: Field<[String]>) -> String? {
        self[field].map { $0.map { "\($0.prefix(8))" }.joined(separator: ", ") }
    }

    /// The first ranges of the field `records`.
    private static func ranges(_ ranges: [JSONValue]) -> String {
        let shown = ranges.prefix(6).compactMap { range -> String? in
            guard let ends = range.array?.compactMap(\.integer), ends.count == 2 else { return nil }
            return ends[0] == ends[1] ? "\(ends[0])" : "\(ends[0])–\(ends[1])"
        }
        return shown.joined(separator: ", ") + (ranges.count > 6 ? ", …" : "")
    }

    /// `nil` also for an empty text.
    private func string(_ field: Field<some RecordText>) -> String? {
        text(field).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Indication {
    /// How the user decided, for a line of text.
    public var words: String {
        switch self {
        case .terminal: "at the terminal"
        case .agent: "at an agent's terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case .administrator: "by the administrator"
        }
    }
}
