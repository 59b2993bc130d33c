/// The program a process runs, as the kernel names it through `/proc/PID/exe`.
public struct Executable: Sendable, Hashable, Codable {
    public let path: String
    public let device: UInt64
    public let inode: UInt64
    /// SHA-256 of the file's bytes, lower-case hexadecimal.
    public let sha256: String

    public init(path: String, device: UInt64, inode: UInt64, sha256: String) {
        self.path = path
        self.device = device
        self.inode = inode
        self.sha256 = sha256
    }

    public var name: String { String(path.split(separator: "/").last ?? "unknown") }
}
