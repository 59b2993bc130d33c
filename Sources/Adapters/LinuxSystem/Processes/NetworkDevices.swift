/// `/proc/PID/net/dev`: the network devices of a process's namespace (proc_pid_net(5)).
///
/// Addresses and routes are not looked at: both need a device.
enum NetworkDevices {
    static let sizeLimit = 1 << 20

    /// Whether there is nothing but the loopback device.
    ///
    /// - Parameter text: two lines of headings, then `NAME: counters` for each device. Anything else counts as a network.
    static func areLoopbackAlone(_ text: String) -> Bool {
        let lines = text.split(separator: "\n")
        guard lines.count >= 2, lines[0].hasPrefix("Inter-|"), lines[1].contains("|bytes") else { return false }
        return lines.dropFirst(2).allSatisfy { line in
            line.drop { $0 == " " }.hasPrefix("lo:")
        }
    }
}
