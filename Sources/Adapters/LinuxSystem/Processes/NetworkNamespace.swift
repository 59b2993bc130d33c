import Foundation
import Glibc

/// A network namespace, found by one of its processes. Its list of devices can also be read after that process has ended.
final class NetworkNamespace: Sendable {
    /// The open list, which keeps the namespace alive.
    private let devices: OwnedDescriptor

    /// - Parameter folder: `/proc/PID/task/TID`.
    /// - Returns: `nil` when it cannot be opened.
    init?(of folder: String) {
        let number = open(folder + "/net/dev", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        devices = OwnedDescriptor(owning: number)
    }

    /// Whether it has no connection now. A device that was added and removed between two calls is not detected.
    var isClosed: Bool {
        guard lseek(devices.rawValue, 0, SEEK_SET) == 0,
            let text = try? RegularFile.contents(of: devices.rawValue, path: "", limit: NetworkDevices.sizeLimit)
        else { return false }
        return NetworkDevices.areLoopbackAlone(String(decoding: text, as: UTF8.self))
    }
}

/// The Internet sockets of the host's network and of the service's own, to find one that was passed to a process without a
/// network.
struct HostSockets {
    private static let tables = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6", "icmp", "icmp6", "udplite", "udplite6"]
    /// Bytes; about 28,000 sockets.
    static let longestTable = 4 << 20

    /// `nil` when a table could not be read, or is too long.
    private let inodes: Set<UInt32>?

    init(root: String) {
        var found = Set<UInt32>()
        let paths = ["self", "1"].flatMap { process in Self.tables.map { "\(root)/\(process)/net/\($0)" } }
        for path in paths {
            // Not every kernel has every protocol, and not every service may read process 1.
            guard access(path, F_OK) == 0 else { continue }
            guard let text = RegularFile.text(path, limit: Self.longestTable) else {
                inodes = nil
                return
            }
            found.formUnion(Self.inodes(in: text))
        }
        inodes = found
    }

    /// Whether a process has one of them, or its descriptors cannot be read.
    ///
    /// - Parameter open: its sockets.
    func haveAny(of open: Set<UInt32>?) -> Bool {
        guard let inodes, let open else { return true }
        return !inodes.isDisjoint(with: open)
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

/// The Unix sockets of a network namespace, as `/proc/PID/net/unix` lists them (proc_pid_net(5)).
enum UnixSocketTable {
    /// The absolute paths, each once, sorted; including those in another mount namespace or behind a mount.
    static func paths() throws(ProcessError) -> [String] {
        guard let text = RegularFile.table("/proc/self/net/unix") else {
            throw ProcessError(
                code: .notConfined,
                message: "The list of sockets, /proc/net/unix, cannot be read. Nothing was started. Mount /proc.")
        }
        let paths = paths(in: text)
        guard paths.count <= Confinement.mostSockets else {
            throw ProcessError(
                code: .notConfined,
                message: "There are more than \(Confinement.mostSockets) sockets on this machine, too many to hide. "
                    + "Nothing was started.")
        }
        return paths
    }

    /// Six columns, the inode, and the path, which may have spaces. Names that begin with `@` are abstract and not visible
    /// outside the namespace.
    static func paths(in text: String) -> [String] {
        Set(rows(text).compactMap { $0.count == 8 && $0[7].hasPrefix("/") ? String($0[7]) : nil }).sorted()
    }

    static func inodes(in text: String) -> Set<UInt32> {
        Set(rows(text).compactMap { UInt32($0[6]) })
    }

    private static func rows(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            return columns.count >= 7 ? columns : nil
        }
    }
}
