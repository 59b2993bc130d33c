/// The Unix sockets of a network namespace, as `/proc/PID/net/unix` lists them (proc_pid_net(5)).
enum UnixSocketTable {
    /// The absolute paths, each once, sorted. Those in another mount namespace or behind a mount are among them.
    static func paths() throws(ProcessError) -> [String] {
        guard let text = KernelTable.text("/proc/self/net/unix") else {
            throw ProcessError(
                code: .notConfined,
                message: "The list of sockets, /proc/net/unix, cannot be read. Nothing was started. Mount /proc.")
        }
        let paths = paths(in: text)
        guard paths.count <= Confinement.mostSockets else {
            throw ProcessError(
                code: .notConfined,
                message: "There are more than \(Confinement.mostSockets) sockets on this machine, too many to cover. "
                    + "Nothing was started.")
        }
        return paths
    }

    /// Six columns, the inode, and then the path, which may have spaces; names that begin with `@` belong to the namespace
    /// alone.
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
