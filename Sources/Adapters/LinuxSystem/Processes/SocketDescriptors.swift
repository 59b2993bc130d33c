/// The sockets among a process's descriptors.
enum SocketDescriptors {
    /// Descriptors that are looked at.
    private static let most = 65_536

    /// - Parameter folder: `/proc/PID`, or `/proc/PID/task/TID`.
    /// - Returns: inode numbers; `nil` when they cannot be seen, or there are too many.
    static func inodes(in folder: String) -> Set<UInt32>? {
        guard let names = try? Folder.names(in: folder + "/fd", limit: most + 1), names.count <= most else {
            return nil
        }
        return Set(
            names.compactMap { name in
                // socket:[4711]
                guard let target = LinkTarget.of("\(folder)/fd/\(name)"), target.hasPrefix("socket:["),
                    target.hasSuffix("]")
                else { return nil }
                return UInt32(target.dropFirst("socket:[".count).dropLast())
            })
    }
}
