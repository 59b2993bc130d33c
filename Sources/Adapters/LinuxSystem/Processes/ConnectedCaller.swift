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

    /// Whether nothing of the process runs any more, also if the kernel is still taking it apart. Some system calls.
    public var isOver: Bool { !isAlive || ProcessStatus.isOver(caller.process, root: inspector.root) }

    /// Runs the handler once when the process ends; see `ProcessHandle.onExit`.
    public func onExit(_ handler: @escaping @Sendable () -> Void) { handle.onExit(handler) }

    /// Checks that the process still runs the same program: a pidfd and a connection survive `exec`. Call it before each
    /// decision. A few system calls; the program is not read again.
    ///
    /// - Throws: `vanished` when it has ended, `executableChanged` when it runs another or a changed file or script, or is in
    ///   another sandbox.
    public func recheck() throws(ProcessError) {
        let process = caller.process.processIdentifier
        let isCurrent = try program.isCurrent(of: process, inspector.programs)
        guard handle.isAlive else { throw ProcessError.vanished(process) }
        guard isCurrent else {
            throw ProcessError(
                code: .executableChanged,
                message: "Process \(process) runs another program than when it connected. Connect again from it.")
        }
    }

    /// Checks that the process is still in its unit. Call it before a decision about a unit's manifest.
    ///
    /// - Throws: `executableChanged` when it is not in that unit any more.
    public func recheckUnit() throws(ProcessError) {
        let process = caller.process.processIdentifier
        guard program.isInSameGroup(process, inspector.programs) else {
            throw ProcessError(
                code: .executableChanged,
                message: "Process \(process) has left the unit that it connected from. Connect again.")
        }
    }

    /// The program that started VoiceGate's own command line. `CallerInspector.inspect` has determined it; else the first call
    /// does, and blocks.
    public func responsible() -> ResponsibleProgram { (try? findResponsible(mayRead: true)) ?? .unknown }

    /// - Throws: `notRead`, as `ProgramInspector.look`.
    @discardableResult
    func findResponsible(mayRead: Bool) throws(ProcessError) -> ResponsibleProgram {
        if let found = found.withLock({ $0 }) { return found }
        let search = ResponsibleProgramSearch(root: inspector.root, programs: inspector.programs)
        let result = try search.program(
            startedBy: caller.process, user: caller.user, own: program.metadata, mayRead: mayRead)
        return found.withLock { found in
            let first = found ?? result
            found = first
            return first
        }
    }

    /// Whether it is in the foreground job of its terminal now.
    public var isForegroundJobOfTerminal: Bool {
        let status = ProcessStatus(of: caller.process, root: inspector.root)
        return status?.isForegroundJobOfTerminal == true && handle.isAlive
    }

    /// Whether it is in the user's foreground now: the foreground job of its terminal or a child of that, in an active session,
    /// or a program of the active desktop.
    public var presence: Presence {
        let presence = PresenceInspector(proc: inspector.root).presence(of: caller.process, user: caller.user)
        return handle.isAlive ? presence : .background
    }
}

extension ConnectedCaller {
    /// Determines whether the client has a network. Blocks.
    ///
    /// - Parameter acting: the caller as a client. If VoiceGate's command line runs for another program, that program is
    ///   inspected, too.
    public func network(actingAs acting: Caller) -> NetworkFinding {
        let clients = [caller.process] + (acting.responsible.map { [$0] } ?? [])
        // A process that has ended cannot be inspected.
        guard clients.allSatisfy({ $0.processIdentifier > 0 }), isAlive else { return .hosts }
        let finding = NetworkInspector(root: inspector.root).finding(about: clients, connection: socketInode)
        return isAlive ? finding : .unclear("it ended")
    }
}
