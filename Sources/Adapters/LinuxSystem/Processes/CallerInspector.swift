import Authorization
import CLinux
import Glibc

/// Identifies the peer of a connection by the kernel's evidence alone: process, user and program.
public final class CallerInspector: Sendable {
    public enum ServedUsers: Sendable, Hashable {
        /// Advisory mode: the service runs as a user and serves that user.
        case one(UInt32)
        /// Enforced mode: the service has its own user and serves all users of the machine.
        case all
    }

    let root: String
    let programs: ProgramInspector
    private let commandLine: String?
    private let users: ServedUsers
    /// For what never waits: programs whose digests are known, the command line's own, and the presence of clients.
    let queue = BlockingQueues(label: "voicegate.caller-inspector", width: 16)
    /// For opening files and reading little, which is quick unless a file server does not answer.
    let looks: UserTurns
    /// For reading programs, so that large ones delay only their own user.
    let turns: UserTurns
    /// For searching descriptors, so that a user with many delays no other user, and nothing else.
    let searches: UserTurns
    let budget: DescriptorBudget
    let presences: PresenceInspector

    /// - Parameters:
    ///   - commandLine: VoiceGate's own; its responsible program is determined at connect time.
    ///   - packages: a grant survives an update of their files.
    ///   - root: where proc is mounted.
    ///   - logins: logind's sessions; default: there are none.
    ///   - limit: how long a file may take; see `UserTurns`.
    ///   - budget: of each search of descriptors.
    public init(
        serving users: ServedUsers = .one(geteuid()), digests: FileDigests = FileDigests(),
        packages: PackageDatabase = PackageDatabase(), commandLine: String? = nil, root: String = "/proc",
        logins: LoginBook = LoginBook(), limit: Duration = .seconds(20), budget: DescriptorBudget = DescriptorBudget()
    ) {
        looks = UserTurns(width: 8, each: 4, limit: limit)
        turns = UserTurns(limit: limit)
        searches = UserTurns(limit: limit)
        self.budget = budget
        presences = PresenceInspector(proc: root, logins: logins)
        self.commandLine = commandLine
        self.root = root
        self.users = users
        self.programs = ProgramInspector(root: root, digests: digests, packages: packages, commandLine: commandLine)
    }

    /// Opens a handle of the peer's process at once, then inspects its program, in its user's turn if it has to be read.
    ///
    /// - Parameter socket: a connected Unix socket; it must stay open until the first suspension, not longer.
    public func inspect(socket: Int32) async throws(ProcessError) -> ConnectedCaller {
        let (credentials, handle, inode) = try Self.peer(of: socket)
        return try await lookAhead(credentials, handle, socketInode: inode)
    }

    /// Also determines the responsible program of the command line; otherwise the first request would block for it.
    private func lookAhead(
        _ credentials: PeerCredentials, _ handle: ProcessHandle, socketInode: UInt32
    ) async throws(ProcessError) -> ConnectedCaller {
        let connected = try await reading(for: credentials.user) { (use) throws(ProcessError) in
            try self.look(credentials, handle, socketInode: socketInode, use)
        }
        if connected.caller.executable.path == commandLine { _ = await connected.responsible() }
        return connected
    }

    /// Runs work at once if it does not have to wait, else in the user's turn.
    ///
    /// - Parameter work: throws `notRead` if it would have to do more with a file than it may.
    func reading<Value: Sendable>(
        for user: UInt32, _ work: @escaping @Sendable (FileUse) throws(ProcessError) -> Value
    ) async throws(ProcessError) -> Value {
        do {
            return try await queue.run { () throws(ProcessError) in try work(.cached) }
        } catch {
            guard error.code == .notRead else { throw error }
        }
        do {
            return try await looks.run(of: user) { () throws(ProcessError) in try work(.small) }
        } catch {
            guard error.code == .notRead else { throw error }
        }
        return try await turns.run(of: user) { () throws(ProcessError) in try work(.whole) }
    }

    private static func peer(
        of socket: Int32
    ) throws(ProcessError) -> (PeerCredentials, ProcessHandle, socketInode: UInt32) {
        let credentials = try PeerCredentials(socket: socket)
        let handle = try ProcessHandle(socket: socket, credentials: credentials)
        let metadata = try? FileMetadata(descriptor: socket, path: "")
        return (credentials, handle, metadata.map { UInt32(truncatingIfNeeded: $0.inode) } ?? 0)
    }

    /// `/proc` is addressed by process identifier. If the process of the handle still runs at the end, the identifier was its
    /// own throughout: the kernel does not reuse one before its process has ended.
    func look(
        _ credentials: PeerCredentials, _ handle: ProcessHandle, socketInode: UInt32 = 0, _ use: FileUse = .whole
    ) throws(ProcessError) -> ConnectedCaller {
        let process = credentials.processIdentifier
        try check("Process \(process)", of: credentials.user)
        let before = try ProcessStatus(of: process, root: root)
        let program = try programs.look(at: before, user: credentials.user, use)
        let after = try ProcessStatus(of: process, root: root)
        guard before.startTime == after.startTime, handle.isAlive else { throw ProcessError.vanished(process) }
        let caller = Caller(
            process: after.identity, user: credentials.user, executable: program.executable,
            evidence: program.evidence, unit: program.unit)
        return ConnectedCaller(
            caller: caller, handle: handle, program: program, inspector: self, socketInode: socketInode)
    }

    private func check(_ caller: String, of user: UInt32) throws(ProcessError) {
        guard case .one(let served) = users, user != served else { return }
        throw ProcessError(
            code: .otherUser,
            message: "\(caller) belongs to user \(user); this service serves user \(served). "
                + "Start a service as that user.")
    }

    /// The program that a grant in the settings is bound to: the same as that of a running caller that the manifest matches.
    ///
    /// - Parameter user: whose turn it is if the program has to be read.
    /// - Throws: `unreadable` when a file that the manifest names cannot be read, `tooLarge` when it is too large.
    public func program(of manifest: Manifest, for user: UInt32) async throws(ProcessError) -> AllowedProgram {
        try await reading(for: user) { (use) throws(ProcessError) in try self.read(manifest, use) }
    }

    /// The package that owns the program's file, if the system's package manager does, so that a grant survives its update.
    ///
    /// - Parameter user: whose turn it is if the file has to be looked for.
    public func package(of program: AllowedProgram, for user: UInt32) async -> String? {
        let answer = try? await reading(for: user) { (use) throws(ProcessError) in
            guard let path = program.path, let metadata = try self.metadata(of: path, use) else {
                return String?.none
            }
            return try self.programs.packages.owner(of: path, metadata, use)
        }
        return answer ?? nil
    }

    /// - Returns: `nil` if there is none.
    private func metadata(of path: String, _ use: FileUse) throws(ProcessError) -> FileMetadata? {
        do {
            return try use.metadata(of: path)
        } catch {
            if error.code == .mayWait { try use.require(.small) }
            return nil
        }
    }

    private func read(_ manifest: Manifest, _ use: FileUse) throws(ProcessError) -> AllowedProgram {
        switch manifest.binding {
        case .executable:
            return try read(manifest.executablePath, use)
        case .script(let path):
            return try read(path, use)
        case .flatpak(let name):
            return AllowedProgram(sha256: NamingDigest.flatpak(name), path: manifest.executablePath)
        case .snap(let name):
            return AllowedProgram(sha256: NamingDigest.snap(name), path: manifest.executablePath)
        case .unit(let unit, let script):
            let program = try read(script ?? manifest.executablePath, use)
            return AllowedProgram(
                sha256: NamingDigest.unit(unit, running: program.sha256), path: program.path, size: program.size)
        }
    }

    private func read(_ path: String, _ use: FileUse) throws(ProcessError) -> AllowedProgram {
        let unreadable = ProcessError(
            code: .unreadable, message: "The program \(path) cannot be read. Install it, then try again.")
        let descriptor: OwnedDescriptor
        do {
            descriptor = try use.reference(to: path)
        } catch {
            if error.code == .mayWait { try use.require(.small) }
            throw unreadable
        }
        guard let metadata = try? use.metadata(of: descriptor), metadata.isRegularFile else { throw unreadable }
        let digest = try programs.digest(of: descriptor.rawValue, metadata, "program \(path)", use)
        // Without links, as the kernel names a running program.
        return AllowedProgram(
            sha256: digest, path: LinkTarget.of("/proc/self/fd/\(descriptor.rawValue)") ?? path, size: metadata.size)
    }
}

extension CallerInspector {
    /// Identifies the peer of a TCP connection within this machine. The kernel reports the peer's socket and its user
    /// (sock_diag(7)); the descriptors of that user's processes show which one has that socket, in the user's turn.
    ///
    /// TCP does not identify the process, so this is stricter than `inspect(socket:)`: it refuses a caller whose descriptors
    /// cannot be read or are too many, that shares the socket with another process of the user, or that is on another machine or
    /// network namespace.
    ///
    /// - Parameter socket: connected; it must stay open until this returns.
    public func inspect(tcp socket: Int32) async throws(ProcessError) -> ConnectedCaller {
        let (inode, user) = try await queue.run { () throws(ProcessError) in try self.peer(tcp: socket) }
        let (credentials, handle) = try await searches.run(of: user) { () throws(ProcessError) in
            let process = try self.holder(of: inode, user)
            let handle = try ProcessHandle(processIdentifier: process)
            // The identifier may have been reused before the handle was opened.
            var search = DescriptorSearch(root: self.root, self.budget)
            guard (try? search.sockets(of: process))?.contains(inode) == true else {
                throw ProcessError.vanished(process)
            }
            guard let owner = try? FileMetadata(path: "\(self.root)/\(process)").owner, owner == user else {
                throw Self.ambiguous(
                    "the process that has its other end runs as another user than the one that opened it")
            }
            return (PeerCredentials(processIdentifier: process, user: user), handle)
        }
        return try await lookAhead(credentials, handle, socketInode: 0)
    }

    /// The user at the other end of a TCP connection; the process is 0, which is not known yet. One system call's time.
    ///
    /// - Returns: `nil` if the user is not served, or the other end is not on this machine.
    public func credentials(tcp socket: Int32) -> PeerCredentials? {
        (try? peer(tcp: socket)).map { PeerCredentials(processIdentifier: 0, user: $0.user) }
    }

    private func peer(tcp socket: Int32) throws(ProcessError) -> (inode: UInt32, user: UInt32) {
        var peer = vg_tcp_peer()
        guard vg_tcp_peer(socket, &peer) == 0 else {
            throw Self.ambiguous("no process in this machine's network has its other end")
        }
        try check("The caller", of: peer.uid)
        return (peer.inode, peer.uid)
    }

    private static var looks: Int { 5 }
    /// Microseconds.
    private static var pause: UInt32 { 20_000 }

    /// Looks again if there is not one holder, because a process that starts a child shares its descriptors with it for a moment.
    private func holder(of inode: UInt32, _ user: UInt32) throws(ProcessError) -> Int32 {
        var found: [Int32] = []
        for look in 1...Self.looks {
            if look > 1 { usleep(Self.pause) }
            do {
                found = try holders(of: inode, user)
            } catch {
                throw Self.ambiguous("user \(user) has too many processes or descriptors to search")
            }
            if found.count == 1 { return found[0] }
        }
        throw Self.ambiguous(
            found.isEmpty
                ? "the process that has its other end cannot be inspected"
                : "processes \(found.map(String.init).joined(separator: ", ")) share its other end")
    }

    private func holders(of inode: UInt32, _ user: UInt32) throws(DescriptorSearch.Exceeded) -> [Int32] {
        var search = DescriptorSearch(root: root, budget)
        var found: [Int32] = []
        for process in try search.processes() ?? [] where search.isProcess(process, of: user) {
            if try search.sockets(of: process)?.contains(inode) == true { found.append(process) }
        }
        return found
    }

    private static func ambiguous(_ what: String) -> ProcessError {
        ProcessError(
            code: .ambiguous,
            message: "The caller of a TCP connection is not known: \(what). Connect over the Unix socket.")
    }
}
