import Authorization
import SystemFiles

/// A caller whose process is held on to. Keep it as long as its connection.
public final class ConnectedCaller: Sendable {
    public let caller: Caller
    private let handle: ProcessHandle
    private let metadata: FileMetadata
    private let inspector: CallerInspector

    init(caller: Caller, handle: ProcessHandle, metadata: FileMetadata, inspector: CallerInspector) {
        self.caller = caller
        self.handle = handle
        self.metadata = metadata
        self.inspector = inspector
    }

    public var isAlive: Bool { handle.isAlive }

    /// Runs the handler once when the process ends; see `ProcessHandle.onExit`.
    public func onExit(_ handler: @escaping @Sendable () -> Void) { handle.onExit(handler) }

    /// Looks again at what the process runs: a pidfd survives `exec`, and so does a connection. Ask before every
    /// decision that matters. A few system calls; nothing is read.
    ///
    /// - Throws: `vanished` when it has ended, `executableChanged` when it runs another file, or a changed one.
    public func recheck() throws(ProcessError) {
        let process = caller.process.processIdentifier
        let now = try inspector.currentProgram(of: process)
        guard handle.isAlive else { throw ProcessError.vanished(process) }
        // A running program's bytes cannot be written, but its last link may go, or a backup may touch it.
        guard now.device == metadata.device, now.inode == metadata.inode, now.size == metadata.size,
            now.modifiedAt == metadata.modifiedAt
        else {
            throw ProcessError(
                code: .executableChanged,
                message: "Process \(process) runs another program than when it connected. Connect again from it.")
        }
    }

    /// Whether it has the keyboard of a terminal right now.
    public var isForegroundJobOfTerminal: Bool {
        guard let status = try? ProcessStatus(of: caller.process.processIdentifier, root: inspector.root) else {
            return false
        }
        return status.startTime == caller.process.startTime && status.isForegroundJobOfTerminal && handle.isAlive
    }

    /// Whether the person has it before them right now: the foreground job of its terminal or a child of that, in an active
    /// session, or a program of the active desktop. A few small files of proc.
    public var presence: Presence {
        let presence = PresenceInspector(proc: inspector.root).presence(of: caller.process, user: caller.user)
        return handle.isAlive ? presence : .background
    }

    /// The device of its terminal, such as `/dev/pts/3`; `nil` when it has none.
    public var terminalPath: String? {
        ControllingTerminal.path(of: caller.process.processIdentifier, root: inspector.root)
    }
}
