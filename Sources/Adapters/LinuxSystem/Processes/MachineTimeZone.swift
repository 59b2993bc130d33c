import Foundation
import Glibc

/// The time zone of local times, as date(1) shows them.
///
/// Foundation knows zones by name alone. It reads neither POSIX's `JST-9` and `CET-1CEST,M3.5.0,M10.5.0/3` nor tzset(3)'s
/// `:Asia/Tokyo` and `right/Asia/Tokyo`, and takes `UTC+3` for a zone in the east.
public enum MachineTimeZone {
    /// Read each time, since it may change while the service runs. `TimeZone.current` keeps its first value.
    ///
    /// - Parameters:
    ///   - link: the symbolic link that names the zone (localtime(5)).
    ///   - offset: seconds east of Greenwich at a time, by the C library and the process's `TZ`.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment, link: String = "/etc/localtime",
        offset: (Date) -> Int = libraryOffset
    ) -> TimeZone {
        guard let value = environment["TZ"], !value.isEmpty else {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return .current }
            return named(target) ?? .current
        }
        let offsets = Dictionary(uniqueKeysWithValues: halfMonths.map { ($0, offset($0)) })
        func agrees(_ zone: TimeZone) -> Bool { offsets.allSatisfy { zone.secondsFromGMT(for: $0.key) == $0.value } }
        if let zone = named(value), agrees(zone) { return zone }
        if let only = Set(offsets.values).first, let zone = TimeZone(secondsFromGMT: only), agrees(zone) { return zone }
        return TimeZone.knownTimeZoneIdentifiers.lazy.compactMap(TimeZone.init(identifier:)).first(where: agrees)
            ?? .current
    }

    /// The zone of a name as in tzset(3): `Asia/Tokyo`, `:Asia/Tokyo`, `posix/Asia/Tokyo` or a file's path.
    private static func named(_ text: String) -> TimeZone? {
        var name = text.drop { $0 == ":" }
        if let range = name.firstRange(of: "zoneinfo/") { name = name[range.upperBound...] }
        for prefix in ["posix/", "right/"] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        return TimeZone(identifier: String(name))
    }

    /// Two times in each month of a year around now: enough to tell zones apart that change their clocks.
    private static var halfMonths: [Date] {
        let hour = (Date().timeIntervalSince1970 / 3600).rounded() * 3600
        return (-12..<12).map { Date(timeIntervalSince1970: hour + Double($0) * 1_314_000) }
    }

    public static func libraryOffset(at date: Date) -> Int {
        tzset()
        var time = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&time, &parts)
        return parts.tm_gmtoff
    }
}

extension TimeZone {
    /// The zone in which a command shows and reads times.
    public static let local = MachineTimeZone.current()
}

extension Calendar {
    /// The user's calendar in `TimeZone.local`.
    public static var local: Calendar {
        var calendar = Calendar.current
        calendar.timeZone = .local
        return calendar
    }
}
