/// The program a process runs, as the kernel names it through `/proc/PID/exe`.
public struct Executable: Sendable, Hashable, Codable {
    public let path: String
    public let device: UInt64
    public let inode: UInt64
    /// SHA-256, lower-case hexadecimal, of what identifies the program: the file's bytes; for an interpreter's script those
    /// of the script; for a program of a sandbox or a unit the text that names it.
    public let sha256: String
    /// Whether the system's package manager owns the file and only root can write it: when it changes, the system
    /// changed it, and a yes carries over.
    public let isPackageManaged: Bool

    public init(path: String, device: UInt64, inode: UInt64, sha256: String, isPackageManaged: Bool = false) {
        self.path = path
        self.device = device
        self.inode = inode
        self.sha256 = sha256
        self.isPackageManaged = isPackageManaged
    }

    public var name: String { String(path.split(separator: "/").last ?? "unknown") }
}
