import Foundation
import SystemFiles

/// The Unix sockets of a network namespace that have a name, as `/proc/net/unix` lists them (proc_pid_net(5)).
enum UnixSocketTable {
    /// A machine with a million sockets has more.
    private static let sizeLimit = 64 << 20

    /// The absolute paths, each once, sorted. Those in another mount namespace or behind a mount are among them.
    static func paths() throws(ProcessError) -> [String] {
        let file: RegularFile
        do {
            file = try RegularFile(path: "/proc/self/net/unix", limit: sizeLimit)
        } catch {
            throw ProcessError(
                code: .notConfined, message: "The list of sockets cannot be read: \(error) Nothing was started.")
        }
        let paths = paths(in: String(decoding: file.data, as: UTF8.self))
        guard paths.count <= Confinement.mostSockets else {
            throw ProcessError(
                code: .notConfined,
                message: "There are more than \(Confinement.mostSockets) sockets on this machine, too many to cover. "
                    + "Nothing was started.")
        }
        return paths
    }

    /// Seven columns and then the path, which may have spaces; names that begin with `@` belong to the namespace alone.
    static func paths(in text: String) -> [String] {
        let paths = text.split(separator: "\n").dropFirst().compactMap { line -> String? in
            let columns = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            guard columns.count == 8, columns[7].hasPrefix("/") else { return nil }
            return String(columns[7])
        }
        return Set(paths).sorted()
    }
}
