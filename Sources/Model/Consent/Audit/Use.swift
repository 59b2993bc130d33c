import Authorization
import Foundation

/// How often and how long microphones were listened to and files transcribed: the figures of every report, table and command.
///
/// Listening is the time in which a microphone was open and heard. A session that failed before it opened, whose audio was all
/// dropped, or that was paused throughout, did not listen. Nobody knows how long a session without an end record listened: it is
/// not counted.
public struct Use: Sendable, Hashable {
    public struct Count: Sendable, Hashable {
        public var times: Int
        public var milliseconds: Int64

        public init(times: Int = 0, milliseconds: Int64 = 0) { (self.times, self.milliseconds) = (times, milliseconds) }

        static func += (left: inout Count, right: Count) {
            left.times += right.times
            // Records are not trusted: a sum must not overflow.
            left.milliseconds = min(left.milliseconds + right.milliseconds, 1 << 60)
        }
    }

    /// Of microphones.
    public var listened = Count()
    /// Of sound that programs supplied: files, and the sound in requests.
    public var transcribed = Count()

    public init() {}

    /// What a session's end record counts; nothing for every other record, and if nothing was heard.
    public init(_ record: ConsentRecord) {
        guard record.kind == .sessionStopped, let heard = record[.listening]?.allHeard, heard > 0 else { return }
        let count = Count(times: 1, milliseconds: heard)
        if record.usesMicrophone { listened = count } else { transcribed = count }
    }

    public var isEmpty: Bool { self == Use() }

    public static func += (left: inout Use, right: Use) {
        left.listened += right.listened
        left.transcribed += right.transcribed
    }

    /// Of each client that listened or transcribed.
    public static func ofClients(_ records: some Sequence<ConsentRecord>) -> [String: Use] {
        records.reduce(into: [:]) { uses, record in
            let use = Use(record)
            if !use.isEmpty, let client = record.text(.client) { uses[client, default: Use()] += use }
        }
    }
}

extension ConsentRecord {
    /// Whether its session captures from a microphone, and not from a file.
    public var usesMicrophone: Bool {
        self[.device] != nil || self[.grants]?[Resource.microphone.rawValue] != nil
    }
}

/// The words of a duration in one language.
public struct DurationUnits: Sendable, Hashable {
    public let hour: String
    public let minute: String
    public let second: String
    public let separator: String

    public init(hour: String, minute: String, second: String, separator: String) {
        (self.hour, self.minute, self.second, self.separator) = (hour, minute, second, separator)
    }

    public static let english = DurationUnits(hour: " h", minute: " min", second: " s", separator: " ")

    /// At most two of hours, minutes and seconds; below ten seconds with tenths, at least one unless it is zero.
    public func text(_ milliseconds: Int64) -> String {
        let tenths = milliseconds > 0 ? max((milliseconds + 50) / 100, 1) : 0
        if tenths > 0, tenths < 100 { return "\(tenths / 10).\(tenths % 10)\(second)" }
        let seconds = (milliseconds + 500) / 1000
        let (hours, minutes, rest) = (seconds / 3600, "\(seconds % 3600 / 60)\(minute)", seconds % 60)
        if hours > 0 {
            return "\(hours.formatted(.number.locale(Locale(identifier: "en_US"))))\(hour)\(separator)\(minutes)"
        }
        if seconds < 60 { return "\(rest)\(second)" }
        return rest > 0 && seconds < 600 ? "\(minutes)\(separator)\(rest)\(second)" : minutes
    }
}
