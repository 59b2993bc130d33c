/// How much one search of descriptors may read. Each descriptor is a system call, and a user may have any number of them.
public struct DescriptorBudget: Sendable {
    /// Processes and threads with descriptors.
    let tables: Int
    let descriptors: Int

    public init(tables: Int = 1_000, descriptors: Int = 50_000) {
        (self.tables, self.descriptors) = (tables, descriptors)
    }
}

/// A search for sockets among the descriptors of processes. It blocks, so it belongs into the turn of its user.
struct DescriptorSearch {
    /// The budget does not suffice.
    struct Exceeded: Error {}

    /// The most processes of a machine.
    static let mostProcesses = 32_768

    private let root: String
    private var tables: Int
    private var descriptors: Int

    /// - Parameter root: where proc is mounted.
    init(root: String, _ budget: DescriptorBudget = DescriptorBudget()) {
        self.root = root
        (tables, descriptors) = (budget.tables, budget.descriptors)
    }

    /// The identifiers of all processes.
    ///
    /// - Returns: `nil` if proc cannot be read.
    func processes() throws(Exceeded) -> [Int32]? {
        guard let names = try? Folder.names(in: root, limit: 2 * Self.mostProcesses) else { return nil }
        let found = names.compactMap { Int32($0) }
        guard found.count <= Self.mostProcesses else { throw Exceeded() }
        return found
    }

    /// Whether the process has the user's rights. Its folder is of its effective user, also if it may not be traced (proc(5)).
    func isProcess(_ process: Int32, of user: UInt32) -> Bool {
        (try? FileMetadata(path: "\(root)/\(process)").owner) == user
    }

    /// The sockets of a process.
    mutating func sockets(of process: Int32) throws(Exceeded) -> Set<UInt32>? { try sockets(in: "\(root)/\(process)") }

    /// - Parameter folder: `/proc/PID`, or `/proc/PID/task/TID`.
    /// - Returns: inode numbers; `nil` when they cannot be read.
    mutating func sockets(in folder: String) throws(Exceeded) -> Set<UInt32>? {
        guard let names = try? Folder.names(in: folder + "/fd", limit: descriptors + 1) else { return nil }
        // The kernel's own processes have none.
        guard !names.isEmpty else { return [] }
        guard tables > 0, names.count <= descriptors else { throw Exceeded() }
        tables -= 1
        descriptors -= names.count
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
