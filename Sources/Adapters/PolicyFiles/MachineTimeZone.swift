import Foundation

/// The time zone of the machine's clock on the wall, looked up anew each time: a service runs for weeks, and a machine
/// travels. `TimeZone.current` keeps what it found first.
public enum MachineTimeZone {
    /// - Parameter link: the symbolic link that names the zone (localtime(5)).
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment, link: String = "/etc/localtime"
    ) -> TimeZone {
        if let name = environment["TZ"], !name.isEmpty {
            return TimeZone(identifier: name.hasPrefix(":") ? String(name.dropFirst()) : name) ?? .current
        }
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            let name = target.firstRange(of: "zoneinfo/").map({ String(target[$0.upperBound...]) })
        else { return .current }
        return TimeZone(identifier: name) ?? .current
    }
}
