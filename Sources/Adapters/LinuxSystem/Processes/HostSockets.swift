import Glibc

/// The Internet sockets of the host's network, and of the service's own where that is another, to find one that was handed to
/// a process without a network.
struct HostSockets {
    private static let tables = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6", "icmp", "icmp6", "udplite", "udplite6"]

    /// `nil` when a table could not be read.
    private let inodes: Set<UInt32>?

    init(root: String) {
        var found = Set<UInt32>()
        let paths = ["self", "1"].flatMap { process in Self.tables.map { "\(root)/\(process)/net/\($0)" } }
        for path in paths {
            // Not every kernel has every protocol, and not every service may look at process 1.
            guard access(path, F_OK) == 0 else { continue }
            guard let text = KernelTable.text(path) else {
                inodes = nil
                return
            }
            found.formUnion(Self.inodes(in: text))
        }
        inodes = found
    }

    /// Whether a process has one of them, or its descriptors cannot be seen.
    ///
    /// - Parameter folder: `/proc/PID/task/TID`.
    func areHeld(in folder: String) -> Bool {
        guard let inodes, let held = SocketDescriptors.inodes(in: folder) else { return true }
        return !inodes.isDisjoint(with: held)
    }

    /// The tenth column of each line but the first (proc_pid_net(5)).
    static func inodes(in text: String) -> Set<UInt32> {
        Set(
            text.split(separator: "\n").dropFirst().compactMap { line in
                let columns = line.split(separator: " ", omittingEmptySubsequences: true)
                return columns.count > 9 ? UInt32(columns[9]) : nil
            }
            .filter { $0 != 0 })
    }
}
