import Foundation

/// A namespace in which more time has passed since the boot (time_namespaces(7)): the real clock, put forward.
public enum TimeNamespace {
    /// The command that runs a program this many days later.
    public static func command(daysLater days: Int) -> [String] {
        ["/usr/bin/unshare", "--time", "--boottime", String(days * 86_400)]
    }

    /// Whether this machine lets one be made: it takes root and a kernel that has them.
    public static let isAvailable: Bool = {
        let words = command(daysLater: 1) + ["/bin/true"]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
