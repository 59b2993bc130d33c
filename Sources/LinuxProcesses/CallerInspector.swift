import Authorization
import Dispatch
import Glibc
import SystemFiles

/// Finds out who is at the other end of a connection: process, user and program, by the kernel's evidence alone.
public final class CallerInspector: Sendable {
    /// A larger program is not read: it would keep a thread busy for seconds. 1 GB.
    static let largestProgram = 1 << 30

    public enum ServedUsers: Sendable, Hashable {
        /// Advisory mode: the service runs as a user and serves that user.
        case one(UInt32)
        /// Enforced mode: the service has a user of its own and serves all of the machine.
        case all
    }

    let root: String
    private let users: ServedUsers
    private let digests: ExecutableDigests
    private let queue = DispatchQueue(label: "voicegate.caller-inspector", attributes: .concurrent)

    /// - Parameter root: where proc is mounted.
    public init(
        serving users: ServedUsers = .one(geteuid()), digests: ExecutableDigests = ExecutableDigests(),
        root: String = "/proc"
    ) {
        self.root = root
        self.users = users
        self.digests = digests
    }

    /// Takes hold of the peer's process at once and then, on a queue of its own, looks at its program: reading a large
    /// program for its digest takes a while, the first time.
    ///
    /// - Parameter socket: a connected Unix socket; it must stay open until the first suspension, not longer.
    public func inspect(socket: Int32) async throws(ProcessError) -> ConnectedCaller {
        let credentials = try PeerCredentials(socket: socket)
        let handle = try ProcessHandle(socket: socket, credentials: credentials)
        return try await inspect(credentials, handle)
    }

    private func inspect(
        _ credentials: PeerCredentials, _ handle: ProcessHandle
    ) async throws(ProcessError) -> ConnectedCaller {
        let result: Result<ConnectedCaller, ProcessError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ProcessError) in
                        try self.look(credentials, handle)
                    })
            }
        }
        return try result.get()
    }

    /// The same, on the calling thread, which it may block.
    public func inspectBlocking(socket: Int32) throws(ProcessError) -> ConnectedCaller {
        let credentials = try PeerCredentials(socket: socket)
        return try look(credentials, ProcessHandle(socket: socket, credentials: credentials))
    }

    /// `/proc` is addressed by process identifier. It has meant the pinned process throughout if that one still runs
    /// at the end: an identifier is not given away before its process has ended.
    func look(_ credentials: PeerCredentials, _ handle: ProcessHandle) throws(ProcessError) -> ConnectedCaller {
        let process = credentials.processIdentifier
        if case .one(let user) = users, credentials.user != user {
            throw ProcessError(
                code: .otherUser,
                message: "Process \(process) belongs to user \(credentials.user); this service serves user \(user). "
                    + "Start a service as that user.")
        }
        let before = try ProcessStatus(of: process, root: root)
        let (executable, metadata) = try program(of: process)
        let after = try ProcessStatus(of: process, root: root)
        guard before.startTime == after.startTime, handle.isAlive else { throw ProcessError.vanished(process) }
        let caller = Caller(
            process: ProcessIdentity(processIdentifier: process, startTime: after.startTime), user: credentials.user,
            executable: executable)
        return ConnectedCaller(caller: caller, handle: handle, metadata: metadata, inspector: self)
    }

    private func program(of process: Int32) throws(ProcessError) -> (Executable, FileMetadata) {
        let link = "\(root)/\(process)/exe"
        let descriptor = try open(link, process)
        let metadata = try metadata(descriptor.rawValue, process)
        guard metadata.size <= Self.largestProgram else {
            throw ProcessError(
                code: .unreadable,
                message: "The program of process \(process) is larger than 1 GB, and is not looked at.")
        }
        guard let digest = digests.sha256(of: descriptor.rawValue, metadata: metadata) else {
            throw ProcessError(
                code: .executableChanged,
                message: "The program of process \(process) changed while it was looked at. Start it again.")
        }
        // For a deleted file the kernel appends " (deleted)"; it stays in the name, and no manifest's file is that one.
        let path = Self.target(of: link) ?? "unknown"
        return (Executable(path: path, device: metadata.device, inode: metadata.inode, sha256: digest), metadata)
    }

    /// What the process runs now, without reading it.
    func currentProgram(of process: Int32) throws(ProcessError) -> FileMetadata {
        var status = stat()
        guard stat("\(root)/\(process)/exe", &status) == 0 else { throw Self.unseen(process, errno) }
        return FileMetadata(status)
    }

    private func open(_ link: String, _ process: Int32) throws(ProcessError) -> OwnedDescriptor {
        let number = Glibc.open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number < 0 else { return OwnedDescriptor(owning: number) }
        throw Self.unseen(process, errno)
    }

    private static func unseen(_ process: Int32, _ number: Int32) -> ProcessError {
        if number == ENOENT || number == ESRCH { return ProcessError.vanished(process) }
        return ProcessError(
            code: .unreadable,
            message: "The program of process \(process) cannot be seen. Run it as the service's user, not setuid.",
            number: number)
    }

    private func metadata(_ descriptor: Int32, _ process: Int32) throws(ProcessError) -> FileMetadata {
        guard let metadata = try? FileMetadata(descriptor: descriptor, path: ""), metadata.isRegularFile else {
            throw ProcessError(
                code: .unreadable, message: "The program of process \(process) is not a file. Start it from a file.")
        }
        return metadata
    }

    private static func target(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return readlink(link, start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return length > 0 ? String(decoding: buffer[..<length], as: UTF8.self) : nil
    }
}

extension CallerInspector {
    /// SHA-256 of a program that need not run, lower-case hexadecimal: what a decision made in settings is bound to.
    public func digest(ofFile path: String) async throws(ProcessError) -> String {
        let result: Result<String, ProcessError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ProcessError) in
                        try self.readDigest(ofFile: path)
                    })
            }
        }
        return try result.get()
    }

    private func readDigest(ofFile path: String) throws(ProcessError) -> String {
        let descriptor = OwnedDescriptor(owning: Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard let metadata = try? FileMetadata(descriptor: descriptor.rawValue, path: path), metadata.isRegularFile,
            let digest = digests.sha256(of: descriptor.rawValue, metadata: metadata)
        else {
            throw ProcessError(
                code: .unreadable, message: "The program \(path) cannot be read. Install it, then try again.")
        }
        return digest
    }
}
