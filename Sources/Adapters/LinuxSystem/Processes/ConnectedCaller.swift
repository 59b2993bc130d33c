import Authorization
import Synchronization

/// A caller with a handle of its process. Keep it as long as its connection.
public final class ConnectedCaller: Sendable {
    public let caller: Caller
    private let handle: ProcessHandle
    private let program: InspectedProgram
    private let inspector: CallerInspector
    /// The inode of this service's end of the connection; 0: unknown.
    let socketInode: UInt32
    private let found = Mutex(ResponsibleProgram?.none)

    init(
        caller: Caller, handle: ProcessHandle, program: InspectedProgram, inspector: CallerInspector,
        socketInode: UInt32
    ) {
        self.caller = caller
        self.handle = handle
        self.program = program
        self.inspector = inspector
        self.socketInode = socketInode
    }

    public var isAlive: Bool { handle.isAlive }

    /// Whether no part of the process runs any longer, also if the kernel is still taking it apart. Some system calls.
    public var isOver: Bool { !isAlive || ProcessStatus.isOver(caller.process, root: inspector.root) }

    /// Runs the handler once when the process ends; see `ProcessHandle.onExit`.
    public func onExit(_ handler: @escaping @Sendable () -> Void) { handle.onExit(handler) }

    /// Checks that the process still runs the same program: a pidfd and a connection survive `exec`. Call it before each
    /// decision. A few system calls; the program is not read again.
    ///
    /// - Throws: `vanished` when it has ended, `executableChanged` when it runs another or a changed file or script, or is in
    ///   another sandbox; `busy` or `unanswered` when that cannot be found out in time.
    public func recheck() async throws(ProcessError) {
        guard try !recheckAtOnce() else { return }
        try await inspector.looks.run(of: caller.user) { [self] () throws(ProcessError) in
            try check(program.isSameInside(caller.process.processIdentifier, inspector.programs))
        }
    }

    /// The part of `recheck` that never waits.
    ///
    /// - Returns: whether that is all of it; there is more to check of scripts and Flatpaks.
    public func recheckAtOnce() throws(ProcessError) -> Bool {
        let isCurrent = try program.isCurrent(of: caller.process.processIdentifier, inspector.programs)
        try check(isCurrent)
        return !program.hasMoreToCheck
    }

    private func check(_ isCurrent: Bool) throws(ProcessError) {
        let process = caller.process.processIdentifier
        guard handle.isAlive else { throw ProcessError.vanished(process) }
        guard isCurrent else {
            throw ProcessError(
                code: .executableChanged,
                message: "Process \(process) runs another program than when it connected. Connect again from it.")
        }
    }

    /// Whether a manifest describes the caller. Its files are looked for in the user's turn if that may take time.
    ///
    /// - Parameter acting: the caller, or the program that it runs for.
    /// - Throws: `busy` or `unanswered` when that cannot be found out in time.
    public func matches(_ manifest: Manifest, as acting: Caller) async throws(ProcessError) -> Bool {
        if let answer = manifest.matchesAtOnce(acting) { return answer }
        return try await inspector.looks.run(of: caller.user) { () throws(ProcessError) in manifest.matches(acting) }
    }

    /// The client in a catalogue; the rest as `matches`.
    public func client(in catalog: ClientCatalog, as acting: Caller) async throws(ProcessError) -> Client {
        if let client = catalog.clientAtOnce(for: acting) { return client }
        return try await inspector.looks.run(of: caller.user) { () throws(ProcessError) in catalog.client(for: acting) }
    }

    /// Its process will run a program without a network, in its own user namespace, and has no other way to go on.
    ///
    /// - Throws: `busy` if too many processes of its user do so.
    public func announceConfinement() throws(ProcessError) {
        guard inspector.programs.confined.announce(caller.process, of: caller.user) else {
            throw ProcessError(
                code: .busy,
                message: "You run \(ConfinedPrograms.most) programs without a network. End one, then try again.")
        }
    }

    /// Checks that the process is still in its unit. Call it before a decision about a unit's manifest.
    ///
    /// - Throws: `executableChanged` when it is no longer in that unit.
    public func recheckUnit() throws(ProcessError) {
        let process = caller.process.processIdentifier
        guard program.isInSameGroup(process, inspector.programs) else {
            throw ProcessError(
                code: .executableChanged,
                message: "Process \(process) has left the unit that it connected from. Connect again.")
        }
    }

    /// The program that started VoiceGate's own command line; `unknown` also when its files cannot be read in time. Found
    /// once: a parent may end.
    public func responsible() async -> ResponsibleProgram {
        if let found = found.withLock({ $0 }) { return found }
        let result = try? await inspector.reading(for: caller.user) {
            [caller, program, inspector] (use) throws(ProcessError) in
            try ResponsibleProgramSearch(root: inspector.root, programs: inspector.programs)
                .program(startedBy: caller.process, user: caller.user, own: program.metadata, use)
        }
        return found.withLock { found in
            let first = found ?? result ?? .unknown
            found = first
            return first
        }
    }

    /// Whether it is in the foreground job of its terminal now.
    public var isForegroundJobOfTerminal: Bool {
        let status = ProcessStatus(of: caller.process, root: inspector.root)
        return status?.isForegroundJobOfTerminal == true && handle.isAlive
    }

    /// Whether it is in the user's foreground now: the foreground job of its terminal or a child of that, in an active session
    /// that is not locked, or a program of such a desktop. Reads some small files of the kernel, on a thread for that.
    public func presence() async -> Presence { await inspector.queue.run { self.presenceBlocking } }

    /// The same on the calling thread.
    var presenceBlocking: Presence {
        let presence = inspector.presences.presence(of: caller.process, user: caller.user)
        return handle.isAlive ? presence : .background
    }

    /// Whether it belongs to an active session of the machine's seat now, so that its user is beside the microphone: not over
    /// the network, and not in a session that is locked or that another has replaced on the screen. Reads as `presence()` does.
    public func isAtActiveSeat() async -> Bool {
        await inspector.queue.run {
            self.inspector.presences.isAtActiveSeat(self.caller.process, user: self.caller.user) && self.handle.isAlive
        }
    }
}

extension ConnectedCaller {
    /// Determines whether the client has a network: at once if it has the host's, else in its user's turn.
    ///
    /// - Parameter acting: the caller as a client. If VoiceGate's command line runs for another program, that program is
    ///   inspected, too.
    public func network(actingAs acting: Caller) async -> NetworkFinding {
        let clients = [caller.process] + (acting.responsible.map { [$0] } ?? [])
        // A process that has ended cannot be inspected.
        guard clients.allSatisfy({ $0.processIdentifier > 0 }), isAlive else { return .hosts }
        let network = NetworkInspector(root: inspector.root, budget: inspector.budget)
        guard network.areApart(clients) else { return .hosts }
        do {
            let finding = try await inspector.searches.run(of: caller.user) { [caller, socketInode] in
                network.finding(about: clients, of: caller.user, connection: socketInode)
            }
            return isAlive ? finding : .unclear("it ended")
        } catch {
            return .unclear("too many programs of its user wait to be inspected")
        }
    }
}
