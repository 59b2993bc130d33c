/// A process at the other end of a connection, with the kernel's evidence about it. Nothing here is the caller's word.
public struct Caller: Sendable, Hashable {
    public let process: ProcessIdentity
    public let user: UInt32
    public let executable: Executable

    public init(process: ProcessIdentity, user: UInt32, executable: Executable) {
        self.process = process
        self.user = user
        self.executable = executable
    }
}
